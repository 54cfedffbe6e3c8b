/* Ranks that are threads, for tests: what they share, and each one's run. */
#ifndef TACIT_SRC_RANKS_FOR_TEST_H
#define TACIT_SRC_RANKS_FOR_TEST_H

#include "base/base.h"
#include "learn/ranks.h"
#include "learn/task.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tacit/data.h>

/* last: it needs the others */
#include <cmocka.h>

enum { ROWS = 6000 };

static const char JSON[] =
    "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 10}, \"features\": [{\"name\": "
    "\"a\", \"center\": 0, \"scale\": 1}, {\"name\": \"c\", \"levels\": [\"u\", \"v\"]}]}";

static const char WIDE[] = "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 10}, \"features\": "
                           "[{\"name\": \"a\", \"min\": -50, \"max\": "
                           "50}, {\"name\": \"c\", \"levels\": [\"u\", \"v\"]}]}";

/* What the ranks share: a place to add and to copy, and two meetings for each call. */
typedef struct meeting {
  pthread_barrier_t barrier;
  pthread_mutex_t lock;
  uint64_t sum[4096];
  char bytes[1 << 16];
  int calls_left; /* until the connection is lost, on all ranks at once */
} meeting;

typedef struct member {
  meeting *at;
  tacit_ranks ranks;
  const tacit_schema *schema;
  const char *text;
  size_t length, part;
  const tacit_learn_options *options;
  const char *path;            /* a packed table in place of the text, a part of it by rank */
  const char *query;           /* or a query */
  const char *decide;          /* learn decisions by this method instead */
  const double *rule, *spread; /* or say what this rule costs */
  double cost;
  int calls, spent;
  size_t unlisted; /* cells of the category */
  tacit_status status, pay;
  tacit_error error;
  tacit_fit *fit;
} member;

static tacit_status lost(member *m, tacit_error *error) {
  if (++m->calls < m->at->calls_left) return TACIT_OK;
  return tacit_fail(error, TACIT_INTERNAL, "the connection is lost");
}

static tacit_status add(void *user, uint64_t *values, size_t count, tacit_error *error) {
  member *m = user;
  TACIT_TRY(lost(m, error));
  pthread_barrier_wait(&m->at->barrier);
  if (m->ranks.rank == 0) memset(m->at->sum, 0, sizeof m->at->sum);
  pthread_barrier_wait(&m->at->barrier);
  pthread_mutex_lock(&m->at->lock);
  for (size_t k = 0; k < count; k++) m->at->sum[k] += values[k];
  pthread_mutex_unlock(&m->at->lock);
  pthread_barrier_wait(&m->at->barrier);
  memcpy(values, m->at->sum, count * sizeof *values);
  return TACIT_OK;
}

static tacit_status give(void *user, void *bytes, size_t count, tacit_error *error) {
  member *m = user;
  TACIT_TRY(lost(m, error));
  pthread_barrier_wait(&m->at->barrier);
  if (m->ranks.rank == 0) memcpy(m->at->bytes, bytes, count);
  pthread_barrier_wait(&m->at->barrier);
  memcpy(bytes, m->at->bytes, count);
  return TACIT_OK;
}

static tacit_status pay(void *user, const tacit_cost *cost, tacit_error *error) {
  (void)cost;
  member *m = user;
  m->spent++;
  return m->pay ? tacit_fail(error, m->pay, "no budget") : TACIT_OK;
}

static void learn_decisions(member *m, tacit_source *source, const tacit_context *context) {
  static const char REGION[] = "{\"kind\": \"box\", \"min\": [0], \"max\": [1]}";
  tacit_region *region;
  tacit_learn_options options;
  tacit_learn_options_init(&options);
  bool pair = !strcmp(m->decide, "exponential");
  options.method = m->decide;
  if (!strcmp(m->decide, "gaussian")) options.spo_gaussian.steps = 5;
  if (pair) options.spo_exponential.steps = 5;
  options.mu = pair ? 0 : 1;
  options.epsilon = pair ? 1 : 0;
  options.delta = pair ? 1e-5 : 0;
  options.seeded = m->options->seeded;
  options.seed = m->options->seed;
  options.spend = pay;
  options.spend_user = m;
  m->status = tacit_region_parse(REGION, sizeof REGION - 1, &region, &m->error);
  if (m->status) return;
  options.region = region;
  m->status = tacit_learn(m->schema, source, &options, context, &m->fit, &m->error);
  tacit_region_free(region);
}

static void estimate(member *m, tacit_source *source, const tacit_context *context) {
  const double one = 1;
  tacit_estimate result;
  const tacit_estimate_options options = {.coefficients = m->rule,
                                          .spread = m->spread,
                                          .underage = &one,
                                          .overage = &one,
                                          .mu = 1,
                                          .spend = pay,
                                          .spend_user = m,
                                          .seeded = m->options->seeded,
                                          .seed = m->options->seed};
  m->status = tacit_estimate_cost(m->schema, source, &options, context, &result, &m->error);
  m->cost = m->status ? 0 : result.cost.value;
}

static void *run(void *self) {
  member *m = self;
  tacit_source *source;
  tacit_context context;
  tacit_context_init(&context);
  context.threads = 1;
  context.ranks = m->ranks.count ? &m->ranks : NULL;
  tacit_learn_options options = *m->options;
  options.spend = pay;
  options.spend_user = m;
  m->status = m->query  ? tacit_source_sql(NULL, m->query, false, &source, &m->error)
              : m->path ? tacit_source_open_part(m->path, m->part, m->ranks.count, &source, &m->error)
                        : tacit_source_csv_text(m->text, m->length, &source, &m->error);
  if (m->status) return NULL;
  if (m->decide)
    learn_decisions(m, source, &context);
  else if (m->rule)
    estimate(m, source, &context);
  else
    m->status = tacit_learn(m->schema, source, &options, &context, &m->fit, &m->error);
  tacit_column_tally tally;
  m->unlisted = tacit_source_tally(source, m->schema, 1, &tally) ? tally.unlisted : 0;
  tacit_source_free(source);
  return NULL;
}

static char *text_of(size_t first, size_t rows, const char *last, size_t *length) {
  char *text = malloc(rows * 40 + 64);
  size_t n = (size_t)sprintf(text, "a,c,y\n");
  for (size_t i = first; i < first + rows; i++)
    n += (size_t)sprintf(text + n, "%.3f,%s,%.2f\n", (double)(i * 7919 % 4000) / 1000 - 2, i % 3 ? "u" : "v",
                         5 + (double)(i * 104729 % 500) / 100 - 2.5);
  n += (size_t)sprintf(text + n, "%s", last);
  *length = n;
  return text;
}

static tacit_learn_options options_for(const char *method, const char *start) {
  static const double tau = 0.7;
  tacit_learn_options options;
  tacit_learn_options_init(&options);
  options.method = method;
  options.noisy_gd.start = start;
  options.quantiles = &tau;
  options.quantile_count = 1;
  options.mu = 1;
  options.seeded = true;
  options.seed = 5;
  return options;
}

static tacit_schema *schema_of(const char *json) {
  tacit_schema *schema;
  assert_int_equal(tacit_schema_parse(json, strlen(json), &schema, NULL), TACIT_OK);
  return schema;
}

#endif
