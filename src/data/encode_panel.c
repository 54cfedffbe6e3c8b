/* Look-ups of an encoder. All records are read first, and with them who has which key; then they are read
   again from memory, one after the other, and each row finds what it looks for, wherever that stands in the
   table. */
#include "base/base.h"
#include "data/encoder.h"
#include "data/unit_name.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

tacit_status tacit_encoder_open_panel(tacit_encoder *encoder, tacit_error *error) {
  const tacit_panel *panel = &encoder->schema->panel;
  if (!tacit_schema_looks_up(encoder->schema)) return TACIT_OK;
  tacit_panel_reader *reader = encoder->panel = tacit_alloc(1, sizeof *reader);
  if (!reader) return tacit_no_memory(error);
  reader->records.texts = !encoder->need_targets; /* who orders gives the table's own lines back */
  reader->by = tacit_alloc(panel->by_count + 1, sizeof *reader->by);
  reader->names = tacit_alloc(panel->by_count + 1, sizeof(const tacit_cell *));
  if (!reader->by || !reader->names) return tacit_no_memory(error);
  for (size_t k = 0; k < panel->by_count; k++)
    TACIT_TRY(tacit_source_find(encoder->source, panel->by[k], &reader->by[k], error));
  bool number = panel->every == TACIT_EVERY_NUMBER;
  reader->time =
      (tacit_input){.reading = number ? TACIT_READS_NUMBER : TACIT_READS_MOMENT, .format = panel->format};
  TACIT_TRY(tacit_source_find(encoder->source, panel->time, &reader->time.column, error));
  return tacit_lookup_new(encoder->schema->target_count, &reader->lookup, error);
}

void tacit_encoder_close_panel(tacit_encoder *encoder) {
  tacit_panel_reader *reader = encoder->panel;
  if (!reader) return;
  if (reader->complete) encoder->source->text.raw = NULL; /* it lay in what is given back here */
  tacit_lookup_free(reader->lookup);
  tacit_records_close(&reader->records);
  free(reader->by);
  free(reader->names);
  tacit_free_wiped(reader, sizeof *reader);
}

/* A time that cannot be read leaves the record without a key, where the schema says so; else it is for the
   data holder to mend, as other cells are. */
static tacit_status find_key(tacit_encoder *encoder, tacit_key *key, tacit_error *error) {
  const tacit_panel *panel = &encoder->schema->panel;
  tacit_panel_reader *reader = encoder->panel;
  *key = (tacit_key){0};
  reader->time.kind = tacit_encoder_read(encoder, &reader->time, &reader->time.value);
  bool whole = true;
  if (reader->time.kind == TACIT_NUMBER)
    key->known = whole = tacit_panel_period(panel, reader->time.value, &key->period);
  if (!key->known && !panel->missing) return tacit_encoder_bad_time(encoder, &reader->time, whole, error);
  for (size_t k = 0; k < panel->by_count; k++) {
    reader->names[k] = &encoder->cells[reader->by[k]];
    TACIT_TRY(tacit_name_check(encoder->source, reader->by[k], "group", reader->names[k], error));
  }
  return tacit_lookup_group(reader->lookup, reader->names, panel->by_count, &key->group, error);
}

static void read_now(tacit_encoder *encoder) {
  for (size_t t = 0; t < encoder->schema->target_count; t++) {
    const tacit_input *in =
        encoder->targets[t] == TACIT_NO_COLUMN ? NULL : &encoder->inputs[encoder->targets[t]];
    double value;
    bool there = in && tacit_encoder_read(encoder, in, &value) == TACIT_NUMBER;
    encoder->now[t] = there ? value : (double)NAN;
  }
}

static tacit_status keep_record(tacit_encoder *encoder, tacit_error *error) {
  tacit_panel_reader *reader = encoder->panel;
  tacit_key key;
  bool first;
  TACIT_TRY(find_key(encoder, &key, error));
  read_now(encoder);
  TACIT_TRY(tacit_lookup_add(reader->lookup, &key, encoder->now, &first, error));
  if (!first && encoder->schema->panel.unique && encoder->need_targets)
    return tacit_fail(error, TACIT_BAD_INPUT,
                      "record %zu has the group and time of an earlier one, but the schema's \"panel\" says "
                      "that they are \"unique\"; add the column that tells them apart to \"by\", or fix the "
                      "table",
                      encoder->source->record);
  return tacit_records_keep(&reader->records, encoder->source, encoder->cells, error);
}

tacit_status tacit_encoder_read_panel(tacit_encoder *encoder, const tacit_context *context,
                                      tacit_error *error) {
  enum { STEP = 4096 }; /* records between two looks at the caller's wishes */
  tacit_source *source = encoder->source;
  if (!encoder->panel || encoder->panel->complete) return TACIT_OK;
  for (size_t n = 0;; n++) {
    bool more;
    if (n % STEP == 0) TACIT_TRY(tacit_progress(context, "reading", source->fraction, error));
    TACIT_TRY(source->next(source, encoder->cells, &more, error));
    if (!more) break;
    TACIT_TRY(keep_record(encoder, error));
  }
  encoder->panel->complete = true;
  return TACIT_OK;
}

tacit_status tacit_encoder_record(tacit_encoder *encoder, bool *more, tacit_error *error) {
  tacit_panel_reader *reader = encoder->panel;
  if (!reader) return encoder->source->next(encoder->source, encoder->cells, more, error);
  TACIT_TRY(tacit_encoder_read_panel(encoder, NULL, error));
  *more = tacit_records_next(&reader->records, encoder->source, encoder->cells);
  reader->next++;
  return TACIT_OK;
}

bool tacit_encoder_is_twin(const tacit_encoder *encoder) {
  const tacit_panel_reader *reader = encoder->panel;
  return reader && encoder->need_targets && !tacit_lookup_is_first(reader->lookup, reader->next - 1);
}

double tacit_encoder_look_up(const tacit_encoder *encoder, int64_t after, size_t target) {
  const tacit_panel_reader *reader = encoder->panel;
  tacit_key key = tacit_lookup_key(reader->lookup, reader->next - 1);
  return tacit_lookup_find(reader->lookup, &key, after, target);
}

double tacit_encoder_sum(const tacit_encoder *encoder, size_t t, double own, bool *whole) {
  const tacit_target *target = &encoder->schema->targets[t];
  double unknown = target->has_missing ? target->missing : (double)NAN, sum = own;
  for (size_t j = 1; j < target->sum_of_next; j++) {
    double next = tacit_encoder_look_up(encoder, (int64_t)j, t);
    if (isnan(next)) *whole = false;
    sum += isnan(next) ? unknown : next;
  }
  return isinf(sum) ? copysign(DBL_MAX, sum) : sum; /* which the bounds cut */
}
