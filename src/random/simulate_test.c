/* The simulators' distributions, each through its own distribution function into equal cells. */
#include "random/gaussian_table.h"
#include "random/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <mpfr.h>

#include "random/statistics_for_test.h"

#include <cmocka.h>

enum { DRAWS = 1 << 20, CELLS = 64 };

static void begin(tacit_stream *stream, uint64_t seed) {
  tacit_noise_source source;
  tacit_noise_source_seeded(&source, seed);
  assert_int_equal(tacit_stream_begin(&source, stream, NULL), TACIT_OK);
}

/* A value of the distribution function of the thing drawn: uniform, if the draw is right. */
typedef double transformed(tacit_stream *stream);

static double uniform(tacit_stream *stream) {
  double u = tacit_uniform(stream);
  assert_true(u > 0 && u < 1);
  return u;
}

static double normal(tacit_stream *stream) {
  return 0.5 * erfc(-tacit_normal(stream) / sqrt(2));
}

static double laplace(tacit_stream *stream) {
  double x = tacit_laplace(stream);
  return x < 0 ? 0.5 * exp(x) : 1 - 0.5 * exp(-x);
}

static double student_1(tacit_stream *stream) {
  return 0.5 + atan(tacit_student(stream, 1)) / acos(-1);
}

static double student_2(tacit_stream *stream) {
  double x = tacit_student(stream, 2);
  return 0.5 + 0.5 * x / sqrt(2 + x * x);
}

static double student_3(tacit_stream *stream) {
  double x = tacit_student(stream, 3) / sqrt(3);
  return 0.5 + (x / (1 + x * x) + atan(x)) / acos(-1);
}

static double student_4(tacit_stream *stream) {
  double x = tacit_student(stream, 4), y = x / sqrt(4 + x * x);
  return 0.5 + 0.75 * (y - y * y * y / 3);
}

/* A coordinate of a uniform point of the sphere in three dimensions is uniform (Archimedes). */
static double direction_in_space(tacit_stream *stream) {
  double unit[3];
  tacit_direction(stream, 3, unit);
  double square = unit[0] * unit[0] + unit[1] * unit[1] + unit[2] * unit[2];
  assert_true(fabs(square - 1) < 1e-14);
  return 0.5 + 0.5 * unit[1];
}

/* Beyond the table: a tail integer of 0 sends the draw to the tail's own method, p < 2^-40. */
static double normal_tail(tacit_stream *stream) {
  static const unsigned char zeros[8];
  stream->script = zeros;
  stream->script_length = sizeof zeros;
  double z = tacit_normal(stream);
  assert_true(z >= tacit_gaussian_tail_start);
  return fmin(0.5 * erfc(z / sqrt(2)) * 0x1p40, 1 - 0x1p-53);
}

static void distributions_are_right(void **state) {
  (void)state;
  static const struct {
    const char *name;
    transformed *draw;
  } all[] = {
      {"uniform", uniform},         {"normal", normal},
      {"laplace", laplace},         {"student 1", student_1},
      {"student 2", student_2},     {"student 3", student_3},
      {"student 4", student_4},     {"direction", direction_in_space},
      {"normal tail", normal_tail},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    tacit_stream stream;
    begin(&stream, 300 + i);
    double observed[CELLS] = {0}, expected[CELLS];
    for (int draw = 0; draw < DRAWS; draw++) observed[(int)(all[i].draw(&stream) * CELLS)]++;
    for (int cell = 0; cell < CELLS; cell++) expected[cell] = (double)DRAWS / CELLS;
    double p = chi_square_p_value(CELLS, observed, expected);
    if (p < ALARM) fail_msg("%s: p = %g", all[i].name, p);
    tacit_stream_end(&stream);
  }
}

static void counts_are_poisson(void **state) {
  (void)state;
  static const double mean[] = {0, 0.7, 6};
  enum { MOST = 24, COUNTS = 200000 };
  tacit_stream stream;
  begin(&stream, 399);
  for (int i = 0; i < COUNTS / 100; i++) assert_int_equal(tacit_poisson(&stream, mean[0]), 0);
  for (size_t m = 1; m < sizeof mean / sizeof *mean; m++) {
    double observed[MOST] = {0}, expected[MOST] = {0}, weight = exp(-mean[m]), rest = 1;
    int cells = 1;
    for (int i = 0; i < COUNTS; i++) {
      int count = tacit_poisson(&stream, mean[m]);
      observed[count < MOST ? count : MOST - 1]++;
    }
    /* the last cell has all from its count on, as soon as fewer than a hundred are left for it */
    for (; cells < MOST && COUNTS * rest > 100; weight *= mean[m] / cells++) {
      expected[cells - 1] = COUNTS * weight;
      rest -= weight;
    }
    cells--;
    expected[cells - 1] += COUNTS * rest;
    for (int k = cells; k < MOST; k++) observed[cells - 1] += observed[k];
    assert_true(cells > 4 && chi_square_p_value(cells, observed, expected) > ALARM);
  }
  tacit_stream_end(&stream);
}

static void shuffles_are_even(void **state) {
  (void)state;
  tacit_stream stream;
  begin(&stream, 400);
  double observed[24] = {0}, expected[24];
  for (int draw = 0; draw < 240000; draw++) {
    size_t items[4] = {0, 1, 2, 3};
    tacit_shuffle(&stream, 4, items);
    /* The permutation's number in the factorial system. */
    int number = 0;
    for (int i = 0; i < 4; i++) {
      int smaller = 0;
      for (int j = i + 1; j < 4; j++) smaller += items[j] < items[i];
      number = number * (4 - i) + smaller;
    }
    observed[number]++;
  }
  for (int i = 0; i < 24; i++) expected[i] = 10000;
  assert_true(chi_square_p_value(24, observed, expected) > ALARM);
  tacit_stream_end(&stream);
}

static void shuffles_lose_nothing(void **state) {
  (void)state;
  enum { ITEMS = 1000 };
  tacit_stream stream;
  begin(&stream, 401);
  size_t items[ITEMS];
  bool seen[ITEMS] = {false};
  for (size_t i = 0; i < ITEMS; i++) items[i] = i;
  tacit_shuffle(&stream, 0, NULL);
  tacit_shuffle(&stream, ITEMS, items);
  for (size_t i = 0; i < ITEMS; i++) {
    assert_false(seen[items[i]]);
    seen[items[i]] = true;
  }
  tacit_stream_end(&stream);
}

/* The double sampler and the exact one read the same word the same way. */
static void normals_round_to_the_exact_ones(void **state) {
  (void)state;
  tacit_stream stream;
  begin(&stream, 402);
  for (int i = 0; i < 100000; i++) {
    tacit_stream again = stream;
    double z = tacit_normal(&stream) * 0x1p30;
    int64_t exact = tacit_gaussian_integer(&again, 0x1p30);
    assert_true(fabs(z - (double)exact) < 0.5 + 1e-6);
  }
  tacit_stream_end(&stream);
}

static int free_caches(void **state) {
  (void)state;
  mpfr_free_cache();
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(distributions_are_right),
      cmocka_unit_test(counts_are_poisson),
      cmocka_unit_test(shuffles_are_even),
      cmocka_unit_test(shuffles_lose_nothing),
      cmocka_unit_test(normals_round_to_the_exact_ones),
  };
  return cmocka_run_group_tests(tests, NULL, free_caches);
}
