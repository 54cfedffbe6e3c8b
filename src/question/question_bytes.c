/* A question's bytes: written, and read back with every length checked (docs/formats/question.md). */
#include "base/base.h"
#include "question/bytes.h"
#include "question/question.h"
#include "schema/schema.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

static const char MAGIC[8] = {'t', 'a', 'c', 'i', 't', 0, 'q', 'u'};
enum { VERSION = 3, HASH_TEXT = 64 };

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
  tacit_put_bytes(&out, MAGIC, sizeof MAGIC);
  tacit_put_count(&out, VERSION);
  tacit_put_bytes(&out, facts->schema, HASH_TEXT);
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
    tacit_put_bytes(&out, question->decisions.region_hash, HASH_TEXT);
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

/* Numbers as they are read, into one block that is as large as the bytes: it never moves. */
typedef struct reading {
  tacit_bytes_in in;
  double *next;
  tacit_told_question *told;
} reading;

/* Exactly `count` numbers, or, where they may be missing, none. */
static const double *get_vector(reading *r, size_t count, bool needed) {
  uint64_t given = tacit_get_count(&r->in, UINT64_MAX);
  if ((given != count && (needed || given != 0)) || given > r->in.left / sizeof(double)) {
    r->in.failed = true;
    return NULL;
  }
  if (given == 0) return NULL;
  double *here = r->next;
  tacit_get_numbers(&r->in, here, count);
  r->next += count;
  return here;
}

static bool get_count_question(reading *r, tacit_count_question *c) {
  c->value = (tacit_value_kind)tacit_get_count(&r->in, TACIT_VALUE_SIDE);
  c->above = tacit_get_flag(&r->in);
  c->target = (size_t)tacit_get_count(&r->in, TACIT_COLUMNS_MAX);
  c->at = tacit_get_number(&r->in);
  c->centre = tacit_get_number(&r->in);
  c->side = tacit_get_number(&r->in);
  c->unit = tacit_get_number(&r->in);
  /* an image's columns are known when it is found: the length is kept beside the vector until then */
  uint64_t length = tacit_get_count(&r->in, TACIT_COLUMNS_MAX);
  bool needed = c->value == TACIT_VALUE_LENGTH || c->value == TACIT_VALUE_SIDE;
  size_t columns = r->told->facts.columns - (c->value == TACIT_VALUE_LENGTH);
  if (!needed ? length != 0 : (!r->told->has_image && length != columns)) r->in.failed = true;
  if (r->in.failed || length > r->in.left / sizeof(double)) return false;
  r->told->vector_length = (size_t)length;
  c->vector = r->next;
  tacit_get_numbers(&r->in, r->next, (size_t)length);
  r->next += length;
  return true;
}

static bool get_rows_question(reading *r, tacit_rows_question *q, tacit_error *error, tacit_status *status) {
  q->first = (size_t)tacit_get_count(&r->in, TACIT_COLUMNS_MAX);
  q->columns = (size_t)tacit_get_count(&r->in, TACIT_COLUMNS_MAX);
  q->bits = (int)tacit_get_count(&r->in, 60);
  q->moment = tacit_get_flag(&r->in);
  q->stretch = tacit_get_number(&r->in);
  q->clip = tacit_get_number(&r->in);
  q->shift = get_vector(r, q->columns, false);
  q->target_count = (size_t)tacit_get_count(&r->in, TACIT_COLUMNS_MAX);
  if (r->in.failed || q->target_count > r->in.left / (6 * sizeof(double))) return false;
  r->told->targets = tacit_alloc(q->target_count, sizeof *r->told->targets);
  if (!r->told->targets) *status = tacit_no_memory(error);
  for (size_t i = 0; r->told->targets && i < q->target_count; i++) {
    tacit_target_part *t = &r->told->targets[i];
    t->target = (size_t)tacit_get_count(&r->in, TACIT_COLUMNS_MAX);
    t->centre = tacit_get_number(&r->in);
    t->spread = tacit_get_number(&r->in);
    t->cut = tacit_get_number(&r->in);
    t->factor = tacit_get_number(&r->in);
    t->over = tacit_get_number(&r->in);
  }
  q->targets = r->told->targets;
  return true;
}

/* As many slopes as the part has coefficients. */
static bool get_spread(reading *r, tacit_row_spread *s) {
  size_t length = r->told->vector_length;
  s->offset = tacit_get_number(&r->in);
  s->least = tacit_get_number(&r->in);
  s->most = tacit_get_number(&r->in);
  s->times = tacit_get_number(&r->in);
  s->unit = tacit_get_number(&r->in);
  s->weight = tacit_get_number(&r->in);
  s->full = tacit_get_number(&r->in);
  s->skew = tacit_get_number(&r->in);
  if (r->in.failed || length > r->in.left / sizeof(double)) return false;
  s->slopes = r->next;
  tacit_get_numbers(&r->in, r->next, length);
  r->next += length;
  return true;
}

