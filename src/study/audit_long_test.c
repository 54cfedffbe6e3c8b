/* The audit at the number of runs that the command makes: every learner at three guarantees under both
   adjacencies, and the mildest fault in every method that can have it. */
#include "study/audit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static tacit_audit_result audit(const char *method, const char *plant, double mu, size_t runs,
                                tacit_adjacency adjacency) {
  tacit_audit_options options;
  tacit_audit_result result;
  tacit_error error = {""};
  tacit_audit_options_init(&options);
  options.method = method;
  options.plant = plant;
  options.mu = mu;
  options.runs = runs;
  options.adjacency = adjacency;
  options.seeded = true;
  options.seed = 2;
  if (tacit_audit_learner(&options, NULL, &result, &error) != TACIT_OK) fail_msg("%s", error.text);
  return result;
}

static void no_attack_goes_beyond_a_kept_promise(void **state) {
  (void)state;
  static const double mus[] = {0.3, 1, 3};
  for (size_t i = 0; tacit_audit_method_name(i); i++)
    for (int adjacency = 0; adjacency < (tacit_audit_methods[i].facts ? 1 : 2); adjacency++)
      for (int m = 0; m < 3; m++) { /* facts of the schema may refuse add-remove */
        tacit_audit_result r = audit(tacit_audit_method_name(i), NULL, mus[m], 0, (tacit_adjacency)adjacency);
        print_message("%-14s %-11s mu %-4g at least %-7.4g (coefficients %.4g), %zu runs\n", r.method,
                      adjacency ? "add-remove" : "replace-one", mus[m], r.mu_lower, r.mu_lower_coefficients,
                      r.runs);
        if (r.caught) fail_msg("caught, but there is no fault");
        if (mus[m] == 1 && tacit_audit_methods[i].facts && r.mu_lower < 0.6)
          fail_msg("of a unit's promise only %g is seen", r.mu_lower);
      }
}

/* With 10000 runs median-newton's bound under add-remove ends at 0.99 of the promise, with 30000 at 1.04. Of
   the default's the audit sees less: 1.007 with 40000 runs under replace-one. */
static void the_mildest_fault_is_caught(void **state) {
  (void)state;
  static const char *const methods[] = {"gaussian", "noisy-gd", "median-newton", "spo-gaussian",
                                        "spo-least-squares"};
  static const size_t runs[] = {0, 10000, 40000, 10000, 10000};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
    for (int adjacency = 0; adjacency < 2; adjacency++) {
      tacit_audit_result r = audit(methods[i], "noise-0.8", 1, runs[i], (tacit_adjacency)adjacency);
      print_message("noise-0.8 in %s: at least %.4g where 1 was promised, %zu runs\n", methods[i], r.mu_lower,
                    r.runs);
      assert_true(r.caught);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_attack_goes_beyond_a_kept_promise),
      cmocka_unit_test(the_mildest_fault_is_caught),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
