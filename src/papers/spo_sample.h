/* Rows of features and costs for predict-then-optimize, what they cost at best. A rule is a d x p matrix B by
 * rows: the predicted cost of a row x is B x. */
#ifndef TACIT_SRC_PAPERS_SPO_SAMPLE_H
#define TACIT_SRC_PAPERS_SPO_SAMPLE_H

#include "loss/spo.h"
#include "random/random.h"

typedef struct tacit_spo_sample {
  const tacit_region *region; /* the caller's; outlives the sample */
  size_t rows, p, d;
  double *x;         /* rows x p */
  double *c;         /* rows x d */
  double *best;      /* rows x d: w*(c) */
  double *best_cost; /* rows: z*(c) */
} tacit_spo_sample;

/* Zeroed rows, to be filled by the caller; then tacit_spo_sample_finish finds best and best_cost. */
tacit_status tacit_spo_sample_new(const tacit_region *region, size_t rows, size_t p,
                                  tacit_spo_sample **sample, tacit_error *error) TACIT_CHECKED;
tacit_status tacit_spo_sample_finish(tacit_spo_sample *sample, tacit_error *error) TACIT_CHECKED;
void tacit_spo_sample_free(tacit_spo_sample *sample); /* NULL is fine */

/* Mean SPO loss of the rule, and the mean of z*(c), over the sample. */
tacit_status tacit_spo_sample_loss(const tacit_spo_sample *sample, const double *rule, double *loss,
                                   double *best_cost, tacit_error *error) TACIT_CHECKED;
/* Mean SPO+ loss. */
tacit_status tacit_spo_sample_plus(const tacit_spo_sample *sample, double smoothing, const double *rule,
                                   double *loss, tacit_error *error) TACIT_CHECKED;

#endif
