/* A source over an Arrow stream: record batches of other programs, read where they lie. */
#include "base/base.h"
#include "source/arrow_text.h"
#include "source/source.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tacit/arrow.h>

/* What a column holds, by its format string. */
typedef enum kind {
  OTHER,
  I8,
  U8,
  I16,
  U16,
  I32,
  U32,
  I64,
  U64,
  F16,
  F32,
  F64,
  BOOL,
  TEXT,
  LARGE_TEXT,
  TEXT_VIEW,
  SPELLED, /* moments and decimals */
  NOTHING  /* nulls alone */
} kind;

typedef struct column {
  size_t child;
  kind holds;      /* for a dictionary, its indices */
  kind dictionary; /* its texts; OTHER: there is none */
  tacit_arrow_spelling spelling;
  char *spelled; /* of a cell, and of an integer beyond what a double holds: TACIT_ARROW_TEXT bytes */
} column;

typedef struct arrow_source {
  tacit_source base;
  struct ArrowArrayStream stream;
  struct ArrowSchema schema;
  struct ArrowArray batch;
  column *columns;
  const char **names;
  double *rounded_from;
  const double **numbers; /* of the batch, by columns; NULL where there are none */
  double *space;          /* for those that are not doubles already, */
  size_t space_count;     /* so many numbers */
  tacit_status failed;
} arrow_source;

static kind kind_of(const char *format) {
  static const struct {
    const char *format;
    kind holds;
  } KINDS[] = {{"c", I8},   {"C", U8},         {"s", I16},     {"S", U16},       {"i", I32}, {"I", U32},
               {"l", I64},  {"L", U64},        {"e", F16},     {"f", F32},       {"g", F64}, {"b", BOOL},
               {"u", TEXT}, {"U", LARGE_TEXT}, {"n", NOTHING}, {"vu", TEXT_VIEW}};
  for (size_t i = 0; format && i < sizeof KINDS / sizeof *KINDS; i++)
    if (!strcmp(format, KINDS[i].format)) return KINDS[i].holds;
  return OTHER;
}

static bool is_text(kind k) {
  return k == TEXT || k == LARGE_TEXT || k == TEXT_VIEW;
}
static bool is_integer(kind k) {
  return k >= I8 && k <= U64;
}

static bool bit(const void *bits, int64_t i) {
  return ((const unsigned char *)bits)[i / 8] >> (i % 8) & 1;
}

/* Whether entry i, counted from the array's offset, has a value. */
static bool is_valid(const struct ArrowArray *array, int64_t i) {
  return array->n_buffers < 1 || !array->buffers[0] || bit(array->buffers[0], array->offset + i);
}

/* Two bytes: a sign, five bits of exponent, ten of the rest. */
static double half_at(const uint16_t *data, int64_t i) {
  int exponent = data[i] >> 10 & 31, rest = data[i] & 1023;
  double size = exponent == 0    ? ldexp(rest, -24)
                : exponent == 31 ? (rest ? (double)NAN : (double)INFINITY)
                                 : ldexp(1024 + rest, exponent - 25);
  return data[i] >> 15 ? -size : size;
}

static double number_at(const void *data, kind k, int64_t i) {
  switch (k) {
  case I8:
    return ((const int8_t *)data)[i];
  case U8:
    return ((const uint8_t *)data)[i];
  case I16:
    return ((const int16_t *)data)[i];
  case U16:
    return ((const uint16_t *)data)[i];
  case I32:
    return ((const int32_t *)data)[i];
  case U32:
    return ((const uint32_t *)data)[i];
  case I64:
    return (double)((const int64_t *)data)[i];
  case U64:
    return (double)((const uint64_t *)data)[i];
  case F16:
    return half_at(data, i);
  case F32:
    return (double)((const float *)data)[i];
  case BOOL:
    return bit(data, i);
  default:
    return ((const double *)data)[i];
  }
}

/* Entry i of an array of views: a short text stands in its view, a long one in one of several buffers, of
   whose sizes the last buffer tells. */
