/* Columns of numbers in memory, encoded column by column for a tile of rows at a time. */
#include "data/read_columns.h"

#include "base/base.h"
#include "data/encode_tile.h"
#include "data/tally.h"

#include <stdlib.h>

enum {
  WAVE = 16384, /* tiles between two looks at the caller's wishes */
  PIECE = 1024, /* tiles for a thread at most, */
  TOGETHER = 16 /* and at least, and a multiple of it */
};
/* Bytes of cells for a thread: several large pages, which two threads would else both clear. */
static const size_t LARGE_PAGES = (size_t)8 << 20;

typedef struct room {
  double *x, *y;
  void *scratch;
  tacit_tally *tally;
} room;

typedef struct reading {
  const tacit_encoder *encoder; /* where features and targets are found */
  const double **values;        /* its inputs' columns */
  const tacit_row_store *store;
  room *rooms;
  int threads;
} reading;

/* How many tiles a thread takes at a time. */
static size_t piece_of(const tacit_schema *schema) {
  size_t tiles = LARGE_PAGES / (schema->columns * TACIT_TILE * sizeof(int32_t)) / TOGETHER * TOGETHER;
  return tiles < TOGETHER ? TOGETHER : tiles > PIECE ? PIECE : tiles;
}

/* Tiles first.. of the source; returns how many of their rows come before the first tile that is not good. */
static size_t read_wave(const reading *r, size_t first, size_t rows) {
  size_t tiles = (rows + TACIT_TILE - 1) / TACIT_TILE, bad = tiles, piece = piece_of(r->encoder->schema);
#pragma omp parallel for schedule(dynamic, piece) num_threads(r->threads) reduction(min : bad)
  for (size_t k = 0; k < tiles; k++) {
    const room *mine = &r->rooms[tacit_thread()];
    size_t at = k * TACIT_TILE, count = rows - at < TACIT_TILE ? rows - at : TACIT_TILE;
    tacit_tile tile = {.count = count, .stride = TACIT_TILE, .x = mine->x, .y = mine->y};
    bool good = tacit_encode_tile(r->encoder, r->values, first + at, count, mine->x, mine->y, mine->tally);
    if (!good && k < bad) bad = k;
    if (!good) continue;
    tacit_schema_multiply(r->encoder->schema, TACIT_TILE, count, mine->x);
    r->store->put(r->store->self, at, &tile, mine->scratch);
  }
  return bad < tiles ? bad * TACIT_TILE : rows;
}

static tacit_status read_waves(const reading *r, tacit_source *source, const tacit_context *context,
                               tacit_error *error) {
  size_t end = source->batch.before + source->batch.rows;
  for (size_t rows = 0, done = 0; done == rows && source->record < end;) {
    TACIT_TRY(tacit_progress(context, "reading", source->fraction, error));
    size_t left = end - source->record, most = (size_t)WAVE * TACIT_TILE;
    rows = left < most ? left : most;
    TACIT_TRY(r->store->reserve(r->store->self, rows, error));
    done = read_wave(r, source->record - source->batch.before, rows);
    TACIT_TRY(r->store->keep(r->store->self, done, error));
    source->record += done;
    if (!source->batch.bring) source->fraction = (double)source->record / (double)end;
  }
  return TACIT_OK;
}

/* Whether all that is read lies as numbers. */
static bool find_values(const reading *r, const tacit_source *source) {
  bool all = source->batch.rows > 0;
  for (size_t i = 0; i < r->encoder->input_count; i++)
    all &= (r->values[i] = source->batch.numbers[r->encoder->inputs[i].column]) != NULL;
  return all;
}

/* All that the source has so, one piece after the other, up to the first record that is not as it should be.
 */
static tacit_status read_pieces(const reading *r, tacit_source *source, const tacit_context *context,
                                tacit_error *error) {
  for (bool more = true; more;) {
    if (source->batch.bring) TACIT_TRY(source->batch.bring(source, error));
    if (!find_values(r, source)) return TACIT_OK;
    TACIT_TRY(read_waves(r, source, context, error));
    more = source->batch.bring && source->record == source->batch.before + source->batch.rows;
  }
  return TACIT_OK;
}

static bool has_texts(const tacit_schema *schema) {
  for (size_t t = 0; t < schema->target_count; t++)
    if (schema->targets[t].sold_words) return true;
  for (size_t f = 0; f < schema->feature_count; f++)
    if (tacit_feature_reads(&schema->features[f]) == TACIT_READS_LEVEL ||
        tacit_feature_reads(&schema->features[f]) == TACIT_READS_MOMENT)
      return true;
  return false;
}

tacit_status tacit_read_columns(tacit_source *source, const tacit_schema *schema,
                                const tacit_row_store *store, size_t *records, const tacit_context *context,
                                tacit_error *error) {
  tacit_encoder *encoder = NULL;
  *records = 0;
  if (has_texts(schema)) return TACIT_OK;
  TACIT_TRY(tacit_encoder_new(source, schema, true, &encoder, error));
  size_t x = TACIT_TILE * schema->columns, y = TACIT_TILE * schema->target_count,
         tally = tacit_tally_count(schema);
  reading r = {.encoder = encoder, .store = store};
  r.threads = tacit_threads(context);
  r.rooms = tacit_alloc((size_t)r.threads, sizeof *r.rooms);
  r.values = tacit_alloc(encoder->input_count, sizeof *r.values);
  tacit_status status = r.rooms && r.values ? TACIT_OK : tacit_no_memory(error);
  for (int i = 0; i < r.threads && status == TACIT_OK; i++) {
    room *mine = &r.rooms[i];
    mine->x = tacit_alloc(x + y, sizeof *mine->x);
    mine->scratch = tacit_alloc(store->scratch, 1);
    mine->tally = tacit_alloc(tally, sizeof *mine->tally);
    if (!mine->x || !mine->scratch || !mine->tally)
      status = tacit_no_memory(error);
    else
      mine->y = mine->x + x;
  }
  if (status == TACIT_OK) status = read_pieces(&r, source, context, error);
  *records = source->record;
  for (int i = 0; r.rooms && i < r.threads; i++) {
    if (r.rooms[i].tally) tacit_tally_give(source, r.rooms[i].tally, tally);
    free(r.rooms[i].tally);
    tacit_free_wiped(r.rooms[i].x, r.rooms[i].x ? (x + y) * sizeof *r.rooms[i].x : 0);
    tacit_free_wiped(r.rooms[i].scratch, r.rooms[i].scratch ? store->scratch : 0);
  }
  free(r.rooms);
  free(r.values);
  tacit_encoder_free(encoder);
  return status;
}
