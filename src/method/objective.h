/* Objective perturbation's numbers for one target. */
#ifndef TACIT_SRC_METHOD_OBJECTIVE_H
#define TACIT_SRC_METHOD_OBJECTIVE_H

#include "method/choice.h"
#include "method/objective_recipe.h"

/* What its rules start from; theta_bound is the target's. */
tacit_objective_facts tacit_objective_facts_of(const tacit_facts *facts, const tacit_choice *choice,
                                               size_t target, double theta_bound);

#endif
