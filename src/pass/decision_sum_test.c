/* The sum behind SPO+ descent: the subgradient it should be, exact, and no row beyond its radius. */
#include "pass/decision_sum.h"

#include "base/base.h"
#include "method/spo_recipe.h"
#include "privacy/certificate.h"
#include "random/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

__extension__ typedef unsigned __int128 wide;
enum { N = 2500, P = 4, D = 12 };
static tacit_stream stream;

static int set_up(void **state) {
  (void)state;
  tacit_noise_source source;
  tacit_noise_source_seeded(&source, 23);
  return tacit_stream_begin(&source, &stream, NULL) == TACIT_OK ? 0 : -1;
}

static tacit_region *region_of(const char *json) {
  tacit_region *region;
  tacit_error error = {""};
  if (tacit_region_parse(json, strlen(json), &region, &error) != TACIT_OK) fail_msg("%s", error.text);
  return region;
}

/* costs c0, c1, ... on centre 5 and scale 2, features x1, ... on centre 0 and scale 1 */
static tacit_schema *schema_of(size_t costs, size_t features) {
  static char text[8192];
  size_t at = (size_t)snprintf(text, sizeof text, "{\"target\": [");
  for (size_t t = 0; t < costs; t++)
    at += (size_t)snprintf(text + at, sizeof text - at, "%s{\"name\": \"c%zu\", \"center\": 5, \"scale\": 2}",
                           t ? ", " : "", t);
  at += (size_t)snprintf(text + at, sizeof text - at, "], \"features\": [");
  for (size_t j = 1; j <= features; j++)
    at += (size_t)snprintf(text + at, sizeof text - at, "%s{\"name\": \"x%zu\", \"center\": 0, \"scale\": 1}",
                           j > 1 ? ", " : "", j);
  snprintf(text + at, sizeof text - at, "]}");
  tacit_schema *schema;
  tacit_error error = {""};
  if (tacit_schema_parse(text, strlen(text), &schema, &error) != TACIT_OK) fail_msg("%s", error.text);
  return schema;
}

/* Rows, and what is asked of them. */
typedef struct problem {
  tacit_design *design;
  tacit_decision_pass pass;
  double *best;
  int threads;
} problem;

static problem task_of(const tacit_schema *schema, const tacit_region *region) {
  problem task = {.pass = {.schema = schema, .region = region, .unit = 2}, .threads = 2};
  assert_int_equal(tacit_design_new(schema, NULL, TACIT_CELL_BITS, &task.design, NULL), TACIT_OK);
  return task;
}

static void set_best(problem *task) {
  task->best = calloc(task->design->rows * task->pass.region->dimension, sizeof(double));
  assert_int_equal(tacit_decision_best(task->design, &task->pass, task->threads, task->best, NULL), TACIT_OK);
  task->pass.best = task->best;
}

static tacit_status sum_of(const problem *task, const double *rule, double radius, uint64_t *sum) {
  return tacit_decision_sum(task->design, &task->pass, rule, radius, task->threads, sum, NULL);
}

static void close_task(problem *task) {
  free(task->best);
  task->best = NULL;
  tacit_design_free(task->design);
}

/* reference/spo.md: costs (4, 1, 4, 6), predicted (2.5, 2, 1.1, 3.2): subgradient (-2, 2, -2, 2). */
static void the_subgradient_is_the_known_one(void **state) {
  (void)state;
  tacit_region *region = region_of("{\"kind\": \"graph\", \"nodes\": 4, \"edges\": [[1, 2], [1, 3], [2, 4], "
                                   "[3, 4]], \"source\": 1, \"sink\": 4}");
  tacit_schema *schema = schema_of(4, 0);
  problem task = task_of(schema, region);
  const double c[] = {4, 1, 4, 6}, predicted[] = {2.5, 2, 1.1, 3.2}, expected[] = {-2, 2, -2, 2}, one = 1;
  double y[4], rule[4];
  uint64_t sum[4];
  for (int j = 0; j < 4; j++) y[j] = (c[j] - 5) / 2, rule[j] = (predicted[j] - 5) / 2;
  assert_int_equal(tacit_design_add(task.design, &one, y, NULL), TACIT_OK);
  set_best(&task);
  assert_int_equal(sum_of(&task, rule, 10, sum), TACIT_OK);
  for (int j = 0; j < 4; j++) {
    double u = 2 * region->diameter * ldexp((double)(int64_t)sum[j], -(TACIT_CELL_BITS + TACIT_SCORE_BITS));
    assert_true(fabs(u - expected[j]) < 1e-4);
  }
  close_task(&task);
  tacit_schema_free(schema);
  tacit_region_free(region);
}

/* Whatever stands in u, in integers: |v|^2 norm^2 <= floor(radius 2^bits)^2. */
static void no_product_exceeds_its_radius(void **state) {
  (void)state;
  const double odd[] = {1e300, NAN, -INFINITY, 0x1p-1074, -1e-9, 3e7, 1e160, 0};
  size_t kept = 0, beyond = 0, near = 0;
  for (int i = 0; i < 300000; i++) {
    double u[D], radius = exp(4 * tacit_uniform(&stream) - 3), size = exp(6 * tacit_uniform(&stream) - 4);
    int bits = i % 2 ? TACIT_CELL_BITS : TACIT_SPO_WHITE_BITS;
    int32_t norm = (int32_t)(1 + tacit_stream_below(&stream, i % 3 ? 1 << 19 : 1 << 25));
    int64_t v[D];
    for (int j = 0; j < D; j++) u[j] = size * tacit_normal(&stream);
    if (i % 5 == 0) u[i % D] = odd[tacit_stream_below(&stream, 8)];
    if (!tacit_decision_cut(D, u, norm, radius, bits, v)) continue;
    kept++;
    wide limit = (wide)floor(ldexp(radius, bits + TACIT_SCORE_BITS)), square = 0;
    double plain = 0; /* what would be added without the cut */
    for (int j = 0; j < D; j++) {
      wide part = (wide)(v[j] < 0 ? -v[j] : v[j]);
      square += part * part;
      plain += u[j] * u[j];
    }
    assert_true(square * (wide)norm * (wide)norm <= limit * limit);
    beyond += ldexp(sqrt(plain), TACIT_SCORE_BITS) * norm > (double)limit;
    near += (double)square * norm * norm > 0.99 * (double)limit * (double)limit;
  }
  assert_true(kept > 200000);
  assert_true(beyond > 50000); /* the search reaches what the cut is for, */
  assert_true(near > 20000);   /* and the bound is no wider than it must be */
}

