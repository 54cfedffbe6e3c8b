/* A battery of distribution tests that the exact sampler must pass and broken samplers must fail. */
#include "random/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <mpfr.h>

#include "random/statistics_for_test.h"

#include <cmocka.h>

enum { DRAWS = 1 << 22 };

typedef int64_t sampler(tacit_stream *stream, double sigma);

/* P(X <= x) for X = round(sigma Z). */
static double cdf(int64_t x, double sigma) {
  return 0.5 * erfc(-((double)x + 0.5) / sigma / sqrt(2));
}

/* Cells of about 1/16 sigma, or single integers, out to 4 sigma; the outermost are open. */
static double cells_p_value(const int64_t *x, double sigma) {
  enum { MOST = 256 };
  double observed[MOST + 1] = {0}, expected[MOST + 1];
  int64_t width = sigma > 16 ? (int64_t)(sigma / 16) : 1;
  int64_t reach = (int64_t)(4 * sigma) / width;
  if (reach > MOST / 2) reach = MOST / 2;
  for (size_t i = 0; i < DRAWS; i++) {
    int64_t cell = x[i] >= 0 ? x[i] / width : -((-x[i] - 1) / width) - 1; /* floor */
    if (cell < -reach) cell = -reach;
    if (cell > reach) cell = reach;
    observed[cell + reach]++;
  }
  for (int64_t cell = -reach; cell <= reach; cell++) {
    double below = cell == -reach ? 0 : cdf(cell * width - 1, sigma);
    double up_to = cell == reach ? 1 : cdf(cell * width + width - 1, sigma);
    expected[cell + reach] = DRAWS * (up_to - below);
  }
  return chi_square_p_value((size_t)(2 * reach + 1), observed, expected);
}

/* How many lie beyond so many sigmas. */
static double tail_p_value(const int64_t *x, double sigma, double sigmas) {
  int64_t threshold = (int64_t)ceil(sigmas * sigma);
  double count = 0;
  for (size_t i = 0; i < DRAWS; i++) count += llabs(x[i]) >= threshold;
  return poisson_p_value(count, DRAWS * 2 * cdf(-threshold, sigma));
}

static double correlation_p_value(const int64_t *x, size_t lag) {
  double product = 0, square = 0;
  for (size_t i = 0; i < DRAWS; i++) {
    square += (double)x[i] * (double)x[i];
    if (i >= lag) product += (double)x[i] * (double)x[i - lag];
  }
  return normal_p_value(product / square * sqrt(DRAWS));
}

/* Squares are correlated where sizes are, even if signs hide it. */
static double square_correlation_p_value(const int64_t *x, double sigma) {
  double mean = 0, product = 0, square = 0;
  for (size_t i = 0; i < DRAWS; i++) mean += pow((double)x[i] / sigma, 2) / DRAWS;
  double before = 0;
  for (size_t i = 0; i < DRAWS; i++) {
    double now = pow((double)x[i] / sigma, 2) - mean;
    product += now * before;
    square += now * now;
    before = now;
  }
  return normal_p_value(product / square * sqrt(DRAWS));
}

/* Neighbours fall into a square of cells as if they did not know of each other. */
static double pairs_p_value(const int64_t *x, double sigma) {
  enum { SIDE = 6 };
  const int64_t ends[SIDE - 1] = {(int64_t)floor(-1.2 * sigma), (int64_t)floor(-0.6 * sigma), -1,
                                  (int64_t)floor(0.6 * sigma), (int64_t)floor(1.2 * sigma)};
  double observed[SIDE * SIDE] = {0}, expected[SIDE * SIDE];
  for (size_t i = 0; i + 1 < DRAWS; i += 2) {
    int cell[2] = {0, 0};
    for (int j = 0; j < 2; j++)
      while (cell[j] < SIDE - 1 && x[i + (size_t)j] > ends[cell[j]]) cell[j]++;
    observed[cell[0] * SIDE + cell[1]]++;
  }
  double share[SIDE];
  for (int i = 0; i < SIDE; i++)
    share[i] = (i == SIDE - 1 ? 1 : cdf(ends[i], sigma)) - (i == 0 ? 0 : cdf(ends[i - 1], sigma));
  for (int i = 0; i < SIDE * SIDE; i++) expected[i] = DRAWS / 2 * share[i / SIDE] * share[i % SIDE];
  return chi_square_p_value(SIDE * SIDE, observed, expected);
}

static double signs_p_value(const int64_t *x) {
  double surplus = 0, count = 0;
  for (size_t i = 0; i < DRAWS; i++) {
    surplus += (x[i] > 0) - (x[i] < 0);
    count += x[i] != 0;
  }
  return normal_p_value(surplus / sqrt(count));
}

static double sign_pairs_p_value(const int64_t *x) {
  double surplus = 0, count = 0;
  for (size_t i = 0; i + 1 < DRAWS; i++) {
    int sign = ((x[i] > 0) - (x[i] < 0)) * ((x[i + 1] > 0) - (x[i + 1] < 0));
    surplus += sign;
    count += sign != 0;
  }
  return normal_p_value(surplus / sqrt(count));
}

