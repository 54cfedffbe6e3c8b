/* Entries of Arrow arrays that are neither plain numbers nor texts between two places: views of texts,
   decimals, dates and times, each as text. */
#ifndef TACIT_SRC_ARROW_VALUES_H
#define TACIT_SRC_ARROW_VALUES_H

#include "source/source.h"

#include <tacit/arrow.h>

enum { TACIT_ARROW_TEXT = 96 };

/* Entry i of a "vu" array, counted from its buffers' beginning; false where its places make no sense. */
bool tacit_arrow_view(const struct ArrowArray *array, int64_t i, tacit_cell *cell);

/* A decimal: a whole number of `bytes` bytes, least first, in two's complement, times 10^-scale. */
typedef struct tacit_arrow_decimal {
  size_t bytes;
  int scale;
} tacit_arrow_decimal;
/* "d:19,2", "d:19,2,256"; false for another format. */
bool tacit_arrow_decimal_of(const char *format, tacit_arrow_decimal *decimal);
/* All of its digits; returns the length. */
size_t tacit_arrow_decimal_text(const tacit_arrow_decimal *decimal, const void *data, int64_t i,
                                char text[TACIT_ARROW_TEXT]);

/* A count of seconds or of parts of them, or of days, since 1970. */
typedef struct tacit_arrow_time {
  int64_t in_a_day; /* how many there are: 1 for days */
  bool narrow;      /* in four bytes */
  bool zoned;       /* the clock is UTC's, whatever zone is named */
} tacit_arrow_time;
/* "tdD", "tdm", "tss:", "tsm:Europe/Berlin" and so on; false for another format. */
bool tacit_arrow_time_of(const char *format, tacit_arrow_time *time);
/* As ISO 8601 has it, with +00 behind it where it is zoned; 0 for a year that is not between 1 and 9999. */
size_t tacit_arrow_time_text(const tacit_arrow_time *time, const void *data, int64_t i,
                             char text[TACIT_ARROW_TEXT]);

#endif
