/* What every answer rests on: which questions there are, how long their answers are, and how far one row
 * reaches. */
#include "question/question.h"

#include "base/base.h"
#include "schema/schema.h"

#include <math.h>

enum { PARTS_MAX = TACIT_COLUMNS_MAX };

static size_t columns_of(const tacit_question *q, const tacit_row_facts *facts) {
  return q->image ? q->image->columns : facts->columns;
}

static int bits_of(const tacit_question *q, const tacit_row_facts *facts) {
  return q->image ? q->image->cell_bits : facts->cell_bits;
}

static bool grid_fits(double clip, int bits) {
  if (bits < 0 || bits > 60) return false;
  double radius = tacit_clip_radius(clip, bits);
  return radius >= 1 && radius < TACIT_EXACT;
}

static bool count_holds(const tacit_question *q, const tacit_row_facts *facts) {
  const tacit_count_question *c = &q->count;
  size_t needs = c->value == TACIT_VALUE_LENGTH ? facts->columns - 1
                 : c->value == TACIT_VALUE_SIDE ? columns_of(q, facts)
                                                : 0;
  return c->value <= TACIT_VALUE_SIDE && c->target < facts->targets && (needs == 0 || c->vector) &&
         !(c->value == TACIT_VALUE_LENGTH && q->image);
}

static bool rows_hold(const tacit_question *q, const tacit_row_facts *facts) {
  const tacit_rows_question *r = &q->rows;
  bool good = !q->image && r->first <= facts->columns && r->columns <= facts->columns - r->first &&
              r->target_count <= PARTS_MAX && r->columns + r->target_count > 0 && grid_fits(r->clip, r->bits);
  for (size_t i = 0; i < r->target_count && good; i++) good = r->targets[i].target < facts->targets;
  return good;
}

size_t tacit_score_columns(const tacit_score_part *part, size_t columns) {
  return columns + (part->form == TACIT_FORM_SCALED);
}

/* A spread's exponents keep to what single precision holds with room to spare. */
static bool exponents_hold(const tacit_row_spread *s, size_t columns) {
  enum { EXPONENT = 60 };
  return (s->slopes || columns == 0) && s->least >= -EXPONENT && s->least <= s->most && s->most <= EXPONENT &&
         columns < TACIT_COLUMNS_MAX;
}

static bool spread_holds(const tacit_score_part *p, size_t columns) {
  return p->form == TACIT_FORM_LINEAR ||
         (p->form < TACIT_FORMS && p->kernel == TACIT_KERNEL_GAUSSIAN && exponents_hold(&p->spread, columns));
}

static bool scores_hold(const tacit_question *q, const tacit_row_facts *facts) {
  const tacit_scores_question *s = &q->scores;
  bool good =
      s->count >= 1 && s->count <= PARTS_MAX && (s->count == 1 || !s->sides) && (s->scores || s->sides);
  for (size_t i = 0; i < s->count && good; i++) {
    const tacit_score_part *p = &s->parts[i];
    tacit_score_bound bound;
    good = p->target < facts->targets && (unsigned)p->kernel < TACIT_KERNELS &&
           (p->coefficients || columns_of(q, facts) == 0) && spread_holds(p, columns_of(q, facts)) &&
           (p->form == TACIT_FORM_LINEAR || s->count == 1) &&
           (!s->scores ||
            tacit_score_bound_set(&bound, p->tau, p->clip_norm, bits_of(q, facts), NULL) == TACIT_OK);
  }
  return good;
}

static bool decisions_hold(const tacit_question *q, const tacit_row_facts *facts) {
  const tacit_decisions_question *d = &q->decisions;
  return d->region && d->region->dimension == facts->targets && columns_of(q, facts) <= facts->columns &&
         !(q->image && (q->image->narrow || q->image->columns != facts->columns)) && d->rule &&
         grid_fits(d->radius, bits_of(q, facts) + TACIT_SCORE_BITS);
}

static bool costs_hold(const tacit_question *q) {
  const tacit_costs_question *c = &q->costs;
  return !q->image && c->coefficients && c->underage && c->overage && c->bound;
}

static bool features_hold(const tacit_question *q) {
  const tacit_features_question *f = &q->features;
  return q->image && q->image->narrow && q->image->columns > 0 && grid_fits(f->clip, q->image->cell_bits) &&
         (!f->scaled || exponents_hold(&f->spread, q->image->columns));
}

