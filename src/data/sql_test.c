/* A query is taken only if one record stays one row. Each query that is taken is held to that: without a
   record its result lacks that record's row, or nothing, and every other row is as it was. */
#include "data/sql_for_test.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <tacit/learn.h>

/* last: it needs the others */
#include <cmocka.h>

/* Whether `less` is `all` without at most the one line that begins with the record's number. */
static bool lacks_only(const char *all, const char *less, size_t record) {
  char mine[32];
  snprintf(mine, sizeof mine, "%zu|", record);
  while (*all) {
    size_t length = strcspn(all, "\n") + 1;
    bool own = !strncmp(all, mine, strlen(mine));
    if (!own && strncmp(all, less, length) != 0) return false;
    if (!own) less += length;
    all += length;
  }
  return !*less;
}

/* Cell by cell the same text, or numbers that differ by rounding alone: a decimal is a number here. */
static bool says_the_same(const char *a, const char *b) {
  while (*a && *b) {
    size_t n = strcspn(a, "|\n"), m = strcspn(b, "|\n");
    char *a_end, *b_end;
    double x = strtod(a, &a_end), y = strtod(b, &b_end);
    bool numbers = n && m && a_end == a + n && b_end == b + m && fabs(x - y) <= 1e-12 * fabs(x) + 1e-300;
    bool same = n == m && !strncmp(a, b, n);
    if ((!numbers && !same) || a[n] != b[m]) return false;
    a += n + (a[n] != 0);
    b += m + (b[m] != 0);
  }
  return *a == *b;
}

/* Every function and operator that is taken, and every shape; the first column is the record's number. */
static const char *const TAKEN[] = {
    "SELECT * FROM 't.parquet'",
    "FROM 't.parquet'",
    "SELECT t.* FROM 't.parquet' AS t;",
    "SELECT id, \"a\", t.b FROM 't.parquet' t -- a comment",
    "SELECT id, a + 1, a - 1, -a, a * 2, a / 2, a // 2, a % 2, b ** 2, b ^ 2 FROM 't.parquet'",
    "SELECT id, k || 'x', k LIKE 'k%', k NOT LIKE '%1', k ILIKE 'K1', k NOT ILIKE 'K1' FROM 't.parquet'",
    "SELECT id, abs(a), ceil(b), ceiling(b), floor(b), round(b, 1), trunc(b), sign(a), sqrt(b), cbrt(b), "
    "exp(b), "
    "ln(b + 1), log(b + 1), log2(b + 1), log10(b + 1), pow(b, 2), power(b, 2), mod(a, 2) FROM 't.parquet'",
    "SELECT id, sin(b), cos(b), tan(b), atan(b), atan2(b, 1), least(a, 2), greatest(a, 2), nullif(a, 2), "
    "if(a > 1, 2, 3), ifnull(k, 'none'), isnan(b), isfinite(b), isinf(b) FROM 't.parquet'",
    "SELECT id, lower(k), upper(k), lcase(k), ucase(k), trim(k), ltrim(k), rtrim(k), length(k), strlen(k), "
    "left(k, 1), right(k, 1), substring(k, 1, 1), substr(k, 1, 1), replace(k, 'k', 'l'), concat(k, 'x'), "
    "contains(k, '1'), prefix(k, 'k'), suffix(k, '1'), starts_with(k, 'k'), ends_with(k, '1'), lpad(k, 4, "
    "'-'), "
    "rpad(k, 4, '-') FROM 't.parquet'",
    "SELECT id, year(d), month(d), day(d), hour(t), minute(t), second(t), quarter(d), week(d), dayofweek(d), "
    "weekofyear(d), yearweek(d), weekday(d), isodow(d), dayofyear(d), dayname(d), monthname(d), last_day(d), "
    "date_part('year', d), datepart('year', d), date_trunc('hour', t), datetrunc('minute', t) FROM "
    "'t.parquet'",
    "SELECT id, date_diff('day', d, DATE '2024-03-01'), datediff('day', d, DATE '2024-03-01'), "
    "make_date(2024, 1, 1), epoch(t), strftime(d, '%a %d'), EXTRACT(dow FROM d) FROM 't.parquet'",
    "SELECT id, CASE WHEN a > 2 THEN 'many' WHEN k IS NULL THEN 'none' ELSE k END, CASE a WHEN 1 THEN 2 END "
    "FROM "
    "'t.parquet'",
    "SELECT id, CAST(b AS DECIMAL(9, 3)), TRY_CAST(k AS DOUBLE), a::VARCHAR, coalesce(k, 'none'), m * 2 FROM "
    "'t.parquet'",
    "SELECT id FROM 't.parquet' WHERE a > 1 AND (b < 2.5 OR NOT o) AND k IS NOT NULL",
    "SELECT id FROM 't.parquet' WHERE a BETWEEN 1 AND 3 AND k IN ('k0', 'k1') AND a NOT IN (2) AND a <> 4",
    "SELECT id FROM 't.parquet' WHERE k IS DISTINCT FROM 'k1'",
    "SELECT id FROM 't.parquet' WHERE a > 100",
};

