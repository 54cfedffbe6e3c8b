/* The rows of a SELECT. Either the query keeps one record one row, which is checked, or the caller declares
   that a unit is a row of its result (proofs/sql.md). */
#define _GNU_SOURCE /* strcasestr */
#include "base/base.h"
#include "data/duckdb_source.h"
#include "data/sql_tree.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Functions that look at one row, always say the same of it, and of nothing else. DuckDB's own catalogue is
   asked as well: whoever redefines one of them in a database is refused. */
static const char *const FUNCTIONS[] = {"+",           "-",          "*",        "/",
                                        "//",          "%",          "**",       "^",
                                        "||",          "~~",         "!~~",      "~~*",
                                        "!~~*",        "abs",        "ceil",     "ceiling",
                                        "floor",       "round",      "trunc",    "sign",
                                        "sqrt",        "cbrt",       "exp",      "ln",
                                        "log",         "log2",       "log10",    "pow",
                                        "power",       "mod",        "sin",      "cos",
                                        "tan",         "atan",       "atan2",    "least",
                                        "greatest",    "nullif",     "if",       "isnan",
                                        "isfinite",    "isinf",      "lower",    "upper",
                                        "lcase",       "ucase",      "trim",     "ltrim",
                                        "rtrim",       "length",     "strlen",   "left",
                                        "right",       "substring",  "substr",   "replace",
                                        "concat",      "contains",   "prefix",   "suffix",
                                        "starts_with", "ends_with",  "lpad",     "rpad",
                                        "year",        "month",      "day",      "hour",
                                        "minute",      "second",     "quarter",  "week",
                                        "dayofweek",   "weekofyear", "yearweek", "weekday",
                                        "isodow",      "dayofyear",  "dayname",  "monthname",
                                        "last_day",    "date_part",  "datepart", "date_trunc",
                                        "datetrunc",   "date_diff",  "datediff", "make_date",
                                        "epoch",       "strftime",   "strptime", "regexp_matches",
                                        "try_strptime"};

typedef struct query {
  tacit_duckdb *duckdb;
  char *text; /* without a semicolon at its end */
  json_t *tree;
  const json_t *select;
  tacit_sql_shape shape;
  bool database;
  tacit_answer others; /* names of functions that are not built-ins of one row */
  bool *computed;
  size_t results;
} query;

static tacit_status check_function(void *user, const char *name, tacit_error *error) {
  query *q = user;
  bool known = false;
  for (size_t i = 0; i < sizeof FUNCTIONS / sizeof *FUNCTIONS; i++) known |= !strcmp(name, FUNCTIONS[i]);
  if (!known)
    return tacit_fail(error, TACIT_REFUSED,
                      "the function %.60s is not among those known to look at one row alone (docs/sql.md); "
                      "with --result-rows and --adjacency add-remove the promise is about rows of the result "
                      "instead",
                      name);
  bool own = false;
  if (!q->others.columns)
    TACIT_TRY(tacit_duckdb_ask(
        q->duckdb,
        "SELECT DISTINCT function_name FROM system.main.duckdb_functions() WHERE NOT (internal AND "
        "(function_type = 'scalar' OR function_name IN ('nullif', 'if')))",
        NULL, &q->others, NULL, error));
  if (q->others.columns != 1)
    return tacit_fail(error, TACIT_REFUSED, "DuckDB does not say which functions it has");
  for (size_t i = 0; i < q->others.rows; i++) own |= !strcmp(name, q->others.cells[i]);
  if (!own) return TACIT_OK;
  return tacit_fail(error, TACIT_REFUSED, "DuckDB's %.60s is no function of one row alone", name);
}

/* Functions that the database itself defines could stand in for DuckDB's own everywhere: in the query, in
   what a table computes, and in the questions below. Nothing in this one can be redefined. */
static tacit_status refuse_own_functions(const query *q, tacit_error *error) {
  tacit_answer own;
  TACIT_TRY(tacit_duckdb_ask(q->duckdb,
                             "SELECT function_name FROM system.main.duckdb_functions() WHERE NOT internal",
                             NULL, &own, NULL, error));
  bool none = own.columns == 1 && own.rows == 0;
  tacit_answer_free(&own);
  if (none) return TACIT_OK;
  return tacit_fail(
      error, TACIT_REFUSED,
      "the database defines functions (macros) of its own, which may stand in for DuckDB's; drop them, or "
      "export the table to Parquet and select from that");
}

