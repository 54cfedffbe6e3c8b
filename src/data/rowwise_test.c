/* What a query says of a record does not change when other records do (proofs/sql.md).

   Two tables share some records, those whose id is not negative; all others differ. Random queries are put to
   both, and what they say of the shared records must be the same. The same search over DuckDB's own answers
   finds what it looks for: files of some writers leave NaN out of their statistics.

   rowwise_test                    files and tables that DuckDB writes
   rowwise_test FOLDER TABLES N    FOLDER/k.a.parquet and FOLDER/k.b.parquet, k below TABLES, N queries each
 */
#include "base/base.h"
#include "source/expression.h"
#include "source/query_for_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <tacit/data.h>

/* last: it needs the others */
#include <cmocka.h>

/* Of a source's rows, those of shared records in the order of their ids, to be freed; NULL where reading
   fails. Takes the source. */
static char *shared_rows_of(tacit_source *source) {
  tacit_error error;
  char *rows = rows_of(source, &error), *lines[SHARED] = {0}, *text = NULL;
  if (!rows) return NULL;
  for (char *line = strtok(rows, "\n"); line; line = strtok(NULL, "\n")) {
    long id = strtol(line, NULL, 10);
    if (id >= 0 && id < SHARED) lines[id] = line;
  }
  size_t length;
  FILE *out = open_memstream(&text, &length);
  assert_non_null(out);
  for (size_t id = 0; id < SHARED; id++) fprintf(out, "%s\n", lines[id] ? lines[id] : "(no row)");
  fclose(out);
  free(rows);
  return text;
}

static char *shared_rows(const char *database, const char *query, bool direct) {
  tacit_source *source;
  tacit_error error;
  return tacit_source_sql(database, query, direct, &source, &error) == TACIT_OK ? shared_rows_of(source)
                                                                                : NULL;
}

/* Two tables: names for FROM, and their databases, NULL for files. */
typedef struct pair {
  const char *names[2], *databases[2];
} pair;

typedef struct tally {
  size_t compared, refused, differed;
} tally;

/* direct: DuckDB computes the query itself. Whether it can may depend on any record: then it is refused. */
static void compare(const pair *tables, uint64_t seed, bool direct, tally *t) {
  char *queries[2], *rows[2];
  for (size_t side = 0; side < 2; side++) {
    queries[side] = random_query(seed, tables->names[side]);
    rows[side] = shared_rows(tables->databases[side], queries[side], direct);
  }
  bool refused = !rows[0] || !rows[1], differ = !refused && strcmp(rows[0], rows[1]) != 0;
  t->compared += !refused;
  t->refused += refused;
  t->differed += differ;
  if (differ && !direct) fail_msg("%s\n%s\n%s", queries[0], rows[0], rows[1]);
  if (refused && !direct) fail_msg("refused: %s", queries[0]);
  for (size_t side = 0; side < 2; side++) {
    free(queries[side]);
    free(rows[side]);
  }
}

/* A file of random records; shared ones are made from their ids alone. */
static void write_file(const char *path, size_t group, uint64_t own, size_t others) {
  char *text = NULL;
  size_t length;
  FILE *out = open_memstream(&text, &length);
  assert_non_null(out);
  fputs("COPY (", out);
  for (size_t i = 0; i < SHARED + others; i++) {
    if (i) fputs(" UNION ALL ", out);
    if (i < SHARED)
      random_record(77 + i, (long)i, out);
    else
      random_record(own * 1000 + i, -(long)i, out);
  }
  fprintf(out, ") TO '%s' (FORMAT parquet, ROW_GROUP_SIZE %zu)", path, group);
  fclose(out);
  duckdb_write(text);
  free(text);
}

/* The file as a table, with a column of an ENUM whose values stand in the order in which records have them.
 */
static void write_database(const char *path, const char *file) {
  char type[256], table[256];
  snprintf(type, sizeof type,
           "CREATE TYPE kind AS ENUM (SELECT e FROM '%s' WHERE e IS NOT NULL GROUP BY e ORDER BY min(id))",
           file);
  snprintf(table, sizeof table, "CREATE TABLE records AS SELECT * REPLACE (e::kind AS e) FROM '%s'", file);
  unlink(path);
  duckdb_make(path, (const char *const[]){type, table}, 2);
}

