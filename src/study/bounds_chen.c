/* Chen and Chua: Theorems 3.4 and 3.6 and Lemma 4.2; the companion's (EC.19), (EC.25) and (EC.32).

   L = max(tau, 1 - tau) B_x, K its kernel's largest value, n^2 steps. Regret of descent is at most a eta + b
   / eta with b = B_theta^2 / (2 n^2) and

     a = L^2 (1 + n^2) / n + (L^2 + d sigma^2) / 2 + s kappa_1 K B_x^2 / 2,

   s = 1 where the steps see all rows and 1/2 where they see one. */
#include "study/bounds.h"

static double squared(double x) {
  return x * x;
}

static double slope_of_descent(const tacit_bounds_facts *f, double sigma, double share) {
  double n = f->o.rows, L2 = squared(f->lipschitz), B2 = squared(f->o.clip_norm);
  return L2 * (1 + n * n) / n + (L2 + f->o.columns * sigma * sigma) / 2 +
         share * f->kernel->kappa1 * f->kernel->sup * B2 / 2;
}

static double regret_of_descent(const tacit_bounds_facts *f, double sigma, double share) {
  return tacit_least_of(slope_of_descent(f, sigma, share), squared(f->o.theta_bound / f->o.rows) / 2);
}

static void ask_rows(const tacit_bounds_facts *f, tacit_bounds *b) {
  double least = (1 + f->kernel->kappa1 * f->kernel->sup / squared(f->tau_bar)) / 4;
  tacit_bounds_ask(b, "n >= (1 + kappa_1 sup K / max(tau, 1 - tau)^2) / 4", f->o.rows >= least);
}

static void add_settings(const tacit_bounds_facts *f, tacit_bounds *b, double sigma, double published,
                         double share) {
  double n = f->o.rows, up = share * f->kernel->sup * squared(f->o.clip_norm);
  double eta = f->o.theta_bound / n / sqrt(2 * slope_of_descent(f, sigma, share));
  double eta_published = f->o.theta_bound / n / sqrt(2 * slope_of_descent(f, published, share));
  tacit_bounds_add(b, "noise of a step", "sigma", sigma, published);
  tacit_bounds_add(b, "step size", "eta", eta, eta_published);
  tacit_bounds_add(b, "bandwidth", "h", eta * up, eta_published * up);
}

/* What A.3 prints: kappa_1 K B_x^2 / 2 inside a bracket that L^2 multiplies, and 2/n^3 outside the root. */
static double printed_sgd(const tacit_bounds_facts *f) {
  double n = f->o.rows, e = f->o.epsilon, logs = log(1 / f->o.delta), B = f->o.clip_norm;
  double inner = 1 + 8 * f->o.columns * logs / (e * e) + f->kernel->kappa1 * f->kernel->sup * B * B / 2;
  return f->o.theta_bound * f->lipschitz * sqrt(2 / n + inner / (n * n)) + 2 / (n * n * n);
}

tacit_status tacit_bounds_sgd(const tacit_bounds_facts *f, tacit_bounds *b, tacit_error *error) {
  double n = f->o.rows, e = f->o.epsilon, logs = log(1 / f->o.delta), sigma = 0;
  const tacit_sampled steps = {.sigma = 1,
                               .rate = nextafter(1 / n, 1),
                               .steps = (uint64_t)(n * n),
                               .sampling = TACIT_SAMPLING_FIXED,
                               .adjacency = TACIT_REPLACE_ONE};
  TACIT_TRY(tacit_sampled_sigma(&steps, e, f->o.delta, &sigma, error));
  sigma *= f->lipschitz;
  double published = f->lipschitz * sqrt(8 * logs) / e;
  double last =
      sqrt(2) * f->o.theta_bound * f->lipschitz * sqrt(4 / n + 8 * f->o.columns * logs / squared(n * e));
  tacit_bounds_add(b, "excess cost", "Theorem 3.4", regret_of_descent(f, sigma, 0.5), printed_sgd(f));
  tacit_bounds_add(b, "the same with the published noise", "EC.32", regret_of_descent(f, published, 0.5),
                   NAN);
  tacit_bounds_add(b, "the same, simplified", "Theorem 6", NAN, last);
  add_settings(f, b, sigma, published, 0.5);
  ask_rows(f, b);
  tacit_bounds_ask(b, "epsilon <= 1, for the published noise", e <= 1);
  return TACIT_OK;
}

tacit_status tacit_bounds_gradient(const tacit_bounds_facts *f, tacit_bounds *b, tacit_error *error) {
  (void)error;
  double n = f->o.rows, sigma = 2 * f->lipschitz / f->mu, published = NAN, last = NAN, e = f->o.epsilon;
  if (f->pair) {
    double logs = log(1 / f->o.delta);
    published = f->lipschitz * sqrt(8 * logs) / e;
    last = f->o.theta_bound * f->lipschitz * sqrt(8 / n + 8 * f->o.columns * logs / squared(n * e));
  }
  tacit_bounds_add(b, "excess cost", "EC.25", regret_of_descent(f, sigma, 1),
                   f->pair ? regret_of_descent(f, published, 1) : NAN);
  tacit_bounds_add(b, "the same, simplified", "Theorem 4", NAN, last);
  add_settings(f, b, sigma, published, 1);
  ask_rows(f, b);
  return TACIT_OK;
}

