/* A search for a contribution above the claimed radius, in integers; exactness for every order and thread
 * count. */
#include "pass/score_sum.h"
#include "privacy/certificate.h"

#include "pass/draws_for_test.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

__extension__ typedef unsigned __int128 wide;

/* Every kind of column, wide and narrow, with transforms. */
static const char SCHEMA[] =
    "{\"target\": {\"name\": \"y\", \"min\": -10, \"max\": 10, \"missing\": 0}, \"features\": ["
    "{\"name\": \"a\", \"min\": -1, \"max\": 1, \"missing\": 0.3},"
    "{\"name\": \"b\", \"center\": 5, \"scale\": 0.01, \"missing\": 5},"
    "{\"name\": \"c\", \"levels\": [\"x\", \"y\", \"other\"]},"
    "{\"name\": \"a\", \"transform\": \"spline\", \"knots\": 4},"
    "{\"name\": \"a\", \"transform\": \"polynomial\", \"degree\": 4},"
    "{\"name\": \"d\", \"transform\": \"fourier\", \"period\": 7, \"harmonics\": 3, \"missing\": 1},"
    "{\"name\": \"a\", \"transform\": \"haar\", \"levels\": 3}]}";
enum { P_MAX = 64, PAIRS = 4000 };

typedef struct row {
  double a, b, d, y;
  const char *c;
} row;

static tacit_schema *schema;

static int set_up(void **state) {
  (void)state;
  if (tacit_schema_parse(SCHEMA, strlen(SCHEMA), &schema, NULL) != TACIT_OK) return -1;
  return begin_draws(42);
}

static int tear_down(void **state) {
  (void)state;
  tacit_schema_free(schema);
  return 0;
}

static row any_row(void) {
  static const char *const levels[] = {"x", "y", "other", "", "unheard of"};
  return (row){any_number(), any_number(), any_number(), any_number(), levels[pick(5)]};
}

static tacit_design *design_of(const row *rows, size_t n) {
  static const char *const names[] = {"a", "b", "d", "y", "c"};
  double *numbers[4];
  const char **texts = malloc(n * sizeof *texts);
  for (int j = 0; j < 4; j++) numbers[j] = malloc(n * sizeof(double));
  for (size_t i = 0; i < n; i++) {
    numbers[0][i] = rows[i].a, numbers[1][i] = rows[i].b, numbers[2][i] = rows[i].d,
    numbers[3][i] = rows[i].y;
    texts[i] = rows[i].c;
  }
  const double *number_columns[] = {numbers[0], numbers[1], numbers[2], numbers[3], NULL};
  const char *const *text_columns[] = {NULL, NULL, NULL, NULL, texts};
  tacit_source *source;
  tacit_design *design;
  tacit_read_counts counts;
  assert_int_equal(tacit_source_columns(n, 5, names, number_columns, text_columns, &source, NULL), TACIT_OK);
  assert_int_equal(tacit_design_new(schema, NULL, TACIT_CELL_BITS, &design, NULL), TACIT_OK);
  assert_int_equal(tacit_encode_source(source, schema, true,
                                       &(const tacit_row_taker){.add = tacit_design_add, .self = design},
                                       &counts, NULL, NULL),
                   TACIT_OK);
  assert_int_equal(counts.rows, n);
  tacit_source_free(source);
  for (int j = 0; j < 4; j++) free(numbers[j]);
  free(texts);
  return design;
}

/* A row that never went through the encoder: any numbers at all, on the plain grid or through a public
 * matrix. */
static tacit_design *raw_design(bool whitened) {
  static double root[P_MAX * P_MAX];
  double x[P_MAX], y = any_number();
  for (size_t j = 0; j < schema->columns * schema->columns; j++) root[j] = tacit_normal(&stream);
  for (size_t j = 0; j < schema->columns; j++) x[j] = pick(4) ? tacit_normal(&stream) : any_number();
  tacit_design *design;
  assert_int_equal(tacit_design_new(schema, whitened ? root : NULL, TACIT_CELL_BITS, &design, NULL),
                   TACIT_OK);
  assert_int_equal(tacit_design_add(design, x, &y, NULL), TACIT_OK);
  return design;
}

