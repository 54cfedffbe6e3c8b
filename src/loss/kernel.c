/* The six smoothing kernels: densities, distribution functions, absolute moments and constants.

   Every kernel is symmetric, so each formula is written for a = |u|: the density, the mass `tail` beyond a,
   and the `excess`, the integral of the tail from a on. The compact kernels use w = (1 - a)+, in which their
   formulas have no cancellation. One element is straight-line code, shared by the scalar functions and the
   vectorised loops. */
#include "loss/kernel.h"

#include "num/clones.h"
#include "num/vmath_core.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Closed forms. With X, Y independent from K, the cross constant is E max(X, Y) / 2. */
static const tacit_kernel_constants FACTS[TACIT_KERNELS] = {
    [TACIT_KERNEL_GAUSSIAN] = {.name = "gaussian",
                               .kappa1 = 0.797884560802865355880, /* sqrt(2 / pi) */
                               .kappa2 = 1,
                               .sup = 0.398942280401432677940,       /* 1 / sqrt(2 pi) */
                               .lower = 0.241970724519143349798,     /* phi(1) */
                               .lipschitz = 0.241970724519143349798, /* |phi'(1)| = phi(1) */
                               .cross = 0.282094791773878143474},    /* 1 / (2 sqrt(pi)) */
    [TACIT_KERNEL_LAPLACIAN] = {.name = "laplacian",
                                .kappa1 = 1,
                                .kappa2 = 2,
                                .sup = 0.5,
                                .lower = 0.183939720585721160798, /* 1 / (2 e) */
                                .lipschitz = 0.5,
                                .cross = 3.0 / 8},
    [TACIT_KERNEL_LOGISTIC] =
        {.name = "logistic",
         .kappa1 = 1.38629436111989061883, /* 2 ln 2 */
         .kappa2 = 3.28986813369645287294, /* pi^2 / 3 */
         .sup = 0.25,
         .lower = 0.196611933241481852537,      /* e / (1 + e)^2 */
         .lipschitz = 0.0962250448649376274290, /* 1 / (6 sqrt(3)), at Kbar = (1 +- 1/sqrt 3) / 2 */
         .cross = 0.5},
    [TACIT_KERNEL_UNIFORM] = {.name = "uniform",
                              .kappa1 = 0.5,
                              .kappa2 = 1.0 / 3,
                              .sup = 0.5,
                              .lower = 0.5,
                              .lipschitz = INFINITY,
                              .cross = 1.0 / 6},
    [TACIT_KERNEL_EPANECHNIKOV] = {.name = "epanechnikov",
                                   .kappa1 = 3.0 / 8,
                                   .kappa2 = 1.0 / 5,
                                   .sup = 0.75,
                                   .lower = 0,
                                   .lipschitz = 1.5,
                                   .cross = 9.0 / 70},
    [TACIT_KERNEL_TRIANGULAR] = {.name = "triangular",
                                 .kappa1 = 1.0 / 3,
                                 .kappa2 = 1.0 / 6,
                                 .sup = 1,
                                 .lower = 0,
                                 .lipschitz = 1,
                                 .cross = 7.0 / 60},
};

const tacit_kernel_constants *tacit_kernel_facts(tacit_kernel kernel) {
  assert(kernel < TACIT_KERNELS);
  return &FACTS[kernel];
}

bool tacit_kernel_by_name(const char *name, tacit_kernel *kernel) {
  for (int k = 0; k < TACIT_KERNELS; k++) {
    if (strcmp(name, FACTS[k].name) != 0) continue;
    *kernel = (tacit_kernel)k;
    return true;
  }
  return false;
}

/* w = (1 - |u|)+ */
TACIT_INLINE double room(double u) {
  return 1.0 - tacit_core_at_most(fabs(u), 1.0);
}

/* 1/2 for |u| <= 1, 0 beyond. The product with 0 keeps a NaN and is 0 otherwise: its factor is bounded. */
TACIT_INLINE double box(double u) {
  double a = tacit_core_at_most(fabs(u), 2.0);
  return 0.5 * tacit_core_step(1.0 - a) + 0.0 * a;
}

TACIT_INLINE double density_at(tacit_kernel kernel, double u) {
  if (kernel == TACIT_KERNEL_GAUSSIAN) return tacit_core_density(u);
  if (kernel == TACIT_KERNEL_LAPLACIAN) return 0.5 * tacit_core_exp(-fabs(u));
  if (kernel == TACIT_KERNEL_LOGISTIC) {
    double e = tacit_core_exp(-fabs(u)), one = 1.0 + e;
    return e / (one * one);
  }
  if (kernel == TACIT_KERNEL_UNIFORM) return box(u);
  double w = room(u);
  return kernel == TACIT_KERNEL_EPANECHNIKOV ? 0.75 * w * (2.0 - w) : w;
}

/* The mass beyond |u|. */
TACIT_INLINE double tail_at(tacit_kernel kernel, double u) {
  if (kernel == TACIT_KERNEL_LAPLACIAN) return 0.5 * tacit_core_exp(-fabs(u));
  if (kernel == TACIT_KERNEL_LOGISTIC) {
    double e = tacit_core_exp(-fabs(u));
    return e / (1.0 + e);
  }
  double w = room(u);
  if (kernel == TACIT_KERNEL_UNIFORM) return 0.5 * w;
  return kernel == TACIT_KERNEL_EPANECHNIKOV ? 0.25 * w * w * (3.0 - w) : 0.5 * w * w;
}

