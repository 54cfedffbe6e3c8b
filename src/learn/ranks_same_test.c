/* Ranks that do not ask the same of the same table are refused, all of them, and nothing is spent. */
#include "learn/ranks_for_test.h"

/* Two ranks, each with a table, a schema and options of its own. */
static void run_two(member *m) {
  meeting at = {.calls_left = 1 << 30, .lock = PTHREAD_MUTEX_INITIALIZER};
  pthread_t threads[2];
  pthread_barrier_init(&at.barrier, NULL, 2);
  for (size_t r = 0; r < 2; r++) {
    m[r].at = &at;
    m[r].ranks = (tacit_ranks){.rank = r, .count = 2, .sum = add, .share = give, .user = &m[r]};
    assert_int_equal(pthread_create(&threads[r], NULL, run, &m[r]), 0);
  }
  for (size_t r = 0; r < 2; r++) pthread_join(threads[r], NULL);
  pthread_barrier_destroy(&at.barrier);
}

static void expect_two(member first, member second, const char *words, size_t who) {
  member m[2] = {first, second};
  run_two(m);
  for (size_t r = 0; r < 2; r++) {
    if (words &&
        (m[r].status == TACIT_OK || !strstr(m[r].error.text, r == who || who > 1 ? words : "another")))
      fail_msg("rank %zu: %d %s", r, m[r].status, m[r].error.text);
    if (!words && m[r].status) fail_msg("rank %zu: %s", r, m[r].error.text);
    assert_int_equal(m[r].spent, words == NULL && r == 0);
    assert_true((m[r].fit == NULL) == (words != NULL || m[r].rule));
    tacit_fit_free(m[r].fit);
  }
}

static void pack_rows(const tacit_schema *schema, size_t first, const char *path) {
  size_t length;
  char *text = text_of(first, ROWS, "", &length);
  tacit_source *source;
  tacit_pack_counts counts;
  assert_int_equal(tacit_source_csv_text(text, length, &source, NULL), TACIT_OK);
  assert_int_equal(tacit_pack_table(source, schema, path, &counts, NULL, NULL), TACIT_OK);
  tacit_source_free(source);
  free(text);
}

/* Parts of two tables are no table; rows of two schemas, and two questions, have no sum. */
static void ranks_that_ask_something_else_are_refused(void **state) {
  (void)state;
  static const char UNITS[] = "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 10}, \"features\": "
                              "[{\"name\": \"a\", \"center\": 0, \"scale\": 1}], \"unit\": {\"column\": "
                              "\"c\", \"rows_per_unit\": 2000}}";
  static const double rules[] = {4, 0.5, 1, 4, 0.5, 2}, spreads[] = {1, 0, 0, 2, 1, 0, 0, 3};
  static const char WORDS[] = "do not ask the same";
  tacit_schema *schema = schema_of(JSON), *wide = schema_of(WIDE), *units = schema_of(UNITS);
  tacit_learn_options options = options_for("default", NULL), other = options, steps = options;
  other.mu = 2;
  other.seeded = true;
  steps = options_for("gradient", NULL);
  steps.gradient.steps = 20;
  tacit_learn_options more = steps;
  more.gradient.steps = 21;
  pack_rows(units, 0, "ranks_a.tacit");
  pack_rows(units, 7, "ranks_b.tacit");
  member a = {.schema = units, .options = &options, .path = "ranks_a.tacit"}, b = a;
  b.part = 1;
  expect_two(a, b, NULL, 2);
  b.path = "ranks_b.tacit";
  expect_two(a, b, WORDS, 2);
  b = a; /* the first part twice */
  expect_two(a, b, "must have part 1 of 2", 1);
  size_t length;
  char *text = text_of(0, ROWS, "", &length);
  member c = {.schema = schema, .options = &options, .text = text, .length = length}, d = c;
  expect_two(c, d, NULL, 2);
  d.schema = wide;
  expect_two(c, d, WORDS, 2);
  d = c;
  d.options = &other;
  expect_two(c, d, WORDS, 2);
  c.options = &steps;
  d.options = &more; /* the plans differ */
  expect_two(c, d, WORDS, 2);
  c.options = d.options = &options;
  c.rule = d.rule = rules;
  expect_two(c, d, NULL, 2);
  d.rule = rules + 3;
  expect_two(c, d, WORDS, 2);
  d.rule = rules;
  d.spread = spreads;
  expect_two(c, d, WORDS, 2);
  c.spread = spreads + 4;
  expect_two(c, d, WORDS, 2);
  c.rule = d.rule = c.spread = d.spread = NULL;
  FILE *file = fopen("ranks_q.csv", "w");
  assert_non_null(file);
  assert_int_equal(fwrite(text, 1, length, file), length);
  fclose(file);
  d.query = "SELECT * FROM 'ranks_q.csv'";
  expect_two(c, d, "a query runs in one process", 1);
  free(text);
  remove("ranks_q.csv");
  remove("ranks_a.tacit");
  remove("ranks_b.tacit");
  tacit_schema_free(schema);
  tacit_schema_free(wide);
  tacit_schema_free(units);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ranks_that_ask_something_else_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
