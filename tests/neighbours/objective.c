/* Objective perturbation, looked at from outside in 256 bits: the gradient of the perturbed objective at the
   solution that was released, the exact minimiser next to it, and what one unit can change there.

     G_D(theta) = sum_i (Kbar((x_i'theta - y_i) / h) - tau) x_i + Lambda theta,   G_D(theta) + b = 0

   The minimiser t of table D with the linear term b is that of D' with b' = b + G_D(t) - G_D'(t): the two
   may differ by the reach of the scores (lemma 2), and with b' in its place the solution that is computed for
   D' may differ from that for D by the stated sensitivity of the minimiser (theorem 4). */
#include "neighbours/neighbours.h"

#include "method/objective.h"
#include "num/linalg.h"

#include <math.h>
#include <mpfr.h>
#include <stdlib.h>

enum { DIGITS = 256, STEPS = 40, D_MOST = 64 };

/* A vector of exact numbers. */
typedef struct vector {
  size_t d;
  mpfr_t at[D_MOST];
} vector;

static void vector_open(vector *v, size_t d) {
  if (d > D_MOST) abort();
  v->d = d;
  for (size_t j = 0; j < d; j++) {
    mpfr_init2(v->at[j], DIGITS);
    mpfr_set_zero(v->at[j], 1);
  }
}

static void vector_close(vector *v) {
  for (size_t j = 0; j < v->d; j++) mpfr_clear(v->at[j]);
}

static double vector_norm(const vector *v) {
  mpfr_t square;
  mpfr_init2(square, DIGITS);
  mpfr_set_zero(square, 1);
  for (size_t j = 0; j < v->d; j++) mpfr_fma(square, v->at[j], v->at[j], square, MPFR_RNDU);
  mpfr_sqrt(square, square, MPFR_RNDU);
  double norm = mpfr_get_d(square, MPFR_RNDU);
  mpfr_clear(square);
  return norm;
}

/* Everything about one target. */
typedef struct view {
  const problem *problem;
  tacit_mechanism objective, minimiser; /* as planned; minimiser.clip is gamma */
  tacit_kernel kernel;
  double bandwidth, steepest; /* encoded; the table's steepest slope over it */
  int reach_bits;             /* 2^reach_bits >= B_theta */
  tacit_clipped_rows rows[2]; /* of both tables */
  tacit_kernel_table table;
  const int64_t *b;
  vector theta, gradient, other;
  double hessian[D_MOST * D_MOST];
} view;

/* Kbar of the table at (margin / h + 32) 64, which is `at` and becomes the score; its slope in the margin. */
static double score_at(const view *v, mpfr_t at) {
  if (mpfr_sgn(at) <= 0) {
    mpfr_set_zero(at, 1);
    return 0;
  }
  if (mpfr_cmp_ui(at, TACIT_TABLE_STEPS) >= 0) {
    mpfr_set_ui(at, 1, MPFR_RNDN);
    return 0;
  }
  long k = mpfr_get_si(at, MPFR_RNDZ);
  int64_t value = v->table.value[k], rise = v->table.value[k + 1] - value;
  mpfr_sub_si(at, at, k, MPFR_RNDN);
  mpfr_mul_si(at, at, rise, MPFR_RNDN);
  mpfr_add_si(at, at, value, MPFR_RNDN);
  mpfr_div_2ui(at, at, TACIT_TABLE_BITS, MPFR_RNDN);
  return ldexp((double)rise, 6 - TACIT_TABLE_BITS) / v->bandwidth;
}

