/* Predict-then-optimize: rules learned for the decision's sake (SPO+). tacit/region.h has regions,
   tacit/policy.h policies that decide over them, tacit/study.h what decisions cost. */
#ifndef TACIT_SPO_H
#define TACIT_SPO_H

#include <tacit/learn.h>
#include <tacit/region.h>

TACIT_BEGIN

/* Learning. The schema's targets are the costs of a decision's coordinates, in their order; the rule predicts
   them from the features, c = centre + B x, and decides by minimising over the region. tacit_spo_options_init
   sets every default; 0 in the lower half means "the method's default". */
typedef struct tacit_spo_options {
  /* "default" (gaussian: descent on the SPO+ loss), "exponential", "least-squares" (private prediction, then
     optimisation); without privacy "spo-plus", "least-squares-exact" */
  const char *method;
  double mu;             /* the guarantee of gaussian and least-squares */
  double epsilon, delta; /* the guarantee of exponential, whose releases are not Gaussian */
  tacit_adjacency adjacency;
  size_t nominal_rows; /* under add-remove, in place of the schema's */
  /* As in tacit_learn_options: called once, after every refusal and before the first noise bit. */
  tacit_status (*spend)(void *user, const tacit_cost *cost, tacit_error *error);
  void *spend_user;
  bool seeded; /* reproducible noise: the certificate then says that it is not private */
  uint64_t seed;

  size_t steps;
  double step_size; /* in spreads of the costs, for a decision whose widest coordinate has width 1 */
  double growth;    /* each step's share of mu^2 is this times the last one's; gaussian */
  size_t average;   /* the last so many iterates are averaged */
  double clip_norm; /* limit of a row's weight, over the schema's */
} tacit_spo_options;

TACIT_API void tacit_spo_options_init(tacit_spo_options *options);
/* The learner that a method's name stands for, as certificates and ledgers say it; NULL for an unknown name.
 */
TACIT_API const char *tacit_spo_method(const char *name);

/* Reads the source to its end and learns; statuses as for tacit_learn, and TACIT_BAD_INPUT where the schema
   does not have as many targets as the region has coordinates. Coefficients are targets x columns of the
   encoded columns, as of any fit. */
TACIT_API tacit_status tacit_spo_learn(const tacit_schema *schema, tacit_source *source,
                                       const tacit_region *region, const tacit_spo_options *options,
                                       const tacit_context *context, tacit_fit **fit,
                                       tacit_error *error) TACIT_CHECKED;

TACIT_END

#endif
