/* Whether what the default learner promises in a study is kept. */
#include "papers/promise.h"

tacit_status tacit_study_verify(const tacit_study_table *table, double tau, double mu,
                                tacit_study_promise *promise, tacit_error *error) {
  tacit_fit *fit = NULL;
  tacit_policy *policy = NULL;
  tacit_verdict verdict;
  const tacit_goal goal = {.quantile = tau};
  TACIT_TRY(tacit_study_fit(table, tau, mu, NULL, &fit, error));
  tacit_status status = tacit_policy_from_fit(table->schema, NULL, fit, &goal, &policy, error);
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

void tacit_study_promise_note(const tacit_study_promise *promise, tacit_report *report) {
  tacit_report_note(
      report,
      "\npromise: %zu of %zu private fits have a certificate whose guarantee, recomputed, is above mu; "
      "of %zu policies made with the operating system's noise, one for each setting, %zu pass verify.",
      promise->beyond, promise->fits, promise->policies, promise->verified);
}
