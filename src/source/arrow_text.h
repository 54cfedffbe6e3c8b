/* Moments and decimals of an Arrow array as the texts that a CSV file would have for them. */
#ifndef TACIT_SRC_ARROW_TEXT_H
#define TACIT_SRC_ARROW_TEXT_H

#include "source/source.h"

enum { TACIT_ARROW_SIZE = 128 }; /* the longest: a decimal of 256 bits, its sign, point and zeros */

/* A column of days (tdD, tdm), moments (tss:, tsm:, tsu:, tsn:, perhaps with a zone) or decimals (d:19,4 and
   d:19,4,256), by its format. */
typedef struct tacit_arrow_spelling {
  enum { TACIT_SPELL_NOT, TACIT_SPELL_DAYS, TACIT_SPELL_MOMENT, TACIT_SPELL_DECIMAL } kind;
  int width;         /* bytes of a value */
  int64_t in_second; /* of a moment: so many of its units; of a day in milliseconds 1000, else 0 */
  bool zoned;        /* the moment is UTC's */
  int scale;         /* of a decimal: digits behind the point */
} tacit_arrow_spelling;
tacit_arrow_spelling tacit_arrow_spelling_of(const char *format);

/* Value i. A moment at midnight is its date, as elsewhere (schema/calendar.h), and one beyond the years 1 to
   9999 an empty cell. text has TACIT_ARROW_SIZE bytes. */
tacit_cell tacit_arrow_spell(const tacit_arrow_spelling *spelling, const void *data, int64_t i, char *text);

#endif
