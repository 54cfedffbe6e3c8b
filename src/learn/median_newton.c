/* The default learner: scale of the target, centre and whitening of the rows, Newton steps at the median,
   Newton steps at the quantile (median_newton.h has the idea and the symbols).

   Every release is a count, a sum of clipped rows, a moment of clipped rows or a sum of scores times clipped
   rows (proofs/exact-sums.md); everything else is computed from releases and public facts. The shares of mu^2
   are public and sum to one (proofs/default-learner.md). */
#include "learn/median_newton.h"

#include "base/base.h"
#include "learn/ranks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Below this guarantee per row of a unit even a count drowns, and noise would outgrow the grid. */
static const double MU_LEAST = 1e-4;
enum { UNIT_ROWS_MAX = 1 << 12 };

tacit_status tacit_newton_set_white(tacit_newton *newton, tacit_error *error) {
  newton->white = (tacit_row_image){.inputs = newton->rows->facts.columns,
                                    .columns = newton->d,
                                    .cell_bits = TACIT_WHITE_BITS,
                                    .narrow = true,
                                    .matrix = newton->d ? newton->matrix : NULL};
  return tacit_row_image_seal(&newton->white, error);
}

static tacit_status open_newton(tacit_newton *newton, tacit_error *error) {
  size_t d = newton->d;
  newton->mean = tacit_alloc(d, sizeof(double));
  newton->W = tacit_alloc(d * d, sizeof(double));
  newton->moment = tacit_alloc((d + 1) * (d + 2) / 2, sizeof(double));
  newton->x = tacit_alloc(4 * d, sizeof(double));
  newton->matrix = tacit_alloc(d * newton->rows->facts.columns, sizeof(double));
  newton->sum = tacit_alloc(d + 2, sizeof(uint64_t));
  if (!newton->mean || !newton->W || !newton->matrix || !newton->moment || !newton->x || !newton->sum ||
      !tacit_secant_open(&newton->secant, d))
    return tacit_no_memory(error);
  newton->V = newton->x + d;
  newton->u = newton->V + d;
  newton->step = newton->u + d;
  return TACIT_OK;
}

static void close_newton(tacit_newton *newton) {
  if (newton->sum) tacit_free_wiped(newton->sum, (newton->d + 2) * sizeof(uint64_t));
  free(newton->mean);
  free(newton->matrix);
  free(newton->W);
  free(newton->moment);
  free(newton->x);
  tacit_secant_close(&newton->secant);
}

/* Coefficients of the encoded columns: slopes W x, and the intercept that the centring leaves. */
static void set_coefficients(const tacit_newton *newton, double *coefficients) {
  size_t d = newton->d;
  coefficients[0] = newton->a;
  for (size_t j = 0; j < d; j++) {
    double slope = 0;
    for (size_t k = 0; k < d; k++) slope += newton->W[j * d + k] * newton->x[k];
    coefficients[j + 1] = slope;
    coefficients[0] -= slope * newton->mean[j];
  }
}

static tacit_status learn_target(tacit_newton *newton, const tacit_context *context, double *coefficients,
                                 tacit_error *error) {
  TACIT_TRY(open_newton(newton, error));
  TACIT_TRY(tacit_step(context, "learning", 0, error));
  TACIT_TRY(tacit_newton_scale(newton, error));
  if (newton->d) {
    TACIT_TRY(tacit_newton_centre(newton, error));
    TACIT_TRY(tacit_newton_whiten(newton, error));
    TACIT_TRY(tacit_newton_at_median(newton, context, error));
  } else { /* the whitened rows then have no columns, only targets */
    TACIT_TRY(tacit_newton_set_white(newton, error));
  }
  TACIT_TRY(tacit_newton_at_quantile(newton, context, error));
  set_coefficients(newton, coefficients);
  return TACIT_OK;
}

static tacit_status record(const tacit_newton *newton, const tacit_schema *schema,
                           const tacit_learn_options *options, tacit_certificate *c, tacit_error *error) {
  TACIT_TRY(tacit_learn_promise(schema, options, newton->n, c, error));
  TACIT_TRY(tacit_certificate_number(c, "features", (double)newton->d, error));
  TACIT_TRY(tacit_certificate_number(c, "steps", newton->recipe.median_steps, error));
  return tacit_certificate_text(c, "scales", newton->recipe.known ? "known" : "wide", error);
}

static tacit_status learn_targets(const tacit_schema *schema, const tacit_learn_options *options,
                                  const tacit_context *context, tacit_rows *asked, double rows,
                                  tacit_fit *fit, tacit_error *error) {
  tacit_noise_source noise;
  tacit_learn_noise(options, &noise);
  noise.ranks = context ? context->ranks : NULL;
  double mu = options->mu / sqrt((double)schema->target_count), per_row = mu / (double)schema->rows_per_unit;
  if (!(per_row >= MU_LEAST) || schema->rows_per_unit > UNIT_ROWS_MAX)
    return tacit_fail(
        error, TACIT_REFUSED,
        "this guarantee leaves %.2g-GDP for each row of a unit, too little to learn anything; use a "
        "larger mu or fewer rows per unit",
        per_row);
  for (size_t target = 0; target < schema->target_count; target++) {
    tacit_newton newton = {
        .schema = schema,
        .rows = asked,
        .target = target,
        .n = rows,
        .tau = options->quantiles[target],
        .range = fmin(schema->targets[target].scale.limit, TACIT_SCALE_LIMIT),
    };
    newton.budget = (tacit_budget){.gate = {&noise, fit->certificate, fit->probe},
                                   .mu = mu,
                                   .target = target,
                                   .adjacency = options->adjacency,
                                   .rows_per_unit = schema->rows_per_unit};
    tacit_recipe_choose(&newton.recipe, rows, schema->columns - 1, tacit_schema_scales_known(schema),
                        per_row);
    newton.d = newton.recipe.d;
    tacit_status status = TACIT_OK;
    if (target == 0) {
      status = record(&newton, schema, options, fit->certificate, error);
      if (status == TACIT_OK) /* releases are chosen on the way */
        status = tacit_ranks_spend(noise.ranks, schema, options, fit->certificate, NULL, error);
    }
    if (status == TACIT_OK)
      status = learn_target(&newton, context, fit->coefficients + target * fit->columns, error);
    close_newton(&newton);
    TACIT_TRY(status);
  }
  return TACIT_OK;
}

tacit_status tacit_learn_median_newton(const tacit_schema *schema, tacit_source *source,
                                       const tacit_learn_options *options, const tacit_context *context,
                                       tacit_fit *fit, tacit_error *error) {
  tacit_rows asked;
  double rows;
  tacit_status status =
      tacit_rows_open(source, schema, NULL, TACIT_CELL_BITS, context, &asked, &fit->counts, error);
  status = tacit_ranks_agree(context ? context->ranks : NULL, status, &fit->counts, error);
  if (status == TACIT_OK) status = tacit_learn_rows(schema, options, &fit->counts, &rows, error);
  if (status == TACIT_OK) status = learn_targets(schema, options, context, &asked, rows, fit, error);
  tacit_rows_close(&asked);
  return status;
}
