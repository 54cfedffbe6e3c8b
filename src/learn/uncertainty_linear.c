/* How sure a linear rule is. Its releases so far do not say how thick demand lies around it, nor how that
   differs from row to row: the spread of its residuals is learned as that of a rule with one, with a small
   share, and one count says how many are near. */
#include "learn/uncertainty.h"

#include "base/base.h"
#include "loss/rule.h"
#include "num/linalg.h"
#include "num/normal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double LOCATION_BANDWIDTH = 0.15; /* as median_newton_step.c has it, in normal spreads */
static const double WINDOW = 0.43;             /* what counting smooths by, in spreads */
static const double LEARNED = 4;          /* times as far steps come that learn the curvature as they go */
static const double NEAR_VARIANCE = 0.06; /* of the logarithm of how many are near, beforehand */

/* The density at the quantile of a normal residual of spread 1 that is smoothed by h. */
static double smoothed(double tau, double h) {
  double wide = sqrt(1 + h * h);
  return tacit_normal_pdf(tacit_normal_quantile(tau) / wide) / wide;
}

/* One spread for all rows, where the budget buys no more. */
static void one_spread(tacit_scaled *scaled) {
  const tacit_newton *newton = &scaled->newton;
  tacit_log_spread_bounds(newton->range, &scaled->least, &scaled->most);
  scaled->ag = fmax(scaled->least, fmin(scaled->most, log(TACIT_MAD * newton->s)));
  for (size_t k = 0; k < newton->d; k++) scaled->xg[k] = 0;
}

/* The density of residuals in spreads around 0. */
static tacit_status find_near(tacit_scaled *scaled, double *f, tacit_error *error) {
  const tacit_newton *newton = &scaled->newton;
  double z = tacit_normal_quantile(newton->tau), half = TACIT_NEAR_QUANTILE * TACIT_MAD, count, sigma;
  double usual = newton->recipe.share.sure > 0 ? tacit_normal_cdf(half) - tacit_normal_cdf(-half)
                                               : tacit_normal_cdf(z + half) - tacit_normal_cdf(z - half);
  const tacit_score_part part = tacit_scaled_part(scaled, newton->x, newton->a, 0);
  TACIT_TRY(tacit_scaled_ask(scaled, &part, false, error));
  TACIT_TRY(tacit_scaled_within(scaled, &count, &sigma, error));
  double noise = sigma / (newton->n * usual), keep = NEAR_VARIANCE / (NEAR_VARIANCE + noise * noise);
  double more = fmax(0.2, fmin(4, count / (newton->n * usual)));
  *f = usual * (1 + keep * (more - 1)) / (2 * TACIT_NEAR_QUANTILE);
  return TACIT_OK;
}

/* What the counts say of the density around the rule, and the scores' smoothing makes of it. */
typedef struct thickness {
  double f;    /* of rows of spread h */
  double wide; /* the spread of normal residuals that would be as thick there */
} thickness;

static thickness thickness_of(const tacit_newton *newton, double f_spreads, double h) {
  double wide = smoothed(newton->tau, 0) * h / f_spreads;
  double f = f_spreads / h * smoothed(newton->tau, 0) / smoothed(newton->tau, WINDOW * h / wide);
  return (thickness){f, smoothed(newton->tau, 0) / f};
}

/* The variance of a step, over n, where scores are smoothed by h, and the true curvature that it sees. */
static double step_variance(const tacit_newton *newton, const thickness *thick, double h, double *curvature) {
  double f = smoothed(newton->tau, h / thick->wide) / thick->wide;
  double assumed = smoothed(newton->tau, h / newton->s) / newton->s;
  *curvature = f / assumed;
  return tacit_score_variance(newton->tau, h, f) / (newton->n * assumed * assumed);
}

/* Curvature and scatter of (1, w), location first. */
typedef struct around {
  double *curvature, *scatter, *start;
} around;