static bool ramps_hold(const tacit_question *q, const tacit_row_facts *facts) {
  const tacit_ramps_question *r = &q->ramps;
  tacit_ramp_bound bound;
  bool good = q->image && q->image->narrow && r->target < facts->targets &&
              (r->coefficients || q->image->columns == 0) && r->span >= 0 && r->span <= 0x1p10;
  good = good && (!r->scores || (grid_fits(r->clip_norm, q->image->cell_bits) &&
                                 tacit_ramp_bound_set(&bound, r->width, 1, NULL) == TACIT_OK));
  return good && tacit_ramp_bound_set(&bound, r->below_width, 1, NULL) == TACIT_OK &&
         tacit_ramp_bound_set(&bound, r->within_width, 1, NULL) == TACIT_OK;
}

static double row_reach(const tacit_question *question, const tacit_row_facts *facts, size_t k);

double tacit_row_reach(const tacit_question *q, const tacit_row_facts *facts, size_t part) {
  return part == 0 ? row_reach(q, facts, 0) : tacit_count_radius(TACIT_SCORE_BITS);
}

/* How many parts of an answer are clipped by themselves, and the reach of a row in each. */
static size_t unit_parts(const tacit_question *q) {
  return q->kind == TACIT_QUESTION_SCORES ? (q->scores.scores ? 1 : 0) + (q->scores.sides ? 2 : 0) : 1;
}

static size_t first_part(const tacit_question *q) {
  return q->kind == TACIT_QUESTION_SCORES && !q->scores.scores ? 1 : 0;
}

/* A unit's sum must stay exact: rows on a grid that doubles add, and no sum beyond 2^63. */
static bool units_hold(const tacit_question *q, const tacit_row_facts *facts) {
  const tacit_unit_parts *u = &q->units;
  if (!u->whole) return true;
  bool known = u->most >= 0; /* nothing here is a NaN, also what is not read */
  for (int i = 0; i < TACIT_UNIT_PARTS; i++)
    known = known && u->clip[i] >= 0 && u->clip[i] < 0x1p20 && fabs(u->level[i]) <= 1 && u->lean[i] >= 0 &&
            u->lean[i] < 1;
  if (!known) return false;
  if (q->kind > TACIT_QUESTION_SCORES || (q->kind == TACIT_QUESTION_SCORES && q->scores.count != 1))
    return false;
  if (q->kind == TACIT_QUESTION_ROWS &&
      tacit_clip_radius(q->rows.clip, q->rows.bits) > (q->rows.moment ? 0x1p21 : 0x1p26))
    return false;
  if (u->most > 0) return u->most < 0x1p20;
  for (size_t i = first_part(q); i < first_part(q) + unit_parts(q); i++) {
    double reach = tacit_row_reach(q, facts, i), radius = tacit_unit_radius(reach, u->clip[i]);
    bool number = i > 0 || q->kind == TACIT_QUESTION_COUNT;
    if (!(radius >= 1 && radius < TACIT_EXACT && fabs(u->level[i]) <= 1)) return false;
    if (u->lean[i] != 0 && !number) return false;
  }
  return true;
}

static bool holds(const tacit_question *q, const tacit_row_facts *facts) {
  if (facts->columns == 0 || facts->columns > TACIT_COLUMNS_MAX || facts->targets == 0 ||
      facts->targets > TACIT_COLUMNS_MAX || (q->image && q->image->inputs != facts->columns))
    return false;
  switch (q->kind) {
  case TACIT_QUESTION_COUNT:
    return count_holds(q, facts);
  case TACIT_QUESTION_ROWS:
    return rows_hold(q, facts);
  case TACIT_QUESTION_SCORES:
    return scores_hold(q, facts);
  case TACIT_QUESTION_DECISIONS:
    return decisions_hold(q, facts);
  case TACIT_QUESTION_COSTS:
  case TACIT_QUESTION_DEARER:
    return costs_hold(q);
  case TACIT_QUESTION_FEATURES:
    return features_hold(q);
  case TACIT_QUESTION_RAMPS:
    return ramps_hold(q, facts);
  case TACIT_QUESTION_KINDS:
    break;
  }
  return false;
}

tacit_status tacit_question_check(const tacit_question *question, const tacit_row_facts *facts,
                                  tacit_error *error) {
  if (holds(question, facts) && units_hold(question, facts)) return TACIT_OK;
  return tacit_fail(error, TACIT_USAGE, "these rows cannot answer the question: its numbers do not fit them");
}

bool tacit_question_without_targets(const tacit_question *question) {
  return question->kind == TACIT_QUESTION_FEATURES ||
         (question->kind == TACIT_QUESTION_ROWS && question->rows.target_count == 0) ||
         (question->kind == TACIT_QUESTION_COUNT && question->count.value == TACIT_VALUE_LENGTH);
}

