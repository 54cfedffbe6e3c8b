/* Random schemas: bounds of both kinds, logarithms, levels, transforms, lags, units, several targets, missing
 * values. */
#include "neighbours/neighbours.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH_MOST = 18 };

void say(problem *p, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int n = vsnprintf(p->json + p->length, JSON_MOST - p->length, format, arguments);
  va_end(arguments);
  if (n < 0 || p->length + (size_t)n >= JSON_MOST) abort();
  p->length += (size_t)n;
}

static column *add_column(problem *p, column_kind kind, const char *letter, size_t number) {
  column *c = &p->columns[p->column_count++];
  *c = (column){.kind = kind, .text = one_in(&p->draw, 4)};
  snprintf(c->name, sizeof c->name, "%s%zu", letter, number);
  return c;
}

/* Bounds, or a centre and a scale at which numbers are cut `limit` scales out. */
static void say_bounds(problem *p, column *c, double limit) {
  double size = pow(10, (double)pick(&p->draw, 6) - 2), middle = 0;
  if (p->sold && c->kind == A_TARGET) { /* totals are not below 0, and never missing */
    c->low = pick(&p->draw, 2) ? 0 : size * tacit_uniform(&p->draw);
    c->high = c->low + 2 * size;
    c->bounded = true;
    say(p, "\"min\": %.17g, \"max\": %.17g", c->low, c->high);
    return;
  }
  if (pick(&p->draw, 2)) middle = size * (6 * tacit_uniform(&p->draw) - 3);
  c->bounded = pick(&p->draw, 2) && !(p->known && c->kind == A_NUMBER);
  c->low = middle - size * (c->bounded ? 1 : limit);
  c->high = middle + size * (c->bounded ? 1 : limit);
  if (c->bounded)
    say(p, "\"min\": %.17g, \"max\": %.17g", c->low, c->high);
  else
    say(p, "\"center\": %.17g, \"scale\": %.17g", middle, size);
  c->odd = one_in(&p->draw, 3);
  double at = pick(&p->draw, 3) ? tacit_uniform(&p->draw) : (double)pick(&p->draw, 2);
  if (c->odd) say(p, ", \"missing\": %.17g", c->low + at * (c->high - c->low));
}

/* Costs in tiers, by the problem's number: nothing is drawn for them. The dearest rates are 9 and 1, 1 and 1
   or 1 and 4, of which the quantiles are far out, in the middle and low. */
static void say_tiers(problem *p, const column *c) {
  static const double RATES[3][2] = {{9, 1}, {1, 1}, {1, 4}};
  const double *rate = RATES[p->seed / 4 % 3],
               part = pow(2, -(double)(p->seed / 12 % 6)) * (c->high - c->low) / 3;
  bool both = p->seed / 72 % 2;
  say(p, ", \"cost\": {\"shortage\": [{\"below\": %.17g, \"rate\": %.17g}, {\"rate\": %.17g}]", part,
      rate[0] / 3, rate[0]);
  say(p, ", \"leftover\": [");
  if (both)
    say(p, "{\"below\": %.17g, \"rate\": %.17g}, {\"below\": %.17g, \"rate\": %.17g}, ", part / 2,
        rate[1] / 4, 2 * part, rate[1] / 2);
  say(p, "{\"rate\": %.17g}]}", rate[1]);
}

/* Whether flags say what sold out, and not stocks: by the problem's number, nothing is drawn for it. */
static bool flagged(const problem *p) {
  return p->seed % 5 < 2;
}

static void say_targets(problem *p) {
  say(p, "{\"target\": [");
  for (size_t t = 0; t < p->targets; t++) {
    column *c = add_column(p, A_TARGET, "y", t);
    say(p, "%s{\"name\": \"%s\", ", t ? ", " : "", c->name);
    say_bounds(p, c, TACIT_TARGET_LIMIT);
    /* some have a logarithm, by their bounds: nothing is drawn for it */
    if (p->tiers) say_tiers(p, c);
    if (p->stocked && flagged(p))
      say(p, ", \"sold_out\": {\"name\": \"stock%zu\", \"missing\": false}", t);
    else if (p->stocked)
      say(p, ", \"stock\": {\"name\": \"stock%zu\", \"missing\": %.17g}", t, c->low / 2 + c->high / 2);
    if (!p->tiers && c->bounded && !p->region && fmod(fabs(c->high) * 1e6, 4) < 1)
      say(p, ", \"transform\": \"log\", \"log_unit\": %.17g", fmax(-c->low, 0) * 1.01 + c->high - c->low);
    if (p->panelled) panel_sum(p, t);
    say(p, "}");
  }
  say(p, "], \"features\": [");
  for (size_t t = 0; t < p->targets && p->stocked; t++) { /* in the target's range: some days sell out */
    const column of = p->columns[t];
    column *c = add_column(p, flagged(p) ? A_LEVEL : A_NUMBER, "stock", t);
    c->low = of.low, c->high = of.high, c->odd = true;
    c->levels = 3, c->other = true; /* of a flag: no, yes, and what is neither */
  }
}

