/* How sure a linear rule is. Its releases so far do not say how thick demand lies around it, nor how that
   differs from row to row: the spread of its residuals is learned as that of a rule with one, with a small
   share, and one count says how many are near. */
#include "learn/uncertainty.h"

#include "base/base.h"
#include "loss/rule.h"
#include "num/normal.h"

#include <math.h>
#include <stdlib.h>

static const double LOCATION_BANDWIDTH = 0.15; /* as median_newton_step.c has it, in normal spreads */
static const double SMOOTHEST = 0.25;          /* smoothing leaves at least this part of a score's variance */
static const double SLIGHTLY = 0.1;
static const double NEAR_VARIANCE = 0.06; /* of the logarithm of how many are near, beforehand */

/* One spread for all rows, where the budget buys no more. */
static void one_spread(tacit_scaled *scaled) {
  const tacit_newton *newton = &scaled->newton;
  tacit_log_spread_bounds(newton->range, &scaled->least, &scaled->most);
  scaled->ag = fmax(scaled->least, fmin(scaled->most, log(TACIT_MAD * newton->s)));
  for (size_t k = 0; k < newton->d; k++) scaled->xg[k] = 0;
}

/* The part of residuals that lie near the rule. */
static tacit_status find_near(tacit_scaled *scaled, double *near, tacit_error *error) {
  const tacit_newton *newton = &scaled->newton;
  double z = tacit_normal_quantile(newton->tau), half = TACIT_NEAR_QUANTILE * TACIT_MAD, count, sigma;
  double usual = newton->recipe.share.sure > 0 ? tacit_normal_cdf(half) - tacit_normal_cdf(-half)
                                               : tacit_normal_cdf(z + half) - tacit_normal_cdf(z - half);
  const tacit_score_part part = tacit_scaled_part(scaled, newton->x, newton->a, 0);
  TACIT_TRY(tacit_scaled_ask(scaled, &part, false, error));
  TACIT_TRY(tacit_scaled_within(scaled, &count, &sigma, error));
  double noise = sigma / (newton->n * usual), keep = NEAR_VARIANCE / (NEAR_VARIANCE + noise * noise);
  double more = fmax(0.2, fmin(4, count / (newton->n * usual)));
  *near = usual * (1 + keep * (more - 1));
  return TACIT_OK;
}

/* How far residuals lie from the rule, as releases say: shares between edges. */
enum { EDGES = 4 };
typedef struct shape {
  double edge[EDGES + 1], mass[EDGES];
} shape;

/* near: within TACIT_NEAR_QUANTILE spreads; typical: the spread, within which is half of them. */
static shape shape_of(const tacit_newton *newton, double near, double typical) {
  double wide = fmax(newton->s, 1.05 * typical);
  near = fmin(near, 0.49);
  return (shape){.edge = {0, TACIT_NEAR_QUANTILE * typical, typical, wide, 3 * wide},
                 .mass = {near, 0.5 - near, TACIT_INSIDE - 0.5, 1 - TACIT_INSIDE}};
}

/* The density at the rule where spreads are `times` as large, smoothed by h. */
static double density(const shape *r, double times, double h) {
  double sum = 0;
  for (int i = 0; i < EDGES; i++) {
    double from = r->edge[i] * times, to = r->edge[i + 1] * times;
    sum += r->mass[i] / (to - from) * (tacit_normal_cdf(to / h) - tacit_normal_cdf(from / h));
  }
  return sum;
}

/* What smoothing takes from the variance of scores: the mean of Phi (1 - Phi). */
static double smoothed_away(const shape *r, double h) {
  enum { POINTS = 8 };
  double sum = 0;
  for (int i = 0; i < EDGES; i++)
    for (int k = 0; k < POINTS; k++) {
      double at = r->edge[i] + (r->edge[i + 1] - r->edge[i]) * (k + 0.5) / POINTS;
      double below = tacit_normal_cdf(at / h);
      sum += r->mass[i] / POINTS * below * (1 - below);
    }
  return sum;
}

/* A step whose scores are smoothed by h spreads: its variance, the true curvature that it sees in units of
   the one it was made for, and how that follows the spread of a row: as its power. */
typedef struct stepping {
  double variance, curvature, power;
} stepping;

static stepping stepping_of(const tacit_newton *newton, const shape *r, double spreads) {
  double h = spreads * newton->s, f = density(r, 1, h), wide = sqrt(1 + spreads * spreads);
  double assumed = tacit_normal_pdf(tacit_normal_quantile(newton->tau) / wide) / (newton->s * wide);
  double rows = newton->n - (double)newton->d - 1, score = newton->tau * (1 - newton->tau);
  rows = fmax(rows * rows / newton->n, newton->n / 4); /* residuals of few rows are too small */
  return (stepping){.variance =
                        fmax(SMOOTHEST * score, score - smoothed_away(r, h)) / (rows * assumed * assumed),
                    .curvature = f / assumed,
                    .power = log(density(r, 1 + SLIGHTLY, h) / f) / log1p(SLIGHTLY)};
}

