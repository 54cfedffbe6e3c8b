/* Opens a table by what its first bytes or its name say: packed, Parquet, JSON, Arrow, or CSV. */
#include "base/reading.h"
#include "data/pack.h"
#include "source/duckdb_source.h"
#include "source/plain.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static tacit_status no_records(tacit_source *self, tacit_cell *cells, bool *more, tacit_error *error) {
  (void)self;
  (void)cells;
  *more = false;
  return tacit_fail(error, TACIT_BAD_INPUT, "%s", TACIT_PACK_HAS_NO_RECORDS);
}

static void close_pack(tacit_source *self) {
  tacit_pack_close(self->pack);
  free(self);
}

tacit_status tacit_source_pack(int descriptor, const char *path, tacit_source **source, tacit_error *error) {
  tacit_pack *pack;
  TACIT_TRY(tacit_pack_open(descriptor, path, &pack, error));
  *source = tacit_alloc(1, sizeof **source);
  if (!*source) {
    tacit_pack_close(pack);
    return tacit_no_memory(error);
  }
  **source = (tacit_source){.next = no_records, .close = close_pack, .pack = pack};
  return TACIT_OK;
}

tacit_status tacit_source_open(const char *path, tacit_source **source, tacit_error *error) {
  return tacit_source_open_as(path, NULL, source, error);
}

tacit_status tacit_source_open_as(const char *path, const tacit_csv_form *form, tacit_source **source,
                                  tacit_error *error) {
  *source = NULL;
  struct stat about;
  /* a pipe's first bytes cannot be looked at twice */
  int descriptor = stat(path, &about) == 0 && S_ISREG(about.st_mode) ? tacit_reading_open(path, 0) : -1;
  if (descriptor == TACIT_READING_LEDGER) return tacit_reading_refused(path, error);
  if (descriptor < 0 && tacit_duckdb_reads(path)) return tacit_source_duckdb_file(path, source, error);
  if (descriptor < 0) return tacit_source_plain(path, form, source, error);
  char first[TACIT_PACK_MAGIC];
  if (pread(descriptor, first, sizeof first, 0) == sizeof first &&
      memcmp(first, tacit_pack_magic, sizeof first) == 0)
    return tacit_source_pack(descriptor, path, source, error);
  bool parquet = about.st_size > 8 && pread(descriptor, first, 4, 0) == 4 &&
                 pread(descriptor, first + 4, 4, about.st_size - 4) == 4 && memcmp(first, "PAR1PAR1", 8) == 0;
  close(descriptor);
  if (parquet || tacit_duckdb_reads(path)) return tacit_source_duckdb_file(path, source, error);
  return tacit_source_plain(path, form, source, error);
}

tacit_status tacit_source_open_part(const char *path, size_t part, size_t parts, tacit_source **source,
                                    tacit_error *error) {
  *source = NULL;
  if (parts == 0 || part >= parts) return tacit_fail(error, TACIT_USAGE, "there is no such part of a table");
  TACIT_TRY(tacit_source_open(path, source, error));
  if (*source && (*source)->pack) {
    (*source)->pack->part = part;
    (*source)->pack->parts = parts;
  } else if (parts > 1) {
    tacit_source_free(*source);
    *source = NULL;
    return tacit_fail(
        error, TACIT_USAGE,
        "only a packed table (tacit pack) can be read in parts; or give each rank a file of its "
        "own, with %%r in the name for the rank's number");
  }
  return TACIT_OK;
}
