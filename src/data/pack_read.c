/* Opens a packed table and makes a design of it. Nothing in the file is believed before it is checked: sums
   are exact, and sensitivities hold, for rows within their bounds only (proofs/exact-sums.md). */
#include "data/pack.h"

#include "base/base.h"
#include "data/design_inner.h"
#include "source/source.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TARGET_MAX = 1 << 30 }; /* TACIT_TARGET_LIMIT on the targets' grid */

static tacit_status damaged(const char *path, const char *what, tacit_error *error) {
  return tacit_fail(error, TACIT_BAD_INPUT, "%.300s: %s; pack the table again", path, what);
}

/* Sizes are compared without being multiplied into an overflow. */
static tacit_status check_header(tacit_pack *pack, const char *path, tacit_error *error) {
  const tacit_pack_header *h = &pack->header;
  unsigned char digest[32];
  tacit_pack_header_digest(h, digest);
  if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__)
    return tacit_fail(error, TACIT_BAD_INPUT, "packed tables need a little-endian machine; use the table");
  if (memcmp(h->magic, tacit_pack_magic, TACIT_PACK_MAGIC) != 0)
    return damaged(path, "not a packed table", error);
  if (h->version != TACIT_PACK_VERSION && h->version != TACIT_PACK_UNITS)
    return tacit_fail(
        error, TACIT_BAD_INPUT,
        "%.300s: packed in version %lu of the format, and this program knows versions up to %d; pack the "
        "table again",
        path, (unsigned long)h->version, TACIT_PACK_UNITS);
  if (memcmp(digest, h->digest, sizeof digest) != 0)
    return damaged(path, "the header does not match its checksum", error);
  if (h->block_rows != TACIT_BLOCK || h->target_bits != TACIT_TARGET_BITS || h->columns == 0 ||
      h->columns > TACIT_COLUMNS_MAX || h->targets == 0 || h->targets > TACIT_COLUMNS_MAX ||
      h->rows > TACIT_ROWS_MAX || h->blocks != (h->rows + TACIT_BLOCK - 1) / TACIT_BLOCK ||
      h->dropped_lag > h->records || h->dropped_unit > h->records - h->dropped_lag ||
      h->rows != h->records - h->dropped_lag - h->dropped_unit ||
      (pack->units.listed != 0 && pack->units.listed != h->rows))
    return damaged(path, "the header contradicts itself", error);
  pack->block_bytes = ((size_t)h->columns + 1 + h->targets) * TACIT_BLOCK * sizeof(int32_t);
  size_t rest = pack->file_bytes - TACIT_PACK_START, each = pack->block_bytes + TACIT_PACK_DIGEST;
  size_t list = (size_t)pack->units.listed * sizeof(uint64_t); /* of rows, which are few enough for that */
  if (rest < list || (rest - list) / each != h->blocks || (rest - list) % each)
    return damaged(path, "the file is shorter or longer than its header says", error);
  return TACIT_OK;
}

static tacit_status check_units(const tacit_pack *pack, const char *path, tacit_error *error) {
  const tacit_pack_header *h = &pack->header;
  const tacit_pack_units *u = &pack->units;
  unsigned char digest[32];
  if (h->version != TACIT_PACK_UNITS) return TACIT_OK;
  tacit_pack_units_digest(h, u, digest);
  if (memcmp(digest, u->digest, sizeof digest) != 0)
    return damaged(path, "what it says of units does not match its checksum", error);
  if (u->units > h->records || (u->shards ? u->shard >= u->shards : u->shard != 0))
    return damaged(path, "what it says of units contradicts itself", error);
  return TACIT_OK;
}

static bool zero_after_header(const tacit_pack *pack, int descriptor) {
  enum { REST = TACIT_PACK_START - sizeof(tacit_pack_header) };
  char rest[REST], sum = 0;
  if (pread(descriptor, rest, REST, sizeof(tacit_pack_header)) != REST) return false;
  size_t known = pack->header.version == TACIT_PACK_UNITS ? sizeof pack->units : 0;
  for (size_t i = known; i < REST; i++) sum |= rest[i];
  return sum == 0;
}

