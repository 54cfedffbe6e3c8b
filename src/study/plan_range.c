/* From the prices of single problems to what is said of a cell: each case's mean, and a range over all. */
#include "base/base.h"
#include "study/plan.h"
#include "study/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { K = TACIT_PLAN_CASES };

/* A range reaches from half of the middle to two and a half times it: a factor of five, since a wider one
   would say nothing; and a table's own quirks are worth three points. Both reach further up than down: other
   laws are dearer than these more often than cheaper, and a plan that errs had better err that way. */
static const double TENTH = 0.1, DOWN = 0.5, UP = 2.5, POINTS = 3, BELOW = 1.0 / 3;

static int ascending(const void *one, const void *two) {
  double a = *(const double *)one, b = *(const double *)two;
  return (a > b) - (a < b);
}

static void set_range(const double *sorted, size_t count, tacit_plan_row *row) {
  double middle = row->middle = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
  row->nine_in_ten = sorted[count - 1 - (size_t)(TENTH * (double)count)];
  double missing = fmax(POINTS - (UP - DOWN) * middle, 0);
  row->low = fmax(DOWN * middle - BELOW * missing, 0); /* no price is below nothing */
  row->high = missing > 0 ? row->low + POINTS : UP * middle;
}

/* A median's standard error, whatever the law: as many problems lie between it and either end as half the
   root of their number. */
static double middle_error(const double *sorted, size_t count) {
  double half = (double)count / 2, reach = sqrt((double)count) / 2;
  return (sorted[(size_t)fmin(ceil(half + reach), (double)(count - 1))] - sorted[(size_t)(half - reach)]) / 2;
}

tacit_status tacit_plan_fill(const tacit_planner *p, const tacit_plan_cell *cell, tacit_plan_row *row,
                             tacit_error *error) {
  size_t count = p->rounds * K;
  double *sorted = tacit_alloc(count, sizeof *sorted);
  if (!sorted) return tacit_no_memory(error);
  *row = (tacit_plan_row){.mu = cell->mu, .rows = cell->rows, .simulated = cell->simulated};
  for (size_t k = 0; k < K; k++)
    tacit_summarise(p->rounds, cell->percent + k, K, &row->percent[k], &row->percent_se[k]);
  memcpy(sorted, cell->percent, count * sizeof *sorted);
  qsort(sorted, count, sizeof *sorted, ascending);
  set_range(sorted, count, row);
  row->middle_se = middle_error(sorted, count);
  free(sorted);
  row->worst_case = row->worst_case_percent = NAN;
  row->rate = tacit_plan_rate((double)p->schema->columns, (double)cell->rows, cell->mu);
  return TACIT_OK;
}
