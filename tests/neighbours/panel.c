/* Random panels: lags and sums that are looked up by group and time, in tables where records share keys, have
   none, or are moved to another one. */
#include "neighbours/neighbours.h"

#include "schema/clock.h"

#include <stdio.h>

static const char *comma(const problem *p) {
  return p->json[p->length - 1] == '[' ? "" : ", ";
}

static bool has(const problem *p, const char *name) {
  for (size_t j = 0; j < p->column_count; j++)
    if (!strcmp(p->columns[j].name, name)) return true;
  return false;
}

void panel_sum(problem *p, size_t target) {
  if (p->region || one_in(&p->draw, 3)) return;
  p->sums[target] = 1 + pick(&p->draw, 3);
  say(p, ", \"sum_of_next\": %zu", p->sums[target]);
  if (p->sums[target] - 1 > p->ahead) p->ahead = p->sums[target] - 1;
}

/* Lags and what may be multiplied with them; a part of the date of the key itself. */
void panel_features(problem *p) {
  tacit_stream *draw = &p->draw;
  size_t first = p->first_lag = 1 + pick(draw, 3), target = pick(draw, p->targets);
  p->lags = p->ahead && pick(draw, 2) ? 0 : 1 + pick(draw, 2);
  for (size_t k = 0; k < p->lags; k++) {
    const column *c = &p->columns[target];
    say(p, "%s{\"name\": \"%s\", \"lag\": %zu", comma(p), c->name, first + k);
    if (p->sums[target]) say(p, ", \"min\": %.17g, \"max\": %.17g", c->low, c->high);
    if (pick(draw, 3)) say(p, ", \"missing\": %.17g", pick(draw, 2) ? c->low : c->high);
    say(p, "}");
  }
  if (p->lags && has(p, "x0") && pick(draw, 2))
    say(p, "%s{\"interaction\": [\"x0\", \"y%zu[lag %zu]\"]}", comma(p), target, first);
  p->by_dates = pick(draw, 2);
  if (p->by_dates && pick(draw, 2))
    say(p,
        "%s{\"name\": \"t0\", \"date\": [\"weekday\", \"trend\"], \"start\": \"2023-06-01\", \"end\": "
        "\"2025-01-01\", \"missing\": \"2024-06-01\"}",
        comma(p));
  p->width += 2 * p->lags;
}

static column *add(problem *p, column_kind kind, const char *name) {
  column *c = &p->columns[p->column_count++];
  *c = (column){.kind = kind};
  snprintf(c->name, sizeof c->name, "%s", name);
  return c;
}

/* The unit comes last, as in other problems. */
void panel_keys(problem *p) {
  tacit_stream *draw = &p->draw;
  bool one_row = p->method == BY_SGD || p->method == BY_OBJECTIVE; /* of a unit is all that they take */
  bool named = one_in(draw, 5) || one_row;
  p->groups = 1 + pick(draw, 3);
  p->unique = !named && one_in(draw, 3);
  add(p, A_GROUP, "g0");
  column *time = add(p, A_TIME, "t0");
  time->text = p->by_dates;
  time->odd = !p->unique && one_in(draw, 3);
  say(p, ", \"panel\": {\"time\": \"t0\", \"by\": [\"g0\"%s]%s%s%s}", named ? ", \"u0\"" : "",
      p->by_dates ? "" : ", \"every\": \"number\"", p->unique ? ", \"unique\": true" : "",
      time->odd ? ", \"missing\": true" : "");
  size_t reach = 2 * (p->lags + p->ahead) + (p->unique ? 1 : 2);
  if (p->lags + p->ahead == 0) reach = 1;
  p->owned = 1 + pick(draw, 2);
  size_t rows = p->owned * reach + (pick(draw, 3) ? 0 : pick(draw, 3));
  if (named) {
    add(p, A_UNIT, "u0");
    say(p, ", \"unit\": {\"rows_per_unit\": %zu, \"column\": \"u0\"}", one_row ? 1 : 1 + pick(draw, 4));
  } else {
    say(p, ", \"unit\": {\"rows_per_unit\": %zu}", rows);
  }
}

static void set_time(const problem *p, size_t period, cell *c) {
  c->number = (double)period;
  if (p->by_dates)
    tacit_clock_print(NULL, (19723 + (double)period) * 86400, c->text, sizeof c->text); /* 2024-01-01 */
  else
    snprintf(c->text, sizeof c->text, "%zu", period);
}