/* A table of one row of some kind. */
static tacit_design *any_design(void) {
  row one = any_row();
  size_t kind = pick(4);
  return kind == 0 ? raw_design(false) : kind == 1 ? raw_design(true) : design_of(&one, 1);
}

static tacit_score_pass any_pass(double *coefficients) {
  static const double taus[] = {0.01, 0.3, 0.5, 0.777, 0.99}, clips[] = {1e-4, 0.5, 2, 2.7, 40};
  tacit_score_pass pass = {.tau = taus[pick(5)],
                           .kernel = (tacit_kernel)pick(TACIT_KERNELS),
                           .bandwidth = pow(10, -(double)pick(6)),
                           .coefficients = coefficients};
  for (size_t j = 0; j < schema->columns; j++)
    coefficients[j] = pick(2) ? tacit_normal(&stream) : any_number();
  assert_int_equal(tacit_score_bound_set(&pass.bound, pass.tau, clips[pick(5)], TACIT_CELL_BITS, NULL),
                   TACIT_OK);
  return pass;
}

/* What one row adds to the sum: the real pass over a table of this row alone. */
static void contribution(const tacit_design *design, const tacit_score_pass *pass, int64_t *out) {
  uint64_t sum[P_MAX];
  tacit_score_sum(design, pass, 1, sum);
  for (size_t j = 0; j < schema->columns; j++) out[j] = (int64_t)sum[j];
}

/* The same without the cap: the fault that the search must find. */
static void uncapped(const tacit_design *design, const tacit_score_pass *pass, int64_t *out) {
  const tacit_block *block = design->stored.block;
  double margin = -ldexp(block->targets[0], -TACIT_TARGET_BITS);
  for (size_t j = 0; j < schema->columns; j++)
    margin += pass->coefficients[j] * ldexp(block->cells[j * TACIT_BLOCK], -TACIT_CELL_BITS);
  double score = tacit_kernel_cdf(pass->kernel, margin / pass->bandwidth) - pass->tau;
  int64_t integer = score == score ? (int64_t)(score * 65536) : 0;
  for (size_t j = 0; j < schema->columns; j++) out[j] = integer * block->cells[j * TACIT_BLOCK];
}

static bool longer(const int64_t *a, const int64_t *b, int64_t radius) {
  wide square = 0;
  for (size_t j = 0; j < schema->columns; j++) {
    int64_t d = a[j] - (b ? b[j] : 0);
    wide magnitude = (wide)(d < 0 ? -d : d);
    square += magnitude * magnitude;
  }
  return square > (wide)radius * (wide)radius;
}

static double sensitivity_of(const tacit_score_pass *pass, tacit_adjacency adjacency) {
  double sensitivity = NAN;
  tacit_mechanism m = {.kind = TACIT_RELEASE_SCORES,
                       .level = pass->tau,
                       .clip = ldexp((double)pass->bound.clip, -TACIT_CELL_BITS),
                       .bits = TACIT_CELL_BITS + TACIT_SCORE_BITS};
  assert_int_equal(tacit_mechanism_sensitivity(&m, adjacency, 1, &sensitivity, NULL), TACIT_OK);
  return sensitivity;
}

typedef struct findings {
  int above_add_remove, above_replace_one;
  double nearest; /* the largest norm seen, as a share of the radius */
} findings;

