/* Private prediction, then optimisation: least squares from one noisy second moment of (row, costs), for
   comparison with what is learned for the decision's sake. The release is a moment of clipped vectors
   (proofs/exact-sums.md); everything after it is computed from it and public facts (proofs/spo.md). */
#include "base/base.h"
#include "learn/spo.h"
#include "num/linalg.h"

#include <math.h>
#include <stdlib.h>

typedef struct regression {
  tacit_spo_task *task;
  tacit_spo_moment choice;
  double *moment; /* (p + d)(p + d + 1) / 2 */
  double *gram, *values, *rule;
  tacit_target_part *costs;
  tacit_question question;
} regression;

/* (stretched row, costs in common units from their centres), for a moment. */
static void set_question(regression *r) {
  const tacit_schema *schema = r->task->schema;
  for (size_t t = 0; t < schema->target_count; t++)
    r->costs[t] = (tacit_target_part){.target = t,
                                      .spread = 1,
                                      .cut = INFINITY,
                                      .factor = schema->targets[t].scale.half / r->task->unit,
                                      .over = 1};
  r->question = (tacit_question){.kind = TACIT_QUESTION_ROWS,
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
  const tacit_spo_task *task = r->task;
  size_t p = task->schema->columns, d = task->region->dimension, width = p + d;
  double stretch = r->choice.stretch, noise = sigma / task->rows / (stretch * stretch) * sqrt((double)p);
  for (size_t j = 0; j < p; j++)
    for (size_t k = j; k < p; k++)
      r->gram[j * p + k] = r->gram[k * p + j] = r->moment[at(width, j, k)] / (task->rows * stretch * stretch);
  if (!tacit_eigen(p, r->gram, r->values))
    return tacit_fail(error, TACIT_INTERNAL, "the eigenvalues of a moment could not be found");
  for (size_t e = 0; e < p; e++) {
    double inverse = 1 / (fmax(r->values[e], noise) + noise);
    for (size_t t = 0; t < d; t++) {
      double along = 0;
      for (size_t j = 0; j < p; j++)
        along += r->gram[j * p + e] * r->moment[at(width, j, p + t)] / (task->rows * stretch);
      for (size_t j = 0; j < p; j++) r->rule[t * p + j] += r->gram[j * p + e] * along * inverse;
    }
  }
  tacit_spo_finish(task, r->rule);
  return TACIT_OK;
}

/* The one release there is, paid for. */
static tacit_status spend(const regression *r, const tacit_budget *budget, tacit_error *error) {
  tacit_certificate *planned;
  tacit_mechanism m = tacit_budget_row_mechanism(&r->question.rows);
  TACIT_TRY(tacit_budget_fill(budget, 1, &m, error));
  TACIT_TRY(tacit_certificate_new("plan", &planned, error));
  tacit_status status = tacit_certificate_add(planned, &m, error);
  if (status == TACIT_OK) status = tacit_spo_spend(r->task, planned, error);
  tacit_certificate_free(planned);
  return status;
}

static tacit_status run(regression *r, tacit_budget *budget, tacit_error *error) {
  tacit_spo_task *task = r->task;
  size_t p = task->schema->columns, d = task->region->dimension;
  double sigma;
  r->moment = tacit_alloc((p + d) * (p + d + 1) / 2, sizeof(double));
  r->gram = tacit_alloc(p * p + p + p * d, sizeof(double));
  r->costs = tacit_alloc(d, sizeof *r->costs);
  if (!r->moment || !r->gram || !r->costs) return tacit_no_memory(error);
  r->values = r->gram + p * p;
  r->rule = r->values + p;
  set_question(r);
  TACIT_TRY(spend(r, budget, error));
  TACIT_TRY(tacit_step(task->context, "learning", 0, error));
  TACIT_TRY(tacit_budget_row_sum(budget, task->asked, &r->question, 1, r->moment, &sigma, error));
  return solve(r, sigma, error);
}

tacit_status tacit_spo_least_squares(tacit_spo_task *task, tacit_error *error) {
  const tacit_spo_options *o = task->options;
  if (o->steps || o->average || o->step_size != 0 || o->growth != 0 || o->clip_norm != 0)
    return tacit_fail(error, TACIT_USAGE,
                      "steps, step size, growth, average and clip norm are options of descent; least-squares "
                      "has none");
  tacit_noise_source noise;
  tacit_learn_noise(&task->promise, &noise);
  noise.ranks = task->context ? task->context->ranks : NULL;
  tacit_budget budget = {.gate = {&noise, task->fit->certificate, task->fit->probe},
                         .mu = o->mu,
                         .target = TACIT_ALL_TARGETS,
                         .adjacency = o->adjacency,
                         .rows_per_unit = task->schema->rows_per_unit};
  regression r = {.task = task,
                  .choice = tacit_spo_moment_choose(task->schema->columns, task->region->dimension)};
  tacit_status status = run(&r, &budget, error);
  free(r.moment);
  free(r.gram);
  free(r.costs);
  return status;
}
