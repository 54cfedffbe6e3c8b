/* Operators, from what binds loosest to what binds tightest, as in DuckDB and PostgreSQL:

   OR · AND · NOT · IS · = <> < <= > >= · IN BETWEEN LIKE · || · + - · * / // % · ^ ** · -x · :: */
#include "source/expression_node.h"

#include <string.h>

enum { NESTED_MAX = 100 };

static const tacit_function *operator(const char *name) {
  return tacit_function_find(name, strlen(name));
}

/* Operators that join two operands of the next level, from left to right. */
typedef struct level {
  const char *signs[9], *functions[9];
} level;
static const level LEVELS[] = {
    {{"=", "==", "<>", "!=", "<=", ">=", "<", ">"}, {"=", "=", "<>", "<>", "<=", ">=", "<", ">"}},
    {{0}, {0}}, /* IN, BETWEEN, LIKE: below */
    {{"||"}, {"||"}},
    {{"+", "-"}, {"+", "-"}},
    {{"*", "//", "/", "%"}, {"*", "//", "/", "%"}},
    {{"**", "^"}, {"^", "^"}},
};
enum { MEMBERSHIP = 1, LEVEL_COUNT = sizeof LEVELS / sizeof *LEVELS };

static tacit_node *parse_level(tacit_parser *p, size_t depth);

/* -x, +x, x::TYPE */
static tacit_node *parse_unary(tacit_parser *p) {
  if (++p->nested > NESTED_MAX) tacit_parser_fails(p, "too many brackets or signs");
  if (p->status != TACIT_OK) return NULL;
  tacit_node *node;
  if (tacit_parser_takes(p, "-")) {
    node = tacit_node_call(p, operator("-"), parse_unary(p), NULL);
  } else if (tacit_parser_takes(p, "+")) {
    node = parse_unary(p);
  } else {
    node = tacit_parse_primary(p);
    while (node && tacit_parser_takes(p, "::")) {
      tacit_node *made = tacit_node_new(p, TACIT_NODE_CAST);
      if (tacit_node_add(p, made, node) && tacit_parse_type(p, made)) {
        node = made;
      } else {
        tacit_node_free(made);
        node = NULL;
      }
    }
  }
  p->nested--;
  return node;
}

static tacit_node *parse_in(tacit_parser *p, tacit_node *left) {
  tacit_node *node = tacit_node_call(p, operator("IN "), left, NULL);
  bool good = node && tacit_parser_expects(p, "(");
  while (good) {
    good = tacit_node_add(p, node, tacit_parse_expression(p));
    if (good && !tacit_parser_takes(p, ",")) break;
  }
  if (good && tacit_parser_expects(p, ")")) return node;
  tacit_node_free(node);
  return NULL;
}

static tacit_node *parse_between(tacit_parser *p, tacit_node *left) {
  tacit_node *node = tacit_node_call(p, operator("BETWEEN "), left, NULL);
  if (node && tacit_node_add(p, node, parse_level(p, MEMBERSHIP + 1)) && tacit_parser_expects(p, "AND") &&
      tacit_node_add(p, node, parse_level(p, MEMBERSHIP + 1)))
    return node;
  tacit_node_free(node);
  return NULL;
}

/* x [NOT] IN (...), [NOT] BETWEEN a AND b, [NOT] LIKE t, [NOT] ILIKE t */
static tacit_node *parse_membership(tacit_parser *p) {
  tacit_node *node = parse_level(p, MEMBERSHIP + 1);
  while (node) {
    bool negated = tacit_parser_takes(p, "NOT");
    if (tacit_parser_takes(p, "IN"))
      node = parse_in(p, node);
    else if (tacit_parser_takes(p, "BETWEEN"))
      node = parse_between(p, node);
    else if (tacit_parser_takes(p, "LIKE"))
      node = tacit_node_call(p, operator("LIKE "), node, parse_level(p, MEMBERSHIP + 1));
    else if (tacit_parser_takes(p, "ILIKE"))
      node = tacit_node_call(p, operator("ILIKE "), node, parse_level(p, MEMBERSHIP + 1));
    else if (negated)
      tacit_parser_fails(p, "expected IN, BETWEEN or LIKE");
    else
      return node;
    if (p->status != TACIT_OK) break;
    if (negated) node = tacit_node_call(p, operator("NOT "), node, NULL);
  }
  tacit_node_free(node);
  return NULL;
}

static tacit_node *parse_level(tacit_parser *p, size_t depth) {
  if (depth == LEVEL_COUNT) return parse_unary(p);
  if (depth == MEMBERSHIP) return parse_membership(p);
  tacit_node *node = parse_level(p, depth + 1);
  const level *l = &LEVELS[depth];
  for (size_t i = 0; node && l->signs[i];) {
    if (tacit_parser_takes(p, l->signs[i])) {
      node = tacit_node_call(p, operator(l->functions[i]), node, parse_level(p, depth + 1));
      i = 0;
    } else {
      i++;
    }
  }
  return node;
}

/* x IS [NOT] NULL, TRUE, FALSE or DISTINCT FROM y */
static tacit_node *parse_is(tacit_parser *p) {
  tacit_node *node = parse_level(p, 0);
  while (node && tacit_parser_takes(p, "IS")) {
    bool negated = tacit_parser_takes(p, "NOT");
    if (tacit_parser_takes(p, "NULL")) {
      node = tacit_node_call(p, operator("IS NULL"), node, NULL);
    } else if (tacit_parser_takes(p, "DISTINCT")) {
      tacit_node *other = tacit_parser_expects(p, "FROM") ? parse_level(p, 0) : NULL;
      node = other ? tacit_node_call(p, operator("IS DISTINCT"), node, other) : (tacit_node_free(node), NULL);
    } else {
      tacit_parser_fails(p, "expected NULL or DISTINCT FROM");
      tacit_node_free(node);
      return NULL;
    }
    if (negated) node = tacit_node_call(p, operator("NOT "), node, NULL);
  }
  return node;
}

static tacit_node *parse_not(tacit_parser *p) {
  if (++p->nested > NESTED_MAX) tacit_parser_fails(p, "too many brackets or signs");
  tacit_node *node = NULL;
  if (p->status == TACIT_OK)
    node =
        tacit_parser_takes(p, "NOT") ? tacit_node_call(p, operator("NOT "), parse_not(p), NULL) : parse_is(p);
  p->nested--;
  return node;
}

/* a AND b AND c is one node, so that long conditions are not deep. */
static tacit_node *parse_joined(tacit_parser *p, const char *word, tacit_node_kind kind,
                                tacit_node *(*part)(tacit_parser *)) {
  tacit_node *first = part(p);
  if (!first || !tacit_parser_sees(p, word)) return first;
  tacit_node *node = tacit_node_new(p, kind);
  bool good = tacit_node_add(p, node, first);
  while (good && tacit_parser_takes(p, word)) good = tacit_node_add(p, node, part(p));
  if (good) return node;
  tacit_node_free(node);
  return NULL;
}

static tacit_node *parse_and(tacit_parser *p) {
  return parse_joined(p, "AND", TACIT_NODE_AND, parse_not);
}

tacit_node *tacit_parse_expression(tacit_parser *p) {
  return parse_joined(p, "OR", TACIT_NODE_OR, parse_and);
}
