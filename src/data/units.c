/* Counts the records of each unit, and numbers units as they appear. The ids themselves are not kept
   (data/name_table.c); two that collide by chance would be taken for one (proofs/units.md). */
#include "data/units.h"

#include "base/base.h"
#include "data/name_table.h"

#include <string.h>

struct tacit_units {
  size_t limit, room, last;
  size_t *counts; /* by the name's number */
  tacit_name_table *names;
};

tacit_status tacit_units_new(size_t limit, tacit_units **units, tacit_error *error) {
  *units = NULL;
  tacit_units *self = tacit_alloc(1, sizeof *self);
  if (!self) return tacit_no_memory(error);
  *self = (tacit_units){.limit = limit};
  tacit_status status = tacit_name_table_new(&self->names, error);
  if (status == TACIT_OK)
    *units = self;
  else
    tacit_units_free(self);
  return status;
}

void tacit_units_free(tacit_units *units) {
  if (!units) return;
  tacit_name_table_free(units->names);
  tacit_free_wiped(units->counts, units->room * sizeof *units->counts);
  tacit_free_wiped(units, sizeof *units);
}

static tacit_status grow(tacit_units *units, tacit_error *error) {
  size_t room = units->room ? 2 * units->room : 1024;
  size_t *counts = tacit_grow_wiped(units->counts, units->room, room, sizeof *counts);
  if (!counts) return tacit_no_memory(error);
  units->counts = counts;
  units->room = room;
  return TACIT_OK;
}

tacit_status tacit_units_take(tacit_units *units, const tacit_cell *cell, bool *keep, tacit_error *error) {
  double number;
  size_t length, unit;
  const void *name = tacit_cell_name(cell, &number, &length);
  TACIT_TRY(tacit_name_table_enter(units->names, name, length, &unit, error));
  units->last = unit;
  if (unit >= units->room) TACIT_TRY(grow(units, error));
  *keep = units->counts[unit] < units->limit;
  if (*keep) units->counts[unit]++; /* counting stops at the limit: no table is long enough to overflow it */
  return TACIT_OK;
}

size_t tacit_units_last(const tacit_units *units) {
  return units->last;
}

tacit_status tacit_unit_list_add(tacit_unit_list *list, size_t unit, tacit_error *error) {
  size_t *grown = tacit_grow(list->unit, &list->capacity, list->count + 1, sizeof *grown);
  if (!grown) return tacit_no_memory(error);
  list->unit = grown;
  list->unit[list->count++] = unit;
  return TACIT_OK;
}

void tacit_unit_list_free(tacit_unit_list *list) {
  if (list->unit) tacit_free_wiped(list->unit, list->capacity * sizeof *list->unit);
  *list = (tacit_unit_list){0};
}
