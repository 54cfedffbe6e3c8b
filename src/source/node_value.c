/* The value of an expression for one record. */
#include "schema/calendar.h"
#include "source/expression.h"

#include <math.h>
#include <string.h>

const tacit_function *tacit_function_find(const char *name, size_t length) {
  static const tacit_function *const LISTS[] = {tacit_logic_functions, tacit_number_functions,
                                                tacit_text_functions, tacit_date_functions};
  for (size_t i = 0; i < sizeof LISTS / sizeof *LISTS; i++)
    for (const tacit_function *f = LISTS[i]; f->name; f++)
      if (tacit_same_word(name, length, f->name)) return f;
  return NULL;
}

/* Outside its domain a function has no value. */
static tacit_value call_math(double (*math)(double), const tacit_value *argument) {
  double x;
  if (!tacit_value_as_number(argument, &x)) return tacit_value_null();
  double y = math(x);
  return isnan(y) && !isnan(x) ? tacit_value_null() : tacit_value_number(y);
}

static bool is_date(const tacit_value *value) {
  tacit_moment m;
  return (value->kind == TACIT_VALUE_TEXT || value->kind == TACIT_VALUE_CELL) &&
         tacit_moment_parse(value->text, value->length, &m);
}

/* What is written as a date in the query orders dates. Anything else would be compared letter by letter, as
   31.12.2011 with 2012-01-01, and nobody would notice. */
static void check_dates(const tacit_node *node, const tacit_value *arguments, tacit_evaluation *e) {
  bool asked = false, others = false;
  for (size_t i = 0; i < node->count; i++) {
    bool constant = node->children[i]->kind == TACIT_NODE_CONSTANT;
    if (constant)
      asked = asked || is_date(&arguments[i]);
    else
      others = others || (arguments[i].kind != TACIT_VALUE_NULL && !is_date(&arguments[i]));
  }
  if (asked && others && !e->trouble)
    e->trouble =
        "what is compared with a date is no date like 2024-01-31; write strptime(column, '%d.%m.%Y') "
        "for dates of another form, TRY_CAST(column AS DATE) to pass over what is none";
}

static tacit_value call(const tacit_node *node, tacit_evaluation *e) {
  const tacit_function *f = node->function;
  tacit_value few[4], *arguments = few;
  if (node->count > sizeof few / sizeof *few)
    arguments = (tacit_value *)tacit_scratch_take(&e->scratch, node->count * sizeof *arguments);
  if (!arguments) return tacit_value_null();
  for (size_t i = 0; i < node->count; i++) {
    arguments[i] = tacit_node_value(node->children[i], e);
    if (arguments[i].kind == TACIT_VALUE_NULL && !f->nulls) return tacit_value_null();
  }
  if (f->orders) check_dates(node, arguments, e);
  return f->math ? call_math(f->math, arguments) : f->body(arguments, node->count, e);
}

/* AND is no as soon as one is no, OR is yes as soon as one is yes; what remains is unknown if any was. */
static tacit_value join(const tacit_node *node, tacit_truth decides, tacit_evaluation *e) {
  bool unknown = false;
  for (size_t i = 0; i < node->count; i++) {
    tacit_value part = tacit_node_value(node->children[i], e);
    tacit_truth truth = tacit_value_as_truth(&part);
    if (truth == decides) return tacit_value_truth(decides == TACIT_YES);
    unknown |= truth == TACIT_UNKNOWN;
  }
  return unknown ? tacit_value_null() : tacit_value_truth(decides == TACIT_NO);
}

static tacit_value choose(const tacit_node *node, tacit_evaluation *e) {
  size_t i = 0, arms = node->count - 1; /* the last is ELSE */
  tacit_value operand = tacit_value_null();
  if (node->operand) operand = tacit_node_value(node->children[i++], e);
  for (; i < arms; i += 2) {
    tacit_value when = tacit_node_value(node->children[i], e);
    int order;
    bool met = node->operand ? tacit_value_compare(&operand, &when, &order) && order == 0
                             : tacit_value_as_truth(&when) == TACIT_YES;
    if (met) return tacit_node_value(node->children[i + 1], e);
  }
  return tacit_node_value(node->children[arms], e);
}

static tacit_value first_known(const tacit_node *node, tacit_evaluation *e) {
  tacit_value value = tacit_value_null();
  for (size_t i = 0; i < node->count && value.kind == TACIT_VALUE_NULL; i++)
    value = tacit_node_value(node->children[i], e);
  return value;
}

static tacit_value cast(const tacit_node *node, tacit_evaluation *e) {
  tacit_value value = tacit_node_value(node->children[0], e), made = tacit_value_null();
  if (value.kind == TACIT_VALUE_NULL || tacit_cast_value(&node->cast, &value, e, &made)) return made;
  if (!e->trouble && !node->cast.try)
    e->trouble = "a CAST has no value for it; TRY_CAST gives an empty cell there";
  return tacit_value_null();
}

/* Where numbers have a decimal comma one with a point is text. */
static tacit_value column(const tacit_node *node, const tacit_evaluation *e) {
  const tacit_cell *cell = &e->cells[node->column];
  double number;
  tacit_declared declared = e->declared ? e->declared[node->column] : TACIT_DECLARED_NOTHING;
  if (!e->records || !e->records->text.decimal_comma || !cell->text)
    return tacit_value_of_cell(cell, declared);
  bool read = tacit_source_read_number(e->records, cell, &number) == TACIT_NUMBER;
  if (read && memchr(cell->text, ',', cell->length)) return tacit_value_number(number);
  return tacit_value_of_cell(cell,
                             !read && tacit_cell_number(cell, &number) ? TACIT_DECLARED_TEXT : declared);
}

tacit_value tacit_node_value(const tacit_node *node, tacit_evaluation *e) {
  switch (node->kind) {
  case TACIT_NODE_CONSTANT:
    return node->constant;
  case TACIT_NODE_COLUMN:
    return column(node, e);
  case TACIT_NODE_CALL:
    return call(node, e);
  case TACIT_NODE_AND:
    return join(node, TACIT_NO, e);
  case TACIT_NODE_OR:
    return join(node, TACIT_YES, e);
  case TACIT_NODE_CASE:
    return choose(node, e);
  case TACIT_NODE_COALESCE:
    return first_known(node, e);
  case TACIT_NODE_CAST:
    return cast(node, e);
  }
  return tacit_value_null();
}
