/* Any bytes as a policy: refused, or read; and if it verifies, its promise follows from its own mechanisms.
 */
#include "policy/policy.h"
#include "fuzz/target.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void decide(const tacit_policy *policy) {
  size_t columns = tacit_schema_columns(policy->schema), targets = tacit_schema_targets(policy->schema);
  double *x = calloc(columns, sizeof *x);
  MUST(x);
  for (size_t j = 0; j < columns; j++) x[j] = j % 2 ? -1 : 1;
  for (size_t t = 0; t < targets; t++) MUST(!isnan(tacit_policy_decide(policy, t, x)));
  free(x);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  tacit_policy *policy = NULL, *again = NULL;
  tacit_error error = {""};
  if (tacit_policy_parse((const char *)data, size, &policy, &error) != TACIT_OK) {
    MUST(!policy && error.text[0]);
    return 0;
  }
  decide(policy);
  char statement[1024];
  tacit_policy_statement(policy, statement);
  MUST(memchr(statement, 0, sizeof statement));
  tacit_verdict verdict;
  tacit_policy_verify(policy, &verdict);
  MUST(verdict.count <= TACIT_CHECKS_MAX);
  if (verdict.holds) {
    const tacit_certificate *c = policy->certificate;
    MUST(c && c->private && c->noise == TACIT_NOISE_OS);
    for (size_t i = 0; i < c->mechanism_count; i++) {
      double sensitivity;
      MUST(tacit_mechanism_sensitivity(&c->mechanisms[i], c->adjacency, policy->schema->rows_per_unit,
                                       &sensitivity, NULL) == TACIT_OK);
      bool response = c->mechanisms[i].kind == TACIT_RELEASE_SIGN; /* has a chance in place of a scale */
      MUST(sensitivity <= c->mechanisms[i].sensitivity);
      MUST(response ? c->mechanisms[i].level > 0 : c->mechanisms[i].sigma > 0);
    }
    if (c->epsilon > 0) /* a promise that is not Gaussian */
      MUST(tacit_certificate_delta(c, c->epsilon) <= c->delta);
    else
      MUST(tacit_certificate_mu(c) <= c->mu && verdict.mu <= c->mu && c->mu <= TACIT_MU_MAX);
  }
  char *text = tacit_policy_text(policy);
  MUST(text && tacit_policy_parse(text, strlen(text), &again, &error) == TACIT_OK);
  free(text);
  tacit_policy_free(policy);
  tacit_policy_free(again);
  return 0;
}