/* Few enough that many records share one. */
void panel_cell(problem *p, const column *of, cell *c) {
  size_t each = p->records / p->groups + 1;
  if (of->kind == A_GROUP) {
    c->number = (double)pick(&p->draw, p->groups);
    snprintf(c->text, sizeof c->text, "%g", c->number);
  } else if (of->odd && one_in(&p->draw, 10)) {
    *c = (cell){.number = 0.5};
    snprintf(c->text, sizeof c->text, "%s", p->by_dates ? "today" : "0.5");
  } else {
    set_time(p, pick(&p->draw, pick(&p->draw, 2) ? each : each / 4 + 3), c);
  }
}

/* Key `number` of a list in which every fourth is left free. */
static void set_key(const problem *p, size_t number, cell *record) {
  for (size_t j = 0; j < p->column_count; j++) {
    if (p->columns[j].kind == A_TIME) set_time(p, number / p->groups, &record[j]);
    if (p->columns[j].kind != A_GROUP) continue;
    record[j].number = (double)(number % p->groups);
    snprintf(record[j].text, sizeof record[j].text, "%g", record[j].number);
  }
}

/* Numbers beyond all bounds, so that a sum over periods is on this side whatever else is in it. */
static void set_targets(const problem *p, bool high, cell *record) {
  for (size_t j = 0; j < p->column_count; j++) {
    if (p->columns[j].kind != A_TARGET) continue;
    record[j].number = high ? 1e300 : -1e300;
    snprintf(record[j].text, sizeof record[j].text, "%g", record[j].number);
  }
}

enum { OLD_KEY = 400, NEW_KEY = 500 }; /* periods that no other record has */

/* The worst that a record can do: it is first at its key and will be at another one, both of which somebody
   else has, and whom everybody looks at. All targets go up. */
static void crowd(problem *p, table *t, unit *u) {
  static const struct {
    size_t period;
    bool high;
  } THREE[] = {{OLD_KEY, false}, {OLD_KEY, true}, {NEW_KEY, false}};
  size_t row = 0, looking = p->lags + p->ahead;
  p->crowded = !p->unique && p->owned == 1 && p->adjacency == TACIT_REPLACE_ONE && looking &&
               p->columns[p->column_count - 1].kind != A_UNIT && t->rows >= 3 + 2 * (looking + p->ahead) &&
               pick(&p->draw, 2);
  if (!p->crowded) return;
  u->at[0] = 0;
  u->count = 1;
  for (; row < 3; row++) {
    set_key(p, THREE[row].period * p->groups, t->cells + row * t->columns);
    set_targets(p, THREE[row].high, t->cells + row * t->columns);
  }
  for (size_t k = 0; k < 2; k++)
    for (size_t o = 0; o < looking + p->ahead; o++) { /* those that look, and what else is in their sums */
      size_t key = k ? NEW_KEY : OLD_KEY, period = key + p->first_lag + o;
      if (o >= p->lags) period = key - (o - p->lags + 1);
      if (o >= looking) period = key + (o - looking + 1);
      cell *record = t->cells + row++ * t->columns;
      set_key(p, period * p->groups, record);
      for (size_t j = 0; j < p->column_count; j++) /* their own counts for nothing beside what they look at */
        if (p->columns[j].kind == A_TARGET) {
          record[j].number = p->columns[j].low;
          snprintf(record[j].text, sizeof record[j].text, "%.17g", record[j].number);
        }
    }
}

void panel_settle(problem *p, table *t, unit *u) {
  if (u && p->panelled) crowd(p, t, u);
  for (size_t i = 0; p->unique && i < t->rows; i++) set_key(p, i + i / 3, t->cells + i * t->columns);
}

void panel_move(problem *p, const table *t, const unit *u) {
  if (p->crowded) {
    set_key(p, NEW_KEY * p->groups, t->cells);
    set_targets(p, true, t->cells);
  }
  size_t free_keys = t->rows / 3 + 1, at = pick(&p->draw, free_keys);
  for (size_t k = 0; p->unique && k < u->count; k++) {
    size_t i = u->at[k], number = pick(&p->draw, 3) ? 4 * ((at + k) % free_keys) + 3 : i + i / 3;
    set_key(p, number, t->cells + i * t->columns);
  }
}
