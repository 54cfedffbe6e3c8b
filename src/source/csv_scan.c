/* Splits a stream of bytes into CSV records and a record into cells.

   The buffer always ends in a NUL, so that the inner loops test one thing for each byte. Reading on may move
   the record to the front of the buffer or to a larger one: places are kept relative to the record's start.
 */
#include "source/csv_scan.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

/* The bytes that end a run of plain text, the separator among them. Where that is a comma none of them lies
   above it; what numbers are made of does. */
static inline bool is_special(const tacit_csv_scan *scan, char c) {
  return c == scan->separator || c == 0 || c == '\n' || c == '\r' || c == '"';
}

enum { PAD = sizeof(uint64_t) }; /* behind the buffer: its NUL, and room to read a whole word there */

tacit_status tacit_csv_scan_open(tacit_csv_scan *scan, tacit_bytes *bytes, size_t buffer,
                                 tacit_error *error) {
  *scan = (tacit_csv_scan){
      .bytes = bytes, .capacity = buffer, .keep = TACIT_CSV_COLUMNS_MAX + 1, .separator = ','};
  scan->buffer = tacit_alloc(buffer + PAD, 1);
  if (!scan->buffer) return tacit_no_memory(error);
  tacit_undump(scan->buffer, buffer + PAD);
  return TACIT_OK;
}

void tacit_csv_scan_close(tacit_csv_scan *scan) {
  if (scan->buffer) tacit_free_wiped(scan->buffer, scan->capacity + PAD);
  if (scan->bytes) scan->bytes->close(scan->bytes);
  free(scan->cells);
  *scan = (tacit_csv_scan){0};
}

static tacit_status grow(tacit_csv_scan *scan, tacit_error *error) {
  size_t larger = scan->capacity > TACIT_CSV_RECORD_MAX / 2 ? TACIT_CSV_RECORD_MAX : scan->capacity * 2;
  /* Not realloc: it may leave rows behind in memory that nobody wipes. */
  char *buffer = tacit_alloc(larger + PAD, 1);
  if (!buffer) return tacit_no_memory(error);
  tacit_undump(buffer, larger + PAD);
  memcpy(buffer, scan->buffer, scan->end);
  tacit_free_wiped(scan->buffer, scan->capacity + PAD);
  scan->buffer = buffer;
  scan->capacity = larger;
  return TACIT_OK;
}

/* Reads on, keeping the record so far. */
static tacit_status fill(tacit_csv_scan *scan, tacit_csv_fault *fault, tacit_error *error) {
  if (scan->start > 0) {
    memmove(scan->buffer, scan->buffer + scan->start, scan->end - scan->start);
    scan->at -= scan->start;
    scan->end -= scan->start;
    scan->start = 0;
  }
  if (scan->end == scan->capacity) {
    if (scan->capacity >= TACIT_CSV_RECORD_MAX) {
      *fault = TACIT_CSV_TOO_LONG;
      return TACIT_OK;
    }
    TACIT_TRY(grow(scan, error));
  }
  size_t got = 0;
  TACIT_TRY(
      scan->bytes->read(scan->bytes, scan->buffer + scan->end, scan->capacity - scan->end, &got, error));
  scan->ended = got == 0;
  scan->given += got;
  scan->end += got;
  scan->buffer[scan->end] = 0;
  return TACIT_OK;
}

/* Makes the byte at scan->at readable, or finds that there is none. */
static inline tacit_status need(tacit_csv_scan *scan, tacit_csv_fault *fault, tacit_error *error) {
  if (scan->at < scan->end || scan->ended) return TACIT_OK;
  return fill(scan, fault, error);
}

/* The byte at scan->at, 0 at the end of the input (where a NUL in the text is a fault of its own). */
static char here(const tacit_csv_scan *scan) {
  return scan->buffer[scan->at];
}

/* The first special byte from p on, eight bytes at a time. The length of a cell then decides no branch, and
   so none that the processor guesses wrong. */
static const char *find_special(const tacit_csv_scan *scan, const char *p) {
  const uint64_t ones = 0x0101010101010101;
  if (scan->separator > ',') {
    while (!is_special(scan, *p)) p++;
    return p;
  }
  for (;;) {
    uint64_t word;
    memcpy(&word, p, sizeof word);
    if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) word = __builtin_bswap64(word);
    /* The high bit of each byte up to ','. A borrow may only make it wrong above the lowest one. */
    uint64_t low = (word - (',' + 1) * ones) & ~word & 0x80 * ones;
    if (!low) {
      p += sizeof word;
      continue;
    }
    p += __builtin_ctzll(low) / 8;
    if (is_special(scan, *p)) return p;
    p++;
  }
}

static tacit_status scan_plain(tacit_csv_scan *scan, tacit_csv_fault *fault, tacit_error *error) {
  do {
    scan->at = (size_t)(find_special(scan, scan->buffer + scan->at) - scan->buffer);
    TACIT_TRY(need(scan, fault, error));
  } while (scan->at < scan->end && !is_special(scan, here(scan)) && !*fault);
  return TACIT_OK;
}

