/* The public inputs that a certificate states: for each method a closed list of names, types and ranges. */
#ifndef TACIT_SRC_INPUTS_H
#define TACIT_SRC_INPUTS_H

#include "policy/policy.h"
#include "privacy/objective_recipe.h"

/* Whether the inputs are exactly those that the policy's method writes, in its order, each of its type and in
   its range, and hang together as the learner's options and rules make them. *wrong is then NULL, else the
   name of the first that is not, or a word for it: never the file's own text. */
bool tacit_inputs_hold(const tacit_policy *policy, const char **wrong);

/* An input that tacit_inputs_hold has found: of all targets, or of one. */
double tacit_input_number(const tacit_policy *policy, const char *name);
double tacit_input_of_target(const tacit_policy *policy, const char *name, size_t target);

/* B_theta of a target, after tacit_inputs_hold: the stated one where a command gave it, for all targets;
   where none did, each target has its default, and the first one's is stated. */
typedef enum tacit_theta_rule { TACIT_THETA_GIVEN, TACIT_THETA_DEFAULT } tacit_theta_rule;
double tacit_inputs_theta(const tacit_policy *policy, size_t target, tacit_theta_rule rule);
/* Whether the stated one may be the first target's default. */
bool tacit_inputs_theta_default(const tacit_policy *policy);
/* What the rules of objective perturbation start from. */
tacit_objective_facts tacit_inputs_objective(const tacit_policy *policy, size_t target,
                                             tacit_theta_rule rule);

/* Whether every coefficient is one that the method can give: within B_theta, where it projects to that; no
   slope where the budget bought none. */
bool tacit_coefficients_possible(const tacit_policy *policy);

/* Whether numbers that one method's inputs state fit together, and with the list of releases; tuned.c. Each
   gives the name of the first that does not in *wrong. */
bool tacit_tuned_noisy_gd(const tacit_policy *policy, const char **wrong);
bool tacit_tuned_gradient(const tacit_policy *policy, const char **wrong);
bool tacit_tuned_sgd(const tacit_policy *policy, const char **wrong);
bool tacit_tuned_objective(const tacit_policy *policy, const char **wrong);
bool tacit_tuned_spo_gaussian(const tacit_policy *policy, const char **wrong);
bool tacit_tuned_spo_exponential(const tacit_policy *policy, const char **wrong);

#endif
