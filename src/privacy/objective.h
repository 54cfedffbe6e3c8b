/* The privacy curve of objective perturbation in its own two numbers; the functions for users are public
   (tacit/privacy.h, proofs/objective-perturbation.md). */
#ifndef TACIT_SRC_OBJECTIVE_H
#define TACIT_SRC_OBJECTIVE_H

#include "privacy/gdp.h"

/* E (1 - e^(t - m|N| - m^2/2))_+ for a standard normal N, rounded up: delta(epsilon) at t = epsilon - c,
   where c = ln(1 + smoothness/lambda) bounds the determinants' ratio and m is the reach of the scores in
   units of the noise. t may have any sign; m > 0. */
double tacit_half_normal_delta(double m, double t);

/* The same with |N| replaced by the length of a two-dimensional normal vector: the looser curve, for
   comparison. */
double tacit_chi2_delta(double m, double t);

/* ln(1 + smoothness / lambda), rounded up: the determinants' ratio. */
double tacit_objective_determinant(double smoothness, double lambda);

/* The slope that a kernel's smoothed score, as the learner's table has it, never exceeds, per bandwidth:
   sup K + 2^-20. 0 for a name that is no kernel. */
double tacit_objective_steepest(const char *kernel);

/* The gradient's norm below which the learner's arithmetic can certify nothing: the rounding of scores, of
   the linear term's grid 2^-bits and of lambda theta (proofs/objective-perturbation.md, "What gamma covers").
   Under add-remove the number of rows is private, and the largest there may be counts. */
double tacit_objective_gamma_least(tacit_adjacency adjacency, double rows, double columns, double clip,
                                   int bits);

#endif
