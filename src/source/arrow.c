/* A source over an Arrow stream: record batches of other programs, read where they lie. */
#include "base/base.h"
#include "source/arrow_column.h"
#include "source/arrow_source.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct arrow_source {
  tacit_source base;
  struct ArrowArrayStream stream;
  struct ArrowSchema schema;
  struct ArrowArray batch;
  tacit_arrow_column *columns;
  const char **names;
  const char **unreadable; /* names of columns that hold something else */
  const char **types;
  tacit_declared *declared;
  double *rounded_from;
  const double **numbers; /* of the batch, by columns; NULL where there are none */
  double *space;          /* for those that are not doubles already, */
  size_t space_count;     /* so many numbers */
  bool told;              /* the stream's own words may be passed on */
  tacit_status failed;
  tacit_error failure;
} arrow_source;

/* Where the next record is in the batch. */
static int64_t row_of(const arrow_source *self) {
  return (int64_t)(self->base.record - self->base.batch.before);
}

static void drop_batch(arrow_source *self) {
  if (self->batch.release) self->batch.release(&self->batch);
  self->batch = (struct ArrowArray){0};
  self->base.batch.before = self->base.record;
  self->base.batch.rows = 0;
}

/* A source that failed stays failed, with the same words. */
static tacit_status failed(const arrow_source *self, tacit_error *error) {
  return tacit_fail(error, self->failed, "%s", self->failure.text);
}

static tacit_status broke_off(arrow_source *self, const char *words, tacit_error *error) {
  self->failed = tacit_fail(&self->failure, TACIT_BAD_INPUT, "record %zu: %s", self->base.record + 1,
                            words ? words
                                  : "the stream breaks off, or its batches do not have the columns it "
                                    "announced");
  return failed(self, error);
}

/* The next batch that has rows; *more is false when there is none. */
static tacit_status next_batch(arrow_source *self, bool *more, tacit_error *error) {
  do {
    drop_batch(self);
    if (self->stream.get_next(&self->stream, &self->batch) != 0) {
      self->batch = (struct ArrowArray){0};
      return broke_off(self, self->told ? self->stream.get_last_error(&self->stream) : NULL, error);
    }
    *more = self->batch.release != NULL;
    if (!*more) return TACIT_OK;
    if (self->batch.length < 0 || self->batch.n_children != self->schema.n_children)
      return broke_off(self, NULL, error);
  } while (self->batch.length == 0);
  if (!self->batch.children) return broke_off(self, NULL, error);
  for (size_t j = 0; j < self->base.columns; j++)
    if (self->batch.children[self->columns[j].child]->length < self->batch.offset + self->batch.length)
      return broke_off(self, NULL, error);
  return TACIT_OK;
}

static tacit_status arrow_next(tacit_source *source, tacit_cell *cells, bool *more, tacit_error *error) {
  arrow_source *self = (arrow_source *)source;
  *more = false;
  if (self->failed) return failed(self, error);
  bool there = true;
  if (row_of(self) == self->batch.length) TACIT_TRY(next_batch(self, &there, error));
  if (!there) return TACIT_OK;
  if (!self->batch.children) return broke_off(self, NULL, error);
  int64_t row = row_of(self);
  bool whole = tacit_arrow_valid(&self->batch, row);
  for (size_t j = 0; j < source->columns; j++) {
    const struct ArrowArray *array = self->batch.children[self->columns[j].child];
    cells[j] = (tacit_cell){.text = "", .length = 0};
    if (whole && !tacit_arrow_cell(&self->columns[j], array, self->batch.offset + row, &cells[j]))
      return broke_off(self, NULL, error);
  }
  source->record++;
  *more = true;
  return TACIT_OK;
}

/* Whether a column's numbers lie as doubles already, none of them null. */
static bool lies_as_doubles(const tacit_arrow_column *c, const struct ArrowArray *array) {
  return c->holds == TACIT_ARROW_F64 && (array->null_count == 0 || !array->buffers[0]);
}

