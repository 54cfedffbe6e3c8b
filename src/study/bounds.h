/* What the files of bounds share. */
#ifndef TACIT_SRC_BOUNDS_H
#define TACIT_SRC_BOUNDS_H

#include "base/base.h"
#include "loss/kernel.h"

#include <math.h>
#include <tacit/bounds.h>

/* The options with every default in place, and what follows from them. */
typedef struct tacit_bounds_facts {
  tacit_bounds_options o;
  const tacit_kernel_constants *kernel;
  double tau_bar, lipschitz; /* L of the loss in the coefficients */
  bool pair;                 /* the guarantee is (epsilon, delta) */
  double mu;                 /* what it allows a Gaussian release, or 0 */
} tacit_bounds_facts;

void tacit_bounds_add(tacit_bounds *b, const char *name, const char *where, double value, double published);
void tacit_bounds_ask(tacit_bounds *b, const char *text, bool holds);

/* 2 sqrt(a b): the least that a eta + b / eta is, at eta = sqrt(b / a). */
static inline double tacit_least_of(double a, double b) {
  return 2 * sqrt(a * b);
}

tacit_status tacit_bounds_objective(const tacit_bounds_facts *f, tacit_bounds *b,
                                    tacit_error *error) TACIT_CHECKED;
tacit_status tacit_bounds_sgd(const tacit_bounds_facts *f, tacit_bounds *b, tacit_error *error) TACIT_CHECKED;
tacit_status tacit_bounds_gradient(const tacit_bounds_facts *f, tacit_bounds *b,
                                   tacit_error *error) TACIT_CHECKED;
tacit_status tacit_bounds_noisy_gd(const tacit_bounds_facts *f, tacit_bounds *b,
                                   tacit_error *error) TACIT_CHECKED;
tacit_status tacit_bounds_gaussian(const tacit_bounds_facts *f, tacit_bounds *b,
                                   tacit_error *error) TACIT_CHECKED;
tacit_status tacit_bounds_exponential(const tacit_bounds_facts *f, tacit_bounds *b,
                                      tacit_error *error) TACIT_CHECKED;

#endif
