/* The sampled Gaussian mechanism, many times; the functions are public (tacit/privacy.h). */
#ifndef TACIT_SRC_SAMPLED_H
#define TACIT_SRC_SAMPLED_H

#include "base/base.h"

#include <tacit/privacy.h>

/* Ranges of the arguments: less noise promises nothing that a number could say, more needs no accountant. */
#define TACIT_SAMPLED_SIGMA_MIN 0.05
#define TACIT_SAMPLED_SIGMA_MAX 1e7
#define TACIT_SAMPLED_RATE_MIN 1e-9
#define TACIT_SAMPLED_STEPS_MAX UINT64_C(1000000000000)
#define TACIT_SAMPLED_EPSILON_MAX 1e6

#endif