/* From the opening quote to just behind the closing one. */
static tacit_status scan_quoted(tacit_csv_scan *scan, bool *doubled, tacit_csv_fault *fault,
                                tacit_error *error) {
  scan->at++;
  for (;;) {
    const char *p = scan->buffer + scan->at;
    while (*p != '"' && *p) p++;
    scan->at = (size_t)(p - scan->buffer);
    if (scan->at == scan->end) {
      TACIT_TRY(need(scan, fault, error));
      if (*fault) return TACIT_OK;
      if (scan->at < scan->end) continue;
      *fault = TACIT_CSV_OPEN_QUOTE;
      return TACIT_OK;
    }
    if (!*p) {
      *fault = TACIT_CSV_NUL;
      return TACIT_OK;
    }
    scan->at++;
    TACIT_TRY(need(scan, fault, error));
    if (*fault || here(scan) != '"') return TACIT_OK;
    *doubled = true;
    scan->at++;
  }
}

/* One cell; scan->at then stands on what ended it. */
static tacit_status scan_cell(tacit_csv_scan *scan, tacit_csv_span *cell, tacit_csv_fault *fault,
                              tacit_error *error) {
  size_t begin = scan->at - scan->start;
  bool quoted = here(scan) == '"';
  *cell = (tacit_csv_span){.start = begin + quoted};
  if (quoted)
    TACIT_TRY(scan_quoted(scan, &cell->doubled, fault, error));
  else
    TACIT_TRY(scan_plain(scan, fault, error));
  if (*fault) return TACIT_OK;
  cell->length = scan->at - scan->start - begin - (quoted ? 2 : 0);
  if (scan->at == scan->end) return TACIT_OK;
  char c = here(scan);
  if (c == scan->separator || c == '\n' || c == '\r') return TACIT_OK;
  *fault = !c ? TACIT_CSV_NUL : quoted ? TACIT_CSV_AFTER_QUOTE : TACIT_CSV_STRAY_QUOTE;
  return TACIT_OK;
}

/* Steps over the line end at scan->at. */
static tacit_status end_record(tacit_csv_scan *scan, tacit_csv_fault *fault, tacit_error *error) {
  scan->length = scan->at - scan->start;
  scan->line_end = scan->at < scan->end;
  if (!scan->line_end) return TACIT_OK;
  if (here(scan) == '\r') {
    scan->at++;
    TACIT_TRY(need(scan, fault, error));
    if (*fault) return TACIT_OK;
    if (here(scan) != '\n') {
      *fault = TACIT_CSV_BARE_CR;
      return TACIT_OK;
    }
  }
  scan->at++;
  return TACIT_OK;
}

tacit_status tacit_csv_scan_next(tacit_csv_scan *scan, bool *more, tacit_csv_fault *fault,
                                 tacit_error *error) {
  *fault = TACIT_CSV_FINE;
  scan->start = scan->at;
  scan->found = 0;
  TACIT_TRY(need(scan, fault, error));
  *more = scan->at < scan->end;
  if (!*more) return TACIT_OK;
  for (;;) {
    tacit_csv_span cell;
    TACIT_TRY(scan_cell(scan, &cell, fault, error));
    if (*fault) return TACIT_OK;
    if (scan->found < scan->keep) {
      if (scan->found == scan->cell_capacity) {
        void *cells = tacit_grow(scan->cells, &scan->cell_capacity, scan->found + 1, sizeof cell);
        if (!cells) return tacit_no_memory(error);
        scan->cells = cells;
      }
      scan->cells[scan->found] = cell;
    }
    if (here(scan) != scan->separator) {
      TACIT_TRY(end_record(scan, fault, error));
      if (!*fault) scan->found++;
      return TACIT_OK;
    }
    scan->found++;
    scan->at++;
    TACIT_TRY(need(scan, fault, error));
    if (*fault) return TACIT_OK;
  }
}

tacit_status tacit_csv_scan_skip_mark(tacit_csv_scan *scan, tacit_error *error) {
  static const char mark[] = "\xEF\xBB\xBF";
  tacit_csv_fault fault = TACIT_CSV_FINE;
  while (scan->end < 3 && !scan->ended) TACIT_TRY(fill(scan, &fault, error));
  if (scan->end >= 3 && memcmp(scan->buffer, mark, 3) == 0) scan->at = 3;
  return TACIT_OK;
}

tacit_status tacit_csv_scan_skip_blank(tacit_csv_scan *scan, bool *ended, tacit_error *error) {
  tacit_csv_fault fault = TACIT_CSV_FINE;
  for (;;) {
    scan->start = scan->at;
    TACIT_TRY(need(scan, &fault, error));
    *ended = scan->at == scan->end;
    if (*ended || (here(scan) != '\n' && here(scan) != '\r')) return TACIT_OK;
    TACIT_TRY(end_record(scan, &fault, error));
    if (fault) return TACIT_OK;
  }
}
