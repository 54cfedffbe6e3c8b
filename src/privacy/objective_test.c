/* The curve of objective perturbation against known answers, against exact densities in one dimension,
   against Monte Carlo in three, and against the integral over the rows' angle that its replace-one proof
   bounds. */
#include "privacy/objective.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t seed = 88172645463325252u;

static double uniform(void) {
  seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
  return ((double)(seed >> 11) + 0.5) * 0x1p-53;
}

static double normal(void) {
  return sqrt(-2 * log(uniform())) * cos(2 * acos(-1) * uniform());
}

static double phi(double x) {
  return exp(-x * x / 2) / sqrt(2 * acos(-1));
}

static double delta_of(tacit_objective o, double epsilon) {
  tacit_interval delta = {NAN, NAN};
  assert_int_equal(tacit_objective_delta(&o, epsilon, &delta, NULL), TACIT_OK);
  assert_true(delta.lower <= delta.upper);
  return delta.upper;
}

static void assert_near(double value, double known, double within) {
  if (!(fabs(value - known) <= within * known)) fail_msg("%.17g is not %.17g", value, known);
}

static void known_answers(void **state) {
  (void)state;
  static const double c[] = {0.1, 0.1, 0.3}, m[] = {0.4, 0.4, 1}, epsilon[] = {1, 0.05, 2};
  static const double half_normal[] = {0.005227471797651, 0.344454043153, 0.077925859938353};
  static const double chi[] = {0.017615058989687, 0.450546575229953, 0.190771307006993};
  for (size_t i = 0; i < 3; i++) {
    assert_near(tacit_half_normal_delta(m[i], epsilon[i] - c[i]), half_normal[i], 3e-13);
    assert_near(tacit_chi2_delta(m[i], epsilon[i] - c[i]), chi[i], 3e-13);
    /* the same through the public door: replace-one has twice the reach of add-remove */
    tacit_objective o = {1, expm1(c[i]), 1, 1 / m[i], TACIT_ADD_REMOVE};
    assert_near(delta_of(o, epsilon[i]), half_normal[i], 1e-12);
    o.adjacency = TACIT_REPLACE_ONE;
    o.sigma = 2 / m[i];
    assert_near(delta_of(o, epsilon[i]), half_normal[i], 1e-12);
  }
}

/* By direct integration over N, on both sides of the kink. */
static void the_half_normal_curve_is_its_integral(void **state) {
  (void)state;
  for (int k = 0; k < 200; k++) {
    double m = exp(4 * uniform() - 3), t = k % 2 ? m * m * uniform() : m * (m + 3 * normal()), sum = 0;
    enum { N = 20000 };
    for (int i = 0; i < N; i++) {
      double u = 12.0 * (i + 0.5) / N;
      sum += 2 * phi(u) * fmax(0, -expm1(t - m * u - m * m / 2)) * 12.0 / N;
    }
    double delta = tacit_half_normal_delta(m, t);
    if (!(fabs(delta - sum) < 1e-6 * m + 1e-9)) fail_msg("m %g t %g: %.12g, %.12g", m, t, delta, sum);
  }
}

/* J(alpha) = int_t^oo e^(t-s) (1 - F(y1) F(y2)) ds: never above alpha = 0 (theorem 2). */
static double J(double m, double alpha, double t) {
  double a = m * cos(alpha), e = m * sin(alpha), sum = 0;
  enum { N = 4000 };
  for (int i = 0; i < N; i++) {
    double w = (i + 0.5) / N, s = t - log(w); /* e^(t-s) ds = dw */
    double y1 = fmax(0, s / a - a / 2), y2 = e > 0 ? fmax(0, s / e - e / 2) : INFINITY;
    sum += 1 - erf(y1 / sqrt(2)) * erf(y2 / sqrt(2));
  }
  return sum / N;
}