/* A column of the batch as doubles, NaN for a null. */
static void convert(const tacit_arrow_column *c, const struct ArrowArray *array, int64_t offset, size_t rows,
                    double *space) {
  for (size_t i = 0; i < rows; i++) {
    int64_t at = offset + (int64_t)i;
    space[i] = tacit_arrow_valid(array, at)
                   ? tacit_arrow_number(array->buffers[1], c->holds, array->offset + at)
                   : (double)NAN;
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
  source->batch.rows = 0;
  if (self->failed) return failed(self, error);
  if (row_of(self) == self->batch.length) TACIT_TRY(next_batch(self, &more, error));
  if (!more || row_of(self) != 0 || (self->batch.n_buffers > 0 && self->batch.buffers[0])) return TACIT_OK;
  size_t rows = (size_t)self->batch.length;
  for (size_t j = 0; j < source->columns; j++) {
    const tacit_arrow_column *c = &self->columns[j];
    const struct ArrowArray *array = self->batch.children[c->child];
    self->numbers[j] = NULL;
    if (!source->reader.asked[j] || !tacit_arrow_numeric(c)) continue;
    if (array->n_buffers < 2 || !array->buffers[1]) return TACIT_OK;
    count += !lies_as_doubles(c, array);
  }
  TACIT_TRY(make_space(self, count * rows, error));
  double *space = self->space;
  for (size_t j = 0; j < source->columns; j++) {
    const tacit_arrow_column *c = &self->columns[j];
    const struct ArrowArray *array = self->batch.children[c->child];
    if (!source->reader.asked[j] || !tacit_arrow_numeric(c)) continue;
    if (lies_as_doubles(c, array)) {
      self->numbers[j] = (const double *)array->buffers[1] + array->offset + self->batch.offset;
      continue;
    }
    convert(c, array, self->batch.offset, rows, space);
    self->numbers[j] = space;
    space += rows;
  }
  source->batch.rows = rows;
  return TACIT_OK;
}

static void arrow_close(tacit_source *source) {
  arrow_source *self = (arrow_source *)source;
  drop_batch(self);
  if (self->schema.release) self->schema.release(&self->schema);
  if (self->stream.release) self->stream.release(&self->stream);
  for (size_t j = 0; self->columns && j < self->base.columns; j++)
    tacit_free_wiped(self->columns[j].spelled, self->columns[j].spelled ? TACIT_ARROW_SIZE : 0);
  tacit_free_wiped(self->space, self->space_count * sizeof *self->space);
  free(self->base.reader.asked);
  free(self->columns);
  free(self->names);
  free(self->unreadable);
  free(self->types);
  free(self->declared);
  free(self->rounded_from);
  free(self->numbers);
  free(self);
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
  self->types = tacit_alloc(children, sizeof *self->types);
  self->declared = tacit_alloc(children, sizeof *self->declared);
  self->rounded_from = tacit_alloc(children, sizeof *self->rounded_from);
  self->numbers = tacit_alloc(children, sizeof *self->numbers);
  self->base.reader.asked = tacit_alloc(children, sizeof *self->base.reader.asked);
  self->unreadable = tacit_alloc(children, sizeof *self->unreadable);
  if (!self->columns || !self->names || !self->types || !self->declared || !self->rounded_from ||
      !self->numbers || !self->base.reader.asked || !self->unreadable)
    return tacit_no_memory(error);
  self->base.header.unreadable = self->unreadable;
  for (size_t j = 0; j < children; j++) {
    const struct ArrowSchema *child = schema->children[j];
    tacit_arrow_column c = tacit_arrow_column_of(child, j);
    if (c.holds == TACIT_ARROW_OTHER) {
      self->unreadable[self->base.header.unreadable_count++] = child->name ? child->name : "";
      continue;
    }
    if (c.holds == TACIT_ARROW_SPELLED || c.holds == TACIT_ARROW_I64 || c.holds == TACIT_ARROW_U64) {
      c.spelled = tacit_alloc(TACIT_ARROW_SIZE, 1);
      if (!c.spelled) return tacit_no_memory(error);
    }
    self->columns[self->base.columns] = c;
    self->rounded_from[self->base.columns] = c.holds == TACIT_ARROW_F64   ? TACIT_DOUBLE_ROUNDS
                                             : c.holds == TACIT_ARROW_F32 ? TACIT_FLOAT_ROUNDS
                                             : c.holds == TACIT_ARROW_F16 ? TACIT_HALF_ROUNDS
                                                                          : (double)INFINITY;
    tacit_arrow_declares(&c, &self->types[self->base.columns], &self->declared[self->base.columns]);
    self->names[self->base.columns++] = child->name ? child->name : "";
  }
  self->base.names = self->names;
  self->base.header.types = self->types;
  self->base.header.declared = self->declared;
  self->base.origin.rounded_from = self->rounded_from;
  self->base.batch.numbers = self->numbers;
  self->base.batch.bring = arrow_bring;
  if (self->base.columns == 0)
    return tacit_fail(error, TACIT_BAD_INPUT, "the stream has no column of numbers or text");
  return tacit_source_check_names(&self->base, error);
}

static tacit_status open_stream(struct ArrowArrayStream *stream, bool told, tacit_source **source,
                                tacit_error *error) {
  *source = NULL;
  arrow_source *self = tacit_alloc(1, sizeof *self);
  if (!self) {
    stream->release(stream);
    stream->release = NULL;
    return tacit_no_memory(error);
  }
  self->stream = *stream; /* moved, as the interface allows */
  stream->release = NULL;
  self->told = told;
  self->base.next = arrow_next;
  self->base.close = arrow_close;
  tacit_status status = read_columns(self, error);
  if (status)
    arrow_close(&self->base);
  else
    *source = &self->base;
  return status;
}

tacit_status tacit_source_arrow(struct ArrowArrayStream *stream, tacit_source **source, tacit_error *error) {
  return open_stream(stream, false, source, error);
}

tacit_status tacit_source_arrow_told(struct ArrowArrayStream *stream, tacit_source **source,
                                     tacit_error *error) {
  return open_stream(stream, true, source, error);
}
