/* The privacy curve of objective perturbation, enclosed, inverted and calibrated.

   The loss is at most c + m|N| + m^2/2 for a standard normal N in both directions, with
     c = ln(1 + smoothness / lambda)                          the ratio of the determinants,
     m = lipschitz / sigma   under add-remove, twice that under replace-one    (theorems 1 and 2),
   so with t = epsilon - c
     delta(epsilon) = 2 H_m(t)            for t >= m^2/2,    H_m the curve of m-GDP,
                      1 - 2 e^t Phi(-m)   below,
   and the Renyi divergence of order a is at most c + a m^2/2 + ln(2 Phi((a-1) m)) / (a-1)
   (proofs/objective-perturbation.md). Every step rounds to the side that makes delta larger. */
#include "privacy/objective.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include <mpfr.h>

enum { PRECISION = 128 };

/* 1 - 2 e^t Phi(-m) = 1 - e^t erfc(m / sqrt 2), rounded up. */
static double below_kink(double m, double t) {
  mpfr_t x, e;
  mpfr_inits2(PRECISION, x, e, (mpfr_ptr)0);
  mpfr_set_ui(e, 2, MPFR_RNDN);
  mpfr_sqrt(e, e, MPFR_RNDD);
  mpfr_set_d(x, m, MPFR_RNDN); /* exact */
  mpfr_div(x, x, e, MPFR_RNDU);
  mpfr_erfc(x, x, MPFR_RNDD);
  mpfr_set_d(e, t, MPFR_RNDN); /* exact */
  mpfr_exp(e, e, MPFR_RNDD);
  mpfr_mul(x, x, e, MPFR_RNDD);
  mpfr_ui_sub(x, 1, x, MPFR_RNDU);
  double delta = mpfr_get_d(x, MPFR_RNDU);
  mpfr_clears(x, e, (mpfr_ptr)0);
  mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE); /* of this thread, which may end */
  return delta;
}

double tacit_half_normal_delta(double m, double t) {
  /* The two formulas meet at t = m^2/2. Where rounding leaves open on which side t lies, both are taken: the
     larger one is safe (proofs/objective-perturbation.md, lemma 3). */
  double kink = m * m / 2, delta = 0;
  if (t <= kink * (1 + 0x1p-50)) delta = below_kink(m, t);
  if (t >= kink * (1 - 0x1p-50)) {
    tacit_interval half;
    tacit_gdp_enclose(m, t, &half);
    delta = fmax(delta, 2 * half.upper);
  }
  return fmin(delta, 1);
}

/* With R Rayleigh: m sqrt(2 pi) e^(m r0 + m^2/2) Phi(-(r0 + m)), r0 = (t - m^2/2) / m, at and above the kink;
   below it 1 - e^(t - m^2/2) (1 - m sqrt(2 pi) e^(m^2/2) Phi(-m)). For comparison only: rounded to nearest.
 */
double tacit_chi2_delta(double m, double t) {
  double excess = t - m * m / 2, r = fmax(0, excess / m), root = sqrt(2 * acos(-1));
  double tail = m * root * exp(m * r + m * m / 2) * erfc((r + m) / sqrt(2)) / 2;
  return excess >= 0 ? tail : 1 - exp(excess) * (1 - tail);
}

/* m and c, rounded up. */
static double reach(const tacit_objective *o) {
  double factor = o->adjacency == TACIT_REPLACE_ONE ? 2 : 1;
  return nextafter(factor * o->lipschitz / o->sigma, INFINITY); /* the division alone rounds */
}

double tacit_objective_determinant(double smoothness, double lambda) {
  mpfr_t c;
  mpfr_init2(c, PRECISION);
  mpfr_set_d(c, smoothness, MPFR_RNDU);
  mpfr_div_d(c, c, lambda, MPFR_RNDU);
  mpfr_log1p(c, c, MPFR_RNDU);
  double up = mpfr_get_d(c, MPFR_RNDU);
  mpfr_clear(c);
  mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE); /* of this thread, which may end */
  return up;
}

static double determinant(const tacit_objective *o) {
  return tacit_objective_determinant(o->smoothness, o->lambda);
}

double tacit_objective_steepest(const char *kernel) {
  static const struct {
    const char *name;
    double sup;
  } sups[] = {{"gaussian", 0.3989422804014327}, {"laplacian", 0.5}, {"logistic", 0.25}, {"uniform", 0.5},
              {"epanechnikov", 0.75},           {"triangular", 1}};
  for (size_t i = 0; i < sizeof sups / sizeof *sups; i++)
    if (!strcmp(kernel, sups[i].name)) return sups[i].sup + 0x1p-20;
  return 0;
}