static tacit_status parse(query *q, tacit_error *error) {
  tacit_answer answer;
  tacit_status status =
      tacit_duckdb_ask(q->duckdb, "SELECT CAST(json_serialize_sql(CAST($1 AS VARCHAR)) AS VARCHAR)", q->text,
                       &answer, NULL, error);
  if (status == TACIT_BAD_INPUT)
    return tacit_fail(
        error, TACIT_USAGE,
        "this DuckDB library cannot give a query's syntax tree (json_serialize_sql); it needs its "
        "json functions built in");
  if (status != TACIT_OK) return status;
  if (answer.rows == 1) q->tree = json_loads(answer.cells[0], JSON_DECODE_INT_AS_REAL, NULL);
  tacit_answer_free(&answer);
  if (!q->tree) return tacit_fail(error, TACIT_INTERNAL, "DuckDB's syntax tree of the query cannot be read");
  return tacit_sql_select(q->tree, &q->select, error);
}

/* The text without what ends a statement. */
static char *trimmed(const char *text) {
  size_t length = strlen(text);
  while (length > 0 && strchr("; \t\r\n", text[length - 1])) length--;
  return tacit_copy_text(text, length);
}

/* The query as its tree says it: what is checked, and then run, has nothing in it that a tree would not show.
 */
static tacit_status rewrite(query *q, tacit_error *error) {
  tacit_answer answer;
  tacit_status status = tacit_duckdb_ask(
      q->duckdb, "SELECT CAST(json_deserialize_sql(json_serialize_sql(CAST($1 AS VARCHAR))) AS VARCHAR)",
      q->text, &answer, NULL, error);
  if (status == TACIT_BAD_INPUT)
    return tacit_fail(error, TACIT_REFUSED, "DuckDB cannot write the query down again as it understood it");
  if (status != TACIT_OK) return status;
  char *again = answer.rows == 1 ? trimmed(answer.cells[0]) : NULL;
  tacit_answer_free(&answer);
  if (!again) return tacit_no_memory(error);
  free(q->text);
  json_decref(q->tree);
  q->text = again;
  q->tree = NULL;
  return parse(q, error);
}

/* A statement about the query's table: `before`, its name, and the rest. */
static tacit_status about_table(const query *q, const char *before, const char *after, const char *select,
                                const char *end, tacit_answer *answer, tacit_error *error) {
  tacit_words w = {0};
  tacit_words_add(&w, before);
  tacit_words_quote(&w, q->shape.table, '"');
  tacit_words_add(&w, after);
  tacit_words_add(&w, select);
  tacit_words_add(&w, end);
  tacit_status status =
      w.failed ? tacit_no_memory(error) : tacit_duckdb_ask(q->duckdb, w.text, NULL, answer, NULL, error);
  free(w.text);
  return status;
}

/* What the query's one table is: a table of the database, or a file by its name. *select gives its records.
 */
static tacit_status find_table(const query *q, char **select, tacit_error *error) {
  const char *name = q->shape.table;
  if (!q->database) {
    struct stat about;
    if (tacit_duckdb_declares(name)) return tacit_duckdb_scan(q->duckdb, name, select, error);
    if (tacit_duckdb_reads(name))
      return tacit_fail(
          error, TACIT_REFUSED,
          "the columns of a JSON file are its records' keys, so that one record can change what a "
          "query means for all others; fit the file as it is, or turn it into Parquet");
    return tacit_fail(error, TACIT_BAD_INPUT, "FROM must name a file that ends in .parquet%s",
                      stat(name, &about) == 0 ? "; DuckDB would guess the columns of other files from records"
                                              : ", or TABLE the DuckDB database");
  }
  tacit_answer tables;
  TACIT_TRY(
      tacit_duckdb_ask(q->duckdb,
                       "SELECT sql FROM system.main.duckdb_tables() WHERE lower(table_name) = lower($1) "
                       "AND NOT internal AND schema_name = 'main'",
                       name, &tables, NULL, error));
  bool found = tables.columns == 1 && tables.rows == 1;
  bool computes = found && strcasestr(tables.cells[0], "generated"); /* or a name or default that says so */
  tacit_answer_free(&tables);
  if (computes)
    return tacit_fail(error, TACIT_REFUSED,
                      "the table \"%.100s\" computes some of its columns (GENERATED); give them in the query "
                      "instead, from a table without them",
                      name);
  if (!found)
    return tacit_fail(
        error, TACIT_BAD_INPUT,
        "the database has no table \"%.100s\" in its schema main; a view may be anything, so give "
        "the table it is made from, or leave TABLE out and name a file: FROM 'sales.parquet'",
        name);
  tacit_words w = {0};
  tacit_words_add(&w, "SELECT * FROM ");
  tacit_words_quote(&w, name, '"');
  if (w.failed) return tacit_no_memory(error);
  *select = w.text;
  return TACIT_OK;
}