static void equal_directions_are_the_worst(void **state) {
  (void)state;
  for (int k = 0; k < 300; k++) {
    double m = exp(5 * uniform() - 4), t = m * (m / 2 + 4 * uniform() - 1), last = J(m, 0, t);
    assert_true(fabs(last - tacit_half_normal_delta(m, t)) < 2e-4);
    for (int i = 1; i <= 8; i++) {
      double next = J(m, acos(-1) / 4 * i / 8, t);
      if (!(next <= last + 1e-6)) fail_msg("m %g t %g step %d: %.12g above %.12g", m, t, i, next, last);
      last = next;
    }
  }
}

static void inversions_are_safe_and_tight(void **state) {
  (void)state;
  for (int k = 0; k < 60; k++) {
    tacit_objective o = {exp(2 * normal()), exp(normal()), exp(3 + normal()), 0,
                         k % 2 ? TACIT_ADD_REMOVE : TACIT_REPLACE_ONE};
    double epsilon = 0.3 + 3 * uniform(), delta = pow(10, -1 - 11 * uniform());
    o.lambda = o.smoothness / expm1(epsilon * uniform() * 0.9);
    assert_int_equal(tacit_objective_sigma(&o, epsilon, delta, &o.sigma, NULL), TACIT_OK);
    assert_true(delta_of(o, epsilon) <= delta);
    tacit_interval again;
    assert_int_equal(tacit_objective_epsilon(&o, delta, &again, NULL), TACIT_OK);
    assert_true(again.upper <= epsilon && again.upper > epsilon * (1 - 1e-9) && again.lower <= again.upper);
    double lambda;
    assert_int_equal(tacit_objective_lambda(&o, epsilon, delta, &lambda, NULL), TACIT_OK);
    assert_true(lambda <= o.lambda && lambda > o.lambda * (1 - 1e-6));
    o.sigma *= 1 - 1e-9;
    assert_true(delta_of(o, epsilon) > delta);
  }
}

static void refusals(void **state) {
  (void)state;
  tacit_error error = {""};
  tacit_interval out;
  double sigma;
  tacit_objective o = {1, 1, 1, 1, TACIT_ADD_REMOVE};
  assert_int_equal(tacit_objective_epsilon(&o, 0, &out, &error), TACIT_USAGE);
  assert_non_null(strstr(error.text, "delta = 0"));
  assert_int_equal(tacit_objective_delta(&o, -1, &out, NULL), TACIT_USAGE);
  /* c = ln 2 is all of epsilon: no noise helps; the message says which lambda would do */
  assert_int_equal(tacit_objective_sigma(&o, 0.69, 1e-5, &sigma, &error), TACIT_REFUSED);
  assert_non_null(strstr(error.text, "lambda must be above"));
  o.lambda = 1 / expm1(0.69) * 1.01;
  assert_int_equal(tacit_objective_sigma(&o, 0.69, 1e-5, &sigma, NULL), TACIT_OK);
  for (int i = 0; i < 4; i++) {
    tacit_objective bad = {1, 1, 1, 1, TACIT_ADD_REMOVE};
    *(&bad.lipschitz + i) = i % 2 ? NAN : -1;
    assert_int_equal(tacit_objective_delta(&bad, 1, &out, NULL), TACIT_USAGE);
  }
}

/* A record of a one-dimensional problem: gradient x (K((x theta - y)/h) - tau), logistic K. */
typedef struct record {
  double x, y;
} record;

typedef struct problem {
  record rows[4];
  size_t n;
  double tau, h, lambda, sigma;
} problem;

/* ln density of the minimiser at theta, by change of variables. */
static double log_density(const problem *p, const record *extra, double theta) {
  double gradient = p->lambda * theta, slope = p->lambda;
  for (size_t i = 0; i < p->n + (extra ? 1 : 0); i++) {
    const record *r = i < p->n ? &p->rows[i] : extra;
    double k = 1 / (1 + exp(-(r->x * theta - r->y) / p->h));
    gradient += r->x * (k - p->tau);
    slope += r->x * r->x * k * (1 - k) / p->h;
  }
  return -gradient * gradient / (2 * p->sigma * p->sigma) + log(slope / p->sigma) - log(2 * acos(-1)) / 2;
}

