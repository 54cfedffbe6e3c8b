/* Several ranks learn what one process learns from all rows, to the last bit; what one of them cannot do,
   none does; the budget is spent once, by one of them. Ranks are threads here. */
#include "learn/ranks.h"

#include "base/base.h"
#include "learn/task.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* last: it needs the others */
#include <cmocka.h>

enum { RANKS = 3, ROWS = 6000 };

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
  size_t length;
  const tacit_learn_options *options;
  const char *decide; /* learn decisions by this method instead */
  const double *rule; /* or say what this rule costs */
  double cost;
  int calls, spent;
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
                                          .underage = &one,
                                          .overage = &one,
                                          .mu = 1,
                                          .spend = pay,
                                          .spend_user = m,
                                          .seeded = m->options->seeded,
                                          .seed = m->options->seed};
  m->status = tacit_estimate_cost(m->schema, source, &options, context, &result, &m->error);
  m->cost = m->status ? 0 : result.mean_cost;
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
  m->status = tacit_source_csv_text(m->text, m->length, &source, &m->error);
  if (m->status) return NULL;
  if (m->decide)
    learn_decisions(m, source, &context);
  else if (m->rule)
    estimate(m, source, &context);
  else
    m->status = tacit_learn(m->schema, source, &options, &context, &m->fit, &m->error);
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