static bool view_at(const struct ArrowArray *array, int64_t i, tacit_cell *cell) {
  const char *view = (const char *)array->buffers[1] + 16 * i;
  int32_t parts[4]; /* length, first bytes, buffer, place */
  memcpy(parts, view, sizeof parts);
  if (parts[0] < 0) return false;
  *cell = (tacit_cell){.text = view + 4, .length = (size_t)parts[0]};
  if (parts[0] <= 12) return true;
  int64_t buffers = array->n_buffers - 3;
  if (parts[2] < 0 || parts[2] >= buffers || parts[3] < 0 || !array->buffers[2 + parts[2]]) return false;
  const int64_t *sizes = array->buffers[array->n_buffers - 1];
  if (!sizes || (int64_t)parts[3] + parts[0] > sizes[parts[2]]) return false;
  cell->text = (const char *)array->buffers[2 + parts[2]] + parts[3];
  return true;
}

/* Entry i of an array of text; false when its places make no sense. */
static bool text_at(const struct ArrowArray *array, kind k, int64_t i, tacit_cell *cell) {
  if (array->n_buffers < (k == TEXT_VIEW ? 2 : 3) || !array->buffers[1]) return false;
  i += array->offset;
  if (k == TEXT_VIEW) return view_at(array, i, cell);
  int64_t from, to;
  if (k == TEXT) {
    const int32_t *places = array->buffers[1];
    from = places[i], to = places[i + 1];
  } else {
    const int64_t *places = array->buffers[1];
    from = places[i], to = places[i + 1];
  }
  const char *bytes = array->buffers[2];
  if (from < 0 || to < from || (to > from && !bytes)) return false;
  *cell = (tacit_cell){.text = bytes ? bytes + from : "", .length = (size_t)(to - from)};
  return true;
}

/* A 64-bit integer that is no double, as text: two people's numbers must not become one. */
static bool is_large(column *c, const void *data, int64_t i, tacit_cell *cell) {
  if (c->holds != I64 && c->holds != U64) return false;
  int64_t value = ((const int64_t *)data)[i];
  bool negative = c->holds == I64 && value < 0;
  uint64_t size = negative ? -(uint64_t)value : (uint64_t)value;
  if (size == 0 || size / (size & -size) <= UINT64_C(1) << 53) return false; /* 53 bits and zeros */
  int length = snprintf(c->spelled, TACIT_ARROW_TEXT, "%s%" PRIu64, negative ? "-" : "", size);
  *cell = (tacit_cell){.text = c->spelled, .length = (size_t)length};
  return true;
}

/* The cell of a column in row i, counted from the batch's own offset. */
static bool read_cell(column *c, const struct ArrowArray *array, int64_t i, tacit_cell *cell) {
  *cell = (tacit_cell){.text = "", .length = 0};
  if (c->holds == NOTHING || !is_valid(array, i)) return true;
  if (is_text(c->holds)) return text_at(array, c->holds, i, cell);
  if (array->n_buffers < 2 || !array->buffers[1]) return false;
  if (c->holds == SPELLED) {
    *cell = tacit_arrow_spell(&c->spelling, array->buffers[1], array->offset + i, c->spelled);
    return true;
  }
  if (c->dictionary == OTHER && is_large(c, array->buffers[1], array->offset + i, cell)) return true;
  double number = number_at(array->buffers[1], c->holds, array->offset + i);
  if (c->dictionary == OTHER) {
    *cell = (tacit_cell){.number = number};
    return true;
  }
  const struct ArrowArray *words = array->dictionary;
  if (!words || !(number >= 0 && number < (double)words->length)) return false;
  return !is_valid(words, (int64_t)number) || text_at(words, c->dictionary, (int64_t)number, cell);
}

/* Where the next record is in the batch. */
static int64_t row_of(const arrow_source *self) {
  return (int64_t)(self->base.record - self->base.before);
}

static void drop_batch(arrow_source *self) {
  if (self->batch.release) self->batch.release(&self->batch);
  self->batch = (struct ArrowArray){0};
  self->base.before = self->base.record;
  self->base.rows = 0;
}

static tacit_status broke_off(arrow_source *self, tacit_error *error) {
  self->failed = TACIT_BAD_INPUT;
  return tacit_fail(error, TACIT_BAD_INPUT,
                    "record %zu: the stream breaks off, or its batches do not have the columns it announced",
                    self->base.record + 1);
}