/* int (p - e^epsilon q)_+ for the extra records a and b (NULL: none), by a fine midpoint rule. */
static double hockey_stick(const problem *p, const record *a, const record *b, double epsilon) {
  double reach = (12 * p->sigma + (double)p->n + 1) / p->lambda, sum = 0;
  enum { N = 8000 };
  for (int i = 0; i < N; i++) {
    double theta = reach * (2 * (i + 0.5) / N - 1);
    double lp = log_density(p, a, theta), lq = log_density(p, b, theta) + epsilon;
    if (lp > lq) sum += exp(lp) - exp(lq);
  }
  return sum * 2 * reach / N;
}

/* Exact densities never exceed the curve, in either direction of either adjacency; and a steep record at the
   bottom of the objective comes near it. */
static void one_dimensional_densities_stay_below(void **state) {
  (void)state;
  double nearest = 0;
  int problems = getenv("TACIT_QUICK") ? 40 : 300;
  for (int k = 0; k < problems; k++) {
    problem p = {.n = k % 4, .tau = 0.05 + 0.9 * uniform()};
    double steep = k % 3 == 0 ? 0.02 : 0.5, bar = fmax(p.tau, 1 - p.tau);
    p.h = steep * (0.2 + uniform());
    p.sigma = bar * exp(2 * uniform() - 0.5);
    p.lambda = 0.25 / p.h / expm1(0.05 + uniform());
    for (size_t i = 0; i < p.n; i++) p.rows[i] = (record){2 * uniform() - 1, 0.5 * normal()};
    record a = {k % 2 ? 1 : 2 * uniform() - 1, k % 5 ? 0.3 * normal() : 0},
           b = {k % 3 ? 1 : -1, 0.3 * normal()};
    tacit_objective o = {bar, 0.25 / p.h, p.lambda, p.sigma, TACIT_ADD_REMOVE};
    for (int j = 0; j < 4; j++) {
      double epsilon = 1.5 * uniform() * uniform();
      o.adjacency = TACIT_ADD_REMOVE;
      double bound = delta_of(o, epsilon), add = hockey_stick(&p, NULL, &a, epsilon),
             remove = hockey_stick(&p, &a, NULL, epsilon);
      o.adjacency = TACIT_REPLACE_ONE;
      double replace = hockey_stick(&p, &a, &b, epsilon), both = delta_of(o, epsilon);
      if (fmax(add, remove) > bound + 1e-9 || replace > both + 1e-9)
        fail_msg("problem %d, epsilon %g: add %g remove %g of %g, replace %g of %g", k, epsilon, add, remove,
                 bound, replace, both);
      if (bound > 1e-6) nearest = fmax(nearest, fmax(add, remove) / bound);
    }
  }
  assert_true(problems < 300 || nearest > 0.5); /* the problems are not all far from the worst */
}

/* With a slope that is all kink, the loss of adding a record is |b|L/s^2 + L^2/(2 s^2) but for a sliver: the
   half-normal term is attained. (smoothness against lambda is then what the curve pays on top.) */
static void a_kink_attains_the_half_normal_term(void **state) {
  (void)state;
  problem p = {.n = 0, .tau = 0.5, .h = 1e-3, .sigma = 0.5 / 0.8, .lambda = 1};
  record a = {1, 0};
  for (double epsilon = 0.4; epsilon < 2; epsilon += 0.4) {
    double exact = hockey_stick(&p, NULL, &a, epsilon), curve = tacit_half_normal_delta(0.8, epsilon);
    assert_true(exact <= curve + 1e-9 && exact > 0.99 * curve);
  }
}

