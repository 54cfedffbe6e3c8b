/* Objective perturbation (Chen and Chua's Algorithm 2), sound:

     argmin  sum_i l_h(theta; z_i) + (Lambda/2) |theta|^2 + b'theta,   b ~ N(0, sigma^2 I),  Lambda = 2 n
   lambda

   on rows clipped to norm B_x, then Gaussian noise for the distance of the computed minimiser to the exact
   one, then projection to |theta| <= B_theta. lambda and h from their Theorem 3.6, sigma from the exact curve
   under the asked adjacency (proofs/objective-perturbation.md). Lambda, h, sigma, B_x, B_theta and gamma are
   public. */
#include "learn/objective.h"

#include "base/base.h"
#include "learn/learners.h"
#include "method/objective.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* theta from its grid to the release's, each coordinate cut to the nearest power of two above B_theta: both
   move two points no further apart than the release's sensitivity counts with. */
static void to_grid(const tacit_int128 *theta, size_t d, int bits, int reach_bits, uint64_t *out) {
  int down = TACIT_THETA_BITS - bits;
  tacit_int128 most = (tacit_int128)1 << (bits + reach_bits);
  for (size_t j = 0; j < d; j++) {
    tacit_int128 v = (theta[j] + ((tacit_int128)1 << (down - 1))) >> down; /* to nearest */
    v = v > most ? most : v < -most ? -most : v;
    out[j] = (uint64_t)(int64_t)v;
  }
}

/* Room for one target's solution: secret until it has its noise. */
typedef struct secret {
  tacit_int128 theta[TACIT_COLUMNS_MAX];
  int64_t linear[TACIT_COLUMNS_MAX];
  uint64_t rounded[TACIT_COLUMNS_MAX];
  tacit_kernel_table table;
  tacit_clipped_rows rows;
  tacit_solver_room room;
} secret;

static const tacit_design *design_of(const tacit_task *task) {
  return task->rows.own->design;
}

static tacit_status learn_target(tacit_task *task, size_t t, secret *s, tacit_error *error) {
  const tacit_choice *choice = &task->choice;
  const tacit_mechanism *planned = tacit_plan_next(&task->plan, t); /* and the minimiser behind it */
  size_t d = task->schema->columns;
  if (!planned) return tacit_gate_astray(error);
  const tacit_mechanism objective = planned[0], minimiser = planned[1];
  const tacit_objective_facts facts = tacit_objective_facts_of(&task->facts, choice, t, choice->theta[t]);
  tacit_clipped_rows_fill(design_of(task), tacit_task_column(task, t), objective.clip, &s->rows);
  double per_row = objective.clip * 0x1p-56; /* the rounding of a score, times the row */
  double grid = ldexp(sqrt((double)d), -objective.bits);
  tacit_perturbed problem = {.rows = &s->rows,
                             .table = &s->table,
                             .tau = objective.level,
                             .bandwidth = choice->bandwidth[t],
                             .lambda = objective.lambda,
                             .steepest = tacit_objective_slope(&facts, choice->bandwidth[t]),
                             .smoothness = objective.smoothness,
                             .slack = (double)s->rows.rows * per_row + grid / 2,
                             .linear = s->linear,
                             .linear_bits = objective.bits,
                             .threads = tacit_threads(task->context)};
  TACIT_TRY(tacit_release_linear(&task->gate, t, s->linear, error));
  TACIT_TRY(tacit_perturbed_solve(&problem, minimiser.clip, &s->room, task->context, s->theta, NULL, error));
  to_grid(s->theta, d, minimiser.bits, tacit_objective_reach_bits(choice->theta[t]), s->rounded);
  double *coefficients = tacit_task_coefficients(task, t);
  TACIT_TRY(
      tacit_release_sum(&task->gate, t, TACIT_RELEASE_MINIMISER, s->rounded, coefficients, NULL, error));
  tacit_project(coefficients, d, choice->theta[t]);
  return TACIT_OK;
}

static void free_secret(secret *s) {
  if (!s) return;
  tacit_clipped_rows_free(&s->rows);
  tacit_solver_room_free(&s->room);
  tacit_free_wiped(s, sizeof *s);
}

/* All memory, and the kernel's table; to be freed also after a failure. */
static tacit_status open_secret(const tacit_task *task, secret **s, tacit_error *error) {
  *s = tacit_alloc_aligned(1, sizeof **s);
  if (!*s) return tacit_no_memory(error);
  TACIT_TRY(tacit_clipped_rows_new(design_of(task), &(*s)->rows, error));
  TACIT_TRY(tacit_solver_room_new(&(*s)->rows, tacit_threads(task->context), &(*s)->room, error));
  if (tacit_kernel_table_fill(&(*s)->table, task->choice.kernel)) return TACIT_OK;
  return tacit_fail(error, TACIT_INTERNAL, "the kernel's table is steeper than the kernel");
}

tacit_status tacit_learn_objective(tacit_task *task, tacit_error *error) {
  secret *s = NULL;
  tacit_status status = open_secret(task, &s, error);
  if (status == TACIT_OK) status = tacit_task_pay(task, error);
  for (size_t t = 0; t < task->schema->target_count && status == TACIT_OK; t++)
    status = learn_target(task, t, s, error);
  free_secret(s);
  return status;
}
