/* zstd, by its own library, loaded at run time where there is one. It does not overwrite its memory. */
#include "base/base.h"
#include "source/unpack.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* As zstd.h has them since version 1.0. */
typedef struct in_buffer {
  const void *at;
  size_t size, place;
} in_buffer;
typedef struct out_buffer {
  void *at;
  size_t size, place;
} out_buffer;

typedef struct zstd_library {
  void *(*create)(void);
  size_t (*release)(void *stream);
  size_t (*go_on)(void *stream, out_buffer *out, in_buffer *in);
  unsigned (*is_error)(size_t code);
} zstd_library;

enum { INPUT = 1 << 16 };

typedef struct zstd_bytes {
  tacit_bytes base;
  tacit_bytes *raw;
  zstd_library library;
  void *stream;
  in_buffer in;
  size_t hint; /* 0: a frame has ended */
  bool ended;
  char input[INPUT];
} zstd_bytes;

static bool load(zstd_library *z) {
  void *library = dlopen("libzstd.so.1", RTLD_NOW | RTLD_LOCAL); /* stays loaded */
  if (!library) return false;
  *(void **)&z->create = dlsym(library, "ZSTD_createDStream");
  *(void **)&z->release = dlsym(library, "ZSTD_freeDStream");
  *(void **)&z->go_on = dlsym(library, "ZSTD_decompressStream");
  *(void **)&z->is_error = dlsym(library, "ZSTD_isError");
  return z->create && z->release && z->go_on && z->is_error;
}

static tacit_status broken(tacit_error *error) {
  return tacit_fail(error, TACIT_BAD_INPUT,
                    "the zstd file is damaged or ends too soon; fetch or write it again");
}

static tacit_status zstd_read(tacit_bytes *self, char *into, size_t room, size_t *got, tacit_error *error) {
  zstd_bytes *z = (zstd_bytes *)self;
  out_buffer out = {into, room, 0};
  while (out.place == 0) { /* at least one byte, or the end */
    if (z->in.place == z->in.size && !z->ended) {
      size_t read = 0;
      TACIT_TRY(z->raw->read(z->raw, z->input, INPUT, &read, error));
      z->in = (in_buffer){z->input, read, 0};
      z->ended = read == 0;
    }
    if (z->ended && z->hint == 0) break;
    size_t before = z->in.place;
    z->hint = z->library.go_on(z->stream, &out, &z->in);
    if (z->library.is_error(z->hint)) return broken(error);
    if (z->ended && out.place == 0 && z->in.place == before) return broken(error);
  }
  *got = out.place;
  return TACIT_OK;
}

static void zstd_close(tacit_bytes *self) {
  zstd_bytes *z = (zstd_bytes *)self;
  z->library.release(z->stream);
  z->raw->close(z->raw);
  tacit_free_wiped(z, sizeof *z);
}

tacit_status tacit_bytes_zstd(tacit_bytes *raw, tacit_bytes **bytes, tacit_error *error) {
  zstd_library library = {0};
  *bytes = NULL;
  if (!load(&library)) {
    raw->close(raw);
    return tacit_fail(error, TACIT_USAGE,
                      "the table looks like a zstd file, and zstd's library (libzstd.so.1) is not installed; "
                      "install it, or unpack the file");
  }
  zstd_bytes *z = tacit_alloc(1, sizeof *z);
  void *stream = z ? library.create() : NULL;
  if (!stream) {
    free(z);
    raw->close(raw);
    return tacit_no_memory(error);
  }
  z->base = (tacit_bytes){.read = zstd_read, .close = zstd_close};
  z->raw = raw;
  z->library = library;
  z->stream = stream;
  z->in = (in_buffer){z->input, 0, 0};
  *bytes = &z->base;
  return TACIT_OK;
}
