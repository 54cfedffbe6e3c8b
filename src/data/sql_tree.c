/* Whether a query keeps one record one row.

   The tree is read by a list of what is allowed: a class of expressions, an operator, a function or a member
   that is not on it is refused, so that what a later DuckDB adds is refused until somebody has thought about
   it. A member that is not known must be empty. */
#include "data/sql_tree.h"

#include "base/base.h"

#include <string.h>
#include <strings.h>

#define NOT_ROWWISE                                                                                          \
  "; with --result-rows and --adjacency add-remove the promise is about rows of the result instead"

typedef struct walk {
  const tacit_sql_names *names;
  tacit_error *error;
} walk;

/* null, false, "", [], {}, and objects of such; their type says nothing. */
static bool is_empty(const json_t *json) {
  const char *key;
  json_t *member;
  if (json_is_object(json)) {
    json_object_foreach((json_t *)json, key,
                        member) if (strcmp(key, "type") != 0 && !is_empty(member)) return false;
    return true;
  }
  if (json_is_string(json)) return json_string_length(json) == 0;
  return json_is_null(json) || json_is_false(json) || (json_is_array(json) && json_array_size(json) == 0);
}

static bool listed(const char *name, const char *const *list, size_t count) {
  for (size_t i = 0; name && i < count; i++)
    if (!strcmp(name, list[i])) return true;
  return false;
}
#define LISTED(name, list) listed(name, list, sizeof(list) / sizeof *(list))

static const char *text_of(const json_t *json, const char *key) {
  const char *text = json_string_value(json_object_get(json, key));
  return text ? text : "";
}

/* What people call a member. */
static const char *said(const char *key) {
  static const char *const WORDS[][2] = {{"modifiers", "DISTINCT, ORDER BY or LIMIT"},
                                         {"cte_map", "WITH"},
                                         {"sample", "SAMPLE"},
                                         {"group_expressions", "GROUP BY"},
                                         {"group_sets", "GROUP BY"},
                                         {"having", "HAVING"},
                                         {"qualify", "QUALIFY"},
                                         {"named_param_map", "parameter"},
                                         {"schema_name", "schema"},
                                         {"catalog_name", "database"},
                                         {"columns", "COLUMNS"},
                                         {"exclude_list", "EXCLUDE"},
                                         {"qualified_exclude_list", "EXCLUDE"},
                                         {"replace_list", "REPLACE"},
                                         {"rename_list", "RENAME"},
                                         {"distinct", "DISTINCT"},
                                         {"filter", "FILTER"},
                                         {"order_bys", "ORDER BY"}};
  for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
    if (!strcmp(key, WORDS[i][0])) return WORDS[i][1];
  return key;
}

/* The members that an object has beyond those named must be empty. */
static tacit_status only(const json_t *json, const char *const *known, size_t count, const char *what,
                         tacit_error *error) {
  static const char *const ALWAYS[] = {"class", "type", "alias", "query_location", "query_location_length"};
  const char *key;
  json_t *member;
  json_object_foreach((json_t *)json, key, member) {
    if (LISTED(key, ALWAYS) || listed(key, known, count) || is_empty(member)) continue;
    return tacit_fail(error, TACIT_REFUSED, "%.40s (in the query's %s) may not keep one record one row%s",
                      said(key), what, NOT_ROWWISE);
  }
  return TACIT_OK;
}
#define ONLY(json, known, what, error) only(json, known, sizeof(known) / sizeof *(known), what, error)

tacit_status tacit_sql_select(const json_t *tree, const json_t **select, tacit_error *error) {
  const json_t *statements = json_object_get(tree, "statements");
  if (json_is_true(json_object_get(tree, "error")))
    return tacit_fail(error, TACIT_BAD_INPUT, "the query is not understood: %.300s",
                      text_of(tree, "error_message"));
  if (json_array_size(statements) != 1)
    return tacit_fail(error, TACIT_BAD_INPUT, "the query must be one SELECT");
  *select = json_array_get(statements, 0);
  static const char *const KNOWN[] = {"node"};
  return ONLY(*select, KNOWN, "parameters", error);
}

/* A name that DuckDB also gives as a path: the name alone, or in the built-in schema. */
static bool is_path_of(const json_t *qualified, const char *name) {
  const json_t *path = json_object_get(qualified, "path");
  size_t n = json_array_size(path);
  if (!qualified) return true;
  const char *last = n ? json_string_value(json_array_get(path, n - 1)) : NULL;
  const char *first = n ? json_string_value(json_array_get(path, 0)) : NULL;
  return last && !strcmp(last, name) && (n == 1 || (n == 2 && first && !strcmp(first, "main")));
}

