/* Facts about any fit: stationarity, optimality, equivariance, symmetry, degenerate designs. */
#include "base/base.h"
#include "erm/erm.h"
#include "erm/erm_for_test.h"
#include "loss/check.h"

#include <string.h>

enum { MOST = 12 };

static double fitted(const tacit_sample *s, size_t i, const double *b) {
  double sum = 0;
  for (size_t j = 0; j < s->columns; j++) sum += s->x[j * s->rows + i] * b[j];
  return sum;
}

static double gradient_norm(const tacit_sample *s, double tau, tacit_kernel kernel, double h,
                            const double *b) {
  double g[MOST] = {0}, norm = 0;
  for (size_t i = 0; i < s->rows; i++) {
    double slope = tacit_smooth_slope(kernel, tau, h, s->y[i] - fitted(s, i, b));
    for (size_t j = 0; j < s->columns; j++) g[j] -= slope * s->x[j * s->rows + i] / (double)s->rows;
  }
  for (size_t j = 0; j < s->columns; j++) norm += g[j] * g[j];
  return sqrt(norm);
}

static void smooth(const tacit_sample *s, double tau, tacit_kernel kernel, double h, double *b) {
  assert_int_equal(tacit_erm_smooth(s, 0, &(const tacit_erm_loss){tau, kernel, h}, b, NULL, NULL), TACIT_OK);
}

static void exact(const tacit_sample *s, double tau, double *b) {
  assert_int_equal(tacit_erm_exact(s, 0, tau, b, NULL, NULL), TACIT_OK);
}

static void assert_near(const double *got, const double *want, size_t p, double margin) {
  for (size_t j = 0; j < p; j++)
    if (!(fabs(got[j] - want[j]) <= margin)) fail_msg("[%zu]: %.15g is not %.15g", j, got[j], want[j]);
}

static void the_gradient_vanishes(void **state) {
  (void)state;
  tacit_sample *s = draw(400, 6, 1);
  double b[MOST] = {0};
  for (tacit_kernel kernel = 0; kernel < TACIT_KERNELS; kernel++)
    for (int power = 1; power >= -6; power--)
      for (int level = 0; level <= 5; level++) {
        double h = pow(10, power), tau = 0.025 + 0.19 * level;
        smooth(s, tau, kernel, h, b);
        /* A residual is known to about 1e-16, its place in the kernel to 1e-16 / h. */
        double norm = gradient_norm(s, tau, kernel, h, b), margin = fmax(1e-15, 1e-17 / h);
        if (!(norm <= margin)) fail_msg("kernel %d, h %g, tau %g: %g", (int)kernel, h, tau, norm);
      }
  discard(s);
}

/* Some best fit passes through p rows: with p = 2, look at every pair. */
static void no_line_through_two_points_is_better(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    tacit_sample *s = draw(15, 2, seed);
    double tau = 0.045 * (double)seed, b[MOST], best = INFINITY;
    for (size_t i = 0; i < 15; i++)
      for (size_t k = 0; k < i; k++) {
        double slope = (s->y[i] - s->y[k]) / (s->x[15 + i] - s->x[15 + k]);
        double line[] = {s->y[i] - slope * s->x[15 + i], slope};
        best = fmin(best, tacit_check_objective(s, 0, tau, line));
      }
    exact(s, tau, b);
    assert_true(fabs(tacit_check_objective(s, 0, tau, b) - best) <= 1e-13);
    discard(s);
  }
}

/* 0 <= l_h - rho <= kappa1 h / 2 (docs/math.md, "Smoothing"), so the smoothed fit costs at most that much per
 * row. */
