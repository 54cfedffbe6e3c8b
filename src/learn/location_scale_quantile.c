/* The quantile, in spreads of each row: how many of them it is, how many rows are near it, then slopes,
   location and number of spreads.

   With k spreads the rule is a + x'zeta + k s(x), zeta the whitened row. Slopes at the quantile are those of
   the median and what the steps below find to be missing. */
#include "base/base.h"
#include "learn/location_scale_stretch.h"
#include "method/newton_plan.h"
#include "num/normal.h"
#include "num/skewed.h"

#include <math.h>
#include <stdlib.h>

static const double BANDWIDTH = 0.15; /* in normal spreads, s / MAD */
static const double SHAPE = 0.3;      /* the quantile may be this part of z_tau away from the normal's */
static const double FAR = 64;         /* spreads: further out the quantile is looked for otherwise */
static const double SURE = 3;         /* standard deviations of a count's noise */
static const double TRUST = 0.8;
/* The density at the quantile may be so much larger or smaller than the normal's, of which this is the
   variance. */
static const double THINNEST = 0.2, THICKEST = 2, DENSITY_VARIANCE = 0.25;
static const double SETTLES = 0.75; /* of many steps; after that levels' own get no longer */
static const double LAST = 0.02; /* spreads that the location is taken to have moved before its last step */

/* The density of a normal residual at its quantile, smoothed, in normal spreads. */
static double density(double tau) {
  double wide = sqrt(1 + BANDWIDTH * BANDWIDTH);
  return tacit_normal_pdf(tacit_normal_quantile(tau) / wide) / wide;
}

tacit_score_part tacit_scaled_part(const tacit_scaled *scaled, const double *slopes, double offset,
                                   double times) {
  const tacit_newton *newton = &scaled->newton;
  return (tacit_score_part){.target = newton->column,
                            .tau = newton->tau,
                            .kernel = TACIT_KERNEL_GAUSSIAN,
                            .bandwidth = BANDWIDTH / TACIT_MAD,
                            .coefficients = slopes,
                            .offset = offset,
                            .form = TACIT_FORM_SCALED,
                            .spread = {.slopes = scaled->xg,
                                       .offset = scaled->ag,
                                       .least = scaled->least,
                                       .most = scaled->most,
                                       .times = times,
                                       .unit = 1,
                                       .skew = scaled->skew}};
}

/* The part of rows below the median plus `times` spreads, those of less than a full spread counted less. */
static tacit_status count_below(tacit_scaled *scaled, double times, double full, double *below, double *noise,
                                tacit_error *error) {
  const tacit_newton *newton = &scaled->newton;
  tacit_score_part part = tacit_scaled_part(scaled, newton->x, newton->a, times);
  part.spread.full = full;
  TACIT_TRY(tacit_scaled_ask(scaled, &part, false, error));
  TACIT_TRY(tacit_scaled_count(scaled, below, noise, error));
  *below /= newton->n;
  *noise /= newton->n;
  return TACIT_OK;
}

/* Whether more rows lie beyond 64 spreads than beyond the quantile. */
static tacit_status look_far(tacit_scaled *scaled, bool *far, tacit_error *error) {
  const tacit_newton *newton = &scaled->newton;
  double side = newton->tau < 0.5 ? -1 : 1, below, noise;
  TACIT_TRY(count_below(scaled, side * FAR, 0, &below, &noise, error));
  *far = side * (newton->tau - below) > SURE * noise;
  return TACIT_OK;
}

/* What days that sold out are taken to have wanted beyond their stock: the law through the median, the spread
   and the quantile as it now stands, which is normal where the quantile is the normal's, and drawn to that as
   far as the quantile is not known: V, and what the sample itself leaves open. A function of releases alone
   (proofs/sold-out.md). */
static void set_skew(tacit_scaled *scaled, double V, double f) {
  const tacit_newton *newton = &scaled->newton;
  if (!newton->schema->targets[newton->goal].sold_column) return;
  double z = tacit_normal_quantile(newton->tau) / TACIT_MAD, more = scaled->times - z;
  double unknown = V + newton->tau * (1 - newton->tau) / (newton->n * f * f);
  double keep = fmax(0, 1 - unknown / fmax(more * more, 1e-300));
  scaled->skew = tacit_skew_with_quantile(newton->tau, z + keep * more);
}

/* How many spreads the quantile is: the zero of the sum of (rows below - tau) s, which is the slope of the
   cost. *V is what is left unknown. */
