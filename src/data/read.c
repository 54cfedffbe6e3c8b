/* Reads a whole source into a store, by several threads where that is possible.

   Text in memory is cut into pieces. A first look at a wave of pieces counts quotes and line feeds; from them
   follows which bytes lie inside quotes, how many records begin in each piece and where its first one does.
   Each piece is then read by one thread, straight into the rows that are its own; whoever finds no more of
   them begins to count the next wave. A record that is not as it should be ends that: the source itself goes
   on from there, record by record, and finds the words. */
#include "data/read.h"

#include "base/base.h"
#include "data/csv_rows.h"
#include "data/read_columns.h"
#include "data/tally.h"
#include "source/csv_count.h"

#include <stdlib.h>
#include <string.h>

enum {
  PIECE = 1 << 18, /* bytes: little enough that threads finish a wave together */
  PIECES = 64      /* in a wave, for each thread: threads wait for each other between waves */
};

typedef struct piece {
  tacit_csv_count count;
  size_t records, row; /* how many begin here, and the first one's row in the wave */
  const char *at;      /* where its next record begins */
  size_t done;
} piece;

typedef struct reading {
  tacit_source *source;
  const tacit_row_store *store;
  const char *text;
  size_t length, size; /* of the text and of a piece */
  int threads;
  tacit_csv_rows *rows; /* one for each thread */
  piece *wave, *next;   /* the pieces that are read, and those that are counted meanwhile */
  size_t records;       /* read so far */
  size_t quotes;
} reading;

/* Empty lines at the end are no records where a record has several cells. */
static size_t without_blank_end(const char *text, size_t length) {
  for (;;) {
    size_t line = length && text[length - 1] == '\n' ? 1 : 0;
    if (line && length > 1 && text[length - 2] == '\r') line = 2;
    if (!line) return length;
    if (length > line && text[length - line - 1] != '\n') return length;
    length -= line;
  }
}

/* A record begins behind each line feed but the last byte: piece k has those that begin in it. */
static void count_piece(const reading *r, size_t k, piece *p) {
  size_t begin = k ? k * r->size - 1 : 0;
  size_t end = r->length - k * r->size > r->size ? (k + 1) * r->size - 1 : r->length - 1;
  tacit_csv_count_piece(r->text, begin, end, &p->count);
}

static size_t number_records(reading *r, size_t first, size_t pieces) {
  size_t rows = 0;
  for (size_t k = 0; k < pieces; k++) {
    piece *p = &r->wave[k];
    size_t odd = r->quotes & 1;
    bool start = first + k == 0;
    p->records = p->count.lines[odd] + start;
    p->at = start ? r->text : r->text + p->count.first[odd] + 1;
    p->row = rows;
    p->done = 0;
    rows += p->records;
    r->quotes += p->count.quotes;
  }
  return rows;
}

/* Reads the pieces of the wave, whose records are numbered, and counts those that follow them. */
static void read_and_count(reading *r, size_t first, size_t pieces, size_t following) {
  const tacit_number_text text = {r->text, r->text + r->length};
#pragma omp parallel num_threads(r->threads) if (pieces + following > 1)
  {
    tacit_csv_rows *mine = &r->rows[tacit_thread()];
#pragma omp for schedule(dynamic, 1) nowait
    for (size_t k = 0; k < pieces; k++) {
      piece *p = &r->wave[k];
      p->done = tacit_csv_rows_read(mine, &p->at, &text, p->records, r->store, p->row);
    }
#pragma omp for schedule(dynamic, 1)
    for (size_t k = 0; k < following; k++) count_piece(r, first + pieces + k, &r->next[k]);
  }
}

/* Where the wave's first record begins; NULL where none does. */
static const char *first_record(const reading *r, size_t pieces) {
  for (size_t k = 0; k < pieces; k++)
    if (r->wave[k].records) return r->wave[k].at;
  return NULL;
}

/* What the threads counted of a wave that is kept, or, of one that is read again, nothing. */
static void give_tallies(const reading *r, bool kept) {
  for (int i = 0; i < r->threads; i++) {
    tacit_encoder *encoder = r->rows[i].encoder;
    size_t count = tacit_tally_count(encoder->schema);
    if (kept) tacit_tally_give(r->source, encoder->tally, count);
    memset(encoder->tally, 0, count * sizeof *encoder->tally);
  }
}

/* One wave, counted before. *stop is where the source must go on, NULL when all is well: at the wave's first
   record, for what was counted of its cells is not known record by record. */
static tacit_status read_wave(reading *r, size_t first, size_t pieces, size_t following, const char **stop,
                              tacit_error *error) {
  size_t rows = number_records(r, first, pieces);
  TACIT_TRY(r->store->reserve(r->store->self, rows, error));
  const char *begin = first_record(r, pieces);
  read_and_count(r, first, pieces, following);
  bool whole = true;
  for (size_t k = 0; k < pieces; k++) whole = whole && r->wave[k].done == r->wave[k].records;
  give_tallies(r, whole);
  *stop = whole ? NULL : begin;
  if (!whole) rows = 0;
  r->records += rows;
  return r->store->keep(r->store->self, rows, error);
}

static void next_wave(reading *r) {
  piece *done = r->wave;
  r->wave = r->next;
  r->next = done;
}