double tacit_objective_gamma_least(tacit_adjacency adjacency, double rows, double columns, double clip,
                                   int bits) {
  if (adjacency == TACIT_ADD_REMOVE) rows = 0x1p34;
  return rows * clip * 0x1p-56 + sqrt(columns) * (ldexp(1, -bits - 1) + 0x1p-76);
}

/* epsilon - c, rounded down. */
static double less(double epsilon, double c) {
  return nextafter(epsilon - c, -INFINITY);
}

static bool within(double x, double least, double most) {
  return x >= least && x <= most;
}

/* Far from any overflow in what follows. */
static const double SMALLEST = 1e-100, LARGEST = 1e100, REACH_MAX = 1e4, REACH_MIN = 1e-12;

static tacit_status check_facts(const tacit_objective *o, bool lambda, bool sigma, tacit_error *error) {
  if (!within(o->lipschitz, SMALLEST, LARGEST) ||
      !(o->smoothness == 0 || within(o->smoothness, SMALLEST, LARGEST)))
    return tacit_fail(error, TACIT_USAGE,
                      "the Lipschitz constant must be above 0, the smoothness at least 0, both below 1e100");
  if (lambda && !within(o->lambda, SMALLEST, LARGEST))
    return tacit_fail(error, TACIT_USAGE, "lambda must be above 0 and below 1e100");
  if (sigma &&
      !(within(o->sigma, SMALLEST, LARGEST) && within(o->lipschitz / o->sigma, REACH_MIN, REACH_MAX)))
    return tacit_fail(error, TACIT_USAGE, "sigma must lie between %g and %g times the Lipschitz constant",
                      1 / REACH_MAX, 1 / REACH_MIN);
  return TACIT_OK;
}

static tacit_status check_epsilon(double epsilon, tacit_error *error) {
  if (within(epsilon, 0, TACIT_EPSILON_MAX)) return TACIT_OK;
  return tacit_fail(error, TACIT_USAGE, "epsilon must be at least 0 and at most %g", TACIT_EPSILON_MAX);
}

static tacit_status check_delta(double delta, tacit_error *error) {
  if (delta > 0 && delta < 1) return TACIT_OK;
  return tacit_fail(
      error, TACIT_USAGE,
      "delta must be above 0 and below 1: no Gaussian noise gives delta = 0, choose one far below "
      "1/rows, such as 1e-6");
}

/* What linear losses of the full slope have: the minimiser is the Gaussian mechanism itself. The reach is
   rounded down here. */
static void linear_delta(const tacit_objective *o, double epsilon, double *lower) {
  tacit_interval delta;
  double m = nextafter(nextafter(reach(o), 0), 0);
  tacit_gdp_enclose(m, epsilon, &delta);
  *lower = delta.lower;
}

tacit_status tacit_objective_delta(const tacit_objective *o, double epsilon, tacit_interval *delta,
                                   tacit_error *error) {
  TACIT_TRY(check_facts(o, true, true, error));
  TACIT_TRY(check_epsilon(epsilon, error));
  delta->upper = tacit_half_normal_delta(reach(o), less(epsilon, determinant(o)));
  linear_delta(o, epsilon, &delta->lower);
  return TACIT_OK;
}

/* The smallest double x in (lo, hi] that holds, where every larger one holds too and hi does. Doubles above 0
   are ordered like their bit patterns. */
typedef bool (*predicate)(double x, const void *self);

static double smallest(double lo, double hi, predicate holds, const void *self) {
  uint64_t a, b;
  memcpy(&a, &lo, sizeof a);
  memcpy(&b, &hi, sizeof b);
  while (b - a > 1) {
    uint64_t middle = a + (b - a) / 2;
    double x;
    memcpy(&x, &middle, sizeof x);
    if (holds(x, self))
      b = middle;
    else
      a = middle;
  }
  memcpy(&hi, &b, sizeof hi);
  return hi;
}

typedef struct asked {
  tacit_objective objective;
  double epsilon, delta;
} asked;

static bool epsilon_suffices(double epsilon, const void *self) {
  const asked *a = self;
  return tacit_half_normal_delta(reach(&a->objective), less(epsilon, determinant(&a->objective))) <= a->delta;
}

/* True once linear losses are within delta: below that, epsilon is too small for them. */
static bool linear_within(double epsilon, const void *self) {
  const asked *a = self;
  double delta;
  linear_delta(&a->objective, epsilon, &delta);
  return delta <= a->delta;
}

static bool sigma_suffices(double sigma, const void *self) {
  asked a = *(const asked *)self;
  a.objective.sigma = sigma;
  return epsilon_suffices(a.epsilon, &a);
}