static void smoothing_costs_no_more_than_its_bound(void **state) {
  (void)state;
  tacit_sample *s = draw(301, 4, 2);
  double b[MOST] = {0}, best[MOST] = {0};
  exact(s, 0.7, best);
  double least = tacit_check_objective(s, 0, 0.7, best);
  for (tacit_kernel kernel = 0; kernel < TACIT_KERNELS; kernel++) {
    for (int power = 0; power >= -6; power--) {
      double h = pow(10, power);
      smooth(s, 0.7, kernel, h, b);
      double cost = tacit_check_objective(s, 0, 0.7, b) - least;
      assert_true(cost >= -1e-12 && cost <= 301 * tacit_kernel_facts(kernel)->kappa1 * h / 2 + 1e-12);
    }
    assert_near(b, best, 4, 1e-5);
  }
  discard(s);
}

/* y -> c (y + X g) moves b to c (b + g) when the bandwidth goes along. */
static void shifts_and_scales_pass_through(void **state) {
  (void)state;
  tacit_sample *s = draw(250, 5, 3);
  const double g[] = {0.5, -1, 2, 0.25, -0.125}, c = 40;
  double before[2][MOST] = {0}, after[2][MOST] = {0};
  exact(s, 0.8, before[0]);
  smooth(s, 0.8, TACIT_KERNEL_EPANECHNIKOV, 0.05, before[1]);
  for (size_t i = 0; i < 250; i++) s->y[i] = c * (s->y[i] + fitted(s, i, g));
  exact(s, 0.8, after[0]);
  smooth(s, 0.8, TACIT_KERNEL_EPANECHNIKOV, 0.05 * c, after[1]);
  for (int k = 0; k < 2; k++) {
    for (int j = 0; j < 5; j++) before[k][j] = c * (before[k][j] + g[j]);
    assert_near(after[k], before[k], 5, 1e-11 * c);
  }
  discard(s);
}

/* The fitted values do not care in which coordinates, units or order the rows come. */
static void coordinates_do_not_matter(void **state) {
  (void)state;
  enum { N = 240 };
  tacit_sample *s = draw(N, 4, 4);
  double before[2][MOST] = {0}, after[2][MOST] = {0};
  exact(s, 0.35, before[0]);
  smooth(s, 0.35, TACIT_KERNEL_LOGISTIC, 0.02, before[1]);
  for (size_t i = 0; i < N; i++) { /* far from centred, a thousandth of the size */
    s->x[N + i] = 1e-3 * s->x[N + i] + 1;
    s->x[2 * N + i] += 3 * s->x[3 * N + i];
  }
  for (size_t j = 0; j < 4; j++)
    for (size_t i = 0; i < N / 2; i++) {
      double t = s->x[j * N + i];
      s->x[j * N + i] = s->x[j * N + N - 1 - i];
      s->x[j * N + N - 1 - i] = t;
    }
  for (size_t i = 0; i < N / 2; i++) {
    double t = s->y[i];
    s->y[i] = s->y[N - 1 - i];
    s->y[N - 1 - i] = t;
  }
  exact(s, 0.35, after[0]);
  smooth(s, 0.35, TACIT_KERNEL_LOGISTIC, 0.02, after[1]);
  for (int k = 0; k < 2; k++) {
    double *b = after[k];
    b[0] += b[1];
    b[1] *= 1e-3;
    b[3] += 3 * b[2];
    assert_near(b, before[k], 4, 1e-10);
  }
  discard(s);
}

/* Bounds far too wide squeeze a feature into a sliver: a fit is good, or refused, never wrong. */
static void slivers_are_fitted_or_refused(void **state) {
  (void)state;
  enum { N = 500 };
  tacit_sample *s = draw(N, 3, 13);
  double best[MOST] = {0}, b[MOST] = {0};
  exact(s, 0.8, best);
  double least = tacit_check_objective(s, 0, 0.8, best);
  for (int power = 1; power <= 10; power++) {
    for (size_t i = 0; i < N; i++)
      for (size_t j = 1; j < 3; j++) s->x[j * N + i] = 0.3 + (s->x[j * N + i] - 0.3) / 10;
    tacit_status lp = tacit_erm_exact(s, 0, 0.8, b, NULL, NULL);
    if (lp == TACIT_OK) assert_true(tacit_check_objective(s, 0, 0.8, b) <= (1 + 1e-6) * least);
    tacit_status newton =
        tacit_erm_smooth(s, 0, &(const tacit_erm_loss){0.8, TACIT_KERNEL_UNIFORM, 1e-3}, b, NULL, NULL);
    if (newton == TACIT_OK) assert_true(tacit_check_objective(s, 0, 0.8, b) <= 1.001 * least);
    if (power <= 5) assert_true(lp == TACIT_OK && newton == TACIT_OK);
  }
  discard(s);
}