static void fill(problem *task, size_t rows) {
  double x[P] = {1}, y[D];
  for (size_t i = 0; i < rows; i++) {
    for (int j = 1; j < P; j++) x[j] = fmax(-8, fmin(8, 2 * tacit_normal(&stream)));
    for (int t = 0; t < D; t++) y[t] = tacit_normal(&stream) + 0.5 * x[1 + t % (P - 1)];
    if (i % 50 == 7) y[3] = NAN; /* a record that cannot be encoded */
    assert_int_equal(tacit_design_add(task->design, x, y, NULL), TACIT_OK);
  }
}

/* Neighbouring tables, for real: rows removed, rows replaced, in both adjacencies. */
static void neighbours_differ_by_at_most_the_sensitivity(void **state) {
  (void)state;
  tacit_region *region = region_of("{\"kind\": \"grid\", \"rows\": 3, \"columns\": 3}");
  tacit_schema *schema = schema_of(D, P - 1);
  const double radius = 0.7;
  tacit_mechanism m = {.kind = TACIT_RELEASE_OUTER,
                       .dimension = D * P,
                       .clip = radius,
                       .bits = TACIT_CELL_BITS + TACIT_SCORE_BITS};
  double one, two, largest = 0;
  assert_int_equal(tacit_mechanism_sensitivity(&m, TACIT_ADD_REMOVE, 1, &one, NULL), TACIT_OK);
  assert_int_equal(tacit_mechanism_sensitivity(&m, TACIT_REPLACE_ONE, 1, &two, NULL), TACIT_OK);
  uint64_t sum[D * P], previous[D * P];
  double rule[D * P];
  for (int k = 0; k < D * P; k++) rule[k] = tacit_normal(&stream);
  for (int i = 0; i < 400; i++) { /* tables of one row: their sums are the contributions */
    problem task = task_of(schema, region);
    fill(&task, 1);
    set_best(&task);
    assert_int_equal(sum_of(&task, rule, radius, sum), TACIT_OK);
    double alone = 0, between = 0;
    for (int k = 0; k < D * P; k++) {
      double value = (double)(int64_t)sum[k];
      alone += value * value;
      if (i) value -= (double)(int64_t)previous[k];
      between += value * value;
    }
    assert_true(sqrt(alone) <= one && sqrt(between) <= two);
    largest = fmax(largest, sqrt(alone));
    memcpy(previous, sum, sizeof sum);
    close_task(&task);
  }
  assert_true(largest > 0.99 * one);
  tacit_schema_free(schema);
  tacit_region_free(region);
}

/* Also where decisions are tied: an answer may depend on its own row alone. */
static void order_and_threads_do_not_matter(void **state) {
  (void)state;
  static const char *const regions[] = {
      "{\"kind\": \"grid\", \"rows\": 3, \"columns\": 3}",
      "{\"kind\": \"polytope\", \"A\": [[1,1,1,1,1,1,1,1,1,1,1,1], [1,1,0,0,0,0,0,0,0,0,0,0]], "
      "\"b\": [3, 1]}"};
  tacit_schema *schema = schema_of(D, P - 1);
  for (size_t r = 0; r < 2; r++) {
    tacit_region *region = region_of(regions[r]);
    size_t rows = r ? 1200 : N;
    problem task = task_of(schema, region), turned = task_of(schema, region);
    fill(&task, rows);
    double rule[D * P] = {0}, x[P], y[D]; /* zero: tied predictions */
    for (size_t i = rows; i-- > 0;) {
      tacit_design_row(task.design, i, x, y);
      if (x[0] == 0) y[3] = NAN;
      if (i % 4 == 0) memset(y, 0, sizeof y);
      assert_int_equal(tacit_design_add(turned.design, x, y, NULL), TACIT_OK);
    }
    close_task(&task);
    task = task_of(schema, region);
    for (size_t i = rows; i-- > 0;) {
      tacit_design_row(turned.design, i, x, y);
      if (x[0] == 0) y[3] = NAN;
      assert_int_equal(tacit_design_add(task.design, x, y, NULL), TACIT_OK);
    }
    uint64_t sum[D * P], again[D * P];
    task.threads = 1;
    set_best(&task);
    assert_int_equal(sum_of(&task, rule, 0.7, sum), TACIT_OK);
    turned.threads = 3;
    set_best(&turned);
    assert_int_equal(sum_of(&turned, rule, 0.7, again), TACIT_OK);
    assert_memory_equal(sum, again, sizeof sum);
    close_task(&task);
    close_task(&turned);
    tacit_region_free(region);
  }
  tacit_schema_free(schema);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_subgradient_is_the_known_one),
      cmocka_unit_test(no_product_exceeds_its_radius),
      cmocka_unit_test(neighbours_differ_by_at_most_the_sensitivity),
      cmocka_unit_test(order_and_threads_do_not_matter),
  };
  return cmocka_run_group_tests(tests, set_up, NULL);
}
