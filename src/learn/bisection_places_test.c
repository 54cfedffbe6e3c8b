/* Bisection asks questions and nothing else, so that it learns the same wherever rows are: in one place, in a
   caller's engine, or on several ranks. */
#include "base/base.h"
#include "learn/task.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <tacit/engine.h>

#include <cmocka.h>

enum { ROWS = 5000, PLACES = 3, TARGETS = 2 };
static double y[ROWS], w[ROWS];
static tacit_schema *schema;
static const char JSON[] =
    "{\"target\": [{\"name\": \"y\", \"min\": 0, \"max\": 1}, {\"name\": \"w\", \"min\": -1, \"max\": 1}], "
    "\"features\": []}";

static int set_up(void **state) {
  (void)state;
  uint64_t s = 1;
  for (int i = 0; i < ROWS; i++) {
    s = s * 6364136223846793005u + 1442695040888963407u;
    y[i] = (double)(s >> 32) / 0x1p32;
    w[i] = y[i] * y[i] - 0.5;
  }
  return tacit_schema_parse(JSON, strlen(JSON), &schema, NULL) == TACIT_OK ? 0 : -1;
}

static int tear_down(void **state) {
  (void)state;
  tacit_schema_free(schema);
  return 0;
}

static tacit_source *place(size_t k, size_t of) {
  static const char *const names[] = {"y", "w"};
  size_t first = ROWS * k / of, end = ROWS * (k + 1) / of;
  const double *columns[] = {y + first, w + first};
  tacit_source *source;
  assert_int_equal(tacit_source_columns(end - first, 2, names, columns, NULL, &source, NULL), TACIT_OK);
  return source;
}

/* Takes the source over. */
static tacit_fit *learn(tacit_source *source, const tacit_ranks *ranks) {
  static const double taus[] = {0.3, 0.8};
  tacit_learn_options options;
  tacit_context context;
  tacit_fit *fit = NULL;
  tacit_error error = {""};
  tacit_learn_options_init(&options);
  tacit_context_init(&context);
  context.threads = 1;
  context.ranks = ranks;
  options.method = "bisection";
  options.quantiles = taus;
  options.quantile_count = TARGETS;
  options.mu = 1;
  options.seeded = true;
  options.seed = 9;
  if (tacit_learn(schema, source, &options, &context, &fit, &error) != TACIT_OK) fail_msg("%s", error.text);
  tacit_source_free(source);
  return fit;
}

static void assert_same(tacit_fit *fit) {
  tacit_fit *one = learn(place(0, 1), NULL);
  const tacit_certificate *a = one->certificate, *b = fit->certificate;
  assert_memory_equal(one->coefficients, fit->coefficients, TARGETS * sizeof(double));
  assert_true(a->releases == b->releases && a->mechanism_count == b->mechanism_count);
  assert_true(a->mechanisms[1].sigma == b->mechanisms[1].sigma);
  tacit_fit_free(one);
  tacit_fit_free(fit);
}

static tacit_status ask(void *user, const tacit_request *request, tacit_replies *replies,
                        tacit_error *error) {
  tacit_part **parts = user;
  for (size_t i = 0; i < request->count; i++) {
    void *reply;
    size_t length;
    TACIT_TRY(
        tacit_part_answer(parts[request->parts[i]], request->bytes, request->length, &reply, &length, error));
    tacit_status status = tacit_replies_add(replies, reply, length, error);
    tacit_reply_free(reply, length);
    TACIT_TRY(status);
  }
  return TACIT_OK;
}

static void an_engine_learns_the_same(void **state) {
  (void)state;
  tacit_part *parts[PLACES];
  tacit_part_entry entries[PLACES];
  tacit_source *source;
  for (size_t k = 0; k < PLACES; k++) {
    tacit_source *rows = place(k, PLACES);
    assert_int_equal(tacit_part_open(rows, schema, NULL, &parts[k], NULL), TACIT_OK);
    tacit_source_free(rows);
    tacit_part_describe(parts[k], &entries[k]);
  }
  const tacit_engine engine = {.ask = ask, .user = parts};
  assert_int_equal(tacit_source_engine(&engine, schema, entries, PLACES, &source, NULL), TACIT_OK);
  tacit_fit *fit = learn(source, NULL);
  assert_true(fit->certificate->engine_rows);
  assert_same(fit);
  for (size_t k = 0; k < PLACES; k++) tacit_part_free(parts[k]);
}

/* Ranks are threads: what one writes the others read after the first meeting, and nobody goes on before the
   second. */
static struct {
  pthread_barrier_t barrier;
  uint64_t sums[PLACES][64];
  char bytes[1024];
} meeting;

static tacit_status add_up(void *user, uint64_t *values, size_t count, tacit_error *error) {
  if (count > sizeof meeting.sums[0] / sizeof *values) return tacit_no_memory(error);
  memcpy(meeting.sums[*(size_t *)user], values, count * sizeof *values);
  pthread_barrier_wait(&meeting.barrier);
  memset(values, 0, count * sizeof *values);
  for (size_t r = 0; r < PLACES; r++)
    for (size_t k = 0; k < count; k++) values[k] += meeting.sums[r][k];
  pthread_barrier_wait(&meeting.barrier);
  return TACIT_OK;
}

static tacit_status share(void *user, void *bytes, size_t count, tacit_error *error) {
  size_t rank = *(size_t *)user;
  if (count > sizeof meeting.bytes) return tacit_no_memory(error);
  if (rank == 0) memcpy(meeting.bytes, bytes, count);
  pthread_barrier_wait(&meeting.barrier);
  if (rank > 0) memcpy(bytes, meeting.bytes, count);
  pthread_barrier_wait(&meeting.barrier);
  return TACIT_OK;
}

typedef struct member {
  size_t rank;
  tacit_fit *fit;
} member;

static void *run_rank(void *self) {
  member *m = self;
  const tacit_ranks ranks = {m->rank, PLACES, add_up, share, &m->rank};
  m->fit = learn(place(m->rank, PLACES), &ranks);
  return NULL;
}

static void ranks_learn_the_same(void **state) {
  (void)state;
  pthread_t threads[PLACES];
  member members[PLACES];
  assert_int_equal(pthread_barrier_init(&meeting.barrier, NULL, PLACES), 0);
  for (size_t r = 0; r < PLACES; r++) {
    members[r] = (member){.rank = r};
    assert_int_equal(pthread_create(&threads[r], NULL, run_rank, &members[r]), 0);
  }
  for (size_t r = 0; r < PLACES; r++) pthread_join(threads[r], NULL);
  for (size_t r = 0; r < PLACES; r++) assert_same(members[r].fit);
  pthread_barrier_destroy(&meeting.barrier);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(an_engine_learns_the_same),
                                     cmocka_unit_test(ranks_learn_the_same)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
