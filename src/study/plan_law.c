/* Random laws of demand in which the columns of a schema explain half of the variance.

   Each encoded column gets a slope g_j / sd(x_j), g_j normal: no column matters more than another before the
   draw. A lag's slope is positive, as demand that lasts makes it. All slopes of a target are then scaled
   together until var(x'b) is the variance of the noise, measured on a pilot sample. */
#include "base/base.h"
#include "study/plan.h"

#include <math.h>
#include <stdlib.h>

enum { PILOT = 1000, ROUNDS = 12 };
static const double LAGS_MOST = 0.95; /* the sum of a target's lag slopes; at 1 demand would wander off */

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

/* A lag's spread is that of demand, once half of its variance is explained: sqrt(2) times its noise's. */
static double lag_spread(const tacit_schema *schema, size_t j) {
  size_t f = 0;
  while (schema->features[f].first != j) f++;
  return sqrt(2) * tacit_plan_spread(&schema->targets[schema->features[f].lag_target]);
}

static void draw_slopes(const tacit_schema *schema, const tacit_plan_table *pilot, const bool *lagged,
                        tacit_stream *stream, double *b) {
  for (size_t j = 1; j < schema->columns; j++) {
    double g = tacit_normal(stream);
    double sd = lagged[j] ? lag_spread(schema, j) : column_spread(schema, pilot, j);
    b[j] = sd > 1e-9 ? (lagged[j] ? fabs(g) : g) / sd : 0; /* a column that never moves explains nothing */
  }
}

/* One step of every target toward var(x'b) = spread^2. Without lags it is there at once; a lag feeds demand
   back into x, and the square root of the step keeps the iteration from overshooting: for one lag of slope
   phi, var(x'b) = phi^2 spread^2 / (1 - phi^2), and the step's derivative at the solution is zero. */
static void scale_slopes(const tacit_schema *schema, const tacit_plan_table *pilot, const bool *lagged,
                         double power, double *b) {
  for (size_t t = 0; t < schema->target_count; t++, b += schema->columns) {
    double mean, sd, lags = 0;
    moments(schema, pilot, lagged, b, &mean, &sd);
    double factor = sd > 0 ? pow(tacit_plan_spread(&schema->targets[t]) / sd, power) : 0;
    for (size_t j = 1; j < schema->columns; j++) lags += lagged[j] ? b[j] : 0;
    if (factor * lags > LAGS_MOST) factor = LAGS_MOST / lags;
    for (size_t j = 1; j < schema->columns; j++) b[j] *= factor;
    b[0] = -factor * mean; /* demand stays around the middle of its bounds */
  }
}

static void fill(const tacit_plan_columns *columns, tacit_stream *stream, tacit_plan_table *pilot,
                 const bool *lagged, double *b) {
  const tacit_schema *schema = columns->schema;
  tacit_stream again = *stream; /* every round sees the same records */
  tacit_plan_simulate(columns, b, stream, pilot);
  for (size_t t = 0; t < schema->target_count; t++)
    draw_slopes(schema, pilot, lagged, stream, b + t * schema->columns);
  if (!schema->largest_lag) {
    scale_slopes(schema, pilot, lagged, 1, b);
    return;
  }
  for (int round = 0; round < ROUNDS; round++) {
    scale_slopes(schema, pilot, lagged, 0.5, b);
    tacit_stream same = again;
    tacit_plan_simulate(columns, b, &same, pilot);
  }
}

tacit_status tacit_plan_law(const tacit_plan_columns *columns, tacit_stream *stream, double *b,
                            tacit_error *error) {
  const tacit_schema *schema = columns->schema;
  tacit_plan_table pilot;
  bool *lagged = tacit_alloc(schema->columns, sizeof *lagged);
  tacit_status status = tacit_plan_table_new(columns, PILOT + schema->largest_lag, &pilot, error);
  if (status == TACIT_OK && !lagged) status = tacit_no_memory(error);
  if (status == TACIT_OK) {
    mark_lags(schema, lagged);
    fill(columns, stream, &pilot, lagged, b);
  }
  tacit_plan_table_free(columns, &pilot);
  free(lagged);
  return status;
}
