/* Gathers encoded rows as plain doubles, column-major, for the non-private learners. */
#include "data/sample.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

static size_t row_bytes(const tacit_sample *sample) {
  return (sample->columns + sample->targets) * sizeof(double);
}

tacit_status tacit_sample_new(size_t columns, size_t targets, tacit_sample **sample, tacit_error *error) {
  *sample = tacit_alloc(1, sizeof **sample);
  if (!*sample) return tacit_no_memory(error);
  (*sample)->columns = columns;
  (*sample)->targets = targets;
  return TACIT_OK;
}

/* Not realloc: it may leave rows behind in memory that nobody wipes. */
static tacit_status grow(tacit_sample *sample, size_t needed, tacit_error *error) {
  size_t capacity = sample->capacity ? sample->capacity * 2 : 256;
  if (capacity < needed) capacity = needed;
  double *larger = tacit_alloc_aligned(capacity, row_bytes(sample));
  if (!larger) return tacit_no_memory(error);
  if (sample->rows) memcpy(larger, sample->buffer, sample->rows * row_bytes(sample));
  tacit_free_wiped(sample->buffer, sample->capacity * row_bytes(sample));
  sample->buffer = larger;
  sample->capacity = capacity;
  return TACIT_OK;
}

static tacit_status reserve(void *self, size_t rows, tacit_error *error) {
  tacit_sample *sample = self;
  return sample->capacity - sample->rows < rows ? grow(sample, sample->rows + rows, error) : TACIT_OK;
}

static void put(void *self, size_t row, const tacit_tile *tile, void *scratch) {
  (void)scratch;
  const tacit_sample *sample = self;
  size_t p = sample->columns, targets = sample->targets;
  for (size_t i = 0; i < tile->count; i++) {
    double *out = sample->buffer + (sample->rows + row + i) * (p + targets);
    for (size_t j = 0; j < p; j++) out[j] = tile->x[j * tile->stride + i];
    for (size_t t = 0; t < targets; t++) out[p + t] = tile->y[t * tile->stride + i];
  }
}

static tacit_status keep(void *self, size_t rows, tacit_error *error) {
  (void)error;
  ((tacit_sample *)self)->rows += rows;
  return TACIT_OK;
}

tacit_row_store tacit_sample_store(tacit_sample *sample) {
  return (tacit_row_store){.self = sample, .scratch = 1, .reserve = reserve, .put = put, .keep = keep};
}

tacit_status tacit_sample_add(void *self, const double *x, const double *y, tacit_error *error) {
  TACIT_TRY(reserve(self, 1, error));
  put(self, 0, &(tacit_tile){.count = 1, .stride = 1, .x = x, .y = y}, NULL);
  return keep(self, 1, error);
}

/* Columns first..first + count of the buffer. Tiles of rows keep both sides in the cache. */
static void transpose(const tacit_sample *sample, size_t first, size_t count, double *out) {
  enum { TILE = 64 };
  size_t width = sample->columns + sample->targets;
  for (size_t start = 0; start < sample->rows; start += TILE) {
    size_t end = sample->rows - start < TILE ? sample->rows : start + TILE;
    for (size_t j = 0; j < count; j++)
      for (size_t i = start; i < end; i++) out[j * sample->rows + i] = sample->buffer[i * width + first + j];
  }
}

tacit_status tacit_sample_finish(tacit_sample *sample, tacit_error *error) {
  sample->x = tacit_alloc_aligned(sample->rows * sample->columns, sizeof *sample->x);
  sample->y = tacit_alloc_aligned(sample->rows * sample->targets, sizeof *sample->y);
  if (!sample->x || !sample->y) return tacit_no_memory(error);
  transpose(sample, 0, sample->columns, sample->x);
  transpose(sample, sample->columns, sample->targets, sample->y);
  tacit_free_wiped(sample->buffer, sample->capacity * row_bytes(sample));
  sample->buffer = NULL;
  sample->capacity = 0;
  return TACIT_OK;
}

void tacit_sample_free(tacit_sample *sample) {
  if (!sample) return;
  tacit_free_wiped(sample->buffer, sample->capacity * row_bytes(sample));
  tacit_free_wiped(sample->x, sample->rows * sample->columns * sizeof *sample->x);
  tacit_free_wiped(sample->y, sample->rows * sample->targets * sizeof *sample->y);
  free(sample);
}