static void what_is_taken_keeps_one_record_one_row(void **state) {
  (void)state;
  char *all[sizeof TAKEN / sizeof *TAKEN];
  tacit_error error;
  for (size_t q = 0; q < sizeof TAKEN / sizeof *TAKEN; q++)
    if (!(all[q] = result_of(TAKEN[q], &error))) fail_msg("%s: %s", TAKEN[q], error.text);
  for (size_t q = 0; q < sizeof TAKEN / sizeof *TAKEN; q++) { /* on this table it is what DuckDB says */
    tacit_source *source;
    assert_int_equal(tacit_source_sql(NULL, TAKEN[q], true, &source, &error), TACIT_OK);
    char *peer = rows_of(source, &error);
    if (!peer || !says_the_same(all[q], peer))
      fail_msg("%s\nours:\n%s\nDuckDB's:\n%s", TAKEN[q], all[q], peer);
    free(peer);
  }
  for (size_t record = 0; record < (getenv("TACIT_QUICK") ? 2 : RECORDS); record++) {
    write_table(record, "t.parquet");
    for (size_t q = 0; q < sizeof TAKEN / sizeof *TAKEN; q++) {
      char *less = result_of(TAKEN[q], &error);
      if (!less || !lacks_only(all[q], less, record)) fail_msg("%s: record %zu", TAKEN[q], record);
      free(less);
    }
  }
  write_table(SIZE_MAX, "t.parquet");
  for (size_t q = 0; q < sizeof TAKEN / sizeof *TAKEN; q++) free(all[q]);
}

