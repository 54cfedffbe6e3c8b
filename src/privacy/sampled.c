/* The sampled Gaussian mechanism, many times: bounds on its privacy curve from privacy-loss distributions on
   finer and finer grids (proofs/sampled-gaussian.md, proofs/pld.md). */
#include "privacy/sampled.h"

#include "privacy/grids.h"
#include "privacy/pld.h"

#include <math.h>

enum {
  CELLS_MAX = 1 << 19, /* of one step's grid */
  BITS_MAX = 19,       /* of one transform: 2^19 points, 16 megabytes of work space */
  FEW_FINENESS = 8,    /* cells in one step's standard deviation, to begin with, for few steps */
  FEW_STEPS = 500,
  ROUNDS = 7, /* halvings of the grid at most */
  TRIES = 24  /* grids and tilts at most; then the interval says little */
};
/* A loss has no meaning on a wider grid. */
static const double WIDTH_MOST = 0.25;
/* The intervals that the first grid is chosen for. */
static const double DELTA_AIM = 3.9e-3, EPSILON_AIM = 2.2e-4;
/* The grid is halved until upper / lower - 1 is below this, or the work space is used up. */
static const double DELTA_WANTED = 4.6e-3, FEW_WANTED = 4e-3, EPSILON_WANTED = 1e-3;

size_t tacit_sampled_directions(const tacit_sampled *of) {
  /* at rate 1 both directions are two Gaussians, each the mirror image of the other */
  return of->adjacency == TACIT_ADD_REMOVE && of->rate < 1 ? 2 : 1;
}

tacit_step_kind tacit_sampled_direction(const tacit_sampled *of, size_t i) {
  if (of->sampling == TACIT_SAMPLING_FIXED) return TACIT_STEP_FIXED;
  if (of->adjacency == TACIT_REPLACE_ONE) return TACIT_STEP_REPLACE;
  return i == 0 ? TACIT_STEP_REMOVE : TACIT_STEP_ADD;
}