static tacit_status find_times(tacit_scaled *scaled, const tacit_tilted *tilted, double *V,
                               tacit_error *error) {
  const tacit_newton *newton = &scaled->newton;
  double z = tacit_normal_quantile(newton->tau) / TACIT_MAD;
  double f = density(newton->tau) * TACIT_MAD * tilted->average / tilted->full;
  scaled->times = z;
  *V = SHAPE * z * SHAPE * z + LAST;
  for (int t = 0; t < TACIT_TIMES_STEPS; t++) {
    double below, noise;
    TACIT_TRY(count_below(scaled, scaled->times, tilted->full, &below, &noise, error));
    double u = (below - newton->tau) / f, move = tacit_number_step(V, u, noise * noise / (f * f), u);
    /* a tail may be heavy: away from the median a step may be longer */
    double most = move * z < 0 ? fmax(1 / TACIT_MAD, fabs(scaled->times) / 2) : 1 / TACIT_MAD;
    scaled->times -= fmax(-most, fmin(most, move));
    set_skew(scaled, *V, f);
  }
  return TACIT_OK;
}

/* How many times as many rows are near the quantile as of a normal residual. */
static tacit_status find_density(tacit_scaled *scaled, double *thick, tacit_error *error) {
  const tacit_newton *newton = &scaled->newton;
  double z = tacit_normal_quantile(newton->tau), half = TACIT_NEAR_QUANTILE * TACIT_MAD, count, sigma;
  double normal = tacit_normal_cdf(z + half) - tacit_normal_cdf(z - half);
  const tacit_score_part part = tacit_scaled_part(scaled, newton->x, newton->a, scaled->times);
  TACIT_TRY(tacit_scaled_ask(scaled, &part, false, error));
  TACIT_TRY(tacit_scaled_within(scaled, &count, &sigma, error));
  double noise = sigma / (newton->n * normal), keep = DENSITY_VARIANCE / (DENSITY_VARIANCE + noise * noise);
  *thick = fmax(THINNEST, fmin(THICKEST, 1 + keep * (count / (newton->n * normal) - 1)));
  return TACIT_OK;
}

/* Where the steps stand: what the slopes, the location and the number of spreads have moved. */
typedef struct state {
  tacit_scaled *scaled;
  tacit_tilted tilted;
  tacit_curvature curvature;
  double f; /* density in y, of rows of spread h */
  double clip, clip_gain;
  double *moved;         /* size: slopes of whitened rows, and of t */
  double *x, *V, *v, *u; /* size: the same in the directions, their variances, a step and its noise */
  double *scores;        /* size: as they were released, and then less what is the location's */
  double *shortened;     /* size: the sum of clipped rows, where features are public; else NULL */
  double location, Va, before;
  tacit_surprise surprise;
  tacit_secant secant;
  tacit_stretch stretch;
  bool stretched; /* levels find out how far they have to go; the secant stays as it is */
  tacit_followed followed;
} state;

static tacit_status ask(state *now, bool scores, tacit_score_part *part, tacit_error *error) {
  tacit_scaled *scaled = now->scaled;
  const tacit_newton *newton = &scaled->newton;
  double last = now->tilted.weight * now->moved[newton->d]; /* times s / h - 1 */
  for (size_t k = 0; k < newton->d; k++) newton->step[k] = newton->x[k] + now->moved[k];
  *part = tacit_scaled_part(scaled, newton->step, newton->a + now->location - last,
                            scaled->times + last / now->tilted.h);
  part->spread.unit = now->tilted.h;
  part->spread.weight = now->tilted.weight;
  part->clip_norm = now->clip;
  part->tau = tacit_newton_asked(&newton->recipe, newton->tau);
  return tacit_scaled_ask(scaled, part, scores, error);
}

/* Scores less the centre times the location's. */
static void centre_scores(state *now, double below) {
  for (size_t j = 0; j < now->curvature.size; j++)
    now->scores[j] = now->scores[j] / now->clip_gain - now->curvature.centre[j] * below;
}

/* The Newton step of each direction: u = D' scores / (n f), and the variance of its noise. */
static void turn_scores(state *now, double sigma, double sigma_below) {
  const tacit_curvature *c = &now->curvature;
  double curve = now->scaled->newton.n * now->f;
  for (size_t k = 0; k < c->size; k++) {
    double sum = 0, middle = 0, own = sigma / (curve * now->clip_gain * c->length[k]);
    for (size_t j = 0; j < c->size; j++) {
      double direction = c->direction[j * c->size + k];
      sum += direction * now->scores[j];
      middle += direction * c->centre[j] * sigma_below / curve;
    }
    now->u[k] = sum / curve;
    now->v[k] = own * own + middle * middle;
  }
}

