/* What the private evaluation releases of each target, one after the other:

     rows   N + sigma Z, where their number is not public
     bound  B: halvings of [C / 2^10, C], on a scale of octaves, for the cost that few rows exceed, each by a
            noisy count of the rows that do; half an octave above it, so that fewer do
     cost   the sum of min(cost, B) / B
     cut    how many rows cost more than B

   Every one is a count (proofs/exact-sums.md): a row moves it by at most 1. C the largest cost that the
   schema leaves, or the caller's bound. */
#include "learn/estimate_cost.h"

#include "base/base.h"

#include <math.h>
#include <stdlib.h>

static const double OCTAVES = 10; /* the least bound is 2^-10 of the largest */
/* A bound that more rows exceed is too low: this share, and a standard deviation of its noise, so that few
   tables have a higher one by chance. */
static const double FEW = 0.05, MOST = 0.3;
static const double ABOVE = 1.4142135623730951; /* half an octave */

void tacit_estimate_share(tacit_estimate_pass *pass) {
  bool counted = pass->options->adjacency == TACIT_ADD_REMOVE || pass->schema->unit_column;
  bool found = pass->options->bound == 0;
  tacit_estimate_shares *share = &pass->share;
  *share = (tacit_estimate_shares){.rows = counted ? 0.15 : 0, .bound = found ? 0.25 : 0, .cut = 0.05};
  share->cost = 1 - share->rows - share->bound - share->cut;
}

tacit_status tacit_estimate_plan(tacit_estimate_pass *pass, tacit_error *error) {
  const tacit_estimate_shares *share = &pass->share;
  tacit_mechanism m = {.kind = TACIT_RELEASE_COUNT, .dimension = 1, .bits = TACIT_COST_BITS};
  TACIT_TRY(tacit_plan_open(&pass->plan, &pass->facts, error));
  for (m.target = 0; m.target < pass->schema->target_count; m.target++) {
    if (share->rows > 0) TACIT_TRY(tacit_plan_share(&pass->plan, m, share->rows, 1, error));
    if (share->bound > 0)
      TACIT_TRY(
          tacit_plan_share(&pass->plan, m, share->bound / TACIT_BOUND_COUNTS, TACIT_BOUND_COUNTS, error));
    TACIT_TRY(tacit_plan_share(&pass->plan, m, share->cost, 1, error));
    TACIT_TRY(tacit_plan_share(&pass->plan, m, share->cut, 1, error));
  }
  return tacit_plan_check(&pass->plan, error);
}

/* The exact answers of all targets, with the bounds at pass->at. */
static tacit_status ask(tacit_estimate_pass *pass, tacit_question_kind kind, tacit_error *error) {
  const tacit_question question = {.kind = kind,
                                   .costs = {.coefficients = pass->b,
                                             .underage = pass->options->underage,
                                             .overage = pass->options->overage,
                                             .bound = pass->at,
                                             .spread = pass->g}};
  return tacit_rows_ask(&pass->rows, &question, pass->sum, error);
}

/* The target's next release, noted as one of its kind. */
static tacit_status release(tacit_estimate_pass *pass, size_t t, const char *what, tacit_estimate *e,
                            double *noisy, double *sigma, tacit_error *error) {
  const tacit_mechanism *next = tacit_plan_next(&pass->plan, t);
  if (!next) return tacit_gate_astray(error);
  double sensitivity = ldexp(next->sensitivity, -next->bits);
  TACIT_TRY(tacit_release_sum(&pass->gate, t, TACIT_RELEASE_COUNT, &pass->sum[t], noisy, sigma, error));
  tacit_estimate_release *last = e->release_count ? &e->releases[e->release_count - 1] : NULL;
  if (last && last->what == what) {
    last->count++;
    return TACIT_OK;
  }
  e->releases[e->release_count++] = (tacit_estimate_release){
      .what = what, .count = 1, .sensitivity = sensitivity, .sigma = *sigma, .mu = sensitivity / *sigma};
  return TACIT_OK;
}

static tacit_status count_rows(tacit_estimate_pass *pass, double *rows_sigma, tacit_estimate *estimates,
                               tacit_error *error) {
  size_t targets = pass->schema->target_count;
  for (size_t t = 0; t < targets; t++) {
    estimates[t].rows = pass->facts.rows;
    estimates[t].rows_public = pass->share.rows == 0;
    rows_sigma[t] = 0;
    pass->at[t] = -1;
  }
  if (pass->share.rows == 0) return TACIT_OK;
  TACIT_TRY(ask(pass, TACIT_QUESTION_DEARER, error));
  for (size_t t = 0; t < targets; t++)
    TACIT_TRY(release(pass, t, "rows", &estimates[t], &estimates[t].rows, &rows_sigma[t], error));
  return TACIT_OK;
}

