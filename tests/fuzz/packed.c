/* Any bytes as a packed table, as they are and again with every checksum made to fit: refused, or rows within
   the bounds that sensitivities rest on. */
#include "data/pack.h"
#include "fuzz/target.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char JSON[] = "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 10}, \"features\": []}";

static void look(const tacit_design *design) {
  for (size_t b = 0; b < design->blocks; b++) {
    tacit_block block = tacit_design_block(design, b);
    for (size_t i = 0; i < TACIT_BLOCK; i++) {
      int64_t square = 0, norm = block.norms[i];
      for (size_t j = 0; j < design->columns; j++) {
        int64_t cell = block.cells[j * TACIT_BLOCK + i];
        MUST(cell >= -TACIT_CELL_MAX && cell <= TACIT_CELL_MAX);
        square += cell * cell;
      }
      MUST(norm >= 0 && norm * norm >= square);
      MUST(b * TACIT_BLOCK + i < design->rows || (norm == 0 && square == 0));
    }
  }
}

static void read_all(const uint8_t *data, size_t size, const tacit_schema *schema) {
  char there[] = "/dev/shm/tacit-fuzz-packed-XXXXXX", here[] = "/tmp/tacit-fuzz-packed-XXXXXX";
  char *path = access("/dev/shm", W_OK) ? here : there;
  int file = mkstemp(path);
  tacit_pack *pack;
  tacit_error error = {""};
  MUST(file >= 0 && unlink(path) == 0 && write(file, data, size) == (ssize_t)size);
  if (tacit_pack_open(file, "packed", &pack, &error) != TACIT_OK) {
    MUST(!pack && error.text[0]);
    return;
  }
  size_t rows = 0, whole = 0;
  for (size_t part = 0; part < 4; part++) { /* the whole, then its three parts */
    tacit_design *design;
    tacit_read_counts counts;
    pack->parts = part ? 3 : 1;
    pack->part = part ? part - 1 : 0;
    if (tacit_pack_design(pack, schema, TACIT_CELL_BITS, &design, &counts, NULL, &error) != TACIT_OK) {
      MUST(!design && error.text[0]);
      break;
    }
    look(design);
    MUST(counts.rows == design->rows && counts.records >= counts.rows);
    *(part ? &rows : &whole) += design->rows;
    MUST(part < 3 || rows == whole);
    tacit_design_free(design);
  }
  tacit_pack_close(pack);
}

/* The checksums of what the header says is there, as far as it is. */
static void mend(uint8_t *file, size_t size) {
  tacit_pack_header h;
  memcpy(&h, file, sizeof h);
  size_t bytes = ((size_t)h.columns % 64 + 1 + h.targets % 64) * TACIT_BLOCK * sizeof(int32_t);
  size_t blocks = h.blocks % 64;
  if (size >= TACIT_PACK_START + blocks * (bytes + TACIT_PACK_DIGEST)) {
    uint8_t *first = file + TACIT_PACK_START, *table = first + blocks * bytes;
    for (size_t b = 0; b < blocks; b++)
      tacit_pack_block_digest(b, first + b * bytes, bytes, table + b * TACIT_PACK_DIGEST);
    crypto_generichash(h.digests, sizeof h.digests, table, blocks * TACIT_PACK_DIGEST, NULL, 0);
  }
  tacit_pack_header_digest(&h, h.digest);
  memcpy(file, &h, sizeof h);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static tacit_schema *schema;
  if (!schema) MUST(tacit_schema_parse(JSON, strlen(JSON), &schema, NULL) == TACIT_OK && sodium_init() >= 0);
  read_all(data, size, schema);
  if (size < TACIT_PACK_START) return 0;
  uint8_t *mended = malloc(size);
  MUST(mended);
  memcpy(mended, data, size);
  mend(mended, size);
  read_all(mended, size, schema);
  free(mended);
  return 0;
}
