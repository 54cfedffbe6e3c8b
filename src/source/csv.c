/* A CSV file as a source: header, records of equal length, and refusals that name record and column but never
   say what a cell holds (docs/formats/csv.md). */
#include "source/csv.h"

#include "base/base.h"
#include "source/csv_scan.h"
#include "source/unpack.h"

#include <stdlib.h>
#include <string.h>

typedef struct csv_source {
  tacit_source base;
  tacit_csv_scan scan;
  char *name_text; /* all names, one after the other */
  const char **names;
  char *plain; /* cells with doubled quotes, written out; the record itself stays as it is in the file */
  size_t plain_capacity;
  tacit_status failed; /* a source that failed stays failed, with the same words */
  tacit_error failure;
} csv_source;

static const char *fault_words(tacit_csv_fault fault) {
  switch (fault) {
  case TACIT_CSV_AFTER_QUOTE:
    return "text after a closing quote; write a quote inside a quoted cell twice";
  case TACIT_CSV_STRAY_QUOTE:
    return "a quote inside an unquoted cell; put the whole cell in quotes";
  case TACIT_CSV_OPEN_QUOTE:
    return "a quote is opened and never closed";
  case TACIT_CSV_BARE_CR:
    return "a carriage return without a line feed; end lines with LF or CRLF";
  case TACIT_CSV_NUL:
    return "a NUL byte; save the file as UTF-8 text";
  case TACIT_CSV_TOO_LONG:
    return "the record is longer than 64 MiB; is a quote left open?";
  default:
    return "malformed";
  }
}

static tacit_status record_fault(const csv_source *csv, tacit_csv_fault fault, tacit_error *error) {
  size_t cell = csv->scan.found, record = csv->base.record;
  const char *words = fault_words(fault);
  if (record == 0) return tacit_fail(error, TACIT_BAD_INPUT, "header, column %zu: %s", cell + 1, words);
  if (cell >= csv->base.columns)
    return tacit_fail(error, TACIT_BAD_INPUT, "record %zu, cell %zu: %s", record, cell + 1, words);
  return tacit_fail(error, TACIT_BAD_INPUT, "record %zu, column \"%.100s\": %s", record,
                    csv->base.names[cell], words);
}

/* text with doubled quotes made single; returns the new length. */
static size_t write_plain(const char *text, size_t length, char *out) {
  size_t n = 0;
  for (size_t i = 0; i < length; i++) {
    out[n++] = text[i];
    if (text[i] == '"') i++;
  }
  return n;
}

static tacit_status make_room(csv_source *csv, tacit_error *error) {
  if (csv->plain_capacity >= csv->scan.length && csv->plain) return TACIT_OK;
  tacit_free_wiped(csv->plain, csv->plain_capacity);
  csv->plain_capacity = csv->scan.length * 2;
  csv->plain = tacit_alloc(csv->plain_capacity, 1);
  if (csv->plain) return TACIT_OK;
  csv->plain_capacity = 0;
  return tacit_no_memory(error);
}

/* The record's cells as slices of the buffer, or of `plain` where quotes were doubled. */
static tacit_status hand_out(csv_source *csv, tacit_cell *cells, tacit_error *error) {
  const char *record = csv->scan.buffer + csv->scan.start;
  const tacit_csv_span *spans = csv->scan.cells;
  size_t used = 0;
  for (size_t j = 0; j < csv->base.columns; j++) {
    cells[j] = (tacit_cell){.text = record + spans[j].start, .length = spans[j].length};
    if (!spans[j].doubled) continue;
    if (used == 0) TACIT_TRY(make_room(csv, error));
    cells[j].length = write_plain(cells[j].text, cells[j].length, csv->plain + used);
    cells[j].text = csv->plain + used;
    used += cells[j].length;
  }
  csv->base.text.raw = record;
  csv->base.text.raw_length = csv->scan.length;
  return TACIT_OK;
}

/* Where there is one column, an empty last cell without a line end leaves no byte: whether there is a record
   would depend on what its cell holds (proofs/units.md, Claim 6). With several, its commas are there. */
static tacit_status check_line_end(const csv_source *csv, tacit_error *error) {
  if (csv->base.columns != 1 || csv->scan.line_end) return TACIT_OK;
  return tacit_fail(error, TACIT_BAD_INPUT,
                    "the last line has no line end, and in a file with one column an empty last cell would "
                    "then not be seen; have the program that writes the file end every line, whatever it "
                    "holds");
}

