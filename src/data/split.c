/* A table in two, record by record: by a column's value, or by lot. Where a record goes depends on itself and
   what was asked alone; by lot all records of a unit go together. */
#include "base/base.h"
#include "base/reading.h"
#include "base/temporary.h"
#include "data/pack.h"
#include "num/shortest.h"
#include "schema/calendar.h"
#include "schema/clock.h"

#include <errno.h>
#include <math.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <tacit/data.h>
#include <unistd.h>

enum { BUFFER = 1 << 16 };

/* One of the two files, under a name of its own until it is whole. */
typedef struct part {
  const char *path;
  char *name;
  int file; /* -1: not open */
  bool failed;
  size_t used;
  char *buffer; /* of BUFFER bytes, written when it is full */
} part;

static void flush(part *p) {
  for (size_t done = 0; done < p->used && !p->failed;) {
    ssize_t n = write(p->file, p->buffer + done, p->used - done);
    if (n < 0 && errno == EINTR) continue;
    p->failed = n <= 0;
    done += n > 0 ? (size_t)n : 0;
  }
  p->used = 0;
}

static void put(part *p, const char *bytes, size_t length) {
  while (length) {
    size_t some = BUFFER - p->used < length ? BUFFER - p->used : length;
    memcpy(p->buffer + p->used, bytes, some);
    p->used += some;
    bytes += some;
    length -= some;
    if (p->used == BUFFER) flush(p);
  }
}

typedef struct splitting {
  tacit_source *source;
  const tacit_split_options *options;
  size_t by, unit; /* columns */
  bool at_number;
  double number;                  /* of `at` */
  char moment[TACIT_MOMENT_TEXT]; /* of `at`, where it is no number */
  double seconds;                 /* the same where dates have a format */
  unsigned char key[crypto_shorthash_KEYBYTES];
  part parts[2];
  tacit_cell *cells;
} splitting;

static tacit_status check_options(const tacit_split_options *o, const tacit_source *source,
                                  tacit_error *error) {
  bool by = o->by && o->at, share = o->share > 0;
  if (source->pack) return tacit_fail(error, TACIT_BAD_INPUT, "%s", TACIT_PACK_HAS_NO_RECORDS);
  if (source->engine) return tacit_fail(error, TACIT_BAD_INPUT, "%s", TACIT_ENGINE_HAS_NO_RECORDS);
  TACIT_TRY(tacit_source_check_form(source, error));
  if (!o->by != !o->at || by == share)
    return tacit_fail(error, TACIT_USAGE,
                      "give a column and where to cut it, or the share of the first part");
  if (share && !(o->share < 1))
    return tacit_fail(error, TACIT_USAGE, "the share of the first part must be above 0 and below 1");
  if (o->format && (!by || !tacit_clock_format(o->format)))
    return tacit_fail(error, TACIT_USAGE,
                      by ? "a format has %%Y, %%m and %%d, perhaps with %%H, %%M and %%S: %%d.%%m.%%Y"
                         : "a format of dates is for a cut by a column's values");
  if (by && o->unit)
    return tacit_fail(
        error, TACIT_USAGE,
        "a cut by a column's values does not keep units whole: split by share, or without units");
  return TACIT_OK;
}

static tacit_status find_columns(splitting *s, tacit_error *error) {
  const tacit_split_options *o = s->options;
  size_t any;
  /* a source that reads what is asked for only is asked for everything */
  for (size_t j = 0; j < s->source->columns; j++)
    TACIT_TRY(tacit_source_find(s->source, s->source->names[j], &any, error));
  if (o->unit) TACIT_TRY(tacit_source_find(s->source, o->unit, &s->unit, error));
  if (!o->by) return TACIT_OK;
  const tacit_cell at = {.text = o->at, .length = strlen(o->at)};
  TACIT_TRY(tacit_source_find(s->source, o->by, &s->by, error));
  if (o->format) {
    if (tacit_clock_read(o->format, at.text, at.length, &s->seconds) ||
        tacit_clock_read(NULL, at.text, at.length, &s->seconds))
      return TACIT_OK;
    return tacit_fail(error, TACIT_USAGE,
                      "where to cut must be a date in the format that dates have, or like 2018-01-31");
  }
  s->at_number = tacit_source_read_number(s->source, &at, &s->number) == TACIT_NUMBER;
  if (s->at_number || tacit_moment_plain(at.text, at.length, s->moment)) return TACIT_OK;
  return tacit_fail(error, TACIT_USAGE,
                    "where to cut must be a number, as the table writes numbers, or a date, 2018-01-31, "
                    "perhaps with a time; other dates need the format that they have");
}

