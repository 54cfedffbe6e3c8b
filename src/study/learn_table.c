/* The real learner on columns in memory. */
#include "base/base.h"
#include "method/methods.h"
#include "privacy/certificate.h"
#include "schema/schema.h"
#include "study/study.h"

#include <string.h>

/* By the method that the options name. */
static tacit_status learn(const tacit_study_table *table, double tau, tacit_learn_options *options,
                          tacit_fit **fit, tacit_error *error) {
  options->quantiles = &tau;
  options->quantile_count = 1;
  tacit_context context; /* repetitions run side by side, each on one thread */
  tacit_context_init(&context);
  context.threads = 1;
  tacit_source *source = NULL;
  TACIT_TRY(tacit_source_columns(table->rows, table->columns, table->names, table->values, table->texts,
                                 &source, error));
  tacit_status status = tacit_learn(table->schema, source, options, &context, fit, error);
  tacit_source_free(source);
  options->quantiles = NULL;
  return status;
}

tacit_status tacit_study_fit(const tacit_study_table *table, double tau, double mu, const uint64_t *seed,
                             tacit_fit **fit, tacit_error *error) {
  tacit_learn_options options;
  tacit_learn_options_init(&options);
  options.method = mu > 0 ? "default" : tacit_method_erm.name;
  options.mu = mu;
  options.seeded = seed != NULL;
  options.seed = seed ? *seed : 0;
  return learn(table, tau, &options, fit, error);
}

tacit_status tacit_study_exact(const tacit_study_table *table, double tau, tacit_fit **fit,
                               tacit_error *error) {
  tacit_learn_options options;
  tacit_learn_options_init(&options);
  options.method = tacit_method_erm_exact.name;
  return learn(table, tau, &options, fit, error);
}

tacit_rule tacit_study_rule(const tacit_study_table *table, const tacit_fit *fit) {
  return tacit_fit_rule(fit, 0, tacit_scale_reach(&table->schema->targets[0].scale));
}

double tacit_study_beyond(const tacit_fit *fit, double mu) {
  return mu > 0 && !(tacit_certificate_mu(tacit_fit_certificate(fit)) <= mu);
}

tacit_status tacit_study_learn(const tacit_study_table *table, double tau, double mu, uint64_t seed,
                               double *coefficients, double *beyond, tacit_error *error) {
  tacit_fit *fit = NULL;
  TACIT_TRY(tacit_study_fit(table, tau, mu, &seed, &fit, error));
  const tacit_rule rule = tacit_study_rule(table, fit);
  if (!tacit_rule_is_linear(&rule)) {
    tacit_fit_free(fit);
    return tacit_fail(error, TACIT_INTERNAL, "this study reads linear rules; learn without a spread for it");
  }
  memcpy(coefficients, rule.coefficients, rule.columns * sizeof *coefficients);
  if (beyond) *beyond = tacit_study_beyond(fit, mu);
  tacit_fit_free(fit);
  return TACIT_OK;
}
