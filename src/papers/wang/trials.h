/* Repetitions on Wang and Qin's problem: the published algorithms and tacit's own, all on the same rows. */
#ifndef TACIT_SRC_PAPERS_WANG_TRIALS_H
#define TACIT_SRC_PAPERS_WANG_TRIALS_H

#include "papers/spo_fit.h"
#include "papers/wang/published.h"
#include "study/study.h"

typedef enum tacit_wang_way {
  TACIT_WANG_WAY_PLAIN,       /* without noise */
  TACIT_WANG_WAY_EVERY,       /* Algorithm 1, the whole epsilon at every step */
  TACIT_WANG_WAY_EXPONENTIAL, /* Algorithm 1, Theorem 3's epsilon0 */
  TACIT_WANG_WAY_GAUSSIAN,    /* Algorithm 2 */
  TACIT_WANG_WAY_SOUND,       /* tacit's exponential descent at (epsilon, delta) */
  TACIT_WANG_WAY_TACIT        /* tacit's default at mu */
} tacit_wang_way;

typedef struct tacit_wang_cell {
  tacit_wang_way way;
  size_t rows;
  double epsilon, delta, mu;
} tacit_wang_cell;

typedef struct tacit_wang_study tacit_wang_study;
/* Fresh rows to score on, the ball and its schema. *study is the caller's. */
tacit_status tacit_wang_study_new(uint64_t seed, tacit_wang_study **study, tacit_error *error) TACIT_CHECKED;
void tacit_wang_study_free(tacit_wang_study *study);

typedef struct tacit_wang_result {
  double mean, variance; /* of the SPO loss over repetitions; the variance is NaN for one */
  size_t beyond;         /* fits whose certificate, recomputed, is above what was asked */
} tacit_wang_result;
tacit_status tacit_wang_study_run(tacit_wang_study *study, const tacit_wang_cell *cell, size_t repetitions,
                                  tacit_part part, const tacit_context *context, tacit_wang_result *result,
                                  tacit_error *error) TACIT_CHECKED;

#endif
