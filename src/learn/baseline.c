/* The learners without privacy, behind the same door; their certificates say what they are. */
#include "erm/erm.h"

#include "data/read.h"
#include "learn/learn.h"

#include <stdio.h>
#include <string.h>

static tacit_status fit_target(const tacit_schema *schema, const tacit_sample *sample, size_t target,
                               const tacit_learn_options *options, double *coefficients,
                               const tacit_context *context, tacit_error *error) {
  double tau = options->quantiles[target];
  if (!strcmp(options->method, "saa")) return tacit_saa(sample, target, tau, coefficients, error);
  if (!strcmp(options->method, "erm-exact"))
    return tacit_erm_exact(sample, target, tau, coefficients, context, error);
  tacit_kernel kernel;
  TACIT_TRY(tacit_learn_kernel(options->kernel, &kernel, error));
  double h = tacit_learn_bandwidth(schema, target, options, (double)sample->rows);
  return tacit_erm_smooth(sample, target, tau, kernel, h, coefficients, context, error);
}

static tacit_status learn_sample(const tacit_schema *schema, const tacit_sample *sample,
                                 const tacit_learn_options *options, const tacit_context *context,
                                 tacit_fit *fit, tacit_error *error) {
  bool features = strcmp(options->method, "saa") != 0;
  if (features && sample->rows < schema->columns)
    return tacit_fail(error, TACIT_BAD_INPUT,
                      "%zu rows are too few for %zu encoded columns; use more rows or fewer features",
                      sample->rows, schema->columns);
  tacit_certificate *c = fit->certificate;
  c->private = false;
  c->noise = TACIT_NOISE_NONE;
  c->rows = sample->rows;
  c->rows_per_unit = schema->rows_per_unit;
  snprintf(c->reason, sizeof c->reason, "%s computes from the rows without noise", options->method);
  for (size_t t = 0; t < schema->target_count; t++)
    TACIT_TRY(fit_target(schema, sample, t, options, fit->coefficients + t * fit->columns, context, error));
  return TACIT_OK;
}

tacit_status tacit_learn_baseline(const tacit_schema *schema, tacit_source *source,
                                  const tacit_learn_options *options, const tacit_context *context,
                                  tacit_fit *fit, tacit_error *error) {
  tacit_sample *sample = NULL;
  tacit_status status = tacit_read_sample(source, schema, &sample, &fit->counts, context, error);
  if (status == TACIT_OK) status = tacit_read_counts_check(&fit->counts, schema, error);
  if (status == TACIT_OK) status = learn_sample(schema, sample, options, context, fit, error);
  tacit_sample_free(sample);
  return status;
}