tacit_status tacit_pack_open(int descriptor, const char *path, tacit_pack **pack, tacit_error *error) {
  *pack = NULL;
  tacit_pack *self = tacit_alloc(1, sizeof *self);
  struct stat about;
  tacit_status status = self ? TACIT_OK : tacit_no_memory(error);
  if (!status && (fstat(descriptor, &about) != 0 || about.st_size < TACIT_PACK_START ||
                  pread(descriptor, &self->header, sizeof self->header, 0) != sizeof self->header))
    status = damaged(path, "the file ends before its header does", error);
  if (!status && sodium_init() < 0)
    status = tacit_fail(error, TACIT_INTERNAL, "no entropy from the operating system");
  if (!status) {
    self->file_bytes = (size_t)about.st_size;
    if (self->header.version == TACIT_PACK_UNITS &&
        pread(descriptor, &self->units, sizeof self->units, sizeof self->header) != sizeof self->units)
      status = damaged(path, "the file ends before its header does", error);
  }
  if (!status) status = check_header(self, path, error);
  if (!status) status = check_units(self, path, error);
  if (!status && !zero_after_header(self, descriptor))
    status = damaged(path, "the header is followed by something unknown", error);
  if (status) {
    free(self);
    close(descriptor);
    return status;
  }
  self->descriptor = descriptor;
  self->parts = 1;
  *pack = self;
  return TACIT_OK;
}

void tacit_pack_close(tacit_pack *pack) {
  if (!pack) return;
  close(pack->descriptor);
  free(pack);
}

static bool check_digests(const tacit_pack *pack, const unsigned char *map) {
  const unsigned char *table = map + TACIT_PACK_START + pack->header.blocks * pack->block_bytes;
  unsigned char digest[32];
  crypto_generichash(digest, sizeof digest, table, pack->header.blocks * TACIT_PACK_DIGEST, NULL, 0);
  return memcmp(digest, pack->header.digests, sizeof digest) == 0;
}

/* Cells and targets within their limits, the norm the exact ceiling; rows that have no encoding, and those
   behind the last one, are zero throughout. */
static bool rows_hold(const tacit_design *design, const tacit_block *block, size_t rows) {
  bool good = true;
  int64_t square[TACIT_BLOCK] = {0};
  for (size_t j = 0; j < design->columns && good; j++)
    for (size_t i = 0; i < TACIT_BLOCK; i++) {
      int64_t cell = block->cells[j * TACIT_BLOCK + i];
      good &= cell >= -TACIT_CELL_MAX && cell <= TACIT_CELL_MAX;
      square[i] += cell * cell; /* at most 2^51, and 2^62 for the last lie */
    }
  if (!good) return false;
  for (size_t i = 0; i < TACIT_BLOCK; i++) {
    int64_t norm = block->norms[i];
    good &= norm >= 0 && norm <= (int64_t)TACIT_CELL_MAX * TACIT_COLUMNS_MAX && norm * norm >= square[i] &&
            (norm == 0 || (norm - 1) * (norm - 1) < square[i]) && (norm == 0 || i < rows);
  }
  for (size_t t = 0; t < design->targets; t++)
    for (size_t i = 0; i < TACIT_BLOCK; i++) {
      int64_t y = block->targets[t * TACIT_BLOCK + i];
      good &= y >= -TARGET_MAX && y <= TARGET_MAX && (y == 0 || block->norms[i] > 0);
    }
  return good;
}

/* *bad is the first block that does not hold, or SIZE_MAX. */
static tacit_status check_blocks(const tacit_pack *pack, const tacit_design *design, size_t first,
                                 const tacit_context *context, size_t *bad, tacit_error *error) {
  enum { STEP = 4096 }; /* blocks between two looks at the caller's wishes */
  const unsigned char *table =
      (const unsigned char *)design->file.map + TACIT_PACK_START + pack->header.blocks * pack->block_bytes;
  size_t worst = SIZE_MAX;
  for (size_t start = 0; start < design->blocks && worst == SIZE_MAX; start += STEP) {
    TACIT_TRY(tacit_progress(context, "checking", (double)start / (double)design->blocks, error));
    size_t end = design->blocks - start < STEP ? design->blocks : start + STEP;
#pragma omp parallel for num_threads(tacit_threads(context)) reduction(min : worst) schedule(static)
    for (size_t b = start; b < end; b++) {
      unsigned char digest[TACIT_PACK_DIGEST];
      tacit_block block = tacit_design_block(design, b);
      size_t left = design->rows - b * TACIT_BLOCK;
      tacit_pack_block_digest(first + b, block.cells, pack->block_bytes, digest);
      if (memcmp(digest, table + (first + b) * TACIT_PACK_DIGEST, sizeof digest) != 0 ||
          !rows_hold(design, &block, left))
        worst = b < worst ? b : worst;
    }
  }
  *bad = worst;
  return TACIT_OK;
}

