/* Making an expression's tree. Each function takes the nodes it is given, also when it fails; a NULL among
   them means that the parser has failed already. */
#ifndef TACIT_SRC_EXPRESSION_NODE_H
#define TACIT_SRC_EXPRESSION_NODE_H

#include "source/query_parse.h"

tacit_node *tacit_node_new(tacit_parser *parser, tacit_node_kind kind);
bool tacit_node_add(tacit_parser *parser, tacit_node *node, tacit_node *child);
/* A call with one or two arguments: b may be NULL. */
tacit_node *tacit_node_call(tacit_parser *parser, const tacit_function *function, tacit_node *a,
                            tacit_node *b);
/* A constant; its text, if it has one, is the node's from then on. */
tacit_node *tacit_node_constant(tacit_parser *parser, tacit_value value);

/* What binds tightest: a constant, a column, a call, CASE, CAST, or an expression in brackets. */
tacit_node *tacit_parse_primary(tacit_parser *parser);
/* A type behind CAST or ::, into node's cast. */
bool tacit_parse_type(tacit_parser *parser, tacit_node *node);

#endif