/* Asked is either delta at an epsilon or epsilon at a delta. */
typedef struct question {
  tacit_sampled of;
  bool wants_epsilon;
  double given;
  double width, reach, grading;
  double tilt;      /* the share of the best tilt that is used */
  tacit_fft *roots; /* for all transforms */
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
static double choose_tilt(const question *ask, const tacit_points *step, double width) {
  double steps = (double)ask->of.steps, low = 0, high = 1;
  tacit_cumulant k = tacit_points_cumulant(step, 0);
  if (!below_saddle(ask, &k, 0)) return 0;
  k = tacit_points_cumulant(step, high);
  while (high * width < 0.1 && below_saddle(ask, &k, high)) {
    low = high;
    high *= 4;
    k = tacit_points_cumulant(step, high);
  }
  while (high > 1.1 * low && high > 1e-6) {
    double middle = low > 0 ? sqrt(low * high) : high / 8;
    k = tacit_points_cumulant(step, middle);
    if (below_saddle(ask, &k, middle))
      low = middle;
    else
      high = middle;
  }
  double theta = low > 0 ? low : high;
  k = tacit_points_cumulant(step, theta);
  /* where the answer will be: between the mean under this tilt and Chernoff's bound, which are near each
     other unless single losses are large */
  double epsilon =
      ask->wants_epsilon ? (steps * k.mean + (steps * k.value - log(ask->given)) / theta) / 2 : ask->given;
  double exponent = steps * k.value - theta * epsilon;
  double spare = -log(1e-13 * (steps + 100)) - 17;
  for (;;) {
    double less = theta * 0.8;
    if (steps * tacit_points_cumulant(step, less).value - less * epsilon > exponent + spare) return theta;
    if (less < 1e-3) return 0;
    theta = less;
  }
}

/* Halves [low, high] to a part in 10^12: delta's bound is above the asked one at low and not at high. */
static double bisect(const tacit_pld *pld, double delta, double low, double high) {
  while (high - low > 1e-12 * high && high > 1e-300) {
    double middle = low + (high - low) / 2;
    if (tacit_pld_delta(pld, middle) > delta)
      low = middle;
    else
      high = middle;
  }
  return pld->side == TACIT_UPPER_SIDE ? high : low;
}

/* The epsilon from which on the upper bound on delta has come down to the asked one. */
static double upper_epsilon(const tacit_pld *pld, double delta) {
  if (tacit_pld_delta(pld, 0) <= delta) return 0;
  double low = 0, high = 1;
  while (tacit_pld_delta(pld, high) > delta) {
    if (high > TACIT_SAMPLED_EPSILON_MAX) return INFINITY;
    low = high;
    high *= 2;
  }
  return bisect(pld, delta, low, high);
}

/* An epsilon at which the lower bound still is above the asked delta; looked for below `high`, since far from
   where it was tilted for the bound is idle. */
static double lower_epsilon(const tacit_pld *pld, double delta, double high) {
  for (int doublings = -17; doublings < 0; doublings++) {
    double low = high * (1 - ldexp(1, doublings));
    if (tacit_pld_delta(pld, low) > delta) return bisect(pld, delta, low, high);
  }
  return 0;
}

/* What one side says: the step's measure is used up. */
static tacit_status one_side(question *ask, tacit_measure *step, double beyond, double theta, tacit_side side,
                             tacit_interval *answer, tacit_error *error) {
  tacit_pld pld = {0};
  const tacit_composition all = {
      .steps = ask->of.steps, .beyond = beyond, .theta = theta, .side = side, .bits_max = BITS_MAX};
  tacit_status status = tacit_pld_compose_with(step, &all, &ask->roots, &pld, error);
  if (status == TACIT_OK && !ask->wants_epsilon)
    *(side == TACIT_UPPER_SIDE ? &answer->upper : &answer->lower) = tacit_pld_delta(&pld, ask->given);
  else if (status == TACIT_OK && side == TACIT_UPPER_SIDE)
    answer->upper = upper_epsilon(&pld, ask->given);
  else if (status == TACIT_OK)
    answer->lower = lower_epsilon(&pld, ask->given, answer->upper);
  tacit_pld_free(&pld);
  return status;
}

/* One step on the current grid from both sides, and the tilt for all of them. */
typedef struct one_step {
  tacit_measure lower, upper;
  double beyond, theta;
} one_step;

static void free_step(one_step *step) {
  tacit_measure_free(&step->lower);
  tacit_measure_free(&step->upper);
}

static tacit_status set_tilt(const question *ask, one_step *step, tacit_error *error) {
  tacit_points points = {0, NULL, NULL};
  TACIT_TRY(tacit_points_of(&step->upper, &points, error));
  step->theta = choose_tilt(ask, &points, step->upper.width) * ask->tilt;
  tacit_points_free(&points);
  return TACIT_OK;
}

static tacit_status make_step(const question *ask, tacit_step_kind kind, one_step *step, tacit_error *error) {
  tacit_step_curve curve;
  tacit_step_curve_set(&curve, kind, ask->of.rate, ask->of.sigma);
  const tacit_step_grid grid = {ask->width, ask->reach, CELLS_MAX, ask->grading};
  return tacit_measure_step(&curve, &grid, &step->lower, &step->upper, &step->beyond, error);
}

/* One direction; the step is used up. A second direction whose upper bound is not above the first's need not
   be bounded from below. */
static tacit_status one_direction(question *ask, tacit_step_kind kind, one_step *step, tacit_interval *worst,
                                  double *beyond, tacit_error *error) {
  tacit_interval answer = {0, 0};
  *beyond = fmax(*beyond, step->beyond * (double)ask->of.steps);
  TACIT_TRY(set_tilt(ask, step, error));
  TACIT_TRY(one_side(ask, &step->upper, step->beyond, step->theta, TACIT_UPPER_SIDE, &answer, error));
  if (!(answer.upper <= worst->upper && worst->lower > 0)) {
    if (!step->lower.mass) {
      double theta = step->theta;
      TACIT_TRY(make_step(ask, kind, step, error));
      step->theta = theta;
    }
    TACIT_TRY(one_side(ask, &step->lower, step->beyond, step->theta, TACIT_LOWER_SIDE, &answer, error));
  }
  worst->lower = fmax(worst->lower, answer.lower);
  worst->upper = fmax(worst->upper, answer.upper);
  return TACIT_OK;
}

/* Every direction; the worst counts, after composition. ADD is the mirror image of REMOVE, and so is what
   spreading makes of it. */
static tacit_status one_grid(question *ask, tacit_interval *answer, double *beyond, tacit_error *error) {
  *answer = (tacit_interval){0, 0};
  *beyond = 0;
  tacit_step_kind kind = tacit_sampled_direction(&ask->of, 0);
  one_step step = {.theta = 0}, mirror = {.theta = 0};
  /* the loss of ADD is never above -ln(1 - rate), so nothing is left at a larger epsilon */
  bool both = tacit_sampled_directions(&ask->of) > 1 &&
              !(!ask->wants_epsilon && ask->of.rate < 1 &&
                -log1p(-ask->of.rate) * (double)ask->of.steps * (1 + 1e-12) < ask->given);
  tacit_status status = make_step(ask, kind, &step, error);
  mirror.beyond = step.beyond;
  if (status == TACIT_OK && both) status = tacit_measure_mirror(&step.upper, &mirror.upper, error);
  if (status == TACIT_OK) status = one_direction(ask, kind, &step, answer, beyond, error);
  if (status == TACIT_OK && both) status = one_direction(ask, TACIT_STEP_ADD, &mirror, answer, beyond, error);
  free_step(&step);
  free_step(&mirror);
  return status;
}

/* Were all losses together normal, with standard deviation mu under P: delta at an epsilon, and how much the
   asked quantity moves, as a part of itself, for each part in itself that the variance moves. */
static double normal_delta(const question *ask, double mu, double epsilon, double *moves) {
  const double root = 0.7071067811865476;
  double z = epsilon / mu - mu / 2, other = exp(epsilon) * erfc((z + mu) * root) / 2;
  double delta = erfc(z * root) / 2 - other;
  *moves = mu * exp(-z * z / 2) / (5.013 * (ask->wants_epsilon ? other * epsilon : delta));
  return delta;
}

/* About delta at the given epsilon, to choose how far the grid reaches. */
static double guess_delta(const question *ask) {
  tacit_step_curve curve;
  double moves;
  tacit_step_curve_set(&curve, tacit_sampled_direction(&ask->of, 0), ask->of.rate, ask->of.sigma);
  double mu = tacit_step_spread(&curve) * sqrt((double)ask->of.steps);
  double delta = ask->of.steps < FEW_STEPS ? 1e-8 : normal_delta(ask, mu, ask->given, &moves);
  return delta > 1e-40 ? fmin(delta, 1e-3) : 1e-40;
}

/* The same at the epsilon or the delta that is given, with the tilt there. */
static double normal_moves(const question *ask, double mu, double *theta) {
  double low = 0, high = ask->given, moves = 0;
  if (ask->wants_epsilon) {
    high = mu * (mu / 2 + sqrt(-2 * log(ask->given))); /* beyond it: the tail alone is smaller */
    for (int i = 0; i < 40; i++) {
      double middle = (low + high) / 2;
      if (normal_delta(ask, mu, middle, &moves) > ask->given)
        low = middle;
      else
        high = middle;
    }
  }
  *theta = fmax(high / (mu * mu) - 0.5, 1);
  double z = high / mu - mu / 2;
  (void)normal_delta(ask, mu, high, &moves);
  /* far out the differences cancel */
  if (!(z < 20 && moves > 0.3 && moves < 1000)) moves = ask->wants_epsilon ? 1 : z * z / 2 + 2;
  return moves;
}

/* Five bits are enough for a width, and keep every loss exact. A step and every level add (cells in a
   standard deviation)^-2 / 4 to what the variance is uncertain by. Where single losses are far larger than
   the spread, as for tiny rates with little noise, the grid is as fine as the work space allows. */
static void first_grid(question *ask, double reach) {
  tacit_step_curve curve;
  tacit_step_curve_set(&curve, tacit_sampled_direction(&ask->of, 0), ask->of.rate, ask->of.sigma);
  double spread = tacit_step_spread(&curve), cells = FEW_FINENESS, theta = INFINITY;
  if (ask->of.steps >= FEW_STEPS) {
    double moves = normal_moves(ask, spread * sqrt((double)ask->of.steps), &theta);
    cells = sqrt(moves * (1 + (double)tacit_pld_levels(ask->of.steps)) /
                 (4 * (ask->wants_epsilon ? EPSILON_AIM : DELTA_AIM)));
  }
  int exponent;
  double bits = frexp(fmin(spread, 0.5) / cells, &exponent);
  double width = ldexp(floor(bits * 32), exponent - 5);
  for (size_t i = 0; i < tacit_sampled_directions(&ask->of); i++) {
    long double low, high, beyond;
    tacit_step_curve_set(&curve, tacit_sampled_direction(&ask->of, i), ask->of.rate, ask->of.sigma);
    tacit_step_range(&curve, reach, &low, &high, &beyond);
    while (width < WIDTH_MOST && !((high - low) / width < CELLS_MAX)) width *= 2;
  }
  ask->width = width;
  ask->grading = 1.3 * theta;
}

static double wide(tacit_interval answer) {
  return answer.lower > 0 ? answer.upper / answer.lower - 1 : answer.upper > 0 ? INFINITY : 0;
}

/* Grids are tried until the interval is narrow; every one encloses the truth, so they are intersected. */
static tacit_status answer_question(question *ask, tacit_interval *answer, tacit_error *error) {
  *answer = (tacit_interval){0, ask->wants_epsilon ? INFINITY : 1};
  /* so far out that what lies beyond is nothing beside the answer: P(N > r) < e^(-r^2/2) */
  double negligible = 1e-6 * (ask->wants_epsilon ? ask->given : guess_delta(ask));
  ask->reach = sqrt(2 * log(3 * (double)ask->of.steps / negligible));
  first_grid(ask, ask->reach + 6);
  ask->tilt = 1;
  double wanted = ask->wants_epsilon ? EPSILON_WANTED : ask->of.steps < FEW_STEPS ? FEW_WANTED : DELTA_WANTED;
  bool any = false;
  for (int round = 0, tries = 0; round < ROUNDS && tries < TRIES; tries++) {
    tacit_interval now;
    double beyond = 0, before = wide(*answer);
    tacit_status status = one_grid(ask, &now, &beyond, error);
    if (status == TACIT_REFUSED) { /* the grid is too fine for the work space, or single losses too large */
      if (any || ask->width > WIDTH_MOST) break;
      tacit_grid_relax(tries, &ask->tilt, &ask->width);
      continue;
    }
    TACIT_TRY(status);
    any = true;
    tacit_interval_meet(answer, now);
    if (tacit_grid_reaches(beyond, ask->wants_epsilon ? ask->given : answer->upper, &ask->reach)) continue;
    if (wide(*answer) < wanted ||
        (round > (ask->of.steps < FEW_STEPS ? 3 : 0) && wide(*answer) > 0.9 * before))
      break;
    ask->width /= 2;
    round++;
  }
  return TACIT_OK;
}

static tacit_status check_sigma(const tacit_sampled *of, tacit_error *error) {
  if (of->sigma >= TACIT_SAMPLED_SIGMA_MIN && of->sigma <= TACIT_SAMPLED_SIGMA_MAX) return TACIT_OK;
  return tacit_fail(error, TACIT_USAGE, "sigma must be at least %g and at most %g clip norms",
                    TACIT_SAMPLED_SIGMA_MIN, TACIT_SAMPLED_SIGMA_MAX);
}

tacit_status tacit_sampled_check(const tacit_sampled *of, tacit_error *error) {
  TACIT_TRY(check_sigma(of, error));
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
  TACIT_TRY(tacit_sampled_check(sampled, error));
  TACIT_TRY(check_epsilon(epsilon, error));
  question ask = {.of = *sampled, .given = epsilon};
  tacit_status status = answer_question(&ask, delta, error);
  tacit_fft_free(ask.roots);
  return status;
}

tacit_status tacit_sampled_epsilon(const tacit_sampled *sampled, double delta, tacit_interval *epsilon,
                                   tacit_error *error) {
  TACIT_TRY(tacit_sampled_check(sampled, error));
  TACIT_TRY(check_delta(delta, error));
  question ask = {.of = *sampled, .wants_epsilon = true, .given = delta};
  tacit_status status = answer_question(&ask, epsilon, error);
  tacit_fft_free(ask.roots);
  TACIT_TRY(status);
  if (epsilon->upper <= TACIT_SAMPLED_EPSILON_MAX) return TACIT_OK;
  return tacit_fail(error, TACIT_USAGE, "there is so little noise that epsilon would exceed %g",
                    TACIT_SAMPLED_EPSILON_MAX);
}

tacit_status tacit_sampled_rdp(const tacit_sampled *sampled, double rdp[TACIT_RDP_ORDERS],
                               tacit_error *error) {
  for (size_t i = 0; i < TACIT_RDP_ORDERS; i++)
    TACIT_TRY(tacit_sampled_rdp_at(sampled, tacit_rdp_orders[i], &rdp[i], error));
  return TACIT_OK;
}