static bool get_scores_question(reading *r, tacit_scores_question *q, tacit_error *error,
                                tacit_status *status) {
  q->scores = tacit_get_flag(&r->in);
  q->sides = tacit_get_flag(&r->in);
  q->span = tacit_get_number(&r->in);
  q->smoothing = tacit_get_number(&r->in);
  q->count = (size_t)tacit_get_count(&r->in, TACIT_COLUMNS_MAX);
  if (r->in.failed || q->count > r->in.left / (8 * sizeof(double))) return false;
  r->told->parts = tacit_alloc(q->count, sizeof *r->told->parts);
  if (!r->told->parts) *status = tacit_no_memory(error);
  for (size_t i = 0; r->told->parts && i < q->count && !r->in.failed; i++) {
    tacit_score_part *p = &r->told->parts[i];
    p->target = (size_t)tacit_get_count(&r->in, TACIT_COLUMNS_MAX);
    p->kernel = (tacit_kernel)tacit_get_count(&r->in, TACIT_KERNELS - 1);
    p->tau = tacit_get_number(&r->in);
    p->bandwidth = tacit_get_number(&r->in);
    p->offset = tacit_get_number(&r->in);
    p->clip_norm = tacit_get_number(&r->in);
    uint64_t length = tacit_get_count(&r->in, TACIT_COLUMNS_MAX);
    if (i == 0) r->told->vector_length = (size_t)length;
    if (r->in.failed || length != r->told->vector_length || length > r->in.left / sizeof(double) ||
        (!r->told->has_image && length != r->told->facts.columns))
      return false;
    p->coefficients = r->next;
    tacit_get_numbers(&r->in, r->next, (size_t)length);
    r->next += length;
    p->form = (tacit_score_form)tacit_get_count(&r->in, TACIT_FORMS - 1);
    if (p->form != TACIT_FORM_LINEAR && !get_spread(r, &p->spread)) return false;
  }
  q->parts = r->told->parts;
  return true;
}

static bool get_decisions_question(reading *r, tacit_decisions_question *q) {
  const unsigned char *hash = tacit_get_bytes(&r->in, HASH_TEXT);
  if (!hash) return false;
  memcpy(q->region_hash, hash, HASH_TEXT);
  q->unit = tacit_get_number(&r->in);
  q->radius = tacit_get_number(&r->in);
  /* an image here has as many columns as the rows */
  r->told->vector_length = r->told->facts.columns;
  q->rule = get_vector(r, r->told->facts.targets * r->told->facts.columns, true);
  return true;
}

static bool get_costs_question(reading *r, tacit_costs_question *q) {
  const tacit_row_facts *facts = &r->told->facts;
  q->coefficients = get_vector(r, facts->targets * facts->columns, true);
  q->underage = get_vector(r, facts->targets, true);
  q->overage = get_vector(r, facts->targets, true);
  q->bound = get_vector(r, facts->targets, true);
  q->spread = get_vector(r, facts->targets * (facts->columns + 1), false);
  return true;
}

static bool get_features_question(reading *r, tacit_features_question *f) {
  f->clip = tacit_get_number(&r->in);
  uint64_t length = tacit_get_count(&r->in, TACIT_COLUMNS_MAX + 1);
  f->scaled = length > 0;
  r->told->vector_length = f->scaled ? (size_t)length - 1 : 0;
  return f->scaled ? get_spread(r, &f->spread) : true;
}

static bool get_ramps_question(reading *r, tacit_ramps_question *q) {
  q->target = (size_t)tacit_get_count(&r->in, TACIT_COLUMNS_MAX);
  q->scores = tacit_get_flag(&r->in);
  q->offset = tacit_get_number(&r->in);
  q->width = tacit_get_number(&r->in);
  q->clip_norm = tacit_get_number(&r->in);
  q->below_width = tacit_get_number(&r->in);
  q->within_width = tacit_get_number(&r->in);
  q->span = tacit_get_number(&r->in);
  uint64_t length = tacit_get_count(&r->in, TACIT_COLUMNS_MAX);
  r->told->vector_length = (size_t)length;
  if (r->in.failed || length > r->in.left / sizeof(double)) return false;
  q->coefficients = r->next;
  tacit_get_numbers(&r->in, r->next, (size_t)length);
  r->next += length;
  return true;
}

