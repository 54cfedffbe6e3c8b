/* Finds where records begin in a piece of CSV text whose beginning may lie inside quotes. */
#ifndef TACIT_SRC_CSV_COUNT_H
#define TACIT_SRC_CSV_COUNT_H

#include <stddef.h>

/* In text without a fault a byte lies inside quotes if, and only if, the number of quotes before it is odd:
   a quote written twice counts twice. Whoever knows whether a piece begins inside quotes knows its records.
 */
typedef struct tacit_csv_count {
  size_t quotes;
  size_t lines[2]; /* line feeds with an even and with an odd number of the piece's quotes before them */
  size_t first[2]; /* the place of the first of them; not set when there is none */
} tacit_csv_count;

/* The piece is text[begin..end). */
void tacit_csv_count_piece(const char *text, size_t begin, size_t end, tacit_csv_count *count);

#endif
