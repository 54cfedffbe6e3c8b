/* The exact minimiser of the mean SPO+ loss over paths through a grid, as a linear program. */
#ifndef TACIT_SRC_PAPERS_SPO_EXACT_H
#define TACIT_SRC_PAPERS_SPO_EXACT_H

#include "papers/spo_sample.h"

/* rule (d x p) that minimises the mean SPO+ loss over the sample, whose region must be the 5 x 5 grid. For
   small samples: it has d rows and a node's number of columns for each row of the sample. TACIT_INTERNAL
   where the solver gives up. */
tacit_status tacit_spo_exact(const tacit_spo_sample *sample, double *rule, tacit_error *error) TACIT_CHECKED;

#endif