static void get_units(reading *r, tacit_unit_parts *u) {
  u->whole = tacit_get_flag(&r->in);
  if (!u->whole) return;
  for (int i = 0; i < TACIT_UNIT_PARTS; i++) u->clip[i] = tacit_get_number(&r->in);
  for (int i = 0; i < TACIT_UNIT_PARTS; i++) u->level[i] = tacit_get_number(&r->in);
  for (int i = 0; i < TACIT_UNIT_PARTS; i++) u->lean[i] = tacit_get_number(&r->in);
  u->leaving = tacit_get_flag(&r->in);
  u->most = tacit_get_number(&r->in);
}

static bool get_head(reading *r) {
  tacit_told_question *told = r->told;
  bool known = tacit_get_same(&r->in, MAGIC, sizeof MAGIC) && tacit_get_count(&r->in, VERSION) == VERSION;
  const unsigned char *schema = tacit_get_bytes(&r->in, HASH_TEXT);
  if (schema) memcpy(told->facts.schema, schema, HASH_TEXT);
  told->facts.columns = (size_t)tacit_get_count(&r->in, TACIT_COLUMNS_MAX);
  told->facts.targets = (size_t)tacit_get_count(&r->in, TACIT_COLUMNS_MAX);
  told->facts.cell_bits = (int)tacit_get_count(&r->in, 20);
  told->has_image = tacit_get_flag(&r->in);
  const unsigned char *image = tacit_get_bytes(&r->in, TACIT_HASH);
  if (image) memcpy(told->image, image, TACIT_HASH);
  unsigned char any = 0;
  for (size_t i = 0; i < TACIT_HASH; i++) any |= told->image[i];
  if (!told->has_image && any) r->in.failed = true;
  get_units(r, &told->question.units);
  told->question.kind = (tacit_question_kind)tacit_get_count(&r->in, TACIT_QUESTION_KINDS - 1);
  return known && !r->in.failed && told->facts.columns > 0 && told->facts.targets > 0;
}

static bool get_question(reading *r, tacit_error *error, tacit_status *status) {
  tacit_question *q = &r->told->question;
  switch (q->kind) {
  case TACIT_QUESTION_COUNT:
    return get_count_question(r, &q->count);
  case TACIT_QUESTION_ROWS:
    return get_rows_question(r, &q->rows, error, status);
  case TACIT_QUESTION_SCORES:
    return get_scores_question(r, &q->scores, error, status);
  case TACIT_QUESTION_DECISIONS:
    return get_decisions_question(r, &q->decisions);
  case TACIT_QUESTION_COSTS:
  case TACIT_QUESTION_DEARER:
    return get_costs_question(r, &q->costs);
  case TACIT_QUESTION_FEATURES:
    return get_features_question(r, &q->features);
  case TACIT_QUESTION_RAMPS:
    return get_ramps_question(r, &q->ramps);
  case TACIT_QUESTION_KINDS:
    break;
  }
  return false;
}

tacit_status tacit_question_read(const unsigned char *bytes, size_t length, tacit_told_question *told,
                                 tacit_error *error) {
  *told = (tacit_told_question){0};
  reading r = {.in = {bytes, length, false}, .told = told};
  tacit_status status = TACIT_OK;
  told->memory = tacit_alloc(length / sizeof(double) + 1, sizeof(double));
  if (!told->memory) return tacit_no_memory(error);
  r.next = told->memory;
  bool good = get_head(&r) && get_question(&r, error, &status) && tacit_get_end(&r.in);
  if (status == TACIT_OK && !good)
    status = tacit_fail(error, TACIT_BAD_INPUT,
                        "the bytes are no question that this version knows; send them as they were written");
  if (status != TACIT_OK) {
    tacit_told_question_close(told);
    return status;
  }
  crypto_hash_sha256(told->hash, bytes, length);
  return TACIT_OK;
}

tacit_status tacit_told_question_see(tacit_told_question *told, const tacit_row_image *image,
                                     tacit_error *error) {
  told->question.image = image;
  if (told->vector_length == image->columns || told->question.kind == TACIT_QUESTION_ROWS ||
      told->question.kind == TACIT_QUESTION_COSTS || told->question.kind == TACIT_QUESTION_DEARER ||
      (told->question.kind == TACIT_QUESTION_COUNT && told->question.count.value != TACIT_VALUE_SIDE) ||
      (told->question.kind == TACIT_QUESTION_FEATURES && !told->question.features.scaled))
    return TACIT_OK;
  return tacit_fail(error, TACIT_BAD_INPUT, "the question is about another image of the rows");
}

void tacit_told_question_close(tacit_told_question *told) {
  free(told->memory);
  free(told->targets);
  free(told->parts);
  *told = (tacit_told_question){0};
}
