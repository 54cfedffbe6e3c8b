/* The words for a cell that is not what the schema says: which one it is, what it seems to be and what to do,
   never what is in it. */
#include "base/base.h"
#include "data/encoder.h"
#include "data/tally.h"

#include <string.h>

static const char COMMA[] = "not a number; this looks like a decimal comma: give it as an option";

static bool is_target(const tacit_encoder *encoder, const char *column) {
  for (size_t t = 0; t < encoder->schema->target_count; t++)
    if (!strcmp(encoder->schema->targets[t].name, column)) return true;
  return false;
}

/* What a cell is not, and how a schema would say what it seems to be: `missing` alone would make such a
   column constant. */
static const char *words_for(const tacit_encoder *encoder, const tacit_input *input) {
  double value;
  if (!input || input->kind == TACIT_NUMBER_EMPTY) return "the cell is empty";
  const tacit_cell *cell = &encoder->cells[input->column];
  if (input->reading == TACIT_READS_FLAG)
    return encoder->settled
               ? "neither true nor false: a flag is true/false, yes/no, t/f, y/n or 1/0"
               : "neither true nor false: a flag is true/false, yes/no, t/f, y/n or 1/0 (other words are "
                 "levels: write \"levels\": [\"nein\", \"ja\"] in place of \"flag\")";
  if (input->reading == TACIT_READS_MOMENT)
    return input->format      ? "not a date in the schema's format"
           : encoder->settled ? "not a date like 2024-01-31"
                              : "not a date like 2024-01-31 (\"format\" says how others are written)";
  if (input->kind == TACIT_NUMBER_NOT_FINITE) return "not a finite number";
  if (input->kind == TACIT_NUMBER_TEXT && tacit_tally_comma(encoder->source, cell)) return COMMA;
  if (encoder->settled) return "not a number";
  if (tacit_cell_read_flag(cell, &value) == TACIT_NUMBER)
    return "a truth and no number (write \"flag\": true in place of its bounds)";
  if (tacit_cell_read_moment(cell, NULL, &value) == TACIT_NUMBER)
    return "a date and no number (write \"date\": [\"weekday\", \"month\"] in place of its bounds)";
  return "not a number";
}

/* A date of another form is likelier than one that is missing; the schema's format is public, the cell is
   not. */
static tacit_status bad_date(const tacit_encoder *encoder, const char *column, const char *format,
                             tacit_error *error) {
  const char *fix = encoder->settled ? "fix this cell: the policy's schema has no value for it"
                    : format         ? "check the column's \"format\", or fix the row, or add \"missing\""
                             : "say in the column's \"format\" how its dates are written (\"%d.%m.%Y\"), or "
                               "fix the row, or add \"missing\"";
  return tacit_fail(error, TACIT_BAD_INPUT, "record %zu, column \"%.200s\": not a date %s%.80s%s; %s",
                    encoder->source->record, column, format ? "in the schema's format \"" : "like 2024-01-31",
                    format ? format : "", format ? "\"" : "", fix);
}

tacit_status tacit_encoder_bad_cell(const tacit_encoder *encoder, const char *column,
                                    const tacit_input *input, tacit_error *error) {
  if (input && input->reading == TACIT_READS_MOMENT && input->kind != TACIT_NUMBER_EMPTY)
    return bad_date(encoder, column, input->format, error);
  const char *words = words_for(encoder, input);
  const char *fix =
      encoder->settled ? "; fix this cell: the policy's schema has no value for it"
      : is_target(encoder, column)
          ? "; fix the row, or leave such rows out of the table (\"missing\" in the schema is for a "
            "lost record that really means one value)"
          : "; add \"missing\" to this column in the schema, or fix the row";
  if (words == COMMA) fix = ""; /* other readings of such a column would be wrong */
  return tacit_fail(error, TACIT_BAD_INPUT, "record %zu, column \"%.200s\": %s%s", encoder->source->record,
                    column, words, fix);
}

static const char *words_for_sold(const tacit_encoder *encoder, const tacit_target *of,
                                  const tacit_input *in) {
  double truth;
  if (in->kind == TACIT_NUMBER_EMPTY) return "the cell is empty";
  if (of->sold_words) return "none of its two levels";
  if (!of->sold_by_stock) return "neither true nor false: a flag is true/false, yes/no, t/f, y/n or 1/0";
  if (tacit_cell_read_flag(&encoder->cells[in->column], &truth) == TACIT_NUMBER)
    return "a truth and no number (write \"sold_out\" in place of \"stock\")";
  return words_for(encoder, in);
}

tacit_status tacit_encoder_bad_sold(const tacit_encoder *encoder, size_t target, tacit_error *error) {
  const tacit_target *of = &encoder->schema->targets[target];
  const char *mend =
      of->sold_by_stock
          ? "\"stock\": {\"name\": ..., \"missing\": 500} says what such cells are taken as"
          : "\"sold_out\": {\"name\": ..., \"levels\": [\"nein\", \"ja\"], \"missing\": \"nein\"} "
            "says which words are used, the second for sold out, and what other cells are taken as";
  return tacit_fail(error, TACIT_BAD_INPUT, "record %zu, column \"%.120s\" (%s): %s; %s; or mend the row",
                    encoder->source->record, of->sold_column, of->sold_by_stock ? "stock" : "sold_out",
                    words_for_sold(encoder, of, &encoder->inputs[encoder->sold[target]]), mend);
}

tacit_status tacit_encoder_bad_time(const tacit_encoder *encoder, const tacit_input *time, bool whole,
                                    tacit_error *error) {
  bool number = time->reading == TACIT_READS_NUMBER;
  return tacit_fail(error, TACIT_BAD_INPUT,
                    "record %zu, column \"%.200s\", the time of \"panel\": %s; add \"missing\": true to "
                    "\"panel\" in the schema%s, or fix the row",
                    encoder->source->record, encoder->schema->panel.time,
                    whole ? words_for(encoder, time) : "not a whole number",
                    number ? "" : ", or \"every\": \"number\" where times are whole numbers");
}

tacit_status tacit_encoder_no_past(const tacit_encoder *encoder, size_t target, tacit_error *error) {
  const tacit_schema *schema = encoder->schema;
  size_t furthest = 0;
  for (size_t f = 0; f < schema->feature_count; f++) {
    const tacit_feature *feature = &schema->features[f];
    if (feature->kind == TACIT_FEATURE_LAG && feature->lag_target == target && feature->lag > furthest)
      furthest = feature->lag;
  }
  return tacit_fail(
      error, TACIT_BAD_INPUT,
      "the table has no column \"%.200s\", which the policy looks up %zu %s before: give order a table "
      "that also holds those earlier rows, with this column",
      schema->targets[target].name, furthest, schema->panel.time ? "periods" : "records");
}
