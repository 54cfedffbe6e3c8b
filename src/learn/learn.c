/* The door of the room: checks the options once, then hands over to the method. */
#include "learn/learn.h"

#include "learn/knobs.h"
#include "learn/ranks.h"
#include "loss/check.h"
#include "loss/tuning.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tacit/solvers.h>

typedef tacit_status (*learner)(const tacit_schema *, tacit_source *, const tacit_learn_options *,
                                const tacit_context *, tacit_fit *, tacit_error *);

/* What a method's certificate can say. */
typedef enum promise_kind { NOTHING, GAUSSIAN, PAIR } promise_kind;

/* `is` goes into the certificate: "default" is whatever is best at the time. */
static const struct {
  const char *name, *is;
  learner learn;
  promise_kind promise;
  bool solvers; /* needs them: to load them takes longer than many a fit */
  unsigned knobs;
} METHODS[] = {
    {"default", "median-newton", tacit_learn_median_newton, GAUSSIAN, false, 0},
    {"median-newton", "median-newton", tacit_learn_median_newton, GAUSSIAN, false, 0},
    {"noisy-gd", "noisy-gd", tacit_learn_noisy_gd, GAUSSIAN, false,
     TACIT_KNOBS_DESCENT | TACIT_KNOB_PRESET | TACIT_KNOB_GROWTH | TACIT_KNOB_AVERAGE | TACIT_KNOB_START |
         TACIT_KNOB_WHITEN},
    {"gradient", "gradient", tacit_learn_gradient, GAUSSIAN, false,
     TACIT_KNOBS_DESCENT | TACIT_KNOB_THETA_BOUND},
    {"objective", "objective", tacit_learn_objective, PAIR, true,
     TACIT_KNOBS_LOSS | TACIT_KNOB_PRESET | TACIT_KNOB_CLIP_NORM | TACIT_KNOB_LAMBDA |
         TACIT_KNOB_THETA_BOUND},
    {"sgd", "sgd", tacit_learn_sgd, PAIR, false,
     TACIT_KNOBS_DESCENT | TACIT_KNOB_THETA_BOUND | TACIT_KNOB_BATCH | TACIT_KNOB_RATE},
    {"erm", "erm", tacit_learn_baseline, NOTHING, true, TACIT_KNOBS_LOSS},
    {"erm-exact", "erm-exact", tacit_learn_baseline, NOTHING, true, 0},
    {"saa", "saa", tacit_learn_baseline, NOTHING, true, 0},
};
enum { METHOD_COUNT = sizeof METHODS / sizeof *METHODS };

void tacit_learn_options_init(tacit_learn_options *options) {
  *options = (tacit_learn_options){.method = "default", .adjacency = TACIT_REPLACE_ONE};
}

static tacit_status find_method(const char *name, size_t *method, tacit_error *error) {
  for (*method = 0; *method < METHOD_COUNT; ++*method)
    if (!strcmp(name, METHODS[*method].name)) return TACIT_OK;
  return tacit_fail(error, TACIT_USAGE,
                    "no method of this name; there are default (median-newton), noisy-gd, objective, "
                    "gradient, sgd and, without privacy, erm, erm-exact, saa");
}

const char *tacit_learn_method(const char *name) {
  size_t method;
  return find_method(name, &method, NULL) == TACIT_OK ? METHODS[method].is : NULL;
}

bool tacit_learn_gaussian(const char *method) {
  for (size_t i = 0; i < METHOD_COUNT; i++)
    if (!strcmp(method, METHODS[i].name)) return METHODS[i].promise == GAUSSIAN;
  return true;
}

