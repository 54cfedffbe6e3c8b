/* The planner's simulated problems: rows are what the schema says, of every case; features explain what the
   case says; and the worst case is the published one. */
#include "study/plan.h"

#include "base/base.h"
#include "study/near.h"
#include "study/study.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "study/plan_schemas_for_test.h"

static const char WIDE[] =
    "{'target': [{'name': 'y', 'min': 0, 'max': 9}, {'name': 'z', 'center': 5, 'scale': 3}], 'features': ["
    "{'name': 'a', 'min': -5, 'max': 15}, {'name': 'a', 'transform': 'spline', 'knots': 2},"
    "{'name': 'w', 'min': 0, 'max': 2, 'transform': 'polynomial', 'degree': 3},"
    "{'name': 't', 'transform': 'fourier', 'period': 7, 'harmonics': 2},"
    "{'name': 'w', 'transform': 'haar', 'levels': 2, 'min': 0, 'max': 2},"
    "{'name': 'day', 'levels': ['MON', 'TUE', 'WED']}, {'name': 'z', 'lag': 2}],"
    "'unit': {'rows_per_unit': 2}}";

static const char COLUMNS[] =
    "{'target': {'name': 'y', 'min': 0, 'max': 9}, 'features': [{'name': 'f', 'flag': true},"
    "{'name': 'd', 'date': ['weekday', 'hour', 'day-of-year', 'trend'], 'start': '2016-01-01', 'end': "
    "'2016-12-31', 'format': '%d.%m.%Y %H', 'holidays': ['2016-02-01']}, {'name': 'e', 'date': ['month']},"
    "{'name': 'h', 'hash': 3}, {'name': 's', 'levels': [1, 2], 'other': true}, {'name': 's', 'min': 0, "
    "'max': "
    "9, 'missing': 5}, {'interaction': ['f', 'd[trend]']}]}";
enum { ROWS = 3000 };

/* What the planner takes for the encoded row is what the encoder makes of the same columns. */
static void check_encoded(const tacit_plan_columns *columns, const tacit_plan_table *table) {
  const tacit_schema *schema = columns->schema;
  tacit_source *source;
  tacit_encoder *encoder;
  tacit_error error = {""};
  double x[64], y[2], bound = tacit_plan_row_norm(schema);
  assert_int_equal(tacit_source_columns(ROWS, columns->count, columns->names,
                                        (const double *const *)table->numbers,
                                        (const char *const *const *)table->texts, &source, &error),
                   TACIT_OK);
  assert_int_equal(tacit_encoder_new(source, schema, true, &encoder, &error), TACIT_OK);
  for (size_t i = 0; i < ROWS; i++) {
    bool ready, more;
    assert_int_equal(tacit_encoder_next(encoder, x, y, &ready, &more, &error), TACIT_OK);
    assert_true(more && ready == (i >= schema->largest_lag));
    if (!ready) continue;
    double norm = 0;
    assert_memory_equal(x, table->x + i * schema->columns, schema->columns * sizeof *x);
    assert_memory_equal(y, table->y + i * schema->target_count, schema->target_count * sizeof *y);
    for (size_t j = 0; j < schema->columns; j++) norm += x[j] * x[j];
    assert_true(sqrt(norm) <= bound * (1 + 1e-12));
  }
  tacit_encoder_free(encoder);
  tacit_source_free(source);
}

/* The linear part has the spread of the case's signal around 0; what spreads follow has spread 1. */
static void check_signal(const tacit_schema *schema, const tacit_plan_law *law,
                         const tacit_plan_table *table) {
  size_t first = schema->largest_lag, p = schema->columns;
  double n = (double)(ROWS - first);
  for (size_t t = 0; t < schema->target_count; t++) {
    double sum[2] = {0}, square[2] = {0};
    for (size_t i = first; i < ROWS; i++) {
      double fit[2] = {0};
      for (size_t j = 0; j < p; j++) {
        fit[0] += law->b[t * p + j] * table->x[i * p + j] / (law->kind->signal * law->unit[t]);
        fit[1] += law->g[t * p + j] * table->x[i * p + j];
      }
      for (size_t k = 0; k < 2; k++) sum[k] += fit[k], square[k] += fit[k] * fit[k];
    }
    for (size_t k = 0; k < 2; k++) {
      double mean = sum[k] / n;
      double sd = sqrt(square[k] / n - mean * mean);
      if (k == 0 && schema->largest_lag) { /* lags may carry less, lest demand wander off */
        if (!(sd > 0.3 && sd < 1.5)) fail_msg("case %s: a signal of %g", law->kind->name, sd);
        continue;
      }
      assert_near(sd, 1, 0.2);
      assert_near(mean, 0, 0.3);
    }
  }
}

