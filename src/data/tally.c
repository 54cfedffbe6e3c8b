/* Counts of cells that the schema did not foresee. */
#include "data/tally.h"

#include "base/base.h"

#include <math.h>
#include <string.h>
#include <tacit/data.h>

size_t tacit_tally_count(const tacit_schema *schema) {
  return tacit_schema_entries(schema);
}

tacit_status tacit_tally_open(tacit_source *source, const tacit_schema *schema, tacit_error *error) {
  size_t count = tacit_tally_count(schema);
  if (source->reader.tally && source->reader.tally_count == count) return TACIT_OK;
  tacit_free_wiped(source->reader.tally, source->reader.tally_count * sizeof *source->reader.tally);
  source->reader.tally = tacit_alloc(count, sizeof *source->reader.tally);
  source->reader.tally_count = source->reader.tally ? count : 0;
  return source->reader.tally ? TACIT_OK : tacit_no_memory(error);
}

void tacit_tally_give(tacit_source *source, tacit_tally *tally, size_t count) {
  for (size_t i = 0; source->reader.tally && i < count && i < source->reader.tally_count; i++) {
    tacit_tally *sum = &source->reader.tally[i];
    sum->seen += tally[i].seen;
    sum->clamped += tally[i].clamped;
    sum->unlisted += tally[i].unlisted;
    sum->foreign += tally[i].foreign;
    sum->missing += tally[i].missing;
    sum->unreadable += tally[i].unreadable;
    sum->commas += tally[i].commas;
    sum->crossed += tally[i].crossed;
    sum->later += tally[i].later;
    if (!sum->first_unlisted) sum->first_unlisted = tally[i].first_unlisted;
  }
  memset(tally, 0, count * sizeof *tally);
}

bool tacit_tally_beyond(const tacit_scale *scale, double x) {
  tacit_scale wide = *scale;
  wide.limit = INFINITY;
  return fabs(tacit_scale_encode(&wide, x)) > tacit_tally_limit(scale);
}

void tacit_tally_number(tacit_tally *tally, const tacit_scale *scale, bool found, double x) {
  tally->seen++;
  if (!found)
    tally->missing++;
  else if (scale)
    tally->clamped += tacit_tally_beyond(scale, x);
}

bool tacit_tally_comma(const tacit_source *source, const tacit_cell *cell) {
  tacit_source other = {.text.decimal_comma = true};
  double number;
  return !source->text.decimal_comma && cell->text && memchr(cell->text, ',', cell->length) &&
         tacit_source_read_number(&other, cell, &number) == TACIT_NUMBER;
}

bool tacit_tally_empty(const tacit_cell *cell) {
  double unused;
  return cell->text ? tacit_cell_read_number(cell, &unused) == TACIT_NUMBER_EMPTY : isnan(cell->number) != 0;
}

void tacit_tally_unreadable(tacit_tally *tally, const tacit_source *source, const tacit_cell *cell) {
  if (tacit_tally_empty(cell)) return;
  tally->unreadable++;
  tally->commas += tacit_tally_comma(source, cell);
}

static const char *name_of(const tacit_schema *schema, size_t index) {
  size_t t = index - schema->feature_count, targets = schema->target_count;
  if (index >= schema->feature_count + targets && schema->targets[t - targets].sold_column)
    return schema->targets[t - targets].sold_column;
  if (index >= schema->feature_count) return schema->targets[t % targets].name;
  const tacit_feature *feature = &schema->features[index];
  return feature->kind == TACIT_FEATURE_LAG ? schema->column_names[feature->first] : feature->name;
}

bool tacit_tally_lists_all(const tacit_feature *feature) {
  return tacit_feature_reads(feature) == TACIT_READS_LEVEL && !feature->hashed &&
         strcmp(feature->levels[feature->unknown_level], "other") != 0;
}

/* Where several processes read, they count what is odd alone, and nothing is said of most of it. */
static void judge(const tacit_schema *schema, size_t index, const tacit_tally *counted,
                  tacit_column_tally *tally) {
  size_t empty = counted->missing - counted->unreadable, there = counted->seen - empty;
  const tacit_feature *feature = index < schema->feature_count ? &schema->features[index] : NULL;
  bool target = !feature && index < schema->feature_count + schema->target_count;
  if (counted->seen < counted->missing) return;
  tally->mostly_unreadable = tacit_tally_mostly(counted->unreadable, there);
  tally->mostly_unlisted =
      feature && tacit_tally_lists_all(feature) && tacit_tally_mostly(counted->unlisted, there);
  tally->mostly_beyond = target && tacit_tally_mostly(counted->clamped, there);
  tally->all_midnight =
      feature && feature->part == TACIT_PART_HOUR && there > counted->unreadable && counted->later == 0;
  bool lag = feature && feature->kind == TACIT_FEATURE_LAG; /* short series find few, wrong periods nothing */
  tally->mostly_not_found = lag && tacit_tally_mostly(counted->missing, counted->seen) &&
                            counted->missing / 19 >= counted->seen - counted->missing;
}

bool tacit_source_tally(const tacit_source *source, const tacit_schema *schema, size_t index,
                        tacit_column_tally *tally) {
  *tally = (tacit_column_tally){0};
  if (index >= source->reader.tally_count || source->reader.tally_count != tacit_tally_count(schema))
    return false;
  const tacit_tally *counted = &source->reader.tally[index];
  *tally = (tacit_column_tally){.name = name_of(schema, index),
                                .clamped = counted->clamped,
                                .unlisted = counted->unlisted,
                                .foreign = counted->foreign,
                                .missing = counted->missing,
                                .crossed = counted->crossed,
                                .seen = counted->seen,
                                .unreadable = counted->unreadable,
                                .commas = counted->commas,
                                .first_unlisted = counted->first_unlisted};
  judge(schema, index, counted, tally);
  return true;
}