static findings search(void (*add)(const tacit_design *, const tacit_score_pass *, int64_t *)) {
  findings found = {0};
  for (int i = 0; i < PAIRS; i++) {
    double coefficients[P_MAX];
    tacit_score_pass pass = any_pass(coefficients);
    int64_t one[P_MAX], other[P_MAX];
    tacit_design *designs[2] = {any_design(), any_design()};
    add(designs[0], &pass, one);
    add(designs[1], &pass, other);
    double once, twice, norm = 0;
    once = sensitivity_of(&pass, TACIT_ADD_REMOVE);
    twice = sensitivity_of(&pass, TACIT_REPLACE_ONE);
    found.above_add_remove += longer(one, NULL, (int64_t)once);
    found.above_replace_one += longer(one, other, (int64_t)twice);
    for (size_t j = 0; j < schema->columns; j++) norm = hypot(norm, (double)one[j]);
    found.nearest = fmax(found.nearest, norm / once);
    tacit_design_free(designs[0]);
    tacit_design_free(designs[1]);
  }
  return found;
}

static void no_pair_of_rows_moves_the_sum_further_than_claimed(void **state) {
  (void)state;
  findings found = search(contribution);
  assert_int_equal(found.above_add_remove, 0);
  assert_int_equal(found.above_replace_one, 0);
  assert_true(found.nearest > 0.99); /* the search comes close: the claim is tight, the test can fail */
}

static void without_the_cap_the_search_finds_a_violation(void **state) {
  (void)state;
  findings found = search(uncapped);
  assert_true(found.above_add_remove > 100);
  assert_true(found.above_replace_one > 100);
}

static void sums_do_not_depend_on_order_or_threads(void **state) {
  (void)state;
  enum { N = 5000 };
  static row rows[N], shuffled[N];
  static size_t order[N];
  for (size_t i = 0; i < N; i++) rows[i] = any_row(), order[i] = i;
  tacit_shuffle(&stream, N, order);
  for (size_t i = 0; i < N; i++) shuffled[i] = rows[order[i]];
  tacit_design *a = design_of(rows, N), *b = design_of(shuffled, N);
  for (int k = 0; k < 30; k++) {
    double coefficients[P_MAX];
    tacit_score_pass pass = any_pass(coefficients);
    uint64_t first[P_MAX], again[P_MAX];
    tacit_score_sum(a, &pass, 1, first);
    for (int threads = 1; threads <= 7; threads += 3) {
      tacit_score_sum(a, &pass, threads, again);
      assert_memory_equal(first, again, schema->columns * sizeof *first);
      tacit_score_sum(b, &pass, threads, again);
      assert_memory_equal(first, again, schema->columns * sizeof *first);
    }
  }
  tacit_design_free(a);
  tacit_design_free(b);
}

/* Read once for all of them or once for each: the same sums. */
static void several_passes_at_once_are_those_passes(void **state) {
  (void)state;
  enum { N = 2100, PASSES = 11 };
  static row rows[N];
  static double coefficients[PASSES][P_MAX];
  tacit_score_pass passes[PASSES];
  uint64_t together[PASSES * P_MAX], alone[P_MAX];
  for (size_t i = 0; i < N; i++) rows[i] = any_row();
  tacit_design *design = design_of(rows, N);
  for (int k = 0; k < PASSES; k++) passes[k] = any_pass(coefficients[k]);
  tacit_score_sums(design, passes, PASSES, 2, together);
  for (size_t k = 0; k < PASSES; k++) {
    tacit_score_sum(design, &passes[k], 1, alone);
    assert_memory_equal(alone, together + k * schema->columns, schema->columns * sizeof *alone);
  }
  tacit_design_free(design);
}

