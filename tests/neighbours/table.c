/* Random tables, and neighbours of theirs that are as far apart as one unit can make them. */
#include "neighbours/neighbours.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Where a number lies. */
typedef enum place { ORDINARY, SPREAD_OUT, EDGE, BEYOND, HEAVY_TAIL, CONSTANT, MOSTLY_LOW, PLACES } place;

/* How a record of the second table comes from the one of the first. */
typedef enum turn { OPPOSITE, SAME, EITHER, ANEW, TURNS } turn;

/* Mostly low is for learners that look for it: it changes what the others would be tried with. */
static place any_place(problem *p) {
  return (place)pick(&p->draw, p->method == BY_LOCATION_SCALE ? PLACES : MOSTLY_LOW);
}

static void set_number(cell *c, double value) {
  c->number = value;
  snprintf(c->text, sizeof c->text, "%.17g", value);
}

static void set_odd(problem *p, cell *c) {
  static const struct {
    const char *text;
    double number;
  } odd[] = {{"", NAN},           {"nan", NAN}, {"inf", INFINITY},
             {"-inf", -INFINITY}, {"abc", NAN}, {"1e999", INFINITY}};
  size_t k = pick(&p->draw, sizeof odd / sizeof *odd);
  c->number = odd[k].number;
  snprintf(c->text, sizeof c->text, "%s", odd[k].text);
}

static void set_level(const column *of, cell *c, size_t level) {
  bool other = of->other && level + 1 == of->levels;
  c->number = other ? 77 : (double)level; /* a number that no level has */
  snprintf(c->text, sizeof c->text, other ? "other" : "%zu", level);
}

static void draw_number(problem *p, const column *of, place where, cell *c) {
  static const double huge[] = {1e300, -1e300, DBL_MAX, -DBL_MAX, 1e9, -1e9, 0, -0.0, DBL_MIN};
  tacit_stream *draw = &p->draw;
  double middle = (of->low + of->high) / 2, half = (of->high - of->low) / 2;
  if (of->odd && one_in(draw, 6)) {
    set_odd(p, c);
    return;
  }
  switch (where) {
  case ORDINARY:
    set_number(c, middle + half * (of->bounded ? 0.3 : 0.1) * tacit_normal(draw));
    break;
  case SPREAD_OUT:
    set_number(c, of->low + (of->high - of->low) * tacit_uniform(draw));
    break;
  case EDGE:
    set_number(c, pick(draw, 2) ? of->low : of->high);
    break;
  case BEYOND:
    set_number(c, huge[pick(draw, sizeof huge / sizeof *huge)]);
    break;
  case HEAVY_TAIL:
    set_number(c, middle + half * 0.1 * tacit_student(draw, 1));
    break;
  case MOSTLY_LOW: /* nine of ten: demand that is 0 on most days */
    set_number(c, pick(draw, 10) ? of->low : of->low + (of->high - of->low) * tacit_uniform(draw));
    break;
  default:
    set_number(c, middle);
  }
}

static void draw_cell(problem *p, const column *of, place where, cell *c) {
  if (of->kind == A_GROUP || of->kind == A_TIME)
    panel_cell(p, of, c);
  else if (of->kind == A_KEY)
    set_number(c, 0); /* events.c numbers the rows */
  else if (of->kind == A_UNIT)
    set_number(c, (double)pick(&p->draw, 1 + p->records / 2));
  else if (of->kind == A_LEVEL && one_in(&p->draw, 8))
    set_odd(p, c);
  else if (of->kind == A_LEVEL)
    set_level(of, c, pick(&p->draw, of->levels));
  else
    draw_number(p, of, where, c);
}

static cell *row_of(const table *t, size_t row) {
  return t->cells + row * t->columns;
}

static void draw_rows(problem *p, table *t) {
  place where[COLUMNS_MOST];
  for (size_t j = 0; j < t->columns; j++) where[j] = any_place(p);
  bool twice = one_in(&p->draw, 6); /* the same records again and again */
  for (size_t i = 0; i < t->rows; i++) {
    if (twice && i >= 3) {
      memcpy(row_of(t, i), row_of(t, i % 3), t->columns * sizeof *t->cells);
      continue;
    }
    for (size_t j = 0; j < t->columns; j++)
      draw_cell(p, &p->columns[j], one_in(&p->draw, 8) ? SPREAD_OUT : where[j], &row_of(t, i)[j]);
  }
  size_t cuts[RANKS_MOST] = {0};
  for (size_t r = 1; r < p->ranks; r++) cuts[r] = pick(&p->draw, t->rows + 1);
  for (size_t i = 0; i < t->rows; i++)
    for (size_t r = 1; r < p->ranks; r++) t->home[i] += i >= cuts[r];
}