/* With sigma large, remainders modulo 16 are even to e^(-2 pi^2 sigma^2 / 256). */
static double low_bits_p_value(const int64_t *x) {
  double observed[16] = {0}, expected[16];
  for (size_t i = 0; i < DRAWS; i++) observed[x[i] & 15]++;
  for (int i = 0; i < 16; i++) expected[i] = DRAWS / 16;
  return chi_square_p_value(16, observed, expected);
}

/* The smallest p-value of the battery: 10 checks. */
static double battery(sampler *draw, double sigma, uint64_t seed) {
  tacit_noise_source source;
  tacit_stream stream;
  tacit_noise_source_seeded(&source, seed);
  assert_int_equal(tacit_stream_begin(&source, &stream, NULL), TACIT_OK);
  int64_t *x = tacit_alloc(DRAWS, sizeof *x);
  assert_non_null(x);
  for (size_t i = 0; i < DRAWS; i++) x[i] = draw(&stream, sigma);
  const double p[] = {
      cells_p_value(x, sigma),   tail_p_value(x, sigma, 4),
      tail_p_value(x, sigma, 5), correlation_p_value(x, 1),
      correlation_p_value(x, 2), square_correlation_p_value(x, sigma),
      pairs_p_value(x, sigma),   signs_p_value(x),
      sign_pairs_p_value(x),     sigma > 100 ? low_bits_p_value(x) : 1,
  };
  free(x);
  tacit_stream_end(&stream);
  double smallest = 1;
  for (size_t i = 0; i < sizeof p / sizeof *p; i++) smallest = fmin(smallest, p[i]);
  return smallest;
}

static void the_sampler_passes(void **state) {
  (void)state;
  const double sigmas[] = {0.7, 3, 1000, 0x1p39};
  for (uint64_t i = 0; i < 4; i++) assert_true(battery(tacit_gaussian_integer, sigmas[i], 100 + i) > ALARM);
}

/* Samplers as they have been got wrong. */

static int64_t scale_off_by_a_percent(tacit_stream *stream, double sigma) {
  return tacit_gaussian_integer(stream, 1.01 * sigma);
}

static int64_t rounded_toward_zero(tacit_stream *stream, double sigma) {
  return (int64_t)(sigma * tacit_normal(stream));
}

static int64_t rounded_down(tacit_stream *stream, double sigma) {
  return (int64_t)floor(sigma * tacit_normal(stream));
}

static int64_t twelve_uniforms(tacit_stream *stream, double sigma) {
  double sum = -6;
  for (int i = 0; i < 12; i++) sum += tacit_uniform(stream);
  return llrint(sigma * sum);
}

static int64_t tail_cut_off(tacit_stream *stream, double sigma) {
  double z;
  do z = tacit_normal(stream);
  while (fabs(z) > 4.2);
  return llrint(sigma * z);
}

static int64_t ten_bits_of_entropy(tacit_stream *stream, double sigma) {
  double u = ((double)(tacit_stream_bits(stream) >> 54) + 0.5) * 0x1p-10;
  double v = tacit_uniform(stream); /* Box and Muller: the radius has 10 bits, the angle all */
  return llrint(sigma * sqrt(-2 * log(u)) * cos(2 * acos(-1) * v));
}

static int64_t neighbours_correlated(tacit_stream *stream, double sigma) {
  static double before;
  double z = 0.01 * before + sqrt(1 - 1e-4) * tacit_normal(stream);
  before = z;
  return llrint(sigma * z);
}

static int64_t signs_alternate(tacit_stream *stream, double sigma) {
  static bool negative;
  negative = !negative;
  int64_t size = llabs(tacit_gaussian_integer(stream, sigma));
  return negative ? -size : size;
}

static int64_t sizes_repeat(tacit_stream *stream, double sigma) {
  static int64_t size;
  static int turn;
  if (turn++ % 64)
    size = llabs(tacit_gaussian_integer(stream, sigma)); /* once in 64 the last size is reused */
  return tacit_stream_bits(stream) & 1 ? size : -size;
}

static int64_t even_numbers_only(tacit_stream *stream, double sigma) {
  return 2 * tacit_gaussian_integer(stream, sigma / 2);
}

static void broken_samplers_are_caught(void **state) {
  (void)state;
  static const struct {
    const char *name;
    sampler *draw;
    double sigma;
  } broken[] = {
      {"scale off by a percent, 0.7", scale_off_by_a_percent, 0.7},
      {"scale off by a percent, 1000", scale_off_by_a_percent, 1000},
      {"rounded toward zero", rounded_toward_zero, 3},
      {"rounded down", rounded_down, 3},
      {"twelve uniforms", twelve_uniforms, 1000},
      {"tail cut off", tail_cut_off, 1000},
      {"ten bits of entropy", ten_bits_of_entropy, 1000},
      {"neighbours correlated", neighbours_correlated, 1000},
      {"signs alternate", signs_alternate, 3},
      {"sizes repeat", sizes_repeat, 1000},
      {"even numbers only", even_numbers_only, 1000},
  };
  for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
    double p = battery(broken[i].draw, broken[i].sigma, 200 + i);
    if (p > ALARM) fail_msg("not caught: %s, p = %g", broken[i].name, p);
  }
}

static int free_caches(void **state) {
  (void)state;
  mpfr_free_cache();
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_sampler_passes),
      cmocka_unit_test(broken_samplers_are_caught),
  };
  return cmocka_run_group_tests(tests, NULL, free_caches);
}
