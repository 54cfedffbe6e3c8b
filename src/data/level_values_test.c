/* A program that writes a table may spell a whole column otherwise because of one record: the levels of all
   others stay what they were, for every reader of CSV. */
#include "data/level_values.h"

#include "data/read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* last: it needs the others */
#include <cmocka.h>

static const char JSON[] =
    "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 9}, \"features\": [{\"name\": \"c\", \"levels\": "
    "[\"none\", \"1\", \"2\", \"2.5\", \"12345678901234568\", \"12345678901234567\", \"2024-01-01\", "
    "\"2024-01-02 00:00:00\", \"2024-01-02 09:30:00\", \"010\", \"10\", \"0.30000000000000004\", \"0\", "
    "\"2024-01-02 09:30:00.000000001\", \"2024-01-03 00:00:00+00:00\", \"0098765432109876543\"]}]}";

static const struct {
  const char *cell;
  size_t level; /* 0: none of them */
} CELLS[] = {{"1", 1},
             {"1.0", 1},
             {"1.", 1},
             {"01", 1},
             {" 1", 1},
             {"1e0", 1},
             {"-1", 0},
             {"3", 0},
             {"2.0", 2},
             {"2.50", 3},
             {"12345678901234568.0", 4},
             {"1.2345678901234568e+16", 4},
             {"12345678901234567.0", 5}, /* no double is this number: its digits are its value */
             {"12345678901234569", 0},
             {"2024-01-01", 6},
             {"2024-01-01 00:00:00", 6},
             {"2024-01-01T00:00:00.000", 6},
             {"2024-01-01 00:00", 6},
             {"2024-01-01 00:00:00Z", 0},
             {"2024-01-01 00:00:00+02", 0},
             {"2024-01-01 00:00:01", 0},
             {"2024-01-02", 7},
             {"2024-01-02 09:30:00.000000", 8},
             {"2024-13-01 00:00:00", 0},
             {"010", 9}, /* its own bytes come first */
             {"10", 10},
             {"10.0", 9}, /* then the first level of its value */
             {"0.3000000000000000400", 11},
             {".30000000000000004", 11},
             {"00.30000000000000004", 11},
             {"3.0000000000000004e-1", 11},
             {"0.30000000000000005", 0},
             {".0", 12},
             {".00", 12},
             {"-.0", 12},
             {"+0", 12},
             {"0e0", 12},
             {" 12345678901234567", 5},
             {"12345678901234567 ", 5},
             {"+12345678901234567", 5},
             {"012345678901234567", 5},
             {"012345678901234567.00", 5},
             {"-12345678901234567", 0},
             {" 12345678901234569", 0},
             {"98765432109876543", 15},
             {"98765432109876543.0", 15},
             {"98765432109876544", 0},
             /* as programs spell a column in which one record has milliseconds, microseconds, nanoseconds */
             {"2024-01-01 00:00:00.000", 6},
             {"2024-01-01 00:00:00.000000", 6},
             {"2024-01-01 00:00:00.000000000", 6},
             {"2024-01-01T00:00:00.000000000", 6},
             {" 2024-01-01", 6},
             {"2024-01-01 00:00:00.000000001", 0},
             {"2024-01-01T00", 6},
             {"2024-01-02 09:30", 8},
             {"2024-01-02 09:30:00.000000000", 8},
             {"2024-01-02T09:30:00.000000000", 8},
             {"2024-01-02T09:30:00.000000001", 13},
             {"2024-01-02T09:30:00.000000002", 0},
             /* with a zone */
             {"2024-01-03 00:00:00.000+00:00", 14},
             {"2024-01-03T00:00:00.000000000Z", 14},
             {"2024-01-03T00:00:00.000000+0000", 14},
             {"2024-01-03 00:00+00", 14},
             {"2024-01-03 00:00:00", 0},
             {"2024-01-03", 0},
             {"2024-01-03 00:00:00+01:00", 0},
             {"2024-01-03 00:00:00.5+00:00", 0},
             {"none", 0},
             {"nan", 0},
             {"x 00:00:00", 0}};
enum { COUNT = sizeof CELLS / sizeof *CELLS, LEVELS = 16, TIMES = 400 };

static tacit_schema *schema_of(void) {
  tacit_schema *schema;
  assert_int_equal(tacit_schema_parse(JSON, strlen(JSON), &schema, NULL), TACIT_OK);
  return schema;
}

static void by_bytes_then_by_value(void **state) {
  (void)state;
  tacit_schema *schema = schema_of();
  tacit_level_values values;
  assert_int_equal(tacit_level_values_open(&values, &schema->features[0], NULL), TACIT_OK);
  for (size_t i = 0; i < COUNT; i++) {
    size_t level =
        tacit_level_of(&values, &(tacit_cell){.text = CELLS[i].cell, .length = strlen(CELLS[i].cell)});
    if (level != CELLS[i].level) fail_msg("\"%s\" is level %zu", CELLS[i].cell, level);
  }
  assert_int_equal(tacit_level_of(&values, &(tacit_cell){.number = 2.5}), 3);
  assert_int_equal(tacit_level_of(&values, &(tacit_cell){.number = 12345678901234568.0}), 4);
  assert_int_equal(tacit_level_of(&values, &(tacit_cell){.number = 7}), 0);
  tacit_level_values_close(&values);
  tacit_schema_free(schema);
}

/* The level of each record of a text that is read by so many threads. */
static void read_levels(const char *text, size_t length, int threads, const tacit_schema *schema,
                        double *levels) {
  tacit_source *source;
  tacit_sample *sample;
  tacit_read_counts counts;
  tacit_context context;
  tacit_error error;
  tacit_context_init(&context);
  context.threads = threads;
  assert_int_equal(tacit_source_csv_text(text, length, &source, &error), TACIT_OK);
  assert_int_equal(tacit_read_sample(source, schema, &sample, &counts, &context, &error), TACIT_OK);
  assert_int_equal(counts.rows, COUNT * TIMES);
  for (size_t i = 0; i < counts.rows; i++) {
    levels[i] = 0;
    for (size_t k = 1; k < LEVELS; k++) levels[i] += (double)k * sample->x[k * counts.rows + i];
  }
  tacit_sample_free(sample);
  tacit_source_free(source);
}

static void every_reader(void **state) {
  (void)state;
  tacit_schema *schema = schema_of();
  char *text = malloc(COUNT * TIMES * 48 + 16);
  double *levels = malloc(COUNT * TIMES * sizeof *levels);
  assert_non_null(text);
  assert_non_null(levels);
  size_t length = (size_t)sprintf(text, "c,y\n");
  for (size_t i = 0; i < COUNT * TIMES; i++)
    length += (size_t)sprintf(text + length, i % 7 ? "%s,1\n" : "\"%s\",1\n", CELLS[i % COUNT].cell);
  for (int threads = 1; threads <= 2; threads++) {
    read_levels(text, length, threads, schema, levels);
    for (size_t i = 0; i < COUNT * TIMES; i++)
      if (levels[i] != (double)CELLS[i % COUNT].level)
        fail_msg("%d threads, record %zu, \"%s\": level %g", threads, i + 1, CELLS[i % COUNT].cell,
                 levels[i]);
  }
  free(levels);
  free(text);
  tacit_schema_free(schema);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(by_bytes_then_by_value),
                                     cmocka_unit_test(every_reader)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
