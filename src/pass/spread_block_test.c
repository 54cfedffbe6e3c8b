/* Rows whose spreads differ: exponentials and logarithms, sums against their formula, and a search for a row
   that adds more than is claimed. */
#include "pass/score_sum.h"
#include "privacy/certificate.h"

#include "pass/draws_for_test.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

__extension__ typedef unsigned __int128 wide;

enum { D = 3, BITS = 10 };
static const char SCHEMA[] =
    "{\"target\": {\"name\": \"y\", \"min\": -1, \"max\": 1}, \"features\": ["
    "{\"name\": \"a\", \"min\": -1, \"max\": 1}, {\"name\": \"b\", \"min\": -1, \"max\": 1}]}";
static tacit_schema *schema;

static int set_up(void **state) {
  (void)state;
  if (tacit_schema_parse(SCHEMA, strlen(SCHEMA), &schema, NULL) != TACIT_OK) return -1;
  return begin_draws(47);
}

static int tear_down(void **state) {
  (void)state;
  tacit_schema_free(schema);
  return 0;
}

/* n rows in two bytes: of ordinary numbers, or of any. */
static tacit_design *design_of(size_t n, bool ordinary) {
  double matrix[D * D];
  tacit_design *plain, *image;
  for (size_t j = 0; j < D * D; j++) matrix[j] = ordinary ? (j % (D + 1) == 0) : 3 * tacit_normal(&stream);
  assert_int_equal(tacit_design_new(schema, NULL, 15, &plain, NULL), TACIT_OK);
  for (size_t i = 0; i < n; i++) {
    double x[D] = {1, tacit_normal(&stream) / 3, tacit_normal(&stream) / 3}, y = tacit_normal(&stream) / 3;
    for (size_t j = 0; !ordinary && j < D; j++)
      if (pick(3) == 0) x[j] = any_number();
    assert_int_equal(tacit_design_add(plain, x, ordinary || pick(3) ? &y : &(double){any_number()}, NULL),
                     TACIT_OK);
  }
  const tacit_image seen = {.matrix = matrix, .columns = D, .cell_bits = BITS, .narrow = true};
  assert_int_equal(tacit_design_transform(plain, &seen, 1, &image, NULL), TACIT_OK);
  tacit_design_free(plain);
  return image;
}

static void exponentials_and_logarithms(void **state) {
  (void)state;
  for (int i = 0; i < 200000; i++) {
    float x = (float)(120 * (tacit_uniform(&stream) - 0.5)), y = (float)exp(40 * tacit_normal(&stream) / 3);
    assert_true(fabs(tacit_single_exp(x) / exp(x) - 1) < 0x1p-21);
    if (y >= 0x1p-100f && y < INFINITY) assert_true(fabs(tacit_single_log(y) - log(y)) < 0x1p-17);
  }
}

/* b, slopes, and a pass of a form. */
typedef struct asked {
  double b[D], slopes[D];
  tacit_score_pass pass;
} asked;

static double some(bool ordinary, double usual) {
  return ordinary || pick(2) ? usual : any_number();
}

static void ask(asked *a, bool ordinary) {
  static const double taus[] = {0.02, 0.5, 0.9, 0.98}, clips[] = {0.01, 0.7, 2, 11};
  for (size_t j = 0; j < D; j++) {
    a->b[j] = some(ordinary, tacit_normal(&stream) / 3);
    a->slopes[j] = some(ordinary, tacit_normal(&stream) / 2);
  }
  a->pass = (tacit_score_pass){.tau = taus[pick(4)],
                               .kernel = TACIT_KERNEL_GAUSSIAN,
                               .bandwidth = some(ordinary, 0.3),
                               .coefficients = a->b,
                               .offset = some(ordinary, 0.1),
                               .form = pick(2) ? TACIT_FORM_SCALED : TACIT_FORM_SPREAD,
                               .spread = {.slopes = a->slopes,
                                          .offset = some(ordinary, -1.2),
                                          .least = -5,
                                          .most = 1,
                                          .times = some(ordinary, 0.4),
                                          .unit = some(ordinary, 0.3),
                                          .weight = some(ordinary, 0.7),
                                          .full = some(ordinary, pick(2) ? 0.4 : 0)}};
  assert_int_equal(
      tacit_score_bound_set(&a->pass.bound, a->pass.tau, clips[ordinary ? 1 + pick(3) : pick(4)], BITS, NULL),
      TACIT_OK);
}

static size_t entries(const asked *a) {
  return D + (a->pass.form == TACIT_FORM_SCALED);
}

static double norm_of(const uint64_t *sum, size_t count) {
  double square = 0;
  for (size_t j = 0; j < count; j++) square += (double)(int64_t)sum[j] * (double)(int64_t)sum[j];
  return sqrt(square);
}

/* One row of any kind, asked anything: the vector it adds stays within the radius, and its count within one.
 */
