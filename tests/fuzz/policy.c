/* Any bytes as a policy: refused, or read; and if it verifies, its promise follows from its own mechanisms,
   and the bytes are those that the program writes for it. */
#include "policy/policy.h"
#include "fuzz/target.h"
#include "policy/sign.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Refused where the predicted costs are too large, or a polytope's numbers too far apart. */
static void decide_over_region(const tacit_policy *policy, const double *x) {
  size_t d = tacit_region_dimension(policy->region);
  double *w = calloc(2 * d + tacit_region_work(policy->region), sizeof *w);
  tacit_error error = {""};
  MUST(w);
  tacit_status status = tacit_spo_decide(policy, x, w + d, w, &error);
  MUST(status == TACIT_OK || error.text[0]);
  for (size_t j = 0; status == TACIT_OK && j < d; j++) MUST(fabs(w[j]) <= policy->region->reach * (1 + 1e-9));
  free(w);
}

static void decide(const tacit_policy *policy) {
  size_t columns = tacit_schema_columns(policy->schema), targets = tacit_schema_targets(policy->schema);
  double *x = calloc(columns, sizeof *x);
  MUST(x);
  for (size_t j = 0; j < columns; j++) x[j] = j % 2 ? -1 : 1;
  for (size_t t = 0; t < targets; t++) MUST(!isnan(tacit_policy_decide(policy, t, x)));
  if (policy->region && targets <= 48) decide_over_region(policy, x);
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
  tacit_status fits = tacit_policy_check_signature(policy, &error);
  MUST(fits == TACIT_OK ? tacit_policy_signer(policy) != NULL : fits == TACIT_CHECK_FAILED && error.text[0]);
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
      MUST(sensitivity <= c->mechanisms[i].sensitivity);
      /* a randomised response has its epsilon in place of a noise */
      MUST(c->mechanisms[i].kind == TACIT_RELEASE_SIGN ? c->mechanisms[i].level > 0
                                                       : c->mechanisms[i].sigma > 0);
    }
    if (c->epsilon > 0) /* a promise that is not Gaussian */
      MUST(tacit_certificate_delta(c, c->epsilon) <= c->delta);
    else
      MUST(tacit_certificate_mu(c) <= c->mu && verdict.mu <= c->mu && c->mu <= TACIT_MU_MAX);
  }
  char *text = tacit_policy_text(policy);
  if (verdict.holds) { /* these bytes and no others, but for a line feed at their end */
    size_t length = text ? strlen(text) : 0;
    MUST(text && size >= length && !memcmp(data, text, length));
    MUST(size == length || (size == length + 1 && data[length] == '\n'));
  }
  MUST(text && tacit_policy_parse(text, strlen(text), &again, &error) == TACIT_OK);
  free(text);
  tacit_policy_free(policy);
  tacit_policy_free(again);
  return 0;
}
