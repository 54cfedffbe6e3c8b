/* Turns records into encoded rows: finds the schema's columns in the source, reads each cell once, clamps,
   scales, lags, and drops what the schema says must not count.

   A row depends on the schema and its own record, for lags on the targets of the records that the schema
   names, and whether it is kept on the records of its own unit alone. */
#include "data/encoder.h"

#include "base/base.h"
#include "data/pack.h"
#include "data/shards.h"
#include "data/tally.h"
#include "data/unit_name.h"
#include "schema/sold.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const size_t NONE = TACIT_NO_COLUMN;

static bool is_same(const char *a, const char *b) {
  return a && b ? strcmp(a, b) == 0 : a == b;
}

static size_t input_for(tacit_encoder *encoder, size_t column, tacit_reads reading, const char *format) {
  for (size_t i = 0; i < encoder->input_count; i++) {
    const tacit_input *in = &encoder->inputs[i];
    if (in->column == column && in->reading == reading && is_same(in->format, format)) return i;
  }
  encoder->inputs[encoder->input_count] =
      (tacit_input){.column = column, .reading = reading, .format = format};
  return encoder->input_count++;
}

tacit_number_kind tacit_input_read(const tacit_input *input, const tacit_cell *cell, double *value) {
  if (input->reading == TACIT_READS_FLAG && input->format)
    return tacit_cell_read_words(cell, input->format, value);
  return input->reading == TACIT_READS_FLAG     ? tacit_cell_read_flag(cell, value)
         : input->reading == TACIT_READS_MOMENT ? tacit_cell_read_moment(cell, input->format, value)
                                                : tacit_cell_read_number(cell, value);
}

static tacit_status find_features(tacit_encoder *encoder, tacit_error *error) {
  for (size_t f = 0; f < encoder->schema->feature_count; f++) {
    const tacit_feature *feature = &encoder->schema->features[f];
    tacit_reads reading = tacit_feature_reads(feature);
    encoder->features[f] = NONE;
    if (reading == TACIT_READS_NOTHING) continue;
    size_t column;
    TACIT_TRY(tacit_source_find(encoder->source, feature->name, &column, error));
    encoder->features[f] =
        reading == TACIT_READS_LEVEL ? column : input_for(encoder, column, reading, feature->format);
  }
  return TACIT_OK;
}

static bool is_lagged(const tacit_schema *schema, size_t target) {
  for (size_t f = 0; f < schema->feature_count; f++)
    if (schema->features[f].kind == TACIT_FEATURE_LAG && schema->features[f].lag_target == target)
      return true;
  return false;
}

/* Who only orders, or evaluates a policy, needs not to know which days sold out. */
static tacit_status find_sold(tacit_encoder *encoder, size_t t, tacit_error *error) {
  const tacit_target *target = &encoder->schema->targets[t];
  size_t column;
  encoder->sold[t] = NONE;
  if (!target->sold_column || encoder->settled) return TACIT_OK;
  TACIT_TRY(tacit_source_find(encoder->source, target->sold_column, &column, error));
  tacit_reads reading = target->sold_by_stock ? TACIT_READS_NUMBER : TACIT_READS_FLAG;
  encoder->sold[t] = input_for(encoder, column, reading, target->sold_words);
  return TACIT_OK;
}

static tacit_status find_targets(tacit_encoder *encoder, tacit_error *error) {
  for (size_t t = 0; t < encoder->schema->target_count; t++) {
    const char *name = encoder->schema->targets[t].name;
    bool needed = encoder->need_targets || is_lagged(encoder->schema, t);
    encoder->targets[t] = NONE;
    size_t column;
    tacit_status status = tacit_source_find(encoder->source, name, &column, needed ? error : NULL);
    if (status && needed && !encoder->need_targets && encoder->source->columns > 1)
      return tacit_encoder_no_past(encoder, t, error);
    if (status && needed) return status;
    if (!status) encoder->targets[t] = input_for(encoder, column, TACIT_READS_NUMBER, NULL);
    TACIT_TRY(find_sold(encoder, t, error));
  }
  return TACIT_OK;
}