/* The sum of all rows' gradients at theta; with hessian, that of their second derivatives too. */
static void add_rows(view *v, const tacit_clipped_rows *rows, vector *sum, bool hessian) {
  const tacit_mechanism *m = &v->objective;
  double tau = ldexp(nearbyint(ldexp(m->level, TACIT_EXACT_SCORE_BITS)), -TACIT_EXACT_SCORE_BITS);
  size_t d = rows->columns;
  mpfr_t u, part;
  mpfr_inits2(DIGITS, u, part, (mpfr_ptr)0);
  for (size_t i = 0; i < rows->rows; i++) {
    const int32_t *x = rows->cells + i * d;
    mpfr_set_si_2exp(u, -(long)rows->targets[i], TACIT_CELL_BITS - TACIT_TARGET_BITS, MPFR_RNDN);
    for (size_t j = 0; j < d; j++) {
      mpfr_mul_si(part, v->theta.at[j], x[j], MPFR_RNDN);
      mpfr_add(u, u, part, MPFR_RNDN);
    }
    mpfr_div_2ui(u, u, TACIT_CELL_BITS, MPFR_RNDN);
    mpfr_div_d(u, u, v->bandwidth, MPFR_RNDN);
    mpfr_add_ui(u, u, 32, MPFR_RNDN);
    mpfr_mul_2ui(u, u, 6, MPFR_RNDN);
    double slope = score_at(v, u);
    mpfr_sub_d(u, u, tau, MPFR_RNDN);
    mpfr_div_2ui(u, u, TACIT_CELL_BITS, MPFR_RNDN);
    for (size_t j = 0; j < d; j++) {
      mpfr_mul_si(part, u, x[j], MPFR_RNDN);
      mpfr_add(sum->at[j], sum->at[j], part, MPFR_RNDN);
      for (size_t k = 0; hessian && k < d; k++)
        v->hessian[j * d + k] += slope * ldexp(x[j], -TACIT_CELL_BITS) * ldexp(x[k], -TACIT_CELL_BITS);
    }
  }
  mpfr_clears(u, part, (mpfr_ptr)0);
}

/* gradient = G_D(theta) + b of the first table, and its Hessian; the norm. */
static double set_gradient(view *v) {
  const tacit_mechanism *m = &v->objective;
  size_t d = v->theta.d;
  for (size_t j = 0; j < d; j++) {
    mpfr_set_si_2exp(v->gradient.at[j], v->b[j], -m->bits, MPFR_RNDN);
    mpfr_t part;
    mpfr_init2(part, DIGITS);
    mpfr_mul_d(part, v->theta.at[j], m->lambda, MPFR_RNDN);
    mpfr_add(v->gradient.at[j], v->gradient.at[j], part, MPFR_RNDN);
    mpfr_clear(part);
    for (size_t k = 0; k < d; k++) v->hessian[j * d + k] = j == k ? m->lambda : 0;
  }
  add_rows(v, &v->rows[0], &v->gradient, true);
  return vector_norm(&v->gradient);
}

/* From the computed solution to the exact one: a few Newton steps, shortened where the slope changes. */
static bool find_minimiser(view *v, double enough) {
  size_t d = v->theta.d;
  double norm = set_gradient(v), step[D_MOST];
  for (int k = 0; k < STEPS && norm > enough; k++) {
    for (size_t j = 0; j < d; j++) step[j] = mpfr_get_d(v->gradient.at[j], MPFR_RNDN);
    if (!tacit_solve_definite(d, v->hessian, step)) return false;
    double before = norm, length = 1;
    for (size_t j = 0; j < d; j++) mpfr_sub_d(v->theta.at[j], v->theta.at[j], step[j], MPFR_RNDN);
    while ((norm = set_gradient(v)) >= before && length > 0x1p-30) { /* go back half of what is left */
      length /= 2;
      for (size_t j = 0; j < d; j++) mpfr_add_d(v->theta.at[j], v->theta.at[j], length * step[j], MPFR_RNDN);
    }
  }
  return norm <= enough;
}

