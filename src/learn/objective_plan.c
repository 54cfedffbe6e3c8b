/* The public choices of objective perturbation: lambda and h by C Theorem 3.6, sigma by the exact curve,
   gamma and the output noise by what exact arithmetic can certify (proofs/objective-perturbation.md).

     lambda = sqrt(2 L^2 / n + d sigma^2 / n^2 [+ kappa_1 sup K B_x^2 / (2 n epsilon)]) / B_theta
     h      = sup K B_x^2 / (lambda n epsilon)        part 1 has the bracket, part 2 has not

   Then smoothness / Lambda = epsilon / 2, so sigma depends on (epsilon, delta) and L alone and comes first.
 */
#include "learn/objective_plan.h"

#include "learn/budget.h"
#include "learn/noisy_gd.h"
#include "privacy/objective.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of delta, what the minimiser's noise may use. */
static const double MINIMISER_DELTA = 1.0 / 1000;
/* Rounding in the choices below stays inside these. */
static const double UP = 1 + 0x1p-30;
static const double H_LEAST = 0x1p-20, H_MOST = 0x1p20, LAMBDA_LEAST = 0x1p-6, LAMBDA_MOST = 0x1p25;

static int part_of(const tacit_learn_options *options) {
  if (!options->preset || !*options->preset || !strcmp(options->preset, "part-1")) return 1;
  return strcmp(options->preset, "part-2") == 0 ? 2 : 0;
}

tacit_status tacit_objective_check(const tacit_schema *schema, const tacit_learn_options *options,
                                   tacit_error *error) {
  if (schema->rows_per_unit > 1)
    return tacit_fail(
        error, TACIT_REFUSED,
        "objective perturbation is proved for units of one row; this schema has %zu rows per unit: use "
        "the default method",
        schema->rows_per_unit);
  if (!part_of(options))
    return tacit_fail(error, TACIT_USAGE, "the presets of this method are part-1 and part-2 (C Theorem 3.6)");
  if (options->epsilon > 100)
    return tacit_fail(error, TACIT_USAGE, "epsilon must be at most 100 for this method");
  if (options->delta < 1e-200)
    return tacit_fail(error, TACIT_USAGE, "delta must be at least 1e-200 for this method");
  return TACIT_OK;
}

/* The norm that rows are clipped to: bounded columns never exceed sqrt(columns); columns on a known scale
   rarely one and a half of it. */
static double clip_norm(const tacit_schema *schema, const tacit_learn_options *options) {
  if (options->clip_norm > 0) return options->clip_norm;
  if (schema->clip_norm > 0) return schema->clip_norm;
  return (tacit_schema_scales_known(schema) ? 1.5 : 1) * sqrt((double)schema->columns);
}

/* Up to TACIT_LAMBDA_DIGITS binary digits. */
static double few_digits(double lambda) {
  int exponent;
  double digits = ceil(ldexp(frexp(lambda, &exponent), TACIT_LAMBDA_DIGITS));
  return ldexp(digits, exponent - TACIT_LAMBDA_DIGITS);
}

typedef struct facts {
  double n, d, epsilon, delta; /* this target's share */
  double L, B, sup, kappa1, theta_bound;
  tacit_adjacency adjacency;
} facts;

static tacit_status sigma_for(const facts *f, double smoothness, double lambda, double *sigma,
                              tacit_error *error) {
  tacit_objective o = {f->L, smoothness, lambda, 0, f->adjacency};
  return tacit_objective_sigma(&o, f->epsilon * (1 - TACIT_MINIMISER_SHARE) * (1 - 0x1p-40),
                               f->delta * (1 - MINIMISER_DELTA) * (1 - 0x1p-40), sigma, error);
}

/* lambda and h, each as the theorem has it unless the options give it. */
static tacit_status choose(const facts *f, int part, double lambda, double h, double *Lambda,
                           double *bandwidth, tacit_error *error) {
  double sigma, n = f->n, curvature = f->sup * f->B * f->B;
  bool given = lambda > 0;
  TACIT_TRY(sigma_for(f, f->epsilon / 2, 1, &sigma, error));
  if (!given) {
    double kernel = part == 1 ? f->kappa1 * curvature / (2 * n * f->epsilon) : 0;
    lambda = sqrt(2 * f->L * f->L / n + f->d * sigma * sigma / (n * n) + kernel) / f->theta_bound;
    if (h > 0) lambda = fmax(lambda, curvature / (h * n * f->epsilon)); /* Lemma EC.1's condition */
  }
  *Lambda = few_digits(2 * n * lambda);
  *bandwidth = fmin(H_MOST, fmax(H_LEAST, h > 0 ? h : curvature / (*Lambda / 2 * f->epsilon)));
  double needed =
      curvature / *bandwidth / expm1(f->epsilon) / (2 * n) * 1.01; /* and a little for the noise */
  if (given && lambda < needed)
    return tacit_fail(
        error, TACIT_REFUSED,
        "lambda is too small for this guarantee and bandwidth: it takes at least %.6g, or a larger "
        "bandwidth",
        needed);
  if (*Lambda >= LAMBDA_LEAST && *Lambda <= LAMBDA_MOST) return TACIT_OK;
  return tacit_fail(
      error, TACIT_REFUSED,
      "2 rows lambda comes out as %.3g, outside %.3g to %.3g where the arithmetic is exact; choose another "
      "theta bound, clip norm or lambda",
      *Lambda, LAMBDA_LEAST, LAMBDA_MOST);
}

