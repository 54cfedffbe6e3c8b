/* For this room's tests: schemas written with single quotes, accepted or refused with certain words. Include
   it after cmocka.h. */
#ifndef TACIT_SRC_SCHEMA_FOR_TEST_H
#define TACIT_SRC_SCHEMA_FOR_TEST_H

#include "schema/schema.h"

#include <stdlib.h>
#include <string.h>

/* JSON with ' for ", so that the tests can be read. */
static tacit_status parse(const char *text, tacit_schema **schema, tacit_error *error) {
  size_t length = strlen(text);
  char *json = malloc(length + 1);
  for (size_t i = 0; i <= length; i++) json[i] = text[i] == '\'' ? '"' : text[i];
  error->text[0] = 0;
  tacit_status status = tacit_schema_parse(json, length, schema, error);
  free(json);
  return status;
}

static inline tacit_schema *accept(const char *text) {
  tacit_schema *schema;
  tacit_error error;
  if (parse(text, &schema, &error) != TACIT_OK) fail_msg("refused: %s\n%s", text, error.text);
  return schema;
}

static inline void refuse(tacit_status status, const char *piece, const char *text) {
  tacit_schema *schema;
  tacit_error error;
  tacit_status got = parse(text, &schema, &error);
  if (got != status || !strstr(error.text, piece))
    fail_msg("expected %d \"%s\", got %d \"%s\" for %s", (int)status, piece, (int)got, error.text, text);
  assert_null(schema);
}

/* A schema with one good target and the given features or other keys. */
#define FEATURES(f) "{'target': {'name': 'y', 'min': 0, 'max': 10}, 'features': [" f "]}"
#define WITH(keys) "{'target': {'name': 'y', 'min': 0, 'max': 10}, 'features': [], " keys "}"
#define TARGET(t) "{'features': [], 'target': " t "}"
#define SPLINE(k) FEATURES("{'name': 'a', 'min': 0, 'max': 4, 'transform': 'spline', " k "}")

#endif
