/* Random laws of demand in which the columns of a schema explain as much as a case says.

   Each encoded column gets a slope g_j / sd(x_j), g_j normal: no column matters more than another before the
   draw. A lag's slope is positive, as demand that lasts makes it. All slopes of a target are then scaled
   together until x'b has the spread of the signal, measured on a pilot sample. What spreads follow is drawn
   likewise, from the columns that are no lags, with mean 0 and spread 1. */
#include "base/base.h"
#include "study/plan.h"

#include <math.h>
#include <stdlib.h>

enum { PILOT = 1000, ROUNDS = 12 };
static const double LAGS_MOST = 0.95;    /* the sum of a target's lag slopes; at 1 demand would wander off */
static const double RAREST = 0.02;       /* of a level, in shares of what it would have among equals */
static const double SPECIAL_MOST = 0.35; /* of the rows may be special, or they would be no minority */

static void mark_lags(const tacit_schema *schema, bool *lagged) {
  for (size_t f = 0; f < schema->feature_count; f++)
    if (schema->features[f].kind == TACIT_FEATURE_LAG) lagged[schema->features[f].first] = true;
}

/* Spread of x'b over the pilot's rows behind the lags' reach. Its mean is without the lags: they are encoded
   around the middle of demand, and taking their sample's mean for theirs would feed on itself. */
static void moments(const tacit_schema *schema, const tacit_plan_table *pilot, const bool *lagged,
                    const double *b, double *mean, double *sd) {
  double sum = 0, square = 0, features = 0, n = (double)(pilot->rows - schema->largest_lag);
  for (size_t i = schema->largest_lag; i < pilot->rows; i++) {
    double fit = 0;
    for (size_t j = 1; j < schema->columns; j++) {
      double part = b[j] * pilot->x[i * schema->columns + j];
      fit += part;
      if (!lagged[j]) features += part;
    }
    sum += fit;
    square += fit * fit;
  }
  *mean = features / n;
  *sd = sqrt(fmax(square / n - sum / n * (sum / n), 0));
}

static double column_spread(const tacit_schema *schema, const tacit_plan_table *pilot, size_t j) {
  double sum = 0, square = 0, n = (double)pilot->rows;
  for (size_t i = 0; i < pilot->rows; i++) {
    double x = pilot->x[i * schema->columns + j];
    sum += x;
    square += x * x;
  }
  return sqrt(fmax(square / n - sum / n * (sum / n), 0));
}

/* A lag's spread is that of demand: its noise's and its signal's. */
static double lag_spread(const tacit_schema *schema, const tacit_plan_law *law, size_t j) {
  size_t f = 0;
  while (schema->features[f].first != j) f++;
  return sqrt(1 + law->kind->signal * law->kind->signal) * law->unit[schema->features[f].lag_target];
}

static void draw_slopes(const tacit_schema *schema, const tacit_plan_table *pilot, const bool *lagged,
                        tacit_stream *stream, const tacit_plan_law *law) {
  for (size_t t = 0; t < schema->target_count; t++)
    for (size_t j = 1; j < schema->columns; j++) {
      double first = tacit_normal(stream), second = tacit_normal(stream);
      double sd = lagged[j] ? lag_spread(schema, law, j) : column_spread(schema, pilot, j);
      if (sd < 1e-9) continue; /* a column that never moves explains nothing */
      law->b[t * schema->columns + j] = (lagged[j] ? fabs(first) : first) / sd;
      law->g[t * schema->columns + j] = lagged[j] ? 0 : second / sd;
    }
}

/* One step of every target toward the signal's spread. Without lags it is there at once; a lag feeds demand
   back into x, and the square root of the step keeps the iteration from overshooting: for one lag of slope
   phi, var(x'b) = phi^2 unit^2 / (1 - phi^2), and the step's derivative at the solution is zero. */
static void scale_slopes(const tacit_schema *schema, const tacit_plan_table *pilot, const bool *lagged,
                         double power, const tacit_plan_law *law) {
  double *b = law->b;
  for (size_t t = 0; t < schema->target_count; t++, b += schema->columns) {
    double mean, sd, lags = 0;
    moments(schema, pilot, lagged, b, &mean, &sd);
    double factor = sd > 0 ? pow(law->kind->signal * law->unit[t] / sd, power) : 0;
    for (size_t j = 1; j < schema->columns; j++) lags += lagged[j] ? b[j] : 0;
    if (factor * lags > LAGS_MOST) factor = LAGS_MOST / lags;
    for (size_t j = 1; j < schema->columns; j++) b[j] *= factor;
    b[0] = -factor * mean; /* demand stays around the middle of its bounds */
  }
}

static void scale_spreads(const tacit_schema *schema, const tacit_plan_table *pilot, const bool *lagged,
                          double *g) {
  for (size_t t = 0; t < schema->target_count; t++, g += schema->columns) {
    double mean, sd;
    moments(schema, pilot, lagged, g, &mean, &sd);
    for (size_t j = 1; j < schema->columns; j++) g[j] = sd > 0 ? g[j] / sd : 0;
    g[0] = sd > 0 ? -mean / sd : 0;
  }
}

