/* Tables of many columns go other ways: gradients instead of second derivatives, an interior point instead of
   the simplex method, moments in two bytes. The fits are the same. */
#include "base/base.h"
#include "erm/erm.h"
#include "erm/erm_for_test.h"
#include "erm/exact_interior.h"
#include "erm/smooth_pairs.h"
#include "loss/check.h"

#include <string.h>

enum { N = 2000, P = TACIT_SMOOTH_WIDE + 3 };

/* Columns that hang together, and some of very different size. */
static tacit_sample *draw_wide(uint64_t seed) {
  tacit_sample *s = draw(N, P, seed);
  for (size_t j = 2; j < P; j++)
    for (size_t i = 0; i < N; i++) {
      s->x[j * N + i] += 0.7 * s->x[(j - 1) * N + i];
      if (j % 50 == 0) s->x[j * N + i] *= 100;
    }
  return s;
}

static double residual(const tacit_sample *s, size_t i, const double *b) {
  double r = s->y[i];
  for (size_t j = 0; j < P; j++) r -= s->x[j * N + i] * b[j];
  return r;
}

static double gradient_norm(const tacit_sample *s, const tacit_erm_loss *loss, const double *b) {
  double norm = 0, slope[N];
  for (size_t i = 0; i < N; i++)
    slope[i] = tacit_smooth_slope(loss->kernel, loss->tau, loss->h, residual(s, i, b));
  for (size_t j = 0; j < P; j++) {
    double g = 0;
    for (size_t i = 0; i < N; i++) g -= slope[i] * s->x[j * N + i] / N;
    norm += g * g;
  }
  return sqrt(norm);
}

static void smoothed_fits_are_minimisers(void **state) {
  (void)state;
  tacit_sample *s = draw_wide(3);
  static double b[P], again[P];
  tacit_context context;
  tacit_context_init(&context);
  for (tacit_kernel kernel = 0; kernel < TACIT_KERNELS; kernel++)
    for (int k = 0; k < (kernel == 0 ? 3 : 2); k++) { /* the smallest of them takes second derivatives */
      const tacit_erm_loss loss = {0.2 + 0.1 * (int)kernel, kernel, k == 0 ? 0.3 : k == 1 ? 0.08 : 0.004};
      for (context.threads = 1; context.threads <= (kernel == 0 ? 2 : 1); context.threads++) {
        assert_int_equal(tacit_erm_smooth(s, 0, &loss, b, &context, NULL), TACIT_OK);
        if (context.threads > 1) assert_memory_equal(b, again, sizeof b);
        memcpy(again, b, sizeof b);
      }
      double norm = gradient_norm(s, &loss, b);
      if (!(norm <= 1e-10)) fail_msg("kernel %d, h %g: %g", (int)kernel, loss.h, norm);
    }
  discard(s);
}

/* The rows that the fit interpolates, and no others, can balance the signs of all. */
static void exact_fits_are_corners(void **state) {
  (void)state;
  tacit_sample *s = draw_wide(5);
  static double b[P], plain[P];
  for (int level = 0; level < 3; level++) {
    double tau = 0.1 + 0.4 * level;
    size_t on = 0;
    assert_int_equal(tacit_erm_exact(s, 0, tau, b, NULL, NULL), TACIT_OK); /* fails where it is not proved */
    for (size_t i = 0; i < N; i++) on += fabs(residual(s, i, b)) <= 1e-9;
    assert_int_equal(on, P);
    double loss = tacit_check_objective(s, 0, tau, b);
    for (size_t j = 0; j < P; j += 7) { /* nothing beside it is better */
      memcpy(plain, b, sizeof b);
      for (int side = -1; side <= 1; side += 2) {
        plain[j] = b[j] + side * 1e-4;
        assert_true(tacit_check_objective(s, 0, tau, plain) > loss);
      }
    }
  }
  discard(s);
}

