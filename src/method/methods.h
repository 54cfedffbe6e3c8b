/* All methods by name, for the room that has a learner for each. */
#ifndef TACIT_SRC_METHODS_H
#define TACIT_SRC_METHODS_H

#include "method/method.h"

extern const tacit_method tacit_method_median_newton;
extern const tacit_method tacit_method_bounded_change;
extern const tacit_method tacit_method_location_scale;
extern const tacit_method tacit_method_noisy_gd;
extern const tacit_method tacit_method_gradient;
extern const tacit_method tacit_method_objective;
extern const tacit_method tacit_method_sgd;
extern const tacit_method tacit_method_bisection;
extern const tacit_method tacit_method_follow;
extern const tacit_method tacit_method_erm;
extern const tacit_method tacit_method_erm_exact;
extern const tacit_method tacit_method_erm_spread;
extern const tacit_method tacit_method_saa;
extern const tacit_method tacit_method_spo_gaussian;
extern const tacit_method tacit_method_spo_exponential;
extern const tacit_method tacit_method_spo_least_squares;
extern const tacit_method tacit_method_spo_plus;
extern const tacit_method tacit_method_spo_least_squares_exact;

#endif