/* Three dimensions: random rows, the loss of random minimisers by the formula of lemma 1. */
enum { D = 3 };
typedef struct row3 {
  double x[D], y;
} row3;

static void system_at(const row3 *rows, size_t n, const row3 *extra, double tau, double h, double lambda,
                      const double *theta, double *g, double H[D][D]) {
  for (int i = 0; i < D; i++) {
    g[i] = lambda * theta[i];
    for (int j = 0; j < D; j++) H[i][j] = i == j ? lambda : 0;
  }
  for (size_t r = 0; r < n + (extra ? 1 : 0); r++) {
    const row3 *row = r < n ? &rows[r] : extra;
    double u = -row->y;
    for (int i = 0; i < D; i++) u += row->x[i] * theta[i];
    double k = 1 / (1 + exp(-u / h));
    for (int i = 0; i < D; i++) {
      g[i] += (k - tau) * row->x[i];
      for (int j = 0; j < D; j++) H[i][j] += k * (1 - k) / h * row->x[i] * row->x[j];
    }
  }
}

static double determinant3(double H[D][D]) {
  return H[0][0] * (H[1][1] * H[2][2] - H[1][2] * H[2][1]) -
         H[0][1] * (H[1][0] * H[2][2] - H[1][2] * H[2][0]) +
         H[0][2] * (H[1][0] * H[2][1] - H[1][1] * H[2][0]);
}

static void solve3(double H[D][D], const double *g, double *step) {
  double det = determinant3(H);
  for (int c = 0; c < D; c++) {
    double M[D][D];
    memcpy(M, H, sizeof M);
    for (int r = 0; r < D; r++) M[r][c] = g[r];
    step[c] = determinant3(M) / det;
  }
}

static double square(const double *g) {
  return g[0] * g[0] + g[1] * g[1] + g[2] * g[2];
}

/* ln p/q at the minimiser for b of the table with `a`, against the table with `b` in its place. */
static double loss_at(const row3 *rows, size_t n, const row3 *a, const row3 *b, double tau, double h,
                      double lambda, double sigma, const double *noise) {
  double theta[D] = {0}, g[D], H[D][D], other[D], G[D][D];
  for (int iteration = 0; iteration < 200; iteration++) {
    system_at(rows, n, a, tau, h, lambda, theta, g, H);
    for (int i = 0; i < D; i++) g[i] += noise[i];
    if (square(g) < 1e-24) break;
    double step[D], before = square(g), t = 1;
    solve3(H, g, step);
    for (int halving = 0; halving < 40; halving++, t /= 2) {
      double next[D], ng[D], nH[D][D];
      for (int i = 0; i < D; i++) next[i] = theta[i] - t * step[i];
      system_at(rows, n, a, tau, h, lambda, next, ng, nH);
      for (int i = 0; i < D; i++) ng[i] += noise[i];
      if (square(ng) < before * (1 - t / 4) || halving == 39) {
        memcpy(theta, next, sizeof theta);
        break;
      }
    }
  }
  system_at(rows, n, a, tau, h, lambda, theta, g, H);
  system_at(rows, n, b, tau, h, lambda, theta, other, G);
  return (square(other) - square(g)) / (2 * sigma * sigma) + log(determinant3(H) / determinant3(G));
}

static row3 random_row(void) {
  row3 r = {.y = normal()};
  double length = 0;
  for (int i = 0; i < D; i++) r.x[i] = normal();
  length = sqrt(square(r.x));
  for (int i = 0; i < D; i++) r.x[i] /= length;
  return r;
}

