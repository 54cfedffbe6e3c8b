/* The public choices of noisy gradient descent: recipes of numbers that depend on the schema, the quantile
   and the public number of rows alone. */
#include "learn/noisy_gd.h"

#include "base/base.h"
#include "loss/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The recipe for features on a known scale: shares of the budget that grow, an average over the last
   iterates. Early steps only have to come near; the last ones decide. */
enum { STEPS = 30, AVERAGE = 10 };
static const double GROWTH = 1.15;

/* clip_norm's default: 2 at five columns (Z section 6), and as the norm of a row grows with the columns. */
static double default_clip_norm(size_t columns) {
  return 2 * sqrt((double)columns / 5);
}

static bool is_zhao(const tacit_learn_options *options) {
  return options->preset && !strcmp(options->preset, "zhao");
}

double tacit_noisy_gd_step_size(const tacit_schema *schema, size_t target,
                                const tacit_learn_options *options) {
  if (options->step_size > 0) return options->step_size;
  bool bounded = schema->targets[target].bounded;
  return is_zhao(options) ? tacit_theory_step(options->quantiles[target], bounded)
                          : tacit_default_step(bounded);
}

static tacit_status choose_whitening(tacit_noisy_gd *choice, const tacit_schema *schema, tacit_error *error) {
  choice->whiten = tacit_alloc(schema->columns * schema->columns, sizeof(double));
  if (!choice->whiten) return tacit_no_memory(error);
  return tacit_schema_whitening(schema, choice->whiten, &choice->cell_bits, error);
}

tacit_status tacit_noisy_gd_choose(tacit_noisy_gd *choice, const tacit_schema *schema,
                                   const tacit_learn_options *options, tacit_error *error) {
  *choice = (tacit_noisy_gd){.cell_bits = TACIT_CELL_BITS};
  if (options->preset && *options->preset && !is_zhao(options))
    return tacit_fail(error, TACIT_USAGE, "no preset of this name; there is zhao");
  bool zero = !options->start || !*options->start || !strcmp(options->start, "zero");
  choice->sphere = !zero && !strcmp(options->start, "sphere");
  if (!zero && !choice->sphere) return tacit_fail(error, TACIT_USAGE, "the start is zero or sphere");
  choice->steps = options->steps ? options->steps : STEPS;
  choice->growth = options->growth > 0 ? options->growth : is_zhao(options) ? 1 : GROWTH;
  choice->average = options->average ? options->average : is_zhao(options) ? 1 : AVERAGE;
  choice->clip_norm = options->clip_norm > 0  ? options->clip_norm
                      : schema->clip_norm > 0 ? schema->clip_norm
                                              : default_clip_norm(schema->columns);
  TACIT_TRY(tacit_learn_kernel(options->kernel, &choice->kernel, error));
  return options->whiten ? choose_whitening(choice, schema, error) : TACIT_OK;
}

void tacit_noisy_gd_choose_rows(tacit_noisy_gd *choice, const tacit_schema *schema,
                                const tacit_learn_options *options, double rows) {
  if (is_zhao(options)) { /* Z eq. (8), constants 1 */
    double log_rows = log(fmax(rows, 2));
    if (!options->steps) choice->steps = (size_t)ceil(log_rows);
    if (options->clip_norm == 0 && schema->clip_norm == 0)
      choice->clip_norm = sqrt((double)schema->columns + log_rows);
  }
  if (choice->average > choice->steps) choice->average = choice->steps;
}
