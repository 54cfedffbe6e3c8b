/* The standard normal distribution in scalar double precision, accurate in both tails. */
#ifndef TACIT_SRC_NORMAL_H
#define TACIT_SRC_NORMAL_H

double tacit_normal_pdf(double x);
double tacit_normal_cdf(double x);
/* The inverse of tacit_normal_cdf for p in (0, 1), -inf at 0, +inf at 1, NaN elsewhere. */
double tacit_normal_quantile(double p);

#endif
