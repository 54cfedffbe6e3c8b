/* The loops over vmath_core.h, one clone per instruction set. `omp simd` says that elements are independent,
   which also holds when x and out are the same array. */
#include "num/vmath.h"

#include "num/clones.h"
#include "num/vmath_core.h"

TACIT_CLONES void tacit_vexp(size_t n, const double *x, double *out) {
#pragma omp simd
  for (size_t i = 0; i < n; i++) out[i] = tacit_core_exp(x[i]);
}

TACIT_CLONES void tacit_vphi(size_t n, const double *x, double *out) {
#pragma omp simd
  for (size_t i = 0; i < n; i++) out[i] = tacit_core_phi(x[i]);
}

TACIT_CLONES void tacit_vdensity(size_t n, const double *x, double *out) {
#pragma omp simd
  for (size_t i = 0; i < n; i++) out[i] = tacit_core_density(x[i]);
}