tacit_status tacit_sql_shape_of(const json_t *select, tacit_sql_shape *shape, tacit_error *error) {
  static const char *const NODE[] = {"select_list", "from_table", "where_clause", "aggregate_handling"};
  static const char *const FROM[] = {"table_name", "qualified_name"};
  const json_t *node = json_object_get(select, "node"), *from = json_object_get(node, "from_table");
  *shape = (tacit_sql_shape){.filtered = !is_empty(json_object_get(node, "where_clause"))};
  if (strcmp(text_of(node, "type"), "SELECT_NODE") != 0)
    return tacit_fail(error, TACIT_REFUSED,
                      "the query joins several SELECTs, and may not keep one record one row%s", NOT_ROWWISE);
  TACIT_TRY(ONLY(node, NODE, "SELECT", error));
  if (strcmp(text_of(node, "aggregate_handling"), "STANDARD_HANDLING") != 0)
    return tacit_fail(error, TACIT_REFUSED, "the query groups records%s", NOT_ROWWISE);
  shape->table = text_of(from, "table_name");
  if (strcmp(text_of(from, "type"), "BASE_TABLE") != 0 || !*shape->table)
    return tacit_fail(error, TACIT_REFUSED,
                      "the query does not select from one table or file by its name (a join, a subquery, a "
                      "function), and may not keep one record one row%s",
                      NOT_ROWWISE);
  TACIT_TRY(ONLY(from, FROM, "FROM", error));
  if (is_path_of(json_object_get(from, "qualified_name"), shape->table)) return TACIT_OK;
  return tacit_fail(error, TACIT_REFUSED, "name the table without its schema or database");
}

static tacit_status check(const walk *w, const json_t *e);

static tacit_status check_all(const walk *w, const json_t *list) {
  for (size_t i = 0; i < json_array_size(list); i++) TACIT_TRY(check(w, json_array_get(list, i)));
  return TACIT_OK;
}

/* Only what the table itself lists: names that DuckDB adds (rowid, file_row_number) tell of other records. */
static tacit_status check_column(const walk *w, const json_t *e) {
  static const char *const KNOWN[] = {"column_names"};
  const json_t *path = json_object_get(e, "column_names");
  size_t n = json_array_size(path);
  const char *name = n ? json_string_value(json_array_get(path, n - 1)) : NULL;
  const char *of = n == 2 ? json_string_value(json_array_get(path, 0)) : NULL;
  TACIT_TRY(ONLY(e, KNOWN, "columns", w->error));
  bool ours = n == 1 || (of && !strcasecmp(of, *w->names->alias ? w->names->alias : w->names->table));
  for (size_t j = 0; name && ours && j < w->names->count; j++)
    if (!strcasecmp(name, w->names->columns[j])) return TACIT_OK;
  return tacit_fail(w->error, TACIT_REFUSED, "the query's table has no column \"%.100s\"", name ? name : "");
}

static tacit_status check_function(const walk *w, const json_t *e) {
  static const char *const KNOWN[] = {"function_name", "schema",    "children",
                                      "is_operator",   "arguments", "qualified_name"};
  const char *name = text_of(e, "function_name"), *schema = text_of(e, "schema");
  TACIT_TRY(ONLY(e, KNOWN, "functions", w->error));
  if ((*schema && strcmp(schema, "main") != 0) || !is_path_of(json_object_get(e, "qualified_name"), name))
    return tacit_fail(w->error, TACIT_REFUSED, "name the function %.60s without its schema", name);
  TACIT_TRY(w->names->check_function(w->names->user, name, w->error));
  const json_t *arguments = json_object_get(e, "arguments");
  static const char *const ARGUMENT[] = {"expression"};
  for (size_t i = 0; i < json_array_size(arguments); i++) {
    TACIT_TRY(ONLY(json_array_get(arguments, i), ARGUMENT, "arguments", w->error));
    TACIT_TRY(check(w, json_object_get(json_array_get(arguments, i), "expression")));
  }
  return check_all(w, json_object_get(e, "children"));
}

static tacit_status check_operator(const walk *w, const json_t *e) {
  static const char *const KNOWN[] = {"children"};
  static const char *const ROWWISE[] = {"OPERATOR_NOT",   "OPERATOR_IS_NULL", "OPERATOR_IS_NOT_NULL",
                                        "COMPARE_IN",     "COMPARE_NOT_IN",   "OPERATOR_COALESCE",
                                        "OPERATOR_NULLIF"};
  TACIT_TRY(ONLY(e, KNOWN, "operators", w->error));
  if (!LISTED(text_of(e, "type"), ROWWISE))
    return tacit_fail(w->error, TACIT_REFUSED,
                      "the query has an operator (%.40s) that is not known to look at one row%s",
                      text_of(e, "type"), NOT_ROWWISE);
  return check_all(w, json_object_get(e, "children"));
}

