/* Which learner carries out which method. */
#include "learn/learners.h"
#include "learn/door.h"
#include "method/methods.h"

tacit_learner tacit_learner_of(const tacit_method *method) {
  static const struct {
    const tacit_method *method;
    tacit_learner learner;
  } LEARNERS[] = {
      {&tacit_method_median_newton, tacit_learn_median_newton},
      {&tacit_method_bounded_change, tacit_learn_bounded_change},
      {&tacit_method_location_scale, tacit_learn_location_scale},
      {&tacit_method_noisy_gd, tacit_learn_descent},
      {&tacit_method_gradient, tacit_learn_descent},
      {&tacit_method_objective, tacit_learn_objective},
      {&tacit_method_sgd, tacit_learn_sgd},
      {&tacit_method_bisection, tacit_learn_bisection},
      {&tacit_method_follow, tacit_learn_follow},
      {&tacit_method_erm, tacit_learn_erm},
      {&tacit_method_erm_exact, tacit_learn_erm_exact},
      {&tacit_method_erm_spread, tacit_learn_erm_spread},
      {&tacit_method_saa, tacit_learn_saa},
      {&tacit_method_spo_gaussian, tacit_learn_spo_gaussian},
      {&tacit_method_spo_exponential, tacit_learn_spo_exponential},
      {&tacit_method_spo_least_squares, tacit_learn_spo_least_squares},
      {&tacit_method_spo_plus, tacit_learn_spo_plus},
      {&tacit_method_spo_least_squares_exact, tacit_learn_spo_least_squares_exact},
  };
  for (size_t i = 0; i < sizeof LEARNERS / sizeof *LEARNERS; i++)
    if (LEARNERS[i].method == method) return LEARNERS[i].learner;
  return NULL;
}