/* The learner's own solution again, which what was seen at the gate must be, on its grid. */
static bool solve_again(view *v, const uint64_t *seen) {
  const tacit_clipped_rows *rows = &v->rows[0];
  size_t d = rows->columns;
  double grid = ldexp(sqrt((double)d), -v->objective.bits);
  tacit_perturbed perturbed = {.rows = rows,
                               .table = &v->table,
                               .tau = v->objective.level,
                               .bandwidth = v->bandwidth,
                               .lambda = v->objective.lambda,
                               .steepest = v->steepest,
                               .smoothness = v->objective.smoothness,
                               .slack = (double)rows->rows * v->objective.clip * 0x1p-56 + grid / 2,
                               .linear = v->b,
                               .linear_bits = v->objective.bits,
                               .threads = 1};
  tacit_solver_room room;
  tacit_int128 theta[D_MOST], most = (tacit_int128)1 << (v->minimiser.bits + v->reach_bits);
  if (tacit_solver_room_new(rows, 1, &room, NULL) != TACIT_OK ||
      tacit_perturbed_solve(&perturbed, v->minimiser.clip, &room, NULL, theta, NULL, NULL) != TACIT_OK)
    abort();
  tacit_solver_room_free(&room);
  bool same = true;
  int down = TACIT_THETA_BITS - v->minimiser.bits;
  for (size_t j = 0; j < d; j++) {
    mpfr_set_si_2exp(v->theta.at[j], (long)(theta[j] >> 60), 60 - TACIT_THETA_BITS, MPFR_RNDN);
    mpfr_t low;
    mpfr_init2(low, DIGITS);
    mpfr_set_si_2exp(low, (long)(theta[j] & (((tacit_int128)1 << 60) - 1)), -TACIT_THETA_BITS, MPFR_RNDN);
    mpfr_add(v->theta.at[j], v->theta.at[j], low, MPFR_RNDN);
    mpfr_clear(low);
    tacit_int128 r = (theta[j] + ((tacit_int128)1 << (down - 1))) >> down;
    r = r > most ? most : r < -most ? -most : r;
    same = same && (uint64_t)(int64_t)r == seen[j];
  }
  return same;
}

/* Rows are no longer than the clip norm; no loss is steeper than stated: the kernel's table, one step of
   which is a 64th of a bandwidth, times a row's squared norm. */
static void check_curvature(const view *v, tally *found) {
  const tacit_mechanism *m = &v->objective;
  double steepest = 0, clip = floor(ldexp(m->clip, TACIT_CELL_BITS)), longest = 0;
  for (size_t k = 0; k < TACIT_TABLE_STEPS; k++)
    steepest = fmax(steepest, (double)(v->table.value[k + 1] - v->table.value[k]));
  for (size_t which = 0; which < 2; which++)
    for (size_t i = 0; i < v->rows[which].rows; i++) {
      double square = 0; /* below 2^53 */
      for (size_t j = 0; j < v->rows[which].columns; j++) {
        double x = v->rows[which].cells[i * v->rows[which].columns + j];
        square += x * x;
      }
      longest = fmax(longest, square);
    }
  double curvature =
      ldexp(steepest, 6 - TACIT_TABLE_BITS) / v->bandwidth * ldexp(longest, -2 * TACIT_CELL_BITS);
  if (longest > clip * clip) tally_note(found, v->problem, "a row is longer than its clip norm");
  if (curvature > m->smoothness) tally_note(found, v->problem, "a loss is steeper than stated");
}

