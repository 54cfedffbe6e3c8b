/* What the cells of a table are to a schema: counts for the data holder, by column. */
#include "base/base.h"
#include "data/encoder.h"
#include "data/tally.h"

#include <stdlib.h>

typedef struct counting {
  tacit_encoder *encoder;
  const tacit_schema *schema;
  tacit_cell_counts *counts; /* of features, then of targets */
} counting;

/* A number beyond what the scale holds. Clamped is what is not at the bound itself. */
static bool is_outside(const tacit_scale *scale, double x) {
  double low = tacit_scale_decode(scale, -scale->limit), high = tacit_scale_decode(scale, scale->limit);
  double slack = 1e-12 * (high - low); /* a logarithm and back again */
  return x < low - slack || x > high + slack;
}

static void count_value(const tacit_encoder *encoder, const tacit_input *input, const tacit_feature *feature,
                        const tacit_scale *scale, tacit_cell_counts *counts) {
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
      c->counts[f].unlisted += !empty && !tacit_level_is_listed(&encoder->levels[f], cell);
      continue;
    }
    const tacit_input *input = &encoder->inputs[encoder->features[f]];
    count_value(encoder, input, feature, feature->has_scale ? &feature->scale : NULL, &c->counts[f]);
  }
  for (size_t t = 0; t < schema->target_count; t++) {
    const tacit_input *input = &encoder->inputs[encoder->targets[t]];
    /* a sum's bounds say nothing of one of its cells */
    const tacit_scale *scale = schema->targets[t].sum_of_next > 1 ? NULL : &schema->targets[t].scale;
    count_value(encoder, input, NULL, scale, &c->counts[schema->feature_count + t]);
  }
}

static void count_refused(const counting *c) {
  const tacit_schema *schema = c->schema;
  for (size_t k = 0; k < schema->feature_count + schema->target_count; k++) {
    const tacit_feature *feature = k < schema->feature_count ? &schema->features[k] : NULL;
    bool may = feature ? feature->has_missing || tacit_feature_reads(feature) == TACIT_READS_LEVEL
                       : schema->targets[k - schema->feature_count].has_missing;
    c->counts[k].refused = may ? 0 : c->counts[k].empty + c->counts[k].unreadable;
  }
}

tacit_status tacit_schema_check_table(const tacit_schema *schema, tacit_source *source,
                                      tacit_cell_counts *counts, size_t *records,
                                      const tacit_context *context, tacit_error *error) {
  enum { STEP = 4096 };
  counting c = {.schema = schema, .counts = counts};
  for (size_t k = 0; k < schema->feature_count + schema->target_count; k++)
    counts[k] = (tacit_cell_counts){0};
  *records = 0;
  source->reader.threads = tacit_threads(context);
  source->reader.context = context;
  TACIT_TRY(tacit_encoder_new(source, schema, true, &c.encoder, error));
  tacit_status status = TACIT_OK;
  for (bool more = true; !status;) {
    if (*records % STEP == 0) status = tacit_progress(context, "checking", source->fraction, error);
    if (!status) status = source->next(source, c.encoder->cells, &more, error);
    if (status || !more) break;
    count_record(&c);
    ++*records;
  }
  count_refused(&c);
  tacit_encoder_free(c.encoder);
  return status;
}
