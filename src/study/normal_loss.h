/* The expected check loss of a normal variable, in closed form. */
#ifndef TACIT_SRC_NORMAL_LOSS_H
#define TACIT_SRC_NORMAL_LOSS_H

#include "num/normal.h"

/* E rho_tau(U) = tau E U + E max(-U, 0) for U ~ N(mean, sd^2), sd > 0. */
static inline double tacit_normal_loss(double tau, double mean, double sd) {
  return tau * mean + sd * tacit_normal_pdf(mean / sd) - mean * tacit_normal_cdf(-mean / sd);
}

#endif