static tacit_status find_units(tacit_encoder *encoder, tacit_error *error) {
  const tacit_schema *schema = encoder->schema;
  if (!schema->unit_column) return TACIT_OK;
  bool within = tacit_schema_groups_in_units(schema);
  if ((schema->largest_lag > 0 || tacit_schema_looks_up(schema)) && !within)
    return tacit_fail(error, TACIT_REFUSED,
                      "\"unit.column\" cannot be combined with lags: they carry a unit's records into the "
                      "rows of others; remove one of them from the schema");
  TACIT_TRY(tacit_source_check_unit(encoder->source, schema, error)); /* packing comes this way too */
  TACIT_TRY(tacit_source_find(encoder->source, schema->unit_column, &encoder->unit_column, error));
  return tacit_units_new(schema->rows_per_unit, &encoder->units, error);
}

static tacit_status open_levels(tacit_encoder *encoder, tacit_error *error) {
  for (size_t f = 0; f < encoder->schema->feature_count; f++)
    if (tacit_feature_reads(&encoder->schema->features[f]) == TACIT_READS_LEVEL)
      TACIT_TRY(tacit_level_values_open(&encoder->levels[f], &encoder->schema->features[f], error));
  return TACIT_OK;
}

tacit_status tacit_encoder_new(tacit_source *source, const tacit_schema *schema, bool need_targets,
                               tacit_encoder **encoder, tacit_error *error) {
  *encoder = NULL;
  if (source->pack) return tacit_fail(error, TACIT_BAD_INPUT, "%s", TACIT_PACK_HAS_NO_RECORDS);
  if (source->engine) return tacit_fail(error, TACIT_BAD_INPUT, "%s", TACIT_ENGINE_HAS_NO_RECORDS);
  TACIT_TRY(tacit_source_check_lags(source, schema, error));
  tacit_encoder *self = tacit_alloc(1, sizeof *self);
  if (!self) return tacit_no_memory(error);
  self->source = source;
  self->schema = schema;
  self->need_targets = need_targets;
  self->settled = source->reader.settled || !need_targets; /* what is ordered for has a policy */
  self->cell_count = source->columns;
  self->cells = tacit_alloc(self->cell_count, sizeof *self->cells);
  self->inputs = tacit_alloc(schema->feature_count + 2 * schema->target_count, sizeof *self->inputs);
  self->features = tacit_alloc(schema->feature_count, sizeof *self->features);
  self->targets = tacit_alloc(schema->target_count, sizeof *self->targets);
  self->sold = tacit_alloc(schema->target_count, sizeof *self->sold);
  self->now = tacit_alloc(schema->target_count, sizeof *self->now);
  self->levels = tacit_alloc(schema->feature_count, sizeof *self->levels);
  self->tally = tacit_alloc(tacit_tally_count(schema), sizeof *self->tally);
  tacit_status status = TACIT_OK;
  if (!self->cells || !self->inputs || !self->features || !self->targets || !self->sold || !self->now ||
      !self->levels || !self->tally)
    status = tacit_no_memory(error);
  if (!status) status = tacit_tally_open(source, schema, error);
  size_t reach = tacit_schema_looks_up(schema) ? 0 : schema->largest_lag;
  if (!status) status = tacit_lags_open(&self->lags, reach, schema->target_count, error);
  if (!status) status = tacit_encoder_open_panel(self, error);
  if (!status) status = find_features(self, error);
  if (!status) status = find_targets(self, error);
  if (!status) status = open_levels(self, error);
  if (!status) status = tacit_lag_groups_open(self, error);
  if (status)
    tacit_encoder_free(self);
  else
    *encoder = self;
  return status;
}