/* pass->bound goes down from the largest bound to the one that is found: the upper end of what is left, and
   half an octave more, if that is not above the largest. */
static tacit_status find_bounds(tacit_estimate_pass *pass, tacit_estimate *estimates, tacit_error *error) {
  size_t targets = pass->schema->target_count;
  double width = OCTAVES; /* of what is left, in octaves, below each bound */
  if (pass->share.bound == 0) return TACIT_OK;
  for (int i = 0; i < TACIT_BOUND_COUNTS; i++, width /= 2) {
    for (size_t t = 0; t < targets; t++) pass->at[t] = pass->bound[t] * exp2(-width / 2);
    TACIT_TRY(ask(pass, TACIT_QUESTION_DEARER, error));
    for (size_t t = 0; t < targets; t++) {
      double beyond = 0, sigma = 0, rows = fmax(estimates[t].rows, 1);
      TACIT_TRY(release(pass, t, "bound", &estimates[t], &beyond, &sigma, error));
      if (beyond <= fmin(FEW + sigma / rows, MOST) * rows) pass->bound[t] = pass->at[t];
    }
  }
  for (size_t t = 0; t < targets; t++)
    pass->bound[t] = fmin(pass->bound[t] * ABOVE, tacit_estimate_largest(pass, t));
  return TACIT_OK;
}

/* One more question of all targets, with the bounds that were found; noisy and sigma have one entry for each.
 */
static tacit_status ask_and_release(tacit_estimate_pass *pass, tacit_question_kind kind, const char *what,
                                    tacit_estimate *estimates, double *noisy, double *sigma,
                                    tacit_error *error) {
  size_t targets = pass->schema->target_count;
  for (size_t t = 0; t < targets; t++) pass->at[t] = pass->bound[t];
  TACIT_TRY(ask(pass, kind, error));
  for (size_t t = 0; t < targets; t++)
    TACIT_TRY(release(pass, t, what, &estimates[t], &noisy[t], &sigma[t], error));
  return TACIT_OK;
}

/* The figures that follow from what was released. */
static void settle(const tacit_estimate_pass *pass, size_t t, const double *of, tacit_estimate *e) {
  size_t targets = pass->schema->target_count;
  double bound = pass->bound[t], rows_sigma = of[t], sum = of[targets + t], sigma = of[2 * targets + t];
  const tacit_noisy_ratio cost = {.sum = bound * sum,
                                  .sum_sigma = bound * sigma,
                                  .rows = e->rows,
                                  .rows_sigma = rows_sigma,
                                  .most = bound};
  const tacit_noisy_ratio cut = {.sum = of[3 * targets + t],
                                 .sum_sigma = of[4 * targets + t],
                                 .rows = e->rows,
                                 .rows_sigma = rows_sigma,
                                 .most = 1};
  e->cost = tacit_ratio_interval(&cost);
  e->cut = tacit_ratio_interval(&cut);
  e->standard_error = hypot(cost.sum_sigma, e->cost.value * rows_sigma) / fmax(e->rows, 1);
  e->bound = bound;
  e->bound_found = pass->share.bound > 0;
  e->mu = tacit_facts_mu(&pass->facts);
  e->grid_bits = TACIT_COST_BITS;
}

tacit_status tacit_estimate_release_all(tacit_estimate_pass *pass, tacit_estimate *estimates,
                                        tacit_error *error) {
  enum { KEPT = 5 };
  size_t targets = pass->schema->target_count;
  double *of = tacit_alloc(KEPT * targets, sizeof *of);
  if (!of) return tacit_no_memory(error);
  for (size_t t = 0; t < targets; t++) estimates[t] = (tacit_estimate){.release_count = 0};
  tacit_status status = count_rows(pass, of, estimates, error);
  if (status == TACIT_OK) status = find_bounds(pass, estimates, error);
  if (status == TACIT_OK)
    status =
        ask_and_release(pass, TACIT_QUESTION_COSTS, "cost", estimates, of + targets, of + 2 * targets, error);
  if (status == TACIT_OK)
    status = ask_and_release(pass, TACIT_QUESTION_DEARER, "cut", estimates, of + 3 * targets,
                             of + 4 * targets, error);
  for (size_t t = 0; status == TACIT_OK && t < targets; t++) settle(pass, t, of, &estimates[t]);
  free(of);
  return status;
}
