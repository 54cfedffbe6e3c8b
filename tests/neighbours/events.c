/* Random events of customers behind a total: from who bought what, through the limits, to the rows of a
   calendar. Neighbours differ in all events of one customer, who comes, goes, or is replaced by another: that
   is to go and to come, and may move a sum twice as far (proofs/transactions.md). */
#include "neighbours/neighbours.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* who is NAN where nobody is said. */
typedef struct sale {
  double who, much;
  size_t row;
} sale;

enum { THE_CUSTOMER = 7, ANOTHER = 8, OTHERS = 100, PIECES_MOST = 40 };

void events_schema(problem *p) {
  column *key = &p->columns[p->column_count++];
  double range = p->columns[0].high - p->columns[0].low;
  *key = (column){.kind = A_KEY, .name = "day"};
  p->owned = 1 + pick(&p->draw, 5);
  say(p, ", \"unit\": {\"rows_per_unit\": %zu, \"change\": %.17g}", p->owned,
      range * pow(10, -0.3 - 1.2 * tacit_uniform(&p->draw)));
  say(p, ", \"events\": {\"customer\": \"who\", \"key\": \"day\", \"quantity\": \"much\"}");
}

/* The target is no column of the calendar. */
void events_columns(problem *p) {
  static const char *const names[] = {"who", "day", "much"};
  if (p->file[0]) remove(p->file);
  p->file[0] = 0;
  p->origin = pick(&p->draw, 2) ? FROM_COLUMNS : FROM_CSV;
  p->ranks = 1;
  p->events = calloc(1, sizeof *p->events);
  p->calendar = calloc(1, sizeof *p->calendar);
  if (!p->events || !p->calendar || tacit_schema_parse(p->json, p->length, &p->reading, NULL) != TACIT_OK)
    abort();
  memcpy(p->calendar->columns, p->columns + 1, (p->column_count - 1) * sizeof *p->columns);
  for (size_t j = 0; j < 3; j++) {
    snprintf(p->events->columns[j].name, sizeof p->events->columns[j].name, "%s", names[j]);
    p->events->columns[j].text = one_in(&p->draw, 3);
  }
}

static void enter(table *t, double who, size_t row, double much) {
  if (t->sale_count % 256 == 0 && !(t->sales = realloc(t->sales, (t->sale_count + 256) * sizeof *t->sales)))
    abort();
  t->sales[t->sale_count++] = (sale){who, much, row};
}

/* What adds up to the row's target, or to as much of it as so many customers may buy. */
static void enter_others(problem *p, table *t, size_t row) {
  double change = p->schema->change, left = t->cells[row * t->columns].number;
  if (!isfinite(left)) left = p->columns[0].high;
  for (size_t k = 0; k < PIECES_MOST && left > 0; k++, left -= change) {
    double who = one_in(&p->draw, 3) ? (double)NAN : (double)(OTHERS + row * PIECES_MOST + k);
    enter(t, who, row, fmin(left, change));
  }
}

/* What the customer buys on one row: all that may be, more, in parts that are brought back, or anything. */
static void enter_one(problem *p, table *t, double who, size_t row, size_t how) {
  static const double odd[] = {1.7e308, -1.7e308, 1e300, -1, 0, 1e-300, 0.3};
  double change = p->schema->change;
  if (how == 0) {
    enter(t, who, row, change);
  } else if (how < 4) {
    enter(t, who, row, 3 * change);
  } else if (how == 4) {
    enter(t, who, row, 4 * change);
    enter(t, who, row, -2 * change);
  } else {
    for (size_t k = 0; k < 1 + pick(&p->draw, 3); k++)
      enter(t, who, row, pick(&p->draw, 2) ? odd[pick(&p->draw, 7)] : change * tacit_normal(&p->draw));
  }
}

/* On the unit's rows, or on rows of the table anywhere, perhaps on more of them than are kept. */
static void enter_customer(problem *p, table *t, const unit *u, double who) {
  size_t how = pick(&p->draw, 6), more = one_in(&p->draw, 3) ? pick(&p->draw, 12) : 0;
  bool there = pick(&p->draw, 4);
  if (!t->rows) return;
  for (size_t i = 0; there && i < u->count; i++) enter_one(p, t, who, u->at[i], how);
  for (size_t i = 0; i < (there ? more : 3 + more); i++) enter_one(p, t, who, pick(&p->draw, t->rows), how);
}

