/* Groups of rows by a column's value, for the data holder's eyes. */
#include "base/base.h"
#include "study/evaluate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t hash_of(const char *text, size_t length) {
  uint64_t hash = 0xcbf29ce484222325; /* FNV-1a */
  for (size_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3;
  return (size_t)(hash ^ hash >> 32);
}

static bool is_name(const char *name, const char *text, size_t length) {
  return strlen(name) == length && memcmp(name, text, length) == 0;
}

/* The slot of a text: its own, or the free one where it would be. */
static size_t *slot_of(const tacit_groups *g, const char *text, size_t length) {
  size_t i = hash_of(text, length) & (g->slot_count - 1);
  while (g->slots[i] && !is_name(g->names[g->slots[i] - 1], text, length)) i = (i + 1) & (g->slot_count - 1);
  return &g->slots[i];
}

static tacit_status open_slots(tacit_groups *g, tacit_error *error) {
  g->slot_count = 1 << 15; /* at most a third of them are taken */
  g->slots = tacit_alloc(g->slot_count, sizeof *g->slots);
  return g->slots ? TACIT_OK : tacit_no_memory(error);
}

tacit_status tacit_groups_find(tacit_groups *groups, const tacit_cell *cell, size_t *group,
                               tacit_error *error) {
  char number[32];
  const char *text = cell->text;
  size_t length = cell->length;
  if (!text) {
    length = (size_t)snprintf(number, sizeof number, "%.15g", cell->number);
    text = number;
  }
  if (!groups->slots) TACIT_TRY(open_slots(groups, error));
  size_t *slot = slot_of(groups, text, length);
  if (!*slot) {
    if (groups->count == TACIT_GROUPS_MAX)
      return tacit_fail(error, TACIT_USAGE,
                        "the column has more than %d values; choose one with fewer of them",
                        TACIT_GROUPS_MAX);
    char **grown = tacit_grow(groups->names, &groups->capacity, groups->count + 1, sizeof *grown);
    if (!grown) return tacit_no_memory(error);
    groups->names = grown;
    grown[groups->count] = tacit_copy_text(text, length);
    if (!grown[groups->count]) return tacit_no_memory(error);
    *slot = ++groups->count;
  }
  *group = *slot - 1;
  return TACIT_OK;
}

typedef struct named {
  const char *name;
  double number; /* NaN: it is none */
  size_t place;
} named;

static int by_name(const void *a, const void *b) {
  const named *x = a, *y = b;
  bool numbers = !isnan(x->number), others = !isnan(y->number);
  if (numbers != others) return numbers ? -1 : 1;
  if (numbers && x->number != y->number) return x->number < y->number ? -1 : 1;
  return strcmp(x->name, y->name);
}

static double number_of(const char *name) {
  char *end;
  double number = strtod(name, &end);
  return *name && !*end ? number : (double)NAN;
}

tacit_status tacit_groups_sort(tacit_evaluated *result, tacit_error *error) {
  size_t count = result->groups, targets = result->targets;
  if (count < 2) return TACIT_OK;
  named *order = tacit_alloc(count, sizeof *order);
  char **names = tacit_alloc(count, sizeof *names);
  tacit_evaluation *by = tacit_alloc(count * targets, sizeof *by);
  tacit_status status = order && names && by ? TACIT_OK : tacit_no_memory(error);
  if (!status) {
    for (size_t g = 0; g < count; g++) order[g] = (named){result->names[g], number_of(result->names[g]), g};
    qsort(order, count, sizeof *order, by_name);
    for (size_t g = 0; g < count; g++) {
      names[g] = result->names[order[g].place];
      memcpy(by + g * targets, result->by + order[g].place * targets, targets * sizeof *by);
    }
    memcpy(result->names, names, count * sizeof *names);
    memcpy(result->by, by, count * targets * sizeof *by);
  }
  free(order);
  free(names);
  tacit_free_wiped(by, by ? count * targets * sizeof *by : 0);
  return status;
}

void tacit_groups_close(tacit_groups *groups) {
  for (size_t i = 0; i < groups->count; i++) tacit_free_wiped(groups->names[i], strlen(groups->names[i]));
  free(groups->names);
  free(groups->slots);
  *groups = (tacit_groups){0};
}