static void three_dimensions_by_monte_carlo(void **state) {
  (void)state;
  int problems = getenv("TACIT_QUICK") ? 3 : 24, draws = 4000;
  for (int k = 0; k < problems; k++) {
    row3 rows[6], a = random_row(), b = random_row();
    for (int i = 0; i < 6; i++) rows[i] = random_row();
    double tau = 0.2 + 0.6 * uniform(), bar = fmax(tau, 1 - tau), h = 0.1 + 0.4 * uniform();
    if (k % 3 == 0)
      for (int i = 0; i < D; i++) b.x[i] = (k % 2 ? 1 : -1) * a.x[i]; /* equal and opposite directions */
    tacit_objective o = {bar, 0.25 / h, 0.25 / h / expm1(0.1 + 0.3 * uniform()), bar * (0.7 + 2 * uniform()),
                         0};
    for (int kind = 0; kind < 3; kind++) {
      static const double epsilons[] = {0, 0.3, 0.8, 1.5};
      double mean[4] = {0}, squares[4] = {0};
      for (int draw = 0; draw < draws; draw++) {
        double noise[D];
        for (int i = 0; i < D; i++) noise[i] = o.sigma * normal();
        double loss = loss_at(rows, 6, kind == 1 ? NULL : &a,
                              kind == 0   ? NULL
                              : kind == 1 ? &a
                                          : &b,
                              tau, h, o.lambda, o.sigma, noise);
        for (int j = 0; j < 4; j++) {
          double value = fmax(0, -expm1(epsilons[j] - loss));
          mean[j] += value / draws;
          squares[j] += value * value / draws;
        }
      }
      o.adjacency = kind == 2 ? TACIT_REPLACE_ONE : TACIT_ADD_REMOVE;
      for (int j = 0; j < 4; j++) {
        double error = sqrt(squares[j] / draws);
        if (mean[j] - 5 * error > delta_of(o, epsilons[j])) /* five standard errors: one false alarm in 1e6 */
          fail_msg("problem %d kind %d epsilon %g: %g > %g", k, kind, epsilons[j], mean[j],
                   delta_of(o, epsilons[j]));
      }
    }
  }
}

/* The Renyi bound is the moment of c + m|N| + m^2/2, and dominates the curve: delta <= e^((a-1)(D_a - eps)).
 */
static void renyi_divergences(void **state) {
  (void)state;
  for (int k = 0; k < 20; k++) {
    tacit_objective o = {1, 1, 1 / expm1(0.05 + 0.5 * uniform()), exp(3 * uniform()), k % 2};
    double m = (o.adjacency == TACIT_REPLACE_ONE ? 2 : 1) / o.sigma, c = log1p(1 / o.lambda);
    double rdp[TACIT_RDP_ORDERS];
    assert_int_equal(tacit_objective_rdp(&o, rdp, NULL), TACIT_OK);
    for (size_t i = 0; i < TACIT_RDP_ORDERS; i++) {
      double a = tacit_rdp_orders[i], s = (a - 1) * m, sum = 0;
      enum { N = 4000 };
      double from = fmax(0, s - 12), width = s + 12 - from; /* where the integrand is */
      for (int j = 0; j < N; j++) sum += 2 * phi(from + width * (j + 0.5) / N - s) * width / N;
      double moment = c + m * m / 2 + (a - 1) * m * m / 2 + log(sum) / (a - 1);
      assert_true(fabs(rdp[i] - moment) < 1e-3 / (a - 1) + 1e-9);
      for (double epsilon = 0; epsilon < 3; epsilon += 0.5)
        assert_true(delta_of(o, epsilon) <= exp((a - 1) * (rdp[i] - epsilon)) * (1 + 1e-12));
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_answers),
      cmocka_unit_test(the_half_normal_curve_is_its_integral),
      cmocka_unit_test(equal_directions_are_the_worst),
      cmocka_unit_test(inversions_are_safe_and_tight),
      cmocka_unit_test(refusals),
      cmocka_unit_test(one_dimensional_densities_stay_below),
      cmocka_unit_test(a_kink_attains_the_half_normal_term),
      cmocka_unit_test(three_dimensions_by_monte_carlo),
      cmocka_unit_test(renyi_divergences),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
