/* What is ordered for: each target has one goal, or a single target has several, one for each quantile.
   Learners and policies see a schema with a target for each goal, so that nothing below them has to know. */
#ifndef TACIT_SRC_GOALS_H
#define TACIT_SRC_GOALS_H

#include "schema/schema.h"

enum { TACIT_QUANTILES_MAX = 64 }; /* of one target */

typedef struct tacit_goals {
  tacit_schema schema;   /* shares everything but the targets with the schema that it is made from */
  tacit_target *targets; /* the copies of a target with several quantiles; NULL where the schema's own do */
} tacit_goals;

/* Where the schema has one target and there are several quantiles, the target stands there once for each of
   them, named after both: demand@0.9. Else the schema stays as it is. The schema must outlive it. */
tacit_status tacit_goals_open(const tacit_schema *schema, const double *quantiles, size_t count,
                              tacit_goals *goals, tacit_error *error) TACIT_CHECKED;
void tacit_goals_close(tacit_goals *goals); /* also one that is all zero */
/* Whether the goals are several quantiles of one target. */
bool tacit_goals_several(const tacit_schema *schema);
/* TACIT_USAGE unless there is one quantile for each goal, those of one target ascending. */
tacit_status tacit_goals_check(const tacit_schema *schema, const double *quantiles, size_t count,
                               tacit_error *error) TACIT_CHECKED;

#endif
