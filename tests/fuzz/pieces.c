/* Any bytes as a table in memory, read record by record and again in pieces of a few bytes, as several
   threads would: the same rows, counts, status and words. */
#include "data/encode.h"
#include "data/read.h"
#include "data/sample.h"
#include "fuzz/target.h"
#include "schema/schema.h"

#include <string.h>

static const char JSON[] =
    "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 100, \"missing\": 0}, \"features\": ["
    "{\"name\": \"t\", \"min\": -15, \"max\": 40, \"missing\": 10}, {\"name\": \"z\", \"center\": 3, "
    "\"scale\": 0.5}, {\"name\": \"day\", \"levels\": [\"MON\", \"TUE\", \"a \\\"b\\\", c\"]}]}";

/* The same columns as other kinds. */
static const char OTHERS[] =
    "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 100, \"missing\": 0}, \"features\": ["
    "{\"name\": \"t\", \"date\": [\"weekday\", \"week\", \"hour\", \"day-of-year\", \"trend\"], \"start\": "
    "\"2016-01-01\", \"end\": \"2026-12-31\", \"holidays\": [\"2016-12-25\"], \"missing\": \"2016-01-01\"}, "
    "{\"name\": \"t\", \"date\": [\"month\"], \"format\": \"%d.%m.%Y %H:%M\", \"missing\": \"2016-01-01\"}, "
    "{\"name\": \"z\", \"flag\": true}, {\"name\": \"z\", \"levels\": [1, 2, \"yes\"]}, "
    "{\"name\": \"day\", \"levels\": [\"MON\", \"TUE\"], \"fold\": true, \"other\": true}, "
    "{\"name\": \"t\", \"hash\": 5}, {\"interaction\": [\"day\", \"weekday\"]}, "
    "{\"interaction\": [\"day\", \"t[trend]\"]}]}";

typedef struct outcome {
  tacit_status status;
  tacit_sample *sample;
  tacit_read_counts counts;
  tacit_error error;
  size_t record;
} outcome;

/* piece 0: record by record */
static outcome read_text(const char *text, size_t size, const tacit_schema *schema, size_t piece) {
  outcome o = {.status = TACIT_OK};
  tacit_source *source;
  const tacit_context one = {.threads = 1};
  o.status = tacit_source_csv_text(text, size, &source, &o.error);
  if (o.status) return o;
  MUST(tacit_sample_new(tacit_schema_columns(schema), 1, &o.sample, NULL) == TACIT_OK);
  if (piece) {
    tacit_row_store store = tacit_sample_store(o.sample);
    o.status = tacit_read_rows_in_pieces(source, schema, &store, piece, &o.counts, &one, &o.error);
  } else {
    o.status = tacit_encode_source(source, schema, true,
                                   &(const tacit_row_taker){.add = tacit_sample_add, .self = o.sample},
                                   &o.counts, &one, &o.error);
  }
  o.record = source->record;
  tacit_source_free(source);
  return o;
}

static void same(const outcome *a, const outcome *b, size_t columns) {
  MUST(a->status == b->status && a->record == b->record && !a->sample == !b->sample);
  MUST(a->status == TACIT_OK || !strcmp(a->error.text, b->error.text));
  MUST(a->counts.records == b->counts.records && a->counts.rows == b->counts.rows);
  if (!a->sample) return;
  size_t rows = a->sample->rows;
  MUST(rows == b->sample->rows);
  MUST(!rows || !memcmp(a->sample->buffer, b->sample->buffer, rows * (columns + 1) * sizeof(double)));
}

static void read_in_all_ways(const uint8_t *data, size_t size, const tacit_schema *schema) {
  static const size_t sizes[] = {1, 2, 3, 5, 17, 64, 4096};
  size_t columns = tacit_schema_columns(schema);
  outcome plain = read_text((const char *)data, size, schema, 0);
  MUST(plain.status == TACIT_OK || plain.error.text[0]);
  for (size_t k = 0; k < 2; k++) { /* two sizes, by the input's length */
    outcome o = read_text((const char *)data, size, schema, sizes[(size + 3 * k) % 7]);
    same(&plain, &o, columns);
    tacit_sample_free(o.sample);
  }
  tacit_sample_free(plain.sample);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static tacit_schema *schema, *others;
  if (!schema) MUST(tacit_schema_parse(JSON, strlen(JSON), &schema, NULL) == TACIT_OK);
  if (!others) MUST(tacit_schema_parse(OTHERS, strlen(OTHERS), &others, NULL) == TACIT_OK);
  read_in_all_ways(data, size, schema);
  read_in_all_ways(data, size, others);
  return 0;
}
