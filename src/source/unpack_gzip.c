/* gzip, by zlib: one member after the other, as gzip itself reads them. */
#include "base/base.h"
#include "source/unpack.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { INPUT = 1 << 16, WINDOW = 15, GZIP = 16 /* zlib's own number for gzip's header */ };

typedef struct gzip_bytes {
  tacit_bytes base;
  tacit_bytes *raw;
  z_stream stream;
  bool inside; /* a member has begun and not ended */
  bool ended;  /* of the compressed bytes */
  unsigned char input[INPUT];
} gzip_bytes;

/* zlib keeps the last of what it unpacked: rows, to be overwritten when it gives them back. */
static void *take(void *user, unsigned count, unsigned size) {
  (void)user;
  size_t bytes = (size_t)count * size, *block = tacit_alloc(bytes + 2 * sizeof(size_t), 1);
  if (!block) return NULL;
  *block = bytes + 2 * sizeof(size_t);
  return block + 2;
}

static void give_back(void *user, void *memory) {
  (void)user;
  size_t *block = (size_t *)memory - 2;
  tacit_free_wiped(block, *block);
}

static tacit_status broken(tacit_error *error) {
  return tacit_fail(error, TACIT_BAD_INPUT,
                    "the gzip file is damaged or ends too soon; fetch or write it again");
}

static tacit_status refill(gzip_bytes *g, tacit_error *error) {
  size_t got = 0;
  if (g->stream.avail_in || g->ended) return TACIT_OK;
  TACIT_TRY(g->raw->read(g->raw, (char *)g->input, INPUT, &got, error));
  g->ended = got == 0;
  g->stream.next_in = g->input;
  g->stream.avail_in = (unsigned)got;
  return TACIT_OK;
}

static tacit_status gzip_read(tacit_bytes *self, char *into, size_t room, size_t *got, tacit_error *error) {
  gzip_bytes *g = (gzip_bytes *)self;
  unsigned asked = room < 1 << 30 ? (unsigned)room : 1 << 30;
  g->stream.next_out = (unsigned char *)into;
  g->stream.avail_out = asked;
  while (g->stream.avail_out == asked) { /* at least one byte, or the end */
    TACIT_TRY(refill(g, error));
    if (g->ended) break;
    g->inside = true;
    int code = inflate(&g->stream, Z_NO_FLUSH);
    if (code == Z_STREAM_END) {
      g->inside = false;
      if (inflateReset(&g->stream) != Z_OK) return broken(error);
    } else if (code == Z_MEM_ERROR) {
      return tacit_no_memory(error);
    } else if (code != Z_OK) {
      return broken(error);
    }
  }
  *got = asked - g->stream.avail_out;
  return *got == 0 && g->inside ? broken(error) : TACIT_OK;
}

static void gzip_close(tacit_bytes *self) {
  gzip_bytes *g = (gzip_bytes *)self;
  inflateEnd(&g->stream);
  g->raw->close(g->raw);
  tacit_free_wiped(g, sizeof *g); /* its input too tells of rows */
}

tacit_status tacit_bytes_gzip(tacit_bytes *raw, tacit_bytes **bytes, tacit_error *error) {
  gzip_bytes *g = tacit_alloc(1, sizeof *g);
  *bytes = NULL;
  if (g) {
    g->base = (tacit_bytes){.read = gzip_read, .close = gzip_close};
    g->raw = raw;
    g->stream.zalloc = take;
    g->stream.zfree = give_back;
    g->stream.next_in = g->input;
  }
  if (!g || inflateInit2(&g->stream, WINDOW + GZIP) != Z_OK) {
    free(g);
    raw->close(raw);
    return tacit_no_memory(error);
  }
  *bytes = &g->base;
  return TACIT_OK;
}
