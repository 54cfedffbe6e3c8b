/* Counts the quotes and line feeds of a piece of CSV text. */
#include "source/csv_count.h"

#include "num/clones.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { RUN = 192 }; /* bytes whose line feeds fit a byte's count */

/* The line feeds of runs up to the first that has a quote; *at is moved behind them. The compiler adds
   sixteen or more bytes at a time. */
TACIT_CLONES static size_t count_runs(const char *text, size_t *at, size_t end) {
  size_t lines = 0, i = *at;
  for (; end - i >= RUN; i += RUN) {
    uint8_t part = 0, quotes = 0;
    for (size_t k = 0; k < RUN; k++) {
      part = (uint8_t)(part + (text[i + k] == '\n'));
      quotes = (uint8_t)(quotes | (text[i + k] == '"'));
    }
    if (quotes) break;
    lines += part;
  }
  *at = i;
  return lines;
}

void tacit_csv_count_piece(const char *text, size_t begin, size_t end, tacit_csv_count *count) {
  *count = (tacit_csv_count){0};
  bool found[2] = {false, false};
  for (size_t at = begin; at < end;) {
    size_t odd = count->quotes & 1, from = at, lines = count_runs(text, &at, end);
    if (lines && !found[odd]) {
      count->first[odd] = (size_t)((const char *)memchr(text + from, '\n', at - from) - text);
      found[odd] = true;
    }
    count->lines[odd] += lines;
    /* the run with a quote, or what is left, byte by byte */
    for (size_t stop = end - at < RUN ? end : at + RUN; at < stop; at++) {
      odd = count->quotes & 1;
      if (text[at] == '\n') {
        if (!found[odd]) count->first[odd] = at;
        found[odd] = true;
        count->lines[odd]++;
      }
      count->quotes += text[at] == '"';
    }
  }
}
