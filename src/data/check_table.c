/* What the cells of a table are to a schema: counts for the data holder, by column. */
#include "base/base.h"
#include "data/encoder.h"
#include "data/tally.h"

#include <math.h>
#include <stdlib.h>

typedef struct counting {
  tacit_encoder *encoder;
  const tacit_schema *schema;
  tacit_cell_counts *counts; /* of tacit_schema_entries */
  double (*range)[2];        /* the least and the largest number of each */
  bool *seen;                /* of each level of each feature; columns + features in all */
} counting;

static bool has_levels(const tacit_feature *feature) {
  return feature->kind == TACIT_FEATURE_CATEGORY && !feature->hashed && feature->part != TACIT_PART_FLAG &&
         feature->factor_count == 0;
}

/* Where the levels of feature f begin: each has one more of them than encoded columns. */
static size_t levels_at(const tacit_schema *schema, size_t f) {
  return schema->features[f].first + f;
}

static void see_level(const counting *c, size_t f, size_t level) {
  const tacit_feature *feature = &c->schema->features[f];
  if (has_levels(feature) && level <= feature->width) c->seen[levels_at(c->schema, f) + level] = true;
}

static void count_unseen(const counting *c) {
  for (size_t f = 0; f < c->schema->feature_count; f++) {
    const tacit_feature *feature = &c->schema->features[f];
    if (!has_levels(feature)) continue;
    const bool *seen = c->seen + levels_at(c->schema, f);
    c->counts[f].levels = feature->width + 1;
    for (size_t level = 0; level <= feature->width; level++) c->counts[f].unseen += !seen[level];
  }
}

/* A number beyond what the scale holds. Clamped is what is not at the bound itself. */
static bool is_outside(const tacit_scale *scale, double x) {
  double low = tacit_scale_decode(scale, -scale->limit), high = tacit_scale_decode(scale, scale->limit);
  double slack = 1e-12 * (high - low); /* a logarithm and back again */
  return x < low - slack || x > high + slack;
}

/* range: the least and the largest number so far. */
static void count_value(const tacit_encoder *encoder, const tacit_input *input, const tacit_feature *feature,
                        const tacit_scale *scale, tacit_cell_counts *counts, double range[2]) {
  const tacit_cell *cell = &encoder->cells[input->column];
  double value;
  if (tacit_tally_empty(cell)) {
    counts->empty++;
  } else if (tacit_encoder_read(encoder, input, &value) != TACIT_NUMBER) {
    counts->unreadable++;
    counts->commas += tacit_tally_comma(encoder->source, cell);
  } else if (scale) {
    if (feature) value = tacit_feature_part(feature, value);
    counts->outside += is_outside(scale, value);
    range[0] = fmin(range[0], value);
    range[1] = fmax(range[1], value);
  }
}

static void count_record(const counting *c) {
  const tacit_schema *schema = c->schema;
  const tacit_encoder *encoder = c->encoder;
  for (size_t f = 0; f < schema->feature_count; f++) {
    const tacit_feature *feature = &schema->features[f];
    tacit_reads reads = tacit_feature_reads(feature);
    if (reads == TACIT_READS_NOTHING) continue;
    if (reads == TACIT_READS_LEVEL) {
      const tacit_cell *cell = &encoder->cells[encoder->features[f]];
      bool empty = tacit_tally_empty(cell);
      c->counts[f].empty += empty;
      see_level(c, f, tacit_level_of(&encoder->levels[f], cell));
      bool unlisted = !empty && !tacit_level_is_listed(&encoder->levels[f], cell);
      c->counts[f].unlisted += unlisted;
      c->counts[f].foreign += unlisted && cell->text && !tacit_is_utf8(cell->text, cell->length);
      continue;
    }
    const tacit_input *input = &encoder->inputs[encoder->features[f]];
    count_value(encoder, input, feature, feature->has_scale ? &feature->scale : NULL, &c->counts[f],
                c->range[f]);
    double moment;
    if (has_levels(feature) && tacit_encoder_read(encoder, input, &moment) == TACIT_NUMBER)
      see_level(c, f, (size_t)tacit_feature_part(feature, moment));
  }
  for (size_t t = 0; t < schema->target_count; t++) {
    const tacit_input *input = &encoder->inputs[encoder->targets[t]];
    /* a sum's bounds say nothing of one of its cells */
    const tacit_scale *scale = schema->targets[t].sum_of_next > 1 ? NULL : &schema->targets[t].scale;
    size_t k = schema->feature_count + t;
    count_value(encoder, input, NULL, scale, &c->counts[k], c->range[k]);
    if (encoder->sold[t] != TACIT_NO_COLUMN)
      count_value(encoder, &encoder->inputs[encoder->sold[t]], NULL, NULL,
                  &c->counts[k + schema->target_count], NULL);
  }
}

