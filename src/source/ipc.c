/* Arrow files and streams as an Arrow stream of the C interface. It has one batch at a time, which lies in
   the file where it can: the source gives each back before it asks for the next. */
#include "source/ipc.h"

#include "base/base.h"
#include "source/arrow_source.h"
#include "source/ipc_batch.h"
#include "source/ipc_message.h"

#include <stdlib.h>
#include <string.h>

typedef struct ipc {
  tacit_bytes *bytes;
  const unsigned char *data;
  size_t size, room;
  char *own; /* where bytes cannot be looked at twice: all of them, room for `room` */
  tacit_ipc_schema schema;
  tacit_ipc_batch batch;
  bool file;
  tacit_ipc_footer footer; /* of a file */
  size_t next;             /* its next batch; of a stream, where the next message begins */
  tacit_source *source;    /* to be told how far it is; what it was asked for; NULL before it is made */
  tacit_error error;
} ipc;

static void close_ipc(ipc *self) {
  tacit_ipc_batch_free(&self->batch);
  tacit_ipc_schema_free(&self->schema);
  tacit_free_wiped(self->own, self->room);
  self->bytes->close(self->bytes);
  tacit_free_wiped(self, sizeof *self);
}

static tacit_status read_all(ipc *self, tacit_error *error) {
  enum { FIRST = 1 << 16 };
  self->data = (const unsigned char *)self->bytes->map;
  self->size = (size_t)self->bytes->total;
  if (self->bytes->map) return TACIT_OK;
  self->size = 0;
  for (size_t got = 1; got; self->size += got) {
    if (self->size == self->room) {
      size_t room = self->room ? 2 * self->room : FIRST;
      char *grown = tacit_grow_wiped(self->own, self->room, room, 1);
      if (!grown) return tacit_no_memory(error);
      self->own = grown;
      self->room = room;
    }
    TACIT_TRY(self->bytes->read(self->bytes, self->own + self->size, self->room - self->size, &got, error));
  }
  self->data = (const unsigned char *)self->own;
  return TACIT_OK;
}

/* A dictionary, if a column that can be read has its places. In a file each comes whole once, and more may be
   added: all of them before the first batch. In a stream another one may take its place, for the batches
   behind it. What a cell is, its own place and the words say, never in which order they came. */
static tacit_status add_words(ipc *self, const tacit_ipc_message *m, tacit_error *error) {
  enum { ID, DATA, MORE };
  int64_t id = tacit_flat_number(m->header, ID, 8, 0);
  bool more = tacit_flat_number(m->header, MORE, 1, 0) != 0;
  tacit_ipc_reading r;
  TACIT_TRY(tacit_ipc_reading_of(tacit_flat_child(m->header, DATA), m->body, m->body_size, &r, error));
  for (size_t i = 0; i < self->schema.words_count; i++) {
    tacit_ipc_words *words = &self->schema.words[i];
    if (words->id != id) continue;
    if (self->file && words->known && !more) return tacit_ipc_damaged(error);
    return tacit_ipc_words_add(words, &r, more, &self->batch, error);
  }
  return TACIT_OK;
}

static tacit_status open_file(ipc *self, tacit_error *error) {
  TACIT_TRY(tacit_ipc_footer_of(self->data, self->size, &self->footer, error));
  TACIT_TRY(tacit_ipc_schema_read(self->footer.schema, self->footer.version, &self->schema, error));
  for (size_t i = 0; i < self->footer.words.count; i++) {
    tacit_ipc_message m;
    TACIT_TRY(tacit_ipc_block_at(self->data, self->size, self->footer.words, i, &m, error));
    if (m.kind != TACIT_IPC_WORDS) return tacit_ipc_damaged(error);
    TACIT_TRY(add_words(self, &m, error));
  }
  return TACIT_OK;
}

static tacit_status open_stream(ipc *self, tacit_error *error) {
  tacit_ipc_message m;
  TACIT_TRY(tacit_ipc_message_at(self->data, self->size, 0, &m, error));
  if (m.kind != TACIT_IPC_SCHEMA) return tacit_ipc_damaged(error);
  self->next = m.end;
  return tacit_ipc_schema_read(m.header, m.version, &self->schema, error);
}

/* The next batch's message; *m is a stream's end, or one without a table, when there is none. */
static tacit_status next_message(ipc *self, tacit_ipc_message *m, tacit_error *error) {
  if (self->file) {
    *m = (tacit_ipc_message){.kind = TACIT_IPC_END};
    if (self->next == self->footer.batches.count) return TACIT_OK;
    TACIT_TRY(tacit_ipc_block_at(self->data, self->size, self->footer.batches, self->next++, m, error));
    return m->kind == TACIT_IPC_BATCH ? TACIT_OK : tacit_ipc_damaged(error);
  }
  for (;;) {
    TACIT_TRY(tacit_ipc_message_at(self->data, self->size, self->next, m, error));
    if (m->kind == TACIT_IPC_END) return TACIT_OK; /* and is found again, if asked again */
    self->next = m->end;
    if (m->kind == TACIT_IPC_BATCH) return TACIT_OK;
    if (m->kind != TACIT_IPC_WORDS) return tacit_ipc_damaged(error);
    TACIT_TRY(add_words(self, m, error));
  }
}

