/* Columns of numbers in memory, encoded column by column for a tile of rows at a time. */
#include "data/read_columns.h"

#include "base/base.h"
#include "data/encoder.h"
#include "num/clones.h"

#include <math.h>
#include <stdlib.h>

enum { WAVE = 4096 }; /* tiles between two looks at the caller's wishes */

typedef struct room {
  double *x, *y;
  void *scratch;
} room;

typedef struct reading {
  const tacit_source *source;
  const tacit_schema *schema;
  const tacit_encoder *encoder; /* where features and targets are found */
  const tacit_row_store *store;
  room *rooms;
  int threads;
} reading;

static const double *column_of(const reading *r, size_t input) {
  return r->source->numbers[r->encoder->inputs[input].column];
}

/* As tacit_scale_encode, for numbers in a row. */
TACIT_CLONES static void encode_all(const tacit_scale *scale, const double *restrict values, size_t count,
                                    double *restrict out) {
  double centre = scale->center, half = scale->half, limit = scale->limit;
  for (size_t i = 0; i < count; i++) {
    double e = (values[i] - centre) / half;
    e = e < -limit ? -limit : e;
    out[i] = e > limit ? limit : e;
  }
}

TACIT_CLONES static bool all_finite(const double *values, size_t count) {
  int64_t others = 0;
  for (size_t i = 0; i < count; i++) others += !(fabs(values[i]) < INFINITY);
  return others == 0;
}

/* The clamped encodings of some values of a column; false where one of them is missing and has none. */
static bool encode_numbers(const tacit_scale *scale, bool has_missing, double missing, const double *values,
                           size_t count, double *out) {
  if (all_finite(values, count)) {
    encode_all(scale, values, count, out);
    return true;
  }
  for (size_t i = 0; has_missing && i < count; i++)
    out[i] = tacit_scale_encode(scale, isfinite(values[i]) ? values[i] : missing);
  return has_missing;
}

/* A feature whose columns are functions of its number. */
static bool encode_basis(const tacit_feature *feature, const double *values, size_t count, double *x) {
  double out[TACIT_COLUMNS_MAX];
  bool good = true;
  for (size_t i = 0; i < count; i++) {
    bool finite = isfinite(values[i]) != 0;
    good &= finite || feature->has_missing;
    tacit_feature_encode(feature, finite ? values[i] : feature->missing, out);
    for (size_t j = 0; j < feature->width; j++) x[j * TACIT_TILE + i] = out[j];
  }
  tacit_wipe(out, feature->width * sizeof *out);
  return good;
}

/* Records first.. first + count as a tile in x and y; false where one of them has a cell without a value. */
static bool encode_tile(const reading *r, size_t first, size_t count, double *x, double *y) {
  bool good = true;
  for (size_t i = 0; i < count; i++) x[i] = 1;
  for (size_t f = 0; f < r->schema->feature_count; f++) {
    const tacit_feature *feature = &r->schema->features[f];
    const double *values = column_of(r, r->encoder->features[f]) + first;
    double *out = x + feature->first * TACIT_TILE;
    good &= feature->kind == TACIT_FEATURE_NUMBER
                ? encode_numbers(&feature->scale, feature->has_missing, feature->missing, values, count, out)
                : encode_basis(feature, values, count, out);
  }
  for (size_t t = 0; t < r->schema->target_count; t++) {
    const tacit_target *target = &r->schema->targets[t];
    const double *values = column_of(r, r->encoder->targets[t]) + first;
    good &= encode_numbers(&target->scale, target->has_missing, target->missing, values, count,
                           y + t * TACIT_TILE);
  }
  return good;
}

/* Tiles first.. of the source; returns how many of their rows come before the first tile that is not good. */
static size_t read_wave(const reading *r, size_t first, size_t rows) {
  size_t tiles = (rows + TACIT_TILE - 1) / TACIT_TILE, bad = tiles;
#pragma omp parallel for schedule(static) num_threads(r->threads) reduction(min : bad)
  for (size_t k = 0; k < tiles; k++) {
    const room *mine = &r->rooms[tacit_thread()];
    size_t at = k * TACIT_TILE, count = rows - at < TACIT_TILE ? rows - at : TACIT_TILE;
    tacit_tile tile = {.count = count, .stride = TACIT_TILE, .x = mine->x, .y = mine->y};
    if (encode_tile(r, first + at, count, mine->x, mine->y))
      r->store->put(r->store->self, at, &tile, mine->scratch);
    else if (k < bad)
      bad = k;
  }
  return bad < tiles ? bad * TACIT_TILE : rows;
}

static tacit_status read_waves(const reading *r, tacit_source *source, const tacit_context *context,
                               tacit_error *error) {
  for (size_t rows = 0, done = 0; done == rows && source->record < source->rows;) {
    TACIT_TRY(tacit_step(context, "reading", source->fraction, error));
    size_t left = source->rows - source->record, most = (size_t)WAVE * TACIT_TILE;
    rows = left < most ? left : most;
    TACIT_TRY(r->store->reserve(r->store->self, rows, error));
    done = read_wave(r, source->record, rows);
    TACIT_TRY(r->store->keep(r->store->self, done, error));
    source->record += done;
    source->fraction = (double)source->record / (double)source->rows;
  }
  return TACIT_OK;
}

static bool has_levels(const tacit_schema *schema) {
  for (size_t f = 0; f < schema->feature_count; f++)
    if (schema->features[f].kind == TACIT_FEATURE_CATEGORY) return true;
  return false;
}

tacit_status tacit_read_columns(tacit_source *source, const tacit_schema *schema,
                                const tacit_row_store *store, size_t *records, const tacit_context *context,
                                tacit_error *error) {
  tacit_encoder *encoder = NULL;
  *records = 0;
  if (has_levels(schema)) return TACIT_OK;
  TACIT_TRY(tacit_encoder_new(source, schema, true, &encoder, error));
  size_t x = TACIT_TILE * schema->columns, y = TACIT_TILE * schema->target_count;
  reading r = {.source = source, .schema = schema, .encoder = encoder, .store = store};
  r.threads = tacit_threads(context);
  r.rooms = tacit_alloc((size_t)r.threads, sizeof *r.rooms);
  tacit_status status = r.rooms ? TACIT_OK : tacit_no_memory(error);
  for (int i = 0; i < r.threads && status == TACIT_OK; i++) {
    room *mine = &r.rooms[i];
    mine->x = tacit_alloc(x + y, sizeof *mine->x);
    mine->scratch = tacit_alloc(store->scratch, 1);
    if (!mine->x || !mine->scratch)
      status = tacit_no_memory(error);
    else
      mine->y = mine->x + x;
  }
  if (status == TACIT_OK) status = read_waves(&r, source, context, error);
  *records = source->record;
  for (int i = 0; r.rooms && i < r.threads; i++) {
    tacit_free_wiped(r.rooms[i].x, r.rooms[i].x ? (x + y) * sizeof *r.rooms[i].x : 0);
    tacit_free_wiped(r.rooms[i].scratch, r.rooms[i].scratch ? store->scratch : 0);
  }
  free(r.rooms);
  tacit_encoder_free(encoder);
  return status;
}
