/* The six smoothing kernels with every constant the papers use (Zhao's section 3.2, Chen and Chua's Table 1,
   the companion's EC.2 and Lemma EC.11). */
#ifndef TACIT_SRC_KERNEL_H
#define TACIT_SRC_KERNEL_H

#include <stdbool.h>
#include <stddef.h>

typedef enum tacit_kernel {
  TACIT_KERNEL_GAUSSIAN,
  TACIT_KERNEL_LAPLACIAN,
  TACIT_KERNEL_LOGISTIC,
  TACIT_KERNEL_UNIFORM,
  TACIT_KERNEL_EPANECHNIKOV,
  TACIT_KERNEL_TRIANGULAR,
  TACIT_KERNELS
} tacit_kernel;

typedef struct tacit_kernel_constants {
  const char *name;
  double kappa1;    /* integral of |u| K(u) */
  double kappa2;    /* integral of u^2 K(u) */
  double sup;       /* sup K */
  double lower;     /* kappa_l = min of K over |u| <= 1 */
  double lipschitz; /* K's Lipschitz constant; +inf for the uniform kernel */
  double cross;     /* integral of u K(u) Kbar(u) du (the companion's Lemma EC.11) */
} tacit_kernel_constants;

const tacit_kernel_constants *tacit_kernel_facts(tacit_kernel kernel);
bool tacit_kernel_by_name(const char *name, tacit_kernel *kernel);

double tacit_kernel_density(tacit_kernel kernel, double u);  /* K(u) */
double tacit_kernel_cdf(tacit_kernel kernel, double u);      /* Kbar(u) */
double tacit_kernel_absolute(tacit_kernel kernel, double u); /* integral of |u + v| K(v) dv */
/* (tacit_kernel_absolute(u) - |u|) / 2 without its cancellation: the integral of 1 - Kbar from |u| on, never
   below 0, kappa1 / 2 at its largest. */
double tacit_kernel_excess(tacit_kernel kernel, double u);

/* Whole blocks, for the inner loops: in and out may be the same array. Element i depends on element i
   alone. */
void tacit_kernel_cdf_block(tacit_kernel kernel, size_t n, const double *u, double *out);
void tacit_kernel_density_block(tacit_kernel kernel, size_t n, const double *u, double *out);
/* Kbar(u), K(u) and the excess at once; four different arrays. The Gaussian excess is within 1e-16 |u| of the
   function above, which is what its argument's own rounding costs. */
void tacit_kernel_all_block(tacit_kernel kernel, size_t n, const double *u, double *cdf, double *density,
                            double *excess);

#endif
