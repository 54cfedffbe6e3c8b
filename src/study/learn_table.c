/* The real learner on columns in memory, and whether what it promises is kept. */
#include "privacy/certificate.h"
#include "study/study.h"

#include <stdio.h>
#include <string.h>
#include <tacit/learn.h>

static tacit_status fit_table(const tacit_study_table *table, double tau, double mu, const uint64_t *seed,
                              tacit_fit **fit, tacit_error *error) {
  tacit_learn_options options;
  tacit_learn_options_init(&options);
  options.method = mu > 0 ? "default" : "erm";
  options.quantiles = &tau;
  options.quantile_count = 1;
  options.mu = mu;
  options.seeded = seed != NULL;
  options.seed = seed ? *seed : 0;
  tacit_context context; /* repetitions run side by side, each on one thread */
  tacit_context_init(&context);
  context.threads = 1;
  tacit_source *source = NULL;
  TACIT_TRY(tacit_source_columns(table->rows, table->columns, table->names, table->values, table->texts,
                                 &source, error));
  tacit_status status = tacit_learn(table->schema, source, &options, &context, fit, error);
  tacit_source_free(source);
  return status;
}

tacit_status tacit_study_learn(const tacit_study_table *table, double tau, double mu, uint64_t seed,
                               double *coefficients, double *beyond, tacit_error *error) {
  tacit_fit *fit = NULL;
  TACIT_TRY(fit_table(table, tau, mu, &seed, &fit, error));
  memcpy(coefficients, tacit_fit_coefficients(fit),
         tacit_schema_columns(table->schema) * sizeof *coefficients);
  if (beyond) *beyond = mu > 0 && !(tacit_certificate_mu(tacit_fit_certificate(fit)) <= mu);
  tacit_fit_free(fit);
  return TACIT_OK;
}

tacit_status tacit_study_verify(const tacit_study_table *table, double tau, double mu,
                                tacit_study_promise *promise, tacit_error *error) {
  tacit_fit *fit = NULL;
  tacit_policy *policy = NULL;
  tacit_verdict verdict;
  const tacit_goal goal = {.quantile = tau};
  TACIT_TRY(fit_table(table, tau, mu, NULL, &fit, error));
  tacit_status status = tacit_policy_new(table->schema, tacit_fit_coefficients(fit),
                                         tacit_fit_certificate(fit), &goal, &policy, error);
  if (status == TACIT_OK) {
    tacit_policy_verify(policy, &verdict);
    promise->policies++;
    promise->verified += verdict.holds && verdict.mu <= mu;
  }
  tacit_policy_free(policy);
  tacit_fit_free(fit);
  return status;
}

void tacit_study_promise_count(tacit_study_promise *promise, size_t count, const double *beyond,
                               size_t stride) {
  promise->fits += count;
  for (size_t i = 0; i < count; i++) promise->beyond += beyond[i * stride] != 0;
}

void tacit_study_promise_note(const tacit_study_promise *promise, char *notes) {
  size_t used = strlen(notes);
  snprintf(notes + used, TACIT_NOTES - used,
           "\npromise: %zu of %zu private fits have a certificate whose guarantee, recomputed, is above mu; "
           "of %zu policies made with the operating system's noise, one for each setting, %zu pass verify.",
           promise->beyond, promise->fits, promise->policies, promise->verified);
}
