/* The sampled Gaussian mechanism, many times: bounds on its privacy curve from privacy-loss distributions on
   finer and finer grids (proofs/sampled-gaussian.md, proofs/pld.md). */
#include "privacy/sampled.h"

#include "privacy/pld.h"

#include <math.h>

enum {
  CELLS_MAX = 1 << 21, /* of one step's grid */
  BITS_MAX = 21,       /* of one transform: 2^21 points, 64 megabytes of work space */
  FINENESS = 32,       /* cells in one step's standard deviation, to begin with */
  ROUNDS = 7           /* halvings of the grid at most */
};
/* The grid is halved until upper / lower - 1 is below this, or the work space is used up. */
static const double WIDTH_WANTED = 1e-3;

/* Asked is either delta at an epsilon or epsilon at a delta. */
typedef struct question {
  tacit_sampled of;
  bool wants_epsilon;
  double given;
  double width, reach;
} question;

/* A tilt under which the sum of losses lies about where the answer is decided: T K'(theta) = epsilon, or
   T (K(theta) - theta K'(theta)) = ln delta. Any tilt gives bounds; a good one gives tight ones. */
static bool too_small(const question *ask, const tacit_measure *step, double theta) {
  tacit_cumulant k = tacit_measure_cumulant(step, theta);
  double steps = (double)ask->of.steps;
  if (!ask->wants_epsilon) return steps * k.mean < ask->given;
  double spread = theta * (1 + theta) * sqrt(2 * 3.14159 * steps * k.variance);
  return steps * (k.value - theta * k.mean) - log1p(spread) > log(ask->given);
}

static double choose_tilt(const question *ask, const tacit_measure *step) {
  if (!too_small(ask, step, 0)) return 0;
  double low = 0, high = 1;
  while (high < 1e9 && too_small(ask, step, high)) low = high, high *= 4;
  while (high > 1.05 * low && high > 1e-6) {
    double middle = low > 0 ? sqrt(low * high) : high / 8;
    if (too_small(ask, step, middle))
      low = middle;
    else
      high = middle;
  }
  return high;
}

/* The epsilon at which a bound on delta crosses the asked one: the smallest where it has come down to it (upper
   side) or the largest where it still reaches it (lower side), to a part in 10^12. */
static double invert(const tacit_pld *pld, double delta) {
  bool upper = pld->side == TACIT_UPPER_SIDE;
  if (tacit_pld_delta(pld, 0) <= delta) return 0;
  double low = 0, high = 1;
  while (tacit_pld_delta(pld, high) > delta) {
    if (high > TACIT_SAMPLED_EPSILON_MAX) return upper ? INFINITY : high;
    low = high;
    high *= 2;
  }
  while (high - low > 1e-12 * high && high > 1e-300) {
    double middle = low + (high - low) / 2;
    if (tacit_pld_delta(pld, middle) > delta)
      low = middle;
    else
      high = middle;
  }
  return upper ? high : low;
}

/* One direction on one grid, from one side. *theta is chosen by the upper side and used by both. */
static tacit_status one_side(const question *ask, tacit_step_kind kind, tacit_side side, double *theta, double *answer,
                             double *beyond, tacit_error *error) {
  tacit_step_curve curve;
  tacit_step_curve_set(&curve, kind, ask->of.rate, ask->of.sigma);
  tacit_measure step = {0};
  tacit_pld pld = {0};
  TACIT_TRY(tacit_measure_step(&curve, ask->width, ask->reach, CELLS_MAX, side, &step, beyond, error));
  if (side == TACIT_UPPER_SIDE) *theta = choose_tilt(ask, &step);
  tacit_status status = tacit_pld_compose(&step, *beyond, ask->of.steps, *theta, side, BITS_MAX, &pld, error);
  if (status == TACIT_OK) *answer = ask->wants_epsilon ? invert(&pld, ask->given) : tacit_pld_delta(&pld, ask->given);
  *beyond = pld.beyond;
  tacit_measure_free(&step);
  tacit_pld_free(&pld);
  return status;
}

/* Both sides of every direction; the worst direction counts, after composition. */
static tacit_status one_grid(const question *ask, tacit_interval *answer, double *beyond, tacit_error *error) {
  bool poisson = ask->of.sampling == TACIT_SAMPLING_POISSON, replace = ask->of.adjacency == TACIT_REPLACE_ONE;
  tacit_step_kind kinds[2] = {!poisson ? TACIT_STEP_FIXED : replace ? TACIT_STEP_REPLACE : TACIT_STEP_REMOVE,
                              TACIT_STEP_ADD};
  *answer = (tacit_interval){0, 0};
  for (size_t i = 0; i < (replace ? 1 : 2); i++) {
    double theta = 0, lower = 0, upper = 1;
    TACIT_TRY(one_side(ask, kinds[i], TACIT_UPPER_SIDE, &theta, &upper, beyond, error));
    TACIT_TRY(one_side(ask, kinds[i], TACIT_LOWER_SIDE, &theta, &lower, beyond, error));
    answer->lower = fmax(answer->lower, lower);
    answer->upper = fmax(answer->upper, upper);
  }
  return TACIT_OK;
}

