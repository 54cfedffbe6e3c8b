/* The check loss rho_tau(u) = u (tau - 1{u < 0}) and its smooth relatives. u is demand minus order. */
#ifndef TACIT_SRC_CHECK_H
#define TACIT_SRC_CHECK_H

#include "loss/kernel.h"

double tacit_check_loss(double tau, double u);

/* Convolution smoothing (Zhao's eq. 3, Chen and Chua's eq. 2): value, derivative and second derivative in u
 * at bandwidth h. */
double tacit_smooth_loss(tacit_kernel kernel, double tau, double h, double u);
double tacit_smooth_slope(tacit_kernel kernel, double tau, double h, double u);
double tacit_smooth_curve(tacit_kernel kernel, double tau, double h, double u);

/* Zhao's section 6.1: sqrt(tau (1 - tau)) ((p + ln n) / n)^(2/5), in the units of the encoded target. */
double tacit_default_bandwidth(double tau, double rows, double columns);
/* Zhao's eq. 8: ((p + ln n) / n)^(1/4). */
double tacit_theory_bandwidth(double rows, double columns);

#endif
