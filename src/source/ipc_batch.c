/* Reads the buffers of a record batch. */
#include "source/ipc_batch.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

/* Fields of a RecordBatch and of its BodyCompression; places in the structures FieldNode and Buffer. */
enum { LENGTH, NODES, BUFFERS, COMPRESSION, VIEWS };
enum { CODEC, METHOD };
enum { STRUCTURE = 16, FIRST = 0, SECOND = 8 };
enum { ALIGNED = 8, SIZE = 8 /* of the number before a packed buffer */ };

tacit_status tacit_ipc_batch_make(size_t columns, tacit_ipc_batch *batch, tacit_error *error) {
  batch->arrays = tacit_alloc(columns, sizeof *batch->arrays);
  batch->places = tacit_alloc(columns, sizeof *batch->places);
  if (!batch->arrays || !batch->places) return tacit_no_memory(error);
  for (size_t j = 0; j < columns; j++) batch->places[j] = &batch->arrays[j];
  return TACIT_OK;
}

void tacit_ipc_batch_drop(tacit_ipc_batch *batch) {
  for (size_t i = 0; i < batch->block_count; i++)
    tacit_free_wiped(batch->blocks[i].memory, batch->blocks[i].bytes);
  batch->block_count = 0;
}

void tacit_ipc_batch_free(tacit_ipc_batch *batch) {
  tacit_ipc_batch_drop(batch);
  free(batch->blocks);
  free(batch->arrays);
  free(batch->places);
  *batch = (tacit_ipc_batch){0};
}

/* Memory that goes with the batch; NULL without any. */
static void *take(tacit_ipc_batch *batch, size_t count, size_t size) {
  if (batch->block_count == batch->block_room) {
    tacit_ipc_block *grown =
        tacit_grow(batch->blocks, &batch->block_room, batch->block_count + 1, sizeof *grown);
    if (!grown) return NULL;
    batch->blocks = grown;
  }
  void *memory = count <= SIZE_MAX / 2 / size ? tacit_alloc_aligned(count, size) : NULL;
  if (memory) batch->blocks[batch->block_count++] = (tacit_ipc_block){memory, count * size};
  return memory;
}

tacit_status tacit_ipc_reading_of(tacit_flat_table table, const unsigned char *body, size_t body_size,
                                  tacit_ipc_reading *r, tacit_error *error) {
  *r = (tacit_ipc_reading){.length = tacit_flat_number(table, LENGTH, 8, 0),
                           .nodes = tacit_flat_list(table, NODES, STRUCTURE),
                           .buffers = tacit_flat_list(table, BUFFERS, STRUCTURE),
                           .views = tacit_flat_list(table, VIEWS, 8),
                           .codec = TACIT_CODEC_NONE,
                           .body = body,
                           .body_size = body_size};
  tacit_flat_table packed = tacit_flat_child(table, COMPRESSION);
  int64_t codec = tacit_flat_number(packed, CODEC, 1, 0);
  if (!table.flat || table.flat->broken || r->length < 0) return tacit_ipc_damaged(error);
  if (!packed.flat) return TACIT_OK;
  if ((codec != 0 && codec != 1) || tacit_flat_number(packed, METHOD, 1, 0) != 0)
    return tacit_fail(
        error, TACIT_BAD_INPUT,
        "the Arrow file is packed in a way that is not known here; write it uncompressed, or with "
        "LZ4 or zstd");
  r->codec = codec == 1 ? TACIT_CODEC_ZSTD : TACIT_CODEC_LZ4;
  return TACIT_OK;
}

/* A buffer in the file, packed perhaps: how many bytes it has unpacked, in *size. */
typedef struct buffer {
  const unsigned char *at;
  size_t length, size;
  bool packed;
} buffer;

