/* Samples of the shortest-path problem, and the schema that a user would write for them. */
#ifndef TACIT_SRC_PAPERS_PATH_SAMPLE_H
#define TACIT_SRC_PAPERS_PATH_SAMPLE_H

#include "papers/spo_sample.h"
#include "schema/schema.h"
#include "study/shortest_path_model.h"

/* Mean and standard deviation of an edge's cost over rows and over B: what a public schema may say. */
void tacit_path_spread(int degree, double half_width, double *center, double *scale);
/* The public schema: features with center 0 and scale 1, costs with the two above, two digits each. *schema
   is the caller's. */
tacit_status tacit_path_schema(int degree, double half_width, tacit_schema **schema,
                               tacit_error *error) TACIT_CHECKED;

/* Rows with a column of ones before the features, finished. region must be the grid. */
tacit_status tacit_path_sample(const tacit_path_model *model, const tacit_region *region, size_t rows,
                               tacit_stream *stream, tacit_spo_sample **sample,
                               tacit_error *error) TACIT_CHECKED;

#endif