TACIT_INLINE double cdf_at(tacit_kernel kernel, double u) {
  if (kernel == TACIT_KERNEL_GAUSSIAN) return tacit_core_phi(u);
  double upper = tacit_core_step(u);
  return upper + (1.0 - 2.0 * upper) * tail_at(kernel, u);
}

double tacit_kernel_density(tacit_kernel kernel, double u) {
  return density_at(kernel, u);
}

double tacit_kernel_cdf(tacit_kernel kernel, double u) {
  return cdf_at(kernel, u);
}

double tacit_kernel_excess(tacit_kernel kernel, double u) {
  double a = fabs(u), w = room(u);
  switch (kernel) {
  case TACIT_KERNEL_GAUSSIAN: /* phi(a) - a Phi(-a); beyond 39 both are zero and a may be infinite */
    return a > TACIT_CORE_REACH ? 0 : tacit_core_density(a) - a * tacit_core_phi(-a);
  case TACIT_KERNEL_LAPLACIAN:
    return 0.5 * tacit_core_exp(-a);
  case TACIT_KERNEL_LOGISTIC:
    return log1p(tacit_core_exp(-a));
  case TACIT_KERNEL_UNIFORM:
    return 0.25 * w * w;
  case TACIT_KERNEL_EPANECHNIKOV:
    return w * w * w * (4.0 - w) / 16.0;
  case TACIT_KERNEL_TRIANGULAR:
    return w * w * w / 6.0;
  case TACIT_KERNELS:
    break;
  }
  assert(!"a kernel");
  return NAN;
}

double tacit_kernel_absolute(tacit_kernel kernel, double u) {
  return fabs(u) + 2.0 * tacit_kernel_excess(kernel, u);
}

/* The smaller of Kbar and 1 - Kbar is the tail: min(c, 1 - c) = 1/2 - |c - 1/2|. */
TACIT_INLINE double tail_excess(double a, double cdf, double density) {
  double gain = density - tacit_core_at_most(a, TACIT_CORE_REACH) * (0.5 - fabs(cdf - 0.5));
  return 0.5 * (gain + fabs(gain));
}

/* One loop for each kernel, so that each is straight-line code. */
#define LOOPS(element)                                                                                       \
  switch (kernel) {                                                                                          \
    LOOP(element, TACIT_KERNEL_GAUSSIAN)                                                                     \
    LOOP(element, TACIT_KERNEL_LAPLACIAN)                                                                    \
    LOOP(element, TACIT_KERNEL_LOGISTIC)                                                                     \
    LOOP(element, TACIT_KERNEL_UNIFORM)                                                                      \
    LOOP(element, TACIT_KERNEL_EPANECHNIKOV)                                                                 \
    LOOP(element, TACIT_KERNEL_TRIANGULAR)                                                                   \
  case TACIT_KERNELS:                                                                                        \
    assert(!"a kernel");                                                                                     \
  }
#define LOOP(element, which)                                                                                 \
  case which:                                                                                                \
    _Pragma("omp simd") for (size_t i = 0; i < n; i++) out[i] = element(which, u[i]);                        \
    break;

TACIT_CLONES void tacit_kernel_cdf_block(tacit_kernel kernel, size_t n, const double *u,
                                         double *out){LOOPS(cdf_at)}

TACIT_CLONES void tacit_kernel_density_block(tacit_kernel kernel, size_t n, const double *u,
                                             double *out){LOOPS(density_at)}

/* phi(a) - a Phi(-a) from the numbers at hand; the library's logarithm is not for vectors, and stands apart.
 */
#define ALL(which, rest)                                                                                     \
  case which:                                                                                                \
    _Pragma("omp simd") for (size_t i = 0; i < n; i++) {                                                     \
      double a = fabs(u[i]), w = room(u[i]);                                                                 \
      cdf[i] = cdf_at(which, u[i]);                                                                          \
      density[i] = density_at(which, u[i]);                                                                  \
      excess[i] = rest;                                                                                      \
      (void)a, (void)w;                                                                                      \
    }                                                                                                        \
    break;

TACIT_CLONES void tacit_kernel_all_block(tacit_kernel kernel, size_t n, const double *u, double *cdf,
                                         double *density, double *excess) {
  switch (kernel) {
    ALL(TACIT_KERNEL_GAUSSIAN, tail_excess(a, cdf[i], density[i]))
    ALL(TACIT_KERNEL_LAPLACIAN, density[i])
    ALL(TACIT_KERNEL_LOGISTIC, 0)
    ALL(TACIT_KERNEL_UNIFORM, 0.25 * w * w)
    ALL(TACIT_KERNEL_EPANECHNIKOV, w * w * w * (4.0 - w) / 16.0)
    ALL(TACIT_KERNEL_TRIANGULAR, w * w * w / 6.0)
  case TACIT_KERNELS:
    assert(!"a kernel");
  }
  if (kernel != TACIT_KERNEL_LOGISTIC) return;
  for (size_t i = 0; i < n; i++) excess[i] = tacit_kernel_excess(kernel, u[i]);
}
