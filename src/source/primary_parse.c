/* What binds tightest: a constant, a column, a call, CASE, CAST, or an expression in brackets. */
#include "schema/calendar.h"
#include "source/expression_node.h"

#include <stdlib.h>
#include <string.h>

/* Words that are no columns unless they stand in quotes. */
static const char *const RESERVED[] = {
    "ALL",    "AND",   "AS",     "BETWEEN", "BY",   "DISTINCT",  "ELSE",   "END",     "EXCEPT",  "EXISTS",
    "FILTER", "FROM",  "GROUP",  "HAVING",  "IN",   "INTERSECT", "IS",     "JOIN",    "LIKE",    "ILIKE",
    "LIMIT",  "NOT",   "OFFSET", "ON",      "OR",   "ORDER",     "OVER",   "QUALIFY", "SAMPLE",  "SELECT",
    "THEN",   "UNION", "USING",  "VALUES",  "WHEN", "WHERE",     "WINDOW", "WITH",    "COLUMNS", "UNNEST"};

static bool is_reserved(const tacit_token *t) {
  for (size_t i = 0; i < sizeof RESERVED / sizeof *RESERVED; i++)
    if (tacit_same_word(t->text, t->length, RESERVED[i])) return true;
  return false;
}

/* (a, b, ...) behind a name, at least one of them. */
static bool parse_arguments(tacit_parser *p, tacit_node *node) {
  bool good = node && tacit_parser_expects(p, "(");
  while (good) {
    good = tacit_node_add(p, node, tacit_parse_expression(p));
    if (good && !tacit_parser_takes(p, ",")) break;
  }
  return good && tacit_parser_expects(p, ")");
}

static tacit_node *kept_if(bool good, tacit_node *node) {
  if (good) return node;
  tacit_node_free(node);
  return NULL;
}

static tacit_node *parse_call(tacit_parser *p, const tacit_token *name) {
  const tacit_function *function = tacit_function_find(name->text, name->length);
  if (!function) {
    p->now = *name; /* what is unknown is the name, not what follows it */
    tacit_parser_fails(p, "no function that looks at one record alone");
    return NULL;
  }
  tacit_node *node = tacit_node_new(p, TACIT_NODE_CALL);
  if (node) node->function = function;
  bool good = parse_arguments(p, node);
  if (good && (node->count < function->least || node->count > function->most))
    good = tacit_parser_fails(p, "another number of arguments than the function takes, before what stands");
  return kept_if(good, node);
}

static tacit_node *parse_case(tacit_parser *p) {
  tacit_node *node = tacit_node_new(p, TACIT_NODE_CASE);
  bool good = node != NULL;
  if (good && !tacit_parser_sees(p, "WHEN")) {
    node->operand = true;
    good = tacit_node_add(p, node, tacit_parse_expression(p));
  }
  good = good && tacit_parser_expects(p, "WHEN");
  while (good) {
    good = tacit_node_add(p, node, tacit_parse_expression(p)) && tacit_parser_expects(p, "THEN") &&
           tacit_node_add(p, node, tacit_parse_expression(p));
    if (good && !tacit_parser_takes(p, "WHEN")) break;
  }
  tacit_node *otherwise = !good                           ? NULL
                          : tacit_parser_takes(p, "ELSE") ? tacit_parse_expression(p)
                                                          : tacit_node_constant(p, tacit_value_null());
  good = good && tacit_node_add(p, node, otherwise) && tacit_parser_expects(p, "END");
  return kept_if(good, node);
}

/* if(a, b, c) */
static tacit_node *parse_if(tacit_parser *p) {
  tacit_node *node = tacit_node_new(p, TACIT_NODE_CASE);
  bool good = parse_arguments(p, node);
  if (good && node->count != 3) good = tacit_parser_fails(p, "if takes three arguments, before what stands");
  return kept_if(good, node);
}

bool tacit_parse_type(tacit_parser *p, tacit_node *node) {
  bool known =
      node && p->now.kind == TACIT_TOKEN_NAME && tacit_cast_find(p->now.text, p->now.length, &node->cast);
  if (!known) return tacit_parser_fails(p, "no type that is known");
  tacit_parser_next(p);
  if (!tacit_parser_takes(p, "(")) return true;
  for (int i = 0; i < 2; i++) { /* DECIMAL(18, 3), VARCHAR(20) */
    if (p->now.kind != TACIT_TOKEN_NUMBER || p->now.length > 2)
      return tacit_parser_fails(p, "expected a type's number of digits");
    if (node->cast.kind == TACIT_CAST_DECIMAL) node->cast.digits = i == 0 ? 0 : atoi(p->now.text);
    tacit_parser_next(p);
    if (!tacit_parser_takes(p, ",")) break;
  }
  return tacit_parser_expects(p, ")");
}

/* CAST(x AS TYPE), TRY_CAST(x AS TYPE) */
static tacit_node *parse_cast(tacit_parser *p, bool try) {
  tacit_node *node = tacit_node_new(p, TACIT_NODE_CAST);
  bool good = node && tacit_parser_expects(p, "(") && tacit_node_add(p, node, tacit_parse_expression(p)) &&
              tacit_parser_expects(p, "AS") && tacit_parse_type(p, node) && tacit_parser_expects(p, ")");
  if (good) node->cast.try = try;
  return kept_if(good, node);
}