/* All ranks to their end; lines is what each file ends with. */
static void run_ranks(member *m, const tacit_schema *schema, const tacit_learn_options *options,
                      const char *const *lines, int calls_left, tacit_status first_pays) {
  static const size_t sizes[RANKS] = {2500, 0, 3500}; /* one of them has nothing */
  meeting at = {.calls_left = calls_left, .lock = PTHREAD_MUTEX_INITIALIZER};
  pthread_t threads[RANKS];
  pthread_barrier_init(&at.barrier, NULL, RANKS);
  char *texts[RANKS];
  for (size_t r = 0, row = 0; r < RANKS; row += sizes[r++]) {
    m[r] = (member){.at = &at,
                    .schema = schema,
                    .options = options,
                    .decide = m[r].decide,
                    .rule = m[r].rule,
                    .pay = r ? TACIT_OK : first_pays};
    m[r].ranks = (tacit_ranks){.rank = r, .count = RANKS, .sum = add, .share = give, .user = &m[r]};
    m[r].text = texts[r] = text_of(row, sizes[r], lines ? lines[r] : "", &m[r].length);
    assert_int_equal(pthread_create(&threads[r], NULL, run, &m[r]), 0);
  }
  for (size_t r = 0; r < RANKS; r++) pthread_join(threads[r], NULL);
  for (size_t r = 0; r < RANKS; r++) free(texts[r]);
  pthread_barrier_destroy(&at.barrier);
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

static void ranks_learn_what_one_process_learns(void **state) {
  (void)state;
  static const char *const methods[][2] = {
      {"default", NULL}, {"noisy-gd", NULL}, {"noisy-gd", "sphere"}, {"gradient", NULL}, {"bisection", NULL}};
  tacit_schema *schema = schema_of(JSON);
  for (size_t k = 0; k < 5; k++) {
    tacit_learn_options options = options_for(methods[k][0], methods[k][1]);
    if (k == 3) options.gradient.steps = 20;
    member one = {.schema = schema, .options = &options}, all[RANKS] = {{0}};
    char *text = text_of(0, ROWS, "", &one.length);
    one.text = text;
    run(&one);
    if (one.status) fail_msg("%s", one.error.text);
    run_ranks(all, schema, &options, NULL, 1 << 30, TACIT_OK);
    for (size_t r = 0; r < RANKS; r++) {
      if (all[r].status) fail_msg("rank %zu: %s", r, all[r].error.text);
      assert_memory_equal(tacit_fit_coefficients(all[r].fit), tacit_fit_coefficients(one.fit),
                          3 * sizeof(double));
      tacit_fit_counts counts = tacit_fit_count(all[r].fit);
      assert_int_equal(counts.rows, ROWS);
      assert_true(tacit_certificate_mu(all[r].fit->certificate) ==
                  tacit_certificate_mu(one.fit->certificate));
      assert_int_equal(all[r].spent, r == 0);
      tacit_fit_free(all[r].fit);
    }
    tacit_fit_free(one.fit);
    free(text);
  }
  tacit_schema_free(schema);
}

/* Decisions and private evaluation: one rank draws directions, responses and noise, and spends. */
static void ranks_decide_and_evaluate_as_one_process_does(void **state) {
  (void)state;
  static const char *const decides[] = {"gaussian", "exponential", "least-squares", NULL};
  static const char *const jsons[] = {JSON, WIDE}; /* the second's rows are whitened */
  static const double rule[] = {4, 0.5, 1};
  const tacit_learn_options options = options_for("default", NULL);
  for (size_t k = 0; k < 8; k++) {
    tacit_schema *schema = schema_of(jsons[k / 4]);
    member one = {.schema = schema, .options = &options, .decide = decides[k % 4]}, all[RANKS] = {{0}};
    if (!one.decide) one.rule = rule;
    for (size_t r = 0; r < RANKS; r++) all[r].decide = one.decide, all[r].rule = one.rule;
    char *text = text_of(0, ROWS, "", &one.length);
    one.text = text;
    run(&one);
    if (one.status) fail_msg("%s", one.error.text);
    run_ranks(all, schema, &options, NULL, 1 << 30, TACIT_OK);
    for (size_t r = 0; r < RANKS; r++) {
      if (all[r].status) fail_msg("rank %zu: %s", r, all[r].error.text);
      if (one.fit)
        assert_memory_equal(all[r].fit->coefficients, one.fit->coefficients,
                            one.fit->columns * sizeof(double));
      assert_true(all[r].cost == one.cost);
      assert_int_equal(all[r].spent, r == 0);
      tacit_fit_free(all[r].fit);
    }
    tacit_fit_free(one.fit);
    free(text);
    tacit_schema_free(schema);
  }
}

/* Noise from the operating system: only rank 0's counts, and all have it. */
static void one_rank_draws_the_noise(void **state) {
  (void)state;
  static const char *const decides[] = {NULL, "gaussian", "exponential"};
  tacit_schema *schema = schema_of(JSON);
  tacit_learn_options options = options_for("default", NULL);
  options.seeded = false;
  for (size_t k = 0; k < 3; k++) {
    member all[RANKS] = {{0}}, again[RANKS] = {{0}};
    for (size_t r = 0; r < RANKS; r++) all[r].decide = again[r].decide = decides[k];
    run_ranks(all, schema, &options, NULL, 1 << 30, TACIT_OK);
    run_ranks(again, schema, &options, NULL, 1 << 30, TACIT_OK);
    for (size_t r = 0; r < RANKS; r++) {
      assert_int_equal(all[r].status, TACIT_OK);
      assert_memory_equal(all[r].fit->coefficients, all[0].fit->coefficients, 3 * sizeof(double));
      assert_memory_not_equal(all[r].fit->coefficients, again[r].fit->coefficients, 3 * sizeof(double));
    }
    for (size_t r = 0; r < RANKS; r++) tacit_fit_free(all[r].fit), tacit_fit_free(again[r].fit);
  }
  tacit_schema_free(schema);
}

static void a_bad_row_on_one_rank_stops_all_before_anything_is_spent(void **state) {
  (void)state;
  tacit_schema *schema = schema_of(JSON);
  static const char *const lines[] = {"", "", "x,u,1\n"};
  tacit_learn_options options = options_for("default", NULL);
  member all[RANKS] = {{0}};
  run_ranks(all, schema, &options, lines, 1 << 30, TACIT_OK);
  for (size_t r = 0; r < RANKS; r++) {
    assert_int_equal(all[r].status, TACIT_BAD_INPUT);
    assert_int_equal(all[r].spent, 0);
    assert_null(all[r].fit);
    assert_non_null(strstr(all[r].error.text, r == 2 ? "record 3501, column \"a\"" : "another rank"));
  }
  tacit_schema_free(schema);
}

static void no_budget_on_rank_0_stops_all(void **state) {
  (void)state;
  tacit_schema *schema = schema_of(JSON);
  tacit_learn_options options = options_for("default", NULL);
  member all[RANKS] = {{0}};
  run_ranks(all, schema, &options, NULL, 1 << 30, TACIT_REFUSED);
  for (size_t r = 0; r < RANKS; r++) {
    assert_int_equal(all[r].status, TACIT_REFUSED);
    assert_null(all[r].fit);
    assert_non_null(strstr(all[r].error.text, r ? "rank 0" : "no budget"));
  }
  tacit_schema_free(schema);
}

/* A connection that is lost at the first call, the second, and so on: no policy, ever, and the budget is
   spent once from the call on in which it was asked for. */
static void a_lost_connection_gives_no_policy(void **state) {
  (void)state;
  tacit_schema *schema = schema_of(JSON);
  tacit_learn_options options = options_for("default", NULL);
  int spent = 0;
  for (int calls = 1; calls <= 40; calls += calls < 6 ? 1 : 11) {
    member all[RANKS] = {{0}};
    run_ranks(all, schema, &options, NULL, calls, TACIT_OK);
    for (size_t r = 0; r < RANKS; r++) {
      assert_int_equal(all[r].status, TACIT_INTERNAL);
      assert_null(all[r].fit);
      assert_true(r == 0 || all[r].spent == 0);
    }
    assert_true(all[0].spent >= spent && all[0].spent <= 1);
    spent = all[0].spent;
  }
  assert_int_equal(spent, 1);
  tacit_schema_free(schema);
}

static void what_parts_cannot_promise_is_refused(void **state) {
  (void)state;
  static const char *const jsons[] = {"{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 10}, "
                                      "\"features\": [{\"name\": \"a\", \"center\": 0, "
                                      "\"scale\": 1}], \"unit\": {\"column\": \"c\", \"rows_per_unit\": 2}}",
                                      "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 10}, "
                                      "\"features\": [{\"name\": \"y\", \"lag\": 1}], "
                                      "\"unit\": {\"rows_per_unit\": 2}}"};
  member all[RANKS] = {{0}};
  tacit_learn_options options = options_for("default", NULL);
  for (size_t k = 0; k < 2; k++) {
    tacit_schema *schema = schema_of(jsons[k]);
    run_ranks(all, schema, &options, NULL, 1 << 30, TACIT_OK);
    for (size_t r = 0; r < RANKS; r++) {
      assert_int_equal(all[r].status, TACIT_REFUSED);
      assert_non_null(strstr(all[r].error.text, "one packed table"));
    }
    tacit_schema_free(schema);
  }
  tacit_schema *schema = schema_of(JSON);
  options = options_for("saa", NULL);
  run_ranks(all, schema, &options, NULL, 1 << 30, TACIT_OK);
  for (size_t r = 0; r < RANKS; r++) assert_int_equal(all[r].status, TACIT_USAGE);
  tacit_schema_free(schema);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ranks_learn_what_one_process_learns),
      cmocka_unit_test(ranks_decide_and_evaluate_as_one_process_does),
      cmocka_unit_test(one_rank_draws_the_noise),
      cmocka_unit_test(a_bad_row_on_one_rank_stops_all_before_anything_is_spent),
      cmocka_unit_test(no_budget_on_rank_0_stops_all),
      cmocka_unit_test(a_lost_connection_gives_no_policy),
      cmocka_unit_test(what_parts_cannot_promise_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
