/* All methods by name, for the room that has a learner for each. */
#ifndef TACIT_SRC_METHODS_H
#define TACIT_SRC_METHODS_H

#include "method/method.h"

extern const tacit_method tacit_method_median_newton, tacit_method_noisy_gd, tacit_method_gradient,
    tacit_method_objective, tacit_method_sgd, tacit_method_erm, tacit_method_erm_exact, tacit_method_saa,
    tacit_method_spo_gaussian, tacit_method_spo_exponential, tacit_method_spo_least_squares,
    tacit_method_spo_plus, tacit_method_spo_least_squares_exact;

#endif
