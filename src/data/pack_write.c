/* Writes a packed table: rows are encoded as for a design, and each block goes to the file as soon as it is
   full. The file appears under its name when it is whole, for its owner's eyes only. */
#include "data/pack.h"

#include "base/base.h"
#include "base/temporary.h"
#include "data/read.h"
#include "source/source.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct writer {
  tacit_design *design; /* rows that are not in the file yet */
  tacit_row_store rows;
  int file;
  size_t block_bytes;
  uint64_t blocks; /* in the file */
  unsigned char *digests;
  size_t digest_capacity;
  tacit_unit_list list; /* whose each row is, where that is kept */
} writer;

static tacit_status write_at(int file, const void *bytes, size_t count, uint64_t place, tacit_error *error) {
  const char *from = bytes;
  while (count > 0) {
    ssize_t n = pwrite(file, from, count < INT_MAX ? count : INT_MAX, (off_t)place);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      char words[128] = "unknown error";
      (void)!strerror_r(errno, words, sizeof words);
      return tacit_fail(error, TACIT_INTERNAL, "the packed table could not be written: %s", words);
    }
    from += n;
    count -= (size_t)n;
    place += (uint64_t)n;
  }
  return TACIT_OK;
}

/* The design's first `count` blocks, and their checksums. */
static tacit_status write_blocks(writer *w, size_t count, tacit_error *error) {
  size_t needed = (size_t)(w->blocks + count) * TACIT_PACK_DIGEST;
  void *digests = tacit_grow(w->digests, &w->digest_capacity, needed, 1);
  if (!digests) return tacit_no_memory(error);
  w->digests = digests;
  for (size_t b = 0; b < count; b++) {
    const void *block = w->design->stored.block[b].cells;
    tacit_pack_block_digest(w->blocks + b, block, w->block_bytes,
                            w->digests + (w->blocks + b) * TACIT_PACK_DIGEST);
    TACIT_TRY(
        write_at(w->file, block, w->block_bytes, TACIT_PACK_START + (w->blocks + b) * w->block_bytes, error));
  }
  w->blocks += count;
  return TACIT_OK;
}

static tacit_status reserve(void *self, size_t rows, tacit_error *error) {
  const writer *w = self;
  return w->rows.reserve(w->rows.self, rows, error);
}

static void put(void *self, size_t row, const tacit_tile *tile, void *scratch) {
  const writer *w = self;
  w->rows.put(w->rows.self, row, tile, scratch);
}

static tacit_status keep(void *self, size_t rows, tacit_error *error) {
  writer *w = self;
  TACIT_TRY(w->rows.keep(w->rows.self, rows, error));
  size_t full = w->design->rows / TACIT_BLOCK;
  if (full == 0) return TACIT_OK;
  TACIT_TRY(write_blocks(w, full, error));
  tacit_design_forget(w->design, full);
  return TACIT_OK;
}

/* Behind the blocks' checksums, and what the header's continuation says of it. */
static tacit_status write_units(const writer *w, const tacit_source *source, tacit_pack_units *units,
                                uint64_t place, tacit_error *error) {
  const tacit_unit_list *list = &w->list;
  size_t bytes = list->count * sizeof *list->unit;
  *units = (tacit_pack_units){
      .listed = list->count, .shard = source->origin.shard, .shards = source->origin.shards};
  for (size_t i = 0; i < list->count; i++)
    if (list->unit[i] >= units->units) units->units = list->unit[i] + 1;
  crypto_generichash(units->list, sizeof units->list, (const unsigned char *)list->unit, bytes, NULL, 0);
  return write_at(w->file, list->unit, bytes, place, error);
}

