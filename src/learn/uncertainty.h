/* How sure a rule is: sources of error, what each does to the rule, and their covariance
   (proofs/intervals.md). All of it is computed from releases and public facts. */
#ifndef TACIT_SRC_UNCERTAINTY_H
#define TACIT_SRC_UNCERTAINTY_H

#include "learn/location_scale.h"

#define TACIT_LEARNED_PACE 4 /* times as far steps come that learn the curvature as they go */

typedef struct tacit_sources {
  size_t count, numbers; /* of sources; of the rule, as the fit keeps them (method/fit.h) */
  double *covariance;    /* count x count */
  double *carried;       /* count x numbers: what one unit of each source does to them */
} tacit_sources;

bool tacit_sources_open(tacit_sources *sources, size_t count,
                        const tacit_task *task); /* false without memory */
void tacit_sources_close(tacit_sources *sources);
/* The covariance of the target's rule, into the fit. */
tacit_status tacit_sources_give(const tacit_sources *sources, tacit_task *task, size_t target,
                                tacit_error *error) TACIT_CHECKED;

/* The variance of a smoothed score Phi((q - y) / h) - tau, where the smoothed density is f. */
double tacit_score_variance(double tau, double h, double f);
/* How much more a sum of rows clipped to B scatters than its curvature says: E c^2 zz' over (E c zz')^2 for
   standard normal z in d dimensions, c = min(1, B / |z|). */
double tacit_clip_scatter(double d, double B);

/* A B A', n x n, is added to C, whose rows are `stride` apart. False without memory. */
bool tacit_add_around(size_t n, const double *A, const double *B, double *C, size_t stride);

/* Rows weighed by s to a power: their mean, less that of all rows, and covariance, in whitened
   rows, from the covariance as it was before it was made definite. mean: d; S: d x d, or NULL;
   *factor: the logarithm of the mean of s to that power, in spreads at the mean row. False without memory. */
bool tacit_weighed_rows(const tacit_scaled *scaled, double power, double *mean, double *S, double *factor);

/* Raises what is too small in a covariance S of whitened rows, d x d; *needed: the least variance of a number
   whose covariances with them are `cross`. False without memory. */
bool tacit_made_definite(size_t d, double *S, const double *cross, double *needed);

#endif
