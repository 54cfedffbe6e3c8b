/* A packed table of any size, without the table: growth ROWS FEATURES SCHEMA OUT writes the schema and OUT.
   Features are sums of three uniform numbers (mean 0, spread 1), demand is linear in them. The rows come in
   batches, by the Arrow C stream interface, so that they need no memory. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tacit/tacit.h>

enum { BATCH = 1 << 16, MOST = 1024 };

typedef struct table {
  size_t rows, columns, given; /* columns: the features and the target */
  uint64_t state;
  double *values;
  char names[MOST + 1][24];
  struct ArrowSchema schema[MOST + 1], *schemas[MOST + 1];
  struct ArrowArray array[MOST + 1], *arrays[MOST + 1];
  const void *buffers[MOST + 1][2];
} table;

static double uniform(table *t) {
  t->state = t->state * 6364136223846793005u + 1442695040888963407u;
  return (double)(t->state >> 11) * 0x1p-52 - 1;
}

static void keep_schema(struct ArrowSchema *schema) {
  schema->release = NULL;
}
static void keep_array(struct ArrowArray *array) {
  array->release = NULL;
}
static void keep_stream(struct ArrowArrayStream *stream) {
  stream->release = NULL;
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out) {
  table *t = stream->private_data;
  for (size_t j = 0; j < t->columns; j++) {
    t->schema[j] = (struct ArrowSchema){.format = "g", .name = t->names[j], .release = keep_schema};
    t->schemas[j] = &t->schema[j];
  }
  *out = (struct ArrowSchema){.format = "+s",
                              .name = "",
                              .n_children = (int64_t)t->columns,
                              .children = t->schemas,
                              .release = keep_schema};
  return 0;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out) {
  table *t = stream->private_data;
  size_t left = t->rows - t->given, n = left < BATCH ? left : BATCH, p = t->columns - 1;
  *out = (struct ArrowArray){0};
  if (n == 0) return 0;
  double *y = t->values + p * BATCH;
  for (size_t i = 0; i < n; i++) y[i] = 50 + 5 * uniform(t);
  for (size_t j = 0; j < p; j++)
    for (size_t i = 0; i < n; i++) {
      double x = uniform(t) + uniform(t) + uniform(t);
      t->values[j * BATCH + i] = x;
      y[i] += ((double)(j % 3) - 1) * x;
    }
  for (size_t j = 0; j < t->columns; j++) {
    t->buffers[j][1] = t->values + j * BATCH;
    t->array[j] = (struct ArrowArray){
        .length = (int64_t)n, .n_buffers = 2, .buffers = t->buffers[j], .release = keep_array};
    t->arrays[j] = &t->array[j];
  }
  static const void *none[1];
  *out = (struct ArrowArray){.length = (int64_t)n,
                             .n_buffers = 1,
                             .buffers = none,
                             .n_children = (int64_t)t->columns,
                             .children = t->arrays,
                             .release = keep_array};
  t->given += n;
  return 0;
}

static const char *last_error(struct ArrowArrayStream *stream) {
  (void)stream;
  return NULL;
}

static void write_schema(const table *t, const char *path) {
  FILE *file = fopen(path, "w");
  if (!file) exit(1);
  fprintf(file, "{\"target\": {\"name\": \"y\", \"min\": -200, \"max\": 300}, \"features\": [");
  for (size_t j = 0; j + 1 < t->columns; j++)
    fprintf(file, "%s{\"name\": \"%s\", \"center\": 0, \"scale\": 1}", j ? ", " : "", t->names[j]);
  fprintf(file, "]}\n");
  fclose(file);
}

int main(int argc, char **argv) {
  static table t = {.state = 1};
  if (argc != 5) return 2;
  t.rows = (size_t)atof(argv[1]);
  t.columns = (size_t)atof(argv[2]) + 1;
  if (t.columns < 2 || t.columns > MOST) return 2;
  for (size_t j = 0; j < t.columns; j++)
    snprintf(t.names[j], sizeof t.names[j], j + 1 < t.columns ? "x%zu" : "y", j);
  t.values = malloc(t.columns * BATCH * sizeof *t.values);
  if (!t.values) return 1;
  write_schema(&t, argv[3]);
  struct ArrowArrayStream stream = {.get_schema = get_schema,
                                    .get_next = get_next,
                                    .get_last_error = last_error,
                                    .release = keep_stream,
                                    .private_data = &t};
  tacit_error error;
  tacit_schema *schema;
  tacit_source *source;
  tacit_pack_counts counts;
  if (tacit_schema_read(argv[3], &schema, &error) || tacit_source_arrow(&stream, &source, &error) ||
      tacit_pack_table(source, schema, argv[4], &counts, NULL, &error))
    return fprintf(stderr, "growth: %s\n", error.text), 1;
  tacit_source_free(source);
  tacit_schema_free(schema);
  free(t.values);
  return 0;
}