/* 1 from the cut on, 0 before it. */
static tacit_status side_by_value(const splitting *s, int *side, tacit_error *error) {
  const tacit_cell *cell = &s->cells[s->by];
  char moment[TACIT_MOMENT_TEXT];
  double number;
  if (s->options->format && tacit_cell_read_moment(cell, s->options->format, &number) == TACIT_NUMBER)
    *side = number >= s->seconds;
  else if (s->options->format)
    return tacit_fail(error, TACIT_BAD_INPUT,
                      "record %zu, column \"%.200s\": not a date in the format that dates have; fix the "
                      "record, or give the right format",
                      s->source->record, s->options->by);
  else if (s->at_number && tacit_source_read_number(s->source, cell, &number) == TACIT_NUMBER)
    *side = number >= s->number;
  else if (!s->at_number && cell->text && tacit_moment_plain(cell->text, cell->length, moment))
    *side = strcmp(moment, s->moment) >= 0;
  else
    return tacit_fail(error, TACIT_BAD_INPUT,
                      "record %zu, column \"%.200s\": not a %s, as where to cut is; fix the record, %scut "
                      "by another column",
                      s->source->record, s->options->by, s->at_number ? "number" : "date like 2018-01-31",
                      s->at_number ? "or " : "give the format that dates have, or ");
  return TACIT_OK;
}

/* A number in [0, 1) that the seed and the record's place, or its unit's name, decide. */
static int side_by_lot(const splitting *s) {
  unsigned char hash[crypto_shorthash_BYTES];
  uint64_t place = s->source->record, lot;
  const tacit_cell *unit = s->options->unit ? &s->cells[s->unit] : NULL;
  /* both zeros are one unit, and so is all that is no number */
  double number = !unit || unit->text ? 0 : isnan(unit->number) ? (double)NAN : unit->number + 0.0;
  const void *bytes = !unit ? (const void *)&place : unit->text ? (const void *)unit->text : &number;
  size_t length = !unit ? sizeof place : unit->text ? unit->length : sizeof number;
  crypto_shorthash(hash, bytes, length, s->key);
  memcpy(&lot, hash, sizeof lot);
  return ldexp((double)(lot >> 11), -53) >= s->options->share;
}

static void write_cell(part *out, const tacit_cell *cell) {
  char number[TACIT_SHORTEST];
  if (!cell->text) { /* 8.95, not 8.9499999999999993: both read back as the same number */
    put(out, number, isfinite(cell->number) ? tacit_shortest(cell->number, number) : 0);
    return;
  }
  bool quoted = false;
  for (size_t i = 0; i < cell->length; i++) quoted = quoted || strchr(",\"\r\n", cell->text[i]);
  if (quoted) put(out, "\"", 1);
  for (size_t i = 0; i < cell->length; i++) {
    if (cell->text[i] == '"') put(out, "\"", 1);
    put(out, &cell->text[i], 1);
  }
  if (quoted) put(out, "\"", 1);
}

/* The record, or the header, as it stands in the file; what is no text becomes CSV. */
static void write_record(const splitting *s, part *out, bool header) {
  if (s->source->text.raw) {
    put(out, s->source->text.raw, s->source->text.raw_length);
  } else {
    for (size_t j = 0; j < s->source->columns; j++) {
      const char *name = s->source->names[j];
      if (j) put(out, ",", 1);
      write_cell(out, header ? &(tacit_cell){.text = name, .length = strlen(name)} : &s->cells[j]);
    }
  }
  put(out, "\n", 1);
}

static tacit_status write_failed(const char *path, tacit_error *error) {
  return tacit_fail(error, TACIT_INTERNAL, "cannot write %.300s; choose another name", path);
}

