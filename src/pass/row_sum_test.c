/* Sums of mapped rows: exact, held to their radius whatever the map does, and counted right. */
#include "pass/row_sum.h"

#include "base/base.h"
#include "num/normal.h"
#include "pass/answer.h"
#include "privacy/certificate.h"
#include "random/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N = 3000, P = 4 };
static tacit_schema *schema;
static tacit_stream stream;
static double x[N][P], y[N];
static tacit_design *design;

static int set_up(void **state) {
  (void)state;
  static const char text[] =
      "{\"target\": {\"name\": \"y\", \"center\": 0, \"scale\": 1}, \"features\": ["
      "{\"name\": \"a\", \"center\": 0, \"scale\": 1}, {\"name\": \"b\", \"center\": 0, \"scale\": 1},"
      "{\"name\": \"c\", \"min\": -1, \"max\": 1}]}";
  tacit_noise_source source;
  tacit_noise_source_seeded(&source, 11);
  if (tacit_stream_begin(&source, &stream, NULL) != TACIT_OK) return -1;
  if (tacit_schema_parse(text, strlen(text), &schema, NULL) != TACIT_OK) return -1;
  if (tacit_design_new(schema, NULL, TACIT_CELL_BITS, &design, NULL) != TACIT_OK) return -1;
  for (int i = 0; i < N; i++) {
    x[i][0] = 1;
    for (int j = 1; j < P; j++)
      x[i][j] = j < 3 ? fmax(-8, fmin(8, 2 * tacit_normal(&stream))) : tacit_uniform(&stream);
    y[i] = tacit_normal(&stream);
    if (i % 100 == 7) x[i][1] = NAN; /* becomes the zero row */
    if (tacit_design_add(design, x[i], &y[i], NULL) != TACIT_OK) return -1;
  }
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  tacit_design_free(design);
  tacit_schema_free(schema);
  return 0;
}

static void slopes(const void *self, const double *row, const double *target, double *out) {
  (void)self, (void)target;
  memcpy(out, row + 1, (P - 1) * sizeof *out);
}

/* Hostile maps: values that no honest map would give. */
static void wild(const void *self, const double *row, const double *target, double *out) {
  (void)row;
  const double values[] = {1e300, NAN, -INFINITY, 0x1p-1074, 1, -1e-9, 3e7, 0.1};
  uint64_t hash = (uint64_t)(target[0] * 1e6) * 2654435761u + *(const uint64_t *)self;
  for (int j = 0; j < P - 1; j++) out[j] = values[(hash >> (4 * j)) % 8];
}

static void sums_are_the_clipped_rows(void **state) {
  (void)state;
  tacit_row_pass pass = {.map = slopes, .width = P - 1, .clip = 2.5, .bits = 17};
  uint64_t sum[P], again[P];
  assert_int_equal(tacit_row_sum(design, &pass, 1, sum, NULL), TACIT_OK);
  double expected[P - 1] = {0};
  for (int i = 0; i < N; i++) {
    if (isnan(x[i][1])) continue;
    double norm = sqrt(x[i][1] * x[i][1] + x[i][2] * x[i][2] + x[i][3] * x[i][3]), w = fmin(1, 2.5 / norm);
    for (int j = 0; j < P - 1; j++) expected[j] += w * x[i][j + 1];
  }
  for (int j = 0; j < P - 1; j++)
    assert_true(fabs(ldexp((double)(int64_t)sum[j], -17) - expected[j]) < N * 0x1p-15);
  for (int threads = 2; threads <= 7; threads += 5) {
    assert_int_equal(tacit_row_sum(design, &pass, threads, again, NULL), TACIT_OK);
    assert_memory_equal(sum, again, (P - 1) * sizeof *sum);
  }
}

__extension__ typedef __int128 wide;

/* Of a block's rows in doubles and of rows one by one: the same integers. */
static void slopes_of_rows(const void *self, const tacit_block *block, size_t first, double *out) {
  (void)self;
  for (size_t j = 1; j < P; j++)
    tacit_rows_column(block->cells + j * TACIT_BLOCK + first, ldexp(1, -design->cell_bits), 0,
                      out + (j - 1) * TACIT_ROWS);
}

static void the_sums_are_these_integers(void **state) {
  (void)state;
  const struct {
    double clip;
    int bits;
    bool moment;
  } cases[] = {{2.5, 17, false}, {2.5, 17, true}, {1, 21, true}, {0.7, 3, true},
               {3, 30, false},   {3, 24, true},   {1, 26, false}}; /* two of them beyond what doubles hold */
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    tacit_row_pass pass = {.map = slopes, .width = P - 1, .clip = cases[c].clip, .bits = cases[c].bits};
    pass.moment = cases[c].moment;
    uint64_t sum[6], again[6], expected[6] = {0};
    int64_t radius = (int64_t)floor(ldexp(pass.clip, pass.bits));
    for (size_t i = 0; i < N; i++) {
      double row[P], target, square = 0;
      wide length = 0;
      int64_t v[P - 1];
      tacit_design_row(design, i, row, &target);
      if (row[0] == 0) continue;
      for (int j = 1; j < P; j++) square += row[j] * row[j];
      double norm = sqrt(square), clip = ldexp((double)radius, -pass.bits);
      double scale = norm > clip ? clip / norm * (1 - 0x1p-40) : 1;
      for (int j = 1; j < P; j++) {
        v[j - 1] = (int64_t)(row[j] * ldexp(scale, pass.bits));
        length += (wide)v[j - 1] * v[j - 1];
      }
      assert_true(length <= (wide)radius * radius); /* so that no row is left out */
      for (int j = 0, at = 0; j < P - 1; j++)
        for (int k = j; k < (pass.moment ? P - 1 : j + 1); k++, at++)
          expected[at] += (uint64_t)v[j] * (pass.moment ? (uint64_t)v[k] : 1);
    }
    assert_int_equal(tacit_row_sum(design, &pass, 2, sum, NULL), TACIT_OK);
    assert_memory_equal(sum, expected, tacit_row_sum_width(&pass) * sizeof *sum);
    pass.map = NULL;
    pass.map_rows = slopes_of_rows;
    tacit_status status = tacit_row_sum(design, &pass, 3, again, NULL);
    bool fits = radius <= 1 << (pass.moment ? 21 : 26);
    assert_int_equal(status, fits ? TACIT_OK : TACIT_INTERNAL);
    if (fits) assert_memory_equal(again, expected, tacit_row_sum_width(&pass) * sizeof *sum);
  }
}

