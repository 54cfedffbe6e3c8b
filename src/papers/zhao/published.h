/* Zhao, Zhou and Wang's Algorithm 1 exactly as published, for comparison: ordinary floating-point noise, no
 * certificate, no promise. */
#ifndef TACIT_SRC_PAPERS_ZHAO_PUBLISHED_H
#define TACIT_SRC_PAPERS_ZHAO_PUBLISHED_H

#include "data/sample.h"

enum { TACIT_PUBLISHED_STEPS = 10 }; /* Zhao, Zhou and Wang's section 6.1: T = 10 */

typedef struct tacit_published {
  double tau;
  size_t steps;     /* T */
  double clip_norm; /* B */
  double sigma;     /* ceil(2 tau_bar B sqrt(T) / mu); 0 without privacy */
  double bandwidth;
  double step;         /* eta; 0: a line search on the private loss */
  const double *start; /* b^(0), columns numbers; NULL: 0 */
} tacit_published;

/* The choices of Zhao, Zhou and Wang's section 6.1; mu = 0 is without privacy. The step is left to the
 * caller. */
void tacit_published_init(tacit_published *method, double tau, double mu, const tacit_sample *sample);

/* Runs from the start and leaves b^(T) in b. noise holds T x columns standard normals and is not used when
 * sigma is 0. */
tacit_status tacit_published_run(const tacit_published *method, const tacit_sample *sample,
                                 const double *noise, double *b, tacit_error *error) TACIT_CHECKED;

#endif
