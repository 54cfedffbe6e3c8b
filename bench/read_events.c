/* How long a table of events takes to become totals within limits, beside the time that parsing the same file
   takes: read_events EVENTS CALENDAR SCHEMA THREADS REPETITIONS prints, in seconds, the best wall time and
   its processor time of parsing (each cell of each record found, and the quantity read as a number, by the
   same source) and then of adding up. */
#include "base/base.h"
#include "data/read.h"
#include "schema/schema.h"
#include "source/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tacit/data.h>
#include <time.h>

static double now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Every cell becomes what it stands for: a date's second, the quantity's number, a name's bytes. */
static tacit_status parse_all(tacit_source *source, const tacit_event_columns *columns, double *sum,
                              tacit_error *error) {
  tacit_cell cells[64];
  char name[256];
  bool more = true;
  size_t day, who, much;
  double number;
  TACIT_TRY(tacit_source_find(source, columns->keys[0], &day, error));
  TACIT_TRY(tacit_source_find(source, columns->customer, &who, error));
  TACIT_TRY(tacit_source_find(source, columns->quantity, &much, error));
  for (;;) {
    TACIT_TRY(source->next(source, cells, &more, error));
    if (!more) return TACIT_OK;
    if (tacit_cell_read_moment(&cells[day], columns->format, &number) != TACIT_NUMBER)
      return tacit_fail(error, TACIT_BAD_INPUT, "no date");
    memcpy(name, cells[who].text, cells[who].length < sizeof name ? cells[who].length : sizeof name);
    if (tacit_source_read_number(source, &cells[much], &number) == TACIT_NUMBER) *sum += number;
  }
}

static tacit_status parse(char **argv, const tacit_schema *schema, double *sum, tacit_error *error) {
  tacit_source *source;
  TACIT_TRY(tacit_source_csv(argv[1], &source, error));
  source->reader.threads = atoi(argv[4]);
  tacit_status status = parse_all(source, schema->events, sum, error);
  tacit_source_free(source);
  return status;
}

static tacit_status to_the_end(tacit_source *source, double *sum, tacit_error *error) {
  tacit_cell cells[64];
  bool more = true;
  while (source->columns <= 64) {
    TACIT_TRY(source->next(source, cells, &more, error));
    if (!more) break;
    *sum += cells[source->columns - 1].number;
  }
  return TACIT_OK;
}

static tacit_status add_up(char **argv, const tacit_schema *schema, double *sum, tacit_error *error) {
  tacit_source *events, *calendar, *source;
  TACIT_TRY(tacit_source_csv(argv[1], &events, error));
  TACIT_TRY(tacit_source_csv(argv[2], &calendar, error));
  TACIT_TRY(tacit_source_events(events, calendar, schema, &source, error));
  source->reader.threads = atoi(argv[4]);
  tacit_status status = to_the_end(source, sum, error);
  tacit_source_free(source);
  return status;
}

int main(int argc, char **argv) {
  if (argc != 6) return 2;
  tacit_error error;
  tacit_schema *schema;
  if (tacit_schema_read(argv[3], &schema, &error)) return fprintf(stderr, "%s\n", error.text), 1;
  for (int way = 0; way < 2; way++) {
    double best = 1e9, least = 1e9, sum = 0;
    for (int i = 0; i < atoi(argv[5]); i++) {
      double start = now(CLOCK_MONOTONIC), used = now(CLOCK_PROCESS_CPUTIME_ID);
      sum = 0;
      if ((way ? add_up : parse)(argv, schema, &sum, &error)) return fprintf(stderr, "%s\n", error.text), 1;
      double took = now(CLOCK_MONOTONIC) - start, processor = now(CLOCK_PROCESS_CPUTIME_ID) - used;
      if (took < best) best = took;
      if (processor < least) least = processor;
    }
    printf("%s %.4f %.4f %.15g\n", way ? "adding up" : "parsing", best, least, sum);
  }
  tacit_schema_free(schema);
  return 0;
}
