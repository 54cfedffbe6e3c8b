/* How often the intervals of the private evaluation hold the truth: the mean of these rows' costs as cut, and
   the share of rows that was cut. 10,000 releases each, so that 95 % is seen to 0.22 %. */
#include "learn/estimate_cost.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { RUNS = 10000, ROWS_MAX = 300 };
static const double UNDERAGE = 5, OVERAGE = 3, RULE[] = {48, 2};

typedef struct sheet {
  double x[ROWS_MAX], y[ROWS_MAX], cost[ROWS_MAX];
  const char *unit[ROWS_MAX];
  size_t rows, kept; /* costs are of the kept ones */
} sheet;

static double uniform(void) {
  return (rand() + 0.5) / ((double)RAND_MAX + 1);
}

/* Demand about the rule, within bounds of 0 to 200, so that few rows come near the largest cost; units of up
   to five rows, of which `limit` are kept (0: all). */
static void fill(sheet *s, size_t rows, size_t limit) {
  static char names[ROWS_MAX][8];
  s->rows = rows;
  s->kept = 0;
  for (size_t i = 0; i < rows; i++) {
    s->x[i] = (int)(11 * uniform());
    s->y[i] = fmax(48 + 2 * s->x[i] + 12 * sqrt(-2 * log(uniform())) * cos(6.283185307 * uniform()), 0);
    snprintf(names[i / 5], sizeof names[i / 5], "u%zu", i / 5);
    s->unit[i] = names[i / 5];
    double d = s->y[i] - (48 + 2 * s->x[i]);
    if (!limit || i % 5 < limit) s->cost[s->kept++] = d > 0 ? UNDERAGE * d : -OVERAGE * d;
  }
}

static tacit_schema *schema_of(const char *unit) {
  char text[400];
  tacit_schema *schema;
  snprintf(text, sizeof text,
           "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 200}, \"features\": [{\"name\": \"x\", "
           "\"min\": 0, \"max\": 10}]%s}",
           unit);
  assert_int_equal(tacit_schema_parse(text, strlen(text), &schema, NULL), TACIT_OK);
  return schema;
}

static tacit_estimate estimate(const sheet *s, const tacit_schema *schema, tacit_estimate_options o) {
  static const char *const names[] = {"x", "y", "unit"};
  const double *const numbers[] = {s->x, s->y, NULL};
  const char *const *const texts[] = {NULL, NULL, s->unit};
  tacit_source *source;
  tacit_estimate e;
  tacit_error error;
  o.coefficients = RULE;
  o.underage = &UNDERAGE;
  o.overage = &OVERAGE;
  assert_int_equal(tacit_source_columns(s->rows, 3, names, numbers, texts, &source, NULL), TACIT_OK);
  if (tacit_estimate_cost(schema, source, &o, NULL, &e, &error) != TACIT_OK) fail_msg("%s", error.text);
  tacit_source_free(source);
  return e;
}

/* Whether it does; the grids of rows and costs are fine. */
static bool covers(const tacit_estimate_figure *f, double truth) {
  return truth >= f->low - 1e-4 && truth <= f->high + 1e-4;
}

typedef struct found {
  double cost, cut; /* coverage */
  double width;     /* mean one of the cost's */
  double share;     /* mean share of rows that was cut */
} found;

static found try(const sheet *s, const tacit_schema *schema, tacit_estimate_options o) {
  found f = {0};
  for (uint64_t i = 0; i < RUNS; i++) {
    o.seeded = true;
    o.seed = i;
    const tacit_estimate e = estimate(s, schema, o);
    double mean = 0, above = 0;
    for (size_t k = 0; k < s->kept; k++) {
      mean += fmin(s->cost[k], e.bound) / (double)s->kept;
      above += (s->cost[k] > e.bound) / (double)s->kept;
    }
    assert_true(e.cost.value >= 0 && e.cost.low >= 0 && e.cost.value <= e.bound && e.cost.high <= e.bound);
    f.cost += covers(&e.cost, mean) / (double)RUNS;
    f.cut += covers(&e.cut, above) / (double)RUNS;
    f.width += (e.cost.high - e.cost.low) / RUNS;
    f.share += above / RUNS;
  }
  return f;
}

/* What the interval was when every row could count as much as the schema lets it, at the same guarantee. */
static double width_before(const tacit_schema *schema, double mu, size_t rows) {
  return 2 * 1.959964 * 200 * UNDERAGE * (double)schema->rows_per_unit / (mu * (double)rows);
}

