/* The gradient with what the solver wants beside it; the problem is in objective.h. */
#ifndef TACIT_SRC_OBJECTIVE_GRADIENT_H
#define TACIT_SRC_OBJECTIVE_GRADIENT_H

#include "learn/objective.h"

/* The norm of the gradient at theta, rounded up, with the slack in it; the gradient itself as doubles;
   slopes[i] the second derivative of row i's loss in its margin. sums: threads x columns of scratch, to be
   wiped by the caller like slopes. */
double tacit_perturbed_gradient_slopes(const tacit_perturbed *problem, const tacit_int128 *theta,
                                       double *gradient, double *slopes, tacit_int128 *sums);

#endif
