/* From the prices of single problems to what is said of a cell: each case's mean, and a range over the cases.
 */
#include "base/base.h"
#include "study/plan.h"
#include "study/study.h"

#include <math.h>
#include <stdlib.h>

/* A range says nothing once it is too wide, and a table's own quirks are worth more than a narrow one: it is
   held to half and two and a half times the middle, and has at least three points, most of them above, as a
   plan had better err on the dear side. */
static const double LEAST_SHARE = 0.5, MOST_SHARE = 2.5, POINTS = 3, BELOW = 1.0 / 3;

static int ascending(const void *one, const void *two) {
  double a = *(const double *)one, b = *(const double *)two;
  return (a > b) - (a < b);
}

static void set_range(double cheapest, double dearest, tacit_plan_row *row) {
  double middle = row->middle;
  row->low = fmin(fmax(cheapest, LEAST_SHARE * middle), middle);
  row->high = fmax(fmin(dearest, MOST_SHARE * middle), middle);
  double missing = fmax(POINTS - (row->high - row->low), 0);
  row->low -= BELOW * missing;
  row->high += (1 - BELOW) * missing;
}

void tacit_plan_fill(const tacit_planner *p, const tacit_plan_cell *cell, tacit_plan_row *row) {
  enum { K = TACIT_PLAN_CASES };
  double sorted[K], square = 0;
  *row = (tacit_plan_row){.mu = cell->mu, .rows = cell->rows, .simulated = cell->simulated};
  for (size_t k = 0; k < K; k++) {
    tacit_summarise(p->rounds, cell->percent + k, K, &row->percent[k], &row->percent_se[k]);
    sorted[k] = row->percent[k];
    square += row->percent_se[k] * row->percent_se[k];
  }
  qsort(sorted, K, sizeof *sorted, ascending);
  row->middle = sorted[K / 2];
  row->middle_se = 1.25 * sqrt(square) / K; /* a median's is about a quarter more than a mean's */
  set_range(sorted[0], sorted[K - 1], row);
  row->worst_case = row->worst_case_percent = NAN;
  row->rate = tacit_plan_rate((double)p->schema->columns, (double)cell->rows, cell->mu);
}