static void intervals_cover_and_are_narrow(void **state) {
  (void)state;
  static const struct {
    const char *unit;
    size_t limit;
    tacit_adjacency adjacency;
    size_t rows;
    double mu, bound;
  } cases[] = {
      {"", 0, TACIT_REPLACE_ONE, 75, 0.5, 0},
      {"", 0, TACIT_REPLACE_ONE, 300, 0.5, 0},
      {"", 0, TACIT_ADD_REMOVE, 75, 0.5, 0},
      {"", 0, TACIT_ADD_REMOVE, 300, 0.5, 0},
      {"", 0, TACIT_ADD_REMOVE, 300, 1, 60},
      {", \"unit\": {\"rows_per_unit\": 3}", 0, TACIT_REPLACE_ONE, 300, 1, 0},
      {", \"unit\": {\"rows_per_unit\": 3}", 0, TACIT_ADD_REMOVE, 300, 1, 0},
      {", \"unit\": {\"column\": \"unit\", \"rows_per_unit\": 2}", 2, TACIT_REPLACE_ONE, 300, 1, 0},
      {", \"unit\": {\"column\": \"unit\", \"rows_per_unit\": 2}", 2, TACIT_ADD_REMOVE, 300, 1, 0},
  };
  srand(7);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    static sheet s;
    tacit_schema *schema = schema_of(cases[k].unit);
    fill(&s, cases[k].rows, cases[k].limit);
    const tacit_estimate_options o = {.mu = cases[k].mu,
                                      .bound = cases[k].bound,
                                      .adjacency = cases[k].adjacency,
                                      .nominal_rows = cases[k].adjacency == TACIT_ADD_REMOVE ? 150 : 0};
    const found f = try(&s, schema, o);
    double narrower = width_before(schema, cases[k].mu, s.kept) / f.width;
    print_message("%zu: cost %.2f %%, cut %.2f %%; %.1f times narrower, %.1f %% of rows cut\n", k,
                  100 * f.cost, 100 * f.cut, narrower, 100 * f.share);
    assert_true(f.cost >= 0.94 && f.cost <= 0.96);
    assert_true(f.cut >= 0.94); /* where it is near 0, the interval ends there and covers more often */
    assert_true(narrower >= 3);
    tacit_schema_free(schema);
  }
}

/* No rows at all, or hardly any: nothing is divided by what may be 0. */
static void few_rows_are_no_trouble(void **state) {
  (void)state;
  static sheet s;
  tacit_schema *schema = schema_of("");
  for (size_t rows = 0; rows < 4; rows++)
    for (uint64_t seed = 0; seed < 200; seed++) {
      fill(&s, rows, 0);
      const tacit_estimate_options o = {
          .mu = 0.1, .adjacency = TACIT_ADD_REMOVE, .nominal_rows = 1, .seeded = true, .seed = seed};
      const tacit_estimate e = estimate(&s, schema, o);
      assert_true(e.cost.low >= 0 && e.cost.low <= e.cost.value && e.cost.value <= e.cost.high &&
                  e.cost.high <= e.bound && e.bound > 0 && e.bound <= 1000);
      assert_true(e.cut.low >= 0 && e.cut.high <= 1 && isfinite(e.standard_error));
    }
  tacit_schema_free(schema);
}

static void a_quotient_has_fiellers_interval(void **state) {
  (void)state;
  const tacit_noisy_ratio known = {.sum = 30, .sum_sigma = 5, .rows = 100, .most = 10};
  tacit_estimate_figure f = tacit_ratio_interval(&known);
  assert_true(f.value == 0.3 && fabs(f.low - (0.3 - 1.959964 * 0.05)) < 1e-6 &&
              fabs(f.high - (0.3 + 1.959964 * 0.05)) < 1e-6);
  const tacit_noisy_ratio both = {.sum = 300, .sum_sigma = 5, .rows = 100, .rows_sigma = 10, .most = 10};
  f = tacit_ratio_interval(&both);
  for (int k = 0; k < 2; k++) { /* both ends solve the quadratic */
    double m = k ? f.high : f.low, gap = 300 - 100 * m;
    assert_true(fabs(gap * gap - 3.8414588 * (25 + m * m * 100)) < 1e-4);
  }
  const tacit_noisy_ratio lost = {.sum = 3, .sum_sigma = 5, .rows = 15, .rows_sigma = 10, .most = 10};
  f = tacit_ratio_interval(&lost);
  assert_true(f.low == 0 && f.high == 10); /* not even the number of rows is known */
  const tacit_noisy_ratio below = {.sum = -30, .sum_sigma = 5, .rows = 100, .most = 10};
  f = tacit_ratio_interval(&below);
  assert_true(f.value == 0 && f.low == 0 && f.high == 0);
  const tacit_noisy_ratio tiny = {
      .sum = 3e-170, .sum_sigma = 5e-171, .rows = 100, .rows_sigma = 10, .most = 1e-171};
  f = tacit_ratio_interval(&tiny); /* whose squares are 0 */
  assert_true(f.low < 0.9 * f.value && f.high > 1.1 * f.value);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_quotient_has_fiellers_interval),
                                     cmocka_unit_test(few_rows_are_no_trouble),
                                     cmocka_unit_test(intervals_cover_and_are_narrow)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