static double first_width(const tacit_sampled *of) {
  tacit_step_curve curve;
  tacit_step_kind kind = of->sampling == TACIT_SAMPLING_FIXED        ? TACIT_STEP_FIXED
                         : of->adjacency == TACIT_REPLACE_ONE ? TACIT_STEP_REPLACE
                                                                      : TACIT_STEP_REMOVE;
  tacit_step_curve_set(&curve, kind, of->rate, of->sigma);
  return ldexp(1, (int)floor(log2(fmin(tacit_step_spread(&curve), 0.5) / FINENESS)));
}

static double wide(tacit_interval answer) {
  return answer.lower > 0 ? answer.upper / answer.lower - 1 : answer.upper > 0 ? INFINITY : 0;
}

/* Grids are tried until the interval is narrow; every one encloses the truth, so they are intersected. */
static tacit_status answer_question(question *ask, tacit_interval *answer, tacit_error *error) {
  *answer = (tacit_interval){0, ask->wants_epsilon ? INFINITY : 1};
  ask->width = first_width(&ask->of);
  ask->reach = 12;
  bool any = false;
  for (int round = 0; round < ROUNDS; ) {
    tacit_interval now;
    double beyond = 0, before = wide(*answer);
    tacit_status status = one_grid(ask, &now, &beyond, error);
    if (status == TACIT_REFUSED) { /* the grid is too fine for the work space */
      if (any) break;
      ask->width *= 2;
      continue;
    }
    TACIT_TRY(status);
    any = true;
    answer->lower = fmax(answer->lower, now.lower);
    answer->upper = fmin(answer->upper, now.upper);
    double reached = ask->wants_epsilon ? ask->given : answer->upper;
    if (beyond > 1e-5 * reached && ask->reach < 36) {
      ask->reach += 8;
      continue;
    }
    if (wide(*answer) < WIDTH_WANTED || (round > 3 && wide(*answer) > 0.9 * before)) break;
    ask->width /= 2;
    round++;
  }
  return TACIT_OK;
}

static tacit_status check(const tacit_sampled *of, bool with_sigma, tacit_error *error) {
  if (with_sigma && !(of->sigma >= TACIT_SAMPLED_SIGMA_MIN && of->sigma <= TACIT_SAMPLED_SIGMA_MAX))
    return tacit_fail(error, TACIT_USAGE, "sigma must be at least %g and at most %g clip norms", TACIT_SAMPLED_SIGMA_MIN,
                      TACIT_SAMPLED_SIGMA_MAX);
  if (!(of->rate >= TACIT_SAMPLED_RATE_MIN && of->rate <= 1))
    return tacit_fail(error, TACIT_USAGE, "the sampling rate must be at least %g and at most 1", TACIT_SAMPLED_RATE_MIN);
  if (of->steps < 1 || of->steps > TACIT_SAMPLED_STEPS_MAX)
    return tacit_fail(error, TACIT_USAGE, "there must be at least one step and at most %g",
                      (double)TACIT_SAMPLED_STEPS_MAX);
  if (of->sampling == TACIT_SAMPLING_FIXED && of->adjacency != TACIT_REPLACE_ONE)
    return tacit_fail(error, TACIT_USAGE,
                      "samples of a fixed size need a public number of rows: use replace-one, or Poisson sampling "
                      "under add-remove");
  return TACIT_OK;
}

static tacit_status check_delta(double delta, tacit_error *error) {
  if (delta >= 1e-100 && delta < 1) return TACIT_OK;
  return tacit_fail(error, TACIT_USAGE,
                    "delta must be at least 1e-100 and below 1: no Gaussian noise gives delta = 0, choose one far "
                    "below 1/rows, such as 1e-6");
}

static tacit_status check_epsilon(double epsilon, tacit_error *error) {
  if (epsilon >= 0 && epsilon <= TACIT_SAMPLED_EPSILON_MAX) return TACIT_OK;
  return tacit_fail(error, TACIT_USAGE, "epsilon must be at least 0 and at most %g", TACIT_SAMPLED_EPSILON_MAX);
}

tacit_status tacit_sampled_delta(const tacit_sampled *sampled, double epsilon, tacit_interval *delta,
                                 tacit_error *error) {
  TACIT_TRY(check(sampled, true, error));
  TACIT_TRY(check_epsilon(epsilon, error));
  question ask = {.of = *sampled, .given = epsilon};
  return answer_question(&ask, delta, error);
}

tacit_status tacit_sampled_epsilon(const tacit_sampled *sampled, double delta, tacit_interval *epsilon,
                                   tacit_error *error) {
  TACIT_TRY(check(sampled, true, error));
  TACIT_TRY(check_delta(delta, error));
  question ask = {.of = *sampled, .wants_epsilon = true, .given = delta};
  TACIT_TRY(answer_question(&ask, epsilon, error));
  if (epsilon->upper <= TACIT_SAMPLED_EPSILON_MAX) return TACIT_OK;
  return tacit_fail(error, TACIT_USAGE, "there is so little noise that epsilon would exceed %g",
                    TACIT_SAMPLED_EPSILON_MAX);
}