/* Over- and underage change places when demand changes its sign. */
static void the_mirror_image_fits_the_other_quantile(void **state) {
  (void)state;
  tacit_sample *s = draw(333, 5, 5);
  double before[MOST] = {0}, after[MOST] = {0};
  for (tacit_kernel kernel = 0; kernel <= TACIT_KERNELS; kernel++) {
    bool lp = kernel == TACIT_KERNELS;
    lp ? exact(s, 0.9, before) : smooth(s, 0.9, kernel, 0.03, before);
    for (size_t i = 0; i < 333; i++) s->y[i] = -s->y[i];
    lp ? exact(s, 1 - 0.9, after) : smooth(s, 1 - 0.9, kernel, 0.03, after);
    for (size_t j = 0; j < 5; j++) after[j] = -after[j];
    assert_near(after, before, 5, 1e-11);
  }
  discard(s);
}

/* Columns 3 to 7 of eight repeat, combine or scale the others, or are zero: nothing is gained or lost. */
static void idle_columns_do_no_harm(void **state) {
  (void)state;
  enum { N = 200 };
  tacit_sample *s = draw(N, 8, 6);
  double lean[MOST] = {0}, b[MOST] = {0};
  for (size_t i = 0; i < N; i++) {
    s->x[3 * N + i] = 1;
    s->x[4 * N + i] = 0;
    s->x[5 * N + i] = s->x[N + i];
    s->x[6 * N + i] = s->x[N + i] / 3 - s->x[2 * N + i] / 7 + 0.1;
    s->x[7 * N + i] = -1e-6 * s->x[2 * N + i];
  }
  s->columns = 3;
  exact(s, 0.6, lean);
  double least = tacit_check_objective(s, 0, 0.6, lean);
  s->columns = 8;
  exact(s, 0.6, b);
  assert_true(fabs(tacit_check_objective(s, 0, 0.6, b) - least) <= 1e-12 * least);
  for (tacit_kernel kernel = 0; kernel < TACIT_KERNELS; kernel++)
    for (int power = 0; power >= -4; power -= 2) {
      double h = pow(10, power);
      s->columns = 3;
      smooth(s, 0.6, kernel, h, lean);
      s->columns = 8;
      smooth(s, 0.6, kernel, h, b);
      assert_true(gradient_norm(s, 0.6, kernel, h, b) <= 1e-12);
      for (size_t i = 0; i < N; i++) {
        double all = fitted(s, i, b);
        s->columns = 3;
        assert_true(fabs(all - fitted(s, i, lean)) <= 1e-9);
        s->columns = 8;
      }
    }
  discard(s);
}

/* Demand in whole pieces, with many ties and a quantile whose minimiser is an interval. */
static void whole_pieces_are_fitted(void **state) {
  (void)state;
  tacit_sample *s = draw(120, 3, 7);
  double b[MOST], level[MOST];
  for (size_t i = 0; i < 120; i++) {
    s->x[120 + i] = s->x[120 + i] > 0;
    s->y[i] = round(4 * s->y[i]) / 4;
  }
  for (int tenths = 1; tenths <= 9; tenths++) {
    double tau = 0.1 * tenths;
    exact(s, tau, b);
    double least = tacit_check_objective(s, 0, tau, b);
    for (tacit_kernel kernel = 0; kernel < TACIT_KERNELS; kernel++)
      for (int power = 0; power >= -5; power--) {
        smooth(s, tau, kernel, pow(10, power), b);
        assert_true(tacit_check_objective(s, 0, tau, b) >= least - 1e-12);
      }
    s->columns = 1; /* without features the exact fit and SAA are the same problem */
    exact(s, tau, b);
    assert_int_equal(tacit_saa(s, 0, tau, level, NULL), TACIT_OK);
    assert_true(fabs(tacit_check_objective(s, 0, tau, b) - tacit_check_objective(s, 0, tau, level)) <= 1e-12);
    s->columns = 3;
  }
  discard(s);
}

