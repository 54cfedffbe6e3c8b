/* The public rules of objective perturbation: lambda and h by Chen and Chua's Theorem 3.6, sigma by the exact
   curve, gamma and the output noise by what exact arithmetic can certify (proofs/objective-perturbation.md).

     lambda = sqrt(2 L^2 / n + d sigma^2 / n^2 [+ kappa_1 sup K B_x^2 / (2 n epsilon)]) / B_theta
     h      = sup K B_x^2 / (lambda n epsilon)        part 1 has the bracket, part 2 has not

   Then smoothness / Lambda = epsilon / 2, so sigma depends on (epsilon, delta) and L alone and comes first.
 */
#include "method/objective_recipe.h"

#include <math.h>

/* Of delta, what the minimiser's noise may use. */
static const double MINIMISER_DELTA = 1.0 / 1000;
/* Rounding in the choices below stays inside these. */
static const double UP = 1 + 0x1p-30;
static const double LAMBDA_LEAST = 0x1p-6, LAMBDA_MOST = 0x1p25;

bool tacit_objective_holds(double lambda) {
  return lambda >= LAMBDA_LEAST && lambda <= LAMBDA_MOST;
}

double tacit_objective_few_digits(double lambda) {
  int exponent;
  double digits = ceil(ldexp(frexp(lambda, &exponent), TACIT_LAMBDA_DIGITS));
  return ldexp(digits, exponent - TACIT_LAMBDA_DIGITS);
}

double tacit_objective_bandwidth(double bandwidth) {
  return fmin(TACIT_BANDWIDTH_MOST, fmax(TACIT_BANDWIDTH_LEAST, bandwidth));
}

double tacit_objective_slope(const tacit_objective_facts *facts, double bandwidth) {
  return facts->steepest / bandwidth * UP;
}

int tacit_objective_reach_bits(double theta_bound) {
  int bits;
  frexp(theta_bound, &bits);
  return bits < 0 ? 0 : bits;
}

/* The largest gradient of one record. */
static double lipschitz(const tacit_objective_facts *f) {
  return fmax(f->tau, 1 - f->tau) * f->clip * UP;
}

/* What the objective has of the target's share, and a little less. */
static double own_epsilon(const tacit_objective_facts *f) {
  return f->epsilon * (1 - TACIT_MINIMISER_SHARE) * (1 - 0x1p-40);
}

static double own_delta(const tacit_objective_facts *f) {
  return f->delta * (1 - MINIMISER_DELTA) * (1 - 0x1p-40);
}

static tacit_status sigma_for(const tacit_objective_facts *f, double smoothness, double lambda, double *sigma,
                              tacit_error *error) {
  tacit_objective o = {lipschitz(f), smoothness, lambda, 0, f->adjacency};
  return tacit_objective_sigma(&o, own_epsilon(f), own_delta(f), sigma, error);
}

static double smoothness(const tacit_objective_facts *f, double bandwidth) {
  return tacit_objective_slope(f, bandwidth) * f->clip * f->clip * UP;
}

/* And what the minimiser has. */
static double minimiser_epsilon(const tacit_objective_facts *f) {
  return f->epsilon * TACIT_MINIMISER_SHARE * (1 - 0x1p-40);
}

static double minimiser_delta(const tacit_objective_facts *f) {
  return f->delta * MINIMISER_DELTA * (1 - 0x1p-40);
}

tacit_status tacit_objective_noise_find(const tacit_objective_facts *f, double lambda, double bandwidth,
                                        tacit_objective_noise *noise, tacit_error *error) {
  TACIT_TRY(sigma_for(f, smoothness(f, bandwidth), lambda, &noise->sigma, error));
  return tacit_gdp_mu(minimiser_epsilon(f), minimiser_delta(f), &noise->mu, error);
}

static bool sigma_suffices(const tacit_objective_facts *f, double lambda, double bandwidth, double sigma) {
  tacit_objective o = {lipschitz(f), smoothness(f, bandwidth), lambda, sigma, f->adjacency};
  tacit_interval delta;
  return tacit_objective_delta(&o, own_epsilon(f), &delta, NULL) == TACIT_OK && delta.upper <= own_delta(f);
}

static bool mu_is_allowed(const tacit_objective_facts *f, double mu) {
  double delta;
  return tacit_gdp_delta(mu, minimiser_epsilon(f), &delta, NULL) == TACIT_OK && delta <= minimiser_delta(f);
}

bool tacit_objective_noise_is(const tacit_objective_facts *f, double lambda, double bandwidth,
                              const tacit_objective_noise *noise, double tolerance) {
  double less = 1 - tolerance, more = 1 + tolerance;
  return sigma_suffices(f, lambda, bandwidth, noise->sigma * more) &&
         !sigma_suffices(f, lambda, bandwidth, noise->sigma * less) && mu_is_allowed(f, noise->mu * less) &&
         !mu_is_allowed(f, noise->mu * more);
}

tacit_objective_noise tacit_objective_noise_of(const tacit_mechanism *objective,
                                               const tacit_mechanism *minimiser) {
  return (tacit_objective_noise){.sigma = ldexp(objective->sigma, -objective->bits) / UP,
                                 .mu = minimiser->sensitivity / minimiser->sigma * UP};
}

double tacit_objective_lambda_least(const tacit_objective_facts *f, double bandwidth) {
  double curvature = f->steepest * f->clip * f->clip;
  return curvature / bandwidth / expm1(f->epsilon) / (2 * f->rows) * 1.01; /* and a little for the noise */
}

