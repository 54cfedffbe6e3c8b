/* Brings the rows of each unit together, in one block: units in the order in which they appear, each in the
   block at work if it has room for all its rows, else in a new one. Rows that are left over at a block's end
   are zero. */
#include "data/design_units.h"

#include "base/base.h"
#include "data/design_inner.h"

#include <stdlib.h>
#include <string.h>

/* Where each unit goes: its first row, counted over all blocks. */
typedef struct places {
  size_t units, blocks;
  size_t *rows;  /* of each unit */
  size_t *place; /* of its first row, and then of its next one */
} places;

static tacit_status count_rows(const tacit_unit_list *list, places *p, tacit_error *error) {
  for (size_t i = 0; i < list->count; i++)
    if (list->unit[i] >= p->units) p->units = list->unit[i] + 1;
  p->rows = tacit_alloc(p->units, sizeof *p->rows);
  p->place = tacit_alloc(p->units, sizeof *p->place);
  if (!p->rows || !p->place) return tacit_no_memory(error);
  for (size_t i = 0; i < list->count; i++) p->rows[list->unit[i]]++;
  return TACIT_OK;
}

static tacit_status find_places(places *p, tacit_error *error) {
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

/* The ends of the runs. A unit whose rows were all dropped has none. */
static tacit_status note_runs(const places *p, tacit_unit_runs **runs, tacit_error *error) {
  tacit_unit_runs *self = *runs = tacit_alloc(1, sizeof **runs);
  if (!self) return tacit_no_memory(error);
  self->first = tacit_alloc(p->blocks + 1, sizeof *self->first);
  self->end = tacit_alloc(p->units, sizeof *self->end);
  if (!self->first || !self->end) return tacit_no_memory(error);
  size_t run = 0, block = 0;
  for (size_t u = 0; u < p->units; u++) {
    if (p->rows[u] == 0) continue;
    while (block < p->place[u] / TACIT_BLOCK) self->first[++block] = run;
    self->end[run++] = (uint16_t)(p->place[u] % TACIT_BLOCK + p->rows[u]);
  }
  while (block < p->blocks) self->first[++block] = run;
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

static tacit_status move_rows(const tacit_design *from, const tacit_unit_list *list, const places *p,
                              tacit_design **to, tacit_error *error) {
  TACIT_TRY(tacit_design_make(from->inputs, from->columns, from->targets, NULL, from->cell_bits, to, error));
  tacit_row_store store = tacit_design_store(*to);
  TACIT_TRY(note_runs(p, &(*to)->own_units, error));
  (*to)->units = (*to)->own_units;
  TACIT_TRY(store.reserve(*to, p->blocks * TACIT_BLOCK, error));
  for (size_t i = 0; i < list->count; i++) copy_row(from, i, *to, p->place[list->unit[i]]++);
  return store.keep(*to, p->blocks * TACIT_BLOCK, error);
}

tacit_status tacit_design_group(tacit_design **design, const tacit_unit_list *units, tacit_error *error) {
  places p = {0};
  tacit_design *grouped = NULL;
  tacit_status status =
      units->count == (*design)->rows
          ? count_rows(units, &p, error)
          : tacit_fail(error, TACIT_INTERNAL, "rows of which it is not known whose they are");
  if (status == TACIT_OK) status = find_places(&p, error);
  if (status == TACIT_OK) status = move_rows(*design, units, &p, &grouped, error);
  if (p.rows) tacit_free_wiped(p.rows, p.units * sizeof *p.rows);
  if (p.place) tacit_free_wiped(p.place, p.units * sizeof *p.place);
  tacit_design_free(status == TACIT_OK ? *design : grouped);
  if (status == TACIT_OK) *design = grouped;
  return status;
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
