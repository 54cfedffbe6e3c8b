/* JSON as text, whole or not at all. json_dumps of jansson 2.14 loses a byte without a word when memory gives
   out in the middle of a sorted object (found by tests/allocation_test.c); here a piece that was lost is
   remembered. */
#include "base/base.h"
#include "schema/schema.h"

#include <stdlib.h>
#include <string.h>

typedef struct text {
  char *bytes;
  size_t length, capacity;
  bool lost;
} text;

static int append(const char *piece, size_t size, void *self) {
  text *t = self;
  char *bytes = t->lost ? NULL : tacit_grow(t->bytes, &t->capacity, t->length + size + 1, 1);
  if (!bytes) {
    t->lost = true;
    return -1;
  }
  t->bytes = bytes;
  memcpy(bytes + t->length, piece, size);
  t->length += size;
  bytes[t->length] = 0;
  return 0;
}

char *tacit_json_text(const json_t *json, size_t flags) {
  text t = {0};
  if (json && json_dump_callback(json, append, &t, flags) == 0 && !t.lost) return t.bytes;
  free(t.bytes);
  return NULL;
}
