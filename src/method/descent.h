/* What the methods of descent share: rules for options, the releases of steps, and how numbers that a
   certificate states hang together. A number that comes from an option or else from a rule may be anything
   within the option's limits; but with several targets the option's is the same for all, and the rule's is
   each target's own, which is computed again. */
#ifndef TACIT_SRC_DESCENT_H
#define TACIT_SRC_DESCENT_H

#include "loss/tuning.h"
#include "method/method.h"

/* Options that several methods have, each in a struct of its own. */
#define TACIT_STEPS_OPTION(at, most)                                                                         \
  { {"steps", TACIT_OPTION_COUNT, "T", "steps of descent"}, at, most, NULL }
#define TACIT_STEP_SIZE_OPTION(at)                                                                           \
  {                                                                                                          \
    {"step-size", TACIT_OPTION_NUMBER, "ETA", "step size, in units of the encoded target"}, at,              \
        TACIT_STEP_SIZE_MAX, NULL                                                                            \
  }
#define TACIT_CLIP_NORM_OPTION(at, most)                                                                     \
  { {"clip-norm", TACIT_OPTION_NUMBER, "B", "limit of a row's weight, over the schema's"}, at, most, NULL }
#define TACIT_BANDWIDTH_OPTION(at)                                                                           \
  { {"bandwidth", TACIT_OPTION_NUMBER, "W", "smoothing, in the target's own units"}, at, 0, NULL }
#define TACIT_KERNEL_OPTION(at, usual)                                                                       \
  {                                                                                                          \
    {"kernel", TACIT_OPTION_WORD, "NAME", "of the smoothing: " usual " (default), or another"}, at, 0,       \
        tacit_kernel_words                                                                                   \
  }
#define TACIT_THETA_BOUND_OPTION(at)                                                                         \
  {                                                                                                          \
    {"theta-bound", TACIT_OPTION_NUMBER, "B", "norm that coefficients are projected to"}, at,                \
        TACIT_THETA_BOUND_MAX, NULL                                                                          \
  }

bool tacit_is_given(const char *word); /* neither NULL nor "" */
tacit_kernel tacit_kernel_named(const char *word, tacit_kernel otherwise);
/* The option's, or else the schema's, or else the method's. */
double tacit_clip_norm_of(double option, const tacit_schema *schema, double rule);
double tacit_theta_bound_of(double option, const tacit_schema *schema, size_t target);
/* In encoded units these must still be numbers above 0, and what follows from them: TACIT_USAGE. */
tacit_status tacit_check_bandwidth(const tacit_facts *facts, double bandwidth,
                                   tacit_error *error) TACIT_CHECKED;
tacit_status tacit_check_theta_bound(double theta_bound, tacit_error *error) TACIT_CHECKED;
tacit_status tacit_check_step_size(double step_size, tacit_error *error) TACIT_CHECKED;
/* Over a region: TACIT_REFUSED for a mu that leaves nothing to learn by. */
/* Whether a guarantee is enough to learn decisions with; and as a check of facts. */
bool tacit_region_mu_is_enough(const tacit_facts *facts);
tacit_status tacit_check_region_mu(const tacit_facts *facts, const tacit_learn_options *options,
                                   tacit_error *error) TACIT_CHECKED;

/* `steps` times for every target in turn a sum of scores times whole rows, all with one clip norm. */
tacit_mechanism tacit_scores_of(const tacit_facts *facts, const tacit_choice *choice, size_t target,
                                int cell_bits);
/* The noise of one coordinate of each target's mean gradient, in choice->sigma, with equal shares. */
tacit_status tacit_descent_noise(const tacit_facts *facts, tacit_choice *choice,
                                 tacit_error *error) TACIT_CHECKED;
tacit_status tacit_plan_descent(const tacit_facts *facts, const tacit_choice *choice, int cell_bits,
                                tacit_release_plan *plan, tacit_error *error) TACIT_CHECKED;

/* Projected descent. choice->sigma has the noise of one coordinate of each target's mean gradient; `share` is
   what a step sees of the loss's curvature (loss/tuning.h). Step sizes and bandwidths are the rule's, unless
   they are given (not 0). */
void tacit_projected_tune(const tacit_facts *facts, tacit_choice *choice, double share, double step_size,
                          double bandwidth);
/* Whether stated ones are, or may have been given. */
bool tacit_projected_possible(const tacit_facts *facts, const tacit_choice *choice, double share,
                              const char **wrong);

/* Whether all targets have one, as an option gives it. */
bool tacit_step_is_given(const tacit_facts *facts, const tacit_choice *choice);
bool tacit_bandwidth_is_given(const tacit_facts *facts, const tacit_choice *choice);
/* Whether the stated bound of theta may be the first target's default: then each target may have its own. */
bool tacit_theta_is_default(const tacit_facts *facts, const tacit_choice *choice);
/* The larger of both. */
double tacit_theta_reach(const tacit_facts *facts, const tacit_choice *choice, size_t target);
/* `holds`, with *wrong set where it is not so. */
bool tacit_fits(bool holds, const char *input, const char **wrong);

#endif
