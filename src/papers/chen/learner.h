/* tacit's own learners on Chen and Chua's problems, as a user would call them. */
#ifndef TACIT_SRC_PAPERS_CHEN_LEARNER_H
#define TACIT_SRC_PAPERS_CHEN_LEARNER_H

#include "papers/chen/methods.h"
#include "study/chen_problem.h"

#include <tacit/learn.h>

typedef struct tacit_chen_learner {
  const char *method;    /* "default", or another of tacit_learn's */
  double mu;             /* the guarantee of a Gaussian method */
  double epsilon, delta; /* of another */
  tacit_schema *schema;
  size_t columns;
  char names[TACIT_CHEN_WIDE][24]; /* of the features, then of the target */
} tacit_chen_learner;

/* The schema of the problem: features with their centre 0 and their true scale, the target between -40
   and 60. Features are x1 and x2, or x2 to x51. */
tacit_status tacit_chen_learner_init(tacit_chen_learner *learner, const tacit_chen_problem *problem,
                                     const char *method, double mu, tacit_error *error) TACIT_CHECKED;
void tacit_chen_learner_clear(tacit_chen_learner *learner);
/* The rows as a user holds them, column by column, the target last; space has rows x columns doubles. */
void tacit_chen_learner_columns(const tacit_chen_rows *rows, double *space);
tacit_status tacit_chen_learner_learn(const tacit_chen_learner *learner, size_t rows, const double *space,
                                      uint64_t seed, double *theta, tacit_error *error) TACIT_CHECKED;
/* Both: theta in the problem's own units; the noise is seeded. */
tacit_status tacit_chen_learner_run(const tacit_chen_learner *learner, const tacit_chen_rows *rows,
                                    uint64_t seed, double *theta, tacit_error *error) TACIT_CHECKED;
#endif