/* The query against a table of the same columns without a record: DuckDB's words about it can quote none. */
static tacit_status bind(query *q, tacit_error *error) {
  tacit_words w = {0};
  tacit_answer described;
  char *why = NULL;
  tacit_words_add(&w, "SELECT column_name FROM (DESCRIBE ");
  tacit_words_add(&w, q->text);
  tacit_words_add(&w, "\n)");
  tacit_status status =
      w.failed ? tacit_no_memory(error) : tacit_duckdb_ask(q->duckdb, w.text, NULL, &described, &why, error);
  if (why) why[strcspn(why, "\n")] = 0;
  if (why && strcasestr(why, "enum")) *why = 0; /* a type may list values that were found in records */
  if (status == TACIT_BAD_INPUT)
    status = tacit_fail(error, TACIT_BAD_INPUT, "the query does not fit its table: %.350s", why ? why : "");
  if (status == TACIT_OK && described.rows != q->results)
    status = tacit_fail(error, TACIT_INTERNAL, "the query has other columns than expected");
  if (status == TACIT_OK) tacit_answer_free(&described);
  free(why);
  free(w.text);
  return status;
}

static tacit_status check_rows(query *q, tacit_error *error) {
  tacit_answer columns;
  const json_t *node = json_object_get(q->select, "node"), *from = json_object_get(node, "from_table");
  TACIT_TRY(about_table(q, "SELECT column_name FROM (DESCRIBE SELECT * FROM ", ")", "", "", &columns, error));
  const char *alias = json_string_value(json_object_get(from, "alias"));
  const tacit_sql_names names = {.table = q->shape.table,
                                 .alias = alias ? alias : "",
                                 .columns = (const char *const *)columns.cells,
                                 .count = columns.rows,
                                 .check_function = check_function,
                                 .user = q};
  size_t most = json_array_size(json_object_get(node, "select_list")) * (columns.rows + 1);
  q->computed = tacit_alloc(most, sizeof *q->computed);
  tacit_status status = q->computed
                            ? tacit_sql_check_rows(q->select, &names, q->computed, most, &q->results, error)
                            : tacit_no_memory(error);
  tacit_answer_free(&columns);
  return status;
}

/* One record stays one row: the query's shape, its expressions, and for DuckDB's own words an empty table in
   the place of the real one, which then takes it again. */
static tacit_status prove(query *q, tacit_error *error) {
  char *select = NULL;
  tacit_answer none;
  TACIT_TRY(rewrite(q, error));
  TACIT_TRY(tacit_sql_shape_of(q->select, &q->shape, error));
  TACIT_TRY(find_table(q, &select, error));
  tacit_status status =
      about_table(q, "CREATE TEMP TABLE ", " AS SELECT * FROM (", select, ") LIMIT 0", &none, error);
  if (status == TACIT_BAD_INPUT)
    status = tacit_fail(error, TACIT_BAD_INPUT, "%.200s: DuckDB cannot read it; %s", q->shape.table,
                        TACIT_DUCKDB_WITHHELD);
  if (status == TACIT_OK) status = check_rows(q, error);
  if (status == TACIT_OK) status = bind(q, error);
  if (status == TACIT_OK) status = about_table(q, "DROP TABLE temp.", "", "", "", &none, error);
  if (status == TACIT_OK && !q->database)
    status = about_table(q, "CREATE TEMP VIEW ", " AS ", select, "", &none, error);
  free(select);
  return status;
}

static tacit_status open_query(query *q, const char *database, const char *text, bool result_rows,
                               tacit_error *error) {
  q->database = database != NULL;
  q->text = trimmed(text);
  if (!q->text) return tacit_no_memory(error);
  TACIT_TRY(tacit_duckdb_open(database, &q->duckdb, error));
  if (!result_rows) TACIT_TRY(tacit_duckdb_plainly(q->duckdb, error));
  if (q->database && !result_rows) TACIT_TRY(refuse_own_functions(q, error));
  return parse(q, error);
}

tacit_status tacit_source_sql(const char *database, const char *text, bool result_rows, tacit_source **source,
                              tacit_error *error) {
  *source = NULL;
  query q = {0};
  tacit_status status = open_query(&q, database, text, result_rows, error);
  if (status == TACIT_OK && !result_rows) status = prove(&q, error);
  if (status == TACIT_OK) {
    tacit_duckdb *duckdb = q.duckdb;
    q.duckdb = NULL; /* the source's, from here on */
    status = tacit_source_duckdb(duckdb, q.text, "the query", q.computed, source, error);
  }
  if (status == TACIT_OK) {
    (*source)->queried = true;
    (*source)->rows_are = result_rows        ? TACIT_ROW_RESULT
                          : q.shape.filtered ? TACIT_ROW_CHOSEN
                                             : TACIT_ROW_RECORD;
  }
  tacit_answer_free(&q.others);
  tacit_duckdb_close(q.duckdb);
  json_decref(q.tree);
  free(q.text);
  free(q.computed);
  return status;
}