/* The next batch that has rows; *more is false when there is none. */
static tacit_status next_batch(arrow_source *self, bool *more, tacit_error *error) {
  do {
    drop_batch(self);
    if (self->stream.get_next(&self->stream, &self->batch) != 0) {
      self->batch = (struct ArrowArray){0};
      return broke_off(self, error);
    }
    *more = self->batch.release != NULL;
    if (!*more) return TACIT_OK;
    if (self->batch.length < 0 || self->batch.n_children != self->schema.n_children)
      return broke_off(self, error);
  } while (self->batch.length == 0);
  if (!self->batch.children) return broke_off(self, error);
  for (size_t j = 0; j < self->base.columns; j++)
    if (self->batch.children[self->columns[j].child]->length < self->batch.offset + self->batch.length)
      return broke_off(self, error);
  return TACIT_OK;
}

static tacit_status arrow_next(tacit_source *source, tacit_cell *cells, bool *more, tacit_error *error) {
  arrow_source *self = (arrow_source *)source;
  *more = false;
  if (self->failed) return broke_off(self, error);
  *more = true;
  if (row_of(self) == self->batch.length) TACIT_TRY(next_batch(self, more, error));
  if (!*more) return TACIT_OK;
  *more = self->batch.children != NULL;
  if (!*more) return broke_off(self, error);
  int64_t row = row_of(self);
  bool whole = is_valid(&self->batch, row);
  for (size_t j = 0; j < source->columns; j++) {
    const struct ArrowArray *array = self->batch.children[self->columns[j].child];
    cells[j] = (tacit_cell){.text = "", .length = 0};
    if (whole && !read_cell(&self->columns[j], array, self->batch.offset + row, &cells[j])) {
      *more = false;
      return broke_off(self, error);
    }
  }
  source->record++;
  return TACIT_OK;
}

static bool is_numeric(const column *c) {
  return c->dictionary == OTHER && c->holds >= I8 && c->holds <= BOOL;
}

/* Whether a column's numbers lie as doubles already, none of them null. */
static bool lies_as_doubles(const column *c, const struct ArrowArray *array) {
  return c->holds == F64 && (array->null_count == 0 || !array->buffers[0]);
}

/* A column of the batch as doubles, NaN for a null. */
static void convert(const column *c, const struct ArrowArray *array, int64_t offset, size_t rows,
                    double *space) {
  for (size_t i = 0; i < rows; i++) {
    int64_t at = offset + (int64_t)i;
    space[i] = is_valid(array, at) ? number_at(array->buffers[1], c->holds, array->offset + at) : (double)NAN;
  }
}

static tacit_status make_space(arrow_source *self, size_t count, tacit_error *error) {
  if (count <= self->space_count) return TACIT_OK;
  tacit_free_wiped(self->space, self->space_count * sizeof *self->space);
  self->space_count = 0;
  self->space = tacit_alloc(count, sizeof *self->space);
  if (!self->space) return tacit_no_memory(error);
  self->space_count = count;
  return TACIT_OK;
}

/* The next batch as columns of doubles, as far as they are numbers and were asked for: where they lie, or in
   `space`. None of a batch that looks odd, which is then read record by record. */
static tacit_status arrow_bring(tacit_source *source, tacit_error *error) {
  arrow_source *self = (arrow_source *)source;
  bool more = true;
  size_t count = 0;
  source->rows = 0;
  if (self->failed) return broke_off(self, error);
  if (row_of(self) == self->batch.length) TACIT_TRY(next_batch(self, &more, error));
  if (!more || row_of(self) != 0 || (self->batch.n_buffers > 0 && self->batch.buffers[0])) return TACIT_OK;
  size_t rows = (size_t)self->batch.length;
  for (size_t j = 0; j < source->columns; j++) {
    const column *c = &self->columns[j];
    const struct ArrowArray *array = self->batch.children[c->child];
    self->numbers[j] = NULL;
    if (!source->asked[j] || !is_numeric(c)) continue;
    if (array->n_buffers < 2 || !array->buffers[1]) return TACIT_OK;
    count += !lies_as_doubles(c, array);
  }
  TACIT_TRY(make_space(self, count * rows, error));
  double *space = self->space;
  for (size_t j = 0; j < source->columns; j++) {
    const column *c = &self->columns[j];
    const struct ArrowArray *array = self->batch.children[c->child];
    if (!source->asked[j] || !is_numeric(c)) continue;
    if (lies_as_doubles(c, array)) {
      self->numbers[j] = (const double *)array->buffers[1] + array->offset + self->batch.offset;
      continue;
    }
    convert(c, array, self->batch.offset, rows, space);
    self->numbers[j] = space;
    space += rows;
  }
  source->rows = rows;
  return TACIT_OK;
}