static tacit_status plan_objective(const facts *f, double Lambda, tacit_objective_plan *plan,
                                   tacit_error *error) {
  tacit_mechanism *m = &plan->objective;
  double sigma;
  plan->steepest = f->sup / plan->bandwidth * UP;
  m->lambda = Lambda;
  m->smoothness = plan->steepest * f->B * f->B * UP;
  TACIT_TRY(sigma_for(f, m->smoothness, Lambda, &sigma, error));
  int exponent;
  frexp(fmax(sigma, 4 * f->L), &exponent);
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
static tacit_status plan_minimiser(const facts *f, tacit_objective_plan *plan, tacit_error *error) {
  const tacit_mechanism *o = &plan->objective;
  tacit_mechanism *m = &plan->minimiser;
  double mu, root = sqrt(f->d),
             rows = f->adjacency == TACIT_ADD_REMOVE ? (double)TACIT_OBJECTIVE_ROWS_MAX : f->n;
  double M = rows * o->smoothness + o->lambda, sigma = ldexp(o->sigma, -o->bits);
  /* the minimiser stays within 2^23, for noise up to 64 standard deviations */
  if (!(128 * sigma * root <= o->lambda * 0x1p22 && 2 * rows * (64 + plan->bandwidth) <= o->lambda * 0x1p44))
    return tacit_fail(
        error, TACIT_REFUSED,
        "the ridge is too weak for exact arithmetic; choose a larger lambda or a smaller theta bound");
  m->lambda = o->lambda;
  m->clip = 4 * (M * root * 0x1p-65 + rows * f->B * 0x1p-56 + root * 0x1p-70) + ldexp(root, -o->bits);
  TACIT_TRY(tacit_gdp_mu(f->epsilon * TACIT_MINIMISER_SHARE * (1 - 0x1p-40),
                         f->delta * MINIMISER_DELTA * (1 - 0x1p-40), &mu, error));
  /* the rounding to the grid, sqrt(d) units, is to be small beside 2 gamma / Lambda */
  int wanted = (int)ceil(log2(64 * root * m->lambda / (2 * m->clip)));
  m->bits = wanted < 8 ? 8 : wanted > 48 - plan->reach_bits ? 48 - plan->reach_bits : wanted;
  TACIT_TRY(tacit_mechanism_sensitivity(m, f->adjacency, 1, &m->sensitivity, error));
  m->sigma = m->sensitivity / mu * UP;
  if (m->sigma <= 0x1p50) return TACIT_OK;
  return tacit_fail(error, TACIT_REFUSED, "this guarantee needs more noise than the method can hold");
}

/* Conditions of the published rates, which the guarantee does not need. */
static void note_conditions(const facts *f, int part, char *note) {
  double e2 = f->epsilon * f->epsilon;
  if (part == 1) return;
  if (e2 * e2 + f->d * log(1 / f->delta) * e2 < 1 / f->n)
    snprintf(note, 240,
             "C Theorem 3.6(2) promises its rate for epsilon^4 + d ln(1/delta) epsilon^2 of at least 1/n, "
             "which is not "
             "met; the privacy guarantee holds all the same.");
  else if (f->delta > exp(-f->epsilon / 2))
    snprintf(note, 240,
             "E Theorem 2 promises its rate for delta of at most e^(-epsilon/2), which is not met; the "
             "privacy guarantee "
             "holds all the same.");
}

tacit_status tacit_objective_plan_target(const tacit_schema *schema, const tacit_learn_options *options,
                                         double rows, size_t target, tacit_objective_plan *plan, char *note,
                                         tacit_error *error) {
  const tacit_target *y = &schema->targets[target];
  double tau = options->quantiles[target], targets = (double)schema->target_count;
  *plan = (tacit_objective_plan){.part = part_of(options), .kernel = TACIT_KERNEL_LOGISTIC};
  if (options->kernel && *options->kernel)
    TACIT_TRY(tacit_learn_kernel(options->kernel, &plan->kernel, error));
  plan->theta_bound = tacit_theta_bound(schema, target, options);
  frexp(plan->theta_bound, &plan->reach_bits);
  if (plan->reach_bits < 0) plan->reach_bits = 0;
  if (plan->theta_bound > 1e4)
    return tacit_fail(error, TACIT_USAGE, "the bound of theta must be at most 1e4");
  const tacit_kernel_constants *k = tacit_kernel_facts(plan->kernel);
  double B = clip_norm(schema, options);
  facts f = {.n = rows,
             .d = (double)schema->columns,
             .epsilon = options->epsilon / targets,
             .delta = options->delta / targets,
             .L = fmax(tau, 1 - tau) * B * UP,
             .B = B,
             .sup = tacit_objective_steepest(k->name),
             .kappa1 = k->kappa1,
             .theta_bound = plan->theta_bound,
             .adjacency = options->adjacency};
  double Lambda;
  TACIT_TRY(choose(&f, plan->part, options->lambda, options->bandwidth / y->scale.half, &Lambda,
                   &plan->bandwidth, error));
  plan->objective = (tacit_mechanism){.kind = TACIT_RELEASE_OBJECTIVE,
                                      .target = target,
                                      .dimension = schema->columns,
                                      .level = tau,
                                      .clip = B,
                                      .count = 1};
  plan->minimiser = plan->objective;
  plan->minimiser.kind = TACIT_RELEASE_MINIMISER;
  TACIT_TRY(plan_objective(&f, Lambda, plan, error));
  TACIT_TRY(plan_minimiser(&f, plan, error));
  note_conditions(&f, plan->part, note);
  return TACIT_OK;
}
