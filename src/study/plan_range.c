/* From the prices of single problems to what is said of a cell: each case's mean, and a range over all. */
#include "base/base.h"
#include "study/plan.h"
#include "study/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { K = TACIT_PLAN_CASES };

/* One problem in ten is cheaper than the range and one in ten dearer, unless it were too wide to say
   anything: it is held to a factor of five around the middle; and a table's own quirks are worth three
   points. Both reach further up than down: other laws are dearer than these more often than cheaper, and a
   plan that errs had better err that way. */
static const double TAIL = 0.1, DOWN = 0.5, UP = 2.5, POINTS = 3, BELOW = 1.0 / 3;

static int ascending(const void *one, const void *two) {
  double a = *(const double *)one, b = *(const double *)two;
  return (a > b) - (a < b);
}

static void set_range(const double *sorted, size_t count, tacit_plan_row *row) {
  size_t tail = (size_t)(TAIL * (double)count);
  /* on few rows noise may help against overfitting: that is no price, and counts as none */
  double middle = row->middle = fmax((sorted[(count - 1) / 2] + sorted[count / 2]) / 2, 0);
  row->nine_in_ten = sorted[count - 1 - tail];
  row->low = fmin(fmax(sorted[tail], DOWN * middle), middle);
  row->high = fmax(fmin(row->nine_in_ten, UP * middle), middle);
  double missing = fmax(POINTS - (row->high - row->low), 0);
  row->low -= BELOW * missing;
  row->high += (1 - BELOW) * missing;
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
