/* What the default learner is held to on a problem: a bar, something to compare with, and its own figure. */
#ifndef TACIT_SRC_PAPERS_SCORE_H
#define TACIT_SRC_PAPERS_SCORE_H

#include "study/report.h"

/* Figures that there are none of are NaN. */
typedef struct tacit_score {
  char setting[48];
  double quantile, mu;
  size_t rows, repetitions;
  double bar, bar_se;     /* to stay below; the standard error that it has within it */
  double other, other_se; /* of what stands beside it, which the report's column names */
  double tacit, tacit_se;
} tacit_score;

/* Every figure NaN. */
void tacit_score_init(tacit_score *score, double quantile, double mu, size_t rows, size_t repetitions);
/* A report of scores, with the column `other`; and its next line. */
tacit_status tacit_score_report(const char *name, const char *other, tacit_report **report,
                                tacit_error *error) TACIT_CHECKED;
tacit_status tacit_score_report_add(tacit_report *report, const tacit_score *score,
                                    tacit_error *error) TACIT_CHECKED;

#endif
