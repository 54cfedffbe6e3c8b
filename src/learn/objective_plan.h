/* The public choices of objective perturbation for one target. */
#ifndef TACIT_SRC_OBJECTIVE_PLAN_H
#define TACIT_SRC_OBJECTIVE_PLAN_H

#include "learn/learn.h"
#include "learn/objective.h"

typedef struct tacit_objective_plan {
  int part; /* of C Theorem 3.6 */
  tacit_kernel kernel;
  double bandwidth;                     /* in encoded units */
  double steepest;                      /* the table's steepest slope over the bandwidth */
  double theta_bound;                   /* B_theta, in encoded units */
  int reach_bits;                       /* 2^reach_bits >= B_theta */
  tacit_mechanism objective, minimiser; /* as they will be released; minimiser.clip is gamma */
} tacit_objective_plan;

/* What can be refused before a row is read. */
tacit_status tacit_objective_check(const tacit_schema *schema, const tacit_learn_options *options,
                                   tacit_error *error) TACIT_CHECKED;
/* note (240 bytes) gets a published condition that does not hold. TACIT_REFUSED for a lambda below the one
   that the guarantee needs, with that one. */
tacit_status tacit_objective_plan_target(const tacit_schema *schema, const tacit_learn_options *options,
                                         double rows, size_t target, tacit_objective_plan *plan, char *note,
                                         tacit_error *error) TACIT_CHECKED;
/* One target as planned (plan is target 0's): the learner without its calibration, for the audit's many runs.
 */
tacit_status tacit_objective_learn_target(const tacit_schema *schema, const tacit_design *design,
                                          const tacit_objective_plan *plan, const tacit_context *context,
                                          const tacit_release *gate, double *coefficients,
                                          tacit_error *error) TACIT_CHECKED;

#endif
