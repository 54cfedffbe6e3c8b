/* Of a busy customer those rows are kept whose hash, of customer and row together, is smallest: a choice that
   no other customer has a part in, and that starves no row. The hash is public and fixed, and of the value of
   the customer's name: 7 and 7.0, or a moment with and without its midnight, keep the same rows, whoever
   wrote the file and whatever else it holds. Who is who the bytes decide, as everywhere.

   Only so many rows of a customer are held at a time: a row that was dropped, or never held, has a larger
   hash than all that are, and stays out whatever comes later. */
#include "data/event_totals.h"

#include "base/base.h"
#include "data/name_table.h"
#include "data/purchases.h"
#include "schema/calendar.h"

#include <math.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

enum { GRID_BITS = 24, GATHERED = 64, NAME_ROOM = 64, LIST_MOST = 1 << 30, LINE = 2 };
#define TOTAL_MOST (INT64_C(1) << 53) /* exact in a double; totals stop there, which moves none further */

typedef struct customer {
  tacit_purchase_list list; /* sorted by order, then row */
  uint64_t hash;            /* of the name's value */
  bool busy;                /* more rows than the limit were seen */
} customer;

/* A name that came is asked for its value once, when its customer is new; by then the cell may be gone. */
typedef struct waiting {
  tacit_name_hash name;
  size_t customer, row;
  uint64_t row_hash;
  double quantity;
  tacit_cell cell; /* its text is `text`, if that has room; else its hash is known */
  uint64_t hash;
  char text[NAME_ROOM];
} waiting;

struct tacit_event_totals {
  tacit_event_limits limits;
  size_t rows, room;
  double grid;
  int64_t most; /* units of a change, rounded down */
  tacit_name_table *names;
  customer *customers; /* by the name's number */
  tacit_purchases *purchases;
  int64_t *units; /* of nameless events, by row; in the end of all */
  tacit_event_counts counts;
  waiting gathered[GATHERED];
  size_t gathered_count;
};

double tacit_event_grid(double change) {
  int exponent;
  (void)frexp(change, &exponent); /* change is in [2^(e - 1), 2^e) */
  return ldexp(1, exponent - 1 - GRID_BITS);
}

tacit_status tacit_event_totals_new(size_t rows, const tacit_event_limits *limits,
                                    tacit_event_totals **totals, tacit_error *error) {
  *totals = NULL;
  tacit_event_totals *self = tacit_alloc(1, sizeof *self);
  if (!self) return tacit_no_memory(error);
  *self = (tacit_event_totals){.limits = *limits, .rows = rows, .grid = tacit_event_grid(limits->change)};
  if (self->limits.rows > LIST_MOST) self->limits.rows = LIST_MOST; /* more than any calendar has */
  self->most = (int64_t)floor(limits->change / self->grid);
  tacit_status status = tacit_name_table_new(&self->names, error);
  if (status == TACIT_OK) status = tacit_purchases_new(limits->rows, &self->purchases, error);
  if (status == TACIT_OK && !(self->units = tacit_alloc(rows ? rows : 1, sizeof *self->units)))
    status = tacit_no_memory(error);
  if (status == TACIT_OK)
    *totals = self;
  else
    tacit_event_totals_free(self);
  return status;
}

void tacit_event_totals_free(tacit_event_totals *totals) {
  if (!totals) return;
  tacit_purchases_free(totals->purchases);
  tacit_free_rows(totals->customers, totals->room * sizeof *totals->customers);
  tacit_free_wiped(totals->units, totals->rows * sizeof *totals->units);
  tacit_name_table_free(totals->names);
  tacit_free_wiped(totals, sizeof *totals);
}

