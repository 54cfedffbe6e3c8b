/* The messages of an Arrow file or stream: where they lie, and what each is. */
#ifndef TACIT_SRC_IPC_MESSAGE_H
#define TACIT_SRC_IPC_MESSAGE_H

#include "source/flat.h"

#include <tacit/base.h>

enum { TACIT_IPC_END = -1, TACIT_IPC_SCHEMA = 1, TACIT_IPC_WORDS = 2, TACIT_IPC_BATCH = 3 };

typedef struct tacit_ipc_message {
  int64_t kind, version; /* TACIT_IPC_END: a stream's end mark */
  tacit_flat flat;
  tacit_flat_table header; /* by its kind; it points to flat, so that a message stays where it is read */
  const unsigned char *body;
  size_t body_size, end; /* behind the body: where the next message begins */
} tacit_ipc_message;

/* The message at `at` of so many bytes. */
tacit_status tacit_ipc_message_at(const unsigned char *bytes, size_t size, size_t at, tacit_ipc_message *m,
                                  tacit_error *error) TACIT_CHECKED;

/* A file's footer: its schema, and where its dictionaries and batches are. */
typedef struct tacit_ipc_footer {
  tacit_flat flat;
  int64_t version;
  tacit_flat_table schema;
  tacit_flat_vector words, batches; /* of blocks */
} tacit_ipc_footer;
bool tacit_ipc_is_file(const char *head, size_t length);
bool tacit_ipc_is_stream(const char *head, size_t length);
tacit_status tacit_ipc_footer_of(const unsigned char *bytes, size_t size, tacit_ipc_footer *footer,
                                 tacit_error *error) TACIT_CHECKED;
/* Message i of a list of the footer's. */
tacit_status tacit_ipc_block_at(const unsigned char *bytes, size_t size, tacit_flat_vector blocks, size_t i,
                                tacit_ipc_message *m, tacit_error *error) TACIT_CHECKED;

#endif