tacit_status tacit_objective_choose(const tacit_objective_facts *f, int part, double lambda, double bandwidth,
                                    double *chosen_lambda, double *chosen_bandwidth, tacit_error *error) {
  double sigma, n = f->rows, L = lipschitz(f), curvature = f->steepest * f->clip * f->clip;
  bool given = lambda > 0;
  if (bandwidth > 0) bandwidth = tacit_objective_bandwidth(bandwidth);
  TACIT_TRY(sigma_for(f, f->epsilon / 2, 1, &sigma, error));
  if (!given) {
    double kernel = part == 1 ? f->kappa1 * curvature / (2 * n * f->epsilon) : 0;
    lambda = sqrt(2 * L * L / n + f->columns * sigma * sigma / (n * n) + kernel) / f->theta_bound;
    if (bandwidth > 0) lambda = fmax(lambda, curvature / (bandwidth * n * f->epsilon)); /* Lemma EC.1 */
  }
  double Lambda = *chosen_lambda = tacit_objective_few_digits(2 * n * lambda);
  *chosen_bandwidth =
      tacit_objective_bandwidth(bandwidth > 0 ? bandwidth : curvature / (Lambda / 2 * f->epsilon));
  double needed = tacit_objective_lambda_least(f, *chosen_bandwidth);
  if (given && lambda < needed)
    return tacit_fail(
        error, TACIT_REFUSED,
        "lambda is too small for this guarantee and bandwidth: it takes at least %.6g, or a larger "
        "bandwidth",
        needed);
  if (tacit_objective_holds(Lambda)) return TACIT_OK;
  return tacit_fail(
      error, TACIT_REFUSED,
      "2 rows lambda comes out as %.3g, outside %.3g to %.3g where the arithmetic is exact; choose another "
      "theta bound, clip norm or lambda",
      Lambda, LAMBDA_LEAST, LAMBDA_MOST);
}

static tacit_status release_objective(const tacit_objective_facts *f, double lambda, double bandwidth,
                                      double sigma, tacit_mechanism *m, tacit_error *error) {
  int exponent;
  m->lambda = lambda;
  m->smoothness = smoothness(f, bandwidth);
  frexp(fmax(sigma, 4 * lipschitz(f)), &exponent);
  m->bits =
      exponent < -8 ? 60 : 52 - exponent; /* sigma is at most 2^52 units, and no grid is finer than 2^-60 */
  if (m->bits < 0)
    return tacit_fail(error, TACIT_REFUSED, "this guarantee needs more noise than the method can hold");
  TACIT_TRY(tacit_mechanism_sensitivity(m, f->adjacency, 1, &m->sensitivity, error));
  m->sigma = ldexp(sigma, m->bits) * UP;
  return TACIT_OK;
}

/* gamma: four times what the descent can always reach, for the largest number of rows there can be. Under
   add-remove that is not the number of rows at hand. */
static tacit_status release_minimiser(const tacit_objective_facts *f, double bandwidth, double mu,
                                      const tacit_mechanism *o, tacit_mechanism *m, tacit_error *error) {
  double root = sqrt(f->columns),
         rows = f->adjacency == TACIT_ADD_REMOVE ? (double)TACIT_OBJECTIVE_ROWS_MAX : f->rows;
  double M = rows * o->smoothness + o->lambda, sigma = ldexp(o->sigma, -o->bits);
  int reach = tacit_objective_reach_bits(f->theta_bound);
  /* the minimiser stays within 2^23, for noise up to 64 standard deviations */
  if (!(128 * sigma * root <= o->lambda * 0x1p22 && 2 * rows * (64 + bandwidth) <= o->lambda * 0x1p44))
    return tacit_fail(
        error, TACIT_REFUSED,
        "the ridge is too weak for exact arithmetic; choose a larger lambda or a smaller theta bound");
  m->lambda = o->lambda;
  m->clip = 4 * (M * root * 0x1p-65 + rows * f->clip * 0x1p-56 + root * 0x1p-70) + ldexp(root, -o->bits);
  /* the rounding to the grid, sqrt(d) units, is to be small beside 2 gamma / Lambda */
  int wanted = (int)ceil(log2(64 * root * m->lambda / (2 * m->clip)));
  m->bits = wanted < 8 ? 8 : wanted > 48 - reach ? 48 - reach : wanted;
  TACIT_TRY(tacit_mechanism_sensitivity(m, f->adjacency, 1, &m->sensitivity, error));
  m->sigma = m->sensitivity / mu * UP;
  if (m->sigma <= 0x1p50) return TACIT_OK;
  return tacit_fail(error, TACIT_REFUSED, "this guarantee needs more noise than the method can hold");
}

tacit_status tacit_objective_releases(const tacit_objective_facts *facts, size_t target, double lambda,
                                      double bandwidth, const tacit_objective_noise *noise,
                                      tacit_mechanism releases[2], tacit_error *error) {
  tacit_mechanism *objective = &releases[0], *minimiser = &releases[1];
  *objective = (tacit_mechanism){.kind = TACIT_RELEASE_OBJECTIVE,
                                 .target = target,
                                 .dimension = (size_t)facts->columns,
                                 .level = facts->tau,
                                 .clip = facts->clip,
                                 .count = 1};
  *minimiser = *objective;
  minimiser->kind = TACIT_RELEASE_MINIMISER;
  TACIT_TRY(release_objective(facts, lambda, bandwidth, noise->sigma, objective, error));
  return release_minimiser(facts, bandwidth, noise->mu, objective, minimiser, error);
}
