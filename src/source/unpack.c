/* Says what a file is by its first bytes. */
#include "source/unpack.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

enum { HEAD = 8 };

/* What tables are kept in that is neither text nor unpacked here. */
static const struct {
  const char *magic;
  size_t length;
  const char *words;
} OTHERS[] = {
    {"ARROW1", 6,
     "an Arrow (Feather) file; write it as Parquet, in Python with pandas.read_feather(\"t.feather\")"
     ".to_parquet(\"t.parquet\") or polars.read_ipc(\"t.arrow\").write_parquet(\"t.parquet\"), or hand the "
     "data frame itself to the Python package"},
    {"\xFF\xFF\xFF\xFF", 4,
     "an Arrow stream; write it as Parquet, in Python with polars.read_ipc_stream(\"t.arrows\")"
     ".write_parquet(\"t.parquet\"), or hand the data frame itself to the Python package"},
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
    {"\xFF\xFE", 2, "text in UTF-16; save it as UTF-8"},
    {"\xFE\xFF", 2, "text in UTF-16; save it as UTF-8"},
    {"%PDF", 4, "a PDF file; save the table as CSV"},
};

/* Bytes of which the first were read already. */
typedef struct begun_bytes {
  tacit_bytes base;
  tacit_bytes *raw;
  char head[HEAD];
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
static tacit_status read_head(tacit_bytes *raw, char head[HEAD], size_t *length, tacit_error *error) {
  *length = 0;
  for (size_t got = 1; got && *length < HEAD; *length += got)
    TACIT_TRY(raw->read(raw, head + *length, HEAD - *length, &got, error));
  return TACIT_OK;
}

static tacit_status give_begun(tacit_bytes *raw, const char *head, size_t length, tacit_bytes **bytes,
                               tacit_error *error) {
  begun_bytes *b = tacit_alloc(1, sizeof *b);
  if (!b) {
    raw->close(raw);
    return tacit_no_memory(error);
  }
  *b = (begun_bytes){
      .base = {.read = begun_read, .close = begun_close, .total = raw->total}, .raw = raw, .length = length};
  memcpy(b->head, head, length);
  *bytes = &b->base;
  return TACIT_OK;
}

tacit_status tacit_bytes_unpack(tacit_bytes **bytes, tacit_error *error) {
  tacit_bytes *raw = *bytes;
  char head[HEAD] = {0};
  size_t length = raw->total < HEAD ? (size_t)raw->total : HEAD;
  *bytes = NULL;
  tacit_status status = TACIT_OK;
  if (raw->map)
    memcpy(head, raw->map, length);
  else
    status = read_head(raw, head, &length, error);
  if (status == TACIT_OK && begins(head, length, "\x1F\x8B", 2))
    return tacit_bytes_gzip(raw, head, raw->map ? 0 : length, bytes, error);
  if (status == TACIT_OK && begins(head, length, "\x28\xB5\x2F\xFD", 4))
    return tacit_bytes_zstd(raw, head, raw->map ? 0 : length, bytes, error);
  for (size_t i = 0; status == TACIT_OK && i < sizeof OTHERS / sizeof *OTHERS; i++)
    if (begins(head, length, OTHERS[i].magic, OTHERS[i].length))
      status = tacit_fail(error, TACIT_BAD_INPUT, "the table looks like %s", OTHERS[i].words);
  if (status != TACIT_OK) {
    raw->close(raw);
    return status;
  }
  if (!raw->map) return give_begun(raw, head, length, bytes, error);
  *bytes = raw;
  return TACIT_OK;
}
