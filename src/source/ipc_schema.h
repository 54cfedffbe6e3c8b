/* What the schema of an Arrow file or stream says: its columns as Arrow's C interface names them, and how
   many buffers of each lie in a batch. */
#ifndef TACIT_SRC_IPC_SCHEMA_H
#define TACIT_SRC_IPC_SCHEMA_H

#include "source/arrow_column.h"
#include "source/flat.h"

/* What a batch has of a column or of a part of one: so many buffers, and those of long texts where it holds
   views. */
typedef struct tacit_ipc_piece {
  int buffers;
  bool views;
} tacit_ipc_piece;

/* The texts of columns that hold their places. They are kept as one array of large text, which grows as the
   file adds to it. */
typedef struct tacit_ipc_words {
  int64_t id;
  tacit_arrow_kind kind; /* in the file */
  bool known;            /* some have come */
  size_t count, used;    /* words, and their bytes */
  int64_t *places;       /* one more than words: where each begins and the last one ends; room for `room` */
  char *bytes;           /* room for `capacity` */
  size_t room, capacity;
  const void *buffers[3];
  struct ArrowArray array;
} tacit_ipc_words;

typedef struct tacit_ipc_column {
  struct ArrowSchema schema; /* name and format are its own */
  struct ArrowSchema words;  /* the schema's dictionary, where there is one */
  tacit_arrow_column holds;
  size_t first, pieces; /* its pieces, those of its parts among them */
  size_t words_at;      /* which dictionary; SIZE_MAX: none */
} tacit_ipc_column;

typedef struct tacit_ipc_schema {
  tacit_ipc_column *columns;
  size_t count;
  tacit_ipc_piece *pieces;
  size_t piece_count, piece_room;
  tacit_ipc_words *words;
  size_t words_count;
  struct ArrowSchema **children; /* of all columns, for the stream's schema */
  bool old_unions;               /* version 4 of the format: unions have a buffer more */
} tacit_ipc_schema;

/* From a Schema of a message or of a file's footer. version is the message's: 3 and 4 are V4 and V5.
   TACIT_BAD_INPUT for what is damaged, and for what is written otherwise than it can be read. */
tacit_status tacit_ipc_schema_read(tacit_flat_table table, int64_t version, tacit_ipc_schema *schema,
                                   tacit_error *error) TACIT_CHECKED;
void tacit_ipc_schema_free(tacit_ipc_schema *schema);

/* In every reader of the file. */
tacit_status tacit_ipc_damaged(tacit_error *error);

#endif