static void say_transform(problem *p, const column *c) {
  tacit_stream *draw = &p->draw;
  size_t kind = pick(draw, c->bounded ? 4 : 1), size = 1 + pick(draw, 3);
  say(p, ", {\"name\": \"%s\", ", c->name);
  if (kind == 0)
    say(p, "\"transform\": \"fourier\", \"period\": %.17g, \"harmonics\": %zu}",
        (c->high - c->low) * (0.1 + tacit_uniform(draw)), size);
  else if (kind == 1)
    say(p, "\"transform\": \"spline\", \"knots\": %zu, \"degree\": %zu}", size, 1 + pick(draw, 3));
  else if (kind == 2)
    say(p, "\"transform\": \"polynomial\", \"degree\": %zu}", size);
  else if (p->seed % 2) /* by its number: nothing is drawn for it */
    say(p, "\"transform\": \"wavelet\", \"filter\": \"D%d\", \"levels\": %zu}", p->seed % 4 == 1 ? 4 : 8,
        size);
  else
    say(p, "\"transform\": \"haar\", \"levels\": %zu}", size);
  p->width += 2 * size + 2;
}

/* Its texts go to public buckets, or are read as true or false. */
static void say_otherwise(problem *p, const column *c, bool hashed) {
  size_t buckets = 2 + pick(&p->draw, 4);
  if (hashed)
    say(p, "{\"name\": \"%s\", \"hash\": %zu, \"fold\": true}", c->name, buckets);
  else
    say(p, "{\"name\": \"%s\", \"flag\": true, \"missing\": false}", c->name);
  p->width += hashed ? buckets - 1 : 1;
}

static void say_level(problem *p, size_t number) {
  column *c = add_column(p, A_LEVEL, "c", number);
  c->levels = 2 + pick(&p->draw, 4);
  if (one_in(&p->draw, 4)) {
    c->odd = true;
    say_otherwise(p, c, pick(&p->draw, 2));
    return;
  }
  c->other = pick(&p->draw, 2);
  say(p, "{\"name\": \"%s\", \"levels\": [", c->name);
  for (size_t k = 0; k < c->levels; k++)
    if (k + 1 == c->levels && c->other)
      say(p, ", \"other\"");
    else
      say(p, "%s\"%zu\"", k ? ", " : "", k);
  say(p, "]%s}", pick(&p->draw, 2) ? ", \"missing\": \"0\"" : "");
  c->odd = true;
  p->width += c->levels - 1;
}

/* Lags, and how many distinct ones. */
static size_t say_lags(problem *p, const char *comma) {
  size_t first = 1 + pick(&p->draw, 3), count = 1 + pick(&p->draw, 2);
  for (size_t k = 0; k < count; k++) {
    size_t target = pick(&p->draw, p->targets);
    const column *c = &p->columns[target];
    say(p, "%s{\"name\": \"%s\", \"lag\": %zu", comma, c->name, first + k);
    if (c->odd || pick(&p->draw, 2)) say(p, ", \"missing\": %.17g", (c->low + c->high) / 2);
    say(p, "}");
    comma = ", ";
  }
  p->width += count;
  return count;
}

static size_t say_features(problem *p, bool may_lag) {
  size_t numbers = pick(&p->draw, 6), levels = p->known ? 0 : pick(&p->draw, 3), lags = 0;
  const char *comma = "";
  for (size_t k = 0; k < numbers && p->width < WIDTH_MOST; k++, comma = ", ") {
    column *c = add_column(p, A_NUMBER, "x", k);
    say(p, "%s{\"name\": \"%s\", ", comma, c->name);
    say_bounds(p, c, TACIT_SCALE_LIMIT);
    say(p, "}");
    p->width++;
    if (!p->known && one_in(&p->draw, 4)) say_transform(p, c);
  }
  for (size_t k = 0; k < levels && p->width < WIDTH_MOST && one_in(&p->draw, 2); k++, comma = ", ") {
    say(p, "%s", comma);
    say_level(p, k);
  }
  if (may_lag && one_in(&p->draw, 4)) lags = say_lags(p, comma);
  return lags;
}