static void what_is_not_known_is_refused(void **state) {
  (void)state;
  static const char *const REFUSED[] = {
      "SELECT DISTINCT a FROM 't.parquet'",
      "SELECT a FROM 't.parquet' ORDER BY a",
      "SELECT a FROM 't.parquet' LIMIT 3",
      "SELECT a FROM 't.parquet' OFFSET 3",
      "SELECT a FROM 't.parquet' USING SAMPLE 3",
      "SELECT a FROM 't.parquet' TABLESAMPLE 50%",
      "SELECT sum(a) FROM 't.parquet'",
      "SELECT a FROM 't.parquet' GROUP BY a",
      "SELECT a FROM 't.parquet' GROUP BY ALL",
      "SELECT a FROM 't.parquet' GROUP BY GROUPING SETS ((a), ())",
      "SELECT a FROM 't.parquet' GROUP BY a HAVING a > 1",
      "SELECT count(*) FROM 't.parquet'",
      "SELECT first(a) FROM 't.parquet'",
      "SELECT a FROM 't.parquet' QUALIFY row_number() OVER () = 1",
      "SELECT lag(a) OVER () FROM 't.parquet'",
      "SELECT b - avg(b) OVER () FROM 't.parquet'",
      "SELECT sum(a) FILTER (a > 1) FROM 't.parquet'",
      "SELECT * FROM 't.parquet' AS x, 't.parquet' AS y",
      "SELECT x.a FROM 't.parquet' AS x JOIN 't.parquet' AS y USING (id)",
      "SELECT a FROM 't.parquet' UNION ALL SELECT a FROM 't.parquet'",
      "SELECT a FROM 't.parquet' EXCEPT SELECT 1",
      "WITH x AS (SELECT 1) SELECT a FROM 't.parquet'",
      "SELECT * FROM (SELECT * FROM 't.parquet')",
      "SELECT (SELECT max(a) FROM 't.parquet') FROM 't.parquet'",
      "SELECT a FROM 't.parquet' WHERE a = (SELECT max(a) FROM 't.parquet')",
      "SELECT a FROM 't.parquet' WHERE a IN (SELECT 1)",
      "SELECT a FROM 't.parquet' WHERE EXISTS (SELECT 1)",
      "SELECT CASE WHEN random() < 0.5 THEN a END FROM 't.parquet'",
      "SELECT a + nextval('s') FROM 't.parquet'",
      "SELECT getvariable('x') FROM 't.parquet'",
      "SELECT uuid() FROM 't.parquet'",
      "SELECT unnest([a, a]) FROM 't.parquet'",
      "SELECT list_sum([a]) FROM 't.parquet'",
      "SELECT list_transform([a], x -> x + 1) FROM 't.parquet'",
      "SELECT generate_series(1, a) FROM 't.parquet'",
      "SELECT read_text('t.parquet') FROM 't.parquet'",
      "SELECT abs(sum(a)) FROM 't.parquet'",
      "SELECT CAST(sum(a) AS DOUBLE) FROM 't.parquet'",
      "SELECT a BETWEEN min(a) AND 3 FROM 't.parquet'",
      "SELECT a IN (1, max(a)) FROM 't.parquet'",
      "SELECT coalesce(max(a), 1) FROM 't.parquet'",
      "SELECT rowid FROM 't.parquet'",
      "SELECT file_row_number FROM 't.parquet'",
      "SELECT file_index FROM 't.parquet'",
      "SELECT filename FROM 't.parquet'",
      "SELECT other.a FROM 't.parquet' AS t",
      "SELECT nothing FROM 't.parquet'",
      "SELECT COLUMNS('a') FROM 't.parquet'",
      "SELECT COLUMNS(*) + 1 FROM 't.parquet'",
      "SELECT * EXCLUDE (a) FROM 't.parquet'",
      "SELECT * REPLACE (sum(a) AS a) FROM 't.parquet'",
      "SELECT x FROM 't.parquet' AS t(x)",
      "SELECT * FROM read_parquet('t.parquet')",
      "SELECT * FROM glob('*')",
      "SELECT a FROM main.t",
      "SELECT main.abs(sum(a)) FROM 't.parquet'",
      "SELECT 1",
      "VALUES (1)",
      "SELECT ? FROM 't.parquet'",
      "SELECT $x FROM 't.parquet'",
      "SUMMARIZE 't.parquet'",
      "DESCRIBE 't.parquet'",
      "",
      "SELECT",
      "DROP TABLE x",
      "SELECT 1; SELECT 2",
      "SELECT a FROM 't.parquet'; DROP TABLE x",
      "COPY 't.parquet' TO 'x.csv'",
      "SELECT a FROM 't.parquet') AS t(c0) --",
      "PIVOT 't.parquet' ON a USING sum(b)",
      "SELECT a FROM 't.parquet' WHERE a > 1 ORDER BY a",
      "SELECT A FROM 't.parquet'",
      "SELECT to_timestamp(k) FROM 't.parquet'",
  };
  for (size_t i = 0; i < sizeof REFUSED / sizeof *REFUSED; i++) {
    tacit_source *source;
    tacit_error error;
    tacit_status status = tacit_source_sql(NULL, REFUSED[i], false, &source, &error);
    if (status != TACIT_REFUSED) fail_msg("%s: %d %s", REFUSED[i], status, status ? error.text : "");
  }
  static const char *const BAD[] = {"SELECT a FROM 'missing.parquet'", "SELECT a FROM t",
                                    "SELECT a FROM '*.parquet'"};
  for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
    tacit_source *source;
    tacit_error error;
    tacit_status status = tacit_source_sql(NULL, BAD[i], false, &source, &error);
    if (status != TACIT_BAD_INPUT) fail_msg("%s: %d %s", BAD[i], status, status ? error.text : "");
  }
}

/* A failure in the middle is not the end of the rows, and its words quote nothing. */
static void failures_are_told_and_quote_nothing(void **state) {
  (void)state;
  duckdb_write(
      "COPY (SELECT CASE WHEN i = 290000 THEN 'SECRET' ELSE CAST(i AS VARCHAR) END AS s FROM range(300000) "
      "AS r(i)) TO 'late.parquet'");
  static const struct {
    const char *query;
    bool result;
  } QUERIES[] = {{"SELECT CAST(s AS DOUBLE) AS s FROM 'late.parquet'", false},
                 {"SELECT CAST(s AS DOUBLE) AS s FROM 'late.parquet'", true},
                 {"SELECT sum(CAST(s AS DOUBLE)) AS s FROM 'late.parquet'", true},
                 {"SELECT error(max(s)) AS s FROM 'late.parquet'", true}};
  for (size_t i = 0; i < 2 * sizeof QUERIES / sizeof *QUERIES; i++) {
    tacit_source *source;
    tacit_error error;
    tacit_status status =
        tacit_source_sql(NULL, QUERIES[i / 2].query, QUERIES[i / 2].result, &source, &error);
    if (status == TACIT_OK) {
      source->reader.threads = i % 2 ? 3 : 1;
      assert_null(rows_of(source, &error));
      assert_non_null(strstr(error.text, QUERIES[i / 2].result ? "withheld" : "record 290001: a CAST"));
    }
    assert_null(strstr(error.text, "SECRET"));
  }
  static const char CSV[] = "a,b\n1,2\n3,\"SECRET\n";
  write_text("broken.csv", CSV, strlen(CSV));
  tacit_source *source;
  tacit_error error;
  tacit_status status = tacit_source_sql(
      NULL, "SELECT * FROM read_csv('broken.csv', columns = {'a': 'INTEGER', 'b': 'INTEGER'})", true, &source,
      &error);
  if (status == TACIT_OK) assert_null(rows_of(source, &error));
  assert_null(strstr(error.text, "SECRET"));
  assert_int_equal(tacit_source_sql(NULL, "SELECT CAST('x' AS INTEGER) FROM nothing", true, &source, &error),
                   TACIT_BAD_INPUT);
}

