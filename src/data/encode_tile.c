/* Encodes a tile of records column by column: each value as tacit_encoder_row would, to the bit. */
#include "data/encode_tile.h"

#include "base/base.h"
#include "data/tally.h"
#include "num/clones.h"
#include "schema/sold.h"

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

/* As tacit_scale_encode, to the bit; how many of them lie beyond the scale. */
TACIT_CLONES static size_t scale_numbers(const tacit_scale *scale, const double *values, size_t count,
                                         double *restrict out) {
  double centre = scale->center, half = scale->half, limit = scale->limit, most = tacit_tally_limit(scale);
  uint64_t beyond = 0;
  for (size_t i = 0; i < count; i++) {
    double e = (values[i] - centre) / half;
    beyond += fabs(e) > most;
    e = e < -limit ? -limit : e;
    out[i] = e > limit ? limit : e;
  }
  return beyond;
}

/* A column's numbers are encoded by its scale, with what stands for those that are missing. */
typedef struct column {
  const tacit_scale *scale;
  bool has_missing;
  double missing;
} column;

/* The clamped encodings of some values of a column; false where one of them is missing and has none. */
static bool encode_numbers(const column *c, const double *values, size_t count, double *out,
                           tacit_tally *tally) {
  if (c->scale->log_unit == 0 && all_finite(values, count)) {
    tally->clamped += scale_numbers(c->scale, values, count, out);
    tally->seen += count;
    return true;
  }
  bool good = true;
  for (size_t i = 0; i < count; i++) {
    bool finite = isfinite(values[i]) != 0;
    good &= finite || c->has_missing;
    out[i] = tacit_scale_encode(c->scale, finite ? values[i] : c->missing);
    tacit_tally_number(tally, c->scale, finite, values[i]);
    tally->unreadable += isinf(values[i]) != 0;
  }
  return good;
}

void tacit_encode_levels(const tacit_feature *feature, const size_t *level, size_t count, double *x) {
  for (size_t j = 0; j < feature->width; j++) memset(x + j * TACIT_TILE, 0, count * sizeof *x);
  for (size_t i = 0; i < count; i++)
    if (level[i] > 0) x[(level[i] - 1) * TACIT_TILE + i] = 1;
}

/* Weekdays, days and hours of moments that all are there: as tacit_feature_part, to the bit. Whole numbers
   over 7 round to no whole number unless they are one. */
static const double DAY = 86400, HOUR = 3600;
TACIT_CLONES static void weekdays(const double *values, size_t count, double *restrict part) {
  for (size_t i = 0; i < count; i++) {
    double day = floor(values[i] / DAY) + 3; /* 1970-01-01 was a Thursday */
    part[i] = day - 7 * floor(day / 7);
  }
}

TACIT_CLONES static void trends(double start, const double *values, size_t count, double *restrict part) {
  for (size_t i = 0; i < count; i++) part[i] = values[i] / DAY - start;
}

TACIT_CLONES static void hours(const double *values, size_t count, double *restrict part) {
  for (size_t i = 0; i < count; i++) part[i] = floor((values[i] - floor(values[i] / DAY) * DAY) / HOUR);
}

static void parts_of(const tacit_feature *feature, const double *values, size_t count, double *part) {
  if (feature->part == TACIT_PART_WEEKDAY)
    weekdays(values, count, part);
  else if (feature->part == TACIT_PART_TREND)
    trends(feature->start, values, count, part);
  else if (feature->part == TACIT_PART_HOUR)
    hours(values, count, part);
  else
    for (size_t i = 0; i < count; i++) part[i] = tacit_feature_part(feature, values[i]);
}

/* Flags, and parts of moments: as tacit_feature_encode, to the bit. */
static bool encode_parts(const tacit_feature *feature, const double *values, size_t count, double *x,
                         tacit_tally *tally) {
  double part[TACIT_TILE];
  size_t level[TACIT_TILE];
  bool good = true, flag = feature->part == TACIT_PART_FLAG; /* columns in memory have not been looked at */
  bool whole = !flag && all_finite(values, count);
  if (whole) parts_of(feature, values, count, part);
  if (whole) tally->seen += count;
  for (size_t i = 0; i < count && !whole; i++) {
    bool there = isfinite(values[i]) != 0 && (!flag || values[i] == 0 || values[i] == 1);
    good &= there || feature->has_missing;
    part[i] = tacit_feature_part(feature, there ? values[i] : feature->missing);
    tacit_tally_number(tally, feature->has_scale ? &feature->scale : NULL, there, part[i]);
    tally->unreadable += !there && !isnan(values[i]);
  }
  if (feature->kind == TACIT_FEATURE_CATEGORY) {
    for (size_t i = 0; i < count; i++) level[i] = (size_t)part[i];
    for (size_t i = 0; i < count && feature->part == TACIT_PART_HOUR; i++) tally->later += level[i] > 0;
    tacit_encode_levels(feature, level, count, x);
    tacit_wipe(level, sizeof level);
  } else {
    size_t beyond = scale_numbers(&feature->scale, part, count, x);
    tally->clamped += whole && feature->has_scale ? beyond : 0;
  }
  tacit_wipe(part, sizeof part);
  return good;
}

