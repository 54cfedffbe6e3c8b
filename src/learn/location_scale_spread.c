/* The spread: slopes and location of the median of log |residual|, by the steps of the median itself. */
#include "base/base.h"
#include "learn/location_scale.h"
#include "loss/rule.h"

#include <math.h>
#include <stdlib.h>

static const double BANDWIDTH = 0.5;  /* of log |residual| */
static const double DENSITY = 0.4287; /* of log |normal| at its median */
static const double LARGEST = 0.7;    /* the spreads of rows differ by about this, in logarithms */
static const double VARIANCE = 0.1;   /* of the location at first */
static const double TRUST = 0.8;

/* One step of slopes and location of log s. */
typedef struct state {
  double *V, *v, Va, before, curve;
  tacit_surprise surprise;
} state;

static tacit_score_part part_of(const tacit_scaled *scaled) {
  const tacit_newton *newton = &scaled->newton;
  return (tacit_score_part){
      .target = newton->column,
      .tau = 0.5,
      .kernel = TACIT_KERNEL_GAUSSIAN,
      .bandwidth = BANDWIDTH,
      .coefficients = newton->x,
      .offset = newton->a,
      .clip_norm = newton->recipe.score_clip,
      .form = TACIT_FORM_SPREAD,
      .spread = {.slopes = scaled->xg, .offset = scaled->ag, .least = scaled->least, .most = scaled->most}};
}

static tacit_status step(tacit_scaled *scaled, state *now, tacit_error *error) {
  tacit_newton *newton = &scaled->newton;
  const tacit_score_part part = part_of(scaled);
  double sigma, count, f = now->curve, slope = f * newton->recipe.clip_gain * newton->n;
  TACIT_TRY(tacit_scaled_ask(scaled, &part, true, error));
  TACIT_TRY(tacit_scaled_scores(scaled, &part, newton->u, &sigma, error));
  for (size_t k = 0; k < newton->d; k++) {
    newton->u[k] = newton->u[k] / slope;
    now->v[k] = sigma * sigma / (slope * slope);
  }
  tacit_surprised(&now->surprise, now->V, newton->u, now->v, newton->gamma);
  for (size_t k = 0; k < newton->d; k++)
    scaled->xg[k] -= newton->u[k] * tacit_followed_gain(&scaled->followed, k, &now->V[k], now->v[k],
                                                        newton->gamma[k], TRUST);
  TACIT_TRY(tacit_scaled_count(scaled, &count, &sigma, error));
  double u = (count / newton->n - 0.5) / f, noise = sigma / (newton->n * f);
  scaled->ag -= fmax(-1, fmin(1, tacit_number_step(&now->Va, u, noise * noise, now->before)));
  now->before = u;
  return TACIT_OK;
}

tacit_status tacit_scaled_spread(tacit_scaled *scaled, tacit_error *error) {
  tacit_newton *newton = &scaled->newton;
  size_t d = newton->d;
  double wide = BANDWIDTH * DENSITY / 0.4; /* two normals of these densities add up */
  state now = {.Va = VARIANCE, .curve = DENSITY / sqrt(1 + wide * wide), .surprise = {.d = d}};
  tacit_log_spread_bounds(newton->range, &scaled->least, &scaled->most);
  scaled->ag = fmax(scaled->least, fmin(scaled->most, log(TACIT_MAD * newton->s)));
  now.V = tacit_alloc(3 * d, sizeof *now.V);
  if (!now.V) return tacit_no_memory(error);
  now.v = now.V + d;
  now.surprise.before = now.v + d;
  for (size_t k = 0; k < d; k++) now.V[k] = scaled->size[k];
  tacit_newton_cap(now.V, newton->gamma, d, LARGEST * LARGEST);
  const tacit_score_part part = part_of(scaled);
  tacit_status status = tacit_scaled_reach(scaled, &part, TACIT_CLIP_SPREAD, error);
  for (int t = 0; t < TACIT_SPREAD_STEPS && status == TACIT_OK; t++) {
    status = tacit_progress(newton->task->context, "learning", 0.6 + 0.2 * t / TACIT_SPREAD_STEPS, error);
    if (status == TACIT_OK) status = step(scaled, &now, error);
  }
  scaled->Vag = now.Va;
  free(now.V);
  return status;
}
