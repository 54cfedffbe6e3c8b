/* The sampled Gaussian mechanism, many times: bounds on its privacy curve from privacy-loss distributions on
   finer and finer grids (proofs/sampled-gaussian.md, proofs/pld.md). */
#include "privacy/sampled.h"

#include "privacy/pld.h"
#include "privacy/sampled_rdp.h"

#include <math.h>

enum {
  CELLS_MAX = 1 << 21, /* of one step's grid */
  BITS_MAX = 21,       /* of one transform: 2^21 points, 64 megabytes of work space */
  FINENESS = 32,       /* cells in one step's standard deviation, to begin with */
  FEW_STEPS = 500,     /* below which a quarter of that is tried first */
  ROUNDS = 7           /* halvings of the grid at most */
};
/* The grid is halved until upper / lower - 1 is below this, or the work space is used up. */
static const double WIDTH_WANTED = 2e-3;

/* The pairs whose worst counts: add-remove has two directions, the others are their own mirror image. */
static size_t directions(const tacit_sampled *of) {
  return of->adjacency == TACIT_ADD_REMOVE ? 2 : 1;
}
static tacit_step_kind direction(const tacit_sampled *of, size_t i) {
  if (of->sampling == TACIT_SAMPLING_FIXED) return TACIT_STEP_FIXED;
  if (of->adjacency == TACIT_REPLACE_ONE) return TACIT_STEP_REPLACE;
  return i == 0 ? TACIT_STEP_REMOVE : TACIT_STEP_ADD;
}

/* Asked is either delta at an epsilon or epsilon at a delta. */
typedef struct question {
  tacit_sampled of;
  bool wants_epsilon;
  double given;
  double width, reach;
} question;

/* The saddle point: T K'(theta) = epsilon, or T (K(theta) - theta K'(theta)) = ln delta. */
static bool below_saddle(const question *ask, const tacit_cumulant *k, double theta) {
  double steps = (double)ask->of.steps;
  if (!ask->wants_epsilon) return steps * k->mean < ask->given;
  double spread = theta * (1 + theta) * sqrt(2 * 3.14159 * steps * k->variance);
  return steps * (k->value - theta * k->mean) - log1p(spread) > log(ask->given);
}

/* A tilt under which the sum of losses lies about where the answer is decided. Any tilt gives bounds; a good
   one gives tight ones. Less tilt than the saddle point's is good enough while what the errors are multiplied
   with, e^(T K(theta) - theta epsilon), has not grown by the digits to spare; it spares a wide window where
   the saddle point is a single large loss. */
static double choose_tilt(const question *ask, const tacit_measure *step) {
  double steps = (double)ask->of.steps, low = 0, high = 1;
  tacit_cumulant k = tacit_measure_cumulant(step, 0);
  if (!below_saddle(ask, &k, 0)) return 0;
  k = tacit_measure_cumulant(step, high);
  while (high * step->width < 0.1 && below_saddle(ask, &k, high)) {
    low = high;
    high *= 4;
    k = tacit_measure_cumulant(step, high);
  }
  while (high > 1.1 * low && high > 1e-6) {
    double middle = low > 0 ? sqrt(low * high) : high / 8;
    k = tacit_measure_cumulant(step, middle);
    if (below_saddle(ask, &k, middle))
      low = middle;
    else
      high = middle;
  }
  double theta = low > 0 ? low : high;
  k = tacit_measure_cumulant(step, theta);
  double epsilon = ask->wants_epsilon ? steps * k.mean : ask->given,
         exponent = steps * k.value - theta * epsilon;
  double spare = -log(1e-13 * (steps + 100)) - 14;
  for (;;) {
    double less = theta * 0.8;
    if (steps * tacit_measure_cumulant(step, less).value - less * epsilon > exponent + spare) return theta;
    if (less < 1e-3) return 0;
    theta = less;
  }
}

/* The epsilon at which a bound on delta crosses the asked one: the smallest where it has come down to it
   (upper side) or the largest where it still reaches it (lower side), to a part in 10^12. */
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

/* What one side says: the step's measure is used up. */
static tacit_status one_side(const question *ask, tacit_measure *step, double beyond, double theta,
                             tacit_side side, double *answer, tacit_error *error) {
  tacit_pld pld = {0};
  tacit_status status = tacit_pld_compose(step, beyond, ask->of.steps, theta, side, BITS_MAX, &pld, error);
  if (status == TACIT_OK)
    *answer = ask->wants_epsilon ? invert(&pld, ask->given) : tacit_pld_delta(&pld, ask->given);
  tacit_pld_free(&pld);
  return status;
}

/* One direction on one grid. */
static tacit_status one_direction(const question *ask, tacit_step_kind kind, tacit_interval *answer,
                                  double *beyond, tacit_error *error) {
  tacit_step_curve curve;
  tacit_step_curve_set(&curve, kind, ask->of.rate, ask->of.sigma);
  tacit_measure lower = {0}, upper = {0};
  TACIT_TRY(tacit_measure_step(&curve, ask->width, ask->reach, CELLS_MAX, &lower, &upper, beyond, error));
  double theta = choose_tilt(ask, &upper);
  tacit_status status = one_side(ask, &upper, *beyond, theta, TACIT_UPPER_SIDE, &answer->upper, error);
  if (status == TACIT_OK)
    status = one_side(ask, &lower, *beyond, theta, TACIT_LOWER_SIDE, &answer->lower, error);
  tacit_measure_free(&lower);
  tacit_measure_free(&upper);
  return status;
}