static void files_and_tables_of_duckdb(void **state) {
  (void)state;
  tally files = {0}, tables = {0};
  size_t rounds = getenv("TACIT_QUICK") ? 2 : 5;
  for (size_t k = 0; k < rounds; k++) {
    write_file("a.parquet", k % 2 ? 2048 : 100000, 2 * k, k % 3 ? 40 : 200);
    write_file("b.parquet", k % 2 ? 2048 : 100000, 2 * k + 1, k % 3 ? 40 : 200);
    write_database("a.duckdb", "a.parquet");
    write_database("b.duckdb", "b.parquet");
    for (uint64_t q = 0; q < 12; q++) {
      compare(&(pair){{"'a.parquet'", "'b.parquet'"}, {NULL, NULL}}, 100 * k + q, false, &files);
      compare(&(pair){{"records", "records"}, {"a.duckdb", "b.duckdb"}}, 100 * k + q, false, &tables);
    }
  }
  printf("files %zu, tables %zu queries\n", files.compared, tables.compared);
}

/* Values of an ENUM have the order in which they were listed, perhaps from records. They are compared as
 * text. */
static void enums_have_no_order_of_their_own(void **state) {
  (void)state;
  static const char *const ORDERS[] = {"'a', 'b', 'c'", "'c', 'b', 'a'", "'b', 'c', 'a'"};
  for (size_t i = 0; i < 3; i++) {
    char type[128];
    snprintf(type, sizeof type, "CREATE TYPE kind AS ENUM (%s)", ORDERS[i]);
    unlink("enum.duckdb");
    duckdb_make("enum.duckdb",
                (const char *const[]){
                    type, "CREATE TABLE t AS SELECT k::kind AS k FROM (VALUES ('a'), ('b'), ('c')) AS v(k)"},
                2);
    tacit_source *source;
    tacit_error error;
    assert_int_equal(
        tacit_source_sql("enum.duckdb",
                         "SELECT k < 'b' AS v, k BETWEEN 'b' AND 'c' AS w, least(k, 'b') AS l FROM t", false,
                         &source, &error),
        TACIT_OK);
    char *rows = rows_of(source, &error);
    assert_string_equal(rows, "1|0|a|\n0|1|b|\n0|1|b|\n");
    free(rows);
  }
}

/* The first 600 rows of SELECT `value` FROM a file [WHERE `condition`], to be freed; "" where it has fewer.
 */
static char *nan_rows(const char *value, const char *condition, int other, bool direct) {
  char query[1000];
  tacit_source *source;
  tacit_error error;
  snprintf(query, sizeof query, "SELECT %s AS y FROM '%s/nan-%d.parquet'%s%s", value, TACIT_TEST_FILES, other,
           *condition ? " WHERE " : "", condition);
  assert_int_equal(tacit_source_sql(NULL, query, direct, &source, &error), TACIT_OK);
  char *rows = rows_of(source, &error), *end = rows;
  assert_non_null(rows);
  for (size_t k = 0; k < 600 && end; k++) end = strchr(end + (k > 0), '\n');
  *(end ? end : rows) = 0;
  return rows;
}

/* Two files of 600 NaN and then one number, 3 or 6, which is all that their statistics speak of. NaN is above
   all numbers, so that every condition here holds for it. */
static void statistics_decide_nothing(void **state) {
  (void)state;
  static const char *const QUERIES[][2] = {{"CASE WHEN x > 5 THEN 10 ELSE 0 END", ""},
                                           {"x", "x > 5"},
                                           {"x", "NOT x <= 5"},
                                           {"x < 5", ""},
                                           {"x = 3", ""},
                                           {"x", "x BETWEEN 5 AND 1e9 OR x > 1e9"},
                                           {"x", "x IN (6, 7) OR isnan(x)"},
                                           {"x", ""}};
  size_t found = 0, count = sizeof QUERIES / sizeof *QUERIES;
  for (size_t q = 0; q < count; q++)
    for (size_t direct = 0; direct < 2; direct++) {
      char *one = nan_rows(QUERIES[q][0], QUERIES[q][1], 3, direct);
      char *other = nan_rows(QUERIES[q][0], QUERIES[q][1], 6, direct);
      bool same = *one && !strcmp(one, other);
      if (direct)
        found += !same;
      else if (!same)
        fail_msg("%s, %s", QUERIES[q][0], QUERIES[q][1]);
      free(one);
      free(other);
    }
  printf("computed by DuckDB, %zu of %zu depend on the other record\n", found, count);
  assert_true(found >= 2); /* or the test has lost its teeth */
}

