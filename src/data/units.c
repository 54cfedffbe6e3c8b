/* Counts the records of each unit. The ids themselves are not kept (data/name_table.c); two that collide by
   chance would only drop a record that could have stayed. */
#include "data/units.h"

#include "base/base.h"
#include "data/name_table.h"

#include <string.h>

struct tacit_units {
  size_t limit, room;
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
  size_t *counts = tacit_alloc(room, sizeof *counts);
  if (!counts) return tacit_no_memory(error);
  if (units->room) memcpy(counts, units->counts, units->room * sizeof *counts);
  tacit_free_wiped(units->counts, units->room * sizeof *counts);
  units->counts = counts;
  units->room = room;
  return TACIT_OK;
}

tacit_status tacit_units_take(tacit_units *units, const tacit_cell *cell, bool *keep, tacit_error *error) {
  double number;
  size_t length, unit;
  const void *name = tacit_cell_name(cell, &number, &length);
  TACIT_TRY(tacit_name_table_enter(units->names, name, length, &unit, error));
  if (unit >= units->room) TACIT_TRY(grow(units, error));
  *keep = units->counts[unit] < units->limit;
  if (*keep) units->counts[unit]++; /* counting stops at the limit: no table is long enough to overflow it */
  return TACIT_OK;
}
