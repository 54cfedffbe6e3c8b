/* The planner's simulated problems: rows are what the schema says, features explain half of the variance, and
   the worst case is the published one. */
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

/* What the planner takes for the encoded row is what the encoder makes of the same columns. */
static void check_rows(const char *text) {
  enum { ROWS = 3000 };
  tacit_schema *schema = parse(text);
  tacit_plan_columns columns;
  tacit_plan_table table;
  tacit_stream stream;
  tacit_source *source;
  tacit_encoder *encoder;
  tacit_error error = {""};
  double *b = tacit_alloc(schema->target_count, schema->columns * sizeof *b), x[64], y[2];
  assert_int_equal(tacit_plan_columns_new(schema, &columns, &error), TACIT_OK);
  assert_int_equal(tacit_study_stream(7, TACIT_FOR_ROWS, 0, 0, &stream, &error), TACIT_OK);
  assert_int_equal(tacit_plan_law(&columns, &stream, b, &error), TACIT_OK);
  assert_int_equal(tacit_plan_table_new(&columns, ROWS, &table, &error), TACIT_OK);
  tacit_plan_simulate(&columns, b, &stream, &table);
  assert_int_equal(tacit_source_columns(ROWS, columns.count, columns.names,
                                        (const double *const *)table.numbers,
                                        (const char *const *const *)table.texts, &source, &error),
                   TACIT_OK);
  assert_int_equal(tacit_encoder_new(source, schema, true, &encoder, &error), TACIT_OK);
  double bound = tacit_plan_row_norm(schema), sum[2] = {0}, square[2] = {0};
  for (size_t i = 0; i < ROWS; i++) {
    bool ready, more;
    assert_int_equal(tacit_encoder_next(encoder, x, y, &ready, &more, &error), TACIT_OK);
    assert_true(more && ready == (i >= schema->largest_lag));
    if (!ready) continue;
    double norm = 0;
    assert_memory_equal(x, table.x + i * schema->columns, schema->columns * sizeof *x);
    assert_memory_equal(y, table.y + i * schema->target_count, schema->target_count * sizeof *y);
    for (size_t j = 0; j < schema->columns; j++) norm += x[j] * x[j];
    assert_true(sqrt(norm) <= bound * (1 + 1e-12));
    for (size_t t = 0; t < schema->target_count; t++) {
      double fit = 0;
      for (size_t j = 0; j < schema->columns; j++) fit += b[t * schema->columns + j] * x[j];
      sum[t] += fit;
      square[t] += fit * fit;
    }
  }
  for (size_t t = 0; t < schema->target_count; t++) { /* as much variance explained as not */
    double spread = tacit_plan_spread(&schema->targets[t]), mean = sum[t] / ROWS;
    assert_near(sqrt(square[t] / ROWS - mean * mean) / spread, 1, 0.2);
    assert_near(mean / spread, 0, 0.3);
  }
  tacit_encoder_free(encoder);
  tacit_source_free(source);
  tacit_plan_table_free(&columns, &table);
  tacit_plan_columns_free(&columns);
  free(b);
  tacit_schema_free(schema);
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
      cmocka_unit_test(the_worst_case_is_the_published_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