/* What the case says of one column's levels. */
static void draw_shares(const tacit_feature *feature, double uneven, tacit_stream *stream, double *up_to) {
  double sum = 0;
  for (size_t k = 0; k < feature->level_count; k++)
    up_to[k] = sum += fmax(exp(uneven * tacit_normal(stream)), RAREST);
  for (size_t k = 0; k < feature->level_count; k++) up_to[k] /= sum;
}

/* The minority is a level of a column, one that is no majority, or else the top of a number. */
static void choose_special(const tacit_plan_columns *columns, tacit_stream *stream, tacit_plan_law *law) {
  size_t first = columns->schema->target_count, texts = 0, features = 0;
  for (size_t c = first; c < columns->count; c++) {
    if (!columns->features[c] || tacit_plan_is_date(columns, c)) continue;
    bool text = tacit_plan_has_levels(columns, c);
    features++;
    texts += text;
    /* one of the texts, all with the same chance; one of the others while there is no text */
    if (text ? tacit_stream_below(stream, texts) == 0 : !texts && tacit_stream_below(stream, features) == 0)
      law->special = c;
  }
  if (!texts) return;
  const double *up_to = law->up_to + columns->level_of[law->special];
  size_t count = columns->features[law->special]->level_count;
  size_t start = tacit_stream_below(stream, count);
  for (size_t k = 0; k < count; k++) {
    law->level = (start + k) % count;
    if (up_to[law->level] - (law->level ? up_to[law->level - 1] : 0) <= SPECIAL_MOST) return;
  }
}

static double special_share(const tacit_plan_columns *columns, const tacit_plan_law *law,
                            const tacit_plan_table *pilot) {
  size_t count = 0;
  for (size_t i = 0; i < pilot->rows; i++) count += tacit_plan_special(columns, law, i, pilot);
  return (double)count / (double)pilot->rows;
}

static void fill(const tacit_plan_columns *columns, tacit_stream *stream, tacit_plan_table *pilot,
                 const bool *lagged, tacit_plan_law *law) {
  const tacit_schema *schema = columns->schema;
  for (size_t c = 0; c < columns->count; c++)
    if (tacit_plan_has_levels(columns, c))
      draw_shares(columns->features[c], law->kind->uneven, stream, law->up_to + columns->level_of[c]);
  choose_special(columns, stream, law);
  for (size_t t = 0; t < schema->target_count; t++) law->unit[t] = tacit_plan_unit(schema, t, law->kind, 0);
  tacit_stream again = *stream; /* every round sees the same records */
  tacit_plan_simulate(columns, law, stream, pilot);
  double minority = special_share(columns, law, pilot);
  for (size_t t = 0; t < schema->target_count; t++)
    law->unit[t] = tacit_plan_unit(schema, t, law->kind, minority);
  draw_slopes(schema, pilot, lagged, stream, law);
  scale_spreads(schema, pilot, lagged, law->g);
  if (!schema->largest_lag) {
    scale_slopes(schema, pilot, lagged, 1, law);
    return;
  }
  for (int round = 0; round < ROUNDS; round++) {
    scale_slopes(schema, pilot, lagged, 0.5, law);
    tacit_stream same = again;
    tacit_plan_simulate(columns, law, &same, pilot);
  }
}

void tacit_plan_law_free(tacit_plan_law *law) {
  free(law->b);
  free(law->g);
  free(law->up_to);
  free(law->unit);
  *law = (tacit_plan_law){0};
}

tacit_status tacit_plan_law_new(const tacit_plan_columns *columns, const tacit_plan_case *kind,
                                tacit_stream *stream, tacit_plan_law *law, tacit_error *error) {
  const tacit_schema *schema = columns->schema;
  size_t cells = schema->target_count * schema->columns;
  *law = (tacit_plan_law){.kind = kind};
  law->b = tacit_alloc(cells, sizeof *law->b);
  law->g = tacit_alloc(cells, sizeof *law->g);
  law->up_to = tacit_alloc(columns->levels + 1, sizeof *law->up_to);
  law->unit = tacit_alloc(schema->target_count, sizeof *law->unit);
  bool *lagged = tacit_alloc(schema->columns, sizeof *lagged);
  tacit_plan_table pilot;
  tacit_status status = tacit_plan_table_new(columns, PILOT + schema->largest_lag, &pilot, error);
  if (status == TACIT_OK && !(law->b && law->g && law->up_to && law->unit && lagged))
    status = tacit_no_memory(error);
  if (status == TACIT_OK) {
    mark_lags(schema, lagged);
    fill(columns, stream, &pilot, lagged, law);
  }
  tacit_plan_table_free(columns, &pilot);
  free(lagged);
  return status;
}