/* A feature whose columns are functions of its number. */
static bool encode_basis(const tacit_feature *feature, const double *values, size_t count, double *x,
                         tacit_tally *tally) {
  double out[TACIT_COLUMNS_MAX];
  bool good = true;
  for (size_t i = 0; i < count; i++) {
    bool finite = isfinite(values[i]) != 0;
    good &= finite || feature->has_missing;
    tacit_feature_encode(feature, finite ? values[i] : feature->missing, out);
    tacit_tally_number(tally, feature->has_scale ? &feature->scale : NULL, finite, values[i]);
    tally->unreadable += isinf(values[i]) != 0;
    for (size_t j = 0; j < feature->width; j++) x[j * TACIT_TILE + i] = out[j];
  }
  tacit_wipe(out, feature->width * sizeof *out);
  return good;
}

/* The last bits of targets; false where a cell does not say whether the day sold out. */
static bool mark_sold(const tacit_target *target, const double *sales, const double *cells, size_t count,
                      double *y, tacit_tally *tally) {
  bool good = true;
  for (size_t i = 0; i < count; i++) {
    bool there = tacit_sold_is_told(target, cells[i]);
    double told = tacit_sold_told(target, cells[i]);
    good &= !isnan(told);
    y[i] =
        tacit_sold_mark(&target->scale, y[i], isfinite(sales[i]) && tacit_sold_says(target, sales[i], told));
    tacit_tally_number(tally, NULL, there, 0);
    tally->unreadable += !there && !isnan(cells[i]);
  }
  return good;
}

/* Asks for a tile of the column that is read some turns later: of many columns each lies on a page of its
   own, where the processor does not look ahead by itself. */
static void ask_for(const tacit_encoder *encoder, const double *const *values, size_t f, size_t first,
                    size_t count) {
  enum { TURNS = 4, LINE = 64 / sizeof(double) };
  const tacit_schema *schema = encoder->schema;
  if (f + TURNS >= schema->feature_count) return;
  tacit_reads reading = tacit_feature_reads(&schema->features[f + TURNS]);
  if (reading == TACIT_READS_LEVEL || reading == TACIT_READS_NOTHING) return;
  const double *from = values[encoder->features[f + TURNS]] + first;
  for (size_t i = 0; i < count; i += LINE) __builtin_prefetch(from + i, 0, 2);
}

bool tacit_encode_tile(const tacit_encoder *encoder, const double *const *values, size_t first, size_t count,
                       double *x, double *y, tacit_tally *tally) {
  const tacit_schema *schema = encoder->schema;
  bool good = true;
  for (size_t i = 0; i < count; i++) x[i] = 1;
  for (size_t f = 0; f < schema->feature_count; f++) {
    const tacit_feature *feature = &schema->features[f];
    tacit_reads reading = tacit_feature_reads(feature);
    ask_for(encoder, values, f, first, count);
    if (reading == TACIT_READS_LEVEL || reading == TACIT_READS_NOTHING) continue;
    const double *from = values[encoder->features[f]] + first;
    double *out = x + feature->first * TACIT_TILE;
    const column number = {&feature->scale, feature->has_missing, feature->missing};
    bool part = feature->part != TACIT_PART_CELL && feature->part != TACIT_PART_DAY_OF_YEAR;
    good &= part                                    ? encode_parts(feature, from, count, out, &tally[f])
            : feature->kind == TACIT_FEATURE_NUMBER ? encode_numbers(&number, from, count, out, &tally[f])
                                                    : encode_basis(feature, from, count, out, &tally[f]);
  }
  for (size_t t = 0; t < schema->target_count; t++) {
    const tacit_target *target = &schema->targets[t];
    const column number = {&target->scale, target->has_missing, target->missing};
    const double *sales = values[encoder->targets[t]] + first;
    good &= encode_numbers(&number, sales, count, y + t * TACIT_TILE, &tally[schema->feature_count + t]);
    if (encoder->sold[t] == TACIT_NO_COLUMN) continue;
    good &= mark_sold(target, sales, values[encoder->sold[t]] + first, count, y + t * TACIT_TILE,
                      &tally[schema->feature_count + schema->target_count + t]);
  }
  return good;
}