/* Every direction; the worst counts, after composition. */
static tacit_status one_grid(const question *ask, tacit_interval *answer, double *beyond,
                             tacit_error *error) {
  *answer = (tacit_interval){0, 0};
  *beyond = 0;
  for (size_t i = 0; i < directions(&ask->of); i++) {
    tacit_interval one = {0, 0};
    double missing = 0;
    tacit_step_kind kind = direction(&ask->of, i);
    /* the loss of ADD is never above -ln(1 - rate), so nothing is left at a larger epsilon */
    if (kind == TACIT_STEP_ADD && !ask->wants_epsilon && ask->of.rate < 1 &&
        -log1p(-ask->of.rate) * (double)ask->of.steps * (1 + 1e-12) < ask->given)
      continue;
    TACIT_TRY(one_direction(ask, kind, &one, &missing, error));
    answer->lower = fmax(answer->lower, one.lower);
    answer->upper = fmax(answer->upper, one.upper);
    *beyond = fmax(*beyond, missing * (double)ask->of.steps);
  }
  return TACIT_OK;
}

static double first_width(const tacit_sampled *of) {
  tacit_step_curve curve;
  tacit_step_curve_set(&curve, direction(of, 0), of->rate, of->sigma);
  double cells = of->steps < FEW_STEPS ? FINENESS / 4 : FINENESS;
  return ldexp(1, (int)floor(log2(fmin(tacit_step_spread(&curve), 0.5) / cells)));
}

static double wide(tacit_interval answer) {
  return answer.lower > 0 ? answer.upper / answer.lower - 1 : answer.upper > 0 ? INFINITY : 0;
}

/* Grids are tried until the interval is narrow; every one encloses the truth, so they are intersected. */
static tacit_status answer_question(question *ask, tacit_interval *answer, tacit_error *error) {
  *answer = (tacit_interval){0, ask->wants_epsilon ? INFINITY : 1};
  ask->width = first_width(&ask->of);
  /* so far out that what lies beyond is nothing beside the answer: P(N > r) < e^(-r^2/2) */
  double negligible = ask->wants_epsilon ? 1e-6 * ask->given : 1e-14;
  ask->reach = sqrt(2 * log(3 * (double)ask->of.steps / negligible));
  bool any = false;
  for (int round = 0; round < ROUNDS;) {
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
      ask->reach += 6;
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
    return tacit_fail(error, TACIT_USAGE, "sigma must be at least %g and at most %g clip norms",
                      TACIT_SAMPLED_SIGMA_MIN, TACIT_SAMPLED_SIGMA_MAX);
  if (!(of->rate >= TACIT_SAMPLED_RATE_MIN && of->rate <= 1))
    return tacit_fail(error, TACIT_USAGE, "the sampling rate must be at least %g and at most 1",
                      TACIT_SAMPLED_RATE_MIN);
  if (of->steps < 1 || of->steps > TACIT_SAMPLED_STEPS_MAX)
    return tacit_fail(error, TACIT_USAGE, "there must be at least one step and at most %g",
                      (double)TACIT_SAMPLED_STEPS_MAX);
  if (of->sampling == TACIT_SAMPLING_FIXED && of->adjacency != TACIT_REPLACE_ONE)
    return tacit_fail(
        error, TACIT_USAGE,
        "samples of a fixed size need a public number of rows: use replace-one, or Poisson sampling "
        "under add-remove");
  return TACIT_OK;
}

static tacit_status check_delta(double delta, tacit_error *error) {
  if (delta >= 1e-100 && delta < 1) return TACIT_OK;
  return tacit_fail(
      error, TACIT_USAGE,
      "delta must be at least 1e-100 and below 1: no Gaussian noise gives delta = 0, choose one far "
      "below 1/rows, such as 1e-6");
}

static tacit_status check_epsilon(double epsilon, tacit_error *error) {
  if (epsilon >= 0 && epsilon <= TACIT_SAMPLED_EPSILON_MAX) return TACIT_OK;
  return tacit_fail(error, TACIT_USAGE, "epsilon must be at least 0 and at most %g",
                    TACIT_SAMPLED_EPSILON_MAX);
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

tacit_status tacit_sampled_rdp(const tacit_sampled *sampled, double rdp[TACIT_RDP_ORDERS],
                               tacit_error *error) {
  TACIT_TRY(check(sampled, true, error));
  for (size_t i = 0; i < TACIT_RDP_ORDERS; i++) {
    double most = 0;
    for (size_t j = 0; j < directions(sampled); j++) {
      tacit_step_curve curve;
      tacit_step_curve_set(&curve, direction(sampled, j), sampled->rate, sampled->sigma);
      most = fmax(most, tacit_step_rdp(&curve, tacit_rdp_orders[i]));
    }
    rdp[i] = most * (double)sampled->steps * (1 + 4 * DBL_EPSILON);
  }
  return TACIT_OK;
}
