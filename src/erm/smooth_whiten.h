/* The metric of smoothed ERM: a triangle U with X P = Z U, Z'Z = n I, and the least-squares fit it gives. */
#ifndef TACIT_SRC_SMOOTH_WHITEN_H
#define TACIT_SRC_SMOOTH_WHITEN_H

#include "erm/smooth_pass.h"

typedef struct tacit_smooth_metric {
  size_t rank;
  int *order;     /* P: column order[k] of X is the k-th, independent ones first (p) */
  double *upper;  /* U, rank x rank in a p x p array */
  double spread;  /* of the least-squares residuals */
  double *moment; /* U'U = X'X / n, its lower triangle (p x p); NULL where columns are so nearly dependent
                     that a product of two of them loses what matters */
} tacit_smooth_metric;

/* b: the least-squares fit. Free the metric also after a failure. */
tacit_status tacit_smooth_whiten(const tacit_smooth_pass *pass, tacit_smooth_metric *metric, double *b,
                                 tacit_error *error) TACIT_CHECKED;
void tacit_smooth_metric_free(tacit_smooth_metric *metric, size_t p);

#endif
