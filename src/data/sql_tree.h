/* Whether a query keeps one record one row (proofs/sql.md), by the syntax tree that DuckDB's parser gives. */
#ifndef TACIT_SRC_SQL_TREE_H
#define TACIT_SRC_SQL_TREE_H

#include <jansson.h>
#include <tacit/base.h>

/* The one SELECT of a json_serialize_sql. TACIT_BAD_INPUT for what is none, with the parser's words: it has
   seen the query's text alone. */
tacit_status tacit_sql_select(const json_t *tree, const json_t **select, tacit_error *error) TACIT_CHECKED;

/* What is known of a row-wise query. */
typedef struct tacit_sql_shape {
  const char *table; /* the one it selects from */
  bool filtered;     /* it has a WHERE */
} tacit_sql_shape;

/* SELECT expressions FROM one table [WHERE expression], and nothing else. TACIT_REFUSED for other shapes. */
tacit_status tacit_sql_shape_of(const json_t *select, tacit_sql_shape *shape,
                                tacit_error *error) TACIT_CHECKED;

/* The table's columns, and what asks for a function: whether the name is a built-in that looks at one row. */
typedef struct tacit_sql_names {
  const char *table, *alias; /* alias: "" for none */
  const char *const *columns;
  size_t count;
  tacit_status (*check_function)(void *user, const char *name, tacit_error *error);
  void *user;
} tacit_sql_names;

/* Every expression of the query of that shape is made of the table's columns, constants, and operators and
   functions of one row. computed[j], of the result's columns in order, at most `most` of them: whether it is
   more than a column of the table as it is. TACIT_REFUSED, and what it was, for anything else. */
tacit_status tacit_sql_check_rows(const json_t *select, const tacit_sql_names *names, bool *computed,
                                  size_t most, size_t *results, tacit_error *error) TACIT_CHECKED;

#endif