/* From the query's rows, or those of them that meet a condition. */
static tacit_status learn_where(const char *query, bool result, const char *condition,
                                const char *schema_text, tacit_adjacency adjacency, tacit_error *error) {
  tacit_schema *schema;
  tacit_source *source, *rows;
  tacit_fit *fit = NULL;
  tacit_learn_options options;
  const double quantile = 0.5;
  tacit_learn_options_init(&options);
  options.quantiles = &quantile;
  options.quantile_count = 1;
  options.mu = 1;
  options.seeded = true;
  options.adjacency = adjacency;
  options.nominal_rows = adjacency == TACIT_ADD_REMOVE ? 100 : 0;
  assert_int_equal(tacit_schema_parse(schema_text, strlen(schema_text), &schema, NULL), TACIT_OK);
  assert_int_equal(tacit_source_sql(NULL, query, result, &rows, error), TACIT_OK);
  source = rows;
  if (condition) assert_int_equal(tacit_source_where(rows, condition, &source, error), TACIT_OK);
  tacit_status status = tacit_learn(schema, source, &options, NULL, &fit, error);
  tacit_fit_free(fit);
  tacit_source_free(source);
  tacit_schema_free(schema);
  return status;
}

static tacit_status learn(const char *query, bool result, const char *schema_text, tacit_adjacency adjacency,
                          tacit_error *error) {
  return learn_where(query, result, NULL, schema_text, adjacency, error);
}

static void only_promises_that_hold_are_made(void **state) {
  (void)state;
#define TARGET "{\"target\": {\"name\": \"b\", \"min\": 0, \"max\": 5}, \"features\": ["
  static const char PLAIN[] = TARGET "{\"name\": \"a\", \"min\": 0, \"max\": 5}]}";
  static const char LAGS[] = TARGET "{\"name\": \"b\", \"lag\": 1}], \"unit\": {\"rows_per_unit\": 2}}";
  static const char UNITS[] = TARGET
      "{\"name\": \"a\", \"min\": 0, \"max\": 5}], \"unit\": {\"rows_per_unit\": 1, \"column\": \"id\"}}";
  static const char PART[] = "SELECT * FROM 't.parquet' WHERE a > 1",
                    NONE[] = "SELECT * FROM 't.parquet' WHERE a > 99";
  static const char ALL[] = "SELECT * FROM 't.parquet'", RENAMED[] = "SELECT a, b, a AS id FROM 't.parquet'";
  static const char MADE[] = "SELECT a, b, a + 0 AS id FROM 't.parquet'";
  static const char GROUPS[] = "SELECT a, avg(b) AS b FROM 't.parquet' GROUP BY a";
  const tacit_adjacency replace = TACIT_REPLACE_ONE, add = TACIT_ADD_REMOVE;
  tacit_error error;
  assert_int_equal(learn(ALL, false, PLAIN, replace, &error), TACIT_OK);
  assert_int_equal(learn(ALL, false, PLAIN, add, &error), TACIT_OK);
  assert_int_equal(learn(PART, false, PLAIN, replace, &error), TACIT_REFUSED);
  assert_non_null(strstr(error.text, "WHERE makes the number of rows depend on the records"));
  assert_int_equal(learn(PART, false, PLAIN, add, &error), TACIT_OK);
  assert_int_equal(learn(NONE, false, PLAIN, add, &error),
                   TACIT_OK); /* no row is no refusal under add-remove */
  assert_int_equal(learn(ALL, false, LAGS, replace, &error), TACIT_REFUSED);
  assert_non_null(strstr(error.text, "lags need the records of a file in their order"));
  assert_int_equal(learn(ALL, false, UNITS, replace, &error), TACIT_OK);
  /* under another name a ledger's label would count for another unit than it says */
  assert_int_equal(learn(RENAMED, false, UNITS, replace, &error), TACIT_REFUSED);
  assert_int_equal(learn(MADE, false, UNITS, replace, &error), TACIT_REFUSED);
  assert_non_null(strstr(error.text, "is computed or renamed by the query"));
  assert_int_equal(learn(GROUPS, true, PLAIN, replace, &error), TACIT_REFUSED);
  assert_non_null(strstr(error.text, "add-remove"));
  assert_int_equal(learn(GROUPS, true, PLAIN, add, &error), TACIT_OK);
  /* a condition on a query's rows takes nothing away from what is said of them */
  assert_int_equal(learn_where(GROUPS, true, "a > 1", PLAIN, replace, &error), TACIT_REFUSED);
  assert_non_null(strstr(error.text, "a query's result"));
  assert_int_equal(learn_where(ALL, false, "a > 1", UNITS, add, &error), TACIT_OK);
  assert_int_equal(learn_where(MADE, false, "a > 1", UNITS, add, &error), TACIT_REFUSED);
  assert_non_null(strstr(error.text, "is computed or renamed by the query"));
}

