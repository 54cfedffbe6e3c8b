/* How long a CSV file takes to become a design: read_csv TABLE SCHEMA THREADS REPETITIONS prints the best
   wall time and its processor time, in seconds. */
#include "data/read.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv) {
  if (argc != 5) return 2;
  tacit_error error;
  tacit_schema *schema;
  tacit_context context;
  tacit_context_init(&context);
  context.threads = atoi(argv[3]);
  if (tacit_schema_read(argv[2], &schema, &error)) return fprintf(stderr, "%s\n", error.text), 1;
  double best = 1e9, processor = 0;
  size_t rows = 0;
  for (int i = 0; i < atoi(argv[4]); i++) {
    tacit_source *source;
    tacit_design *design;
    tacit_read_counts counts;
    double start = now(CLOCK_MONOTONIC), used = now(CLOCK_PROCESS_CPUTIME_ID);
    if (tacit_source_csv(argv[1], &source, &error) ||
        tacit_read_design(source, schema, NULL, &design, &counts, &context, &error))
      return fprintf(stderr, "%s\n", error.text), 1;
    double took = now(CLOCK_MONOTONIC) - start;
    if (took < best) {
      best = took;
      processor = now(CLOCK_PROCESS_CPUTIME_ID) - used;
    }
    rows = counts.rows;
    tacit_design_free(design);
    tacit_source_free(source);
  }
  printf("%.6f %.6f %zu\n", best, processor, rows);
  tacit_schema_free(schema);
  return 0;
}
