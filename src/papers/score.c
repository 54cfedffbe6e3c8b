/* What the default learner is held to, as a report. */
#include "papers/score.h"

#include <math.h>
#include <stdio.h>

void tacit_score_init(tacit_score *score, double quantile, double mu, size_t rows, size_t repetitions) {
  *score = (tacit_score){.quantile = quantile, .mu = mu, .rows = rows, .repetitions = repetitions};
  score->bar = score->bar_se = score->other = score->other_se = score->tacit = score->tacit_se = NAN;
}

enum { NUMBERS = 10, DETAILS = 2 /* n, repetitions */ };

tacit_status tacit_score_report(const char *name, const char *other, tacit_report **report,
                                tacit_error *error) {
  char other_se[TACIT_REPORT_TEXT];
  snprintf(other_se, sizeof other_se, "%s_se", other);
  const char *const columns[] = {"setting", "quantile", "mu",       "bar", "bar_se",     other,
                                 other_se,  "tacit",    "tacit_se", "n",   "repetitions"};
  TACIT_TRY(tacit_report_new(name, 1, NUMBERS, columns, report, error));
  (*report)->shown -= DETAILS;
  return TACIT_OK;
}

tacit_status tacit_score_report_add(tacit_report *report, const tacit_score *s, tacit_error *error) {
  const char *setting = s->setting;
  const double line[NUMBERS] = {s->quantile, s->mu,    s->bar,      s->bar_se,       s->other,
                                s->other_se, s->tacit, s->tacit_se, (double)s->rows, (double)s->repetitions};
  return tacit_report_add(report, &setting, line, error);
}
