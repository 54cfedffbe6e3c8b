/* SELECT outputs FROM one table [WHERE condition]; FROM table alone gives all columns. */
#include "source/query_parse.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

static bool add_output(tacit_parser *p, tacit_query *q, tacit_node *node, char *name) {
  tacit_output *grown = tacit_grow(q->outputs, &q->capacity, q->count + 1, sizeof *grown);
  if (grown) {
    q->outputs = grown;
    q->outputs[q->count++] = (tacit_output){node, name};
    return true;
  }
  tacit_node_free(node);
  free(name);
  return tacit_parser_no_memory(p);
}

static bool is_name(const tacit_token *t) {
  return t->kind == TACIT_TOKEN_NAME || t->kind == TACIT_TOKEN_QUOTED;
}

/* Whether the token is the word: of a token that is looked at and not taken. */
static bool is(const tacit_token *t, const char *word) {
  return tacit_parser_sees(&(tacit_parser){.now = *t}, word);
}

/* [AS] name; without AS only where what follows ends the item, so that no word of SQL passes for a name. */
static bool parse_alias(tacit_parser *p, const char *const *ends, char **alias) {
  *alias = NULL;
  bool said = tacit_parser_takes(p, "AS"), follows = false;
  if (!is_name(&p->now)) return !said || tacit_parser_fails(p, "expected a name");
  tacit_token after = tacit_token_at(p->now.text + p->now.length);
  for (size_t i = 0; ends[i]; i++) follows |= is(&after, ends[i]);
  for (size_t i = 0; ends[i] && !said; i++)
    if (is(&p->now, ends[i])) return true;
  if (!said && !follows && after.kind != TACIT_TOKEN_END) return true; /* whoever goes on will stumble here */
  *alias = tacit_parser_unquoted(p, &p->now);
  tacit_parser_next(p);
  return *alias != NULL;
}

static bool parse_output(tacit_parser *p, tacit_query *q) {
  static const char *const ENDS[] = {",", "FROM", NULL};
  const char *first = p->now.text;
  if (tacit_parser_takes(p, "*")) return add_output(p, q, NULL, NULL);
  tacit_token name = p->now, point = tacit_token_at(name.text + name.length);
  if (is_name(&name) && is(&point, ".")) { /* t.* */
    tacit_token star = tacit_token_at(point.text + 1);
    if (is(&star, "*")) {
      p->now = star;
      tacit_parser_next(p);
      char *table = tacit_parser_unquoted(p, &name);
      return table && add_output(p, q, NULL, table);
    }
  }
  tacit_node *node = tacit_parse_expression(p);
  if (!node) return false;
  char *alias;
  size_t length = (size_t)(p->end_of_last - first);
  if (!parse_alias(p, ENDS, &alias)) {
    tacit_node_free(node);
    return false;
  }
  if (!alias) {
    bool column = node->kind == TACIT_NODE_COLUMN;
    alias = column ? tacit_copy_text(node->name, strlen(node->name)) : tacit_copy_text(first, length);
  }
  if (!alias) {
    tacit_node_free(node);
    return tacit_parser_no_memory(p);
  }
  return add_output(p, q, node, alias);
}

static bool parse_from(tacit_parser *p, tacit_query *q) {
  static const char *const ENDS[] = {"WHERE", ";", NULL};
  if (!tacit_parser_expects(p, "FROM")) return false;
  if (!is_name(&p->now) && p->now.kind != TACIT_TOKEN_TEXT)
    return tacit_parser_fails(p, "expected the name of one table or file");
  q->table = tacit_parser_unquoted(p, &p->now);
  tacit_parser_next(p);
  return q->table && parse_alias(p, ENDS, &q->alias);
}

static bool parse_query(tacit_parser *p, tacit_query *q) {
  bool all = tacit_parser_sees(p, "FROM"),
       good = all ? add_output(p, q, NULL, NULL) : tacit_parser_expects(p, "SELECT");
  while (good && !all) {
    good = parse_output(p, q);
    if (good && !tacit_parser_takes(p, ",")) break;
  }
  if (!good || !parse_from(p, q)) return false;
  if (tacit_parser_takes(p, "WHERE")) {
    q->where = tacit_parse_expression(p);
    if (!q->where) return false;
  }
  while (tacit_parser_takes(p, ";")) continue;
  return p->now.kind == TACIT_TOKEN_END || tacit_parser_fails(p, "expected the end of the query");
}

static bool parse_condition(tacit_parser *p, tacit_query *q) {
  static const char TABLE[] = "table"; /* no column is of another one */
  p->condition = q->whole = true;
  q->table = tacit_copy_text(TABLE, sizeof TABLE - 1);
  if (!q->table) return tacit_parser_no_memory(p);
  if (!add_output(p, q, NULL, NULL)) return false;
  q->where = tacit_parse_expression(p);
  if (!q->where) return false;
  return p->now.kind == TACIT_TOKEN_END || tacit_parser_fails(p, "expected the end of the condition");
}

static tacit_status parse(const char *text, bool (*parts)(tacit_parser *, tacit_query *), tacit_query **query,
                          tacit_error *error) {
  *query = tacit_alloc(1, sizeof **query);
  if (!*query) return tacit_no_memory(error);
  tacit_parser p = {.text = text, .now = tacit_token_at(text), .end_of_last = text, .error = error};
  if (parts(&p, *query)) return TACIT_OK;
  tacit_query_free(*query);
  *query = NULL;
  return p.status;
}

tacit_status tacit_query_parse(const char *text, tacit_query **query, tacit_error *error) {
  return parse(text, parse_query, query, error);
}

tacit_status tacit_condition_parse(const char *text, tacit_query **query, tacit_error *error) {
  return parse(text, parse_condition, query, error);
}

void tacit_query_free(tacit_query *query) {
  if (!query) return;
  for (size_t i = 0; i < query->count; i++) {
    tacit_node_free(query->outputs[i].node);
    free(query->outputs[i].name);
  }
  free(query->outputs);
  free(query->table);
  free(query->alias);
  tacit_node_free(query->where);
  free(query);
}