static tacit_status read_waves(reading *r, const tacit_context *context, tacit_error *error) {
  size_t pieces = (r->length + r->size - 1) / r->size, most = (size_t)r->threads * PIECES;
  size_t n = 0, following = pieces < most ? pieces : most;
  for (size_t first = 0; first < pieces; first += n) {
    TACIT_TRY(tacit_progress(context, "reading", r->source->fraction, error));
    if (first == 0) read_and_count(r, 0, 0, following);
    next_wave(r);
    n = following;
    following = pieces - first - n < most ? pieces - first - n : most;
    const char *stop;
    TACIT_TRY(read_wave(r, first, n, following, &stop, error));
    bool last = first + n == pieces;
    if (!stop) stop = last ? r->text + r->length : NULL;
    r->source->text.resume(r->source, stop ? stop : r->text + (first + n) * r->size - 1, r->records);
    if (stop) return TACIT_OK;
  }
  return TACIT_OK;
}

static tacit_status read_ahead(tacit_source *source, const tacit_schema *schema, const tacit_row_store *store,
                               size_t size, const tacit_context *context, size_t *records,
                               tacit_error *error) {
  reading r = {.source = source, .store = store, .size = size, .threads = tacit_threads(context)};
  source->text.rest(source, &r.text, &r.length);
  if (source->columns > 1) r.length = without_blank_end(r.text, r.length);
  if (r.length == 0) return TACIT_OK;
  r.rows = tacit_alloc((size_t)r.threads, sizeof *r.rows);
  r.wave = tacit_alloc((size_t)r.threads * PIECES, sizeof *r.wave);
  r.next = tacit_alloc((size_t)r.threads * PIECES, sizeof *r.next);
  tacit_status status = r.rows && r.wave && r.next ? TACIT_OK : tacit_no_memory(error);
  for (int i = 0; i < r.threads && status == TACIT_OK; i++)
    status = tacit_csv_rows_open(&r.rows[i], source, schema, store, error);
  if (status == TACIT_OK) status = read_waves(&r, context, error);
  *records = r.records;
  for (int i = 0; r.rows && i < r.threads; i++) tacit_csv_rows_close(&r.rows[i]);
  free(r.rows);
  free(r.wave);
  free(r.next);
  return status;
}

/* Rows that come one by one go to the store by the tile. */
typedef struct one_by_one {
  const tacit_row_store *store;
  void *scratch;
  size_t columns, targets, count;
  double *x, *y; /* of the tile, by columns */
} one_by_one;

static tacit_status put_tile(one_by_one *one, tacit_error *error) {
  const tacit_row_store *store = one->store;
  const tacit_tile tile = {.count = one->count, .stride = TACIT_TILE, .x = one->x, .y = one->y};
  one->count = 0;
  if (tile.count == 0) return TACIT_OK;
  TACIT_TRY(store->reserve(store->self, tile.count, error));
  store->put(store->self, 0, &tile, one->scratch);
  return store->keep(store->self, tile.count, error);
}

static tacit_status add_row(void *self, const double *x, const double *y, tacit_error *error) {
  one_by_one *one = self;
  for (size_t j = 0; j < one->columns; j++) one->x[j * TACIT_TILE + one->count] = x[j];
  for (size_t t = 0; t < one->targets; t++) one->y[t * TACIT_TILE + one->count] = y[t];
  return ++one->count < TACIT_TILE ? TACIT_OK : put_tile(one, error);
}

static tacit_status read_one_by_one(tacit_source *source, const tacit_schema *schema,
                                    const tacit_row_store *store, tacit_read_counts *counts,
                                    const tacit_context *context, tacit_error *error) {
  size_t cells = (schema->columns + schema->target_count) * TACIT_TILE;
  one_by_one one = {.store = store,
                    .scratch = tacit_alloc(store->scratch, 1),
                    .columns = schema->columns,
                    .targets = schema->target_count,
                    .x = tacit_alloc(cells, sizeof *one.x)};
  tacit_status status = one.scratch && one.x ? TACIT_OK : tacit_no_memory(error);
  if (!status) {
    one.y = one.x + schema->columns * TACIT_TILE;
    const tacit_row_taker taker = {.add = add_row, .self = &one, .units = store->units};
    status = tacit_encode_source(source, schema, true, &taker, counts, context, error);
  }
  /* the rows before a bad one are there, as for every other way of reading */
  tacit_status last = one.y ? put_tile(&one, status ? NULL : error) : status;
  if (!status) status = last;
  tacit_free_wiped(one.scratch, one.scratch ? store->scratch : 0);
  tacit_free_wiped(one.x, one.x ? cells * sizeof *one.x : 0);
  return status;
}

tacit_status tacit_read_rows_in_pieces(tacit_source *source, const tacit_schema *schema,
                                       const tacit_row_store *store, size_t size, tacit_read_counts *counts,
                                       const tacit_context *context, tacit_error *error) {
  size_t ahead = 0;
  tacit_status status = TACIT_OK;
  *counts = (tacit_read_counts){0};
  bool own = !tacit_schema_needs_all(schema); /* a row is its own record's alone */
  if (source->text.rest && own) status = read_ahead(source, schema, store, size, context, &ahead, error);
  if (source->batch.numbers && own && source->record == 0)
    status = tacit_read_columns(source, schema, store, &ahead, context, error);
  if (!status) status = read_one_by_one(source, schema, store, counts, context, error);
  counts->records += ahead;
  counts->rows += ahead;
  return status;
}

tacit_status tacit_read_rows(tacit_source *source, const tacit_schema *schema, const tacit_row_store *store,
                             tacit_read_counts *counts, const tacit_context *context, tacit_error *error) {
  return tacit_read_rows_in_pieces(source, schema, store, PIECE, counts, context, error);
}