void tacit_encoder_free(tacit_encoder *encoder) {
  if (!encoder) return;
  tacit_lag_groups_close(encoder);
  if (encoder->tally) tacit_tally_give(encoder->source, encoder->tally, tacit_tally_count(encoder->schema));
  free(encoder->tally);
  tacit_units_free(encoder->units);
  tacit_encoder_close_panel(encoder);
  tacit_lags_close(&encoder->lags);
  tacit_free_wiped(encoder->inputs, encoder->input_count * sizeof *encoder->inputs);
  tacit_free_wiped(encoder->now, encoder->schema->target_count * sizeof *encoder->now);
  tacit_free_wiped(encoder->cells, encoder->cell_count * sizeof *encoder->cells);
  for (size_t f = 0; encoder->levels && f < encoder->schema->feature_count; f++)
    tacit_level_values_close(&encoder->levels[f]);
  free(encoder->levels);
  free(encoder->features);
  free(encoder->targets);
  free(encoder->sold);
  free(encoder);
}

/* A cell that is something, but no number, flag or moment; in is NULL where there is no cell. */
static void tally_odd(const tacit_encoder *encoder, const tacit_input *in, tacit_tally *tally) {
  if (in && in->kind != TACIT_NUMBER)
    tacit_tally_unreadable(tally, encoder->source, &encoder->cells[in->column]);
}

/* The target with its last bit. What cannot be read stops, as a number does that has no `missing`. */
static tacit_status mark_sold(tacit_encoder *encoder, size_t t, double sales, double *y, tacit_error *error) {
  const tacit_target *target = &encoder->schema->targets[t];
  const tacit_input *in = &encoder->inputs[encoder->sold[t]];
  tacit_tally *tally = &encoder->tally[encoder->schema->feature_count + encoder->schema->target_count + t];
  double told = tacit_sold_told(target, in->kind == TACIT_NUMBER ? in->value : (double)NAN);
  if (isnan(told)) return tacit_encoder_bad_sold(encoder, t, error);
  *y = tacit_sold_mark(&target->scale, *y, tacit_sold_says(target, sales, told));
  tacit_tally_number(tally, NULL, in->kind == TACIT_NUMBER, 0);
  tally_odd(encoder, in, tally);
  return TACIT_OK;
}

/* In encoded units, NaN where a target, or a period of a sum, is not known and has no `missing`. */
static tacit_status read_targets(tacit_encoder *encoder, double *y, tacit_error *error) {
  for (size_t t = 0; t < encoder->schema->target_count; t++) {
    const tacit_target *target = &encoder->schema->targets[t];
    const tacit_input *in = encoder->targets[t] == NONE ? NULL : &encoder->inputs[encoder->targets[t]];
    bool there = in && in->kind == TACIT_NUMBER;
    double value = there ? in->value : NAN;
    encoder->now[t] = value;
    if (!there && encoder->need_targets) {
      if (!target->has_missing) return tacit_encoder_bad_cell(encoder, target->name, in, error);
      value = target->missing;
    }
    if (target->sum_of_next) {
      value = tacit_encoder_sum(encoder, t, value, &there);
      encoder->now[t] = value;
    }
    y[t] = isnan(value) ? value : tacit_scale_encode(&target->scale, value);
    if (encoder->sold[t] != NONE) TACIT_TRY(mark_sold(encoder, t, there ? value : (double)NAN, &y[t], error));
    tacit_tally *tally = &encoder->tally[encoder->schema->feature_count + t];
    if (!encoder->need_targets) continue;
    tacit_tally_number(tally, &target->scale, there, value);
    tally_odd(encoder, in, tally);
  }
  return TACIT_OK;
}

/* The target so many records earlier, or so many periods; NaN where it is not known. */
static double lagged(const tacit_encoder *encoder, const tacit_feature *lag) {
  if (encoder->panel) return tacit_encoder_look_up(encoder, -(int64_t)lag->lag, lag->lag_target);
  return tacit_lags_get(&encoder->lags, lag->lag, lag->lag_target);
}

/* A lagged target that nobody knew at the time: the lag's own `missing`, else the target's, else NaN. */
static double find_lagged(const tacit_encoder *encoder, const tacit_feature *feature) {
  double value = lagged(encoder, feature);
  const tacit_target *target = &encoder->schema->targets[feature->lag_target];
  if (!isnan(value)) return value;
  return feature->has_missing ? feature->missing : target->has_missing ? target->missing : value;
}