/* Whose data a row is. A record of a unit without a column of its own reaches 1 + lags rows. */
static void say_unit(problem *p, size_t lags) {
  bool one_row = p->method == BY_SGD || p->method == BY_OBJECTIVE,
       add_remove = p->adjacency == TACIT_ADD_REMOVE;
  size_t k = one_row ? 1 : 1 + pick(&p->draw, 4);
  if (p->method == BY_BOUNDED_CHANGE) { /* mostly behind a total; of the first target's range some part */
    double range = p->columns[0].high - p->columns[0].low;
    p->owned = k;
    say(p, ", \"unit\": {\"rows_per_unit\": %zu", k);
    if (pick(&p->draw, 5)) say(p, ", \"change\": %.17g", range * pow(10, -0.3 - 3 * tacit_uniform(&p->draw)));
    say(p, "}");
    return;
  }
  bool named = !lags && (one_in(&p->draw, 3) || p->leaning) && !(p->method == BY_SGD && add_remove);
  if (named && p->method == BY_LOCATION_SCALE && pick(&p->draw, 3))
    k = 2 + pick(&p->draw, 40); /* clipped as a whole */
  if (p->leaning) k = 2 + pick(&p->draw, 8);
  p->owned = lags ? 1 + pick(&p->draw, 2) : k;
  if (lags) k = p->owned * (1 + lags) + (pick(&p->draw, 2) ? 0 : pick(&p->draw, 3));
  if (named) {
    column *c = add_column(p, A_UNIT, "u", 0);
    say(p, ", \"unit\": {\"rows_per_unit\": %zu, \"column\": \"%s\"}", k, c->name);
  } else if (k > 1 || pick(&p->draw, 2)) {
    say(p, ", \"unit\": {\"rows_per_unit\": %zu}", k);
  }
}

/* A'A + I on a coarse grid, so that it is symmetric to the last bit. */
static void say_second_moment(problem *p, size_t columns) {
  double *a = malloc(columns * columns * sizeof *a);
  for (size_t j = 0; j < columns * columns; j++) a[j] = (double)((int)pick(&p->draw, 9) - 4) / 8;
  say(p, ", \"second_moment\": [");
  for (size_t j = 0; j < columns; j++) {
    say(p, "%s[", j ? ", " : "");
    for (size_t k = 0; k < columns; k++) {
      double sum = j == k;
      for (size_t i = 0; i < columns; i++) sum += a[i * columns + j] * a[i * columns + k];
      say(p, "%s%.17g", k ? ", " : "", sum);
    }
    say(p, "]");
  }
  say(p, "]");
  free(a);
}

static void parse(problem *p) {
  tacit_error error;
  if (tacit_schema_parse(p->json, p->length, &p->schema, &error) == TACIT_OK) return;
  fprintf(stderr, "problem %llu: %s\n%s\n", (unsigned long long)p->seed, error.text, p->json);
  abort();
}

void problem_schema(problem *p, bool whiten) {
  say_targets(p);
  bool lagged = p->adjacency == TACIT_REPLACE_ONE && p->method != BY_SGD && p->method != BY_OBJECTIVE &&
                p->method != BY_BOUNDED_CHANGE && !p->sold && !p->leaning;
  size_t lags = say_features(p, lagged && !p->panelled);
  if (p->panelled) panel_features(p);
  say(p, "]");
  if (one_in(&p->draw, 3)) say(p, ", \"clip_norm\": %.17g", pow(10, 3 * tacit_uniform(&p->draw) - 1.5));
  if (pick(&p->draw, 2)) say(p, ", \"nominal_rows\": %zu", (size_t)1 << pick(&p->draw, 12));
  if (p->panelled)
    panel_keys(p);
  else if (p->sold)
    events_schema(p);
  else
    say_unit(p, lags);
  /* one in three, by its number: nothing is drawn for it */
  bool public = p->seed % 3 == 0 || p->method == BY_BOUNDED_CHANGE;
  if (p->adjacency == TACIT_REPLACE_ONE && !lags && !p->panelled && !p->leaning && (public || p->sold))
    say(p, ", \"private\": \"target\"");
  size_t before = p->length;
  say(p, "}");
  parse(p);
  if (!whiten) return;
  size_t columns = p->schema->columns;
  tacit_schema_free(p->schema);
  p->length = before;
  say_second_moment(p, columns);
  say(p, "}");
  parse(p);
}