static void check_rows(const char *text) {
  tacit_schema *schema = parse(text);
  tacit_plan_columns columns;
  tacit_error error = {""};
  assert_int_equal(tacit_plan_columns_new(schema, &columns, &error), TACIT_OK);
  for (uint32_t k = 0; k < TACIT_PLAN_CASES; k++) {
    tacit_plan_law law;
    tacit_plan_table table;
    tacit_stream stream;
    assert_int_equal(tacit_study_stream(7, TACIT_FOR_ROWS, 0, k, &stream, &error), TACIT_OK);
    assert_int_equal(tacit_plan_law_new(&columns, &tacit_plan_cases[k], &stream, &law, &error), TACIT_OK);
    assert_int_equal(tacit_plan_table_new(&columns, ROWS, &table, &error), TACIT_OK);
    tacit_plan_simulate(&columns, &law, &stream, &table);
    check_encoded(&columns, &table);
    check_signal(schema, &law, &table);
    tacit_plan_table_free(&columns, &table);
    tacit_plan_law_free(&law);
  }
  tacit_plan_columns_free(&columns);
  tacit_schema_free(schema);
}

/* Demand of a case on many rows of PLAIN, ascending; the special rows' mean comes back too. */
static double *demand_of(const char *name, double *special, double *others) {
  tacit_schema *schema = parse(PLAIN);
  tacit_plan_columns columns;
  tacit_plan_law law;
  tacit_plan_table table;
  tacit_stream stream;
  tacit_error error = {""};
  size_t k = 0, count = 0;
  double sum[2] = {0}, *y = tacit_alloc(ROWS, sizeof *y);
  while (strcmp(tacit_plan_cases[k].name, name) != 0) k++;
  assert_int_equal(tacit_plan_columns_new(schema, &columns, &error), TACIT_OK);
  assert_int_equal(tacit_study_stream(3, TACIT_FOR_ROWS, 0, 0, &stream, &error), TACIT_OK);
  assert_int_equal(tacit_plan_law_new(&columns, &tacit_plan_cases[k], &stream, &law, &error), TACIT_OK);
  assert_int_equal(tacit_plan_table_new(&columns, ROWS, &table, &error), TACIT_OK);
  tacit_plan_simulate(&columns, &law, &stream, &table);
  for (size_t i = 0; i < ROWS; i++) {
    bool is = tacit_plan_special(&columns, &law, i, &table);
    y[i] = table.numbers[0][i];
    sum[is] += y[i] / law.unit[0];
    count += is;
  }
  *special = sum[1] / (double)count;
  *others = sum[0] / (double)(ROWS - count);
  tacit_plan_table_free(&columns, &table);
  tacit_plan_law_free(&law);
  tacit_plan_columns_free(&columns);
  tacit_schema_free(schema);
  return y;
}

static double share_of_zeros(const double *y) {
  double count = 0;
  for (size_t i = 0; i < ROWS; i++) count += y[i] == 0;
  return count / ROWS;
}

static double skewness(const double *y) {
  double m = 0, v = 0, s = 0;
  for (size_t i = 0; i < ROWS; i++) m += y[i] / ROWS;
  for (size_t i = 0; i < ROWS; i++) v += (y[i] - m) * (y[i] - m) / ROWS;
  for (size_t i = 0; i < ROWS; i++) s += pow((y[i] - m) / sqrt(v), 3) / ROWS;
  return s;
}

/* Demand is in 0..100: an amount. */
static void cases_are_what_they_say(void **state) {
  (void)state;
  double special, others, *even = demand_of("even", &special, &others);
  assert_near(skewness(even), 0, 0.3);
  double *products = demand_of("products", &special, &others);
  assert_true(skewness(products) > 1.5);
  double *zeros = demand_of("zeros", &special, &others);
  assert_near(share_of_zeros(zeros), 0.3, 0.06);
  assert_near(share_of_zeros(products), 0, 0.01);
  double *minority = demand_of("minority", &special, &others);
  assert_near(special / others / exp(0.4 * 6), 1, 0.5); /* six spreads of 0.4 in logarithms */
  free(even);
  free(products);
  free(zeros);
  free(minority);
}

static void simulated_rows_fit_the_schema(void **state) {
  (void)state;
  check_rows(PLAIN);
  check_rows(LAGS);
  check_rows(WIDE);
  check_rows(UNITS);
  check_rows(COLUMNS);
}

/* (EC.25) by hand at n = 100, p = 1, tau = 1/2: L = 1/2, sigma = 2 L / mu = 2, kappa_1 sup K = 1/pi. */
static void the_worst_case_is_the_published_one(void **state) {
  (void)state;
  tacit_schema *schema = parse("{'target': {'name': 'y', 'min': 0, 'max': 9}, 'features': []}");
  tacit_plan_options options;
  tacit_plan_options_init(&options);
  double expected = 3 * sqrt(0.5 * 10001 / 1e6 + (0.25 + 4 + 0.31830988618379067) / 1e4);
  assert_near(tacit_plan_worst_case(schema, &options, 0.5, 3, 100, 0.5), expected, 1e-12);
  options.adjacency = TACIT_ADD_REMOVE; /* sigma = 1 */
  expected = 3 * sqrt(0.5 * 10001 / 1e6 + (0.25 + 1 + 0.31830988618379067) / 1e4);
  assert_near(tacit_plan_worst_case(schema, &options, 0.5, 3, 100, 0.5), expected, 1e-12);
  tacit_schema_free(schema);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(simulated_rows_fit_the_schema),
      cmocka_unit_test(cases_are_what_they_say),
      cmocka_unit_test(the_worst_case_is_the_published_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
