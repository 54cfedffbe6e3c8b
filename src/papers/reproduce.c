/* The reproductions by name, and their options. */
#include "papers/reproduce.h"

#include "base/base.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef tacit_status (*reproduction)(const tacit_study_options *, const tacit_context *, tacit_study_row **,
                                     size_t *, char *, tacit_error *);

static const struct {
  const char *name, *about;
  reproduction run;
} STUDIES[] = {
    {"zhao-table1", "regrets on synthetic demand (Zhao, Zhou, Wang, Table 1)", tacit_reproduce_zhao_table1},
    {"zhao-table2", "costs of the restaurant's lamb (Table 2); needs --data", tacit_reproduce_zhao_table2},
    {"zhao-figures", "Figures 2 to 9 as CSV and PNG files (--out)", tacit_reproduce_zhao_figures},
    {"default-zhao", "the default learner on Z's data, and where errors depend on a feature",
     tacit_reproduce_default_zhao},
    {"default-restaurant", "the default learner on three dishes; needs --data",
     tacit_reproduce_default_restaurant},
    {"default-chen", "the default learner on Chen and Chua's data", tacit_reproduce_default_chen},
    {"default-stress", "the default learner on ten awkward problems", tacit_reproduce_default_stress},
};
enum { COUNT = sizeof STUDIES / sizeof *STUDIES };

const char *tacit_study_name(size_t index) {
  return index < COUNT ? STUDIES[index].name : NULL;
}

const char *tacit_study_about(size_t index) {
  return index < COUNT ? STUDIES[index].about : NULL;
}

void tacit_study_options_init(tacit_study_options *options) {
  *options = (tacit_study_options){.seed = 1};
}

tacit_status tacit_reproduce(const char *name, const tacit_study_options *options,
                             const tacit_context *context, tacit_study_row **rows, size_t *count, char *notes,
                             tacit_error *error) {
  *rows = NULL;
  *count = 0;
  notes[0] = 0;
  for (size_t i = 0; i < COUNT; i++)
    if (!strcmp(name, STUDIES[i].name)) return STUDIES[i].run(options, context, rows, count, notes, error);
  return tacit_fail(error, TACIT_USAGE,
                    "no study of this name; there are zhao-table1, zhao-table2, zhao-figures, default-zhao, "
                    "default-restaurant, default-chen, default-stress");
}

void tacit_study_row_init(tacit_study_row *row, const char *label, double quantile, double mu, size_t rows,
                          size_t repetitions) {
  *row = (tacit_study_row){.quantile = quantile, .mu = mu, .rows = rows, .repetitions = repetitions};
  snprintf(row->label, sizeof row->label, "%s", label);
  row->paper = row->paper_sd = row->published = row->published_se = row->best_step = NAN;
  row->line_search = row->line_search_se = row->tacit = row->tacit_se = NAN;
  for (int k = 0; k < TACIT_STEP_SIZES; k++) row->by_step[k] = row->by_step_se[k] = NAN;
}

void tacit_study_row_choose_step(tacit_study_row *row) {
  int best = 0;
  for (int k = 1; k < TACIT_STEP_SIZES; k++)
    if (row->by_step[k] < row->by_step[best]) best = k;
  row->published = row->by_step[best];
  row->published_se = row->by_step_se[best];
  row->best_step = best + 1;
}
