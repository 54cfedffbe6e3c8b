/* The reproductions by name, and their options. */
#include "papers/reproduce.h"

#include "base/base.h"
#include "study/chen_problem.h"

#include <string.h>

static const struct {
  const char *name, *about;
  tacit_reproduction *run;
} REPRODUCTIONS[] = {
    {"zhao-table1", "regrets on synthetic demand (Zhao, Zhou, Wang, Table 1)", tacit_reproduce_zhao_table1},
    {"zhao-table2", "costs of the restaurant's lamb (Table 2); needs --data", tacit_reproduce_zhao_table2},
    {"zhao-updates", "Table 1 with eq. (6) and with a start on the sphere", tacit_reproduce_zhao_updates},
    {"zhao-figures", "Figures 2 to 9 as CSV and PNG files (--out)", tacit_reproduce_zhao_figures},
    {"default-zhao",
     "the default learner on Zhao, Zhou and Wang's data, and where errors depend on a feature",
     tacit_reproduce_default_zhao},
    {"default-restaurant", "the default learner on three dishes; needs --data",
     tacit_reproduce_default_restaurant},
    {"default-chen", "the default learner on Chen and Chua's data", tacit_reproduce_default_chen},
    {"default-stress", "the default learner on ten awkward problems", tacit_reproduce_default_stress},
    {"sold-out", "the default learner on sales, told which days sold out, and not told",
     tacit_reproduce_sold_out},
    {"chen-risk", "excess risks of seven methods (Chen, Chua, Figs 4, 6, 8, 11)", tacit_reproduce_chen_risk},
    {"chen-error", "estimation errors of the same (Figs 5, 7, 9, 10, 12)", tacit_reproduce_chen_error},
    {"chen-time", "seconds of the seven methods (Table 2)", tacit_reproduce_chen_time},
    {"chen-noise", "noise under three accountants (the companion, Fig. EC.2)", tacit_reproduce_chen_noise},
    {"chen-smoothing", "smoothed losses (Figs 1 to 3, EC.3, EC.4)", tacit_reproduce_chen_smoothing},
    {"chen-products", "several products from one table (the companion, Prop. 1)",
     tacit_reproduce_chen_products},
    {"chen-batch", "how the batch must grow with n (Zhao, Zhou, Wang, section 7)",
     tacit_reproduce_chen_batch},
    {"chen-output", "perturbing the order itself (the companion, Prop. EC.1)", tacit_reproduce_chen_output},
    {"chen-discrete", "demand that is all but discrete (the companion, EC.2.4)",
     tacit_reproduce_chen_discrete},
    {"chen-tiers", "costs in tiers under the promise of the plain problem (section 6)",
     tacit_reproduce_chen_tiers},
    {"spo-shortest-path", "decisions on a grid (Elmachtoub, Grigas), without and with privacy",
     tacit_reproduce_shortest_path},
    {"spo-smoothing", "smoothed SPO+ and the exact minimiser (Wang, Qin, section 3.2)",
     tacit_reproduce_spo_smoothing},
    {"spo-smoothing-private", "the same under privacy, on problems drawn anew", tacit_reproduce_spo_blind},
    {"wang-table1", "private decisions as published and as they should be (Wang, Qin, Table 1)",
     tacit_reproduce_wang_table1},
    {"wang-figure3", "private decisions against the number of rows (Fig. 3)", tacit_reproduce_wang_figure3},
    {"wang-spo-vs-spoplus", "where section 6 errs: SPO and SPO+ at E[c|x]", tacit_reproduce_wang_losses},
};
enum { COUNT = sizeof REPRODUCTIONS / sizeof *REPRODUCTIONS };

const char *tacit_reproduction_name(size_t index) {
  return index < COUNT ? REPRODUCTIONS[index].name : NULL;
}

const char *tacit_reproduction_about(size_t index) {
  return index < COUNT ? REPRODUCTIONS[index].about : NULL;
}

void tacit_reproduce_options_init(tacit_reproduce_options *options) {
  *options = (tacit_reproduce_options){.seed = 1};
}

enum { ROWS_LEAST = 16, ROWS_MOST = 100000 };

static tacit_status check(const tacit_reproduce_options *o, tacit_error *error) {
  if (o->columns != 0 && o->columns != 3 && o->columns != TACIT_CHEN_WIDE)
    return tacit_fail(error, TACIT_USAGE, "--columns must be 3 or 51, the two sizes of the papers' problems");
  if (!(o->delta >= 0 && o->delta < 1)) return tacit_fail(error, TACIT_USAGE, "--delta must be in (0, 1)");
  for (size_t i = 0; o->epsilons && i < o->epsilon_count; i++)
    if (!(o->epsilons[i] > 0 && o->epsilons[i] <= 100))
      return tacit_fail(error, TACIT_USAGE, "--epsilon must be above 0 and at most 100");
  for (size_t i = 0; o->rows && i < o->row_count; i++)
    if (o->rows[i] < ROWS_LEAST || o->rows[i] > ROWS_MOST)
      return tacit_fail(error, TACIT_USAGE,
                        "--rows must be between %d and %d: SGP takes as many steps as its square", ROWS_LEAST,
                        ROWS_MOST);
  return TACIT_OK;
}

tacit_status tacit_reproduce_needs_data(const tacit_reproduce_options *options, tacit_error *error) {
  if (options->data) return TACIT_OK;
  return tacit_fail(error, TACIT_BAD_INPUT,
                    "this study needs the restaurant data: take yaz_data.csv and yaz_target.csv from the "
                    "Python package ddop (pip download ddop) and name their folder with --data");
}

tacit_status tacit_reproduce(const char *name, const tacit_reproduce_options *options,
                             const tacit_context *context, tacit_report **report, tacit_error *error) {
  *report = NULL;
  TACIT_TRY(check(options, error));
  for (size_t i = 0; i < COUNT; i++) {
    if (strcmp(name, REPRODUCTIONS[i].name) != 0) continue;
    tacit_status status = REPRODUCTIONS[i].run(options, context, report, error);
    if (status == TACIT_OK) return TACIT_OK;
    tacit_report_free(*report);
    *report = NULL;
    return status;
  }
  return tacit_fail(error, TACIT_USAGE, "no study of this name; see tacit reproduce --help");
}