/* A table's records, read once. */
typedef struct kept {
  tacit_source base;
  tacit_source *file; /* for its names */
  tacit_cell *cells;
  size_t count, at;
} kept;

static tacit_status kept_next(tacit_source *source, tacit_cell *cells, bool *more, tacit_error *error) {
  kept *k = (kept *)source;
  (void)error;
  *more = k->at < k->count;
  if (*more) memcpy(cells, k->cells + k->at++ * source->columns, source->columns * sizeof *cells);
  return TACIT_OK;
}

static void kept_close(tacit_source *source) {
  ((kept *)source)->at = 0; /* to be read again */
}

static void keep(kept *k, const char *path) {
  tacit_error error;
  size_t capacity = 0;
  *k = (kept){.base = {.next = kept_next, .close = kept_close}};
  if (tacit_source_open(path, &k->file, &error) != TACIT_OK) fail_msg("%s: %s", path, error.text);
  size_t columns = k->base.columns = k->file->columns;
  k->base.names = k->file->names;
  k->base.header.declared = k->file->header.declared;
  for (bool more = true; more;) {
    k->cells = tacit_grow(k->cells, &capacity, (k->count + 1) * columns, sizeof *k->cells);
    tacit_cell *cells = k->cells + k->count * columns;
    assert_int_equal(k->file->next(k->file, cells, &more, &error), TACIT_OK);
    for (size_t j = 0; more && j < columns; j++)
      if (cells[j].text) cells[j].text = tacit_copy_text(cells[j].text, cells[j].length);
    k->count += more;
  }
}

static void drop(kept *k) {
  for (size_t i = 0; i < k->count * k->base.columns; i++) free((char *)k->cells[i].text);
  free(k->cells);
  tacit_source_free(k->file);
}

static char *kept_rows(kept *k, uint64_t seed) {
  tacit_query *query;
  tacit_source *source;
  tacit_error error;
  char *text = random_query(seed, "t");
  tacit_status status = tacit_query_parse(text, &query, &error);
  if (status == TACIT_OK) status = tacit_source_select(&k->base, query, &source, &error);
  if (status != TACIT_OK) fail_msg("%s: %s", text, error.text);
  free(text);
  return shared_rows_of(source);
}

static int search(const char *root, size_t tables, size_t queries) {
  tally ours = {0}, theirs = {0};
  for (size_t k = 0; k < tables; k++) {
    char names[2][400], paths[2][400];
    kept records[2];
    for (size_t side = 0; side < 2; side++) {
      snprintf(paths[side], sizeof paths[side], "%s/%zu.%c.parquet", root, k, "ab"[side]);
      snprintf(names[side], sizeof names[side], "'%s/%zu.%c.parquet'", root, k, "ab"[side]);
      keep(&records[side], paths[side]);
    }
    const pair files = {{names[0], names[1]}, {NULL, NULL}};
    compare(&files, 1000003 * k, false, &ours);
    if (k % 3 == 0) /* the writer that leaves NaN out */
      for (size_t q = 0; q < 4; q++) compare(&files, 1000003 * k + q, true, &theirs);
    for (size_t q = 1; q < queries; q++) {
      char *a = kept_rows(&records[0], 1000003 * k + q), *b = kept_rows(&records[1], 1000003 * k + q);
      ours.compared++;
      if (!a || !b || strcmp(a, b) != 0) fail_msg("%s, query %zu:\n%s\n%s", paths[0], q, a, b);
      free(a);
      free(b);
    }
    drop(&records[0]);
    drop(&records[1]);
  }
  printf(
      "%zu queries compared, none differs; computed by DuckDB itself %zu of %zu differ, %zu were refused\n",
      ours.compared, theirs.differed, theirs.compared, theirs.refused);
  return theirs.differed == 0;
}

int main(int argc, char **argv) {
  if (argc == 4) return search(argv[1], strtoul(argv[2], NULL, 10), strtoul(argv[3], NULL, 10));
  if (!duckdb_begin()) return 77;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(files_and_tables_of_duckdb),
      cmocka_unit_test(enums_have_no_order_of_their_own),
      cmocka_unit_test(statistics_decide_nothing),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  duckdb_end();
  return failed;
}
