/* Reads a cell as a flag or as a moment. */
#include "num/shortest.h"
#include "schema/clock.h"
#include "source/source.h"

#include <math.h>
#include <string.h>

/* Whether a cell, blanks taken away, is the word, which has no capital letters. */
static bool is_word(const char *text, size_t length, const char *word) {
  size_t i = 0;
  for (; i < length && word[i]; i++) {
    char c = (char)(text[i] >= 'A' && text[i] <= 'Z' ? text[i] - 'A' + 'a' : text[i]);
    if (c != word[i]) return false;
  }
  return i == length && !word[i];
}

static void trim(const char **text, size_t *length) {
  while (*length > 0 && (**text == ' ' || **text == '\t')) ++*text, --*length;
  while (*length > 0 && ((*text)[*length - 1] == ' ' || (*text)[*length - 1] == '\t')) --*length;
}

tacit_cell tacit_cell_pointed(const tacit_cell *cell, bool decimal_comma, char room[TACIT_POINTED]) {
  double number;
  if (!decimal_comma || !cell->text || cell->length > TACIT_POINTED ||
      !memchr(cell->text, ',', cell->length) || memchr(cell->text, '.', cell->length))
    return *cell;
  for (size_t i = 0; i < cell->length; i++) room[i] = (char)(cell->text[i] == ',' ? '.' : cell->text[i]);
  const tacit_cell pointed = {.text = room, .length = cell->length};
  return tacit_cell_read_number(&pointed, &number) == TACIT_NUMBER ? pointed : *cell;
}

tacit_number_kind tacit_cell_read_flag(const tacit_cell *cell, double *flag) {
  static const char *const WORDS[] = {"false", "true", "no", "yes", "f", "t", "n", "y"};
  const char *text = cell->text;
  size_t length = cell->length;
  if (text && length == 1 && (*text == '0' || *text == '1')) {
    *flag = *text - '0';
    return TACIT_NUMBER;
  }
  tacit_number_kind kind = tacit_cell_read_number(cell, flag);
  if (kind == TACIT_NUMBER) return *flag == 0 || *flag == 1 ? TACIT_NUMBER : TACIT_NUMBER_TEXT;
  if (kind != TACIT_NUMBER_TEXT || !text) return kind;
  trim(&text, &length);
  for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
    if (is_word(text, length, WORDS[i])) {
      *flag = i % 2 ? 1 : 0;
      return TACIT_NUMBER;
    }
  return TACIT_NUMBER_TEXT;
}

static bool is_same_number(const char *text, size_t length, const char *word, size_t word_length) {
  const tacit_cell cell = {.text = text, .length = length}, other = {.text = word, .length = word_length};
  double a, b;
  return tacit_cell_read_number(&cell, &a) == TACIT_NUMBER &&
         tacit_cell_read_number(&other, &b) == TACIT_NUMBER && a == b;
}

tacit_number_kind tacit_cell_read_words(const tacit_cell *cell, const char *words, double *flag) {
  char digits[TACIT_SHORTEST];
  const char *text = cell->text ? cell->text : digits, *second = strchr(words, '\n') + 1;
  if (!cell->text && isnan(cell->number)) return TACIT_NUMBER_EMPTY;
  size_t length = cell->text ? cell->length : tacit_shortest(cell->number, digits);
  trim(&text, &length);
  size_t first = (size_t)(second - words) - 1;
  bool no = length == first && !memcmp(text, words, first);
  bool yes = length == strlen(second) && !memcmp(text, second, length);
  if (!no && !yes) { /* a program may write 2 as 2.0, because of another record's empty cell */
    no = is_same_number(text, length, words, first);
    yes = !no && is_same_number(text, length, second, strlen(second));
  }
  *flag = yes;
  return no || yes ? TACIT_NUMBER : length ? TACIT_NUMBER_TEXT : TACIT_NUMBER_EMPTY;
}

tacit_number_kind tacit_cell_read_moment(const tacit_cell *cell, const char *format, double *seconds) {
  char digits[TACIT_SHORTEST];
  double number;
  if (cell->text && tacit_clock_read(format, cell->text, cell->length, seconds)) return TACIT_NUMBER;
  tacit_number_kind kind = tacit_cell_read_number(cell, &number);
  if (kind != TACIT_NUMBER) return kind;
  /* 20240131 that a program has made 20240131.0, or a number, because of another record's empty cell */
  bool whole = format && number == floor(number) && number >= 0;
  size_t length = whole ? tacit_shortest(number, digits) : 0;
  return whole && tacit_clock_read(format, digits, length, seconds) ? TACIT_NUMBER : TACIT_NUMBER_TEXT;
}