/* Demand in whole units, rows that are there twice, columns that depend on others: still proved. */
static void awkward_tables_are_fitted(void **state) {
  (void)state;
  for (int kind = 0; kind < 3; kind++) {
    tacit_sample *s = draw_wide(7 + (uint64_t)kind);
    static double b[P];
    const tacit_erm_loss loss = {0.6, TACIT_KERNEL_GAUSSIAN, 0.1};
    for (size_t i = 0; i < N; i++) {
      if (kind == 0) s->y[i] = floor(4 * s->y[i]);
      for (size_t j = 0; kind == 1 && i % 2 && j < P; j++) s->x[j * N + i] = s->x[j * N + i - 1];
      if (kind == 2) s->x[9 * N + i] = s->x[8 * N + i] + s->x[7 * N + i];
    }
    assert_int_equal(tacit_erm_smooth(s, 0, &loss, b, NULL, NULL), TACIT_OK);
    assert_true(gradient_norm(s, &loss, b) <= 1e-10);
    if (kind < 2) assert_int_equal(tacit_erm_exact(s, 0, 0.6, b, NULL, NULL), TACIT_OK);
    discard(s);
  }
}

/* A corner that is none is not found: of rows that hang together, or from freedoms that mean nothing. */
static void wrong_corners_are_refused(void **state) {
  (void)state;
  tacit_sample *s = draw_wide(11);
  static double b[P], a[N], r[N], freedom[N], room[TACIT_EXACT_PARTS * P];
  const tacit_exact_rows rows = {s->x, s->y, N, P, 2, room};
  const tacit_interior problem = {.rows = &rows, .tau = 0.5};
  bool found = true;
  for (size_t i = 0; i < N; i++) freedom[i] = (double)i;
  assert_int_equal(tacit_exact_corner(&problem, freedom, b, a, r, &found, NULL), TACIT_OK);
  assert_false(found);
  for (size_t j = 0; j < P; j++) s->x[j * N + N - 1] = s->x[j * N + N - 2];
  found = true;
  assert_int_equal(tacit_exact_corner(&problem, freedom, b, a, r, &found, NULL), TACIT_OK);
  assert_false(found);
  discard(s);
}

/* To three digits of the columns' lengths, whatever their sizes; a column of zeros stays one. */
static void moments_in_two_bytes_are_near(void **state) {
  (void)state;
  enum { COLUMNS = 8, ROWS = 480, STRIDE = TACIT_SMOOTH_WAIT };
  static float z[COLUMNS * STRIDE], unit[COLUMNS];
  static int16_t whole[COLUMNS * STRIDE];
  double s[COLUMNS * COLUMNS] = {0}, size[COLUMNS] = {0};
  uint64_t seed = 1;
  for (size_t j = 0; j < COLUMNS; j++)
    for (size_t i = 0; i < ROWS; i++) {
      double value = (uniform(&seed) - 0.3) * pow(10, (double)j - 4);
      if (j == 5) value = i == 77; /* one cell alone */
      if (j == 6) value = 0;
      if (j == 7) value = 3;
      z[j * STRIDE + i] = (float)value;
      size[j] += value * value;
    }
  tacit_smooth_moment_pairs(&(tacit_smooth_waiting){ROWS, COLUMNS, z, whole, unit}, s, COLUMNS);
  for (size_t k = 0; k < COLUMNS; k++)
    for (size_t j = k; j < COLUMNS; j++) {
      double sum = 0;
      for (size_t i = 0; i < ROWS; i++) sum += (double)z[j * STRIDE + i] * (double)z[k * STRIDE + i];
      assert_true(fabs(s[k * COLUMNS + j] - sum) <= 5e-4 * sqrt(size[j] * size[k]));
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(smoothed_fits_are_minimisers),  cmocka_unit_test(exact_fits_are_corners),
      cmocka_unit_test(awkward_tables_are_fitted),     cmocka_unit_test(wrong_corners_are_refused),
      cmocka_unit_test(moments_in_two_bytes_are_near),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