static tacit_status read_record(csv_source *csv, tacit_cell *cells, bool *more, tacit_error *error) {
  tacit_csv_fault fault;
  csv->base.record++;
  csv->base.text.raw = NULL;
  csv->base.text.raw_length = 0;
  TACIT_TRY(tacit_csv_scan_next(&csv->scan, more, &fault, error));
  if (csv->scan.bytes->total) csv->base.fraction = (double)csv->scan.given / (double)csv->scan.bytes->total;
  if (fault) return record_fault(csv, fault, error);
  if (*more && csv->scan.length == 0 && csv->base.columns > 1) {
    /* Empty lines at the end of a file are an editor's habit; elsewhere a record has been lost. */
    bool ended;
    TACIT_TRY(tacit_csv_scan_skip_blank(&csv->scan, &ended, error));
    if (!ended)
      return tacit_fail(error, TACIT_BAD_INPUT,
                        "record %zu: an empty line, expected %zu cells; remove the line", csv->base.record,
                        csv->base.columns);
    *more = false;
  }
  if (!*more) {
    csv->base.record--;
    return TACIT_OK;
  }
  if (csv->scan.found != csv->base.columns)
    return tacit_fail(
        error, TACIT_BAD_INPUT,
        "record %zu: cells found %zu, expected %zu as in the header; a %s inside a cell needs quotes",
        csv->base.record, csv->scan.found, csv->base.columns,
        csv->scan.separator == ',' ? "comma" : "separator");
  TACIT_TRY(check_line_end(csv, error));
  return hand_out(csv, cells, error);
}

static tacit_status csv_next(tacit_source *self, tacit_cell *cells, bool *more, tacit_error *error) {
  csv_source *csv = (csv_source *)self;
  *more = false;
  if (!csv->failed) csv->failed = read_record(csv, cells, more, &csv->failure);
  if (!csv->failed) return TACIT_OK;
  *more = false;
  return tacit_fail(error, csv->failed, "%s", csv->failure.text);
}

static void csv_close(tacit_source *self) {
  csv_source *csv = (csv_source *)self;
  tacit_csv_scan_close(&csv->scan);
  tacit_free_wiped(csv->plain, csv->plain_capacity);
  free(csv->name_text);
  free(csv->names);
  free(csv);
}

/* The file's place of the byte that is looked at next. */
static uint64_t place(const csv_source *csv) {
  return csv->scan.given - (csv->scan.end - csv->scan.at);
}

static void csv_rest(const tacit_source *self, const char **text, size_t *length) {
  const csv_source *csv = (const csv_source *)self;
  *text = csv->scan.bytes->map + place(csv);
  *length = (size_t)(csv->scan.bytes->total - place(csv));
}

static void csv_resume(tacit_source *self, const char *at, size_t record) {
  csv_source *csv = (csv_source *)self;
  tacit_bytes *bytes = csv->scan.bytes;
  uint64_t to = (uint64_t)(at - bytes->map);
  bytes->seek(bytes, to);
  if (bytes->drop) bytes->drop(bytes, to);
  csv->scan.start = csv->scan.at = csv->scan.end = 0;
  csv->scan.buffer[0] = 0;
  csv->scan.given = to;
  csv->scan.ended = false;
  self->record = record;
  self->fraction = (double)to / (double)bytes->total;
  self->text.raw = NULL;
  self->text.raw_length = 0;
}

/* What stands behind the first quoted name of the first line, where it is another separator than was said. */
static const char *separator_behind_quote(const tacit_csv_scan *scan) {
  static const struct {
    char mark;
    const char *called;
  } MARKS[] = {{';', "semicolons"}, {'\t', "tabs"}, {'|', "bars"}, {',', "commas"}};
  const char *at = scan->buffer + scan->start, *end = scan->buffer + scan->end;
  const char *quote = at < end && *at == '"' ? memchr(at + 1, '"', (size_t)(end - at - 1)) : NULL;
  for (size_t i = 0; quote && quote + 1 < end && i < sizeof MARKS / sizeof *MARKS; i++)
    if (quote[1] == MARKS[i].mark && quote[1] != scan->separator) return MARKS[i].called;
  return NULL;
}

static tacit_status header_fault(const csv_source *csv, tacit_csv_fault fault, tacit_error *error) {
  const char *separator = fault == TACIT_CSV_AFTER_QUOTE ? separator_behind_quote(&csv->scan) : NULL;
  if (!separator) return record_fault(csv, fault, error);
  return tacit_fail(error, TACIT_BAD_INPUT,
                    "the table's first line looks separated by %s: give the separator (and the decimal "
                    "comma, if numbers have one) as options",
                    separator);
}

