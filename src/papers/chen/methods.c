/* Chen and Chua's methods and comparators: what each claims, and its published constants. */
#include "papers/chen/methods.h"

#include <math.h>

/* The verdicts are worked out in docs/reproductions-chen.md. */
static const tacit_chen_facts FACTS[TACIT_CHEN_METHODS] = {
    [TACIT_CHEN_RIDGE] = {"ridge", "ridge (no privacy)", "none", "-", "without a guarantee, and claims none"},
    [TACIT_CHEN_OP] =
        {"op", "OP", "Chen and Chua, Theorem 3.5: (epsilon, delta)",
         "proof adds a record; the paper defines replace-one",
         "yes where a record is added; where one is replaced, see the conditions; for the exact minimiser"},
    [TACIT_CHEN_SGP] = {"sgp", "SGP (DP-SGD)", "Chen and Chua, Theorem 3.2: (epsilon, delta), epsilon <= 1",
                        "replace-one",
                        "cited, not proved; by exact accounting see the conditions: yes for epsilon <= 1"},
    [TACIT_CHEN_EMPIRICAL] = {"empsgd", "EmpSGD", "as SGP: the noise does not use the smoothing",
                              "replace-one", "as SGP"},
    [TACIT_CHEN_MOREAU] =
        {"moreau", "Moreau SGD", "Bassily et al. 2019, Theorem 3.1: epsilon <= 1, delta <= 1/n^2",
         "replace-one",
         "not as run by Chen and Chua: delta = 0.01 is above 1/n^2, and batches are drawn with replacement"},
    [TACIT_CHEN_PHASED_ERM] = {"phased-erm", "Phased-ERM",
                               "Feldman et al. 2020, Theorem 4.8: (epsilon, delta)", "replace-one",
                               "yes for the exact minimiser: rows of a phase are its own"},
    [TACIT_CHEN_PHASED_SGD] = {"phased-sgd", "Phased-SGD", "Bassily et al. 2021, Theorem 5: (epsilon, delta)",
                               "replace-one", "yes: one pass of steps that do not expand"},
    [TACIT_CHEN_OP_PART2] =
        {"op-part2", "OP (part 2)", "Chen and Chua, Theorem 3.5: (epsilon, delta)",
         "proof adds a record; the paper defines replace-one",
         "as OP; the risk bound's E(1/|u|) < inf fails wherever the density at 0 is positive"},
    [TACIT_CHEN_OP_COMPANION] =
        {"op-e", "OP (companion)", "companion, Theorem 1: (epsilon, delta)", "proof adds a record",
         "yes where a record is added; where one is replaced, see the conditions; for the exact minimiser"},
    [TACIT_CHEN_GP] = {"gp", "GP (companion)", "companion, Theorem 3: (epsilon, delta)", "replace-one",
                       "yes for epsilon and delta as here, with more noise than needed (chen-noise)"},
};

const tacit_chen_facts *tacit_chen_method_facts(tacit_chen_method method) {
  return &FACTS[method];
}

/* Chen and Chua's Theorem 3.6; the companion's Theorem 2 has part 2's lambda with the companion's variance.
 */
static void set_objective(tacit_chen_method method, const tacit_chen_setting *s, double n, double d,
                          tacit_chen_constants *c) {
  const tacit_kernel_constants *k = tacit_kernel_facts(s->kernel);
  double L = c->lipschitz, B = s->bound_x, inside = 2 * L * L / n;
  double tail = method == TACIT_CHEN_OP_COMPANION ? 1 : 2;
  c->sigma = L * sqrt(8 * log(tail / s->delta) + 4 * s->epsilon) / s->epsilon;
  inside += d * c->sigma * c->sigma / (n * n);
  if (method == TACIT_CHEN_OP) inside += k->kappa1 * k->sup * B * B / (2 * n * s->epsilon);
  c->lambda = sqrt(inside) / s->bound_theta;
  c->bandwidth = k->sup * B * B / (c->lambda * n * s->epsilon);
}

/* Chen and Chua's Theorem 3.4. */
static void set_single(tacit_chen_method method, const tacit_chen_setting *s, double n, double d,
                       tacit_chen_constants *c) {
  const tacit_kernel_constants *k = tacit_kernel_facts(s->kernel);
  double L = c->lipschitz, curve = k->sup * s->bound_x * s->bound_x;
  c->sigma = L * sqrt(8 * log(1 / s->delta)) / s->epsilon;
  double inside = 2 * L * L * n * n * n + 2 * L * L * n +
                  (d * c->sigma * c->sigma + L * L + k->kappa1 * curve / 2) * n * n;
  c->step = s->bound_theta / sqrt(inside);
  c->bandwidth = method == TACIT_CHEN_EMPIRICAL ? 0 : c->step * curve / 2;
  c->steps = (size_t)(n * n);
  c->batch = 1;
}

