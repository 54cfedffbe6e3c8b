/* Nodes of an expression's tree. */
#include "base/base.h"
#include "source/expression_node.h"

#include <stdlib.h>

/* Deeper trees would need more stack than some threads have; wider ones more time than a record is worth. */
enum { DEPTH_MAX = 200, CHILDREN_MAX = 10000 };

tacit_node *tacit_node_new(tacit_parser *parser, tacit_node_kind kind) {
  tacit_node *node = parser->status == TACIT_OK ? tacit_alloc(1, sizeof *node) : NULL;
  if (!node) {
    tacit_parser_no_memory(parser);
    return NULL;
  }
  node->kind = kind;
  node->depth = 1;
  return node;
}

void tacit_node_free(tacit_node *node) {
  if (!node) return;
  for (size_t i = 0; i < node->count; i++) tacit_node_free(node->children[i]);
  free(node->children);
  free((char *)node->constant.text);
  free(node->name);
  free(node->table);
  free(node);
}

bool tacit_node_add(tacit_parser *parser, tacit_node *node, tacit_node *child) {
  bool fits = node && child && node->count < CHILDREN_MAX && child->depth < DEPTH_MAX;
  tacit_node **grown =
      fits ? tacit_grow(node->children, &node->capacity, node->count + 1, sizeof *grown) : NULL;
  if (grown) {
    node->children = grown;
    node->children[node->count++] = child;
    if (node->depth <= child->depth) node->depth = child->depth + 1;
    return true;
  }
  if (node && child && !fits) tacit_parser_fails(parser, "too many parts, or parts within parts,");
  if (fits) tacit_parser_no_memory(parser);
  tacit_node_free(child);
  return false;
}

tacit_node *tacit_node_call(tacit_parser *parser, const tacit_function *function, tacit_node *a,
                            tacit_node *b) {
  tacit_node *node = tacit_node_new(parser, TACIT_NODE_CALL);
  if (node) node->function = function;
  bool good = tacit_node_add(parser, node, a);
  if (b) good = tacit_node_add(parser, node, b) && good;
  if (good) return node;
  tacit_node_free(node);
  return NULL;
}

tacit_node *tacit_node_constant(tacit_parser *parser, tacit_value value) {
  tacit_node *node = tacit_node_new(parser, TACIT_NODE_CONSTANT);
  if (node) node->constant = value;
  return node;
}
