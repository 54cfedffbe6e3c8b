/* Encodes a tile of records column by column: each value as tacit_encoder_row would, to the bit. */
#include "data/encode_tile.h"

#include "base/base.h"
#include "num/clones.h"

#include <math.h>
#include <string.h>

/* Whether all of them are finite: a number less itself is then a zero whose bits are all 0. */
TACIT_CLONES static bool all_finite(const double *values, size_t count) {
  uint64_t odd = 0;
  for (size_t i = 0; i < count; i++) {
    double zero = values[i] - values[i];
    uint64_t bits;
    memcpy(&bits, &zero, sizeof bits);
    odd |= bits;
  }
  return odd == 0;
}

/* As tacit_scale_encode, to the bit. */
TACIT_CLONES static void scale_numbers(const tacit_scale *scale, const double *values, size_t count,
                                       double *restrict out) {
  double centre = scale->center, half = scale->half, limit = scale->limit;
  for (size_t i = 0; i < count; i++) {
    double e = (values[i] - centre) / half;
    e = e < -limit ? -limit : e;
    out[i] = e > limit ? limit : e;
  }
}

/* The clamped encodings of some values of a column; false where one of them is missing and has none. */
static bool encode_numbers(const tacit_scale *scale, bool has_missing, double missing, const double *values,
                           size_t count, double *out) {
  if (scale->log_unit == 0 && all_finite(values, count)) {
    scale_numbers(scale, values, count, out);
    return true;
  }
  bool good = true;
  for (size_t i = 0; i < count; i++) {
    bool finite = isfinite(values[i]) != 0;
    good &= finite || has_missing;
    out[i] = tacit_scale_encode(scale, finite ? values[i] : missing);
  }
  return good;
}

void tacit_encode_levels(const tacit_feature *feature, const size_t *level, size_t count, double *x) {
  for (size_t j = 0; j < feature->width; j++) memset(x + j * TACIT_TILE, 0, count * sizeof *x);
  for (size_t i = 0; i < count; i++)
    if (level[i] > 0) x[(level[i] - 1) * TACIT_TILE + i] = 1;
}

/* Flags, and parts of moments: as tacit_feature_encode, to the bit. */
static bool encode_parts(const tacit_feature *feature, const double *values, size_t count, double *x) {
  double part[TACIT_TILE];
  size_t level[TACIT_TILE];
  bool good = true, flag = feature->part == TACIT_PART_FLAG; /* columns in memory have not been looked at */
  for (size_t i = 0; i < count; i++) {
    bool there = isfinite(values[i]) != 0 && (!flag || values[i] == 0 || values[i] == 1);
    good &= there || feature->has_missing;
    part[i] = tacit_feature_part(feature, there ? values[i] : feature->missing);
  }
  if (feature->kind == TACIT_FEATURE_CATEGORY) {
    for (size_t i = 0; i < count; i++) level[i] = (size_t)part[i];
    tacit_encode_levels(feature, level, count, x);
    tacit_wipe(level, sizeof level);
  } else {
    scale_numbers(&feature->scale, part, count, x);
  }
  tacit_wipe(part, sizeof part);
  return good;
}

/* A feature whose columns are functions of its number. */
static bool encode_basis(const tacit_feature *feature, const double *values, size_t count, double *x) {
  double out[TACIT_COLUMNS_MAX];
  bool good = true;
  for (size_t i = 0; i < count; i++) {
    bool finite = isfinite(values[i]) != 0;
    good &= finite || feature->has_missing;
    tacit_feature_encode(feature, finite ? values[i] : feature->missing, out);
    for (size_t j = 0; j < feature->width; j++) x[j * TACIT_TILE + i] = out[j];
  }
  tacit_wipe(out, feature->width * sizeof *out);
  return good;
}

bool tacit_encode_tile(const tacit_encoder *encoder, const double *const *values, size_t first, size_t count,
                       double *x, double *y) {
  const tacit_schema *schema = encoder->schema;
  bool good = true;
  for (size_t i = 0; i < count; i++) x[i] = 1;
  for (size_t f = 0; f < schema->feature_count; f++) {
    const tacit_feature *feature = &schema->features[f];
    tacit_reads reading = tacit_feature_reads(feature);
    if (reading == TACIT_READS_LEVEL || reading == TACIT_READS_NOTHING) continue;
    const double *from = values[encoder->features[f]] + first;
    double *out = x + feature->first * TACIT_TILE;
    bool part = feature->part != TACIT_PART_CELL && feature->part != TACIT_PART_DAY_OF_YEAR;
    good &= part ? encode_parts(feature, from, count, out)
            : feature->kind == TACIT_FEATURE_NUMBER
                ? encode_numbers(&feature->scale, feature->has_missing, feature->missing, from, count, out)
                : encode_basis(feature, from, count, out);
  }
  for (size_t t = 0; t < schema->target_count; t++) {
    const tacit_target *target = &schema->targets[t];
    good &= encode_numbers(&target->scale, target->has_missing, target->missing,
                           values[encoder->targets[t]] + first, count, y + t * TACIT_TILE);
  }
  return good;
}