static tacit_status read_batch(ipc *self, const tacit_ipc_message *m, int64_t *rows, tacit_error *error) {
  const tacit_ipc_schema *s = &self->schema;
  tacit_ipc_reading r;
  bool any = false, all = true;
  size_t readable = 0;
  for (size_t j = 0; j < self->source->columns; j++) all = all && !self->source->reader.asked[j];
  TACIT_TRY(tacit_ipc_reading_of(m->header, m->body, m->body_size, &r, error));
  *rows = r.length;
  for (size_t j = 0; j < s->count; j++) {
    const tacit_ipc_column *c = &s->columns[j];
    struct ArrowArray *array = &self->batch.arrays[j];
    *array = (struct ArrowArray){0};
    if (c->holds.holds == TACIT_ARROW_OTHER) {
      TACIT_TRY(tacit_ipc_skip(&r, s->pieces + c->first, c->pieces, error));
      continue;
    }
    bool wanted = self->source->reader.asked[readable++] || all; /* where nobody asked */
    TACIT_TRY(tacit_ipc_read_piece(&r, s->pieces + c->first, &c->holds, wanted, &self->batch, array, error));
    any = any || c->holds.holds != TACIT_ARROW_NOTHING;
    if (c->words_at == SIZE_MAX) continue;
    array->dictionary = &s->words[c->words_at].array;
    if (!s->words[c->words_at].known && r.length) return tacit_ipc_damaged(error);
  }
  /* only columns that hold something say that there are so many rows */
  if (r.length && !any)
    return tacit_fail(error, TACIT_BAD_INPUT, "the Arrow file has no column that holds anything");
  return TACIT_OK;
}

static void release_batch(struct ArrowArray *array) {
  tacit_ipc_batch_drop(&((ipc *)array->private_data)->batch);
  array->release = NULL;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out) {
  ipc *self = stream->private_data;
  static const void *none[1] = {NULL};
  tacit_ipc_message m;
  int64_t rows = 0;
  *out = (struct ArrowArray){0};
  tacit_status status = next_message(self, &m, &self->error);
  if (status == TACIT_OK && m.kind == TACIT_IPC_END) return 0;
  if (status == TACIT_OK) status = read_batch(self, &m, &rows, &self->error);
  if (status != TACIT_OK) {
    tacit_ipc_batch_drop(&self->batch);
    return (int)status;
  }
  self->source->fraction = (double)(m.body + m.body_size - self->data) / (double)self->size;
  *out = (struct ArrowArray){.length = rows,
                             .n_buffers = 1,
                             .buffers = none,
                             .n_children = (int64_t)self->schema.count,
                             .children = self->batch.places,
                             .release = release_batch,
                             .private_data = self};
  return 0;
}

static void release_schema(struct ArrowSchema *schema) {
  schema->release = NULL; /* the columns go with the stream */
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out) {
  ipc *self = stream->private_data;
  *out = (struct ArrowSchema){.format = "+s",
                              .name = "",
                              .n_children = (int64_t)self->schema.count,
                              .children = self->schema.children,
                              .release = release_schema};
  return 0;
}

static const char *last_error(struct ArrowArrayStream *stream) {
  return ((ipc *)stream->private_data)->error.text;
}

static void release_stream(struct ArrowArrayStream *stream) {
  close_ipc(stream->private_data);
  stream->release = NULL;
}

bool tacit_ipc_begins(const char *head, size_t length) {
  return tacit_ipc_is_file(head, length) || tacit_ipc_is_stream(head, length);
}

tacit_status tacit_source_ipc(tacit_bytes *bytes, tacit_source **source, tacit_error *error) {
  *source = NULL;
  ipc *self = tacit_alloc(1, sizeof *self);
  if (!self) {
    bytes->close(bytes);
    return tacit_no_memory(error);
  }
  self->bytes = bytes;
  tacit_status status = read_all(self, error);
  if (!status) {
    self->file = tacit_ipc_is_file((const char *)self->data, self->size);
    status = self->file ? open_file(self, error) : open_stream(self, error);
  }
  if (!status) status = tacit_ipc_batch_make(self->schema.count, &self->batch, error);
  if (status) {
    close_ipc(self);
    return status;
  }
  struct ArrowArrayStream stream = {get_schema, get_next, last_error, release_stream, self};
  TACIT_TRY(tacit_source_arrow_told(&stream, source, error));
  self->source = *source;
  return TACIT_OK;
}
