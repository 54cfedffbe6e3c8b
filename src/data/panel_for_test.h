/* What tests of look-ups by key share: what becomes of each record of a table. */
#ifndef TACIT_SRC_PANEL_FOR_TEST_H
#define TACIT_SRC_PANEL_FOR_TEST_H

#include "data/encoder.h"

#include "base/base.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* last: it needs the others */
#include <cmocka.h>

enum { ROWS = 32, COLUMNS = 8 };

/* What became of each record. */
typedef struct seen {
  size_t records, columns;
  bool ready[ROWS];
  size_t number[ROWS];       /* in the file */
  double row[ROWS][COLUMNS]; /* encoded columns, then the target */
  tacit_read_counts counts;
} seen;

static inline tacit_schema *schema_of(const char *text) {
  char json[1024];
  tacit_schema *schema;
  tacit_error error = {""};
  size_t n = strlen(text);
  assert_true(n < sizeof json);
  for (size_t i = 0; i <= n; i++) json[i] = text[i] == '\'' ? '"' : text[i];
  if (tacit_schema_parse(json, n, &schema, &error)) fail_msg("%s", error.text);
  return schema;
}

static inline tacit_status see(tacit_source *source, const char *json, bool need_targets, seen *s,
                               tacit_error *error) {
  tacit_schema *schema = schema_of(json);
  tacit_encoder *encoder = NULL;
  *s = (seen){.columns = schema->columns};
  tacit_status status = tacit_encoder_new(source, schema, need_targets, &encoder, error);
  for (bool more = true; status == TACIT_OK;) {
    double *row = s->row[s->records];
    assert_true(s->records < ROWS && s->columns < COLUMNS);
    status = tacit_encoder_next(encoder, row, row + s->columns, &s->ready[s->records], &more, error);
    if (status || !more) break;
    s->number[s->records++] = source->record;
  }
  if (encoder) s->counts = encoder->counts;
  tacit_encoder_free(encoder);
  tacit_source_free(source);
  tacit_schema_free(schema);
  return status;
}

static inline tacit_status see_csv(const char *csv, const char *json, bool need_targets, seen *s,
                                   tacit_error *error) {
  tacit_source *source;
  assert_int_equal(tacit_source_csv_text(csv, strlen(csv), &source, error), TACIT_OK);
  return see(source, json, need_targets, s, error);
}

static inline void encodes(const char *csv, const char *json, seen *s) {
  tacit_error error = {""};
  if (see_csv(csv, json, true, s, &error)) fail_msg("%s", error.text);
}

#define TARGET "'target': {'name': 'y', 'min': 0, 'max': 10}"

#endif