/* Public and the same everywhere: the SipHash of the name's value under the key 0. */
static uint64_t hash_of(const tacit_cell *written, bool decimal_comma) {
  char room[TACIT_POINTED];
  const tacit_cell pointed = tacit_cell_pointed(written, decimal_comma, room), *cell = &pointed;
  static const unsigned char key[crypto_shorthash_KEYBYTES];
  unsigned char hash[crypto_shorthash_BYTES], bytes[8];
  char moment[TACIT_MOMENT_TEXT];
  double number = cell->number;
  if (!cell->text || tacit_cell_read_number(cell, &number) == TACIT_NUMBER) {
    uint64_t bits;
    number += 0.0; /* there is one zero */
    memcpy(&bits, &number, sizeof bits);
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (unsigned char)(bits >> 8 * i);
    crypto_shorthash(hash, bytes, sizeof bytes, key);
  } else {
    size_t length = tacit_moment_plain(cell->text, cell->length, moment);
    const char *text = length ? moment : cell->text;
    crypto_shorthash(hash, (const unsigned char *)text, length ? length : cell->length, key);
  }
  uint64_t whole = 0;
  for (size_t i = 0; i < sizeof whole; i++) whole |= (uint64_t)hash[i] << 8 * i;
  return whole;
}

/* The same mixed with the row's. */
static uint64_t order_of(uint64_t name_hash, uint64_t row_hash) {
  uint64_t mixed = name_hash ^ row_hash;
  mixed = (mixed ^ mixed >> 32) * UINT64_C(0xd6e8feb86659fd93);
  mixed = (mixed ^ mixed >> 32) * UINT64_C(0xd6e8feb86659fd93);
  return mixed ^ mixed >> 32;
}

static void keep_name(waiting *event, const tacit_cell *cell, bool decimal_comma) {
  event->cell = *cell;
  if (!cell->text) return;
  event->cell.text = event->text;
  size_t length = cell->length;
  if (length >= 8 && length <= 16) { /* as most names: no call */
    memcpy(event->text, cell->text, 8);
    memcpy(event->text + length - 8, cell->text + length - 8, 8);
  } else if (length <= NAME_ROOM)
    memcpy(event->text, cell->text, length);
  else
    event->hash = hash_of(cell, decimal_comma);
}

static uint64_t kept_hash(const waiting *event, bool decimal_comma) {
  bool known = event->cell.text && event->cell.length > NAME_ROOM;
  return known ? event->hash : hash_of(&event->cell, decimal_comma);
}

static tacit_status find_customer(tacit_event_totals *self, waiting *event, tacit_error *error) {
  TACIT_TRY(tacit_name_table_enter_hash(self->names, event->name, &event->customer, error));
  if (event->customer >= self->room) {
    size_t room = self->room ? 2 * self->room : 1024;
    customer *grown = tacit_alloc_rows(room, sizeof *grown);
    if (!grown) return tacit_no_memory(error);
    if (self->room) memcpy(grown, self->customers, self->room * sizeof *grown);
    tacit_free_rows(self->customers, self->room * sizeof *grown);
    self->customers = grown;
    self->room = room;
  }
  if (event->customer == self->counts.customers) {
    self->counts.customers++;
    self->customers[event->customer].hash = kept_hash(event, self->limits.decimal_comma);
  }
  __builtin_prefetch(&self->customers[event->customer]);
  return TACIT_OK;
}

