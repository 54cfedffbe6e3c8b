/* Expressions of one record: their values, what is refused, and that no record sees another. */
#include "base/base.h"
#include "source/expression.h"

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* last: it needs the others */
#include <cmocka.h>

static tacit_source *open_query(const char *text, const char *csv, tacit_error *error) {
  tacit_query *query;
  tacit_source *records, *source;
  if (tacit_query_parse(text, &query, error) != TACIT_OK) return NULL;
  assert_int_equal(tacit_source_csv_text(csv, strlen(csv), &records, error), TACIT_OK);
  return tacit_source_select(records, query, &source, error) == TACIT_OK ? source : NULL;
}

static void print_cell(const tacit_cell *cell, char *out, size_t size) {
  if (!cell->text)
    snprintf(out, size, "%.15g", cell->number);
  else
    snprintf(out, size, "%.*s", (int)cell->length, cell->text);
}

/* The first column of the first row; "refused" where there is none. */
static void value_of(const char *expression, const char *csv, char *out, size_t size) {
  char text[4096];
  tacit_error error;
  tacit_cell cell;
  bool more = false;
  snprintf(text, sizeof text, "SELECT %s AS v FROM t", expression);
  tacit_source *source = open_query(text, csv, &error);
  bool read = source && source->next(source, &cell, &more, &error) == TACIT_OK && more;
  if (read)
    print_cell(&cell, out, size);
  else
    snprintf(out, size, "refused");
  tacit_source_free(source);
}

static const char RECORD[] = "n,m,s,d,e,g\n7,-2.5,Köln ,2024-02-29 13:05:09,,007\n";

