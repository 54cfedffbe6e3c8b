/* Reads runs of number cells, side by side in one record, without a branch on a sign, a length or a point. */
#ifndef TACIT_SRC_NUMBER_RUN_H
#define TACIT_SRC_NUMBER_RUN_H

#include "source/decimals.h"

/* The bytes that may be looked at: cells near either end are left alone. */
typedef struct tacit_number_text {
  const char *begin, *end;
} tacit_number_text;

/* Reads cells from p on, one for each of `count` columns, commas between them, as entry `row` of the columns'
   decimals. Returns how many are numbers in plain digits, [-]digits with or without a point (at most 22, and
   those before the last 19 zeros), before one that is not or is near the text's end; nothing is said about
   that one. *behind is the comma or line end behind the last that was read. */
typedef size_t tacit_number_run(const char *p, const tacit_number_text *text, tacit_decimals *column,
                                size_t count, size_t row, const char **behind);

/* The fastest for this processor. */
tacit_number_run *tacit_number_run_best(void);

/* One way each; NULL where the compiler has no words for it or this processor lacks the instructions. */
tacit_number_run *tacit_number_run_sse2(void);
tacit_number_run *tacit_number_run_avx2(void);

#endif
