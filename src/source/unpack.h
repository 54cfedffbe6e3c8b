/* Bytes of a compressed file as the bytes that were compressed, as they are asked for. What a file is, its
   first bytes say: they are the header's, and no record has a part in them. */
#ifndef TACIT_SRC_UNPACK_H
#define TACIT_SRC_UNPACK_H

#include "source/bytes.h"

/* *bytes is replaced by what it unpacks to, where it begins as gzip or zstd does. TACIT_BAD_INPUT for what is
   clearly no text, with words that say what it looks like. Takes over *bytes, and closes it where it
   fails. */
tacit_status tacit_bytes_unpack(tacit_bytes **bytes, tacit_error *error) TACIT_CHECKED;

/* The first bytes of *bytes, as many as there are, which it still gives: what cannot be looked at twice is
   replaced. Closes it where it fails. */
enum { TACIT_HEAD = 8 };
tacit_status tacit_bytes_look(tacit_bytes **bytes, char head[TACIT_HEAD], size_t *length,
                              tacit_error *error) TACIT_CHECKED;

/* The two ways; each takes over raw, also when it fails. */
tacit_status tacit_bytes_gzip(tacit_bytes *raw, tacit_bytes **bytes, tacit_error *error) TACIT_CHECKED;
tacit_status tacit_bytes_zstd(tacit_bytes *raw, tacit_bytes **bytes, tacit_error *error) TACIT_CHECKED;

#endif
