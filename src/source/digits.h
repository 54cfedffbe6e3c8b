/* Cells of numbers that are given by their digits. */
#ifndef TACIT_SRC_DIGITS_H
#define TACIT_SRC_DIGITS_H

#include "source/source.h"

/* A number in plain digits, [-]digits[.digits]: a whole number of many bits, or a decimal. Where doubles tell
   it apart from all others it is a number like any other, so that it does not matter which type a writer
   found fit for a column: a whole number that is a double, and a fraction of up to 15 digits. Of all others
   the digits are kept, for as doubles those of two people could be one. Zeros behind the point say nothing.
 */
tacit_cell tacit_digits_cell(const char *text, size_t length);

#endif