static tacit_status read_header(csv_source *csv, tacit_error *error) {
  tacit_csv_scan *scan = &csv->scan;
  tacit_csv_fault fault;
  bool more;
  TACIT_TRY(tacit_csv_scan_skip_mark(scan, error));
  TACIT_TRY(tacit_csv_scan_next(scan, &more, &fault, error));
  if (fault) return header_fault(csv, fault, error);
  if (!more)
    return tacit_fail(error, TACIT_BAD_INPUT, "the file is empty; it needs a header line and records");
  if (scan->length == 0)
    return tacit_fail(error, TACIT_BAD_INPUT, "the first line is empty; it must hold the column names");
  if (scan->found > TACIT_CSV_COLUMNS_MAX)
    return tacit_fail(error, TACIT_BAD_INPUT, "the header has %zu columns, more than %zu", scan->found,
                      TACIT_CSV_COLUMNS_MAX);
  /* Every name loses a comma or a line end and wins a NUL. */
  csv->name_text = tacit_alloc(scan->length + 1, 1);
  csv->names = tacit_alloc(scan->found, sizeof *csv->names);
  if (!csv->name_text || !csv->names) return tacit_no_memory(error);
  char *out = csv->name_text;
  for (size_t j = 0; j < scan->found; j++) {
    const tacit_csv_span *span = &scan->cells[j];
    const char *text = scan->buffer + scan->start + span->start;
    csv->names[j] = out;
    if (memchr(text, '\n', span->length)) /* what an open quote swallowed is a record, not a name */
      return tacit_fail(error, TACIT_BAD_INPUT,
                        "header, column %zu: a line end inside a name; is a quote opened and not closed?",
                        j + 1);
    if (span->doubled)
      out += write_plain(text, span->length, out);
    else {
      memcpy(out, text, span->length);
      out += span->length;
    }
    *out++ = 0;
  }
  csv->base.names = csv->names;
  csv->base.columns = scan->keep = scan->found;
  csv->base.text.raw = scan->buffer + scan->start;
  csv->base.text.raw_length = scan->length;
  TACIT_TRY(check_line_end(csv, error));
  return tacit_source_check_names(&csv->base, error);
}

tacit_status tacit_csv_over(tacit_bytes *bytes, size_t buffer, tacit_source **source, tacit_error *error) {
  return tacit_csv_over_as(bytes, buffer, NULL, source, error);
}

tacit_status tacit_csv_over_as(tacit_bytes *bytes, size_t buffer, const tacit_csv_form *form,
                               tacit_source **source, tacit_error *error) {
  static const tacit_csv_form USUAL = {',', '.'};
  if (!form) form = &USUAL;
  *source = NULL;
  csv_source *csv = tacit_alloc(1, sizeof *csv);
  if (!csv) {
    bytes->close(bytes);
    return tacit_no_memory(error);
  }
  csv->base.next = csv_next;
  csv->base.close = csv_close;
  csv->base.text.separator = form->separator;
  csv->base.text.decimal_comma = form->decimal == ',';
  if (bytes->map && form->separator == ',' &&
      !csv->base.text.decimal_comma) { /* what many threads can read */
    csv->base.text.rest = csv_rest;
    csv->base.text.resume = csv_resume;
  }
  tacit_status status = tacit_csv_scan_open(&csv->scan, bytes, buffer, error);
  csv->scan.separator = form->separator;
  if (!status) status = read_header(csv, error);
  if (status)
    csv_close(&csv->base);
  else
    *source = &csv->base;
  return status;
}

tacit_status tacit_csv_check_form(const tacit_csv_form *form, tacit_error *error) {
  if (!form) return TACIT_OK;
  if (!form->separator || !strchr(",;\t|", form->separator))
    return tacit_fail(error, TACIT_USAGE, "cells are separated by a comma, a semicolon, a tab or a bar");
  if (form->decimal != '.' && form->decimal != ',')
    return tacit_fail(error, TACIT_USAGE, "a number has a decimal point or a decimal comma");
  return TACIT_OK;
}

tacit_status tacit_source_csv_as(const char *path, const tacit_csv_form *form, tacit_source **source,
                                 tacit_error *error) {
  tacit_bytes *bytes;
  *source = NULL;
  TACIT_TRY(tacit_csv_check_form(form, error));
  TACIT_TRY(tacit_bytes_file(path, &bytes, error));
  TACIT_TRY(tacit_bytes_unpack(&bytes, error));
  return tacit_csv_over_as(bytes, TACIT_CSV_BUFFER, form, source, error);
}

tacit_status tacit_source_csv(const char *path, tacit_source **source, tacit_error *error) {
  return tacit_source_csv_as(path, NULL, source, error);
}

tacit_status tacit_source_csv_text(const char *text, size_t length, tacit_source **source,
                                   tacit_error *error) {
  tacit_bytes *bytes;
  *source = NULL;
  TACIT_TRY(tacit_bytes_text(text, length, &bytes, error));
  return tacit_csv_over(bytes, TACIT_CSV_BUFFER, source, error);
}