static bool is_known(const tacit_encoder *encoder, const tacit_feature *lag) {
  return !isnan(lagged(encoder, lag));
}

tacit_number_kind tacit_encoder_read(const tacit_encoder *encoder, const tacit_input *input, double *value) {
  const tacit_cell *cell = &encoder->cells[input->column];
  if (input->reading == TACIT_READS_NUMBER) return tacit_source_read_number(encoder->source, cell, value);
  char room[TACIT_POINTED];
  const tacit_cell pointed = tacit_cell_pointed(cell, encoder->source->text.decimal_comma, room);
  return tacit_input_read(input, &pointed, value);
}

static void read_inputs(tacit_encoder *encoder) {
  for (size_t i = 0; i < encoder->input_count; i++) {
    tacit_input *in = &encoder->inputs[i];
    in->kind = tacit_encoder_read(encoder, in, &in->value);
  }
}

/* Where somebody waits for the orders, the first cell of no listed level is worth a look. */
static void note_first(const tacit_encoder *encoder, tacit_tally *tally) {
  if (!encoder->need_targets && tally->unlisted && !tally->first_unlisted)
    tally->first_unlisted = encoder->source->record;
}

static tacit_status encode_features(tacit_encoder *encoder, double *x, bool *known, tacit_error *error) {
  *known = true;
  x[0] = 1;
  for (size_t f = 0; f < encoder->schema->feature_count; f++) {
    const tacit_feature *feature = &encoder->schema->features[f];
    tacit_reads reading = tacit_feature_reads(feature);
    double *out = x + feature->first, value;
    if (feature->factor_count > 0) continue;
    if (reading == TACIT_READS_LEVEL) {
      const tacit_cell *cell = &encoder->cells[encoder->features[f]];
      size_t level = tacit_level_of(&encoder->levels[f], cell);
      tacit_feature_encode_level(feature, level, out);
      tacit_level_tally(&encoder->levels[f], cell, level, &encoder->tally[f]);
      note_first(encoder, &encoder->tally[f]);
      continue;
    }
    if (feature->kind == TACIT_FEATURE_LAG) {
      value = find_lagged(encoder, feature);
      *known = *known && !isnan(value);
    } else {
      const tacit_input *in = &encoder->inputs[encoder->features[f]];
      if (in->kind != TACIT_NUMBER && !feature->has_missing)
        return tacit_encoder_bad_cell(encoder, feature->name, in, error);
      value = in->kind == TACIT_NUMBER ? in->value : feature->missing;
    }
    if (!*known) continue;
    tacit_feature_encode(feature, value, out);
    const tacit_input *in =
        feature->kind == TACIT_FEATURE_LAG ? NULL : &encoder->inputs[encoder->features[f]];
    bool found = in ? in->kind == TACIT_NUMBER : is_known(encoder, feature);
    tacit_tally_number(&encoder->tally[f], feature->has_scale ? &feature->scale : NULL, found,
                       feature->part == TACIT_PART_CELL ? value : tacit_feature_part(feature, value));
    if (feature->part == TACIT_PART_HOUR) encoder->tally[f].later += tacit_feature_part(feature, value) > 0;
    tally_odd(encoder, in, &encoder->tally[f]);
  }
  if (*known) tacit_schema_multiply(encoder->schema, 1, 1, x);
  return TACIT_OK;
}

tacit_status tacit_encoder_row(tacit_encoder *encoder, double *x, double *y, bool *ready,
                               tacit_error *error) {
  *ready = false;
  if (tacit_encoder_is_twin(encoder)) {
    encoder->counts.dropped_unit++;
    return TACIT_OK;
  }
  TACIT_TRY(read_targets(encoder, y, error));
  bool known = true;
  for (size_t t = 0; encoder->need_targets && t < encoder->schema->target_count; t++)
    known = known && !isnan(y[t]);
  if (known && tacit_lags_full(&encoder->lags)) TACIT_TRY(encode_features(encoder, x, ready, error));
  tacit_lag_groups_see(encoder, *ready);
  tacit_lags_push(&encoder->lags, encoder->now);
  if (*ready)
    encoder->counts.rows++;
  else if (encoder->panel) /* how many find nothing is as private as their keys */
    encoder->counts.dropped_unit++;
  else
    encoder->counts.dropped_lag++;
  return TACIT_OK;
}