/* A step as long as each level has been found to want it, seen along the directions again. */
static void stretch_step(state *now, double *step) {
  const tacit_curvature *c = &now->curvature;
  double *white = now->u; /* the scores' step has been used by then */
  for (size_t j = 0; j < c->size; j++) {
    white[j] = 0;
    for (size_t k = 0; k < c->size; k++) white[j] += c->direction[j * c->size + k] * step[k];
  }
  tacit_stretch_step(&now->stretch, white);
  for (size_t k = 0; k < c->size; k++) {
    double sum = 0;
    for (size_t j = 0; j < c->size; j++) sum += c->direction[j * c->size + k] * white[j];
    step[k] = sum * c->length[k] * c->length[k];
  }
}

static void move_slopes(state *now) {
  const tacit_curvature *c = &now->curvature;
  const tacit_newton *newton = &now->scaled->newton;
  double length = 0, noise = 0, *step = now->v; /* the noise has been used by then */
  for (size_t k = 0; k < c->size; k++) noise = fmax(noise, now->v[k]);
  if (newton->recipe.secant && !newton->recipe.thin && !now->stretched)
    tacit_secant_learn(&now->secant, now->x, now->u, sqrt(noise), newton->tau);
  else if (!newton->recipe.secant)
    tacit_surprised(&now->surprise, now->V, now->u, now->v, c->curve);
  for (size_t k = 0; k < c->size; k++)
    now->u[k] *= tacit_followed_gain(&now->followed, k, &now->V[k], now->v[k], c->curve[k], TRUST);
  tacit_secant_turn(&now->secant, now->u, step);
  if (now->stretched) stretch_step(now, step);
  for (size_t k = 0; k < c->size; k++) length += c->curve[k] * step[k] * step[k];
  double keep = fmin(1, now->tilted.typical / TACIT_MAD / fmax(sqrt(length), 1e-300));
  for (size_t k = 0; k < c->size; k++) now->x[k] -= keep * step[k];
  for (size_t j = 0; j < c->size; j++) {
    double moved = 0;
    for (size_t k = 0; k < c->size; k++) moved += c->direction[j * c->size + k] * keep * step[k];
    now->moved[j] -= moved;
    now->location += moved * c->centre[j]; /* the weighed rows stay where they are */
  }
}

static void move_location(state *now, double below, double sigma) {
  double curve = now->scaled->newton.n * now->f, u = below / curve, noise = sigma / curve;
  double most = now->tilted.h / TACIT_MAD, move = tacit_number_step(&now->Va, u, noise * noise, now->before);
  now->location -= fmax(-most, fmin(most, move));
  now->before = u;
}

static tacit_status step(state *now, tacit_error *error) {
  tacit_scaled *scaled = now->scaled;
  double sigma, below, sigma_below;
  tacit_score_part part;
  TACIT_TRY(ask(now, true, &part, error));
  TACIT_TRY(tacit_scaled_scores(scaled, &part, now->scores, &sigma, error));
  for (size_t j = 0; now->shortened && j < now->curvature.size; j++)
    now->scores[j] += (part.tau - scaled->newton.tau) * now->shortened[j];
  TACIT_TRY(tacit_scaled_count(scaled, &below, &sigma_below, error));
  below -= scaled->newton.tau * scaled->newton.n;
  centre_scores(now, below);
  if (now->stretched) {
    tacit_stretch_learn(&now->stretch, now->scores, sigma / now->clip_gain);
    tacit_stretch_scores(&now->stretch, now->scores);
  }
  turn_scores(now, sigma, sigma_below);
  move_slopes(now);
  move_location(now, below, sigma_below);
  return TACIT_OK;
}

/* How far units reach at the normal's quantile, which is not far from where the steps will be. */
static tacit_status find_reach(state *now, tacit_error *error) {
  tacit_scaled *scaled = now->scaled;
  const tacit_newton *newton = &scaled->newton;
  double z = tacit_normal_quantile(newton->tau), half = TACIT_NEAR_QUANTILE * TACIT_MAD;
  tacit_score_part part = tacit_scaled_part(scaled, newton->x, newton->a, z / TACIT_MAD);
  scaled->near = tacit_normal_cdf(z + half) - tacit_normal_cdf(z - half);
  part.spread.unit = now->tilted.h;
  part.spread.weight = now->tilted.weight;
  part.clip_norm = now->clip;
  return tacit_scaled_reach(scaled, &part, TACIT_CLIP_QUANTILE, error);
}