/* How many of a customer's purchases stand before this row. */
static size_t before(const tacit_purchase_list *list, uint64_t order, size_t row) {
  size_t low = 0, high = list->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const tacit_purchase *p = &list->held[middle];
    if (p->order < order || (p->order == order && p->row < row))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Enters a purchase that belongs at `at`; where the customer has as many as may be, the last one goes. */
static tacit_status enter(tacit_event_totals *self, customer *c, size_t at, const tacit_purchase *new,
                          tacit_error *error) {
  tacit_purchase_list *list = &c->list;
  if (list->count == self->limits.rows) {
    self->counts.busy += !c->busy;
    c->busy = true;
    if (at == list->count) return TACIT_OK;
    list->count--;
  }
  TACIT_TRY(tacit_purchases_make_room(self->purchases, list, error));
  for (size_t i = list->count; i > at; i--) list->held[i] = list->held[i - 1];
  list->held[at] = *new;
  list->count++;
  return TACIT_OK;
}

/* A quantity as it counts: held to [0, change], in units of the grid. Sums of infinite ones count nothing. */
static int64_t in_units(tacit_event_totals *self, double quantity) {
  double change = self->limits.change;
  double held = quantity > 0 ? fmin(quantity, change) : 0;
  if (!(quantity >= 0 && quantity <= change)) self->counts.cut++;
  int64_t units = lrint(held / self->grid); /* at most 2^25 */
  return units < self->most ? units : self->most;
}

static void add_units(int64_t *total, int64_t units) {
  *total = *total > TOTAL_MOST - units ? TOTAL_MOST : *total + units;
}

static tacit_status take(tacit_event_totals *self, const waiting *event, tacit_error *error) {
  customer *c = &self->customers[event->customer];
  const tacit_purchase bought = {order_of(c->hash, event->row_hash), event->row, event->quantity};
  size_t at = before(&c->list, bought.order, bought.row);
  tacit_purchase *there = at < c->list.count ? &c->list.held[at] : NULL;
  bool known = there && there->order == bought.order && there->row == bought.row;
  if (!known) return enter(self, c, at, &bought, error);
  there->quantity += bought.quantity;
  return TACIT_OK;
}

static tacit_status take_gathered(tacit_event_totals *self, tacit_error *error) {
  size_t count = self->gathered_count;
  waiting *event = self->gathered;
  self->gathered_count = 0;
  for (size_t i = 0; i < count; i++) tacit_name_table_fetch(self->names, event[i].name);
  for (size_t i = 0; i < count; i++) TACIT_TRY(find_customer(self, &event[i], error));
  for (size_t i = 0; i < count; i++) {
    const tacit_purchase_list *list = &self->customers[event[i].customer].list;
    for (size_t j = 0; j < list->count; j += LINE) __builtin_prefetch(list->held + j);
  }
  for (size_t i = 0; i < count; i++) TACIT_TRY(take(self, &event[i], error));
  return TACIT_OK;
}

tacit_status tacit_event_totals_add(tacit_event_totals *totals, const tacit_cell *cell, size_t row,
                                    uint64_t row_hash, double quantity, tacit_error *error) {
  totals->counts.events++;
  if (cell->text ? cell->length == 0 : isnan(cell->number)) {
    totals->counts.nameless++;
    add_units(&totals->units[row], in_units(totals, quantity));
    return TACIT_OK;
  }
  double number;
  size_t length;
  const void *name = tacit_cell_name(cell, &number, &length);
  waiting *event = &totals->gathered[totals->gathered_count++];
  event->name = tacit_name_table_hash(totals->names, name, length);
  event->row = row;
  event->row_hash = row_hash;
  event->quantity = quantity;
  keep_name(event, cell, totals->limits.decimal_comma);
  return totals->gathered_count < GATHERED ? TACIT_OK : take_gathered(totals, error);
}

void tacit_event_totals_elsewhere(tacit_event_totals *totals) {
  totals->counts.events++;
  totals->counts.elsewhere++;
}

tacit_status tacit_event_totals_end(tacit_event_totals *totals, double *total, tacit_error *error) {
  TACIT_TRY(take_gathered(totals, error));
  for (size_t c = 0; c < totals->counts.customers; c++) {
    const customer *one = &totals->customers[c];
    for (size_t i = 0; i < one->list.count; i++)
      add_units(&totals->units[one->list.held[i].row], in_units(totals, one->list.held[i].quantity));
  }
  for (size_t i = 0; i < totals->rows; i++) total[i] = (double)totals->units[i] * totals->grid;
  return TACIT_OK;
}

const tacit_event_counts *tacit_event_totals_counts(const tacit_event_totals *totals) {
  return &totals->counts;
}