tacit_status tacit_encoder_next(tacit_encoder *encoder, double *x, double *y, bool *ready, bool *more,
                                tacit_error *error) {
  *ready = false;
  TACIT_TRY(tacit_encoder_record(encoder, more, error));
  if (!*more) return TACIT_OK;
  encoder->counts.records++;
  if (encoder->units) {
    bool keep;
    const tacit_cell *unit = &encoder->cells[encoder->unit_column];
    TACIT_TRY(tacit_unit_name_check(encoder->source, encoder->unit_column, unit, error));
    TACIT_TRY(tacit_shard_check(encoder->source, unit, error));
    TACIT_TRY(tacit_units_take(encoder->units, unit, &keep, error));
    if (!keep) {
      encoder->counts.dropped_unit++;
      return TACIT_OK;
    }
  }
  read_inputs(encoder);
  return tacit_encoder_row(encoder, x, y, ready, error);
}

static tacit_status drain(tacit_encoder *encoder, double *row, const tacit_row_taker *taker,
                          const tacit_context *context, tacit_error *error) {
  enum { STEP = 4096 }; /* records between two looks at the caller's wishes */
  double *y = row + encoder->schema->columns;
  for (bool more = true;;) {
    bool ready;
    if (encoder->counts.records % STEP == 0)
      TACIT_TRY(tacit_progress(context, "reading", encoder->source->fraction, error));
    TACIT_TRY(tacit_encoder_next(encoder, row, y, &ready, &more, error));
    if (!more) break;
    if (!ready) continue;
    if (taker->units && encoder->units)
      TACIT_TRY(tacit_unit_list_add(taker->units, tacit_units_last(encoder->units), error));
    TACIT_TRY(taker->add(taker->self, row, y, error));
  }
  return TACIT_OK;
}

tacit_status tacit_read_counts_check(const tacit_read_counts *counts, const tacit_schema *schema,
                                     tacit_error *error) {
  if (counts->records == 0)
    return tacit_fail(error, TACIT_BAD_INPUT, "the table has no rows, only column names");
  if (counts->rows == 0 && tacit_schema_looks_up(schema))
    return tacit_fail(
        error, TACIT_BAD_INPUT,
        "no row is left of %zu records: none finds all that it looks up; do \"by\" and \"time\" "
        "name the right columns?",
        counts->records);
  if (counts->rows == 0)
    return tacit_fail(error, TACIT_BAD_INPUT,
                      "no row is left of %zu records: the largest lag reaches %zu records back",
                      counts->records, schema->largest_lag);
  return TACIT_OK;
}

tacit_status tacit_encode_source(tacit_source *source, const tacit_schema *schema, bool need_targets,
                                 const tacit_row_taker *taker, tacit_read_counts *counts,
                                 const tacit_context *context, tacit_error *error) {
  *counts = (tacit_read_counts){0};
  source->reader.threads = tacit_threads(context);
  source->reader.context = context;
  tacit_encoder *encoder = NULL;
  tacit_status status = tacit_encoder_new(source, schema, need_targets, &encoder, error);
  if (!encoder) return status;
  size_t width = schema->columns + schema->target_count;
  double *row = tacit_alloc(width, sizeof *row);
  if (!row) status = tacit_no_memory(error);
  /* A limit protects what is learned from; an order for tomorrow is learned from nothing. */
  if (!status && need_targets) status = find_units(encoder, error);
  if (!status) status = tacit_encoder_read_panel(encoder, context, error);
  if (!status) status = drain(encoder, row, taker, context, error);
  *counts = encoder->counts;
  tacit_free_wiped(row, width * sizeof *row);
  tacit_encoder_free(encoder);
  return status;
}