/* The curvature's numbers, and the state's beside them. */
static tacit_status begin(state *now, tacit_error *error) {
  tacit_scaled *scaled = now->scaled;
  const tacit_newton *newton = &scaled->newton;
  double thick;
  TACIT_TRY(tacit_scaled_tilted(scaled, &now->tilted, error));
  now->clip = tacit_newton_scaled_clip(&newton->recipe, newton->recipe.score_clip);
  TACIT_TRY(find_reach(now, error));
  TACIT_TRY(find_times(scaled, &now->tilted, &now->Va, error));
  TACIT_TRY(find_density(scaled, &thick, error));
  now->Va *= now->tilted.h * now->tilted.h;
  now->f = thick * density(newton->tau) * TACIT_MAD / now->tilted.h;
  now->clip_gain = tacit_clip_gain(fmax(1, now->clip * now->clip), now->clip);
  return tacit_scaled_curvature(scaled, &now->tilted, now->f, &now->curvature, now->V, error);
}

/* What scores at 1/2 lack to those at the quantile, where features are public. */
static tacit_status sum_rows(state *now, tacit_error *error) {
  const tacit_scaled *scaled = now->scaled;
  if (!now->shortened) return TACIT_OK;
  tacit_score_part part = tacit_scaled_part(scaled, scaled->newton.x, 0, 0);
  part.spread.unit = now->tilted.h;
  part.spread.weight = now->tilted.weight;
  part.clip_norm = now->clip;
  return tacit_scaled_public_sums(scaled, &part, now->shortened, error);
}

static tacit_status carry_out(state *now, tacit_error *error) {
  tacit_scaled *scaled = now->scaled;
  tacit_newton *newton = &scaled->newton;
  tacit_score_part part;
  double below, sigma;
  TACIT_TRY(begin(now, error));
  TACIT_TRY(sum_rows(now, error));
  for (int t = 0; t < newton->recipe.scaled_steps; t++) {
    TACIT_TRY(tacit_progress(newton->task->context, "learning", 0.8 + 0.2 * t / newton->recipe.scaled_steps,
                             error));
    now->stretched = t >= newton->recipe.stretched;
    now->stretch.settling = newton->recipe.thin && t >= SETTLES * newton->recipe.scaled_steps;
    TACIT_TRY(step(now, error));
  }
  TACIT_TRY(ask(now, false, &part, error));
  TACIT_TRY(tacit_scaled_count(scaled, &below, &sigma, error));
  now->Va += LAST * now->tilted.h * LAST * now->tilted.h;
  move_location(now, below - newton->tau * newton->n, sigma);
  double last = now->tilted.weight * now->moved[newton->d];
  for (size_t k = 0; k < newton->d; k++) newton->x[k] += now->moved[k];
  newton->a += now->location - last;
  scaled->times += last / now->tilted.h;
  const tacit_arrived arrived = {.tilted = &now->tilted,
                                 .curvature = &now->curvature,
                                 .f = now->f,
                                 .clip = now->clip,
                                 .Va = now->Va,
                                 .followed = &now->followed,
                                 .moved = now->x};
  return tacit_scaled_uncertainty(scaled, &arrived, error);
}

static tacit_status open_state(state *now, size_t size, tacit_error *error) {
  now->moved = tacit_alloc(7 * size, sizeof *now->moved);
  bool open = now->scaled->newton.recipe.open;
  now->shortened = open ? tacit_alloc(size, sizeof *now->shortened) : NULL;
  if (!now->moved || (open && !now->shortened) || !tacit_secant_open(&now->secant, size) ||
      !tacit_curvature_open(&now->curvature, size) || !tacit_followed_open(&now->followed, size) ||
      !tacit_stretch_open(&now->stretch, now->scaled))
    return tacit_no_memory(error);
  now->x = now->moved + size;
  now->V = now->x + size;
  now->v = now->V + size;
  now->u = now->v + size;
  now->scores = now->u + size;
  now->surprise = (tacit_surprise){.d = size, .before = now->scores + size};
  return TACIT_OK;
}

tacit_status tacit_scaled_quantile(tacit_scaled *scaled, bool *far, tacit_error *error) {
  state now = {.scaled = scaled};
  tacit_status status = open_state(&now, scaled->newton.d + 1, error);
  scaled->skew = 0; /* another quantile's is not this one's */
  if (status == TACIT_OK) status = look_far(scaled, far, error);
  if (status == TACIT_OK) status = tacit_newton_go_far(&scaled->newton, *far, error);
  if (status == TACIT_OK && !*far) status = carry_out(&now, error);
  free(now.moved);
  free(now.shortened);
  tacit_secant_close(&now.secant);
  tacit_stretch_close(&now.stretch);
  tacit_followed_close(&now.followed);
  tacit_curvature_close(&now.curvature);
  return status;
}
