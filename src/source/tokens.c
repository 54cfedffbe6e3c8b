/* The words of a query. */
#include "base/base.h"
#include "source/query_parse.h"

#include <string.h>

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}
static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static const char *skip(const char *p) {
  for (;;) {
    p += strspn(p, " \t\r\n");
    if (!strncmp(p, "--", 2)) {
      p += strcspn(p, "\n");
    } else if (!strncmp(p, "/*", 2) && strstr(p + 2, "*/")) {
      p = strstr(p + 2, "*/") + 2;
    } else {
      return p;
    }
  }
}

/* Up to the closing quote; a doubled one is part of the text. */
static tacit_token quoted(const char *p) {
  char quote = *p;
  const char *q = p + 1;
  for (; *q && (*q != quote || q[1] == quote); q++) q += *q == quote;
  tacit_token_kind kind = !*q ? TACIT_TOKEN_BAD : quote == '"' ? TACIT_TOKEN_QUOTED : TACIT_TOKEN_TEXT;
  return (tacit_token){kind, p, (size_t)(q - p) + (*q != 0)};
}

static tacit_token number(const char *p) {
  const char *q = p;
  while (is_digit(*q)) q++;
  if (*q == '.') q++;
  while (is_digit(*q)) q++;
  if (*q == 'e' || *q == 'E') {
    const char *r = q + 1 + (q[1] == '+' || q[1] == '-');
    if (is_digit(*r)) q = r + strspn(r, "0123456789");
  }
  /* 12abc is no number and no name */
  return (tacit_token){is_letter(*q) ? TACIT_TOKEN_BAD : TACIT_TOKEN_NUMBER, p, (size_t)(q - p)};
}

tacit_token tacit_token_at(const char *p) {
  static const char *const SIGNS[] = {"::", "||", "//", "**", "<=", ">=", "<>", "!=", "==", "(", ")", ",",
                                      ".",  "+",  "-",  "*",  "/",  "%",  "^",  "=",  "<",  ">", ";"};
  p = skip(p);
  if (!*p) return (tacit_token){TACIT_TOKEN_END, p, 0};
  if (*p == '\'' || *p == '"') return quoted(p);
  if (is_digit(*p) || (*p == '.' && is_digit(p[1]))) return number(p);
  if (is_letter(*p)) {
    const char *q = p;
    while (is_letter(*q) || is_digit(*q)) q++;
    return (tacit_token){TACIT_TOKEN_NAME, p, (size_t)(q - p)};
  }
  for (size_t i = 0; i < sizeof SIGNS / sizeof *SIGNS; i++)
    if (!strncmp(p, SIGNS[i], strlen(SIGNS[i]))) return (tacit_token){TACIT_TOKEN_SIGN, p, strlen(SIGNS[i])};
  return (tacit_token){TACIT_TOKEN_BAD, p, 1};
}

void tacit_parser_next(tacit_parser *parser) {
  parser->end_of_last = parser->now.text + parser->now.length;
  parser->now = tacit_token_at(parser->end_of_last);
}

bool tacit_parser_sees(const tacit_parser *parser, const char *word) {
  const tacit_token *t = &parser->now;
  return (t->kind == TACIT_TOKEN_NAME || t->kind == TACIT_TOKEN_SIGN) &&
         tacit_same_word(t->text, t->length, word);
}

bool tacit_parser_takes(tacit_parser *parser, const char *word) {
  if (!tacit_parser_sees(parser, word)) return false;
  tacit_parser_next(parser);
  return true;
}

bool tacit_parser_expects(tacit_parser *parser, const char *word) {
  if (tacit_parser_takes(parser, word)) return true;
  char why[64] = "expected ";
  strncat(why, word, sizeof why - sizeof "expected ");
  return tacit_parser_fails(parser, why);
}

bool tacit_parser_fails(tacit_parser *parser, const char *why) {
  const tacit_token *t = &parser->now;
  if (parser->status != TACIT_OK) return false;
  bool end = t->kind == TACIT_TOKEN_END;
  parser->status = tacit_fail(
      parser->error, TACIT_REFUSED, "%s: %s at %s%.*s%s (character %zu); docs/sql.md says what it may have%s",
      parser->condition ? "the condition is not understood"
                        : "the query is not one that is known to keep one record one row",
      why, end ? "its end" : "\"", end ? 0 : (int)(t->length > 40 ? 40 : t->length), t->text, end ? "" : "\"",
      (size_t)(t->text - parser->text) + 1,
      parser->condition ? ", such as shop = 24 AND date >= '2018-06-01'"
                        : ". With --result-rows and --adjacency add-remove any SELECT is taken, and the "
                          "promise is about rows of its result instead");
  return false;
}

bool tacit_parser_no_memory(tacit_parser *parser) {
  if (parser->status == TACIT_OK) parser->status = tacit_no_memory(parser->error);
  return false;
}

char *tacit_parser_unquoted(tacit_parser *parser, const tacit_token *token) {
  bool has_quotes = token->kind == TACIT_TOKEN_QUOTED || token->kind == TACIT_TOKEN_TEXT;
  char *text = tacit_copy_text(token->text + has_quotes, token->length - 2 * has_quotes), *out = text;
  if (!text) {
    tacit_parser_no_memory(parser);
    return NULL;
  }
  for (const char *p = text; has_quotes && *p; p++) {
    p += *p == *token->text; /* the first of two */
    *out++ = *p;
  }
  if (has_quotes) *out = 0;
  return text;
}