static size_t unit_column(const problem *p) {
  return p->columns[p->column_count - 1].kind == A_UNIT ? p->column_count - 1 : SIZE_MAX;
}

/* All records of the unit whose name is in this cell. */
static void find_named(const table *t, size_t names, const cell *name, unit *u) {
  u->count = 0;
  for (size_t i = 0; i < t->rows; i++)
    if (row_of(t, i)[names].number == name->number) u->at[u->count++] = i;
}

void unit_draw(problem *p, const table *t, unit *u) {
  size_t names = unit_column(p);
  if (!u->at) u->at = malloc((t->rows + 1) * sizeof *u->at);
  u->count = 0;
  if (t->rows == 0) return;
  if (p->method == BY_SGD && p->adjacency == TACIT_ADD_REMOVE) {
    u->at[u->count++] = t->rows - 1; /* the others keep their places, and with them their coins */
  } else if (names < SIZE_MAX) {
    cell name = row_of(t, pick(&p->draw, t->rows))[names];
    find_named(t, names, &name, u);
  } else {
    size_t owned = p->owned < t->rows ? p->owned : t->rows, first = pick(&p->draw, t->rows);
    size_t apart = one_in(&p->draw, 2) ? 1 : 1 + pick(&p->draw, t->rows / owned);
    for (size_t k = 0; k < owned; k++) {
      size_t at = (first + k * apart) % t->rows;
      bool known = false;
      for (size_t i = 0; i < u->count; i++) known = known || u->at[i] == at;
      if (!known) u->at[u->count++] = at;
    }
  }
}

/* A corner of what the schema lets through: far out in every column. */
static void set_corner(problem *p, cell *record) {
  for (size_t j = 0; j < p->column_count; j++) {
    const column *c = &p->columns[j];
    double out = pick(&p->draw, 3) ? 0 : c->high - c->low;
    if (c->kind == A_LEVEL) set_level(c, &record[j], pick(&p->draw, c->levels));
    bool inside = c->kind == A_TARGET && p->schema->change > 0; /* where ramps are not level */
    if (inside)
      set_number(&record[j], c->low + (c->high - c->low) * (0.3 + 0.4 * tacit_uniform(&p->draw)));
    else if (c->kind == A_NUMBER || c->kind == A_TARGET)
      set_number(&record[j], pick(&p->draw, 2) ? c->high + out : c->low - out);
  }
}

static void draw_table(problem *p, table *t, unit *u) {
  *t = (table){.rows = p->records, .columns = p->column_count};
  t->cells = calloc(t->rows * t->columns + 1, sizeof *t->cells);
  t->home = calloc(t->rows + 1, sizeof *t->home);
  *u = (unit){0};
  if (!t->cells || !t->home) abort();
  draw_rows(p, t);
  panel_settle(p, t, NULL);
  unit_draw(p, t, u);
  size_t names = unit_column(p), k = p->schema->rows_per_unit;
  bool named = names < SIZE_MAX && u->count > 0;
  for (size_t i = 0; named && u->count < k + 1 && i < 2 * k; i++) { /* more records of this unit */
    row_of(t, pick(&p->draw, t->rows))[names] = row_of(t, u->at[0])[names];
    cell name = row_of(t, u->at[0])[names];
    find_named(t, names, &name, u);
  }
  if (one_in(&p->draw, 6)) return;
  bool alike = pick(&p->draw, 4);
  for (size_t i = 0; i < u->count; i++) {
    cell *record = row_of(t, u->at[i]), *first = row_of(t, u->at[0]);
    if (i && alike)
      memcpy(record, first, t->columns * sizeof *record); /* what they add adds up */
    else
      set_corner(p, record);
  }
  panel_settle(p, t, u);
}

void table_draw(problem *p, table *t, unit *u) {
  draw_table(p, t, u);
  if (p->sold) events_settle(p, t, u);
}

