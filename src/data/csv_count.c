/* Counts the quotes and line feeds of a piece of CSV text. */
#include "data/csv_count.h"

#include "num/clones.h"

#include <stdint.h>
#include <string.h>

/* Runs of bytes whose sum fits a byte: the compiler then adds them sixteen or more at a time. */
TACIT_CLONES static size_t count_lines(const char *text, size_t length) {
  enum { RUN = 192 };
  size_t lines = 0, i = 0;
  for (; i + RUN <= length; i += RUN) {
    uint8_t part = 0;
    for (size_t k = 0; k < RUN; k++) part = (uint8_t)(part + (text[i + k] == '\n'));
    lines += part;
  }
  for (; i < length; i++) lines += text[i] == '\n';
  return lines;
}

void tacit_csv_count_piece(const char *text, size_t begin, size_t end, tacit_csv_count *count) {
  *count = (tacit_csv_count){0};
  for (size_t at = begin;;) {
    size_t odd = count->quotes & 1;
    const char *quote = at < end ? memchr(text + at, '"', end - at) : NULL;
    size_t stop = quote ? (size_t)(quote - text) : end;
    size_t lines = at < stop ? count_lines(text + at, stop - at) : 0;
    if (lines && !count->lines[odd])
      count->first[odd] = (size_t)((const char *)memchr(text + at, '\n', stop - at) - text);
    count->lines[odd] += lines;
    if (!quote) return;
    count->quotes++;
    at = stop + 1;
  }
}
