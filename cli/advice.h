/* What is likely where many cells of a column are not what the schema says: for the data holder alone. */
#ifndef TACIT_CLI_ADVICE_H
#define TACIT_CLI_ADVICE_H

#include "cli.h"

enum { ADVICE_LINES = 5, ADVICE_TEXT = 512 };

/* A column's cells, and those that were not foreseen. */
typedef struct odd_cells {
  size_t records;
  size_t unlisted, unreadable, outside;
  size_t foreign; /* of the unlisted ones: no UTF-8 */
  size_t commas;  /* of the unreadable ones: numbers, if a comma were their point */
  double filled;  /* the share of its bounds that a number spreads over; 0: not known */
} odd_cells;

/* A line for each sort that is more than a tenth of the cells; returns how many. index counts the schema's
   features, its targets, and then the columns that say what sold out. */
size_t advice_on(const tacit_schema *schema, size_t index, const odd_cells *odd,
                 char lines[ADVICE_LINES][ADVICE_TEXT]);

/* Whether the entry is a column of flags that says what sold out. */
bool says_sold_out(const tacit_schema *schema, size_t index);

#endif