size_t tacit_question_width(const tacit_question *question, const tacit_row_facts *facts) {
  const tacit_rows_question *r = &question->rows;
  const tacit_scores_question *s = &question->scores;
  size_t width;
  if (question->units.whole && question->units.most > 0) return unit_parts(question) * TACIT_UNIT_BINS;
  switch (question->kind) {
  case TACIT_QUESTION_ROWS:
    width = r->columns + r->target_count;
    return r->moment ? width * (width + 1) / 2 : width;
  case TACIT_QUESTION_SCORES:
    return (s->scores ? s->count * tacit_score_columns(s->parts, columns_of(question, facts)) : 0) +
           (s->sides ? 2 : 0);
  case TACIT_QUESTION_DECISIONS:
    return facts->targets * columns_of(question, facts);
  case TACIT_QUESTION_COSTS:
  case TACIT_QUESTION_DEARER:
    return facts->targets;
  case TACIT_QUESTION_FEATURES:
    width = columns_of(question, facts) + question->features.scaled;
    return width + width * (width + 1) / 2;
  case TACIT_QUESTION_RAMPS:
    return (question->ramps.scores ? columns_of(question, facts) : 0) + 2;
  case TACIT_QUESTION_COUNT:
  case TACIT_QUESTION_KINDS:
    break;
  }
  return 1;
}

/* Which of a question's parts, as they are clipped by unit, entry k is of. */
static size_t part_of(const tacit_question *q, const tacit_row_facts *facts, size_t k) {
  if (q->kind != TACIT_QUESTION_SCORES || !q->scores.sides) return 0;
  size_t scores = q->scores.scores ? tacit_score_columns(q->scores.parts, columns_of(q, facts)) : 0;
  return k < scores ? 0 : k - scores + 1;
}

double tacit_question_reach(const tacit_question *question, const tacit_row_facts *facts, size_t k) {
  if (!question->units.whole) return row_reach(question, facts, k);
  if (question->units.most > 0) return tacit_count_radius(TACIT_SCORE_BITS);
  size_t part = part_of(question, facts, k);
  double radius = tacit_unit_radius(tacit_row_reach(question, facts, part), question->units.clip[part]);
  if (question->units.lean[part] == 0) return radius;
  const tacit_unit_ends ends =
      tacit_unit_leaning(radius, question->units.lean[part], question->units.leaving);
  return fmax(ends.low, ends.high);
}

static double row_reach(const tacit_question *question, const tacit_row_facts *facts, size_t k) {
  const tacit_rows_question *r = &question->rows;
  const tacit_scores_question *s = &question->scores;
  size_t columns = columns_of(question, facts);
  int bits = bits_of(question, facts);
  tacit_score_bound bound = {0};
  switch (question->kind) {
  case TACIT_QUESTION_ROWS:
    return r->moment ? tacit_moment_radius(r->clip, r->bits) : tacit_clip_radius(r->clip, r->bits);
  case TACIT_QUESTION_SCORES:
    columns = tacit_score_columns(s->parts, columns);
    if (!s->scores || k >= s->count * columns) break;
    const tacit_score_part *part = &s->parts[k / columns];
    if (tacit_score_bound_set(&bound, part->tau, part->clip_norm, bits, NULL) != TACIT_OK) return INFINITY;
    return (double)bound.radius;
  case TACIT_QUESTION_DECISIONS:
    return tacit_clip_radius(question->decisions.radius, bits + TACIT_SCORE_BITS);
  case TACIT_QUESTION_COSTS:
  case TACIT_QUESTION_DEARER:
    return tacit_count_radius(TACIT_COST_BITS);
  case TACIT_QUESTION_FEATURES: /* cells of two bytes, times a weight of at most 1; then times a cell */
    return k < columns + question->features.scaled ? ldexp(1, 15 + TACIT_FEATURE_BITS)
                                                   : ldexp(1, 30 + TACIT_PRODUCT_BITS);
  case TACIT_QUESTION_RAMPS: /* of one row's part, not of how far it moves */
    return question->ramps.scores && k < columns
               ? ldexp(tacit_clip_radius(question->ramps.clip_norm, bits), TACIT_RAMP_BITS - 1)
               : tacit_count_radius(TACIT_RAMP_BITS);
  case TACIT_QUESTION_COUNT:
  case TACIT_QUESTION_KINDS:
    break;
  }
  return tacit_count_radius(TACIT_SCORE_BITS);
}