static void a_perfect_line_is_found(void **state) {
  (void)state;
  tacit_sample *s = draw(50, 4, 8);
  const double line[] = {0.1, 0.2, -0.3, 0.4};
  double b[MOST] = {0};
  for (size_t i = 0; i < 50; i++) s->y[i] = fitted(s, i, line);
  exact(s, 0.3, b);
  assert_near(b, line, 4, 1e-14);
  smooth(s, 0.5, TACIT_KERNEL_UNIFORM, 0.01, b);
  assert_near(b, line, 4, 1e-14);
  memset(s->y, 0, 50 * sizeof *s->y); /* no demand at all */
  exact(s, 0.3, b);
  assert_near(b, (double[]){0, 0, 0, 0}, 4, 1e-14);
  smooth(s, 0.5, TACIT_KERNEL_GAUSSIAN, 0.01, b);
  assert_near(b, (double[]){0, 0, 0, 0}, 4, 1e-14);
  for (tacit_kernel kernel = 0; kernel < TACIT_KERNELS; kernel++) /* then the loss is all bandwidth */
    for (int level = 1; level < 100; level++) smooth(s, 0.01 * level, kernel, pow(10, level % 7 - 5), b);
  discard(s);
}

static void the_second_target_is_the_second_target(void **state) {
  (void)state;
  tacit_sample *s = draw(80, 3, 9);
  double one[3][MOST] = {0}, two[3][MOST] = {0};
  exact(s, 0.4, one[0]);
  smooth(s, 0.4, TACIT_KERNEL_GAUSSIAN, 0.1, one[1]);
  assert_int_equal(tacit_saa(s, 0, 0.4, one[2], NULL), TACIT_OK);
  s->y = realloc(s->y, 160 * sizeof *s->y);
  memcpy(s->y + 80, s->y, 80 * sizeof *s->y);
  memset(s->y, 0, 80 * sizeof *s->y);
  s->targets = 2;
  assert_int_equal(tacit_erm_exact(s, 1, 0.4, two[0], NULL, NULL), TACIT_OK);
  assert_int_equal(
      tacit_erm_smooth(s, 1, &(const tacit_erm_loss){0.4, TACIT_KERNEL_GAUSSIAN, 0.1}, two[1], NULL, NULL),
      TACIT_OK);
  assert_int_equal(tacit_saa(s, 1, 0.4, two[2], NULL), TACIT_OK);
  for (int k = 0; k < 3; k++) assert_near(two[k], one[k], 3, 1e-14);
  discard(s);
}

static void saa_takes_the_rank_that_was_meant(void **state) {
  (void)state;
  tacit_sample *s = draw(100, 2, 10);
  double b[MOST] = {0};
  for (size_t i = 0; i < 100; i++) s->y[i] = (double)(i * 37 % 100 + 1);
  const struct {
    double tau, rank;
  } cases[] = {{0.07, 7}, {0.29, 29}, {0.58, 58}, {0.071, 8}, {1e-9, 1}, {0.999, 100}, {15.0 / 20, 75}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    assert_int_equal(tacit_saa(s, 0, cases[k].tau, b, NULL), TACIT_OK);
    assert_true(b[0] == cases[k].rank && b[1] == 0);
  }
  discard(s);
}

static bool always(void *user) {
  (void)user;
  return true;
}

