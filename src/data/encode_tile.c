/* Encodes a tile of records column by column: each value as tacit_encoder_row would, to the bit. */
#include "data/encode_tile.h"

#include "base/base.h"
#include "num/clones.h"

#include <math.h>

/* The clamped encodings of some values of a column; false where one of them is missing and has none. */
TACIT_CLONES static bool encode_numbers(const tacit_scale *scale, bool has_missing, double missing,
                                        const double *values, size_t count, double *restrict out) {
  bool good = true;
  double centre = scale->center, half = scale->half, limit = scale->limit;
  for (size_t i = 0; i < count; i++) {
    bool finite = values[i] - values[i] == 0;
    double e = ((finite ? values[i] : missing) - centre) / half; /* as tacit_scale_encode */
    e = e < -limit ? -limit : e;
    out[i] = e > limit ? limit : e;
    good &= finite | has_missing;
  }
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
    if (feature->kind == TACIT_FEATURE_CATEGORY) continue;
    const double *from = values[encoder->features[f]] + first;
    double *out = x + feature->first * TACIT_TILE;
    good &= feature->kind == TACIT_FEATURE_NUMBER
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
