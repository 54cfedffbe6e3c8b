/* Says what a file is by its first bytes. */
#include "source/unpack.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

/* What tables are kept in that is neither text nor unpacked here. */
static const struct {
  const char *magic;
  size_t length;
  const char *words;
} OTHERS[] = {
    {"ARROW1", 6,
     "an Arrow (Feather) file, which has neither separators nor decimal commas; leave these options out"},
    {"\xFF\xFF\xFF\xFF", 4,
     "an Arrow stream, which has neither separators nor decimal commas; leave these options out"},
    {"FEA1", 4,
     "a Feather file of version 1; write it again, in Python with "
     "pandas.read_feather(\"t.feather\").to_feather(\"new.feather\"), or as Parquet"},
    {"\x89HDF", 4, "an HDF5 file; save the table as Parquet or CSV"},
    {"\x93NUMPY", 6,
     "a numpy file; save the table as Parquet or CSV, or hand the array to the Python package"},
    {"PK\3\4", 4, "a spreadsheet or a zip archive; save the table as CSV"},
    {"\xD0\xCF\x11\xE0", 4, "an old spreadsheet; save the table as CSV"},
    {"BZh", 3, "a bzip2 file; unpack it, or use gzip or zstd"},
    {"\xFD"
     "7zXZ",
     5, "an xz file; unpack it, or use gzip or zstd"},
    {"\x04\x22\x4D\x18", 4, "an lz4 file; unpack it, or use gzip or zstd"},
    {"\xFF\xFE", 2, "text in UTF-16; save it as UTF-8: iconv -f UTF-16 -t UTF-8 TABLE > NEW.csv"},
    {"\xFE\xFF", 2, "text in UTF-16; save it as UTF-8: iconv -f UTF-16 -t UTF-8 TABLE > NEW.csv"},
    {"%PDF", 4, "a PDF file; save the table as CSV"},
};

/* Bytes of which the first were read already. */
typedef struct begun_bytes {
  tacit_bytes base;
  tacit_bytes *raw;
  char head[TACIT_HEAD];
  size_t length, given;
} begun_bytes;

static tacit_status begun_read(tacit_bytes *self, char *into, size_t room, size_t *got, tacit_error *error) {
  begun_bytes *b = (begun_bytes *)self;
  if (b->given == b->length) return b->raw->read(b->raw, into, room, got, error);
  *got = b->length - b->given < room ? b->length - b->given : room;
  memcpy(into, b->head + b->given, *got);
  b->given += *got;
  return TACIT_OK;
}

static void begun_close(tacit_bytes *self) {
  begun_bytes *b = (begun_bytes *)self;
  b->raw->close(b->raw);
  tacit_free_wiped(b, sizeof *b);
}

static bool begins(const char *head, size_t length, const char *magic, size_t size) {
  return length >= size && memcmp(head, magic, size) == 0;
}

/* As many of the first bytes as there are, of what cannot be looked at twice. */
static tacit_status read_head(tacit_bytes *raw, char head[TACIT_HEAD], size_t *length, tacit_error *error) {
  *length = 0;
  for (size_t got = 1; got && *length < TACIT_HEAD; *length += got)
    TACIT_TRY(raw->read(raw, head + *length, TACIT_HEAD - *length, &got, error));
  return TACIT_OK;
}

static tacit_status give_begun(tacit_bytes **bytes, const char *head, size_t length, tacit_error *error) {
  tacit_bytes *raw = *bytes;
  begun_bytes *b = tacit_alloc(1, sizeof *b);
  if (!b) return tacit_no_memory(error);
  *b = (begun_bytes){
      .base = {.read = begun_read, .close = begun_close, .total = raw->total}, .raw = raw, .length = length};
  memcpy(b->head, head, length);
  *bytes = &b->base;
  return TACIT_OK;
}

static void close_bytes(tacit_bytes **bytes) {
  (*bytes)->close(*bytes);
  *bytes = NULL;
}

tacit_status tacit_bytes_look(tacit_bytes **bytes, char head[TACIT_HEAD], size_t *length,
                              tacit_error *error) {
  const tacit_bytes *raw = *bytes;
  *length = raw->total < TACIT_HEAD ? (size_t)raw->total : TACIT_HEAD;
  if (raw->map) {
    memcpy(head, raw->map, *length);
    return TACIT_OK;
  }
  tacit_status status = read_head(*bytes, head, length, error);
  if (status == TACIT_OK) status = give_begun(bytes, head, *length, error);
  if (status != TACIT_OK) close_bytes(bytes);
  return status;
}

tacit_status tacit_bytes_unpack(tacit_bytes **bytes, tacit_error *error) {
  char head[TACIT_HEAD] = {0};
  size_t length;
  TACIT_TRY(tacit_bytes_look(bytes, head, &length, error));
  if (begins(head, length, "\x1F\x8B", 2)) return tacit_bytes_gzip(*bytes, bytes, error);
  if (begins(head, length, "\x28\xB5\x2F\xFD", 4)) return tacit_bytes_zstd(*bytes, bytes, error);
  for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++)
    if (begins(head, length, OTHERS[i].magic, OTHERS[i].length)) {
      close_bytes(bytes);
      return tacit_fail(error, TACIT_BAD_INPUT, "the table looks like %s", OTHERS[i].words);
    }
  return TACIT_OK;
}
