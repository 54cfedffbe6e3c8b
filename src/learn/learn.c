/* The door of the room: checks the options once, then hands over to the method. */
#include "learn/learn.h"

#include "learn/ranks.h"
#include "loss/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef tacit_status (*learner)(const tacit_schema *, tacit_source *, const tacit_learn_options *,
                                const tacit_context *, tacit_fit *, tacit_error *);

/* `is` goes into the certificate: "default" is whatever is best at the time. */
static const struct {
  const char *name, *is;
  learner learn;
  bool private;
} METHODS[] = {
    {"default", "median-newton", tacit_learn_median_newton, true},
    {"median-newton", "median-newton", tacit_learn_median_newton, true},
    {"noisy-gd", "noisy-gd", tacit_learn_noisy_gd, true},
    {"erm", "erm", tacit_learn_baseline, false},
    {"erm-exact", "erm-exact", tacit_learn_baseline, false},
    {"saa", "saa", tacit_learn_baseline, false},
};
enum { METHOD_COUNT = sizeof METHODS / sizeof *METHODS, STEPS_MAX = 1000000 };

/* Coefficients then stay far inside the range of numbers, whatever the noise: every fit ends with a policy.
 */
static const double STEP_SIZE_MAX = 1e6;

void tacit_learn_options_init(tacit_learn_options *options) {
  *options = (tacit_learn_options){.method = "default", .adjacency = TACIT_REPLACE_ONE};
}

static tacit_status find_method(const char *name, size_t *method, tacit_error *error) {
  for (*method = 0; *method < METHOD_COUNT; ++*method)
    if (!strcmp(name, METHODS[*method].name)) return TACIT_OK;
  return tacit_fail(error, TACIT_USAGE,
                    "no method of this name; there are default (median-newton), noisy-gd and, without "
                    "privacy, erm, erm-exact, saa");
}

/* An option that was given must be a positive finite number. */
static tacit_status check_positive(const char *name, double value, tacit_error *error) {
  if (value == 0 || (value > 0 && isfinite(value))) return TACIT_OK;
  return tacit_fail(error, TACIT_USAGE, "%s must be above 0 and finite", name);
}

/* A slope in the user's units is an encoded one times half_y / half_x: it must stay a number whatever the
 * noise. */
static tacit_status check_units(const tacit_schema *schema, tacit_error *error) {
  for (size_t t = 0; t < schema->target_count; t++)
    for (size_t f = 0; f < schema->feature_count; f++)
      if (schema->features[f].has_scale &&
          schema->targets[t].scale.half / schema->features[f].scale.half > 1e150)
        return tacit_fail(
            error, TACIT_REFUSED,
            "the ranges of target \"%.60s\" and column \"%.60s\" are too far apart for coefficients in "
            "their units; use other units",
            schema->targets[t].name, schema->features[f].name);
  return TACIT_OK;
}

static tacit_status check_options(const tacit_schema *schema, const tacit_learn_options *options,
                                  bool private, tacit_error *error) {
  if (options->quantile_count != schema->target_count)
    return tacit_fail(error, TACIT_USAGE, "the schema has %zu targets, but %zu quantiles were given",
                      schema->target_count, options->quantile_count);
  for (size_t t = 0; t < schema->target_count; t++)
    if (!(options->quantiles[t] > 0 && options->quantiles[t] < 1))
      return tacit_fail(error, TACIT_USAGE, "a quantile must be above 0 and below 1");
  TACIT_TRY(check_positive("the step size", options->step_size, error));
  if (options->step_size > STEP_SIZE_MAX)
    return tacit_fail(error, TACIT_USAGE, "the step size must be at most %g", STEP_SIZE_MAX);
  if (options->nominal_rows > TACIT_ROWS_MAX)
    return tacit_fail(error, TACIT_USAGE, "the nominal rows must be at most %llu",
                      (unsigned long long)TACIT_ROWS_MAX);
  TACIT_TRY(check_positive("the growth", options->growth, error));
  TACIT_TRY(check_positive("the clip norm", options->clip_norm, error));
  TACIT_TRY(check_positive("the bandwidth", options->bandwidth, error));
  tacit_kernel kernel;
  TACIT_TRY(tacit_learn_kernel(options->kernel, &kernel, error));
  if (!private) return TACIT_OK;
  if (!(options->mu > 0 && options->mu <= TACIT_MU_MAX))
    return tacit_fail(error, TACIT_USAGE, "mu must be above 0 and at most %g; 0.5 is a reasonable promise",
                      TACIT_MU_MAX);
  if (options->steps > STEPS_MAX) return tacit_fail(error, TACIT_USAGE, "at most %d steps", STEPS_MAX);
  TACIT_TRY(check_units(schema, error));
  return tacit_schema_check_promise(schema, options->adjacency == TACIT_ADD_REMOVE, options->nominal_rows,
                                    error);
}

tacit_status tacit_learn_kernel(const char *name, tacit_kernel *kernel, tacit_error *error) {
  *kernel = TACIT_KERNEL_GAUSSIAN;
  if (!name || !*name || tacit_kernel_by_name(name, kernel)) return TACIT_OK;
  return tacit_fail(
      error, TACIT_USAGE,
      "no kernel of this name; there are gaussian, laplacian, logistic, uniform, epanechnikov and "
      "triangular");
}

double tacit_learn_bandwidth(const tacit_schema *schema, size_t target, const tacit_learn_options *options,
                             double rows) {
  if (options->bandwidth > 0) return options->bandwidth / schema->targets[target].scale.half;
  return tacit_default_bandwidth(options->quantiles[target], rows, (double)schema->columns);
}

tacit_status tacit_learn(const tacit_schema *schema, tacit_source *source, const tacit_learn_options *options,
                         const tacit_context *context, tacit_fit **fit, tacit_error *error) {
  *fit = NULL;
  size_t method;
  TACIT_TRY(find_method(options->method, &method, error));
  TACIT_TRY(check_options(schema, options, METHODS[method].private, error));
  TACIT_TRY(tacit_ranks_check(context ? context->ranks : NULL, schema, source, options->method, error));
  tacit_fit *made = tacit_alloc(1, sizeof *made);
  if (!made) return tacit_no_memory(error);
  made->columns = schema->columns;
  made->targets = schema->target_count;
  made->coefficients = tacit_alloc(made->targets * made->columns, sizeof(double));
  tacit_status status = made->coefficients
                            ? tacit_certificate_new(METHODS[method].is, &made->certificate, error)
                            : tacit_no_memory(error);
  if (status == TACIT_OK) status = METHODS[method].learn(schema, source, options, context, made, error);
  if (status != TACIT_OK) {
    tacit_fit_free(made);
    return status;
  }
  *fit = made;
  return TACIT_OK;
}

void tacit_fit_free(tacit_fit *fit) {
  if (!fit) return;
  free(fit->coefficients);
  tacit_certificate_free(fit->certificate);
  free(fit);
}

const double *tacit_fit_coefficients(const tacit_fit *fit) {
  return fit->coefficients;
}

const tacit_certificate *tacit_fit_certificate(const tacit_fit *fit) {
  return fit->certificate;
}

tacit_fit_counts tacit_fit_count(const tacit_fit *fit) {
  const tacit_read_counts *c = &fit->counts;
  return (tacit_fit_counts){c->records, c->rows, c->dropped_lag, c->dropped_unit};
}