/* Where most cells are of no listed level, or most of a target lies beyond its bounds. */
static size_t mostly_refused(const tacit_feature *feature, const tacit_cell_counts *n, size_t records) {
  size_t there = records - n->empty;
  if (tacit_tally_mostly(n->unreadable, there)) return n->unreadable;
  if (feature && tacit_tally_lists_all(feature) && tacit_tally_mostly(n->unlisted, there)) return n->unlisted;
  return !feature && tacit_tally_mostly(n->outside, there) ? n->outside : 0;
}

/* A cell without a `missing`, and cells that are most of a column. */
static void count_refused(const counting *c, size_t records) {
  const tacit_schema *schema = c->schema;
  for (size_t k = 0; k < schema->feature_count + schema->target_count; k++) {
    const tacit_feature *feature = k < schema->feature_count ? &schema->features[k] : NULL;
    bool may = feature ? feature->has_missing || tacit_feature_reads(feature) == TACIT_READS_LEVEL
                       : schema->targets[k - schema->feature_count].has_missing;
    tacit_cell_counts *n = &c->counts[k];
    n->refused = may ? 0 : n->empty + n->unreadable;
    if (!n->refused) n->refused = mostly_refused(feature, n, records);
    if (feature || !schema->targets[k - schema->feature_count].sold_column) continue;
    tacit_cell_counts *told = &c->counts[k + schema->target_count];
    bool tolerated = schema->targets[k - schema->feature_count].sold_has_missing;
    told->refused = tolerated ? 0 : told->empty + told->unreadable;
    if (tolerated && tacit_tally_mostly(told->unreadable, records - told->empty))
      told->refused = told->unreadable;
    told->filled = 1;
  }
}

/* How much of its bounds a column of numbers spreads over: next to nothing where they are in other units. */
static void measure_ranges(const counting *c) {
  const tacit_schema *schema = c->schema;
  for (size_t k = 0; k < schema->feature_count + schema->target_count; k++) {
    const tacit_feature *feature = k < schema->feature_count ? &schema->features[k] : NULL;
    bool number = feature ? feature->kind == TACIT_FEATURE_NUMBER && feature->has_scale
                          : schema->targets[k - schema->feature_count].bounded;
    const tacit_scale *scale = feature ? &feature->scale : &schema->targets[k - schema->feature_count].scale;
    double low = tacit_scale_decode(scale, -1), high = tacit_scale_decode(scale, 1);
    bool bounded = number && scale->limit == 1 && !(scale->log_unit > 0) && c->range[k][0] < c->range[k][1];
    c->counts[k].filled = bounded ? (c->range[k][1] - c->range[k][0]) / (high - low) : 1;
  }
}

tacit_status tacit_schema_check_table(const tacit_schema *schema, tacit_source *source,
                                      tacit_cell_counts *counts, size_t *records,
                                      const tacit_context *context, tacit_error *error) {
  enum { STEP = 4096 };
  counting c = {.schema = schema, .counts = counts};
  for (size_t k = 0; k < tacit_schema_entries(schema); k++) counts[k] = (tacit_cell_counts){0};
  *records = 0;
  source->reader.threads = tacit_threads(context);
  source->reader.context = context;
  size_t ranges = (schema->feature_count + schema->target_count) * sizeof *c.range;
  c.range = tacit_alloc(ranges, 1);
  size_t levels = schema->columns + schema->feature_count;
  c.seen = tacit_alloc(levels, sizeof *c.seen);
  if (!c.range || !c.seen) {
    free(c.range);
    free(c.seen);
    return tacit_no_memory(error);
  }
  for (size_t k = 0; k < ranges / sizeof *c.range; k++) c.range[k][0] = INFINITY, c.range[k][1] = -INFINITY;
  tacit_status status = tacit_encoder_new(source, schema, true, &c.encoder, error);
  for (bool more = true; !status;) {
    if (*records % STEP == 0) status = tacit_progress(context, "checking", source->fraction, error);
    if (!status) status = source->next(source, c.encoder->cells, &more, error);
    if (status || !more) break;
    count_record(&c);
    ++*records;
  }
  count_refused(&c, *records);
  measure_ranges(&c);
  count_unseen(&c);
  tacit_free_wiped(c.seen, levels * sizeof *c.seen);
  tacit_free_wiped(c.range, ranges);
  tacit_encoder_free(c.encoder);
  return status;
}

static tacit_status keep_nothing(void *self, const double *x, const double *y, tacit_error *error) {
  (void)self, (void)x, (void)y, (void)error;
  return TACIT_OK;
}

tacit_status tacit_schema_try_table(const tacit_schema *schema, tacit_source *source,
                                    tacit_pack_counts *counts, const tacit_context *context,
                                    tacit_error *error) {
  const tacit_row_taker taker = {.add = keep_nothing};
  tacit_read_counts read = {0};
  tacit_status status = tacit_encode_source(source, schema, true, &taker, &read, context, error);
  *counts = (tacit_pack_counts){read.records, read.rows, read.dropped_lag, read.dropped_unit};
  return status;
}
