/* One cell of Zhao, Zhou and Wang's synthetic experiments: every method on the same samples, repetition by
 * repetition. */
#ifndef TACIT_SRC_PAPERS_ZHAO_TRIALS_H
#define TACIT_SRC_PAPERS_ZHAO_TRIALS_H

#include "papers/promise.h"
#include "papers/reproduce.h"
#include "papers/zhao/row.h"
#include "study/zhao_model.h"

/* Algorithm 1 at steps 1..4, then with a line search, then tacit's learner. */
enum { TACIT_TRY_SEARCH = TACIT_STEP_SIZES, TACIT_TRY_TACIT, TACIT_TRIES };

typedef struct tacit_zhao_cell {
  tacit_zhao_law law;
  double tau, mu; /* mu = 0: without privacy */
  size_t rows;
  bool search; /* run the line search too; its figures are NaN else */
} tacit_zhao_cell;

typedef struct tacit_zhao_trial {
  double regret[TACIT_TRIES];
  double distance[TACIT_TRIES]; /* ||b - beta*|| */
  double beyond;                /* 1 where tacit's certificate is above mu, else 0 */
} tacit_zhao_trial;

/* The paper's design. */
enum { TACIT_ZHAO_TAUS = 3, TACIT_ZHAO_MUS = 4, TACIT_ZHAO_REPETITIONS = 300, TACIT_ZHAO_ROWS = 400 };
extern const double tacit_zhao_taus[TACIT_ZHAO_TAUS];
extern const double tacit_zhao_mus[TACIT_ZHAO_MUS]; /* 0, 0.9, 0.5, 0.3 */

/* Fills trials[0..repetitions). Rows depend on seed, law and repetition alone, and so does the noise up to
   its scale: cells are compared on common random numbers. */
tacit_status tacit_zhao_run(const tacit_zhao_cell *cell, uint64_t seed, size_t repetitions,
                            tacit_zhao_trial *trials, tacit_part part, const tacit_context *context,
                            tacit_error *error) TACIT_CHECKED;

/* On the first repetition's rows, with noise of the operating system. */
tacit_status tacit_zhao_verify(const tacit_zhao_cell *cell, uint64_t seed, tacit_study_promise *promise,
                               tacit_error *error) TACIT_CHECKED;

/* Means and standard errors of the regrets, beside the paper's figure where it has one. */
void tacit_zhao_summarise(const tacit_zhao_cell *cell, size_t repetitions, const tacit_zhao_trial *trials,
                          tacit_zhao_row *row);

#endif
