/* The public inputs that a certificate states: for each method a closed list of names, types and ranges. */
#ifndef TACIT_SRC_INPUTS_H
#define TACIT_SRC_INPUTS_H

#include "policy/policy.h"

/* Whether the inputs are exactly those that the policy's method writes, in its order, each of its type and in
   its range, and hang together as the learner's options and rules make them. *wrong is then NULL, else the
   name of the first that is not, or a word for it: never the file's own text. */
bool tacit_inputs_hold(const tacit_policy *policy, const char **wrong);

/* An input that tacit_inputs_hold has found: of all targets, or of one. */
double tacit_input_number(const tacit_policy *policy, const char *name);
double tacit_input_of_target(const tacit_policy *policy, const char *name, size_t target);

/* Whether numbers that one method's inputs state fit together, and with the list of releases; tuned.c. Each
   gives the name of the first that does not in *wrong. */
bool tacit_tuned_noisy_gd(const tacit_policy *policy, const char **wrong);
bool tacit_tuned_gradient(const tacit_policy *policy, const char **wrong);
bool tacit_tuned_sgd(const tacit_policy *policy, const char **wrong);
bool tacit_tuned_objective(const tacit_policy *policy, const char **wrong);
bool tacit_tuned_spo_gaussian(const tacit_policy *policy, const char **wrong);
bool tacit_tuned_spo_exponential(const tacit_policy *policy, const char **wrong);

#endif
