/* A question's bytes, as they are written (docs/formats/question.md). */
#include "base/base.h"
#include "question/bytes.h"
#include "question/question.h"
#include "schema/schema.h"

#include <stdlib.h>

const char tacit_question_magic[8] = {'t', 'a', 'c', 'i', 't', 0, 'q', 'u'};

/* Numbers that may be missing: their count, which is 0 then, and they. */
static void put_vector(tacit_bytes_out *out, const double *values, size_t count) {
  tacit_put_count(out, values ? count : 0);
  if (values) tacit_put_numbers(out, values, count);
}

static void put_count_question(tacit_bytes_out *out, const tacit_count_question *c, size_t columns,
                               size_t image) {
  size_t length = c->value == TACIT_VALUE_LENGTH ? columns - 1 : c->value == TACIT_VALUE_SIDE ? image : 0;
  tacit_put_count(out, c->value);
  tacit_put_count(out, c->above);
  tacit_put_count(out, c->target);
  tacit_put_numbers(out, (const double[]){c->at, c->centre, c->side, c->unit}, 4);
  put_vector(out, c->vector, length);
}

static void put_rows_question(tacit_bytes_out *out, const tacit_rows_question *r) {
  tacit_put_count(out, r->first);
  tacit_put_count(out, r->columns);
  tacit_put_count(out, (uint64_t)r->bits);
  tacit_put_count(out, r->moment);
  tacit_put_numbers(out, (const double[]){r->stretch, r->clip}, 2);
  put_vector(out, r->shift, r->columns);
  tacit_put_count(out, r->target_count);
  for (size_t i = 0; i < r->target_count; i++) {
    const tacit_target_part *t = &r->targets[i];
    tacit_put_count(out, t->target);
    tacit_put_numbers(out, (const double[]){t->centre, t->spread, t->cut, t->factor, t->over}, 5);
  }
}

static void put_spread(tacit_bytes_out *out, const tacit_row_spread *s, size_t columns) {
  tacit_put_numbers(
      out, (const double[]){s->offset, s->least, s->most, s->times, s->unit, s->weight, s->full, s->skew}, 8);
  tacit_put_numbers(out, s->slopes, columns);
}

static void put_scores_question(tacit_bytes_out *out, const tacit_scores_question *s, size_t columns) {
  tacit_put_count(out, s->scores);
  tacit_put_count(out, s->sides);
  tacit_put_numbers(out, (const double[]){s->span, s->smoothing}, 2);
  tacit_put_count(out, s->count);
  for (size_t i = 0; i < s->count; i++) {
    const tacit_score_part *p = &s->parts[i];
    tacit_put_count(out, p->target);
    tacit_put_count(out, p->kernel);
    tacit_put_numbers(out, (const double[]){p->tau, p->bandwidth, p->offset, p->clip_norm}, 4);
    put_vector(out, p->coefficients, columns);
    tacit_put_count(out, p->form);
    if (p->form != TACIT_FORM_LINEAR) put_spread(out, &p->spread, columns);
  }
}

static void put_features_question(tacit_bytes_out *out, const tacit_features_question *f, size_t columns) {
  tacit_put_number(out, f->clip);
  tacit_put_count(out, f->scaled ? columns + 1 : 0); /* the spread's numbers, if there is one */
  if (f->scaled) put_spread(out, &f->spread, columns);
}

static void put_ramps_question(tacit_bytes_out *out, const tacit_ramps_question *r, size_t columns) {
  tacit_put_count(out, r->target);
  tacit_put_count(out, r->scores);
  tacit_put_numbers(
      out, (const double[]){r->offset, r->width, r->clip_norm, r->below_width, r->within_width, r->span}, 6);
  put_vector(out, r->coefficients, columns);
}

static void put_units(tacit_bytes_out *out, const tacit_unit_parts *u) {
  tacit_put_count(out, u->whole);
  if (!u->whole) return;
  tacit_put_numbers(out, u->clip, TACIT_UNIT_PARTS);
  tacit_put_numbers(out, u->level, TACIT_UNIT_PARTS);
  tacit_put_numbers(out, u->lean, TACIT_UNIT_PARTS);
  tacit_put_count(out, u->leaving);
  tacit_put_number(out, u->most);
}

tacit_status tacit_question_write(const tacit_question *question, const tacit_row_facts *facts,
                                  unsigned char **bytes, size_t *length, tacit_error *error) {
  static const unsigned char NONE[TACIT_HASH] = {0};
  tacit_bytes_out out = {0};
  const tacit_row_image *image = question->image;
  size_t columns = image ? image->columns : facts->columns, cells = facts->targets * facts->columns;
  tacit_put_bytes(&out, tacit_question_magic, sizeof tacit_question_magic);
  tacit_put_count(&out, TACIT_QUESTION_VERSION);
  tacit_put_bytes(&out, facts->schema, TACIT_HASH_TEXT);
  tacit_put_count(&out, facts->columns);
  tacit_put_count(&out, facts->targets);
  tacit_put_count(&out, (uint64_t)facts->cell_bits);
  tacit_put_count(&out, image != NULL);
  tacit_put_bytes(&out, image ? image->hash : NONE, TACIT_HASH);
  put_units(&out, &question->units);
  tacit_put_count(&out, question->kind);
  switch (question->kind) {
  case TACIT_QUESTION_COUNT:
    put_count_question(&out, &question->count, facts->columns, columns);
    break;
  case TACIT_QUESTION_ROWS:
    put_rows_question(&out, &question->rows);
    break;
  case TACIT_QUESTION_SCORES:
    put_scores_question(&out, &question->scores, columns);
    break;
  case TACIT_QUESTION_DECISIONS:
    tacit_put_bytes(&out, question->decisions.region_hash, TACIT_HASH_TEXT);
    tacit_put_numbers(&out, (const double[]){question->decisions.unit, question->decisions.radius}, 2);
    put_vector(&out, question->decisions.rule, facts->targets * columns);
    break;
  case TACIT_QUESTION_COSTS:
  case TACIT_QUESTION_DEARER:
    put_vector(&out, question->costs.coefficients, cells);
    put_vector(&out, question->costs.underage, facts->targets);
    put_vector(&out, question->costs.overage, facts->targets);
    put_vector(&out, question->costs.bound, facts->targets);
    put_vector(&out, question->costs.spread, cells + facts->targets);
    break;
  case TACIT_QUESTION_FEATURES:
    put_features_question(&out, &question->features, columns);
    break;
  case TACIT_QUESTION_RAMPS:
    put_ramps_question(&out, &question->ramps, columns);
    break;
  case TACIT_QUESTION_KINDS:
    break;
  }
  if (out.failed) {
    free(out.bytes);
    return tacit_no_memory(error);
  }
  *bytes = out.bytes;
  *length = out.length;
  return TACIT_OK;
}