static void values(void **state) {
  (void)state;
  static const char *const CASES[][2] = {
      /* numbers */
      {"n + 1", "8"},
      {"n - m * 2", "12"},
      {"-n ^ 2", "49"},
      {"- - 3", "3"},
      {"2 ^ 3 ** 2", "64"},
      {"n / 2", "3.5"},
      {"n // 2", "3"},
      {"-7 // 2", "-3"},
      {"n % 4", "3"},
      {"n / 0", ""},
      {"n % 0", ""},
      {"s + 1", ""},
      {"e + 1", ""},
      {"g + 0", "7"},
      {"1e3 + .5", "1000.5"},
      {"round(2.5)", "3"},
      {"round(-2.345, 2)", "-2.35"},
      {"round(1234, -2)", "1200"},
      {"trunc(m)", "-2"},
      {"sqrt(m)", ""},
      {"ln(0)", ""},
      {"log(1000)", "3"},
      {"sign(m)", "-1"},
      {"greatest(n, e, 9)", "9"},
      {"least(n, m)", "-2.5"},
      {"mod(n, 4) + abs(m)", "5.5"},
      /* what is unknown */
      {"e = e", ""},
      {"e IS NULL", "1"},
      {"n IS NOT NULL", "1"},
      {"e IS DISTINCT FROM NULL", "0"},
      {"n IS NOT DISTINCT FROM 7", "1"},
      {"e > 1 OR TRUE", "1"},
      {"e > 1 AND FALSE", "0"},
      {"e > 1 AND TRUE", ""},
      {"NOT e", ""},
      {"n IN (1, 7.0)", "1"},
      {"n NOT IN (1, 2)", "1"},
      {"n IN (1, NULL)", ""},
      {"n BETWEEN 7 AND 8", "1"},
      {"n NOT BETWEEN 8 AND e", "1"},
      {"n BETWEEN 1 AND e", ""},
      {"coalesce(e, n)", "7"},
      {"ifnull(e, 'x')", "x"},
      {"nullif(n, 7)", ""},
      {"if(n > 5, 'many', 'few')", "many"},
      /* numbers, text and cells that declare nothing */
      {"n = 7.0", "1"},
      {"g = 7", "1"},
      {"g = '7'", "1"}, /* a writer may spell 7 as 7.0 because of another record */
      {"m = '-2.50'", "1"},
      {"n IN ('6', '7.0')", "1"},
      {"m < '-10'", "0"},
      {"CASE n WHEN '7.0' THEN 'seven' END", "seven"},
      {"n = 'seven'", "0"},
      {"n::VARCHAR = '7.0'", "0"}, /* text that was made as text is text */
      {"g = n", "1"},
      {"s > 5", ""},
      {"s = 'Köln '", "1"},
      {"10 > 9", "1"},
      {"'10' > '9'", "0"},
      {"NOT n", "0"},
      {"'yes' AND 'TRUE'", "1"},
      {"n <> 7 OR n != 7 OR n == 7", "1"},
      {"1 < 2 = TRUE", "1"},
      /* CASE and CAST */
      {"CASE WHEN e > 1 THEN 1 WHEN n > 1 THEN 2 ELSE 3 END", "2"},
      {"CASE n WHEN 1 THEN 'one' WHEN 7 THEN 'seven' END", "seven"},
      {"CASE n WHEN 1 THEN 'one' END", ""},
      {"CAST(m AS INTEGER)", "-2"},
      {"CAST(3.5 AS INT)", "4"},
      {"TRY_CAST(s AS DOUBLE)", ""},
      {"TRY_CAST(300 AS TINYINT)", ""},
      {"CAST(s AS DOUBLE)", "refused"},
      {"CASE WHEN n = 7 THEN 1 ELSE CAST(s AS DOUBLE) END", "1"},
      {"CAST(2.345 AS DECIMAL(9, 2))", "2.35"},
      {"n::VARCHAR || '!'", "7!"},
      {"1e15 || '!'", "1000000000000000!"},
      {"2 ^ 63 || '!'", "9223372036854775808!"},
      {"-2 ^ 127 || '!'", "-170141183460469231731687303715884105728!"},
      {"1e300 || '!'", "1e+300!"},
      {"0.1 || '!'", "0.1!"},
      {"(1 / 3)::FLOAT = 1 / 3", "0"},
      {"CAST('true' AS BOOLEAN)", "1"},
      {"CAST(d AS DATE)", "2024-02-29"},
      {"TRY_CAST('2023-02-29' AS DATE)", ""},
      /* text */
      {"upper(s)", "KÖLN "},
      {"lower('ÄÉŽΩЖ')", "äéžωж"},
      {"length(s)", "5"},
      {"strlen(s)", "6"},
      {"trim(s) || '|'", "Köln|"},
      {"left(s, 2)", "Kö"},
      {"left(s, -3)", "Kö"},
      {"right(trim(s), 3)", "öln"},
      {"right(trim(s), -1)", "öln"},
      {"substring(s, 2, 2)", "öl"},
      {"substr(trim(s), -2)", "ln"},
      {"replace('a-b-c', '-', '+-')", "a+-b+-c"},
      {"concat('a', e, n)", "a7"},
      {"'a' || e", ""},
      {"contains(s, 'öl')", "1"},
      {"starts_with(s, 'Kö') AND ends_with(s, ' ') AND prefix(s, '') AND suffix(s, '')", "1"},
      {"lpad('ab', 5, 'xyz') || rpad('ab', 5, 'ö')", "xyzababööö"},
      {"lpad('abc', 2, 'x')", "ab"},
      {"lpad('a', 1e9, 'x')", ""},
      {"s LIKE 'K_ln%' AND s NOT LIKE 'k%' AND s ILIKE 'kÖ%'", "1"},
      {"'aXbXc' LIKE '%X%c' AND 'abc' NOT LIKE 'a%b' AND '' LIKE '%'", "1"},
      {"'it''s'", "it's"},
      /* dates */
      {"year(d) * 10000 + month(d) * 100 + day(d)", "20240229"},
      {"hour(d) * 10000 + minute(d) * 100 + second(d)", "130509"},
      {"dayname(d) || monthname(d)", "ThursdayFebruary"},
      {"EXTRACT(week FROM d)", "9"},
      {"yearweek('2021-01-03')", "202053"},
      {"dayofyear(d) + quarter(d) + isodow(d) + dayofweek(d)", "69"},
      {"last_day(d)", "2024-02-29"},
      {"date_trunc('quarter', d)", "2024-01-01"},
      {"CAST('2024-02-29' AS TIMESTAMP)", "2024-02-29"},
      {"date_trunc('hour', d)", "2024-02-29 13:00:00"},
      {"date_trunc('week', DATE '2024-02-29')", "2024-02-26"},
      {"date_diff('month', '2023-12-31', d)", "2"},
      {"date_diff('week', '2024-02-25', d)", "1"},
      {"date_diff('hour', '2024-02-29', d)", "13"},
      {"make_date(2024, 2, 30)", ""},
      {"make_date(2024, 2, 9)", "2024-02-09"},
      {"epoch('1970-01-02 00:00:01')", "86401"},
      {"strftime(d, '%d.%m.%Y %a %j %%')", "29.02.2024 Thu 060 %"},
      {"strftime(d, '%Q')", ""},
      {"strptime('9.2.2024', '%d.%m.%Y')", "2024-02-09"},
      {"strptime('31/12/1969 23:59:58', '%d/%m/%Y %H:%M:%S')", "1969-12-31 23:59:58"},
      {"strptime(20240209, '%Y%m%d')", "2024-02-09"},
      {"try_strptime('30.02.2024', '%d.%m.%Y')", ""},
      {"try_strptime('2024-02-09', '%d.%m.%Y')", ""},
      {"year('31 February')", ""},
      {"year(n)", ""},
      {"d >= '2024-02-01' AND d < DATE '2024-03-01'", "1"},
      {"DATE '2024-03-01' = '2024-03-01 00:00:00' AND '2024-03-01 00:00:00' < '2024-03-01 00:00:01'", "1"},
      {"'2024-02-31 00:00:00' = '2024-02-31'", "0"},
      /* refused, all of them */
      {"max(n)", "refused"},
      {"n OVER ()", "refused"},
      {"random()", "refused"},
      {"(SELECT 1)", "refused"},
      {"DISTINCT n", "refused"},
      {"N", "refused"},
      {"x.n", "refused"},
      {"t.n", "7"},
      {"\"n\"", "7"},
      {"abs(1, 2)", "refused"},
      {"if(1, 2)", "refused"},
      {"n NOT 1", "refused"},
      {"12abc", "refused"},
      {"'open", "refused"},
      {"n AS", "refused"},
      {"DATE '2024-13-01'", "refused"},
      {"CAST(n AS BLOB)", "refused"},
      {"n IS 1", "refused"},
      {"1 +", "refused"},
      {"", "refused"},
      {"n # m", "refused"},
      {"$1", "refused"},
      {"?", "refused"},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    char out[256];
    value_of(CASES[i][0], RECORD, out, sizeof out);
    if (strcmp(out, CASES[i][1]) != 0) fail_msg("%s: \"%s\", not \"%s\"", CASES[i][0], out, CASES[i][1]);
  }
}

