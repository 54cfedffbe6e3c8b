#include "engine/table.h"

#include "engine/task.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { COLUMNS = 6 };
static double columns[COLUMNS][ROWS];
static const char *level[ROWS];
static const char *const NAMES[COLUMNS + 1] = {"a", "b", "y", "z", "w", "v", "c"};
char packed[64] = "/tmp/tacit_engine_XXXXXX";

int table_make(void **state) {
  (void)state;
  uint64_t s = 12345;
  for (int i = 0; i < ROWS; i++) {
    for (int j = 0; j < COLUMNS; j++) {
      s = s * 6364136223846793005u + 1442695040888963407u;
      columns[j][i] = (double)(s >> 40) / (1 << 22) - 2;
    }
    level[i] = s >> 62 ? "u" : "v";
    for (int t = 2; t < 5; t++) columns[t][i] += 3 + columns[0][i] * (t - 1) - 0.5 * columns[1][i];
    columns[5][i] = i % 1900;
  }
  columns[2][7] = 1e9; /* clamped */
  int file = mkstemp(packed);
  return file < 0 ? -1 : close(file);
}

int table_remove(void **state) {
  (void)state;
  return unlink(packed);
}

tacit_schema *schema_of(const char *json) {
  tacit_schema *schema;
  tacit_error error = {""};
  if (tacit_schema_parse(json, strlen(json), &schema, &error) != TACIT_OK) fail_msg("%s", error.text);
  return schema;
}

tacit_source *columns_of(size_t first, size_t rows) {
  static const double *numbers[COLUMNS + 1]; /* a source is read before the next one is opened */
  static const char *const *texts[COLUMNS + 1];
  for (size_t j = 0; j < COLUMNS; j++) numbers[j] = columns[j] + first;
  numbers[COLUMNS] = NULL;
  texts[COLUMNS] = level + first;
  tacit_source *source;
  assert_int_equal(tacit_source_columns(rows, COLUMNS + 1, NAMES, numbers, texts, &source, NULL), TACIT_OK);
  return source;
}

tacit_part *part_of(tacit_source *source, const tacit_schema *schema) {
  tacit_part *part;
  tacit_error error = {""};
  tacit_context context;
  tacit_context_init(&context);
  context.threads = 1;
  if (tacit_part_open(source, schema, &context, &part, &error) != TACIT_OK) fail_msg("%s", error.text);
  tacit_source_free(source);
  return part;
}

tacit_part *open_columns(const void *table, const tacit_schema *schema, size_t k, size_t count) {
  (void)table;
  size_t first = ROWS * k / count, end = ROWS * (k + 1) / count;
  return part_of(columns_of(first, end - first), schema);
}

tacit_part *open_packed(const void *table, const tacit_schema *schema, size_t k, size_t count) {
  tacit_source *source;
  assert_int_equal(tacit_source_open_part(table, k, count, &source, NULL), TACIT_OK);
  return part_of(source, schema);
}

tacit_source *shard_of(const tacit_schema *schema, size_t k, size_t count) {
  static double some[COLUMNS][ROWS]; /* as above: until the next one is opened */
  static const char *levels[ROWS];
  static const double *numbers[COLUMNS + 1];
  static const char *const *texts[COLUMNS + 1];
  tacit_shards found;
  tacit_error error = {""};
  size_t rows = 0;
  tacit_source *source = columns_of(0, ROWS);
  if (tacit_unit_shards(source, schema, count, &found, &error) != TACIT_OK) fail_msg("%s", error.text);
  tacit_source_free(source);
  assert_true(found.records == ROWS && found.numbers && !found.texts);
  for (size_t i = 0; i < ROWS; i++) {
    if (found.shard[i] != k) continue;
    for (size_t j = 0; j < COLUMNS; j++) some[j][rows] = columns[j][i];
    levels[rows++] = level[i];
  }
  tacit_free(found.shard);
  for (size_t j = 0; j < COLUMNS; j++) numbers[j] = some[j];
  texts[COLUMNS] = levels;
  assert_int_equal(tacit_source_columns(rows, COLUMNS + 1, NAMES, numbers, texts, &source, NULL), TACIT_OK);
  assert_int_equal(tacit_source_shard(source, k, count, NULL), TACIT_OK);
  return source;
}

tacit_part *open_shard(const void *table, const tacit_schema *schema, size_t k, size_t count) {
  (void)table;
  return part_of(shard_of(schema, k, count), schema);
}

tacit_part *open_packed_shard(const void *table, const tacit_schema *schema, size_t k, size_t count) {
  tacit_source *source = shard_of(schema, k, count);
  tacit_pack_counts counts;
  tacit_error error = {""};
  if (tacit_pack_table(source, schema, table, &counts, NULL, &error) != TACIT_OK) fail_msg("%s", error.text);
  tacit_source_free(source);
  return open_packed(table, schema, 0, 1);
}

tacit_part *open_bytes(const void *table, const tacit_schema *schema, size_t k, size_t count) {
  FILE *file = fopen(table, "rb");
  assert_true(file && fseek(file, 0, SEEK_END) == 0);
  size_t length = (size_t)ftell(file);
  char *bytes = malloc(length);
  rewind(file);
  assert_int_equal(fread(bytes, 1, length, file), length);
  fclose(file);
  tacit_source *source;
  assert_int_equal(tacit_source_packed(bytes, length, k, count, &source, NULL), TACIT_OK);
  free(bytes);
  return part_of(source, schema);
}

void pack(const tacit_schema *schema) {
  tacit_source *source = columns_of(0, ROWS);
  tacit_pack_counts counts;
  tacit_error error = {""};
  if (tacit_pack_table(source, schema, packed, &counts, NULL, &error) != TACIT_OK) fail_msg("%s", error.text);
  tacit_source_free(source);
}
