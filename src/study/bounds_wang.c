/* Wang and Qin: Theorems 4 and 7, n^2 steps on the smoothed SPO+ loss. With L = 2 diameter B_x and m entries,

     regret <= eta L^2 (1 + n^2) / n + B_B^2 / (2 k n^2 eta) + eta (L^2 + m sigma^2) / (2 k) + smoothing,

   k = 1 for Gaussian noise; for exponential descent k = tanh(epsilon_0/2) Gamma(m/2) / (sqrt pi
   Gamma((m+1)/2)), what a step has of the gradient, and no sigma. The smoothed loss is 4 B_x^2 / mu_s smooth
   in the coefficients, so that a step is no expansion for mu_s >= 2 eta B_x^2; the paper's mu_s = eta/2 is
   enough for B_x <= 1/2 alone. Smoothing costs mu_s B_w^2 / 2, once: the loss itself is L-Lipschitz, so
   stability needs none. */
#include "study/bounds.h"

static double squared(double x) {
  return x * x;
}

typedef struct form {
  double gain, entries, sigma, smoothing; /* k, m, sigma and mu_s / eta */
} form;

static double slope_of(const tacit_bounds_facts *f, const form *x) {
  double n = f->o.rows, L2 = squared(f->lipschitz);
  return L2 * (1 + n * n) / n + (L2 + x->entries * squared(x->sigma)) / (2 * x->gain) +
         x->smoothing * squared(f->o.width) / 2;
}

static double rest_of(const tacit_bounds_facts *f, const form *x) {
  return squared(f->o.theta_bound / f->o.rows) / (2 * x->gain);
}

static void add_form(const tacit_bounds_facts *f, tacit_bounds *b, const char *where, const form *right,
                     double published, double eta_published) {
  double eta = sqrt(rest_of(f, right) / slope_of(f, right));
  tacit_bounds_add(b, "excess SPO+ loss", where, tacit_least_of(slope_of(f, right), rest_of(f, right)),
                   published);
  tacit_bounds_add(b, "step size", "eta", eta, eta_published);
  tacit_bounds_add(b, "smoothing", "mu_s", right->smoothing * eta, eta_published / 2);
  tacit_bounds_ask(b, "B_x <= 1/2, for the published smoothing eta/2", f->o.clip_norm <= 0.5);
}

tacit_status tacit_bounds_gaussian(const tacit_bounds_facts *f, tacit_bounds *b, tacit_error *error) {
  (void)error;
  double d = f->o.outputs, m = d * f->o.columns, B2 = squared(f->o.clip_norm), noise = NAN, printed = NAN,
         eta = NAN;
  const form right = {1, m, 2 * f->lipschitz / f->mu, 2 * B2};
  if (f->pair) { /* noise in d entries where there are p d */
    noise = f->lipschitz * sqrt(8 * log(1 / f->o.delta)) / f->o.epsilon;
    const form theirs = {1, d, noise, 0.5};
    printed = tacit_least_of(slope_of(f, &theirs), rest_of(f, &theirs));
    eta = sqrt(rest_of(f, &theirs) / slope_of(f, &theirs));
  }
  add_form(f, b, "Theorem 7", &right, printed, eta);
  tacit_bounds_add(b, "noise of a step", "sigma", right.sigma, noise);
  return TACIT_OK;
}

tacit_status tacit_bounds_exponential(const tacit_bounds_facts *f, tacit_bounds *b, tacit_error *error) {
  (void)error;
  const tacit_bounds_options *o = &f->o;
  double n = o->rows, m = o->outputs * o->columns, T = n * n, logs = log(1 / o->delta),
         B2 = squared(o->clip_norm);
  double one = (sqrt(2 * logs + 2 * o->epsilon) - sqrt(2 * logs)) / sqrt(3 * T), tanh_half = tanh(one / 2);
  double gain = tanh_half * exp(lgamma(m / 2) - lgamma((m + 1) / 2)) / sqrt(acos(-1));
  const form right = {gain, 0, 0, 2 * B2};
  /* as printed: rho where 1/rho belongs, and 1/2 for the dimension's constant */
  double L2 = squared(f->lipschitz), slope = L2 * (1 + T) / n + tanh_half * (L2 + squared(o->width)) / 4;
  double rest = tanh_half * squared(o->theta_bound) / (4 * T);
  add_form(f, b, "Theorem 4", &right, tacit_least_of(slope, rest), sqrt(rest / slope));
  tacit_bounds_add(b, "epsilon of a step", "Lemma 3", one, one);
  tacit_bounds_add(b, "part of the gradient in a step", "proof of Theorem 4", gain, tanh_half / 2);
  tacit_bounds_ask(
      b, "the length of a step is public: not in Algorithm 1, whose steps are no release at that epsilon",
      false);
  return TACIT_OK;
}