static tacit_node *text_constant(tacit_parser *p, const tacit_token *token) {
  char *text = tacit_parser_unquoted(p, token);
  tacit_node *node = text ? tacit_node_constant(p, tacit_value_text(text, strlen(text))) : NULL;
  if (!node) free(text);
  return node;
}

/* EXTRACT(part FROM d) is date_part('part', d). */
static tacit_node *parse_extract(tacit_parser *p) {
  if (!tacit_parser_expects(p, "(")) return NULL;
  tacit_token part = p->now;
  if (part.kind != TACIT_TOKEN_NAME && part.kind != TACIT_TOKEN_TEXT) {
    tacit_parser_fails(p, "expected a part of a date");
    return NULL;
  }
  tacit_parser_next(p);
  if (!tacit_parser_expects(p, "FROM")) return NULL;
  tacit_node *name = text_constant(p, &part);
  tacit_node *node =
      name ? tacit_node_call(p, tacit_function_find("date_part", 9), name, tacit_parse_expression(p)) : NULL;
  return kept_if(node && tacit_parser_expects(p, ")"), node);
}

/* DATE '2024-01-31', TIMESTAMP '2024-01-31 10:00:00' */
static tacit_node *parse_moment(tacit_parser *p) {
  tacit_moment moment;
  tacit_node *node = text_constant(p, &p->now);
  if (node && !tacit_moment_parse(node->constant.text, node->constant.length, &moment))
    tacit_parser_fails(p, "no date");
  tacit_parser_next(p);
  return kept_if(p->status == TACIT_OK, node);
}

/* name, or table.name */
static tacit_node *parse_column(tacit_parser *p, const tacit_token *first) {
  tacit_node *node = tacit_node_new(p, TACIT_NODE_COLUMN);
  if (!node) return NULL;
  node->name = tacit_parser_unquoted(p, first);
  if (node->name && tacit_parser_takes(p, ".")) {
    node->table = node->name;
    node->name = NULL;
    if (p->now.kind == TACIT_TOKEN_NAME || p->now.kind == TACIT_TOKEN_QUOTED) {
      node->name = tacit_parser_unquoted(p, &p->now);
      tacit_parser_next(p);
    } else {
      tacit_parser_fails(p, "expected a column's name");
    }
  }
  return kept_if(node->name != NULL, node);
}

static bool is_word(const tacit_token *t, const char *word) {
  return tacit_same_word(t->text, t->length, word);
}

static tacit_node *parse_name(tacit_parser *p) {
  tacit_token name = p->now;
  if (name.kind == TACIT_TOKEN_NAME && is_reserved(&name)) {
    tacit_parser_fails(p, "expected an expression of one record");
    return NULL;
  }
  tacit_parser_next(p);
  if (name.kind == TACIT_TOKEN_QUOTED) return parse_column(p, &name);
  if (is_word(&name, "CASE")) return parse_case(p);
  if (is_word(&name, "NULL")) return tacit_node_constant(p, tacit_value_null());
  if (is_word(&name, "TRUE")) return tacit_node_constant(p, tacit_value_truth(true));
  if (is_word(&name, "FALSE")) return tacit_node_constant(p, tacit_value_truth(false));
  bool text = p->now.kind == TACIT_TOKEN_TEXT;
  if (text && (is_word(&name, "DATE") || is_word(&name, "TIMESTAMP"))) return parse_moment(p);
  if (!tacit_parser_sees(p, "(")) return parse_column(p, &name);
  if (is_word(&name, "CAST")) return parse_cast(p, false);
  if (is_word(&name, "TRY_CAST")) return parse_cast(p, true);
  if (is_word(&name, "EXTRACT")) return parse_extract(p);
  if (is_word(&name, "IF")) return parse_if(p);
  if (is_word(&name, "COALESCE") || is_word(&name, "IFNULL")) {
    tacit_node *node = tacit_node_new(p, TACIT_NODE_COALESCE);
    return kept_if(parse_arguments(p, node), node);
  }
  return parse_call(p, &name);
}

tacit_node *tacit_parse_primary(tacit_parser *p) {
  tacit_token token = p->now;
  tacit_node *node;
  double number;
  switch (token.kind) {
  case TACIT_TOKEN_NUMBER:
    tacit_parser_next(p);
    if (!tacit_cell_number(&(tacit_cell){.text = token.text, .length = token.length}, &number)) break;
    return tacit_node_constant(p, tacit_value_number(number));
  case TACIT_TOKEN_TEXT:
    tacit_parser_next(p);
    return text_constant(p, &token);
  case TACIT_TOKEN_NAME:
  case TACIT_TOKEN_QUOTED:
    return parse_name(p);
  default:
    if (!tacit_parser_takes(p, "(")) break;
    node = tacit_parse_expression(p);
    return kept_if(node && tacit_parser_expects(p, ")"), node);
  }
  tacit_parser_fails(p, "expected an expression");
  return NULL;
}
