/* Smooth relatives of the check loss that the papers compare with: Horowitz's, the Moreau envelopes, and the
   Gaussian smoothing of ||A theta||_1. */
#ifndef TACIT_SRC_ENVELOPE_H
#define TACIT_SRC_ENVELOPE_H

#include "loss/kernel.h"

/* Horowitz (1998): the indicator 1{u < 0} replaced by Kbar(-u / h). Not convex. */
double tacit_horowitz_loss(tacit_kernel kernel, double tau, double h, double u);

/* Zhao's eq. 4: min over v of rho_tau(v) + (u - v)^2 / (2 gamma), and its derivative. */
double tacit_moreau_loss(double tau, double gamma, double u);
double tacit_moreau_slope(double tau, double gamma, double u);

/* the companion's Table EC.3: min over v of rho_tau(v) + h phi((u - v) / h). beta is phi's smoothness, energy
   is |x|^p / p (1-smooth only for p = 2, whatever the table says). */
typedef enum tacit_phi { TACIT_PHI_ENERGY, TACIT_PHI_L2, TACIT_PHI_HUBER, TACIT_PHI_HELLINGER } tacit_phi;
double tacit_phi_value(tacit_phi phi, double parameter, double x);
double tacit_phi_conjugate(tacit_phi phi, double parameter, double y); /* +inf outside its domain */
/* parameter: beta, or the power p > 1 for energy; Huber and Hellinger need beta > max(tau, 1 - tau),
   else the result is NaN. */
double tacit_general_moreau_loss(tacit_phi phi, double parameter, double tau, double h, double u);
double tacit_general_moreau_slope(tacit_phi phi, double parameter, double tau, double h, double u);

/* the companion's Lemma EC.6: the Gaussian smoothing of ||u||_1 for u in R^m; gradient (m doubles) may be
 * NULL. */
double tacit_l1_smooth(size_t m, const double *u, double h, double *gradient);
/* Its uses in the companion's EC.2.3: ReLU max(0, u), soft threshold (|u| - t)+, and any convex
   piecewise-linear function with slopes[0] left of the first kink and slopes[k] right of kink k - 1 (kinks
   ascending, value 0 at 0 offset given as value_at_first: the function's value at the first kink). h is the
   bandwidth in u's units, as everywhere else; E writes max(0, u) = |u/2| + u/2 and smooths |u/2|, so that its
   h is half of ours. */
double tacit_relu_smooth(double h, double u);
double tacit_soft_threshold_smooth(double threshold, double h, double u);
double tacit_piecewise_smooth(size_t kinks, const double *at, const double *slopes, double value_at_first,
                              double h, double u);

#endif