static tacit_status check_case(const walk *w, const json_t *e) {
  static const char *const KNOWN[] = {"case_checks", "else_expr"}, *const ARM[] = {"when_expr", "then_expr"};
  const json_t *arms = json_object_get(e, "case_checks");
  TACIT_TRY(ONLY(e, KNOWN, "CASE", w->error));
  for (size_t i = 0; i < json_array_size(arms); i++) {
    const json_t *arm = json_array_get(arms, i);
    TACIT_TRY(ONLY(arm, ARM, "CASE", w->error));
    TACIT_TRY(check(w, json_object_get(arm, "when_expr")));
    TACIT_TRY(check(w, json_object_get(arm, "then_expr")));
  }
  return check(w, json_object_get(e, "else_expr"));
}

/* Classes whose members are expressions, lists of them, or say nothing about rows. */
static const struct {
  const char *class, *expressions[3], *lists[1], *other[3];
} CLASSES[] = {{"CONSTANT", {NULL}, {NULL}, {"value", "literal"}},
               {"COMPARISON", {"left", "right"}, {NULL}, {NULL}},
               {"CONJUNCTION", {NULL}, {"children"}, {NULL}},
               {"BETWEEN", {"input", "lower", "upper"}, {NULL}, {NULL}},
               {"CAST", {"child", "type_expr"}, {NULL}, {"cast_type", "try_cast"}},
               {"TYPE", {NULL}, {"children"}, {"type_name", "qualified_name", "schema"}}};

static tacit_status check(const walk *w, const json_t *e) {
  const char *class = text_of(e, "class");
  if (!e) return TACIT_OK; /* a member that this version of DuckDB does not have */
  if (!strcmp(class, "COLUMN_REF")) return check_column(w, e);
  if (!strcmp(class, "FUNCTION")) return check_function(w, e);
  if (!strcmp(class, "OPERATOR")) return check_operator(w, e);
  if (!strcmp(class, "CASE")) return check_case(w, e);
  for (size_t i = 0; i < sizeof CLASSES / sizeof *CLASSES; i++) {
    if (strcmp(class, CLASSES[i].class) != 0) continue;
    const char *known[7] = {0};
    size_t n = 0;
    for (size_t k = 0; k < 3 && CLASSES[i].expressions[k]; k++) known[n++] = CLASSES[i].expressions[k];
    if (CLASSES[i].lists[0]) known[n++] = CLASSES[i].lists[0];
    for (size_t k = 0; k < 3 && CLASSES[i].other[k]; k++) known[n++] = CLASSES[i].other[k];
    TACIT_TRY(only(e, known, n, "expressions", w->error));
    for (size_t k = 0; k < 3 && CLASSES[i].expressions[k]; k++)
      TACIT_TRY(check(w, json_object_get(e, CLASSES[i].expressions[k])));
    return CLASSES[i].lists[0] ? check_all(w, json_object_get(e, CLASSES[i].lists[0])) : TACIT_OK;
  }
  return tacit_fail(w->error, TACIT_REFUSED,
                    "the query has an expression (%.40s) that is not known to look at one row%s",
                    *class ? class : "of an unknown class", NOT_ROWWISE);
}

tacit_status tacit_sql_check_rows(const json_t *select, const tacit_sql_names *names, bool *computed,
                                  size_t most, size_t *results, tacit_error *error) {
  static const char *const STAR[] = {"relation_name"};
  const json_t *node = json_object_get(select, "node"), *list = json_object_get(node, "select_list");
  const json_t *where = json_object_get(node, "where_clause");
  const walk w = {names, error};
  *results = 0;
  for (size_t i = 0; i < json_array_size(list); i++) {
    const json_t *e = json_array_get(list, i);
    bool star = !strcmp(text_of(e, "class"), "STAR"), column = !strcmp(text_of(e, "class"), "COLUMN_REF");
    TACIT_TRY(star ? ONLY(e, STAR, "*", error) : check(&w, e));
    for (size_t k = star ? names->count : 1; k > 0; k--) {
      if (*results == most)
        return tacit_fail(error, TACIT_INTERNAL, "the query has other columns than expected");
      computed[(*results)++] = !star && !column;
    }
  }
  return is_empty(where) ? TACIT_OK : check(&w, where);
}
