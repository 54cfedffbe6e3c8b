/* Bounds on the privacy curve of unlike releases: finer and finer grids, every one of which encloses it. */
#include "privacy/bundle.h"
#include "privacy/gdp.h"
#include "privacy/grids.h"

enum { ROUNDS = 6, TRIES = 20 };
static const double DELTA_WANTED = 4e-3, EPSILON_WANTED = 1e-3, EPSILON_FAR = 1e6;

typedef struct question {
  const tacit_grouped *g;
  tacit_bundle_aim aim;
  double width, reach, tilt;
  tacit_fft *roots;
} question;

/* Where the bound comes down to the asked delta: above it at `low`, not above it at `high`. */
static double bisect(const tacit_bundle_sum *sum, double delta, double low, double high) {
  while (high - low > 1e-12 * high && high > 1e-300) {
    double middle = low + (high - low) / 2;
    if (tacit_bundle_sum_delta(sum, middle) > delta)
      low = middle;
    else
      high = middle;
  }
  return sum->pld.side == TACIT_UPPER_SIDE ? high : low;
}

static double upper_epsilon(const tacit_bundle_sum *sum, double delta) {
  if (tacit_bundle_sum_delta(sum, 0) <= delta) return 0;
  double low = 0, high = 1;
  for (; tacit_bundle_sum_delta(sum, high) > delta; high *= 2) {
    if (high > EPSILON_FAR) return INFINITY;
    low = high;
  }
  return bisect(sum, delta, low, high);
}

static double lower_epsilon(const tacit_bundle_sum *sum, double delta, double high) {
  if (!isfinite(high)) return sum->infinite > delta ? INFINITY : 0;
  for (int doublings = -17; doublings < 0; doublings++) {
    double low = high * (1 - ldexp(1, doublings));
    if (tacit_bundle_sum_delta(sum, low) > delta) return bisect(sum, delta, low, high);
  }
  return 0;
}

static tacit_status one_side(question *ask, const tacit_bundle_grid *grid, tacit_side side,
                             tacit_interval *answer, double *beyond, tacit_error *error) {
  tacit_bundle_sum sum;
  tacit_status status = tacit_bundle_compose(ask->g, grid, side, &ask->roots, &sum, error);
  double given = ask->aim.given;
  if (status == TACIT_OK && side == TACIT_UPPER_SIDE)
    answer->upper = ask->aim.wants_epsilon ? upper_epsilon(&sum, given) : tacit_bundle_sum_delta(&sum, given);
  else if (status == TACIT_OK)
    answer->lower = ask->aim.wants_epsilon ? lower_epsilon(&sum, given, answer->upper)
                                           : tacit_bundle_sum_delta(&sum, given);
  *beyond = fmax(*beyond, sum.beyond);
  tacit_bundle_sum_free(&sum);
  return status;
}

static tacit_status one_grid(question *ask, tacit_interval *worst, double *beyond, tacit_error *error) {
  *worst = (tacit_interval){0, 0};
  *beyond = 0;
  for (size_t direction = 0; direction < tacit_grouped_directions(ask->g); direction++) {
    tacit_bundle_grid grid = {ask->width, ask->reach, 0, direction};
    tacit_interval answer = {0, 0};
    TACIT_TRY(tacit_bundle_tilt(ask->g, &grid, &ask->aim, &grid.theta, error));
    grid.theta *= ask->tilt;
    TACIT_TRY(one_side(ask, &grid, TACIT_UPPER_SIDE, &answer, beyond, error));
    TACIT_TRY(one_side(ask, &grid, TACIT_LOWER_SIDE, &answer, beyond, error));
    worst->lower = fmax(worst->lower, answer.lower);
    worst->upper = fmax(worst->upper, answer.upper);
  }
  return TACIT_OK;
}

static double wide(tacit_interval answer) {
  if (answer.upper == answer.lower) return 0;
  return answer.lower > 0 ? answer.upper / answer.lower - 1 : INFINITY;
}

/* Grids are halved while that helps; where one is too fine or a loss too large, less tilt and a wider grid
   are tried. */
static tacit_status answer_question(question *ask, tacit_interval *answer, tacit_error *error) {
  *answer = (tacit_interval){0, ask->aim.wants_epsilon ? INFINITY : 1};
  ask->reach = sqrt(-2 * log(1e-8 * (ask->aim.wants_epsilon ? ask->aim.given : 1e-8)));
  ask->width = tacit_bundle_width(ask->g);
  ask->tilt = 1;
  bool any = false;
  for (int round = 0, tries = 0; round < ROUNDS && tries < TRIES; tries++) {
    tacit_interval now;
    double beyond = 0, before = wide(*answer), upper_before = answer->upper;
    tacit_status status = one_grid(ask, &now, &beyond, error);
    if (status == TACIT_REFUSED) {
      if (any || ask->width > 4) break;
      tacit_grid_relax(tries, &ask->tilt, &ask->width);
      continue;
    }
    TACIT_TRY(status);
    any = true;
    tacit_interval_meet(answer, now);
    if (tacit_grid_reaches(beyond, ask->aim.wants_epsilon ? ask->aim.given : answer->upper, &ask->reach))
      continue;
    double wanted = ask->aim.wants_epsilon ? EPSILON_WANTED : DELTA_WANTED;
    /* halving leaves a quarter of what the upper bound has to spare: what it gained tells what is left */
    bool settled = round > 0 && upper_before - answer->upper < wanted * answer->upper;
    if (wide(*answer) < wanted || settled || (round > 1 && wide(*answer) > 0.9 * before)) break;
    ask->width /= 2;
    round++;
  }
  return TACIT_OK;
}

static tacit_status answer(const tacit_bundle *bundle, tacit_bundle_aim aim, tacit_interval *out,
                           tacit_error *error) {
  tacit_grouped grouped;
  TACIT_TRY(tacit_bundle_group(bundle, &grouped, error));
  if (grouped.only_gaussian) { /* the closed form, without a grid */
    if (!aim.wants_epsilon) {
      tacit_gdp_enclose(grouped.gaussian.mu, aim.given, out);
      return TACIT_OK;
    }
    TACIT_TRY(tacit_gdp_epsilon(grouped.gaussian.mu, aim.given, &out->upper, error));
    out->lower = out->upper * (1 - 1e-9);
    return TACIT_OK;
  }
  question ask = {.g = &grouped, .aim = aim};
  tacit_status status = answer_question(&ask, out, error);
  tacit_fft_free(ask.roots);
  return status;
}

tacit_status tacit_bundle_delta(const tacit_bundle *bundle, double epsilon, tacit_interval *delta,
                                tacit_error *error) {
  if (!(epsilon >= 0 && epsilon <= EPSILON_FAR))
    return tacit_fail(error, TACIT_USAGE, "epsilon must be at least 0 and at most %g", EPSILON_FAR);
  return answer(bundle, (tacit_bundle_aim){false, epsilon}, delta, error);
}

tacit_status tacit_bundle_epsilon(const tacit_bundle *bundle, double delta, tacit_interval *epsilon,
                                  tacit_error *error) {
  if (!(delta >= 1e-200 && delta < 1))
    return tacit_fail(error, TACIT_USAGE, "delta must be at least 1e-200 and below 1");
  return answer(bundle, (tacit_bundle_aim){true, delta}, epsilon, error);
}
