/* Splits a stream of bytes into CSV records and a record into cells (RFC 4180), without looking at what they
 * say. */
#ifndef TACIT_SRC_CSV_SCAN_H
#define TACIT_SRC_CSV_SCAN_H

#include "source/bytes.h"

/* One record with its line end, so that an open quote cannot eat the machine's memory. */
#define TACIT_CSV_RECORD_MAX ((size_t)64 << 20)
#define TACIT_CSV_COLUMNS_MAX ((size_t)1 << 16)

/* What is wrong with a record; csv.c puts it into words. */
typedef enum tacit_csv_fault {
  TACIT_CSV_FINE,
  TACIT_CSV_AFTER_QUOTE, /* text after a closing quote */
  TACIT_CSV_STRAY_QUOTE, /* a quote inside a cell that does not begin with one */
  TACIT_CSV_OPEN_QUOTE,  /* the file ends inside quotes */
  TACIT_CSV_BARE_CR,     /* a carriage return outside quotes and without a line feed */
  TACIT_CSV_NUL,
  TACIT_CSV_TOO_LONG
} tacit_csv_fault;

/* A cell's place, counted from the record's first byte; the quotes around it do not belong to it. */
typedef struct tacit_csv_span {
  size_t start, length;
  bool doubled; /* holds quotes written twice */
} tacit_csv_span;

typedef struct tacit_csv_scan {
  tacit_bytes *bytes;
  char *buffer;    /* a NUL after the last byte ends every scan; a word may be read from there on */
  size_t capacity; /* grows to hold the longest record */
  size_t start;    /* of the record */
  size_t at, end;  /* the byte to look at, the end of what was read */
  bool ended;      /* there is nothing more to read */
  uint64_t given;  /* bytes read so far */
  size_t length;   /* of the record without its line end */
  bool line_end;   /* there was one, and not the end of the input */
  char separator;  /* of cells */
  tacit_csv_span *cells;
  size_t cell_capacity, keep; /* only the first `keep` cells are stored */
  size_t found;               /* cells in the record; after a fault, the cell it is in */
} tacit_csv_scan;

/* Takes over bytes, also when it fails. buffer is the first capacity, at least 1. Cells are separated by
   commas, unless the separator is changed before the first record is read. */
tacit_status tacit_csv_scan_open(tacit_csv_scan *scan, tacit_bytes *bytes, size_t buffer,
                                 tacit_error *error) TACIT_CHECKED;
/* Skips a UTF-8 byte-order mark; only before the first record. */
tacit_status tacit_csv_scan_skip_mark(tacit_csv_scan *scan, tacit_error *error) TACIT_CHECKED;
/* The next record: buffer + start and cells are valid until the next call. */
tacit_status tacit_csv_scan_next(tacit_csv_scan *scan, bool *more, tacit_csv_fault *fault,
                                 tacit_error *error) TACIT_CHECKED;
/* Skips empty lines; *ended says whether nothing follows them. */
tacit_status tacit_csv_scan_skip_blank(tacit_csv_scan *scan, bool *ended, tacit_error *error) TACIT_CHECKED;
/* Wipes what was read and closes the bytes. */
void tacit_csv_scan_close(tacit_csv_scan *scan);

#endif
