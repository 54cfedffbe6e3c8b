/* A table in two, record by record: by a column's value, or by lot. Where a record goes depends on itself and
   what was asked alone; by lot all records of a unit go together. */
#include "base/base.h"
#include "base/temporary.h"
#include "data/pack.h"
#include "source/calendar.h"

#include <errno.h>
#include <math.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tacit/data.h>
#include <unistd.h>

/* One of the two files, under a name of its own until it is whole. */
typedef struct part {
  const char *path;
  char *name;
  FILE *file;
} part;

typedef struct splitting {
  tacit_source *source;
  const tacit_split_options *options;
  size_t by, unit; /* columns */
  bool at_number;
  double number;                  /* of `at` */
  char moment[TACIT_MOMENT_TEXT]; /* of `at`, where it is no number */
  unsigned char key[crypto_shorthash_KEYBYTES];
  part parts[2];
  tacit_cell *cells;
} splitting;

static tacit_status check_options(const tacit_split_options *o, const tacit_source *source,
                                  tacit_error *error) {
  bool by = o->by && o->at, share = o->share > 0;
  if (source->pack) return tacit_fail(error, TACIT_BAD_INPUT, "%s", TACIT_PACK_HAS_NO_RECORDS);
  if (source->engine) return tacit_fail(error, TACIT_BAD_INPUT, "%s", TACIT_ENGINE_HAS_NO_RECORDS);
  if (!o->by != !o->at || by == share)
    return tacit_fail(error, TACIT_USAGE,
                      "give a column and where to cut it, or the share of the first part");
  if (share && !(o->share < 1))
    return tacit_fail(error, TACIT_USAGE, "the share of the first part must be above 0 and below 1");
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
  s->at_number = tacit_source_read_number(s->source, &at, &s->number) == TACIT_NUMBER;
  if (s->at_number || tacit_moment_plain(at.text, at.length, s->moment)) return TACIT_OK;
  return tacit_fail(error, TACIT_USAGE,
                    "where to cut must be a number or a date, 2018-01-31, perhaps with a time");
}

/* 1 from the cut on, 0 before it. */
static tacit_status side_by_value(const splitting *s, int *side, tacit_error *error) {
  const tacit_cell *cell = &s->cells[s->by];
  char moment[TACIT_MOMENT_TEXT];
  double number;
  if (s->at_number && tacit_source_read_number(s->source, cell, &number) == TACIT_NUMBER)
    *side = number >= s->number;
  else if (!s->at_number && cell->text && tacit_moment_plain(cell->text, cell->length, moment))
    *side = strcmp(moment, s->moment) >= 0;
  else
    return tacit_fail(
        error, TACIT_BAD_INPUT,
        "record %zu, column \"%.200s\": not a %s, as where to cut is; mend the record, or cut by "
        "another column",
        s->source->record, s->options->by, s->at_number ? "number" : "date");
  return TACIT_OK;
}

/* A number in [0, 1) that the seed and the record's place, or its unit's name, decide. */
static int side_by_lot(const splitting *s) {
  unsigned char hash[crypto_shorthash_BYTES];
  uint64_t place = s->source->record, lot;
  const tacit_cell *unit = s->options->unit ? &s->cells[s->unit] : NULL;
  const void *bytes = !unit ? (const void *)&place : unit->text ? (const void *)unit->text : &unit->number;
  size_t length = !unit ? sizeof place : unit->text ? unit->length : sizeof unit->number;
  crypto_shorthash(hash, bytes, length, s->key);
  memcpy(&lot, hash, sizeof lot);
  return ldexp((double)(lot >> 11), -53) >= s->options->share;
}

static void write_cell(FILE *out, const tacit_cell *cell) {
  if (!cell->text) {
    if (isfinite(cell->number)) fprintf(out, "%.17g", cell->number);
    return;
  }
  bool quoted = false;
  for (size_t i = 0; i < cell->length; i++) quoted = quoted || strchr(",\"\r\n", cell->text[i]);
  if (quoted) putc('"', out);
  for (size_t i = 0; i < cell->length; i++) {
    if (cell->text[i] == '"') putc('"', out);
    putc(cell->text[i], out);
  }
  if (quoted) putc('"', out);
}

/* The record, or the header, as it stands in the file; what is no text becomes CSV. */
static void write_record(const splitting *s, FILE *out, bool header) {
  if (s->source->raw) {
    fwrite(s->source->raw, 1, s->source->raw_length, out);
  } else {
    for (size_t j = 0; j < s->source->columns; j++) {
      const char *name = s->source->names[j];
      if (j) putc(',', out);
      write_cell(out, header ? &(tacit_cell){.text = name, .length = strlen(name)} : &s->cells[j]);
    }
  }
  putc('\n', out);
}

static tacit_status write_failed(const char *path, tacit_error *error) {
  return tacit_fail(error, TACIT_INTERNAL, "cannot write %.300s; choose another name", path);
}

static tacit_status split_records(splitting *s, tacit_split_counts *counts, const tacit_context *context,
                                  tacit_error *error) {
  for (int k = 0; k < 2; k++) write_record(s, s->parts[k].file, true);
  for (bool more = true;;) {
    int side = 0;
    if (s->source->record % 4096 == 0)
      TACIT_TRY(tacit_progress(context, "splitting", s->source->fraction, error));
    TACIT_TRY(s->source->next(s->source, s->cells, &more, error));
    if (!more) break;
    if (s->options->by)
      TACIT_TRY(side_by_value(s, &side, error));
    else
      side = side_by_lot(s);
    write_record(s, s->parts[side].file, false);
    (side ? &counts->second : &counts->first)[0]++;
  }
  for (int k = 0; k < 2; k++)
    if (ferror(s->parts[k].file) || fflush(s->parts[k].file) != 0 || fsync(fileno(s->parts[k].file)) != 0)
      return write_failed(s->parts[k].path, error);
  return TACIT_OK;
}

static tacit_status open_part(part *p, tacit_error *error) {
  int file = tacit_temporary_open(p->path, 0600, &p->name); /* for its owner's eyes, like the table */
  p->file = file < 0 ? NULL : fdopen(file, "wb");
  if (file >= 0 && !p->file) close(file);
  return p->file ? TACIT_OK : write_failed(p->path, error);
}

/* Both take their places, or neither is left. */
static tacit_status finish(splitting *s, tacit_status status, tacit_error *error) {
  for (int k = 0; k < 2; k++) {
    part *p = &s->parts[k];
    if (!status && (tacit_is_ledger_file(p->path) || rename(p->name, p->path) != 0))
      status = write_failed(p->path, error);
    if (status && p->file) unlink(p->name);
    if (p->file) fclose(p->file);
    free(p->name);
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
                 .parts = {{.path = first}, {.path = second}},
                 .cells = tacit_alloc(source->columns, sizeof *s.cells)};
  memcpy(s.key, &options->seed, sizeof options->seed);
  tacit_status status = s.cells ? find_columns(&s, error) : tacit_no_memory(error);
  if (!status) status = open_part(&s.parts[0], error);
  if (!status) status = open_part(&s.parts[1], error);
  if (!status) status = split_records(&s, counts, context, error);
  status = finish(&s, status, error);
  tacit_free_wiped(s.cells, s.cells ? source->columns * sizeof *s.cells : 0);
  return status;
}