static tacit_status finish(writer *w, const tacit_source *source, const tacit_schema *schema,
                           const tacit_read_counts *counts, tacit_error *error) {
  if (w->design->rows) TACIT_TRY(write_blocks(w, 1, error));
  size_t table = (size_t)w->blocks * TACIT_PACK_DIGEST;
  TACIT_TRY(write_at(w->file, w->digests, table, TACIT_PACK_START + w->blocks * w->block_bytes, error));
  bool spoken = tacit_schema_whole_units(schema) || source->origin.shards; /* of units */
  tacit_pack_units units = {0};
  uint64_t end = TACIT_PACK_START + w->blocks * (w->block_bytes + TACIT_PACK_DIGEST);
  if (spoken) TACIT_TRY(write_units(w, source, &units, end, error));
  tacit_pack_header header = {.version = spoken ? TACIT_PACK_UNITS : TACIT_PACK_VERSION,
                              .block_rows = TACIT_BLOCK,
                              .columns = (uint32_t)schema->columns,
                              .targets = (uint32_t)schema->target_count,
                              .cell_bits = TACIT_CELL_BITS,
                              .target_bits = TACIT_TARGET_BITS,
                              .rows = counts->rows,
                              .records = counts->records,
                              .dropped_lag = counts->dropped_lag,
                              .dropped_unit = counts->dropped_unit,
                              .blocks = w->blocks};
  memcpy(header.magic, tacit_pack_magic, sizeof header.magic);
  memcpy(header.schema, tacit_schema_hash(schema), sizeof header.schema);
  crypto_generichash(header.digests, sizeof header.digests, w->digests, table, NULL, 0);
  tacit_pack_header_digest(&header, header.digest);
  char start[TACIT_PACK_START] = {0};
  memcpy(start, &header, sizeof header);
  tacit_pack_units_digest(&header, &units, units.digest);
  if (spoken) memcpy(start + sizeof header, &units, sizeof units);
  TACIT_TRY(write_at(w->file, start, sizeof start, 0, error));
  return fsync(w->file) == 0 || errno == EINVAL || errno == EROFS
             ? TACIT_OK
             : tacit_fail(error, TACIT_INTERNAL, "the packed table did not reach the disk");
}

static tacit_status write_rows(tacit_source *source, const tacit_schema *schema, int file,
                               tacit_read_counts *counts, const tacit_context *context, tacit_error *error) {
  writer w = {.file = file,
              .block_bytes = (schema->columns + 1 + schema->target_count) * TACIT_BLOCK * sizeof(int32_t)};
  TACIT_TRY(tacit_design_new(schema, NULL, TACIT_CELL_BITS, &w.design, error));
  w.rows = tacit_design_store(w.design);
  tacit_row_store store = {
      .self = &w, .scratch = w.rows.scratch, .reserve = reserve, .put = put, .keep = keep};
  if (tacit_schema_whole_units(schema)) store.units = &w.list;
  tacit_status status = tacit_read_rows(source, schema, &store, counts, context, error);
  if (!status && source->origin.shards && !schema->unit_column)
    status = tacit_fail(error, TACIT_USAGE, "a shard is of units by a column, and the schema names none");
  if (!status) status = finish(&w, source, schema, counts, error);
  tacit_design_free(w.design);
  tacit_unit_list_free(&w.list);
  free(w.digests);
  return status;
}

tacit_status tacit_check_replaced(const char *path, tacit_error *error) {
  struct stat about;
  if (lstat(path, &about) == 0 && !S_ISREG(about.st_mode))
    return tacit_fail(error, TACIT_USAGE, "%.300s is not a regular file; choose another name", path);
  return TACIT_OK;
}

tacit_status tacit_pack_table(tacit_source *source, const tacit_schema *schema, const char *path,
                              tacit_pack_counts *counts, const tacit_context *context, tacit_error *error) {
  char *name = NULL;
  tacit_read_counts read = {0};
  *counts = (tacit_pack_counts){0};
  if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__)
    return tacit_fail(error, TACIT_USAGE, "packed tables need a little-endian machine");
  if (source->origin.queried)
    return tacit_fail(error, TACIT_REFUSED,
                      "a packed table does not say that a query made its rows; pack the table itself");
  if (sodium_init() < 0) return tacit_fail(error, TACIT_INTERNAL, "no entropy from the operating system");
  TACIT_TRY(tacit_check_replaced(path, error));
  int file = tacit_temporary_open(path, 0600, &name); /* for its owner's eyes, like the table */
  if (file < 0) {
    free(name);
    return tacit_fail(error, TACIT_INTERNAL, "cannot write %.300s; choose another name", path);
  }
  tacit_status status = write_rows(source, schema, file, &read, context, error);
  /* reading takes long: a ledger may have been made there meanwhile */
  if (!status && (tacit_is_ledger_file(path) || rename(name, path) != 0))
    status = tacit_fail(error, TACIT_INTERNAL, "cannot write %.300s; choose another name", path);
  if (status) unlink(name);
  close(file); /* after the rename: until then its lock keeps others from removing it */
  free(name);
  *counts = (tacit_pack_counts){read.records, read.rows, read.dropped_lag, read.dropped_unit};
  return status;
}
