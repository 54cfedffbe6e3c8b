/* What an expression computes with: nothing, a number or a text, always of one record. */
#ifndef TACIT_SRC_VALUE_H
#define TACIT_SRC_VALUE_H

#include "source/source.h"

typedef enum tacit_value_kind {
  TACIT_VALUE_NULL,
  TACIT_VALUE_NUMBER, /* a double; a truth is 1 or 0. With a text: the digits that it was rounded from */
  TACIT_VALUE_TEXT,   /* declared to be text, or made as text */
  TACIT_VALUE_CELL    /* text from a file that declares no types: a number wherever it reads as one */
} tacit_value_kind;

typedef struct tacit_value {
  tacit_value_kind kind;
  double number;
  const char *text; /* not NUL-terminated; of the record, the expression or the scratch */
  size_t length;
} tacit_value;

/* Memory for the texts that one record's expressions make; all of it is given back at once. */
typedef struct tacit_scratch {
  struct tacit_scratch_block *blocks;
  bool failed; /* some text did not find memory: what was computed means nothing */
} tacit_scratch;
char *tacit_scratch_take(tacit_scratch *scratch, size_t bytes); /* NULL, and failed is set, without memory */
void tacit_scratch_reset(tacit_scratch *scratch);
void tacit_scratch_free(tacit_scratch *scratch); /* wipes */

/* A longer text becomes null: no expression makes a record large. */
enum { TACIT_VALUE_BYTES_MAX = 1 << 20 };

tacit_value tacit_value_null(void);
tacit_value tacit_value_number(double number);
tacit_value tacit_value_truth(bool truth);
tacit_value tacit_value_text(const char *text, size_t length);
/* A source's cell. An empty one is null. A number that is no double is, in all that is computed of it, the
   double next to it; as text a whole one still has its digits. */
tacit_value tacit_value_of_cell(const tacit_cell *cell, tacit_declared declared);

/* Whether two texts are the same but for the case of ASCII letters, whatever the locale. */
bool tacit_same_word(const char *a, size_t length, const char *b);

/* False for null and for text that is no number. */
bool tacit_value_as_number(const tacit_value *value, double *number);
/* The text itself; of a whole number all digits; of another, and beyond 2^128, the shortest decimal that
   reads back as the number. Null stays null. */
tacit_value tacit_value_as_text(const tacit_value *value, tacit_scratch *scratch);

typedef enum tacit_truth { TACIT_NO, TACIT_YES, TACIT_UNKNOWN } tacit_truth;
/* A number is true unless it is 0; text is a number, or one of true, false, yes and no; null is unknown. */
tacit_truth tacit_value_as_truth(const tacit_value *value);

/* *order is below, at or above 0 as a is below, at or above b: as numbers where one of them is a number, or
   one is a cell and both read as numbers, else byte by byte, where no spelling counts: of a moment
   tacit_moment_plain is compared, of a cell that is a number that number as text. NaN equals itself and is
   above all numbers. False where one of them is null, or where a number meets text that is none. */
bool tacit_value_compare(const tacit_value *a, const tacit_value *b, int *order);

#endif