static void moments_are_the_products(void **state) {
  (void)state;
  tacit_row_pass pass = {.map = slopes, .width = P - 1, .clip = 30, .bits = 12, .moment = true};
  uint64_t sum[6];
  assert_int_equal(tacit_row_sum_width(&pass), 6);
  assert_int_equal(tacit_row_sum(design, &pass, 2, sum, NULL), TACIT_OK);
  for (int j = 0, at = 0; j < P - 1; j++)
    for (int k = j; k < P - 1; k++, at++) {
      double expected = 0;
      for (int i = 0; i < N; i++)
        if (!isnan(x[i][1])) expected += x[i][j + 1] * x[i][k + 1];
      assert_true(fabs(ldexp((double)(int64_t)sum[at], -24) - expected) < N * 16 * 0x1p-11);
    }
}

/* Norm of a sum's entries, or of their difference; off-diagonals of a moment stand for two entries of the
 * matrix. */
static double reach_of(const tacit_row_pass *pass, const uint64_t *a, const uint64_t *b) {
  double square = 0;
  for (size_t j = 0; j < tacit_row_sum_width(pass); j++) {
    double d = (double)((int64_t)a[j] - (b ? (int64_t)b[j] : 0));
    bool diagonal = !pass->moment || j == 0 || j == 3 || j == 5; /* of a 3 x 3 upper triangle */
    square += (diagonal ? 1 : 2) * d * d;
  }
  return sqrt(square);
}

/* Whatever a map gives: one row within one row's reach, the difference of two within two rows'. */
static void no_map_reaches_beyond_the_radius(void **state) {
  (void)state;
  tacit_design *one;
  assert_int_equal(tacit_design_new(schema, NULL, TACIT_CELL_BITS, &one, NULL), TACIT_OK);
  assert_int_equal(tacit_design_add(one, x[0], &y[0], NULL), TACIT_OK);
  const double clips[] = {0.01, 1, 2.7};
  double nearest = 0;
  for (uint64_t i = 0; i < 4000; i++) {
    bool moment = i % 2 == 1;
    uint64_t seeds[2] = {2654435761u * i, 40503u * i + 7}, sums[2][6];
    tacit_mechanism m = {.kind = moment ? TACIT_RELEASE_MOMENT : TACIT_RELEASE_ROWS,
                         .clip = clips[i % 3],
                         .bits = moment ? 24 : 12};
    tacit_row_pass pass = {.map = wild, .width = P - 1, .clip = m.clip, .bits = 12, .moment = moment};
    double reach[2];
    for (int a = 0; a < 2; a++) {
      pass.self = &seeds[a];
      assert_int_equal(tacit_row_sum(one, &pass, 1, sums[a], NULL), TACIT_OK);
      assert_int_equal(tacit_mechanism_sensitivity(&m, (tacit_adjacency)a, 1, &reach[a], NULL), TACIT_OK);
    }
    /* the entries and their squares are far below 2^53: this arithmetic is exact */
    assert_true(reach_of(&pass, sums[0], NULL) <= reach[TACIT_ADD_REMOVE]);
    assert_true(reach_of(&pass, sums[0], sums[1]) <= reach[TACIT_REPLACE_ONE]);
    nearest = fmax(nearest, reach_of(&pass, sums[0], sums[1]) / reach[TACIT_REPLACE_ONE]);
  }
  assert_true(nearest > 0.95);
  tacit_design_free(one);
}

static uint64_t count(bool above, double at, int threads) {
  const tacit_question question = {.kind = TACIT_QUESTION_COUNT,
                                   .count = {.value = TACIT_VALUE_TARGET, .above = above, .at = at}};
  uint64_t answer;
  tacit_answer_count(design, schema, &question, threads, &answer);
  return answer;
}

static void counting(void **state) {
  (void)state;
  for (int threads = 1; threads <= 3; threads++) {
    uint64_t expected = 0, all = (uint64_t)(N - N / 100) << 16;
    for (int i = 0; i < N; i++) expected += !isnan(x[i][1]) && y[i] <= 0.5;
    assert_true(expected > N / 3);
    assert_int_equal(count(false, 0.5 + 0x1p-25, threads), expected << 16);
    assert_int_equal(count(false, INFINITY, threads), all);
    assert_int_equal(count(false, NAN, threads), 0);
    assert_int_equal(count(true, 0.5 + 0x1p-25, threads), all - (expected << 16));
    assert_int_equal(count(true, NAN, threads), 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sums_are_the_clipped_rows),
      cmocka_unit_test(the_sums_are_these_integers),
      cmocka_unit_test(moments_are_the_products),
      cmocka_unit_test(no_map_reaches_beyond_the_radius),
      cmocka_unit_test(counting),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
