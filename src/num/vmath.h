/* Vector exp, Phi and normal density of our own: branch-free loops that the compiler vectorises, built for
   AVX-512, AVX2 and the baseline and chosen at run time. At most 4 ulp from the true value wherever that is a
   normal number, gradual underflow below, and element i depends on element i alone. Privacy depends on
   their error only where a proof says so and counts it (tilted measures: proofs/pld.md). */
#ifndef TACIT_SRC_VMATH_H
#define TACIT_SRC_VMATH_H

#include <stddef.h>

/* out[i] = e^x[i]; exp(-inf) = 0, overflow gives +inf, NaN gives NaN. x and out may be the same array. */
void tacit_vexp(size_t n, const double *x, double *out);
/* out[i] = Phi(x[i]), the standard normal distribution function, accurate in the far lower tail too. */
void tacit_vphi(size_t n, const double *x, double *out);
/* out[i] = Phi'(x[i]), the standard normal density. */
void tacit_vdensity(size_t n, const double *x, double *out);

#endif