static void nonsense_is_refused_and_cancelling_ends_it(void **state) {
  (void)state;
  tacit_sample *s = draw(30, 2, 11);
  double b[MOST] = {0};
  tacit_error error;
  const double bad[] = {0, 1, -0.5, NAN};
  for (size_t k = 0; k < 4; k++) {
    assert_int_equal(tacit_erm_exact(s, 0, bad[k], b, NULL, &error), TACIT_USAGE);
    assert_int_equal(
        tacit_erm_smooth(s, 0, &(const tacit_erm_loss){bad[k], TACIT_KERNEL_UNIFORM, 1}, b, NULL, &error),
        TACIT_USAGE);
    assert_int_equal(tacit_saa(s, 0, bad[k], b, &error), TACIT_USAGE);
  }
  assert_int_equal(
      tacit_erm_smooth(s, 0, &(const tacit_erm_loss){0.5, TACIT_KERNEL_UNIFORM, 0}, b, NULL, &error),
      TACIT_USAGE);
  tacit_context context;
  tacit_context_init(&context);
  context.cancelled = always;
  assert_int_equal(tacit_erm_exact(s, 0, 0.5, b, &context, &error), TACIT_CANCELLED);
  assert_int_equal(
      tacit_erm_smooth(s, 0, &(const tacit_erm_loss){0.5, TACIT_KERNEL_UNIFORM, 0.1}, b, &context, &error),
      TACIT_CANCELLED);
  s->y[3] = NAN;
  assert_int_equal(
      tacit_erm_smooth(s, 0, &(const tacit_erm_loss){0.5, TACIT_KERNEL_UNIFORM, 0.1}, b, NULL, &error),
      TACIT_INTERNAL);
  s->y[3] = 1e200;
  assert_int_equal(
      tacit_erm_smooth(s, 0, &(const tacit_erm_loss){0.5, TACIT_KERNEL_UNIFORM, 0.1}, b, NULL, &error),
      TACIT_INTERNAL);
  s->rows = 0;
  assert_int_equal(tacit_erm_exact(s, 0, 0.5, b, NULL, &error), TACIT_BAD_INPUT);
  assert_int_equal(
      tacit_erm_smooth(s, 0, &(const tacit_erm_loss){0.5, TACIT_KERNEL_UNIFORM, 0.1}, b, NULL, &error),
      TACIT_BAD_INPUT);
  assert_int_equal(tacit_saa(s, 0, 0.5, b, &error), TACIT_BAD_INPUT);
  discard(s);
}

/* Fewer rows than columns: the fit passes through all of them. */
static void few_rows_are_interpolated(void **state) {
  (void)state;
  for (size_t n = 1; n < 5; n++) {
    tacit_sample *s = draw(n, 5, 12);
    double b[MOST] = {0};
    exact(s, 0.4, b);
    assert_true(tacit_check_objective(s, 0, 0.4, b) <= 1e-14);
    smooth(s, 0.5, TACIT_KERNEL_TRIANGULAR, 0.1, b);
    assert_true(tacit_check_objective(s, 0, 0.5, b) <= 1e-14);
    discard(s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_gradient_vanishes),
      cmocka_unit_test(no_line_through_two_points_is_better),
      cmocka_unit_test(smoothing_costs_no_more_than_its_bound),
      cmocka_unit_test(shifts_and_scales_pass_through),
      cmocka_unit_test(coordinates_do_not_matter),
      cmocka_unit_test(slivers_are_fitted_or_refused),
      cmocka_unit_test(the_mirror_image_fits_the_other_quantile),
      cmocka_unit_test(idle_columns_do_no_harm),
      cmocka_unit_test(whole_pieces_are_fitted),
      cmocka_unit_test(a_perfect_line_is_found),
      cmocka_unit_test(the_second_target_is_the_second_target),
      cmocka_unit_test(saa_takes_the_rank_that_was_meant),
      cmocka_unit_test(nonsense_is_refused_and_cancelling_ends_it),
      cmocka_unit_test(few_rows_are_interpolated),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
