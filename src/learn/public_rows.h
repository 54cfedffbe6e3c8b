/* Rows whose features are public: what is about them alone is exact, and costs nothing
   (proofs/public-features.md). */
#ifndef TACIT_SRC_PUBLIC_ROWS_H
#define TACIT_SRC_PUBLIC_ROWS_H

#include "learn/task.h"

/* Of the d columns without the intercept: their mean; their covariance, d x d, no variance being 0. */
tacit_status tacit_public_mean(tacit_task *task, double *mean, tacit_error *error) TACIT_CHECKED;
tacit_status tacit_public_covariance(tacit_task *task, const double *mean, double *S,
                                     tacit_error *error) TACIT_CHECKED;
/* Of rows seen through an image and clipped: their sum, and for each column what clipping leaves of its
   second moment, at most 1. */
tacit_status tacit_public_clipped(tacit_task *task, const tacit_row_image *image, double clip, double *sum,
                                  double *curve, tacit_error *error) TACIT_CHECKED;

#endif
