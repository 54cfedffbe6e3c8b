/* Changes of unit: a column's numbers to and from encoded ones, and coefficients to and from the user's
 * units. */
#include "schema/schema.h"

#include <assert.h>
#include <math.h>

/* What x stands for. Nothing has a logarithm at -log_unit and below: there it is less than any number. */
static double in_scale(const tacit_scale *scale, double x) {
  if (scale->log_unit == 0) return x;
  double share = x / scale->log_unit;
  return share > -1 ? log1p(share) : isnan(x) ? x : -INFINITY;
}

/* For a huge x the quotient may be infinite, and is then clamped like any other; it is NaN only if x is. */
double tacit_scale_encode(const tacit_scale *scale, double x) {
  double e = (in_scale(scale, x) - scale->center) / scale->half;
  return e < -scale->limit ? -scale->limit : e > scale->limit ? scale->limit : e;
}

double tacit_scale_decode(const tacit_scale *scale, double e) {
  double x = scale->center + scale->half * e;
  return scale->log_unit == 0 ? x : scale->log_unit * expm1(x);
}

/* A logarithm moves most at its lowest. Rounding two numbers to the grid adds one unit, and the machine's own
   error, some 2^-46 of the range, less than the last. */
double tacit_scale_steps(const tacit_scale *scale, double change) {
  const double most = ldexp(2 * scale->limit, TACIT_TARGET_BITS), unit = scale->log_unit;
  double low = tacit_scale_decode(scale, -scale->limit), moved = change / scale->half;
  if (unit > 0) moved = (log1p((low + change) / unit) - log1p(low / unit)) / scale->half;
  double steps = ceil(ldexp(moved, TACIT_TARGET_BITS) * (1 + 0x1p-40)) + 2;
  /* doubles err in proportion to a logarithm's size, which a narrow range makes much of */
  double far = fabs(scale->center) + scale->half * scale->limit;
  if (unit > 0) steps += ceil(ldexp(far / scale->half, TACIT_TARGET_BITS - 50));
  return change > 0 && steps < most ? steps : most;
}

double tacit_scale_width(const tacit_scale *scale) {
  if (scale->log_unit == 0) return 2 * scale->limit * scale->half;
  return tacit_scale_decode(scale, scale->limit) - tacit_scale_decode(scale, -scale->limit);
}

double tacit_scale_reach(const tacit_scale *scale) {
  return fmin(scale->limit, TACIT_SCALE_LIMIT);
}

/* Only numbers and lags are shown in the user's units; levels and basis functions are what they are. */
static bool is_scaled(const tacit_feature *feature) {
  return feature->kind == TACIT_FEATURE_NUMBER || feature->kind == TACIT_FEATURE_LAG;
}

/* Encoded columns e_j = (v_j - c_j) / h_j: unit b'e + zero is raw'v, with

     raw_j = unit b_j / h_j,   raw_0 = zero + unit b_0 - sum_j raw_j c_j,

   (c_j, h_j) the column's scale, which numbers and lags alone have. */
static void in_user_units(const tacit_schema *schema, double zero, double unit, const double *encoded,
                          double *raw) {
  double shift = 0;
  for (size_t f = 0; f < schema->feature_count; f++) {
    const tacit_feature *feature = &schema->features[f];
    for (size_t j = feature->first; j < feature->first + feature->width; j++) {
      raw[j] = unit * encoded[j];
      if (!is_scaled(feature)) continue;
      raw[j] /= feature->scale.half;
      shift += raw[j] * feature->scale.center;
    }
  }
  raw[0] = zero + unit * encoded[0] - shift;
}

static void in_encoded_units(const tacit_schema *schema, double zero, double unit, const double *raw,
                             double *encoded) {
  double shift = 0;
  for (size_t f = 0; f < schema->feature_count; f++) {
    const tacit_feature *feature = &schema->features[f];
    for (size_t j = feature->first; j < feature->first + feature->width; j++) {
      if (is_scaled(feature)) {
        shift += raw[j] * feature->scale.center;
        encoded[j] = raw[j] * feature->scale.half / unit;
      } else {
        encoded[j] = raw[j] / unit;
      }
    }
  }
  encoded[0] = (raw[0] + shift - zero) / unit;
}

void tacit_schema_user_units(const tacit_schema *schema, size_t target, const double *encoded, double *raw) {
  assert(target < schema->target_count);
  const tacit_scale *y = &schema->targets[target].scale;
  in_user_units(schema, y->center, y->half, encoded, raw);
}

void tacit_schema_encoded_units(const tacit_schema *schema, size_t target, const double *raw,
                                double *encoded) {
  assert(target < schema->target_count);
  const tacit_scale *y = &schema->targets[target].scale;
  in_encoded_units(schema, y->center, y->half, raw, encoded);
}

/* log(h_y exp(g'e)) = log h_y + g'e: a spread in the user's units is h_y encoded ones. */
void tacit_schema_user_spread(const tacit_schema *schema, size_t target, const double *encoded, double *raw) {
  assert(target < schema->target_count);
  in_user_units(schema, log(schema->targets[target].scale.half), 1, encoded, raw);
  raw[schema->columns] = encoded[schema->columns];
}

void tacit_schema_encoded_spread(const tacit_schema *schema, size_t target, const double *raw,
                                 double *encoded) {
  assert(target < schema->target_count);
  in_encoded_units(schema, log(schema->targets[target].scale.half), 1, raw, encoded);
  encoded[schema->columns] = raw[schema->columns];
}
