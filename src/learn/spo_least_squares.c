/* Private prediction, then optimisation: least squares from one noisy second moment of (row, costs), for
   comparison with what is learned for the decision's sake. The release is a moment of clipped vectors
   (proofs/exact-sums.md); everything after it is computed from it and public facts (proofs/spo.md). */
#include "base/base.h"
#include "learn/spo.h"
#include "num/linalg.h"

#include <math.h>
#include <stdlib.h>

typedef struct regression {
  tacit_decisions all;
  tacit_spo_moment choice;
  double *moment; /* (p + d)(p + d + 1) / 2 */
  double *gram, *values, *rule;
  tacit_target_part *costs;
} regression;

/* (stretched row, costs in common units from their centres), for a moment. */
static tacit_question ask(const regression *r) {
  const tacit_schema *schema = r->all.task->schema;
  for (size_t t = 0; t < schema->target_count; t++)
    r->costs[t] = (tacit_target_part){.target = t,
                                      .spread = 1,
                                      .cut = INFINITY,
                                      .factor = schema->targets[t].scale.half / r->all.unit,
                                      .over = 1};
  return (tacit_question){.kind = TACIT_QUESTION_ROWS,
                          .rows = {.columns = schema->columns,
                                   .stretch = r->choice.stretch,
                                   .targets = r->costs,
                                   .target_count = schema->target_count,
                                   .clip = r->choice.clip,
                                   .bits = r->choice.bits,
                                   .moment = true}};
}

/* Entry (j, k), j <= k, of an upper triangle by rows. */
static size_t at(size_t width, size_t j, size_t k) {
  return j * width - j * (j + 1) / 2 + k;
}

/* B = C' (A + ridge)^-1, A the rows' noisy moment with eigenvalues not below the noise's own length. */
static tacit_status solve(const regression *r, double sigma, tacit_error *error) {
  size_t p = r->all.p, d = r->all.d, width = p + d;
  double rows = r->all.task->facts.rows, stretch = r->choice.stretch,
         noise = sigma / rows / (stretch * stretch) * sqrt((double)p);
  for (size_t j = 0; j < p; j++)
    for (size_t k = j; k < p; k++)
      r->gram[j * p + k] = r->gram[k * p + j] = r->moment[at(width, j, k)] / (rows * stretch * stretch);
  if (!tacit_eigen(p, r->gram, r->values))
    return tacit_fail(error, TACIT_INTERNAL, "the eigenvalues of a moment could not be found");
  for (size_t e = 0; e < p; e++) {
    double inverse = 1 / (fmax(r->values[e], noise) + noise);
    for (size_t t = 0; t < d; t++) {
      double along = 0;
      for (size_t j = 0; j < p; j++)
        along += r->gram[j * p + e] * r->moment[at(width, j, p + t)] / (rows * stretch);
      for (size_t j = 0; j < p; j++) r->rule[t * p + j] += r->gram[j * p + e] * along * inverse;
    }
  }
  tacit_decisions_finish(&r->all, r->rule);
  return TACIT_OK;
}

static tacit_status run(regression *r, tacit_error *error) {
  tacit_task *task = r->all.task;
  size_t p = r->all.p, d = r->all.d;
  double sigma;
  r->costs = tacit_alloc(d, sizeof *r->costs);
  if (!r->costs) return tacit_no_memory(error);
  r->moment = r->all.numbers;
  r->gram = r->moment + (p + d) * (p + d + 1) / 2;
  r->values = r->gram + p * p;
  r->rule = r->values + p;
  const tacit_question question = ask(r);
  TACIT_TRY(tacit_task_pay(task, error));
  TACIT_TRY(tacit_progress(task->context, "learning", 0, error));
  TACIT_TRY(tacit_private_rows(task, TACIT_ALL_TARGETS, &question, r->moment, &sigma, error));
  return solve(r, sigma, error);
}

tacit_status tacit_learn_spo_least_squares(tacit_task *task, tacit_error *error) {
  size_t p = task->schema->columns, d = task->schema->target_count;
  regression r = {.choice = tacit_spo_moment_choose(p, d)};
  tacit_status status =
      tacit_decisions_open(&r.all, task, (p + d) * (p + d + 1) / 2 + p * p + p + p * d, error);
  if (status == TACIT_OK) status = run(&r, error);
  tacit_decisions_close(&r.all);
  free(r.costs);
  return status;
}