/* mu for a Gaussian method, (epsilon, delta) for another; never both. */
static tacit_status check_guarantee(const tacit_learn_options *options, promise_kind promise,
                                    tacit_error *error) {
  if (promise == GAUSSIAN && (options->epsilon != 0 || options->delta != 0))
    return tacit_fail(
        error, TACIT_USAGE,
        "this method's guarantee is Gaussian: give mu; tacit_gdp_mu turns epsilon and delta into it");
  if (promise == PAIR && options->mu != 0)
    return tacit_fail(
        error, TACIT_USAGE,
        "this method's guarantee is not Gaussian, so no mu describes it: give epsilon and delta");
  if (promise == GAUSSIAN && !(options->mu > 0 && options->mu <= TACIT_MU_MAX))
    return tacit_fail(error, TACIT_USAGE, "mu must be above 0 and at most %g; 0.5 is a reasonable promise",
                      TACIT_MU_MAX);
  if (promise == PAIR && !(options->epsilon > 0 && options->epsilon <= TACIT_EPSILON_MAX))
    return tacit_fail(error, TACIT_USAGE, "epsilon must be above 0 and at most %g", TACIT_EPSILON_MAX);
  if (promise == PAIR && !(options->delta > 0 && options->delta < 1))
    return tacit_fail(
        error, TACIT_USAGE,
        "delta must be above 0 and below 1: Gaussian noise never gives delta = 0, choose one far "
        "below 1/rows, such as 1e-6");
  return TACIT_OK;
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

/* In encoded units both must still be numbers above 0, and what follows from them. */
static tacit_status check_smallest(const tacit_schema *schema, const tacit_learn_options *options,
                                   tacit_error *error) {
  for (size_t t = 0; t < schema->target_count && options->bandwidth != 0; t++) {
    double encoded = options->bandwidth / schema->targets[t].scale.half;
    if (!(encoded >= 1 / TACIT_BANDWIDTH_REACH && encoded <= TACIT_BANDWIDTH_REACH))
      return tacit_fail(
          error, TACIT_USAGE,
          "the bandwidth is too far from the range of target \"%.60s\"; give it in the target's "
          "own units",
          schema->targets[t].name);
  }
  if (options->theta_bound == 0 || options->theta_bound >= TACIT_THETA_BOUND_LEAST) return TACIT_OK;
  return tacit_fail(error, TACIT_USAGE, "the bound of theta must be at least %g", TACIT_THETA_BOUND_LEAST);
}

static tacit_status check_options(const tacit_schema *schema, const tacit_learn_options *options,
                                  promise_kind promise, tacit_error *error) {
  if (options->quantile_count != schema->target_count)
    return tacit_fail(error, TACIT_USAGE, "the schema has %zu targets, but %zu quantiles were given",
                      schema->target_count, options->quantile_count);
  for (size_t t = 0; t < schema->target_count; t++)
    if (!(options->quantiles[t] > 0 && options->quantiles[t] < 1))
      return tacit_fail(error, TACIT_USAGE, "a quantile must be above 0 and below 1");
  TACIT_TRY(check_positive("the step size", options->step_size, error));
  if (options->step_size > TACIT_STEP_SIZE_MAX)
    return tacit_fail(error, TACIT_USAGE, "the step size must be at most %g", TACIT_STEP_SIZE_MAX);
  if (options->nominal_rows > TACIT_ROWS_MAX)
    return tacit_fail(error, TACIT_USAGE, "the nominal rows must be at most %llu",
                      (unsigned long long)TACIT_ROWS_MAX);
  TACIT_TRY(check_positive("the growth", options->growth, error));
  TACIT_TRY(check_positive("the clip norm", options->clip_norm, error));
  TACIT_TRY(check_positive("the bandwidth", options->bandwidth, error));
  TACIT_TRY(check_positive("lambda", options->lambda, error));
  TACIT_TRY(check_positive("the bound of theta", options->theta_bound, error));
  TACIT_TRY(check_smallest(schema, options, error));
  tacit_kernel kernel;
  TACIT_TRY(tacit_learn_kernel(options->kernel, &kernel, error));
  if (promise == NOTHING) return TACIT_OK;
  TACIT_TRY(check_guarantee(options, promise, error));
  if (options->steps > TACIT_STEPS_MAX && promise == GAUSSIAN) /* sgd has its own limit */
    return tacit_fail(error, TACIT_USAGE, "at most %d steps", TACIT_STEPS_MAX);
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
  return tacit_learn_probed(schema, source, options, context, NULL, fit, error);
}

tacit_status tacit_learn_probed(const tacit_schema *schema, tacit_source *source,
                                const tacit_learn_options *options, const tacit_context *context,
                                const tacit_release_probe *probe, tacit_fit **fit, tacit_error *error) {
  *fit = NULL;
  size_t method;
  TACIT_TRY(find_method(options->method, &method, error));
  TACIT_TRY(tacit_knobs_check(METHODS[method].name, METHODS[method].knobs, options, error));
  TACIT_TRY(check_options(schema, options, METHODS[method].promise, error));
  if (METHODS[method].promise != NOTHING)
    TACIT_TRY(
        tacit_source_check_promise(source, schema, options->adjacency == TACIT_ADD_REMOVE, true, error));
  if (METHODS[method].solvers) TACIT_TRY(tacit_load_solvers(error)); /* not after the budget is spent */
  TACIT_TRY(tacit_ranks_check(context ? context->ranks : NULL, schema, source, options->method, error));
  tacit_fit *made = tacit_alloc(1, sizeof *made);
  if (!made) return tacit_no_memory(error);
  made->columns = schema->columns;
  made->targets = schema->target_count;
  made->probe = probe;
  made->coefficients = tacit_alloc(made->targets * made->columns, sizeof(double));
  tacit_status status = made->coefficients
                            ? tacit_certificate_new(METHODS[method].is, &made->certificate, error)
                            : tacit_no_memory(error);
  if (status == TACIT_OK) made->certificate->result_rows = source->rows_are == TACIT_ROW_RESULT;
  if (status == TACIT_OK) made->certificate->engine_rows = source->engine != NULL;
  if (status == TACIT_OK) status = METHODS[method].learn(schema, source, options, context, made, error);
  if (status != TACIT_OK) {
    tacit_fit_free(made);
    return status;
  }
  if (probe) {
    made->certificate->private = false;
    snprintf(made->certificate->reason, sizeof made->certificate->reason,
             "the audit watched or spoiled its releases");
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

const char *tacit_fit_note(const tacit_fit *fit) {
  return fit->note;
}

tacit_fit_counts tacit_fit_count(const tacit_fit *fit) {
  const tacit_read_counts *c = &fit->counts;
  return (tacit_fit_counts){c->records, c->rows, c->dropped_lag, c->dropped_unit};
}
