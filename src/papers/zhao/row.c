/* A line of Zhao, Zhou and Wang's tables: the paper's figure, Algorithm 1 as run here, and tacit's. */
#include "papers/zhao/row.h"

#include "study/study.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void tacit_zhao_row_init(tacit_zhao_row *row, const char *setting, double quantile, double mu, size_t rows,
                         size_t repetitions) {
  *row = (tacit_zhao_row){
      .quantile = quantile, .mu = mu > 0 ? mu : NAN, .rows = rows, .repetitions = repetitions};
  snprintf(row->setting, sizeof row->setting, "%s", setting);
  row->paper = row->paper_sd = row->as_published = row->as_published_se = row->best_step = NAN;
  row->line_search = row->line_search_se = row->tacit = row->tacit_se = NAN;
  for (int k = 0; k < TACIT_STEP_SIZES; k++) row->by_step[k] = row->by_step_se[k] = NAN;
}

void tacit_zhao_row_steps(tacit_zhao_row *row, const double *values, size_t stride) {
  int best = 0;
  for (int k = 0; k < TACIT_STEP_SIZES; k++) {
    tacit_summarise(row->repetitions, values + k, stride, &row->by_step[k], &row->by_step_se[k]);
    if (row->by_step[k] < row->by_step[best]) best = k;
  }
  row->as_published = row->by_step[best];
  row->as_published_se = row->by_step_se[best];
  row->best_step = best + 1;
}

/* The last columns of both reports: details. */
#define DETAILS                                                                                              \
  "n", "repetitions", "step1", "step1_se", "step2", "step2_se", "step3", "step3_se", "step4", "step4_se"
enum { DETAIL_COUNT = 2 + 2 * TACIT_STEP_SIZES };
static const char *const COLUMNS[] = {
    "setting",      "quantile",        "mu",        "paper",       "paper_sd",
    "as_published", "as_published_se", "best_step", "line_search", "line_search_se",
    "tacit",        "tacit_se",        DETAILS};
static const char *const BAR_COLUMNS[] = {"setting",         "quantile",  "mu",    "bar",      "as_published",
                                          "as_published_se", "best_step", "tacit", "tacit_se", DETAILS};
enum {
  NUMBERS = sizeof COLUMNS / sizeof *COLUMNS - 1,
  BAR_NUMBERS = sizeof BAR_COLUMNS / sizeof *BAR_COLUMNS - 1
};

static void set_details(const tacit_zhao_row *row, double *details) {
  details[0] = (double)row->rows;
  details[1] = (double)row->repetitions;
  for (int k = 0; k < TACIT_STEP_SIZES; k++) {
    details[2 + 2 * k] = row->by_step[k];
    details[3 + 2 * k] = row->by_step_se[k];
  }
}

tacit_status tacit_zhao_report(const char *name, tacit_report **report, tacit_error *error) {
  TACIT_TRY(tacit_report_new(name, 1, NUMBERS, COLUMNS, report, error));
  (*report)->shown -= DETAIL_COUNT;
  return TACIT_OK;
}

tacit_status tacit_zhao_bar_report(const char *name, tacit_report **report, tacit_error *error) {
  TACIT_TRY(tacit_report_new(name, 1, BAR_NUMBERS, BAR_COLUMNS, report, error));
  (*report)->shown -= DETAIL_COUNT;
  return TACIT_OK;
}

tacit_status tacit_zhao_report_add(tacit_report *report, const tacit_zhao_row *row, tacit_error *error) {
  const char *setting = row->setting;
  double line[NUMBERS] = {row->quantile,  row->mu,           row->paper,
                          row->paper_sd,  row->as_published, row->as_published_se,
                          row->best_step, row->line_search,  row->line_search_se,
                          row->tacit,     row->tacit_se};
  set_details(row, line + NUMBERS - DETAIL_COUNT);
  return tacit_report_add(report, &setting, line, error);
}

tacit_status tacit_zhao_bar_report_add(tacit_report *report, const tacit_zhao_row *row, double bar,
                                       tacit_error *error) {
  const char *setting = row->setting;
  double line[BAR_NUMBERS] = {row->quantile,        row->mu,        bar,        row->as_published,
                              row->as_published_se, row->best_step, row->tacit, row->tacit_se};
  set_details(row, line + BAR_NUMBERS - DETAIL_COUNT);
  return tacit_report_add(report, &setting, line, error);
}
