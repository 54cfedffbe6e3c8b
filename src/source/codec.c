/* Unpacks LZ4 frames and zstd buffers. Neither library overwrites the memory that it works in. */
#include "source/codec.h"

#include "base/base.h"

#include <dlfcn.h>
#include <threads.h>

/* As lz4frame.h has it since version 1.7. */
enum { LZ4_VERSION = 100 };

size_t tacit_codec_most(tacit_codec codec, size_t packed) {
  /* a byte of LZ4 lengthens a match by 255; a zstd block is four bytes at least and becomes 128 KiB at most
   */
  const size_t times = codec == TACIT_CODEC_ZSTD ? 1 << 15 : 256;
  return packed <= SIZE_MAX / 2 / times ? packed * times : SIZE_MAX / 2;
}

static tacit_status damaged(tacit_error *error) {
  return tacit_fail(error, TACIT_BAD_INPUT, "a packed column of the Arrow file is damaged; write it again");
}

static tacit_status missing(const char *what, const char *library, tacit_error *error) {
  return tacit_fail(error, TACIT_USAGE,
                    "the Arrow file's columns are packed by %s, whose library (%s) is not installed; install "
                    "it, or write the file uncompressed",
                    what, library);
}

typedef struct lz4_library {
  size_t (*create)(void **context, unsigned version);
  size_t (*release)(void *context);
  size_t (*go_on)(void *context, void *into, size_t *room, const void *from, size_t *length,
                  const void *options);
  unsigned (*is_error)(size_t code);
} lz4_library;

/* Looked for once: a file has very many buffers. They stay loaded. */
static struct {
  size_t (*zstd)(void *into, size_t room, const void *from, size_t length);
  lz4_library lz4;
} loaded;

static void load(void) {
  void *zstd = dlopen("libzstd.so.1", RTLD_NOW | RTLD_LOCAL);
  void *lz4 = dlopen("liblz4.so.1", RTLD_NOW | RTLD_LOCAL);
  lz4_library z = {0};
  if (zstd) *(void **)&loaded.zstd = dlsym(zstd, "ZSTD_decompress");
  if (!lz4) return;
  *(void **)&z.create = dlsym(lz4, "LZ4F_createDecompressionContext");
  *(void **)&z.release = dlsym(lz4, "LZ4F_freeDecompressionContext");
  *(void **)&z.go_on = dlsym(lz4, "LZ4F_decompress");
  *(void **)&z.is_error = dlsym(lz4, "LZ4F_isError");
  if (z.create && z.release && z.go_on && z.is_error) loaded.lz4 = z;
}

static tacit_status unpack_zstd(const void *packed, size_t length, void *into, size_t size,
                                tacit_error *error) {
  if (!loaded.zstd) return missing("zstd", "libzstd.so.1", error);
  return loaded.zstd(into, size, packed, length) == size ? TACIT_OK : damaged(error); /* errors are huge */
}

/* One frame, which must fill `into` and end with its last byte. */
static bool read_frame(const lz4_library *z, void *context, const char *from, size_t length, char *into,
                       size_t size) {
  size_t taken = 0, given = 0, hint = 1;
  while (hint != 0) {
    size_t room = size - given, left = length - taken;
    hint = z->go_on(context, into + given, &room, from + taken, &left, NULL);
    if (z->is_error(hint) || (hint != 0 && room == 0 && left == 0)) return false;
    given += room;
    taken += left;
  }
  return given == size && taken == length;
}

static tacit_status unpack_lz4(const void *packed, size_t length, void *into, size_t size,
                               tacit_error *error) {
  const lz4_library *z = &loaded.lz4;
  void *context = NULL;
  if (!z->go_on) return missing("LZ4", "liblz4.so.1", error);
  if (z->is_error(z->create(&context, LZ4_VERSION))) return tacit_no_memory(error);
  bool done = read_frame(z, context, packed, length, into, size);
  z->release(context);
  return done ? TACIT_OK : damaged(error);
}

tacit_status tacit_codec_unpack(tacit_codec codec, const void *packed, size_t length, void *into, size_t size,
                                tacit_error *error) {
  static once_flag once = ONCE_FLAG_INIT;
  call_once(&once, load);
  return codec == TACIT_CODEC_ZSTD ? unpack_zstd(packed, length, into, size, error)
                                   : unpack_lz4(packed, length, into, size, error);
}
