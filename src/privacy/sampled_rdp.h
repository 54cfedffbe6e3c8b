/* Renyi divergences of one step of a sampled Gaussian, from above. */
#ifndef TACIT_SRC_SAMPLED_RDP_H
#define TACIT_SRC_SAMPLED_RDP_H

#include "privacy/step_curve.h"

/* An upper bound on the divergence of order alpha > 1 of P from Q, tight to about 1e-9 of itself for Poisson
   sampling and 1e-3 for fixed-size sampling (proofs/sampled-gaussian.md). */
double tacit_step_rdp(const tacit_step_curve *curve, double alpha);

#endif
