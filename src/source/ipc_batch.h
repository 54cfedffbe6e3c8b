/* One record batch of an Arrow file: its columns as arrays of Arrow's C interface, every buffer found to lie
   in the file and to hold what the batch says. */
#ifndef TACIT_SRC_IPC_BATCH_H
#define TACIT_SRC_IPC_BATCH_H

#include "source/codec.h"
#include "source/ipc_schema.h"

/* Memory of a batch: what was unpacked, or lay where no number may lie. */
typedef struct tacit_ipc_block {
  void *memory;
  size_t bytes;
} tacit_ipc_block;

typedef struct tacit_ipc_batch {
  struct ArrowArray *arrays, **places; /* of all columns of a schema */
  tacit_ipc_block *blocks;
  size_t block_count, block_room;
} tacit_ipc_batch;

/* Room for the arrays of so many columns. */
tacit_status tacit_ipc_batch_make(size_t columns, tacit_ipc_batch *batch, tacit_error *error) TACIT_CHECKED;
void tacit_ipc_batch_drop(tacit_ipc_batch *batch); /* what it has of one batch */
void tacit_ipc_batch_free(tacit_ipc_batch *batch);

/* A RecordBatch and its body. What is read next of it is counted in the last three. */
typedef struct tacit_ipc_reading {
  int64_t length;
  tacit_flat_vector nodes, buffers, views;
  tacit_codec codec;
  const unsigned char *body;
  size_t body_size;
  size_t node, buffer, view;
} tacit_ipc_reading;
tacit_status tacit_ipc_reading_of(tacit_flat_table table, const unsigned char *body, size_t body_size,
                                  tacit_ipc_reading *r, tacit_error *error) TACIT_CHECKED;

/* The next piece as an array of so many cells; texts lie where their places say. Where the column is not
   wanted all cells are empty, and its buffers are looked at no more than it takes to know how many rows there
   can be. */
tacit_status tacit_ipc_read_piece(tacit_ipc_reading *r, const tacit_ipc_piece *piece,
                                  const tacit_arrow_column *holds, bool wanted, tacit_ipc_batch *batch,
                                  struct ArrowArray *array, tacit_error *error) TACIT_CHECKED;
/* Passes over pieces that nobody reads. */
tacit_status tacit_ipc_skip(tacit_ipc_reading *r, const tacit_ipc_piece *pieces, size_t count,
                            tacit_error *error) TACIT_CHECKED;

/* What a DictionaryBatch holds, added to the words or in their place. */
tacit_status tacit_ipc_words_add(tacit_ipc_words *words, tacit_ipc_reading *r, bool more,
                                 tacit_ipc_batch *batch, tacit_error *error) TACIT_CHECKED;

#endif