/* Curvature and scatter of (1, w), location first. */
typedef struct around {
  double *curvature, *scatter, *start;
} around;

static tacit_status fill(const tacit_scaled *scaled, double near, around *at, tacit_error *error) {
  const tacit_newton *newton = &scaled->newton;
  size_t d = newton->d, size = d + 1;
  tacit_tilted tilted = {.typical = exp(scaled->ag)};
  if (d) TACIT_TRY(tacit_scaled_tilted(scaled, &tilted, error)); /* without slopes all rows are alike */
  shape r = shape_of(newton, near, tilted.typical);
  double reach = fmax(1, newton->recipe.score_clip / newton->recipe.clip_part);
  stepping location = stepping_of(newton, &r, LOCATION_BANDWIDTH), slopes = location;
  if (d) slopes = stepping_of(newton, &r, newton->bandwidth);
  if (d) slopes.variance *= tacit_clip_scatter(reach * reach, newton->recipe.score_clip);
  double *c = tacit_alloc(d + d * d, sizeof *c), *S = c + d,
         both = sqrt(location.curvature * slopes.curvature), factor;
  bool right = c && tacit_weighed_rows(scaled, 0, c, S, &factor) && tacit_made_definite(d, S, c, &factor);
  at->scatter[0] = location.variance;
  for (size_t j = 0; right && j < d; j++)
    for (size_t k = 0; k < d; k++) at->scatter[(j + 1) * size + k + 1] = slopes.variance * S[j * d + k];
  right = right && tacit_weighed_rows(scaled, slopes.power, c, S, &factor) &&
          tacit_made_definite(d, S, c, &factor);
  at->curvature[0] = location.curvature;
  for (size_t j = 0; right && j < d; j++) {
    at->curvature[j + 1] = at->curvature[(j + 1) * size] = both * c[j];
    for (size_t k = 0; k < d; k++)
      at->curvature[(j + 1) * size + k + 1] = slopes.curvature * (S[j * d + k] + c[j] * c[k]);
  }
  free(c);
  return right ? TACIT_OK : tacit_no_memory(error);
}

/* Location and slopes: what rows by chance are, as far as steps have followed them; what is left of what was
   unknown; and the steps' noise. */
static tacit_status covariance(const tacit_scaled *scaled, double near, double *C, tacit_error *error) {
  const tacit_newton *newton = &scaled->newton;
  const tacit_followed *followed = &newton->followed;
  size_t d = newton->d, size = d + 1;
  double *room = tacit_alloc(3 * size * size, sizeof *room);
  around at = {room, room + size * size, room + 2 * size * size};
  tacit_flow flow = {0};
  bool right = room && tacit_flow_open(&flow, size);
  tacit_status status = right ? fill(scaled, near, &at, error) : tacit_no_memory(error);
  for (size_t j = 0; status == TACIT_OK && j < size; j++) {
    size_t from = j ? j - 1 : d;
    flow.taken[j] = (newton->recipe.secant ? TACIT_LEARNED_PACE : 1) * followed->taken[from];
    at.start[j * size + j] = followed->start[from];
    C[j * size + j] = followed->noise[from];
  }
  right = status == TACIT_OK && tacit_flow_turn(&flow, at.curvature) &&
          tacit_add_around(size, flow.T, at.scatter, C, size) &&
          tacit_add_around(size, flow.L, at.start, C, size);
  if (status == TACIT_OK && !right) status = tacit_no_memory(error);
  tacit_flow_close(&flow);
  free(room);
  return status;
}

static tacit_status carry(const tacit_scaled *scaled, double near, tacit_sources *sources,
                          tacit_error *error) {
  const tacit_newton *newton = &scaled->newton;
  double *x = newton->step; /* it is not needed any more */
  TACIT_TRY(covariance(scaled, near, sources->covariance, error));
  for (size_t i = 0; i <= newton->d; i++) {
    for (size_t k = 0; k < newton->d; k++) x[k] = k + 1 == i;
    tacit_newton_coefficients(newton, x, i == 0, sources->carried + i * sources->numbers);
  }
  return tacit_sources_give(sources, newton->task, newton->target, error);
}

tacit_status tacit_linear_uncertainty(tacit_scaled *scaled, tacit_error *error) {
  tacit_newton *newton = &scaled->newton;
  tacit_sources sources;
  double near;
  bool far = newton->task->choice.way[newton->target] == TACIT_WAY_FAR;
  if (!newton->task->choice.intervals || far) return TACIT_OK;
  if (newton->recipe.share.sure > 0)
    TACIT_TRY(tacit_scaled_spread(scaled, error));
  else
    one_spread(scaled);
  TACIT_TRY(find_near(scaled, &near, error));
  bool opened = tacit_sources_open(&sources, newton->d + 1, newton->task);
  tacit_status status = opened ? carry(scaled, near, &sources, error) : tacit_no_memory(error);
  tacit_sources_close(&sources);
  for (size_t k = 0; k < newton->d; k++) scaled->xg[k] = 0; /* the rule has none */
  scaled->ag = 0;
  return status;
}
