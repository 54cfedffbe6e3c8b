/* Exact quantile regression of many columns: an interior point, and the corner it points to. */
#ifndef TACIT_SRC_EXACT_INTERIOR_H
#define TACIT_SRC_EXACT_INTERIOR_H

#include "base/base.h"
#include "erm/exact_sums.h"

typedef struct tacit_interior {
  const tacit_exact_rows *rows;
  double tau;
  const double *sums; /* p: what X'a is to be; NULL: zero */
  double start;       /* how far from the corner to begin: about a bandwidth of the smoothed fit */
  const tacit_context *context;
} tacit_interior;

/* From a smoothed fit b to the minimiser: b, a strictly within [tau - 1, tau], and how free each row's a is
   (room: n), the rows that the fit interpolates having the largest. TACIT_INTERNAL where it stays far off. */
tacit_status tacit_exact_interior(const tacit_interior *problem, double *b, double *a, double *freedom,
                                  tacit_error *error) TACIT_CHECKED;

/* The p freest rows interpolated: b, and a of them such that X'a is what it should be, all other a being what
   their residuals' signs say. *found: there is one, and its a are within their box to rounding. r: n. */
tacit_status tacit_exact_corner(const tacit_interior *problem, const double *freedom, double *b, double *a,
                                double *r, bool *found, tacit_error *error) TACIT_CHECKED;

#endif
