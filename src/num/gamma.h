/* The chi-square distribution, through the regularised incomplete gamma function. */
#ifndef TACIT_SRC_GAMMA_H
#define TACIT_SRC_GAMMA_H

/* P(chi^2 with k degrees of freedom <= x), k > 0; to about 1e-14. */
double tacit_chi_square_cdf(double k, double x);
/* Gamma((k + 1) / 2) / Gamma(k / 2), the mean of a chi with k degrees of freedom over sqrt 2. */
double tacit_gamma_ratio(double k);

#endif
