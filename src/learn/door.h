/* The door's parts: what can be refused before a row is read, and the making of a task. */
#ifndef TACIT_SRC_DOOR_H
#define TACIT_SRC_DOOR_H

#include "learn/learners.h"

/* Refuses what the options, the schema and the source together do not allow; check.c. */
tacit_status tacit_door_check(const tacit_method *method, const tacit_facts *facts,
                              const tacit_learn_options *options, const tacit_source *source,
                              const tacit_context *context, tacit_error *error) TACIT_CHECKED;
/* The guarantee alone: mu for a Gaussian method, (epsilon, delta) for another; never both. */
tacit_status tacit_check_guarantee(const tacit_learn_options *options, tacit_promise promise,
                                   tacit_error *error) TACIT_CHECKED;
/* NULL for a method without a learner; learners.c. */
tacit_learner tacit_learner_of(const tacit_method *method);

#endif
