/* Any bytes as a table, read under each of several schemas: as for ordering, and as for learning with a limit
   on units. What comes out is finite and within the schema's bounds. */
#include "source/csv.h"
#include "data/encode.h"
#include "fuzz/target.h"
#include "schema/schema.h"

#include <math.h>
#include <string.h>

static const char *const SCHEMAS[] = {
    "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 100}, \"features\": ["
    "{\"name\": \"t\", \"min\": -15, \"max\": 40, \"missing\": 10}, {\"name\": \"z\", \"center\": 3, "
    "\"scale\": 0.5},"
    "{\"name\": \"day\", \"levels\": [\"MON\", \"TUE\", \"other\"]}]}",
    "{\"target\": {\"name\": \"y\", \"center\": 5, \"scale\": 2, \"missing\": 5}, \"features\": ["
    "{\"name\": \"y\", \"lag\": 2}, {\"name\": \"t\", \"min\": 0, \"max\": 1, \"missing\": 0, \"transform\": "
    "\"spline\", "
    "\"knots\": 3}], \"unit\": {\"rows_per_unit\": 3}}",
    "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 100, \"missing\": 0}, \"features\": ["
    "{\"name\": \"t\", \"min\": -15, \"max\": 40, \"missing\": 0}],"
    "\"unit\": {\"column\": \"who\", \"rows_per_unit\": 2}}",
    "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 100, \"missing\": 0, \"sum_of_next\": 3}, "
    "\"features\": ["
    "{\"name\": \"y\", \"lag\": 1, \"min\": 0, \"max\": 50, \"missing\": 2}], \"panel\": {\"by\": \"who\", "
    "\"time\": "
    "\"t\", \"missing\": true}}",
    "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 100}, \"features\": [{\"name\": \"y\", \"lag\": 2}],"
    "\"panel\": {\"time\": \"t\", \"every\": \"number\"}}"};

static tacit_status look(void *self, const double *x, const double *y, tacit_error *error) {
  (void)error;
  const tacit_schema *schema = self;
  MUST(x[0] == 1);
  for (size_t j = 0; j < schema->columns; j++) MUST(fabs(x[j]) <= 1e6);
  MUST(isfinite(y[0]));
  return TACIT_OK;
}

/* The buffer begins small, so that records cross its end. */
static tacit_status open_text(const char *text, size_t size, tacit_source **source, tacit_error *error) {
  tacit_bytes *bytes;
  *source = NULL;
  MUST(tacit_bytes_text(text, size, &bytes, error) == TACIT_OK);
  return tacit_csv_over(bytes, 1 + size % 61, source, error);
}

static void order(const tacit_schema *schema, const char *text, size_t size) {
  tacit_source *source = NULL;
  tacit_encoder *encoder = NULL;
  tacit_error error = {""};
  double x[64], y[1];
  bool ready, more = true;
  MUST(schema->columns <= 64);
  if (open_text(text, size, &source, &error) != TACIT_OK) {
    MUST(!source && error.text[0]);
    return;
  }
  if (tacit_encoder_new(source, schema, false, &encoder, &error) == TACIT_OK)
    while (more && tacit_encoder_next(encoder, x, y, &ready, &more, &error) == TACIT_OK) {
      size_t length;
      const char *raw = tacit_source_text(source, &length);
      if (more) MUST(raw && length <= size);
      for (size_t j = 0; more && ready && j < schema->columns; j++) MUST(isfinite(x[j]));
    }
  tacit_encoder_free(encoder);
  tacit_source_free(source);
}

static void learn(tacit_schema *schema, const char *text, size_t size) {
  tacit_source *source = NULL;
  tacit_read_counts counts = {0};
  tacit_error error = {""};
  if (open_text(text, size, &source, &error) != TACIT_OK) return;
  tacit_status status = tacit_encode_source(
      source, schema, true, &(const tacit_row_taker){.add = look, .self = schema}, &counts, NULL, &error);
  MUST(status == TACIT_OK || error.text[0]);
  MUST(counts.rows + counts.dropped_lag + counts.dropped_unit <= counts.records);
  tacit_source_free(source);
}

/* The schemas are read once; each input is read under all of them. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  enum { COUNT = sizeof SCHEMAS / sizeof *SCHEMAS };
  static tacit_schema *schemas[COUNT];
  for (size_t i = 0; i < COUNT; i++) {
    tacit_error error = {""};
    if (!schemas[i])
      MUST(tacit_schema_parse(SCHEMAS[i], strlen(SCHEMAS[i]), &schemas[i], &error) == TACIT_OK);
    order(schemas[i], (const char *)data, size);
    learn(schemas[i], (const char *)data, size);
  }
  return 0;
}