/* On ordinary rows the integer sum is the papers' sum up to the grid. */
static void the_sum_is_the_clipped_gradient(void **state) {
  (void)state;
  enum { N = 300 };
  row rows[N];
  for (int i = 0; i < N; i++)
    rows[i] = (row){tacit_normal(&stream), 5 + 0.01 * tacit_normal(&stream), 3 * tacit_uniform(&stream),
                    3 * tacit_normal(&stream), "y"};
  tacit_design *design = design_of(rows, N);
  double coefficients[P_MAX], expected[P_MAX] = {0};
  for (size_t j = 0; j < schema->columns; j++) coefficients[j] = 0.3 * tacit_normal(&stream);
  tacit_score_pass pass = {
      .tau = 0.7, .kernel = TACIT_KERNEL_GAUSSIAN, .bandwidth = 0.2, .coefficients = coefficients};
  const double B = 2;
  assert_int_equal(tacit_score_bound_set(&pass.bound, pass.tau, B, TACIT_CELL_BITS, NULL), TACIT_OK);
  for (size_t i = 0; i < N; i++) {
    double margin = -ldexp(design->stored.block->targets[i], -TACIT_TARGET_BITS), norm = 0, x[P_MAX];
    for (size_t j = 0; j < schema->columns; j++) {
      x[j] = ldexp(design->stored.block->cells[j * TACIT_BLOCK + i], -TACIT_CELL_BITS);
      margin += x[j] * coefficients[j];
      norm = hypot(norm, x[j]);
    }
    double weight = (tacit_kernel_cdf(pass.kernel, margin / pass.bandwidth) - pass.tau) * fmin(1, B / norm);
    for (size_t j = 0; j < schema->columns; j++) expected[j] += weight * x[j];
  }
  uint64_t sum[P_MAX];
  tacit_score_sum(design, &pass, 2, sum);
  for (size_t j = 0; j < schema->columns; j++)
    assert_true(fabs(ldexp((double)(int64_t)sum[j], -33) - expected[j]) < N * 8 * 0x1p-15);
  tacit_design_free(design);
}

/* Counts beside the scores, in single precision and, for a narrow bandwidth, in doubles; the scores are the
   same with and without them, and padding is not counted. */
static void counts_beside_the_scores(void **state) {
  (void)state;
  enum { N = 2500 };
  static row rows[N];
  for (int i = 0; i < N; i++) rows[i] = (row){tacit_normal(&stream), 5, 1, tacit_normal(&stream), "x"};
  tacit_design *design = design_of(rows, N);
  double b[P_MAX] = {0.02, -0.05};
  for (int narrow = 0; narrow < 2; narrow++) {
    double unit = narrow ? 1e-3 : 0.1, within = 0, below = 0;
    tacit_score_pass pass = {.tau = 0.5,
                             .kernel = TACIT_KERNEL_GAUSSIAN,
                             .bandwidth = 0.5 * unit,
                             .coefficients = b,
                             .offset = -0.3 * unit};
    tacit_side_counts counts = {.span = 3 * unit, .smoothing = 2 * unit}, alone = counts;
    assert_int_equal(tacit_score_bound_set(&pass.bound, 0.5, 2, TACIT_CELL_BITS, NULL), TACIT_OK);
    uint64_t with[P_MAX], without[P_MAX];
    tacit_step_sum(design, &pass, 2, with, &counts);
    tacit_step_sum(design, &pass, 3, NULL, &alone);
    tacit_score_sum(design, &pass, 1, without);
    assert_memory_equal(with, without, schema->columns * sizeof *with);
    assert_true(counts.within == alone.within && counts.below == alone.below);
    static double r[(N / TACIT_BLOCK + 1) * TACIT_BLOCK];
    for (size_t k = 0; k < design->blocks; k++)
      tacit_residuals(design, &design->stored.block[k], 0, b, 0x1p-30, r + k * TACIT_BLOCK);
    for (int i = 0; i < N; i++) {
      within += fabs(r[i] - pass.offset) <= counts.span;
      below += tacit_kernel_cdf(TACIT_KERNEL_GAUSSIAN, (pass.offset - r[i]) / counts.smoothing);
    }
    assert_true(within > 10 && fabs(ldexp((double)counts.within, -16) - within) <= 1);
    assert_true(fabs(ldexp((double)counts.below, -16) - below) < N * 0x1p-15);
  }
  tacit_design_free(design);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_pair_of_rows_moves_the_sum_further_than_claimed),
      cmocka_unit_test(without_the_cap_the_search_finds_a_violation),
      cmocka_unit_test(sums_do_not_depend_on_order_or_threads),
      cmocka_unit_test(several_passes_at_once_are_those_passes),
      cmocka_unit_test(the_sum_is_the_clipped_gradient),
      cmocka_unit_test(counts_beside_the_scores),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
