/* Sums of vectors that a question says how to make from rows and targets. */
#include "base/base.h"
#include "num/clones.h"
#include "pass/answer.h"
#include "pass/row_sum.h"
#include "schema/tiers.h"

#include <math.h>
#include <string.h>

typedef struct map {
  const tacit_rows_question *question;
  double cell;
  const tacit_target *targets; /* the schema's */
} map;

TACIT_CLONES static void standardise(const tacit_target_part *part, double shift, const int32_t *y,
                                     double *restrict out) {
  double centre = part->centre - shift, spread = part->spread, cut = part->cut, factor = part->factor,
         over = part->over;
  for (size_t i = 0; i < TACIT_ROWS; i++) {
    double standard = (TACIT_TARGET_STEP * y[i] - centre) / spread;
    standard = standard < cut ? standard : cut;
    standard = standard > -cut ? standard : -cut;
    out[i] = standard * factor / over;
  }
}

/* With costs in tiers the mean over y + s_k, no larger than any of them can be. */
static void standardise_tiers(const tacit_target_part *part, const tacit_tiers *tiers, const int32_t *y,
                              double *out) {
  double one[TACIT_ROWS], mean[TACIT_ROWS] = {0};
  for (size_t k = 0; k < tiers->kinks; k++) {
    standardise(part, tiers->shift[k], y, one);
    for (size_t i = 0; i < TACIT_ROWS; i++) mean[i] += ldexp(tiers->weight[k], -TACIT_KINK_BITS) * one[i];
  }
  memcpy(out, mean, sizeof mean);
  tacit_wipe(one, sizeof one);
  tacit_wipe(mean, sizeof mean);
}

/* A tacit_rows_map. */
static void map_rows(const void *self, const tacit_block *block, size_t first, double *out) {
  const map *m = self;
  const tacit_rows_question *q = m->question;
  for (size_t j = 0; j < q->columns; j++)
    tacit_rows_column(block->cells + (q->first + j) * TACIT_BLOCK + first, q->stretch * m->cell,
                      q->shift ? q->shift[j] : 0, out + j * TACIT_ROWS);
  for (size_t k = 0; k < q->target_count; k++) {
    const tacit_target_part *part = &q->targets[k];
    const tacit_tiers *tiers = m->targets[part->target].tiers;
    const int32_t *y = block->targets + part->target * TACIT_BLOCK + first;
    double *column = out + (q->columns + k) * TACIT_ROWS;
    if (tiers)
      standardise_tiers(part, tiers, y, column);
    else
      standardise(part, 0, y, column);
  }
}

/* A tacit_row_map: the same for one row, where the grid is too fine for doubles. */
static void map_row(const void *self, const double *x, const double *y, double *out) {
  const map *m = self;
  const tacit_rows_question *q = m->question;
  for (size_t j = 0; j < q->columns; j++)
    out[j] = q->stretch * x[q->first + j] - (q->shift ? q->shift[j] : 0);
  for (size_t k = 0; k < q->target_count; k++) {
    const tacit_target_part *t = &q->targets[k];
    const tacit_tiers *tiers = m->targets[t->target].tiers;
    double mean = 0;
    for (size_t s = 0; s < (tiers ? tiers->kinks : 1); s++) {
      double standard = (y[t->target] + (tiers ? tiers->shift[s] : 0) - t->centre) / t->spread;
      standard = standard < t->cut ? standard : t->cut;
      standard = standard > -t->cut ? standard : -t->cut;
      mean += standard * (tiers ? ldexp(tiers->weight[s], -TACIT_KINK_BITS) : 1);
    }
    out[q->columns + k] = mean * t->factor / t->over;
  }
}

tacit_status tacit_answer_rows(const tacit_design *design, const tacit_schema *schema,
                               const tacit_question *asked, int threads, uint64_t *answer,
                               tacit_error *error) {
  const tacit_rows_question *question = &asked->rows;
  const size_t width = question->columns + question->target_count;
  const double reach = question->moment ? tacit_moment_radius(question->clip, question->bits)
                                        : tacit_clip_radius(question->clip, question->bits);
  tacit_unit_rule rule = tacit_unit_rule_of(&asked->units, 0, reach);
  rule.side = question->moment ? width : 0;
  const map self = {question, ldexp(1, -design->cell_bits), schema->targets};
  const tacit_row_pass pass = {.map = map_row,
                               .map_rows = map_rows,
                               .self = &self,
                               .width = width,
                               .clip = question->clip,
                               .bits = question->bits,
                               .moment = question->moment,
                               .units = asked->units.whole ? &rule : NULL};
  return tacit_row_sum(design, &pass, threads, answer, error);
}
