/* The sampled Gaussian mechanism, many times; the functions are public (tacit/privacy.h). */
#ifndef TACIT_SRC_SAMPLED_H
#define TACIT_SRC_SAMPLED_H

#include "base/base.h"
#include "privacy/step_curve.h"

#include <tacit/privacy.h>

/* Ranges of the arguments: less noise promises nothing that a number could say, more needs no accountant. */
#define TACIT_SAMPLED_SIGMA_MIN 0.05
#define TACIT_SAMPLED_SIGMA_MAX 1e7
#define TACIT_SAMPLED_RATE_MIN 1e-9
#define TACIT_SAMPLED_STEPS_MAX UINT64_C(1000000000000)
#define TACIT_SAMPLED_EPSILON_MAX 1e6

/* Are all arguments in their ranges? TACIT_USAGE with a text otherwise. */
tacit_status tacit_sampled_check(const tacit_sampled *sampled, tacit_error *error) TACIT_CHECKED;
/* The pairs whose worst counts: add-remove has two directions, the others are their own mirror image. */
size_t tacit_sampled_directions(const tacit_sampled *sampled);
tacit_step_kind tacit_sampled_direction(const tacit_sampled *sampled, size_t i);

#endif
