/* What the parsers of queries and of expressions share. */
#ifndef TACIT_SRC_QUERY_PARSE_H
#define TACIT_SRC_QUERY_PARSE_H

#include "source/expression.h"

typedef enum tacit_token_kind {
  TACIT_TOKEN_END,
  TACIT_TOKEN_NAME,   /* as it stands: a word of SQL or a name */
  TACIT_TOKEN_QUOTED, /* "a name" */
  TACIT_TOKEN_TEXT,   /* 'a text' */
  TACIT_TOKEN_NUMBER,
  TACIT_TOKEN_SIGN,
  TACIT_TOKEN_BAD /* what no token begins with, or a text that does not end */
} tacit_token_kind;

typedef struct tacit_token {
  tacit_token_kind kind;
  const char *text; /* in the query, with its quotes */
  size_t length;
} tacit_token;

typedef struct tacit_parser {
  const char *text;
  tacit_token now;
  const char *end_of_last; /* where the token before ended */
  size_t nested;           /* how deep the parser itself has gone */
  bool condition;          /* it is a condition alone */
  tacit_status status;     /* once it is not TACIT_OK, it stays */
  tacit_error *error;
} tacit_parser;

/* The token at or after p, behind blanks and comments. */
tacit_token tacit_token_at(const char *p);
void tacit_parser_next(tacit_parser *parser);
/* Whether the token at hand is this word, in any case, or this sign. */
bool tacit_parser_sees(const tacit_parser *parser, const char *word);
/* The same, and then on to the next. */
bool tacit_parser_takes(tacit_parser *parser, const char *word);
/* Takes it, or fails and says that it was expected. */
bool tacit_parser_expects(tacit_parser *parser, const char *word);
/* Fails at the token at hand; always returns false. */
bool tacit_parser_fails(tacit_parser *parser, const char *why);
bool tacit_parser_no_memory(tacit_parser *parser);
/* The text of a token without its quotes, to be freed; NULL, and the parser failed, without memory. */
char *tacit_parser_unquoted(tacit_parser *parser, const tacit_token *token);

/* An expression from the token at hand on; NULL when the parser failed. */
tacit_node *tacit_parse_expression(tacit_parser *parser);

#endif
