/* The dictionaries of an Arrow file: texts, of which columns hold the places. */
#include "base/base.h"
#include "source/ipc_batch.h"

#include <stdlib.h>
#include <string.h>

/* Views of one text may stand for very many: what is kept is what they stand for. */
static const size_t MOST = (size_t)1 << 31;

static tacit_status make_room(tacit_ipc_words *w, size_t words, size_t bytes, tacit_error *error) {
  size_t places = w->count + words + 1, needed = w->used + bytes;
  if (places > w->room) {
    size_t room = places < 2 * w->room ? 2 * w->room : places;
    int64_t *grown = tacit_grow_wiped(w->places, w->room, room, sizeof *grown);
    if (!grown) return tacit_no_memory(error);
    w->places = grown;
    w->room = room;
  }
  if (needed > w->capacity || !w->bytes) {
    size_t capacity = needed < 2 * w->capacity ? 2 * w->capacity : needed + 1;
    char *grown = tacit_grow_wiped(w->bytes, w->capacity, capacity, 1);
    if (!grown) return tacit_no_memory(error);
    w->bytes = grown;
    w->capacity = capacity;
  }
  return TACIT_OK;
}

/* A word that is null is an empty cell, as an empty one is. */
static tacit_status add_cells(tacit_ipc_words *w, tacit_arrow_column *holds, const struct ArrowArray *array,
                              tacit_error *error) {
  size_t total = w->used;
  tacit_cell cell;
  for (int64_t i = 0; i < array->length; i++) {
    if (!tacit_arrow_cell(holds, array, i, &cell)) return tacit_ipc_damaged(error);
    total += cell.length;
    if (total > MOST)
      return tacit_fail(
          error, TACIT_BAD_INPUT,
          "the Arrow file has a dictionary of more than 2 GiB of text; write the column as plain "
          "text");
  }
  TACIT_TRY(make_room(w, (size_t)array->length, total - w->used, error));
  for (int64_t i = 0; i < array->length; i++) {
    if (!tacit_arrow_cell(holds, array, i, &cell)) return tacit_ipc_damaged(error);
    if (cell.length) memcpy(w->bytes + w->used, cell.text, cell.length);
    w->used += cell.length;
    w->places[++w->count] = (int64_t)w->used;
  }
  return TACIT_OK;
}

tacit_status tacit_ipc_words_add(tacit_ipc_words *w, tacit_ipc_reading *r, bool more, tacit_ipc_batch *batch,
                                 tacit_error *error) {
  const tacit_ipc_piece piece = {.buffers = w->kind == TACIT_ARROW_TEXT_VIEW ? 2 : 3,
                                 .views = w->kind == TACIT_ARROW_TEXT_VIEW};
  tacit_arrow_column holds = {.holds = w->kind};
  struct ArrowArray array;
  if (more && !w->known) return tacit_ipc_damaged(error); /* to nothing */
  TACIT_TRY(tacit_ipc_read_piece(r, &piece, &holds, true, batch, &array, error));
  if (!more) w->count = w->used = 0;
  TACIT_TRY(add_cells(w, &holds, &array, error));
  tacit_ipc_batch_drop(batch);
  w->known = true;
  w->buffers[1] = w->places;
  w->buffers[2] = w->bytes;
  w->array = (struct ArrowArray){.length = (int64_t)w->count, .n_buffers = 3, .buffers = w->buffers};
  return TACIT_OK;
}
