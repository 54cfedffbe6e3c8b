/* Tables of other programs, by the Arrow C data interface: pyarrow, R's arrow, DuckDB, polars and others hand
   out such streams without a copy. The structures below are the interface's own; another header may have
   defined them. */
#ifndef TACIT_ARROW_H
#define TACIT_ARROW_H

#include <tacit/source.h>

TACIT_BEGIN

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

struct ArrowSchema {
  const char *format, *name, *metadata;
  int64_t flags, n_children;
  struct ArrowSchema **children, *dictionary;
  void (*release)(struct ArrowSchema *);
  void *private_data;
};

struct ArrowArray {
  int64_t length, null_count, offset, n_buffers, n_children;
  const void **buffers;
  struct ArrowArray **children, *dictionary;
  void (*release)(struct ArrowArray *);
  void *private_data;
};

#endif
#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
  int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
  const char *(*get_last_error)(struct ArrowArrayStream *);
  void (*release)(struct ArrowArrayStream *);
  void *private_data;
};

#endif

/* A source over a stream of record batches. It takes the stream over, also when it fails: stream->release is
   then NULL. Columns may hold numbers (integers, halves, floats, doubles, booleans, decimals), text (utf8,
   large_utf8, views), a dictionary of text, days and moments, which are cells such as 2024-01-31 and
   2024-01-31 10:00:00, +00 behind them where the column has a zone, or nothing; a null is an empty cell.
   Columns of other types are left out: a schema that needs one is told that its type is unsupported. The
   stream's own error texts are not passed on, for they may quote a value. TACIT_BAD_INPUT for a stream that
   is not one of record batches, and for one that breaks off. */
TACIT_API tacit_status tacit_source_arrow(struct ArrowArrayStream *stream, tacit_source **source,
                                          tacit_error *error) TACIT_CHECKED;

TACIT_END

#endif
