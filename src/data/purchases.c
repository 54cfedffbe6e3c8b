/* Lists of two purchases, of four, of eight and so on, cut from large pieces of memory. */
#include "data/purchases.h"

#include "base/base.h"

#include <string.h>

enum { TOGETHER = 1 << 13, MOST_TOGETHER = 1 << 18, SIZES = 64 };

typedef struct piece {
  struct piece *next;
  size_t bytes, used, room; /* purchases */
  tacit_purchase held[];
} piece;

struct tacit_purchases {
  size_t limit;
  piece *pieces;     /* the first one is being used */
  void *left[SIZES]; /* lists of 2^(i + 1) that were left behind; each begins with where the next one is */
};

tacit_status tacit_purchases_new(size_t limit, tacit_purchases **purchases, tacit_error *error) {
  *purchases = tacit_alloc(1, sizeof **purchases);
  if (!*purchases) return tacit_no_memory(error);
  (*purchases)->limit = limit;
  return TACIT_OK;
}

void tacit_purchases_free(tacit_purchases *purchases) {
  if (!purchases) return;
  for (piece *p = purchases->pieces, *next; p; p = next) {
    next = p->next;
    tacit_free_rows(p, p->bytes);
  }
  tacit_free_wiped(purchases, sizeof *purchases);
}

static tacit_status cut(tacit_purchases *self, size_t room, tacit_purchase **held, tacit_error *error) {
  piece *first = self->pieces;
  if (!first || first->room - first->used < room) {
    size_t more = first ? 2 * first->room : TOGETHER;
    if (more > MOST_TOGETHER) more = MOST_TOGETHER;
    if (more < room) more = room;
    if (more > (SIZE_MAX - sizeof *first) / sizeof *first->held) return tacit_no_memory(error);
    size_t bytes = sizeof *first + more * sizeof *first->held;
    if (!(first = tacit_alloc_rows(1, bytes))) return tacit_no_memory(error);
    *first = (piece){.next = self->pieces, .bytes = bytes, .room = more};
    self->pieces = first;
  }
  *held = first->held + first->used;
  first->used += room;
  return TACIT_OK;
}

static size_t size_of(size_t room) {
  size_t size = 0;
  while (size + 1 < SIZES && (size_t)2 << size < room) size++;
  return size;
}

tacit_status tacit_purchases_make_room(tacit_purchases *purchases, tacit_purchase_list *list,
                                       tacit_error *error) {
  if (list->count < list->room) return TACIT_OK;
  size_t room = list->room ? 2 * list->room : 2, size = size_of(room);
  if (room > purchases->limit) room = purchases->limit; /* the last size, which nobody leaves */
  tacit_purchase *held = purchases->left[size];
  bool again = held && room == (size_t)2 << size;
  if (again) memcpy(&purchases->left[size], held, sizeof purchases->left[size]);
  if (!again) TACIT_TRY(cut(purchases, room, &held, error));
  if (list->room) {
    size_t old = size_of(list->room);
    memcpy(held, list->held, list->count * sizeof *held);
    memcpy(list->held, &purchases->left[old], sizeof purchases->left[old]);
    purchases->left[old] = list->held;
  }
  list->held = held;
  list->room = (uint32_t)room;
  return TACIT_OK;
}
