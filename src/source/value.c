/* What an expression computes with: nothing, a number or a text, always of one record. */
#include "source/value.h"

#include "base/base.h"
#include "num/shortest.h"
#include "schema/calendar.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct tacit_scratch_block {
  struct tacit_scratch_block *next;
  size_t used, capacity;
  char bytes[];
} block;

enum { BLOCK = 1 << 14 };

char *tacit_scratch_take(tacit_scratch *scratch, size_t bytes) {
  block *b = scratch->blocks;
  size_t needed = (bytes + 15) / 16 * 16;
  if (!b || b->capacity - b->used < needed) {
    size_t capacity = needed > BLOCK ? needed : BLOCK;
    b = tacit_alloc(1, sizeof *b + capacity);
    if (!b) {
      scratch->failed = true;
      return NULL;
    }
    b->capacity = capacity;
    b->next = scratch->blocks;
    scratch->blocks = b;
  }
  char *taken = b->bytes + b->used;
  b->used += needed;
  return taken;
}

static void free_blocks(block *b) {
  while (b) {
    block *next = b->next;
    tacit_free_wiped(b, sizeof *b + b->capacity);
    b = next;
  }
}

void tacit_scratch_reset(tacit_scratch *scratch) {
  if (!scratch->blocks) return;
  free_blocks(scratch->blocks->next);
  scratch->blocks->next = NULL;
  scratch->blocks->used = 0;
}

void tacit_scratch_free(tacit_scratch *scratch) {
  free_blocks(scratch->blocks);
  scratch->blocks = NULL;
}

tacit_value tacit_value_null(void) {
  return (tacit_value){.kind = TACIT_VALUE_NULL};
}

/* There are two zeros, and which one a cell has is its writer's choice: here there is one. */
static double one_zero(double number) {
  return number + 0.0;
}

tacit_value tacit_value_number(double number) {
  return (tacit_value){.kind = TACIT_VALUE_NUMBER, .number = one_zero(number)};
}

tacit_value tacit_value_truth(bool truth) {
  return tacit_value_number(truth);
}

tacit_value tacit_value_text(const char *text, size_t length) {
  return (tacit_value){.kind = TACIT_VALUE_TEXT, .text = text, .length = length};
}

tacit_value tacit_value_of_cell(const tacit_cell *cell, tacit_declared declared) {
  if (!cell->text) return tacit_value_number(cell->number);
  if (cell->length == 0) return tacit_value_null();
  tacit_value value = {.kind = declared == TACIT_DECLARED_TEXT ? TACIT_VALUE_TEXT : TACIT_VALUE_CELL,
                       .text = cell->text,
                       .length = cell->length};
  if (declared != TACIT_DECLARED_NUMBERS || !tacit_cell_number(cell, &value.number)) return value;
  if (memchr(cell->text, '.', cell->length) || value.number == 0) return tacit_value_number(value.number);
  value.kind = TACIT_VALUE_NUMBER;
  return value;
}

bool tacit_value_as_number(const tacit_value *value, double *number) {
  *number = value->number; /* made above, or the nearest to digits that are not 0 */
  if (value->kind == TACIT_VALUE_NUMBER) return true;
  if (value->kind == TACIT_VALUE_NULL ||
      !tacit_cell_number(&(tacit_cell){.text = value->text, .length = value->length}, number))
    return false;
  *number = one_zero(*number);
  return true;
}

tacit_value tacit_value_as_text(const tacit_value *value, tacit_scratch *scratch) {
  if (value->kind == TACIT_VALUE_NULL) return *value;
  if (value->kind != TACIT_VALUE_NUMBER || value->text) return tacit_value_text(value->text, value->length);
  char *text = tacit_scratch_take(scratch, TACIT_SHORTEST);
  return text ? tacit_value_text(text, tacit_shortest(value->number, text)) : tacit_value_null();
}

static char folded(char c) {
  return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool tacit_same_word(const char *a, size_t length, const char *b) {
  if (strlen(b) != length) return false;
  for (size_t i = 0; i < length; i++)
    if (folded(a[i]) != folded(b[i])) return false;
  return true;
}

static bool says(const tacit_value *value, const char *word) {
  return tacit_same_word(value->text, value->length, word);
}

tacit_truth tacit_value_as_truth(const tacit_value *value) {
  double number;
  if (value->kind == TACIT_VALUE_NULL) return TACIT_UNKNOWN;
  if (tacit_value_as_number(value, &number)) return number != 0 ? TACIT_YES : TACIT_NO;
  if (says(value, "true") || says(value, "yes")) return TACIT_YES;
  if (says(value, "false") || says(value, "no")) return TACIT_NO;
  return TACIT_UNKNOWN;
}

static int compare_numbers(double a, double b) {
  if (isnan(a) || isnan(b)) return (isnan(a) != 0) - (isnan(b) != 0);
  return (a > b) - (a < b);
}

enum { PLAIN = (int)TACIT_SHORTEST > (int)TACIT_MOMENT_TEXT ? (int)TACIT_SHORTEST : (int)TACIT_MOMENT_TEXT };

/* The text that is compared. A program may spell all numbers or moments of a column otherwise because of one
   record: each has one text here, however it is spelled. */
static tacit_value plain(const tacit_value *value, char text[PLAIN]) {
  double number;
  if (value->kind == TACIT_VALUE_CELL && tacit_value_as_number(value, &number))
    return tacit_value_text(text, tacit_shortest(number, text));
  size_t length = tacit_moment_plain(value->text, value->length, text);
  return length ? tacit_value_text(text, length) : *value;
}

static int compare_texts(const tacit_value *a, const tacit_value *b) {
  char texts[2][PLAIN];
  const tacit_value v = plain(a, texts[0]), w = plain(b, texts[1]);
  size_t shared = v.length < w.length ? v.length : w.length;
  int order = shared ? memcmp(v.text, w.text, shared) : 0;
  return order ? order : (v.length > w.length) - (v.length < w.length);
}

bool tacit_value_compare(const tacit_value *a, const tacit_value *b, int *order) {
  double x, y;
  if (a->kind == TACIT_VALUE_NULL || b->kind == TACIT_VALUE_NULL) return false;
  bool number = a->kind == TACIT_VALUE_NUMBER || b->kind == TACIT_VALUE_NUMBER;
  bool cells = a->kind == TACIT_VALUE_CELL || b->kind == TACIT_VALUE_CELL;
  bool readable = (number || cells) && tacit_value_as_number(a, &x) && tacit_value_as_number(b, &y);
  if (number && !readable) return false;
  *order = readable ? compare_numbers(x, y) : compare_texts(a, b);
  return true;
}
