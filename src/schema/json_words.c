/* Knows the mistakes that people make in JSON, by what jansson says and what stands there. */
#include "schema/json_words.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* What jansson stopped at: its last word, in quotes. */
typedef struct token {
  const char *word;
  size_t length;
  size_t at; /* in the text */
} token;

static token token_of(const json_error_t *at) {
  static const char NEAR[] = "near '";
  const char *word = strstr(at->text, NEAR), *end = at->text + strlen(at->text);
  token t = {"", 0, (size_t)at->position};
  if (!word || end[-1] != '\'') return t;
  t.word = word + sizeof NEAR - 1;
  t.length = (size_t)(end - 1 - t.word);
  t.at = (size_t)at->position >= t.length ? (size_t)at->position - t.length : 0;
  return t;
}

static bool is(const token *t, const char *word) {
  return strlen(word) == t->length && !strncmp(t->word, word, t->length);
}

/* The last character before a place that is no blank; its place in *at. */
static char before(const char *text, size_t *at) {
  while (*at > 0 && isspace((unsigned char)text[*at - 1])) --*at;
  return *at > 0 ? text[--*at] : 0;
}

static bool is_digit(const char *text, size_t length, size_t at) {
  return at < length && isdigit((unsigned char)text[at]);
}

const char *tacit_json_words(const char *text, size_t length, const json_error_t *at) {
  const token t = token_of(at);
  size_t place = t.at < length ? t.at : length, behind = t.at + t.length;
  if ((is(&t, "0") || is(&t, "-0")) && is_digit(text, length, behind))
    return "a code that begins with 0 is a text and stands in quotes, such as \"01\"; a number has no 0 "
           "before "
           "its digits";
  if (place > 1 && text[place - 1] == ',' && is_digit(text, length, place) &&
      is_digit(text, length, place - 2))
    return "a decimal number has a point: 0.5, not 0,5";
  if (is(&t, ".")) return "a decimal number has a digit before its point: 0.5, not .5";
  if (is(&t, "'")) return "texts stand in double quotes, \"like this\"";
  if (is(&t, "True") || is(&t, "False") || is(&t, "None"))
    return "JSON writes true, false and null in small letters, without quotes";
  char last = before(text, &place);
  if ((is(&t, "}") || is(&t, "]")) && last == ',') return "remove the comma before it";
  if (strstr(at->text, "near end of file")) return "a bracket or a quote is not closed";
  if (strstr(at->text, "expected near '\"")) return "a comma is missing before it";
  if (t.length && isalpha((unsigned char)t.word[0])) return "texts stand in double quotes, \"like this\"";
  return "";
}