/* linear = b + G_D(t) - G_D'(t), on b's grid; how far that is, against the stated reach. */
static void follow(view *v, fault planted, tally *found, int64_t *linear) {
  const tacit_mechanism *m = &v->objective;
  for (size_t j = 0; j < v->theta.d; j++) {
    mpfr_set_zero(v->gradient.at[j], 1);
    mpfr_set_zero(v->other.at[j], 1);
  }
  add_rows(v, &v->rows[0], &v->gradient, false);
  add_rows(v, &v->rows[1], &v->other, false);
  for (size_t j = 0; j < v->theta.d; j++) {
    mpfr_sub(v->gradient.at[j], v->gradient.at[j], v->other.at[j], MPFR_RNDN);
    mpfr_mul_2si(v->other.at[j], v->gradient.at[j], m->bits, MPFR_RNDN);
    mpfr_add_si(v->other.at[j], v->other.at[j], v->b[j], MPFR_RNDN);
    linear[j] = mpfr_get_si(v->other.at[j], MPFR_RNDN);
  }
  double stated = (planted == STATED_TOO_SMALL ? 0.99 : 1) * m->sensitivity;
  tally_ratio(found, v->problem, TACIT_RELEASE_OBJECTIVE, ldexp(vector_norm(&v->gradient), m->bits) / stated);
  if (planted != SOLVED_TOO_SOON) return;
  double steep = ((double)v->rows[1].rows * m->smoothness + m->lambda) / m->lambda;
  linear[0] += (int64_t)ldexp(4 * v->minimiser.clip * steep, m->bits);
}

static bool follow_target(view *v, const uint64_t *solution, fault planted, tally *found, int64_t *linear) {
  double gamma = v->minimiser.clip;
  if (!tacit_kernel_table_fill(&v->table, v->kernel)) abort();
  check_curvature(v, found);
  if (!solve_again(v, solution)) {
    tally_note(found, v->problem, "the solution is not what its gradient was certified for");
    return false;
  }
  double ratio = set_gradient(v) / gamma;
  found->gradient = fmax(found->gradient, ratio);
  if (ratio > 1) tally_note(found, v->problem, "a gradient is longer than certified");
  if (!find_minimiser(v, gamma * 1e-6)) {
    tally_note(found, v->problem, "the exact minimiser was not found");
    return false;
  }
  follow(v, planted, found, linear);
  return true;
}

/* What the learner was going to do for a target. */
static void set_target(view *v, const planned *plan, size_t target) {
  const tacit_choice *choice = &plan->choice;
  double theta = choice->theta[target];
  const tacit_objective_facts facts = tacit_objective_facts_of(&plan->facts, choice, target, theta);
  v->objective = plan->plan.list->mechanisms[2 * target];
  v->minimiser = plan->plan.list->mechanisms[2 * target + 1];
  v->kernel = choice->kernel;
  v->bandwidth = choice->bandwidth[target];
  v->steepest = tacit_objective_slope(&facts, v->bandwidth);
  v->reach_bits = tacit_objective_reach_bits(theta);
}

bool objective_follow(const problem *p, const planned *plan, const table *one, const table *two,
                      const transcript *seen, fault planted, tally *found, int64_t *linear) {
  tacit_design *designs[2] = {design_of(p, one), design_of(p, two)};
  size_t d = p->schema->columns, at = 0;
  bool good = true;
  view *v = calloc(1, sizeof *v);
  if (!v) abort();
  vector_open(&v->theta, d);
  vector_open(&v->gradient, d);
  vector_open(&v->other, d);
  v->problem = p;
  for (size_t k = 0; k + 1 < seen->count && good; k += 2, at += 2 * d) { /* a linear term, a minimiser */
    size_t target = seen->mechanisms[k].target;
    set_target(v, plan, target);
    v->b = (const int64_t *)seen->noisy + at;
    for (size_t which = 0; which < 2; which++) {
      if (tacit_clipped_rows_new(designs[which], &v->rows[which], NULL) != TACIT_OK) abort();
      tacit_clipped_rows_fill(designs[which], target, v->objective.clip, &v->rows[which]);
    }
    good = follow_target(v, seen->exact + at + d, planted, found, linear + target * d);
    for (size_t which = 0; which < 2; which++) tacit_clipped_rows_free(&v->rows[which]);
  }
  vector_close(&v->theta);
  vector_close(&v->gradient);
  vector_close(&v->other);
  free(v);
  tacit_design_free(designs[0]);
  tacit_design_free(designs[1]);
  return good;
}
