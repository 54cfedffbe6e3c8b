/* A certificate of objective perturbation that is consistent in itself, but beyond the limits within which
   the arithmetic is exact and the curves are computed, does not verify: fit refuses it too. */
#include "method/objective.h"
#include "policy/rebuilt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* last: it needs the others */
#include <cmocka.h>

/* What is changed in an honest certificate; 0: as it is. */
typedef struct forgery {
  double lambda, rows, epsilon, delta;
} forgery;

/* Whether the kept policy verifies with its two releases rebuilt by the method's own rules. */
static bool verifies(const forgery *f) {
  tacit_policy *policy, *again;
  tacit_error error;
  tacit_objective_noise noise;
  tacit_verdict verdict;
  if (tacit_policy_read(TACIT_TEST_FILES "/../kept/private/objective.json", &policy, &error) != TACIT_OK)
    fail_msg("%s", error.text);
  tacit_certificate *c = policy->certificate;
  if (f->rows > 0) c->rows = (size_t)f->rows;
  if (f->epsilon > 0) c->epsilon = f->epsilon;
  if (f->delta > 0) c->delta = f->delta;
  double lambda = tacit_objective_few_digits(f->lambda > 0 ? f->lambda : c->mechanisms[0].lambda);
  tacit_rebuilt rebuilt;
  tacit_rebuild(policy, &rebuilt);
  double bandwidth = rebuilt.choice.bandwidth[0];
  tacit_objective_facts facts =
      tacit_objective_facts_of(&rebuilt.facts, &rebuilt.choice, 0, rebuilt.choice.theta_bound);
  tacit_rebuilt_free(&rebuilt);
  assert_int_equal(tacit_objective_noise_find(&facts, lambda, bandwidth, &noise, &error), TACIT_OK);
  assert_int_equal(tacit_objective_releases(&facts, 0, lambda, bandwidth, &noise, c->mechanisms, &error),
                   TACIT_OK);
  char *text = tacit_policy_text(policy);
  assert_non_null(text);
  assert_int_equal(tacit_policy_parse(text, strlen(text), &again, &error), TACIT_OK);
  tacit_policy_verify(again, &verdict);
  tacit_free(text);
  tacit_policy_free(again);
  tacit_policy_free(policy);
  return verdict.holds;
}

static void what_fit_refuses_does_not_verify(void **state) {
  (void)state;
  assert_true(verifies(&(forgery){0})); /* rebuilding alone changes nothing */
  assert_true(verifies(&(forgery){.lambda = 0x1p24}));
  static const forgery BEYOND[] = {{.lambda = 0x1p26},
                                   {.lambda = 1e12},
                                   {.lambda = 1e15},
                                   {.lambda = 0x1p24, .rows = 1e12},
                                   {.lambda = 0x1p24, .epsilon = 101}};
  for (size_t i = 0; i < sizeof BEYOND / sizeof *BEYOND; i++)
    if (verifies(&BEYOND[i])) fail_msg("forgery %zu verifies", i);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_fit_refuses_does_not_verify)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