static void no_row_adds_more_than_is_claimed(void **state) {
  (void)state;
  double nearest[2] = {0};
  for (int i = 0; i < 6000; i++) {
    asked a;
    uint64_t sum[D + 1];
    tacit_side_counts counts = {.span = 1, .smoothing = 0.3};
    tacit_design *row = design_of(1, pick(2));
    ask(&a, false);
    tacit_step_sum(row, &a.pass, 1, sum, &counts);
    wide square = 0, radius = (wide)a.pass.bound.radius;
    for (size_t j = 0; j < entries(&a); j++) {
      int64_t v = (int64_t)sum[j];
      square += (wide)(v < 0 ? -v : v) * (wide)(v < 0 ? -v : v);
    }
    assert_true(square <= radius * radius);
    assert_true(counts.within <= 1 << TACIT_SCORE_BITS && counts.below <= 1 << TACIT_SCORE_BITS);
    bool scaled = a.pass.form == TACIT_FORM_SCALED;
    nearest[scaled] = fmax(nearest[scaled], norm_of(sum, entries(&a)) / (double)a.pass.bound.radius);
    tacit_design_free(row);
  }
  assert_true(nearest[0] > 0.98 && nearest[1] > 0.98); /* the search comes close: the test can fail */
}

/* What a pass sums, row by row in doubles. */
typedef struct expected {
  double sum[D + 1], within, below;
} expected;

static double clamp(double x, double lo, double hi) {
  return fmin(hi, fmax(lo, x));
}

static void add_row(const tacit_design *design, size_t i, const asked *a, expected *e) {
  const tacit_block *block = &design->stored.block[i / TACIT_BLOCK];
  const tacit_row_spread *s = &a->pass.spread;
  size_t at = i % TACIT_BLOCK;
  double x[D + 1], r = a->pass.offset - ldexp(block->targets[at], -TACIT_TARGET_BITS), log_s = s->offset,
                   norm = 0, u, w = 1;
  for (size_t j = 0; j < D; j++) {
    x[j] = ldexp(block->narrow[j * TACIT_BLOCK + at], -BITS);
    r += x[j] * a->b[j];
    log_s += x[j] * a->slopes[j];
  }
  log_s = clamp(log_s, s->least, s->most);
  x[D] = a->pass.form == TACIT_FORM_SCALED ? s->weight * (exp(log_s) / s->unit - 1) : 0;
  for (size_t j = 0; j <= D; j++) norm = hypot(norm, x[j]);
  u = a->pass.form == TACIT_FORM_SCALED ? r / exp(log_s) + s->times
                                        : log_s - clamp(log(fmax(fabs(r), 1e-30)), s->least, s->most);
  if (a->pass.form == TACIT_FORM_SCALED && s->full > 0) w = fmin(1, exp(log_s) / s->full);
  double clip = ldexp((double)a->pass.bound.clip, -BITS), tau = a->pass.tau;
  double score =
      (tacit_kernel_cdf(TACIT_KERNEL_GAUSSIAN, u / a->pass.bandwidth) - tau) * fmin(1, clip / norm);
  for (size_t j = 0; j <= D; j++) e->sum[j] += score * x[j];
  e->within += fabs(u) <= 1;
  e->below += tau + w * (tacit_kernel_cdf(TACIT_KERNEL_GAUSSIAN, u / 0.3) - tau);
}

static void sums_are_what_the_formula_says(void **state) {
  (void)state;
  enum { N = 2500 };
  tacit_design *design = design_of(N, true);
  for (int k = 0; k < 40; k++) {
    asked a;
    expected e = {0};
    uint64_t sum[D + 1], again[D + 1];
    tacit_side_counts counts = {.span = 1, .smoothing = 0.3}, same = counts;
    ask(&a, true);
    tacit_step_sum(design, &a.pass, 1, sum, &counts);
    tacit_step_sum(design, &a.pass, 3, again, &same);
    assert_memory_equal(sum, again, entries(&a) * sizeof *sum);
    assert_true(counts.within == same.within && counts.below == same.below);
    for (size_t i = 0; i < N; i++) add_row(design, i, &a, &e);
    for (size_t j = 0; j < entries(&a); j++) {
      double seen = ldexp((double)(int64_t)sum[j], -BITS - TACIT_SCORE_BITS);
      assert_true(fabs(seen - e.sum[j]) < N * 0x1p-10); /* caps of scores in two bytes are whole numbers */
    }
    assert_true(fabs(ldexp((double)counts.within, -TACIT_SCORE_BITS) - e.within) <= 3);
    assert_true(fabs(ldexp((double)counts.below, -TACIT_SCORE_BITS) - e.below) < N * 0x1p-14);
  }
  tacit_design_free(design);
}

/* A row without encoding is all zero, and has no spread either. */
static void rows_without_encoding_add_nothing(void **state) {
  (void)state;
  asked a;
  tacit_design *design;
  double x[D] = {1, NAN, 0}, y = 0.3;
  uint64_t sum[D + 1];
  do ask(&a, true);
  while (a.pass.form != TACIT_FORM_SCALED);
  assert_int_equal(tacit_design_new(schema, NULL, BITS, &design, NULL), TACIT_OK);
  assert_int_equal(tacit_design_add(design, x, &y, NULL), TACIT_OK);
  tacit_step_sum(design, &a.pass, 1, sum, NULL);
  for (size_t j = 0; j <= D; j++) assert_int_equal(sum[j], 0);
  tacit_design_free(design);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exponentials_and_logarithms),
      cmocka_unit_test(no_row_adds_more_than_is_claimed),
      cmocka_unit_test(sums_are_what_the_formula_says),
      cmocka_unit_test(rows_without_encoding_add_nothing),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