static void arrow_close(tacit_source *source) {
  arrow_source *self = (arrow_source *)source;
  drop_batch(self);
  if (self->schema.release) self->schema.release(&self->schema);
  if (self->stream.release) self->stream.release(&self->stream);
  for (size_t j = 0; self->columns && j < self->base.columns; j++)
    tacit_free_wiped(self->columns[j].spelled, self->columns[j].spelled ? TACIT_ARROW_TEXT : 0);
  tacit_free_wiped(self->space, self->space_count * sizeof *self->space);
  free(self->base.asked);
  free(self->columns);
  free(self->names);
  free(self->rounded_from);
  free(self->numbers);
  free(self);
}

/* What a column holds; OTHER: nothing that a schema can name. */
static column column_of(const struct ArrowSchema *child, size_t place) {
  column c = {.child = place, .holds = kind_of(child->format)};
  if (child->dictionary) {
    c.dictionary = kind_of(child->dictionary->format);
    if (!is_integer(c.holds) || !is_text(c.dictionary)) c.holds = OTHER;
    return c;
  }
  c.spelling = tacit_arrow_spelling_of(child->format);
  if (c.spelling.kind != TACIT_SPELL_NOT) c.holds = SPELLED;
  return c;
}

static tacit_status read_columns(arrow_source *self, tacit_error *error) {
  if (self->stream.get_schema(&self->stream, &self->schema) != 0) {
    self->schema = (struct ArrowSchema){0};
    return tacit_fail(error, TACIT_BAD_INPUT, "the stream does not say which columns it has");
  }
  const struct ArrowSchema *schema = &self->schema;
  if (!schema->format || strcmp(schema->format, "+s") != 0 || schema->n_children < 1)
    return tacit_fail(error, TACIT_BAD_INPUT, "the stream is not one of record batches with columns");
  size_t children = (size_t)schema->n_children;
  self->columns = tacit_alloc(children, sizeof *self->columns);
  self->names = tacit_alloc(children, sizeof *self->names);
  self->rounded_from = tacit_alloc(children, sizeof *self->rounded_from);
  self->numbers = tacit_alloc(children, sizeof *self->numbers);
  self->base.asked = tacit_alloc(children, sizeof *self->base.asked);
  if (!self->columns || !self->names || !self->rounded_from || !self->numbers || !self->base.asked)
    return tacit_no_memory(error);
  for (size_t j = 0; j < children; j++) {
    const struct ArrowSchema *child = schema->children[j];
    column c = column_of(child, j);
    if (c.holds == OTHER) continue;
    if (c.holds == SPELLED || c.holds == I64 || c.holds == U64) {
      c.spelled = tacit_alloc(TACIT_ARROW_TEXT, 1);
      if (!c.spelled) return tacit_no_memory(error);
    }
    self->columns[self->base.columns] = c;
    self->rounded_from[self->base.columns] = c.holds == F64   ? TACIT_DOUBLE_ROUNDS
                                             : c.holds == F32 ? TACIT_FLOAT_ROUNDS
                                             : c.holds == F16 ? TACIT_HALF_ROUNDS
                                                              : (double)INFINITY;
    self->names[self->base.columns++] = child->name ? child->name : "";
  }
  self->base.names = self->names;
  self->base.rounded_from = self->rounded_from;
  self->base.numbers = self->numbers;
  self->base.bring = arrow_bring;
  if (self->base.columns == 0)
    return tacit_fail(error, TACIT_BAD_INPUT, "the stream has no column of numbers or text");
  return tacit_source_check_names(&self->base, error);
}

tacit_status tacit_source_arrow(struct ArrowArrayStream *stream, tacit_source **source, tacit_error *error) {
  *source = NULL;
  arrow_source *self = tacit_alloc(1, sizeof *self);
  if (!self) {
    stream->release(stream);
    stream->release = NULL;
    return tacit_no_memory(error);
  }
  self->stream = *stream; /* moved, as the interface allows */
  stream->release = NULL;
  self->base.next = arrow_next;
  self->base.close = arrow_close;
  tacit_status status = read_columns(self, error);
  if (status)
    arrow_close(&self->base);
  else
    *source = &self->base;
  return status;
}