/* NaN and infinities, which no CSV cell can be: above all numbers, and equal to themselves. */
static void numbers_that_are_none(void **state) {
  (void)state;
  static const double X[] = {NAN, INFINITY, -0.0, 3};
  static const char *const NAMES[] = {"x"};
  const double *columns[] = {X};
  tacit_source *records, *source;
  tacit_query *query;
  tacit_error error;
  assert_int_equal(tacit_source_columns(4, 1, NAMES, columns, NULL, &records, &error), TACIT_OK);
  assert_int_equal(
      tacit_query_parse("SELECT x > 5 AS a, x = x AS b, isnan(x) AS c, x >= 0 AS d, x < 1e308 AS e "
                        "FROM 'memory'",
                        &query, &error),
      TACIT_OK);
  assert_int_equal(tacit_source_select(records, query, &source, &error), TACIT_OK);
  static const double EXPECTED[4][5] = {{1, 1, 1, 1, 0}, {1, 1, 0, 1, 0}, {0, 1, 0, 1, 1}, {0, 1, 0, 1, 1}};
  for (size_t i = 0; i < 4; i++) {
    tacit_cell cells[5];
    bool more;
    assert_int_equal(source->next(source, cells, &more, &error), TACIT_OK);
    for (size_t j = 0; j < 5; j++) assert_true(!cells[j].text && cells[j].number == EXPECTED[i][j]);
  }
  tacit_source_free(source);
}

/* Nesting is limited, so that no query needs more stack than a small thread has; long lists are not deep. */
static void large_queries(void **state) {
  (void)state;
  enum { SIZE = 200000 };
  char *text = malloc(SIZE);
  static const struct {
    const char *first, *repeated, *last;
    size_t times;
    bool taken;
  } QUERIES[] = {{"", "(", "1", 5000, false},        {"", "-", "1", 5000, false},
                 {"", "NOT ", "1", 5000, false},     {"1", "+1", "", 150, true},
                 {"1", "+1", "", 5000, false},       {"1", " OR 1", "", 5000, true},
                 {"n IN (1", ",7", ")", 5000, true}, {"n IN (1", ",7", ")", 20000, false},
                 {"1", "::INT", "", 5000, false},    {"", "CASE WHEN 1 THEN ", "1", 5000, false}};
  for (size_t i = 0; i < sizeof QUERIES / sizeof *QUERIES; i++) {
    tacit_error error;
    char *end = text + sprintf(text, "SELECT %s", QUERIES[i].first);
    for (size_t k = 0; k < QUERIES[i].times; k++) end += sprintf(end, "%s", QUERIES[i].repeated);
    sprintf(end, "%s AS v FROM t", QUERIES[i].last);
    tacit_source *source = open_query(text, RECORD, &error);
    if ((source != NULL) != QUERIES[i].taken) fail_msg("%zu: %s", i, source ? "taken" : error.text);
    if (source) {
      tacit_cell cell;
      bool more;
      assert_int_equal(source->next(source, &cell, &more, &error), TACIT_OK);
    }
    tacit_source_free(source);
  }
  free(text);
}

