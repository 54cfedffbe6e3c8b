/* Brings the rows of each unit together, in one block: units in the order in which they appear, each in the
   block at work if it has room for all its rows, else in a new one. Rows that are left over at a block's end
   are zero. */
#include "data/design_units.h"

#include "base/base.h"
#include "data/design_inner.h"

#include <stdlib.h>
#include <string.h>

static tacit_status count_rows(const tacit_unit_list *list, tacit_unit_places *p, tacit_error *error) {
  for (size_t i = 0; i < list->count; i++)
    if (list->unit[i] >= p->units) p->units = list->unit[i] + 1;
  p->rows = tacit_alloc(p->units, sizeof *p->rows);
  p->place = tacit_alloc(p->units, sizeof *p->place);
  if (!p->rows || !p->place) return tacit_no_memory(error);
  for (size_t i = 0; i < list->count; i++) p->rows[list->unit[i]]++;
  return TACIT_OK;
}

static tacit_status find_places(tacit_unit_places *p, tacit_error *error) {
  size_t next = 0;
  for (size_t u = 0; u < p->units; u++) {
    if (p->rows[u] > TACIT_WHOLE_ROWS)
      return tacit_fail(error, TACIT_INTERNAL, "a unit has more rows than a block");
    size_t left = TACIT_BLOCK - next % TACIT_BLOCK;
    if (p->rows[u] > left) next += left;
    p->place[u] = next;
    next += p->rows[u];
  }
  p->blocks = (next + TACIT_BLOCK - 1) / TACIT_BLOCK;
  return TACIT_OK;
}

tacit_status tacit_unit_places_open(const tacit_unit_list *units, tacit_unit_places *places,
                                    tacit_error *error) {
  *places = (tacit_unit_places){0};
  tacit_status status = count_rows(units, places, error);
  if (status == TACIT_OK) status = find_places(places, error);
  if (status != TACIT_OK) tacit_unit_places_close(places);
  return status;
}

void tacit_unit_places_close(tacit_unit_places *p) {
  if (p->rows) tacit_free_wiped(p->rows, p->units * sizeof *p->rows);
  if (p->place) tacit_free_wiped(p->place, p->units * sizeof *p->place);
  *p = (tacit_unit_places){0};
}

/* Whether the unit has rows, and they are in the range. */
static bool is_in(const tacit_unit_places *p, size_t u, tacit_unit_range range) {
  return p->rows[u] && p->place[u] / TACIT_BLOCK - range.first < range.blocks;
}

tacit_unit_range tacit_unit_places_part(const tacit_unit_places *places, size_t part, size_t parts) {
  size_t each = places->blocks / parts, more = places->blocks % parts;
  tacit_unit_range range = {.first = each * part + (part < more ? part : more),
                            .blocks = each + (part < more)};
  for (size_t u = 0; u < places->units; u++)
    if (is_in(places, u, range)) range.rows += places->rows[u];
  return range;
}

/* The ends of the runs. A unit whose rows were all dropped has none. */
static tacit_status note_runs(const tacit_unit_places *p, tacit_unit_range range, tacit_unit_runs **runs,
                              tacit_error *error) {
  tacit_unit_runs *self = *runs = tacit_alloc(1, sizeof **runs);
  if (!self) return tacit_no_memory(error);
  self->first = tacit_alloc(range.blocks + 1, sizeof *self->first);
  self->end = tacit_alloc(p->units, sizeof *self->end);
  if (!self->first || !self->end) return tacit_no_memory(error);
  size_t run = 0, block = 0;
  for (size_t u = 0; u < p->units; u++) {
    if (!is_in(p, u, range)) continue;
    while (block < p->place[u] / TACIT_BLOCK - range.first) self->first[++block] = run;
    self->end[run++] = (uint16_t)(p->place[u] % TACIT_BLOCK + p->rows[u]);
  }
  while (block < range.blocks) self->first[++block] = run;
  return TACIT_OK;
}

static void copy_row(const tacit_design *from, size_t at, const tacit_design *to, size_t place) {
  const tacit_block *old = &from->stored.block[at / TACIT_BLOCK],
                    *new = &to->stored.block[place / TACIT_BLOCK];
  size_t i = at % TACIT_BLOCK, k = place % TACIT_BLOCK;
  for (size_t j = 0; j < from->columns; j++)
    new->cells[j * TACIT_BLOCK + k] = old->cells[j * TACIT_BLOCK + i];
  new->norms[k] = old->norms[i];
  for (size_t t = 0; t < from->targets; t++)
    new->targets[t * TACIT_BLOCK + k] = old->targets[t * TACIT_BLOCK + i];
}

/* `next` has a place for each unit: of its next row. */
static tacit_status move_rows(const tacit_design *from, const tacit_unit_list *list,
                              const tacit_unit_places *p, tacit_unit_range range, size_t *next,
                              tacit_design *to, tacit_error *error) {
  tacit_row_store store = tacit_design_store(to);
  TACIT_TRY(note_runs(p, range, &to->own_units, error));
  to->units = to->own_units;
  TACIT_TRY(store.reserve(to, range.blocks * TACIT_BLOCK, error));
  for (size_t u = 0; u < p->units; u++) next[u] = p->place[u] - range.first * TACIT_BLOCK;
  for (size_t i = 0; i < list->count; i++)
    if (is_in(p, list->unit[i], range)) copy_row(from, i, to, next[list->unit[i]]++);
  return store.keep(to, range.blocks * TACIT_BLOCK, error);
}

tacit_status tacit_design_gather(const tacit_design *from, const tacit_unit_list *units,
                                 const tacit_unit_places *places, tacit_unit_range range, tacit_design **to,
                                 tacit_error *error) {
  *to = NULL;
  if (units->count != from->rows)
    return tacit_fail(error, TACIT_INTERNAL, "rows of which it is not known whose they are");
  size_t *next = tacit_alloc(places->units, sizeof *next);
  if (!next) return tacit_no_memory(error);
  tacit_status status =
      tacit_design_make(from->inputs, from->columns, from->targets, NULL, from->cell_bits, to, error);
  if (status == TACIT_OK) status = move_rows(from, units, places, range, next, *to, error);
  tacit_free_wiped(next, places->units * sizeof *next);
  if (status == TACIT_OK) return TACIT_OK;
  tacit_design_free(*to);
  *to = NULL;
  return status;
}

tacit_status tacit_design_group(tacit_design **design, const tacit_unit_list *units, tacit_error *error) {
  tacit_unit_places places;
  tacit_design *grouped = NULL;
  TACIT_TRY(tacit_unit_places_open(units, &places, error));
  tacit_status status =
      tacit_design_gather(*design, units, &places, tacit_unit_places_part(&places, 0, 1), &grouped, error);
  tacit_unit_places_close(&places);
  if (status != TACIT_OK) return status;
  tacit_design_free(*design);
  *design = grouped;
  return TACIT_OK;
}

size_t tacit_unit_runs_filled(const tacit_unit_runs *runs, size_t b) {
  return runs->first[b + 1] > runs->first[b] ? runs->end[runs->first[b + 1] - 1] : 0;
}

void tacit_unit_runs_free(tacit_unit_runs *runs) {
  if (!runs) return;
  free(runs->first);
  free(runs->end);
  free(runs);
}