/* Records are chosen, and features computed, by what is public alone, however many queries lie between. */
static void private_targets_choose_and_make_nothing(void **state) {
  (void)state;
  static const char PUBLIC[] = TARGET "{\"name\": \"a\", \"min\": 0, \"max\": 5}], \"private\": \"target\"}";
  static const struct {
    const char *query, *condition, *wrong; /* NULL: fine */
  } cases[] = {
      {"SELECT * FROM 't.parquet'", NULL, NULL},
      {"SELECT * FROM 't.parquet' WHERE a > 1", NULL, NULL},
      {"SELECT * FROM 't.parquet'", "a > 1", NULL},
      {"SELECT a, b * 2 AS b FROM 't.parquet' WHERE a > 1", "a < 4", NULL},
      {"SELECT * FROM 't.parquet' WHERE b > 1", NULL, "chooses records"},
      {"SELECT * FROM 't.parquet' WHERE b > 1", "a > 1", "chooses records"},
      {"SELECT * FROM 't.parquet'", "a > 1 OR b > 1", "chooses records"},
      {"SELECT a, b * 2 AS b FROM 't.parquet' WHERE b > 1", NULL, "chooses records"},
      {"SELECT a, b AS c, 2 * b AS b FROM 't.parquet'", "c > 1", "chooses records"},
      {"SELECT a, a + 1 AS b FROM 't.parquet'", "a > 1", "computes a feature"},
      {"SELECT a + 0 * b AS a, b FROM 't.parquet'", NULL, "computes a feature"},
      {"SELECT b AS a, b FROM 't.parquet'", "a > 1", "computes a feature"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    tacit_error error = {""};
    tacit_status status =
        learn_where(cases[i].query, false, cases[i].condition, PUBLIC, TACIT_REPLACE_ONE, &error);
    if (!cases[i].wrong ? status != TACIT_OK : status != TACIT_REFUSED || !strstr(error.text, cases[i].wrong))
      fail_msg("%zu: %s", i, error.text);
  }
}

static void a_query_is_not_packed(void **state) {
  (void)state;
  static const char TEXT[] = "{\"target\": {\"name\": \"b\", \"min\": 0, \"max\": 5}, \"features\": []}";
  tacit_schema *schema;
  tacit_source *source;
  tacit_error error;
  tacit_pack_counts counts;
  assert_int_equal(tacit_schema_parse(TEXT, strlen(TEXT), &schema, NULL), TACIT_OK);
  assert_int_equal(tacit_source_sql(NULL, "SELECT * FROM 't.parquet'", false, &source, &error), TACIT_OK);
  assert_int_equal(tacit_pack_table(source, schema, "t.tacit", &counts, NULL, &error), TACIT_REFUSED);
  tacit_source_free(source);
  tacit_schema_free(schema);
}

int main(void) {
  if (!duckdb_begin()) return 77;
  write_table(SIZE_MAX, "t.parquet");
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_taken_keeps_one_record_one_row),
      cmocka_unit_test(what_is_not_known_is_refused),
      cmocka_unit_test(failures_are_told_and_quote_nothing),
      cmocka_unit_test(only_promises_that_hold_are_made),
      cmocka_unit_test(private_targets_choose_and_make_nothing),
      cmocka_unit_test(a_query_is_not_packed),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  duckdb_end();
  return failed;
}
