/* The beta distribution, and the exact confidence limits of a proportion that it gives. */
#ifndef TACIT_SRC_BETA_H
#define TACIT_SRC_BETA_H

/* The regularised incomplete beta function I_x(a, b), a, b > 0, x in [0, 1]; to about 1e-12. */
double tacit_beta_cdf(double a, double b, double x);
/* Clopper and Pearson: k successes in n tries leave the chance of success below (above) these with
   probability at most alpha. 0 for k = 0, 1 for k = n. Rounded outward by more than their error. */
double tacit_chance_lower(double k, double n, double alpha);
double tacit_chance_upper(double k, double n, double alpha);

#endif