static tacit_status map_blocks(const tacit_pack *pack, tacit_design *design, size_t first, size_t blocks,
                               tacit_error *error) {
  void *map = mmap(NULL, pack->file_bytes, PROT_READ, MAP_PRIVATE, pack->descriptor, 0);
  if (map == MAP_FAILED) return tacit_no_memory(error);
  (void)madvise(map, pack->file_bytes, MADV_DONTDUMP);
  design->file.map = map;
  design->file.map_bytes = pack->file_bytes;
  design->stored.block = tacit_alloc(blocks, sizeof *design->stored.block);
  if (!design->stored.block) return tacit_no_memory(error);
  design->blocks = design->stored.block_capacity = blocks;
  for (size_t b = 0; b < blocks; b++)
    design->stored.block[b] =
        tacit_block_in(design, (char *)map + TACIT_PACK_START + (first + b) * pack->block_bytes);
  uint64_t end = (first + blocks) * TACIT_BLOCK, last = pack->header.rows;
  design->rows = (size_t)((end < last ? end : last) - (blocks       ? first * TACIT_BLOCK
                                                       : end < last ? end
                                                                    : last));
  return check_digests(pack, map)
             ? TACIT_OK
             : tacit_fail(error, TACIT_BAD_INPUT,
                          "the packed table's checksums do not match its header; pack the "
                          "table again");
}

void tacit_pack_range(const tacit_pack *pack, size_t *first, size_t *blocks) {
  size_t part = pack->part, parts = pack->parts, all = (size_t)pack->header.blocks;
  *first = all / parts * part + (part < all % parts ? part : all % parts);
  *blocks = all / parts + (part < all % parts);
}

tacit_status tacit_pack_check(const tacit_pack *pack, const tacit_schema *schema, int cell_bits,
                              tacit_error *error) {
  const tacit_pack_header *h = &pack->header;
  if (memcmp(h->schema, tacit_schema_hash(schema), sizeof h->schema) != 0 || h->columns != schema->columns ||
      h->targets != schema->target_count)
    return tacit_fail(error, TACIT_BAD_INPUT,
                      "the table was packed with another schema; pack it again with this one");
  if (h->cell_bits == (uint32_t)cell_bits) return TACIT_OK;
  return tacit_fail(error, TACIT_USAGE, "the table was packed on another grid; use the table itself");
}

tacit_status tacit_pack_design(const tacit_pack *pack, const tacit_schema *schema, int cell_bits,
                               tacit_design **design, tacit_read_counts *counts, const tacit_context *context,
                               tacit_error *error) {
  size_t part = pack->part, first, blocks, bad = SIZE_MAX;
  const tacit_pack_header *h = &pack->header;
  *design = NULL;
  *counts = (tacit_read_counts){0};
  TACIT_TRY(tacit_pack_check(pack, schema, cell_bits, error));
  TACIT_TRY(tacit_design_new(schema, NULL, cell_bits, design, error));
  tacit_pack_range(pack, &first, &blocks);
  tacit_status status = map_blocks(pack, *design, first, blocks, error);
  if (!status) status = check_blocks(pack, *design, first, context, &bad, error);
  if (!status && bad != SIZE_MAX)
    status =
        tacit_fail(error, TACIT_BAD_INPUT,
                   "block %zu of the packed table does not match its checksum, or holds rows out of their "
                   "bounds; pack the table again",
                   first + bad + 1);
  if (status) {
    tacit_design_free(*design);
    *design = NULL;
    return status;
  }
  counts->rows = (*design)->rows;
  counts->dropped_lag = part ? 0 : (size_t)h->dropped_lag;
  counts->dropped_unit = part ? 0 : (size_t)h->dropped_unit;
  counts->records = counts->rows + counts->dropped_lag + counts->dropped_unit;
  return TACIT_OK;
}