static tacit_status split_records(splitting *s, tacit_split_counts *counts, const tacit_context *context,
                                  tacit_error *error) {
  for (int k = 0; k < 2; k++) write_record(s, &s->parts[k], true);
  for (bool more = true;;) {
    int side = 0;
    if (s->source->record % 4096 == 0)
      TACIT_TRY(tacit_progress(context, "splitting", s->source->fraction, error));
    TACIT_TRY(s->source->next(s->source, s->cells, &more, error));
    if (!more) break;
    if (s->options->by) {
      counts->undated = !s->at_number && !s->options->format; /* should it fail */
      TACIT_TRY(side_by_value(s, &side, error));
      counts->undated = false;
    } else
      side = side_by_lot(s);
    write_record(s, &s->parts[side], false);
    (side ? &counts->second : &counts->first)[0]++;
  }
  for (int k = 0; k < 2; k++) {
    part *p = &s->parts[k];
    flush(p);
    if (p->failed || fsync(p->file) != 0) return write_failed(p->path, error);
  }
  return TACIT_OK;
}

static tacit_status open_part(part *p, tacit_error *error) {
  TACIT_TRY(tacit_check_replaced(p->path, error));
  p->buffer = tacit_alloc(BUFFER, 1);
  if (!p->buffer) return tacit_no_memory(error);
  p->file = tacit_temporary_open(p->path, 0600, &p->name); /* for its owner's eyes, like the table */
  return p->file < 0 ? write_failed(p->path, error) : TACIT_OK;
}

static size_t read_some(int file, char *into, size_t room, off_t at) {
  ssize_t n;
  do n = pread(file, into, room, at);
  while (n < 0 && errno == EINTR);
  return n > 0 ? (size_t)n : 0;
}

/* Whether another file of the part's name is there already. The same again, as a script writes it that runs
   again, is no other. */
static bool is_other(const part *p) {
  struct stat about, own;
  if (stat(p->path, &about) != 0 || !S_ISREG(about.st_mode) || about.st_size == 0) return false;
  if (fstat(p->file, &own) != 0 || about.st_size != own.st_size) return true;
  int there = tacit_reading_open(p->path, 0), file = tacit_reading_open(p->name, 0);
  bool other = there < 0 || file < 0;
  for (off_t at = 0; !other && at < own.st_size; at += BUFFER / 2) {
    size_t n = read_some(file, p->buffer, BUFFER / 2, at);
    other = n == 0 || read_some(there, p->buffer + BUFFER / 2, n, at) != n ||
            memcmp(p->buffer, p->buffer + BUFFER / 2, n) != 0;
  }
  if (file >= 0) close(file);
  if (there >= 0) close(there);
  return other;
}

static tacit_status check_others(const splitting *s, tacit_split_counts *counts, tacit_error *error) {
  for (int k = 0; k < 2 && !s->options->replace; k++) {
    counts->other = is_other(&s->parts[k]);
    if (counts->other)
      return tacit_fail(
          error, TACIT_USAGE,
          "%.300s is there already and holds something else; choose another name, or say that it "
          "is to be replaced",
          s->parts[k].path);
  }
  return TACIT_OK;
}

/* Both take their places, or neither is left. */
static tacit_status finish(splitting *s, tacit_status status, tacit_error *error) {
  for (int k = 0; k < 2; k++) {
    part *p = &s->parts[k];
    if (!status && (tacit_is_ledger_file(p->path) || rename(p->name, p->path) != 0))
      status = write_failed(p->path, error);
    if (status && p->file >= 0) unlink(p->name);
    if (p->file >= 0) close(p->file);
    free(p->name);
    tacit_free_wiped(p->buffer, p->buffer ? BUFFER : 0);
  }
  return status;
}

tacit_status tacit_split_table(tacit_source *source, const tacit_split_options *options, const char *first,
                               const char *second, tacit_split_counts *counts, const tacit_context *context,
                               tacit_error *error) {
  *counts = (tacit_split_counts){0};
  TACIT_TRY(check_options(options, source, error));
  if (sodium_init() < 0) return tacit_fail(error, TACIT_INTERNAL, "no entropy from the operating system");
  splitting s = {.source = source,
                 .options = options,
                 .parts = {{.path = first, .file = -1}, {.path = second, .file = -1}},
                 .cells = tacit_alloc(source->columns, sizeof *s.cells)};
  memcpy(s.key, &options->seed, sizeof options->seed);
  tacit_status status = s.cells ? find_columns(&s, error) : tacit_no_memory(error);
  if (!status) status = open_part(&s.parts[0], error);
  if (!status) status = open_part(&s.parts[1], error);
  if (!status) status = split_records(&s, counts, context, error);
  if (!status) status = check_others(&s, counts, error);
  status = finish(&s, status, error);
  tacit_free_wiped(s.cells, s.cells ? source->columns * sizeof *s.cells : 0);
  return status;
}
