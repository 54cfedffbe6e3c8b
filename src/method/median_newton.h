/* The default learner's plan, which grows as it goes on. */
#ifndef TACIT_SRC_METHOD_MEDIAN_NEWTON_H
#define TACIT_SRC_METHOD_MEDIAN_NEWTON_H

#include "method/plan.h"
#include "method/shares.h"

/* Adds a target's releases: up to the moment while its radius is not found, up to the count of the tail while
   the way after that is open, else all of them. */
tacit_status tacit_newton_plan(const tacit_facts *facts, const tacit_choice *choice, size_t target,
                               tacit_plan *plan, tacit_error *error) TACIT_CHECKED;
/* The grid of vectors behind a moment of this radius. */
int tacit_moment_bits(double clip);

#endif
