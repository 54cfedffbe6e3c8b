/* The real learners on rows in memory. */
#ifndef TACIT_SRC_PAPERS_SPO_FIT_H
#define TACIT_SRC_PAPERS_SPO_FIT_H

#include "papers/spo_sample.h"

#include "schema/schema.h"
#include <tacit/learn.h>

/* Learns with tacit_learn over the sample's region and seeded noise. The sample's first column must be ones;
   the schema's features are x1, x2, ..., its targets c1, c2, .... rule: d x p in the sample's own units.
   *beyond (may be NULL) is true where the guarantee recomputed from the certificate is above the asked one.
 */
tacit_status tacit_spo_fit_sample(const tacit_spo_sample *sample, const tacit_schema *schema,
                                  const tacit_learn_options *options, double *rule, bool *beyond,
                                  tacit_error *error) TACIT_CHECKED;

#endif
