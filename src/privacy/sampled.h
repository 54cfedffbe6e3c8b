/* The sampled Gaussian mechanism, many times: each step draws a sample of the rows, sums one vector of norm
   at most 1 for each sampled row, and adds Gaussian noise (proofs/sampled-gaussian.md). */
#ifndef TACIT_SRC_SAMPLED_H
#define TACIT_SRC_SAMPLED_H

#include "base/base.h"

#include <tacit/privacy.h>

typedef enum tacit_sampling {
  TACIT_SAMPLING_POISSON, /* every row by itself, with probability rate */
  TACIT_SAMPLING_FIXED    /* `batch` of `rows` rows without replacement; replace-one alone */
} tacit_sampling;

typedef struct tacit_sampled {
  double sigma; /* in multiples of the norm one row's vector is clipped to */
  double rate;  /* Poisson: the public rate; fixed size: batch / rows, rounded up */
  uint64_t steps;
  tacit_sampling sampling;
  tacit_adjacency adjacency;
} tacit_sampled;

/* The privacy curve of all steps together, both directions, enclosed. TACIT_USAGE for arguments out of their
   ranges and for fixed-size sampling under add-remove; TACIT_INTERNAL without memory. */
tacit_status tacit_sampled_delta(const tacit_sampled *sampled, double epsilon, tacit_interval *delta,
                                 tacit_error *error) TACIT_CHECKED;
tacit_status tacit_sampled_epsilon(const tacit_sampled *sampled, double delta, tacit_interval *epsilon,
                                   tacit_error *error) TACIT_CHECKED;
/* The smallest sigma whose upper delta at epsilon is at most delta; sampled->sigma is not read. */
tacit_status tacit_sampled_sigma(const tacit_sampled *sampled, double epsilon, double delta, double *sigma,
                                 tacit_error *error) TACIT_CHECKED;
/* Upper bounds on the Renyi divergences of all steps at tacit_rdp_orders, for a ledger. */
tacit_status tacit_sampled_rdp(const tacit_sampled *sampled, double rdp[TACIT_RDP_ORDERS],
                               tacit_error *error) TACIT_CHECKED;

#endif