static bool lambda_suffices(double lambda, const void *self) {
  asked a = *(const asked *)self;
  a.objective.lambda = lambda;
  return epsilon_suffices(a.epsilon, &a);
}

tacit_status tacit_objective_epsilon(const tacit_objective *o, double delta, tacit_interval *epsilon,
                                     tacit_error *error) {
  TACIT_TRY(check_facts(o, true, true, error));
  TACIT_TRY(check_delta(delta, error));
  asked a = {*o, 0, delta};
  *epsilon = (tacit_interval){0, 0};
  if (!epsilon_suffices(TACIT_EPSILON_MAX, &a))
    return tacit_fail(error, TACIT_USAGE, "epsilon would exceed %g", TACIT_EPSILON_MAX);
  if (!epsilon_suffices(0, &a)) epsilon->upper = smallest(0, TACIT_EPSILON_MAX, epsilon_suffices, &a);
  if (!linear_within(0, &a)) {
    double first = smallest(0, TACIT_EPSILON_MAX, linear_within, &a);
    epsilon->lower = nextafter(first, 0); /* the last one that linear losses are known to break */
  }
  return TACIT_OK;
}

/* e^epsilon - 1 from below, finite. */
static double expm1_down(double epsilon) {
  return expm1(fmin(epsilon, 200)) * (1 - 1e-12);
}

tacit_status tacit_objective_sigma(const tacit_objective *o, double epsilon, double delta, double *sigma,
                                   tacit_error *error) {
  TACIT_TRY(check_facts(o, true, false, error));
  TACIT_TRY(check_epsilon(epsilon, error));
  TACIT_TRY(check_delta(delta, error));
  asked a = {*o, epsilon, delta};
  double most = o->lipschitz / REACH_MIN;
  if (!sigma_suffices(most, &a))
    return tacit_fail(
        error, TACIT_REFUSED,
        "no noise gives this guarantee: lambda must be above smoothness / (e^epsilon - 1) = %.6g",
        o->smoothness / expm1_down(epsilon));
  *sigma = smallest(o->lipschitz / REACH_MAX, most, sigma_suffices, &a);
  return TACIT_OK;
}

tacit_status tacit_objective_lambda(const tacit_objective *o, double epsilon, double delta, double *lambda,
                                    tacit_error *error) {
  TACIT_TRY(check_facts(o, false, true, error));
  TACIT_TRY(check_epsilon(epsilon, error));
  TACIT_TRY(check_delta(delta, error));
  asked a = {*o, epsilon, delta};
  if (!lambda_suffices(LARGEST, &a))
    return tacit_fail(error, TACIT_REFUSED, "no lambda gives this guarantee: sigma is too small for it");
  *lambda = smallest(SMALLEST, LARGEST, lambda_suffices, &a);
  return TACIT_OK;
}

/* c + a m^2/2 + ln(erfc(-(a-1) m / sqrt 2)) / (a-1), rounded up. */
static double rdp_at(double a, double m, double c) {
  mpfr_t x, y, root;
  mpfr_inits2(PRECISION, x, y, root, (mpfr_ptr)0);
  mpfr_set_ui(root, 2, MPFR_RNDN);
  mpfr_sqrt(root, root, MPFR_RNDD);
  mpfr_set_d(x, m, MPFR_RNDU);
  mpfr_mul_d(x, x, a - 1, MPFR_RNDU); /* a - 1 is exact for the orders in use */
  mpfr_div(x, x, root, MPFR_RNDU);
  mpfr_neg(x, x, MPFR_RNDD);
  mpfr_erfc(x, x, MPFR_RNDU);
  mpfr_log(x, x, MPFR_RNDU);
  mpfr_div_d(x, x, a - 1, MPFR_RNDU);
  mpfr_set_d(y, m, MPFR_RNDU);
  mpfr_sqr(y, y, MPFR_RNDU);
  mpfr_mul_d(y, y, a / 2, MPFR_RNDU);
  mpfr_add(x, x, y, MPFR_RNDU);
  mpfr_add_d(x, x, c, MPFR_RNDU);
  double rdp = mpfr_get_d(x, MPFR_RNDU);
  mpfr_clears(x, y, root, (mpfr_ptr)0);
  mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE); /* of this thread, which may end */
  return rdp;
}

tacit_status tacit_objective_rdp(const tacit_objective *o, double rdp[TACIT_RDP_ORDERS], tacit_error *error) {
  TACIT_TRY(check_facts(o, true, true, error));
  double m = reach(o), c = determinant(o);
  for (size_t i = 0; i < TACIT_RDP_ORDERS; i++) rdp[i] = rdp_at(tacit_rdp_orders[i], m, c);
  return TACIT_OK;
}
