/* Expressions of one record: what a query may select, and what WHERE may ask (docs/sql.md has the grammar).

   An expression sees the cells of one record and nothing else, so that whatever it says is row-wise by its
   construction (proofs/sql.md). */
#ifndef TACIT_SRC_EXPRESSION_H
#define TACIT_SRC_EXPRESSION_H

#include "source/value.h"

/* One record, and what went wrong while its expressions were computed. */
typedef struct tacit_evaluation {
  const tacit_cell *cells;
  const tacit_declared *declared; /* of each column; NULL: nothing of all */
  const tacit_source *records;    /* whose cells they are, for how numbers are written; NULL: with a point */
  tacit_scratch scratch;
  const char *trouble; /* why the record has to be refused, in static words; NULL: nothing is wrong */
} tacit_evaluation;

/* A function of values. It is called with nulls only if it says so; otherwise one null makes its value null.
   Either `body`, or `math` for one number. */
typedef struct tacit_function {
  const char *name;
  size_t least, most; /* arguments */
  tacit_value (*body)(const tacit_value *arguments, size_t count, tacit_evaluation *evaluation);
  double (*math)(double);
  bool nulls;
  bool orders; /* says which of two comes first: dates are then compared with dates alone */
} tacit_function;
/* By a name in any case, operators by their sign; NULL for a name that is none. */
const tacit_function *tacit_function_find(const char *name, size_t length);

/* Each file of functions has one list, ended by a name that is NULL. */
extern const tacit_function tacit_logic_functions[], tacit_number_functions[], tacit_text_functions[],
    tacit_date_functions[];

/* What CAST makes. */
typedef enum tacit_cast_kind {
  TACIT_CAST_NUMBER,
  TACIT_CAST_SINGLE,  /* rounded to single precision */
  TACIT_CAST_DECIMAL, /* rounded to so many digits behind the point */
  TACIT_CAST_INTEGER, /* of so many bits */
  TACIT_CAST_TEXT,
  TACIT_CAST_TRUTH,
  TACIT_CAST_DATE,
  TACIT_CAST_MOMENT
} tacit_cast_kind;
typedef struct tacit_cast {
  tacit_cast_kind kind;
  int digits; /* of a decimal; bits of an integer */
  bool try;   /* null where there is no value */
} tacit_cast;
/* The type by its name in SQL; false for one that is not known. */
bool tacit_cast_find(const char *name, size_t length, tacit_cast *cast);
/* False where the value has no such form. */
bool tacit_cast_value(const tacit_cast *cast, const tacit_value *value, tacit_evaluation *evaluation,
                      tacit_value *out);

typedef enum tacit_node_kind {
  TACIT_NODE_CONSTANT,
  TACIT_NODE_COLUMN,
  TACIT_NODE_CALL,
  TACIT_NODE_AND,
  TACIT_NODE_OR,
  TACIT_NODE_CASE, /* [operand,] when, then, when, then, ..., else */
  TACIT_NODE_COALESCE,
  TACIT_NODE_CAST
} tacit_node_kind;

typedef struct tacit_node {
  tacit_node_kind kind;
  tacit_value constant;
  char *name, *table; /* of a column: as written, and what stood before the point (NULL: nothing) */
  size_t column;      /* its place, once it is bound */
  const tacit_function *function;
  tacit_cast cast;
  bool operand; /* of a CASE */
  struct tacit_node **children;
  size_t count, capacity, depth;
} tacit_node;

void tacit_node_free(tacit_node *node); /* NULL is fine */
tacit_value tacit_node_value(const tacit_node *node, tacit_evaluation *evaluation);

/* SELECT outputs FROM one table [WHERE condition]. */
typedef struct tacit_output {
  tacit_node *node; /* NULL: all of the table's columns */
  char *name;       /* the alias, a column's own name, or the words of the expression; of all columns what
                       stood before the star, or NULL */
} tacit_output;
typedef struct tacit_query {
  tacit_output *outputs;
  size_t count, capacity;
  char *table, *alias; /* alias may be NULL */
  tacit_node *where;   /* may be NULL */
  bool whole;          /* a condition alone: its rows are records as they are */
} tacit_query;
/* TACIT_REFUSED for anything that is not in the grammar; the text quotes the query, which is no record. */
tacit_status tacit_query_parse(const char *text, tacit_query **query, tacit_error *error) TACIT_CHECKED;
/* A condition alone, as it stands behind WHERE: all columns of the records that meet it. */
tacit_status tacit_condition_parse(const char *text, tacit_query **query, tacit_error *error) TACIT_CHECKED;
void tacit_query_free(tacit_query *query); /* NULL is fine */

/* The rows of a query over the records of another source. It takes both over, also when it fails. */
tacit_status tacit_source_select(tacit_source *records, tacit_query *query, tacit_source **source,
                                 tacit_error *error) TACIT_CHECKED;

#endif
