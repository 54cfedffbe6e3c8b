/* Cells of numbers that are given by their digits. */
#ifndef TACIT_SRC_DIGITS_H
#define TACIT_SRC_DIGITS_H

#include "source/source.h"

/* Whole numbers of 64 bits and more, and decimals, by their digits. Up to 15 of them are told apart by
   doubles, and are a number like any other, so that it does not matter which type a writer found fit for a
   column; as doubles, longer ones of two people could be one. Zeros behind the point say nothing. */
tacit_cell tacit_digits_cell(const char *text, size_t length);

#endif