static bool next_buffer(tacit_ipc_reading *r, buffer *b) {
  if (r->buffer >= r->buffers.count) return false;
  int64_t from = tacit_flat_part(r->buffers, r->buffer, FIRST);
  int64_t length = tacit_flat_part(r->buffers, r->buffer++, SECOND);
  if (from < 0 || length < 0 || (uint64_t)from > r->body_size ||
      (uint64_t)length > r->body_size - (uint64_t)from)
    return false;
  *b = (buffer){.at = r->body + from, .length = (size_t)length, .size = (size_t)length};
  if (r->codec == TACIT_CODEC_NONE || length == 0) return true;
  if (length < SIZE) return false;
  int64_t size = tacit_flat_load(b->at, SIZE);
  b->at += SIZE;
  b->length -= SIZE;
  b->packed = size != -1;
  if (!b->packed) {
    b->size = b->length;
    return true;
  }
  b->size = (size_t)size;
  return size >= 0 && b->size <= tacit_codec_most(r->codec, b->length);
}

/* Its bytes, where they lie if they can be read there. NULL for none. */
static tacit_status bytes_of(const tacit_ipc_reading *r, const buffer *b, tacit_ipc_batch *batch,
                             const void **bytes, tacit_error *error) {
  *bytes = b->size ? b->at : NULL;
  if (b->size == 0 || (!b->packed && (uintptr_t)b->at % ALIGNED == 0)) return TACIT_OK;
  void *memory = take(batch, b->size, 1);
  if (!memory) return tacit_no_memory(error);
  *bytes = memory;
  if (b->packed) return tacit_codec_unpack(r->codec, b->at, b->length, memory, b->size, error);
  memcpy(memory, b->at, b->size);
  return TACIT_OK;
}

/* The least bytes that so many cells take in the second buffer; SIZE_MAX: more than there can be. */
static size_t least_of(const tacit_arrow_column *holds, int64_t cells) {
  static const int WIDTH[] = {
      [TACIT_ARROW_I8] = 1,         [TACIT_ARROW_U8] = 1,         [TACIT_ARROW_I16] = 2,
      [TACIT_ARROW_U16] = 2,        [TACIT_ARROW_F16] = 2,        [TACIT_ARROW_I32] = 4,
      [TACIT_ARROW_U32] = 4,        [TACIT_ARROW_F32] = 4,        [TACIT_ARROW_I64] = 8,
      [TACIT_ARROW_U64] = 8,        [TACIT_ARROW_F64] = 8,        [TACIT_ARROW_TEXT] = 4,
      [TACIT_ARROW_LARGE_TEXT] = 8, [TACIT_ARROW_TEXT_VIEW] = 16, [TACIT_ARROW_NOTHING] = 0};
  size_t count = (size_t)cells;
  if (count == 0) return 0;
  if (count > SIZE_MAX / 64) return SIZE_MAX;
  if (holds->holds == TACIT_ARROW_BOOL) return (count + 7) / 8;
  if (holds->holds == TACIT_ARROW_SPELLED) return count * (size_t)holds->spelling.width;
  bool places = holds->holds == TACIT_ARROW_TEXT || holds->holds == TACIT_ARROW_LARGE_TEXT;
  return (count + places) * (size_t)WIDTH[holds->holds];
}

/* Whether all texts lie in so many bytes. */
static bool lie_within(const void *places, tacit_arrow_kind kind, int64_t cells, size_t size) {
  if (cells == 0) return true;
  for (int64_t i = 0; i <= cells; i++) {
    int64_t at = kind == TACIT_ARROW_TEXT ? ((const int32_t *)places)[i] : ((const int64_t *)places)[i];
    if (at < 0 || (uint64_t)at > size) return false;
  }
  return true;
}

/* All cells empty: a column that nobody asked for. */
static tacit_status leave_empty(tacit_ipc_batch *batch, struct ArrowArray *array, const void **buffers,
                                tacit_error *error) {
  void *none = take(batch, (size_t)array->length / 8 + 1, 1);
  if (!none) return tacit_no_memory(error);
  buffers[0] = none;
  buffers[1] = NULL;
  array->n_buffers = 2;
  return TACIT_OK;
}

