/* Demand of simulated records, by the case that they are of. */
#include "num/normal.h"
#include "study/plan.h"

#include <math.h>

static const double STEEPEST = 3.5; /* spreads of the signal, or of log spreads, beyond which they are cut */

static double draw_noise(tacit_plan_noise noise, tacit_stream *stream) {
  switch (noise) {
  case TACIT_PLAN_STUDENT:
    return tacit_student(stream, 4) / sqrt(2);
  case TACIT_PLAN_LAPLACE:
    return tacit_laplace(stream) / sqrt(2);
  case TACIT_PLAN_SKEWED: /* mean 0 and variance 1 */
    return (exp(0.7 * tacit_normal(stream)) - exp(0.245)) / 1.015;
  case TACIT_PLAN_NORMAL:
    break;
  }
  return tacit_normal(stream);
}

/* Half of the bounds, or a scale; of it, how much demand fills in all and how much is one spread of a
   product. */
static const double BOUNDED = 0.2, SCALED = 0.5;

/* Demand whose bounds start at nothing is an amount, and effects multiply amounts. What may lie on either
   side of some centre is added up; a logarithm is a sum already, and lags of products would run away. */
static bool multiplies(const tacit_schema *schema, size_t target, const tacit_plan_case *kind) {
  const tacit_target *t = &schema->targets[target];
  bool amount = t->bounded && t->scale.log_unit == 0 && t->scale.center == t->scale.half;
  return kind->product > 0 && amount && !schema->largest_lag;
}

double tacit_plan_unit(const tacit_schema *schema, size_t target, const tacit_plan_case *kind,
                       double minority) {
  double spread = schema->targets[target].bounded ? BOUNDED : SCALED;
  if (multiplies(schema, target, kind))
    return spread / kind->width; /* demand in the middle, above the least */
  double variance = kind->signal * kind->signal + exp(2 * kind->strength * kind->strength) +
                    kind->far * kind->far * minority * (1 - minority);
  return spread * sqrt(2 / variance) / kind->width;
}

bool tacit_plan_special(const tacit_plan_columns *columns, const tacit_plan_law *law, size_t i,
                        const tacit_plan_table *table) {
  const tacit_feature *feature = columns->features[law->special];
  if (!feature) return false;
  if (tacit_plan_has_levels(columns, law->special))
    return table->texts[law->special][i] == feature->levels[law->level];
  double at = table->numbers[law->special][i]; /* of numbers the top, about one row in ten */
  return feature->has_scale
             ? tacit_scale_encode(&feature->scale, at) > (feature->scale.limit == 1 ? 0.5 : 1.28)
             : at > 0.9 * feature->period;
}

typedef struct point {
  double fit;     /* the linear part, encoded */
  double unequal; /* what spreads follow, cut */
  bool special;
  double chance; /* uniform */
} point;

/* The encoded demand of a target; z is the noise. */
static double demand_at(const tacit_schema *schema, size_t target, const tacit_plan_law *law, point at,
                        double z) {
  const tacit_plan_case *kind = law->kind;
  double unit = law->unit[target], least = -schema->targets[target].scale.limit;
  double noise = exp(kind->strength * at.unequal) * z + (at.special ? kind->far : 0);
  if (!multiplies(schema, target, kind)) return at.fit + unit * noise;
  if (kind->zeros > 0 && at.chance < 2 * kind->zeros * tacit_normal_cdf(at.unequal)) return least;
  double signal = fmin(fmax(at.fit / unit, -STEEPEST * kind->signal), STEEPEST * kind->signal);
  return least + unit * exp(kind->product * (signal + noise));
}

void tacit_plan_demand(const tacit_plan_columns *columns, const tacit_plan_law *law, size_t i,
                       tacit_stream *stream, tacit_plan_table *table) {
  const tacit_schema *schema = columns->schema;
  const double *x = table->x + i * schema->columns;
  for (size_t t = 0; t < schema->target_count; t++) {
    const tacit_scale *scale = &schema->targets[t].scale;
    const double *b = law->b + t * schema->columns, *g = law->g + t * schema->columns;
    double z = draw_noise(law->kind->noise, stream);
    point at = {.special = tacit_plan_special(columns, law, i, table), .chance = tacit_uniform(stream)};
    for (size_t j = 0; j < schema->columns; j++) {
      at.fit += b[j] * x[j];
      at.unequal += g[j] * x[j];
    }
    at.unequal = fmin(fmax(at.unequal, -STEEPEST), STEEPEST);
    if (i < schema->largest_lag) { /* nothing to go by yet: noise of the same size */
      z *= sqrt(1 + law->kind->signal * law->kind->signal);
      at.fit = 0;
    }
    double y = demand_at(schema, t, law, at, z);
    table->numbers[t][i] = tacit_scale_decode(scale, fmin(fmax(y, -scale->limit), scale->limit));
    table->y[i * schema->target_count + t] = tacit_scale_encode(scale, table->numbers[t][i]);
  }
}