/* The companion's Theorem 4 has n^2 steps, each of which reads all rows. Its bound is of the same order from
   n steps on, which is what is run: n^2 would take minutes for each repetition. */
static void set_full(const tacit_chen_setting *s, double n, double d, tacit_chen_constants *c) {
  const tacit_kernel_constants *k = tacit_kernel_facts(s->kernel);
  double L = c->lipschitz, curve = k->sup * s->bound_x * s->bound_x, T = n;
  c->steps = (size_t)T;
  c->sigma = L * sqrt(8 * T * log(1 / s->delta)) / (n * s->epsilon);
  double inside = L * L * (1 + T) / n + (L * L + d * c->sigma * c->sigma + k->kappa1 * curve) / 2;
  c->step = s->bound_theta / sqrt(2 * T * inside);
  c->bandwidth = c->step * curve;
}

/* Bassily et al. 2019: W has radius M = B_theta. */
static void set_moreau(const tacit_chen_setting *s, double n, double d, tacit_chen_constants *c) {
  double L = c->lipschitz, M = s->bound_theta, e = s->epsilon, l = log(1 / s->delta);
  double T = fmax(1, floor(fmin(n / 8, e * e * n * n / (32 * d * l))));
  c->steps = (size_t)T;
  c->batch = (size_t)fmax(1, floor(n * sqrt(e / (4 * T))));
  c->sigma = L * sqrt(8 * T * l) / (n * e);
  c->step = M / (L * sqrt(T));
  c->bandwidth = M / L / fmin(sqrt(n) / 4, e * n / (8 * sqrt(d * l))); /* 1 / beta */
}

/* Feldman et al. 2020; D is the diameter of the ball ||theta|| <= B_theta. */
static void set_phases(const tacit_chen_setting *s, double n, double d, tacit_chen_constants *c) {
  double D = 2 * s->bound_theta;
  c->step = D / c->lipschitz * fmin(4 / sqrt(n), s->epsilon / sqrt(d * log(1 / s->delta)));
  c->bandwidth = c->step; /* 1 / beta: no phase's step is above a quarter of it */
  c->sigma = c->lipschitz * c->step * sqrt(log(1 / s->delta)) / s->epsilon; /* of the first phase */
}

void tacit_chen_set_constants(tacit_chen_method method, const tacit_chen_setting *setting, size_t rows,
                              size_t columns, tacit_chen_constants *constants) {
  double n = (double)rows, d = (double)columns, L = fmax(setting->tau, 1 - setting->tau) * setting->bound_x;
  *constants = (tacit_chen_constants){.lipschitz = L, .steps = 1, .batch = rows};
  switch (method) {
  case TACIT_CHEN_RIDGE:
    constants->lambda = sqrt(2 * L * L / n) / setting->bound_theta;
    break;
  case TACIT_CHEN_OP:
  case TACIT_CHEN_OP_PART2:
  case TACIT_CHEN_OP_COMPANION:
    set_objective(method, setting, n, d, constants);
    break;
  case TACIT_CHEN_SGP:
  case TACIT_CHEN_EMPIRICAL:
    set_single(method, setting, n, d, constants);
    break;
  case TACIT_CHEN_MOREAU:
    set_moreau(setting, n, d, constants);
    break;
  case TACIT_CHEN_PHASED_ERM:
  case TACIT_CHEN_PHASED_SGD:
    set_phases(setting, n, d, constants);
    break;
  case TACIT_CHEN_GP:
    set_full(setting, n, d, constants);
    break;
  case TACIT_CHEN_METHODS:
    break;
  }
}

tacit_status tacit_chen_run(tacit_chen_method method, const tacit_chen_setting *setting,
                            const tacit_chen_rows *rows, tacit_stream *stream, double *theta,
                            tacit_error *error) {
  bool minimises = method != TACIT_CHEN_SGP && method != TACIT_CHEN_EMPIRICAL &&
                   method != TACIT_CHEN_MOREAU && method != TACIT_CHEN_PHASED_SGD && method != TACIT_CHEN_GP;
  return minimises ? tacit_chen_run_objective(method, setting, rows, stream, theta, error)
                   : tacit_chen_run_gradient(method, setting, rows, stream, theta, error);
}
