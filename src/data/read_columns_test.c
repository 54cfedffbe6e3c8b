/* Columns in memory by several threads: the same rows, counts and words as record by record. */
#include "data/read.h"

#include "base/base.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N = 70000, C = 3 }; /* more than a wave */
static const char *const NAMES[C] = {"a", "b", "y"};
static double values[C][N];
static const double *const NUMBERS[C] = {values[0], values[1], values[2]};

static void fill(void) {
  uint64_t state = 7;
  for (size_t j = 0; j < C; j++)
    for (size_t i = 0; i < N; i++) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      values[j][i] = (double)(int64_t)state * 0x1p-61;
    }
}

static tacit_schema *schema_of(const char *missing) {
  char text[400];
  snprintf(text, sizeof text,
           "{\"target\": {\"name\": \"y\", \"min\": -3, \"max\": 3%s}, \"features\": [{\"name\": \"b\", "
           "\"center\": 1, \"scale\": 0.3%s}, {\"name\": \"a\", \"min\": -2, \"max\": 5, \"transform\": "
           "\"polynomial\", \"degree\": 3%s}]}",
           missing, missing, missing);
  tacit_schema *schema;
  tacit_error error;
  if (tacit_schema_parse(text, strlen(text), &schema, &error) != TACIT_OK) fail_msg("%s", error.text);
  return schema;
}

/* threads 0: record by record. */
static tacit_status read_all(const tacit_schema *schema, int threads, tacit_design **design,
                             tacit_read_counts *counts, tacit_error *error) {
  tacit_source *source;
  tacit_context context;
  tacit_context_init(&context);
  context.threads = threads ? threads : 1;
  assert_int_equal(tacit_source_columns(N, C, NAMES, NUMBERS, NULL, &source, NULL), TACIT_OK);
  tacit_status status;
  if (threads) {
    status = tacit_read_design(source, schema, NULL, design, counts, &context, error);
  } else {
    assert_int_equal(tacit_design_new(schema, NULL, TACIT_CELL_BITS, design, NULL), TACIT_OK);
    status = tacit_encode_source(source, schema, true,
                                 &(const tacit_row_taker){.add = tacit_design_add, .self = *design}, counts,
                                 &context, error);
  }
  tacit_source_free(source);
  return status;
}

static void the_rows_are_the_same(void **state) {
  (void)state;
  fill();
  tacit_schema *schema = schema_of(", \"missing\": 1.5");
  values[0][5] = NAN;
  values[1][N - 1] = INFINITY;
  values[2][40000] = -INFINITY;
  values[2][40001] = 1e300;
  tacit_design *one, *many;
  tacit_read_counts counts[2];
  assert_int_equal(read_all(schema, 0, &one, &counts[0], NULL), TACIT_OK);
  for (int threads = 1; threads <= 3; threads++) {
    assert_int_equal(read_all(schema, threads, &many, &counts[1], NULL), TACIT_OK);
    assert_int_equal(many->rows, N);
    assert_memory_equal(&counts[0], &counts[1], sizeof counts[0]);
    size_t bytes = (one->columns + 1 + one->targets) * TACIT_BLOCK * sizeof(int32_t);
    for (size_t b = 0; b < one->blocks; b++)
      assert_memory_equal(one->stored.block[b].cells, many->stored.block[b].cells, bytes);
    tacit_design_free(many);
  }
  tacit_design_free(one);
  tacit_schema_free(schema);
}

static void a_bad_cell_is_named(void **state) {
  (void)state;
  tacit_schema *schema = schema_of("");
  const size_t places[] = {0, 63, 64, 65535, 65536, N - 1};
  for (size_t k = 0; k < sizeof places / sizeof *places; k++)
    for (size_t j = 0; j < C; j++) {
      fill();
      values[j][places[k]] = NAN;
      tacit_design *design;
      tacit_read_counts counts;
      tacit_error error;
      char words[40];
      assert_int_equal(read_all(schema, 2, &design, &counts, &error), TACIT_BAD_INPUT);
      snprintf(words, sizeof words, "record %zu, column \"%s\"", places[k] + 1, NAMES[j]);
      assert_non_null(strstr(error.text, words));
      assert_null(design);
    }
  tacit_schema_free(schema);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_rows_are_the_same),
      cmocka_unit_test(a_bad_cell_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
