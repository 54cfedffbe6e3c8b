/* A line of Zhao, Zhou and Wang's tables: the paper's figure, Algorithm 1 as run here, and tacit's. */
#ifndef TACIT_SRC_PAPERS_ZHAO_ROW_H
#define TACIT_SRC_PAPERS_ZHAO_ROW_H

#include "study/report.h"

enum { TACIT_STEP_SIZES = 4 }; /* Algorithm 1 is run at the fixed steps 1, 2, 3 and 4 */

/* Figures that a line does not have are NaN. */
typedef struct tacit_zhao_row {
  char setting[48]; /* the law of the errors, or the cost b */
  double quantile;
  double mu; /* NaN: without privacy */
  size_t rows, repetitions;
  double paper, paper_sd;               /* as printed */
  double as_published, as_published_se; /* the paper's method: Algorithm 1 at the best of the fixed steps */
  double best_step;
  double by_step[TACIT_STEP_SIZES], by_step_se[TACIT_STEP_SIZES];
  double line_search, line_search_se; /* reads the private loss: without a guarantee */
  double tacit, tacit_se;             /* the default learner; without privacy, smoothed ERM */
} tacit_zhao_row;

/* Every figure NaN; mu = 0 is without privacy. */
void tacit_zhao_row_init(tacit_zhao_row *row, const char *setting, double quantile, double mu, size_t rows,
                         size_t repetitions);
/* Means and standard errors of values[k], values[stride + k], ... for step k + 1, and the best of them. */
void tacit_zhao_row_steps(tacit_zhao_row *row, const double *values, size_t stride);

/* A report of such lines, and its next line. */
tacit_status tacit_zhao_report(const char *name, tacit_report **report, tacit_error *error) TACIT_CHECKED;
tacit_status tacit_zhao_report_add(tacit_report *report, const tacit_zhao_row *row,
                                   tacit_error *error) TACIT_CHECKED;
/* The same with a bar, a figure to stay below, in the paper's place, and without a line search. */
tacit_status tacit_zhao_bar_report(const char *name, tacit_report **report, tacit_error *error) TACIT_CHECKED;
tacit_status tacit_zhao_bar_report_add(tacit_report *report, const tacit_zhao_row *row, double bar,
                                       tacit_error *error) TACIT_CHECKED;

#endif