/* The long texts of an array of views: their buffers, and last of all how long these are. */
static tacit_status read_views(tacit_ipc_reading *r, size_t count, bool wanted, tacit_ipc_batch *batch,
                               const void **buffers, tacit_error *error) {
  int64_t *sizes = take(batch, count + 1, sizeof *sizes);
  if (!sizes) return tacit_no_memory(error);
  for (size_t k = 0; k < count; k++) {
    buffer b;
    if (!next_buffer(r, &b)) return tacit_ipc_damaged(error);
    sizes[k] = (int64_t)b.size;
    if (wanted) TACIT_TRY(bytes_of(r, &b, batch, &buffers[k], error));
  }
  buffers[count] = sizes;
  return TACIT_OK;
}

static bool next_views(tacit_ipc_reading *r, size_t *count) {
  if (r->view >= r->views.count) return false;
  int64_t more = tacit_flat_part(r->views, r->view++, 0);
  *count = (size_t)more;
  return more >= 0 && (uint64_t)more <= r->buffers.count;
}

static bool next_node(tacit_ipc_reading *r, int64_t *length, int64_t *nulls) {
  if (r->node >= r->nodes.count) return false;
  *length = tacit_flat_part(r->nodes, r->node, FIRST);
  *nulls = tacit_flat_part(r->nodes, r->node++, SECOND);
  return *length >= 0;
}

tacit_status tacit_ipc_read_piece(tacit_ipc_reading *r, const tacit_ipc_piece *piece,
                                  const tacit_arrow_column *holds, bool wanted, tacit_ipc_batch *batch,
                                  struct ArrowArray *array, tacit_error *error) {
  int64_t nulls;
  size_t more = 0;
  buffer own[3] = {0};
  *array = (struct ArrowArray){.null_count = -1};
  if (!next_node(r, &array->length, &nulls) || array->length != r->length) return tacit_ipc_damaged(error);
  for (int k = 0; k < piece->buffers; k++)
    if (!next_buffer(r, &own[k])) return tacit_ipc_damaged(error);
  if (piece->views && !next_views(r, &more)) return tacit_ipc_damaged(error);
  const void **buffers = take(batch, (size_t)piece->buffers + more + 2, sizeof *buffers);
  if (!buffers) return tacit_no_memory(error);
  array->buffers = buffers;
  array->n_buffers = piece->buffers;
  if (piece->buffers == 0) return TACIT_OK;
  size_t cells = (size_t)array->length;
  /* a mark for each cell, where some are null; what it says of a cell depends on no other */
  bool marked = own[0].size > 0, marks = marked ? own[0].size >= cells / 8 + (cells % 8 > 0) : nulls == 0;
  if (!marks || own[1].size < least_of(holds, array->length)) return tacit_ipc_damaged(error);
  if (piece->views) {
    TACIT_TRY(read_views(r, more, wanted, batch, buffers + 2, error));
    array->n_buffers = (int64_t)more + 3;
  }
  if (!wanted) return leave_empty(batch, array, buffers, error);
  for (int k = 0; k < piece->buffers; k++) TACIT_TRY(bytes_of(r, &own[k], batch, &buffers[k], error));
  if (!marked) array->null_count = 0;
  if (piece->buffers == 3 && !lie_within(buffers[1], holds->holds, array->length, own[2].size))
    return tacit_ipc_damaged(error);
  return TACIT_OK;
}

tacit_status tacit_ipc_skip(tacit_ipc_reading *r, const tacit_ipc_piece *pieces, size_t count,
                            tacit_error *error) {
  int64_t length, nulls;
  for (size_t i = 0; i < count; i++) {
    size_t more = 0;
    if (!next_node(r, &length, &nulls) || (pieces[i].views && !next_views(r, &more)))
      return tacit_ipc_damaged(error);
    r->buffer += (size_t)pieces[i].buffers + more;
  }
  return TACIT_OK;
}
