/* Numbers that are given by their digits. */
#ifndef TACIT_SRC_DIGITS_H
#define TACIT_SRC_DIGITS_H

#include "source/source.h"

/* What is left of a number in plain digits, [-+]digits[.digits] with blanks around it, when all is taken away
   that says nothing: blanks, a plus, zeros in front, and zeros behind a point. Nothing is left of 0. Two such
   numbers are the same if and only if this is. */
typedef struct tacit_digits {
  bool negative;
  const char *text; /* of what was read */
  size_t length;
} tacit_digits;
bool tacit_digits_read(const char *text, size_t length, tacit_digits *digits); /* false: in no such form */
/* Whether doubles tell the number apart from all others: a whole number that is a double, and a fraction of
   up to 15 digits. */
bool tacit_digits_apart(const tacit_digits *digits);

/* A number in plain digits, a whole number of many bits or a decimal. Where doubles tell it apart from all
   others it is a number like any other, so that it does not matter which type a writer found fit for a
   column. Of all others the digits are kept, for as doubles those of two people could be one. */
tacit_cell tacit_digits_cell(const char *text, size_t length);

#endif