/* What a host program's locale has for a point, or takes for a letter, makes no difference. */
static void locales_make_no_difference(void **state) {
  (void)state;
  static const char *const LOCALES[] = {"de_DE.UTF-8", "tr_TR.UTF-8", "C"};
  for (size_t i = 0; i < sizeof LOCALES / sizeof *LOCALES; i++) {
    char out[64];
    if (!setlocale(LC_ALL, LOCALES[i])) continue; /* not installed */
    value_of("CAST(m * 1 AS VARCHAR) || (e is null)", RECORD, out, sizeof out);
    assert_string_equal(out, "-2.51");
  }
  assert_non_null(setlocale(LC_ALL, "C"));
}

/* Both sides of a match from one record: nobody waits for the product of their lengths. */
static void long_matches_have_no_value(void **state) {
  (void)state;
  enum { LONG = 200000 };
  char *csv = malloc(2 * LONG + 100), *end = csv + sprintf(csv, "n,p\n"), out[64];
  memset(end, 'a', LONG);
  end += LONG;
  end += sprintf(end, ",%%");
  memset(end, 'a', LONG / 2);
  sprintf(end + LONG / 2, "b\n");
  value_of("n LIKE p", csv, out, sizeof out);
  assert_string_equal(out, "");
  value_of("contains(n, replace(p, '%', ''))", csv, out, sizeof out);
  assert_string_equal(out, "0");
  free(csv);
}

static void columns_and_conditions(void **state) {
  (void)state;
  static const char CSV[] = "a,b\n1,x\n2,y\n3,\n";
  static const char *const QUERIES[][2] = {
      {"SELECT * FROM t", "a,b|1,x|2,y|3,|"},
      {"FROM t WHERE b IS NULL;", "a,b|3,|"},
      {"SELECT a + 1, t.* FROM 't' WHERE NOT a = 2 -- and so on", "a + 1,a,b|2,1,x|4,3,|"},
      {"select u.b c /* not a */ from t as u where u.a < 3", "c|x|y|"},
      {"SELECT b \"a b\" FROM t u WHERE a > 9", "a b|"},
      {"SELECT a, a AS a FROM t", "refused"},
      {"SELECT t.a FROM t AS u", "refused"},
      {"SELECT u.* FROM t", "refused"},
      {"SELECT * EXCLUDE (a) FROM t", "refused"},
      {"SELECT a FROM t, u", "refused"},
      {"SELECT a FROM t JOIN u", "refused"},
      {"SELECT a FROM t LIMIT 1", "refused"},
      {"SELECT a FROM t WHERE", "refused"},
      {"SELECT a FROM t; FROM t", "refused"},
      {"SELECT a FROM", "refused"},
      {"FROM t SELECT a", "refused"}};
  for (size_t i = 0; i < sizeof QUERIES / sizeof *QUERIES; i++) {
    char out[256] = "refused";
    tacit_error error;
    tacit_source *source = open_query(QUERIES[i][0], CSV, &error);
    bool more = source != NULL;
    if (source) out[0] = 0;
    for (size_t j = 0; source && j < source->columns; j++)
      snprintf(out + strlen(out), sizeof out - strlen(out), "%s%s", j ? "," : "", source->names[j]);
    if (source) strcat(out, "|");
    while (more) {
      tacit_cell cells[8];
      assert_int_equal(source->next(source, cells, &more, &error), TACIT_OK);
      for (size_t j = 0; more && j < source->columns; j++) {
        char one[64];
        print_cell(&cells[j], one, sizeof one);
        snprintf(out + strlen(out), sizeof out - strlen(out), "%s%s", j ? "," : "", one);
      }
      if (more) strcat(out, "|");
    }
    tacit_source_free(source);
    if (strcmp(out, QUERIES[i][1]) != 0) fail_msg("%s: %s, not %s", QUERIES[i][0], out, QUERIES[i][1]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values),
      cmocka_unit_test(numbers_that_are_none),
      cmocka_unit_test(large_queries),
      cmocka_unit_test(locales_make_no_difference),
      cmocka_unit_test(long_matches_have_no_value),
      cmocka_unit_test(columns_and_conditions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