static void turn_cell(problem *p, const column *of, turn how, cell *c) {
  if (how == EITHER) how = pick(&p->draw, 2) ? OPPOSITE : SAME;
  if (how == SAME) return;
  bool key = of->kind == A_GROUP || of->kind == A_TIME;
  if (how == ANEW || key || (of->odd && one_in(&p->draw, 12)))
    draw_cell(p, of, any_place(p), c);
  else if (of->kind == A_LEVEL)
    set_level(of, c, pick(&p->draw, of->levels));
  else if (isfinite(c->number))
    set_number(c, of->low + (of->high - c->number));
}

/* Where features are public, neighbours differ in targets alone. A unit has no more than the rows that are
   kept of it, all of them perhaps turned alike. */
static void turn_targets(problem *p, table *t, const unit *u) {
  turn how = (turn)pick(&p->draw, TURNS);
  double change = p->schema->change * p->more, up = pick(&p->draw, 2) ? 1 : -1;
  bool whole = pick(&p->draw, 3);
  for (size_t i = 0; change > 0 && i < u->count; i++)
    for (size_t j = 0; j < t->columns; j++) {
      cell *c = &row_of(t, u->at[i])[j];
      double by = whole ? up * change : change * (2 * tacit_uniform(&p->draw) - 1);
      if (p->columns[j].kind == A_TARGET && isfinite(c->number)) set_number(c, c->number + by);
    }
  if (change > 0) return;
  for (size_t i = 0; i < u->count; i++)
    for (size_t j = 0; j < t->columns; j++)
      if (p->columns[j].kind == A_TARGET) turn_cell(p, &p->columns[j], how, &row_of(t, u->at[i])[j]);
}

static void turn_records(problem *p, table *t, const unit *u) {
  turn features = (turn)pick(&p->draw, TURNS), targets = (turn)pick(&p->draw, TURNS);
  bool alike = pick(&p->draw, 4);
  size_t names = unit_column(p);
  double name = 1e6 + (double)pick(&p->draw, 1000); /* somebody else, */
  if (names < SIZE_MAX && u->count && pick(&p->draw, 2))
    name = row_of(t, u->at[0])[names].number; /* or the same person with other records */
  for (size_t i = 0; i < u->count; i++) {
    cell *record = row_of(t, u->at[i]);
    if (i && alike) memcpy(record, row_of(t, u->at[0]), t->columns * sizeof *record);
    for (size_t j = 0; j < t->columns && !(i && alike); j++)
      if (p->columns[j].kind != A_UNIT)
        turn_cell(p, &p->columns[j], p->columns[j].kind == A_TARGET ? targets : features, &record[j]);
    if (names < SIZE_MAX) set_number(&record[names], name);
  }
}

void unit_scatter(problem *p, const table *t, const unit *u) {
  size_t names = unit_column(p);
  for (size_t i = 0; names < SIZE_MAX && i < u->count; i++)
    set_number(&row_of(t, u->at[i])[names], 2e6 + (double)i);
}

static void remove_records(table *t, const unit *u) {
  size_t kept = 0;
  for (size_t i = 0; i < t->rows; i++) {
    bool gone = false;
    for (size_t k = 0; k < u->count; k++) gone = gone || u->at[k] == i;
    if (gone) continue;
    memmove(row_of(t, kept), row_of(t, i), t->columns * sizeof *t->cells);
    t->home[kept++] = t->home[i];
  }
  t->rows = kept;
}

void table_neighbour(problem *p, const table *t, const unit *u, table *to) {
  *to = *t;
  if (p->sold) {
    events_turn(p, to, u);
    return;
  }
  to->cells = malloc((t->rows * t->columns + 1) * sizeof *to->cells);
  to->home = malloc((t->rows + 1) * sizeof *to->home);
  if (!to->cells || !to->home) abort();
  memcpy(to->cells, t->cells, t->rows * t->columns * sizeof *to->cells);
  memcpy(to->home, t->home, t->rows * sizeof *to->home);
  if (p->adjacency == TACIT_ADD_REMOVE)
    remove_records(to, u);
  else if (p->schema->features_public && !p->features_too)
    turn_targets(p, to, u);
  else
    turn_records(p, to, u);
  if (p->adjacency == TACIT_REPLACE_ONE) panel_move(p, to, u);
}

void table_free(table *t) {
  free(t->cells);
  free(t->home);
  free(t->sales);
}

void unit_free(unit *u) {
  free(u->at);
}