/* n^2 B_theta^2 lambda^2 without the smoothing. */
static double objective_square(const tacit_bounds_facts *f, double sigma) {
  return 2 * squared(f->lipschitz) * f->o.rows + f->o.columns * sigma * sigma;
}

static double objective_lambda(const tacit_bounds_facts *f, double sigma, bool first_part) {
  double n = f->o.rows,
         smoothing = f->kernel->kappa1 * f->kernel->sup * squared(f->o.clip_norm) * n / (2 * f->o.epsilon);
  return sqrt(objective_square(f, sigma) + (first_part ? smoothing : 0)) / (n * f->o.theta_bound);
}

static double objective_bandwidth(const tacit_bounds_facts *f, double sigma, bool first_part) {
  return f->kernel->sup * squared(f->o.clip_norm) /
         (objective_lambda(f, sigma, first_part) * f->o.rows * f->o.epsilon);
}

/* (EC.19) at its lambda and bandwidth; s is the largest density. */
static double second_part(const tacit_bounds_facts *f, double sigma) {
  double h = objective_bandwidth(f, sigma, false), B = f->o.theta_bound;
  return 2 * squared(B) * objective_lambda(f, sigma, false) + h * h * f->o.density_high * f->kernel->kappa2;
}

/* How far smoothing moves the best coefficients: the root 2c/(b + sqrt(b^2 - 4ac)) of the proof, beside 2c/b.
 */
static void add_lemma(const tacit_bounds_facts *f, tacit_bounds *b, double h) {
  const tacit_bounds_options *o = &f->o;
  double l = o->density_slope, B3 = o->clip_norm * squared(o->clip_norm);
  double cubic = l * B3 / 2, square = o->eigenvalue * (o->density_low - h * l * f->kernel->kappa1),
         line = h * h * l * f->kernel->kappa2 / 2, rest = square * square - 4 * cubic * line;
  bool holds = square > 0 && rest > 0;
  tacit_bounds_add(b, "coefficients moved by smoothing", "Lemma 4.2",
                   holds ? 2 * line / (square + sqrt(rest)) : NAN, holds ? 2 * line / square : NAN);
  tacit_bounds_ask(b, "f_l > h l_1 (kappa_1 + sqrt(B_x^3 kappa_2) / rho_1), for Lemma 4.2", holds);
}

static void ask_objective(const tacit_bounds_facts *f, tacit_bounds *b) {
  const tacit_bounds_options *o = &f->o;
  double K = f->kernel->sup, s = o->density_high, root = pow(o->rows, -0.25), r = pow(f->tau_bar, 1.5);
  double printed = K * s * f->kernel->kappa2 / (2 * r) * sqrt(o->theta_bound / o->clip_norm) * root;
  double right = K * sqrt(s * f->kernel->kappa2 * o->clip_norm * o->theta_bound) / (pow(2, 1.25) * r) * root;
  tacit_bounds_ask(b, "delta <= e^(-epsilon/2), for Theorem 2", o->delta <= exp(-o->epsilon / 2));
  if (!(s > 0)) return;
  tacit_bounds_add(b, "least epsilon of Theorem 2", "from EC.19", right, printed);
  tacit_bounds_ask(b, "epsilon is at least that", o->epsilon >= right);
}

tacit_status tacit_bounds_objective(const tacit_bounds_facts *f, tacit_bounds *b, tacit_error *error) {
  double e = f->o.epsilon, logs = log(1 / f->o.delta), sigma = 0, n = f->o.rows,
         B2 = squared(f->o.theta_bound);
  /* lambda and bandwidth are tied so that smoothness / lambda = epsilon / 2 */
  const tacit_objective curve = {f->lipschitz, e / 2, 1, 1, TACIT_REPLACE_ONE};
  TACIT_TRY(tacit_objective_sigma(&curve, e, f->o.delta, &sigma, error));
  double chen = f->lipschitz * sqrt(8 * log(2 / f->o.delta) + 4 * e) / e,
         companion = f->lipschitz * sqrt(8 * logs + 4 * e) / e;
  bool density = f->o.density_high > 0;
  tacit_bounds_add(b, "excess cost", "Theorem 3.6, part 1", 2 * B2 * objective_lambda(f, sigma, true),
                   2 * B2 * objective_lambda(f, chen, true));
  tacit_bounds_add(b, "excess cost", "EC.19", density ? second_part(f, sigma) : NAN,
                   density ? second_part(f, companion) : NAN);
  tacit_bounds_add(b, "the same, simplified", "Theorem 2", NAN,
                   4 * f->o.theta_bound * f->lipschitz *
                       sqrt(2 / n + 16 * f->o.columns * logs / squared(n * e)));
  tacit_bounds_add(b, "noise", "sigma", sigma, chen);
  tacit_bounds_add(b, "lambda", "part 1", objective_lambda(f, sigma, true), objective_lambda(f, chen, true));
  tacit_bounds_add(b, "bandwidth", "part 1", objective_bandwidth(f, sigma, true),
                   objective_bandwidth(f, chen, true));
  ask_objective(f, b);
  if (f->o.density_low > 0 && f->o.density_slope > 0) add_lemma(f, b, objective_bandwidth(f, sigma, true));
  return TACIT_OK;
}
