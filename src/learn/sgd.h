/* The public choices of stochastic gradient perturbation for one target (C Algorithm 1, E Theorems 5 and 6).
 */
#ifndef TACIT_SRC_SGD_H
#define TACIT_SRC_SGD_H

#include "data/design.h"
#include "learn/learn.h"
#include "learn/release.h"
#include "privacy/sampled.h"

typedef struct tacit_sgd_plan {
  tacit_sampled sampled; /* sigma in multiples of one record's largest gradient */
  uint64_t batch;        /* records of a step; 0 for Poisson samples */
  uint64_t threshold;    /* Poisson: the rate is threshold / 2^32 */
  double size;           /* what a sum is divided by: the batch, or rate x rows */
  tacit_kernel kernel;
  double step_size, bandwidth, theta_bound; /* in encoded units */
  tacit_mechanism mechanism;                /* all steps together */
} tacit_sgd_plan;

/* What can be refused before a row is read. */
tacit_status tacit_sgd_check(const tacit_schema *schema, const tacit_learn_options *options,
                             tacit_error *error) TACIT_CHECKED;
/* note (240 bytes) gets a published condition that does not hold. */
tacit_status tacit_sgd_plan_target(const tacit_schema *schema, const tacit_learn_options *options,
                                   double rows, size_t target, tacit_sgd_plan *plan, char *note,
                                   tacit_error *error) TACIT_CHECKED;
/* The memory of a run, taken before anything is spent; rows is the public number of records. To be freed also
   after a failure. */
typedef struct tacit_sgd_room tacit_sgd_room;
tacit_status tacit_sgd_room_new(const tacit_design *design, const tacit_sgd_plan *plan, double rows,
                                tacit_sgd_room **room, tacit_error *error) TACIT_CHECKED;
void tacit_sgd_room_free(tacit_sgd_room *room);
/* All steps for the plan's target, recorded as one run. */
tacit_status tacit_sgd_run_in(tacit_sgd_room *room, const tacit_design *design, const tacit_sgd_plan *plan,
                              const tacit_context *context, const tacit_release *gate, double *coefficients,
                              tacit_error *error) TACIT_CHECKED;
/* The same with memory of its own: the learner without its calibration, for the audit's many runs. */
tacit_status tacit_sgd_run(const tacit_design *design, const tacit_sgd_plan *plan, double rows,
                           const tacit_context *context, const tacit_release *gate, double *coefficients,
                           tacit_error *error) TACIT_CHECKED;

#endif