void events_settle(problem *p, table *t, const unit *u) {
  for (size_t i = 0; i < t->rows; i++) {
    cell *key = &t->cells[i * t->columns + t->columns - 1];
    key->number = (double)i;
    snprintf(key->text, sizeof key->text, "%zu", i);
    enter_others(p, t, i);
  }
  if (pick(&p->draw, 4)) enter_customer(p, t, u, THE_CUSTOMER);
}

static bool leave_out(table *t) {
  size_t kept = 0;
  for (size_t i = 0; i < t->sale_count; i++)
    if (t->sales[i].who != THE_CUSTOMER) t->sales[kept++] = t->sales[i];
  bool was = kept < t->sale_count;
  t->sale_count = kept;
  return was;
}

/* A replaced customer's rows are mostly other ones. */
void events_turn(problem *p, table *t, const unit *u) {
  const table old = *t;
  t->cells = malloc((t->rows * t->columns + 1) * sizeof *t->cells);
  t->home = calloc(t->rows + 1, sizeof *t->home);
  t->sales = NULL;
  t->sale_count = 0;
  if (!t->cells || !t->home) abort();
  memcpy(t->cells, old.cells, t->rows * t->columns * sizeof *t->cells);
  for (size_t i = 0; i < old.sale_count; i++) enter(t, old.sales[i].who, old.sales[i].row, old.sales[i].much);
  bool was = leave_out(t), comes = !was || one_in(&p->draw, 2);
  unit other = {.at = malloc((t->rows + 1) * sizeof *other.at), .count = u->count};
  for (size_t i = 0; i < u->count; i++)
    other.at[i] = (u->at[i] + (was ? pick(&p->draw, t->rows) : 0)) % t->rows;
  if (comes) enter_customer(p, t, &other, was && pick(&p->draw, 2) ? ANOTHER : THE_CUSTOMER);
  p->times = was && comes ? 2 : 1;
  free(other.at);
}

static void set(cell *c, double number) {
  c->number = number;
  snprintf(c->text, sizeof c->text, "%.17g", number);
}

static table table_of(size_t rows, size_t columns) {
  table t = {.rows = rows,
             .columns = columns,
             .cells = calloc(rows * columns + 1, sizeof *t.cells),
             .home = calloc(rows + 1, sizeof *t.home)};
  if (!t.cells || !t.home) abort();
  return t;
}

/* The limits are the schema's, but for a fault's. */
static void set_limits(const problem *p) {
  size_t more = p->owned > p->schema->rows_per_unit;
  p->reading->rows_per_unit = p->schema->rows_per_unit + more;
  p->reading->change = p->schema->change * p->more;
}

void events_open(const problem *p, const table *t, opened *o) {
  table *events = &o->of_parts[0], *calendar = &o->of_parts[1];
  tacit_error error;
  *events = table_of(t->sale_count, 3);
  *calendar = table_of(t->rows, t->columns - 1);
  for (size_t i = 0; i < t->sale_count; i++) {
    cell *record = events->cells + 3 * i;
    if (!isnan(t->sales[i].who)) set(&record[0], t->sales[i].who);
    if (isnan(t->sales[i].who)) record[0].number = NAN;
    set(&record[1], (double)t->sales[i].row);
    set(&record[2], t->sales[i].much);
  }
  for (size_t i = 0; i < t->rows; i++)
    memcpy(calendar->cells + i * calendar->columns, t->cells + i * t->columns + 1,
           calendar->columns * sizeof *t->cells);
  p->events->origin = p->calendar->origin = p->origin;
  o->parts = calloc(2, sizeof *o->parts);
  source_open(p->events, events, 0, &o->parts[0]);
  source_open(p->calendar, calendar, 0, &o->parts[1]);
  set_limits(p);
  tacit_status status =
      tacit_source_events(o->parts[0].source, o->parts[1].source, p->reading, &o->source, &error);
  if (status != TACIT_OK) {
    fprintf(stderr, "problem %llu: %s\n%s\n", (unsigned long long)p->seed, error.text, p->json);
    abort();
  }
}

void events_close(opened *o) {
  for (size_t k = 0; k < 2; k++) {
    o->parts[k].source = NULL; /* freed with the other one */
    source_close(&o->parts[k]);
    table_free(&o->of_parts[k]);
  }
  free(o->parts);
}
