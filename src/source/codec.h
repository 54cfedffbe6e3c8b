/* Buffers that were packed by themselves, as Arrow files have them: LZ4 frames and zstd, by their own
   libraries, loaded at run time where they are installed. */
#ifndef TACIT_SRC_CODEC_H
#define TACIT_SRC_CODEC_H

#include <tacit/base.h>

typedef enum tacit_codec { TACIT_CODEC_LZ4, TACIT_CODEC_ZSTD, TACIT_CODEC_NONE } tacit_codec;

/* The most that so many packed bytes can become. */
size_t tacit_codec_most(tacit_codec codec, size_t packed);
/* All of `packed` to exactly `size` bytes. TACIT_BAD_INPUT when that is not what they are, TACIT_USAGE where
   the library is not installed. */
tacit_status tacit_codec_unpack(tacit_codec codec, const void *packed, size_t length, void *into, size_t size,
                                tacit_error *error) TACIT_CHECKED;

#endif