static tacit_status fill(const tacit_scaled *scaled, double f_spreads, around *at, tacit_error *error) {
  const tacit_newton *newton = &scaled->newton;
  size_t d = newton->d, size = d + 1;
  tacit_tilted tilted;
  TACIT_TRY(tacit_scaled_tilted(scaled, &tilted, error));
  thickness thick = thickness_of(newton, f_spreads, tilted.h);
  double location_curve, slope_curve, reach = fmax(1, newton->recipe.score_clip / newton->recipe.clip_part);
  double location = step_variance(newton, &thick, LOCATION_BANDWIDTH * newton->s, &location_curve);
  double slopes = step_variance(newton, &thick, newton->recipe.slope_bandwidth * newton->s, &slope_curve);
  if (d) slopes *= tacit_clip_scatter(reach * reach, newton->recipe.score_clip);
  double *c = tacit_alloc(d + d * d, sizeof *c), *S = c + d, both = sqrt(location_curve * slope_curve);
  bool right = c && tacit_weighed_rows(scaled, 0, c, S);
  at->scatter[0] = location;
  for (size_t j = 0; right && j < d; j++)
    for (size_t k = 0; k < d; k++) at->scatter[(j + 1) * size + k + 1] = slopes * S[j * d + k];
  right = right && tacit_weighed_rows(scaled, -1, c, S);
  at->curvature[0] = location_curve;
  for (size_t j = 0; right && j < d; j++) {
    at->curvature[j + 1] = at->curvature[(j + 1) * size] = both * c[j];
    for (size_t k = 0; k < d; k++)
      at->curvature[(j + 1) * size + k + 1] = slope_curve * (S[j * d + k] + c[j] * c[k]);
  }
  free(c);
  return right ? TACIT_OK : tacit_no_memory(error);
}

/* Location and slopes: what rows by chance are, as far as steps have followed them; what is left of what was
   unknown; and the steps' noise. */
static tacit_status covariance(const tacit_scaled *scaled, double f_spreads, double *C, tacit_error *error) {
  const tacit_newton *newton = &scaled->newton;
  const tacit_followed *followed = &newton->followed;
  size_t d = newton->d, size = d + 1;
  double *room = tacit_alloc(3 * size * size, sizeof *room);
  around at = {room, room + size * size, room + 2 * size * size};
  tacit_flow flow = {0};
  bool right = room && tacit_flow_open(&flow, size);
  tacit_status status = right ? fill(scaled, f_spreads, &at, error) : tacit_no_memory(error);
  for (size_t j = 0; status == TACIT_OK && j < size; j++) {
    size_t from = j ? j - 1 : d;
    flow.taken[j] = (newton->recipe.secant ? LEARNED : 1) * followed->taken[from];
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

static tacit_status carry(const tacit_scaled *scaled, double f, tacit_sources *sources, tacit_error *error) {
  const tacit_newton *newton = &scaled->newton;
  double *x = newton->step; /* it is not needed any more */
  TACIT_TRY(covariance(scaled, f, sources->covariance, error));
  for (size_t i = 0; i <= newton->d; i++) {
    for (size_t k = 0; k < newton->d; k++) x[k] = k + 1 == i;
    tacit_newton_coefficients(newton, x, i == 0, sources->carried + i * sources->numbers);
  }
  return tacit_sources_give(sources, newton->task, newton->target, error);
}

tacit_status tacit_linear_uncertainty(tacit_scaled *scaled, tacit_error *error) {
  tacit_newton *newton = &scaled->newton;
  tacit_sources sources;
  double f;
  bool far = newton->task->choice.way[newton->target] == TACIT_WAY_FAR;
  if (!newton->task->choice.intervals || far) return TACIT_OK;
  if (newton->recipe.share.sure > 0)
    TACIT_TRY(tacit_scaled_spread(scaled, error));
  else
    one_spread(scaled);
  TACIT_TRY(find_near(scaled, &f, error));
  bool opened = tacit_sources_open(&sources, newton->d + 1, newton->task);
  tacit_status status = opened ? carry(scaled, f, &sources, error) : tacit_no_memory(error);
  tacit_sources_close(&sources);
  for (size_t k = 0; k < newton->d; k++) scaled->xg[k] = 0; /* the rule has none */
  scaled->ag = 0;
  return status;
}
