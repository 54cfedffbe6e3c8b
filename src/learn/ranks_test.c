/* Several ranks learn what one process learns from all rows, to the last bit; what one of them cannot do,
   none does; the budget is spent once, by one of them. */
#include "learn/ranks_for_test.h"

enum { RANKS = 3 };

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
                    .spread = m[r].spread,
                    .pay = r ? TACIT_OK : first_pays};
    m[r].ranks = (tacit_ranks){.rank = r, .count = RANKS, .sum = add, .share = give, .user = &m[r]};
    m[r].text = texts[r] = text_of(row, sizes[r], lines ? lines[r] : "", &m[r].length);
    assert_int_equal(pthread_create(&threads[r], NULL, run, &m[r]), 0);
  }
  for (size_t r = 0; r < RANKS; r++) pthread_join(threads[r], NULL);
  for (size_t r = 0; r < RANKS; r++) free(texts[r]);
  pthread_barrier_destroy(&at.barrier);
}

static void ranks_learn_what_one_process_learns(void **state) {
  (void)state;
  static const char *const methods[][2] = {
      {"median-newton", NULL}, {"noisy-gd", NULL},       {"noisy-gd", "sphere"},   {"gradient", NULL},
      {"bisection", NULL},     {"location-scale", NULL}, {"location-scale", NULL}, {"follow", NULL}};
  static const double high = 0.9; /* where rules have a spread */
  for (size_t k = 0; k < 8; k++) {
    tacit_schema *schema = schema_of(k == 6 ? WIDE : JSON);
    tacit_learn_options options = options_for(methods[k][0], methods[k][1]);
    if (k == 3) options.gradient.steps = 20;
    bool spread = k == 5 || k == 6;
    if (k >= 5) options.quantiles = &high;
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
      assert_true(!all[r].fit->spread == !spread && !one.fit->spread == !spread);
      if (spread) assert_memory_equal(all[r].fit->spread, one.fit->spread, 4 * sizeof(double));
      tacit_fit_counts counts = tacit_fit_count(all[r].fit);
      assert_int_equal(counts.rows, ROWS);
      assert_true(tacit_certificate_mu(all[r].fit->certificate) ==
                  tacit_certificate_mu(one.fit->certificate));
      assert_int_equal(all[r].spent, r == 0);
      tacit_fit_free(all[r].fit);
    }
    tacit_fit_free(one.fit);
    free(text);
    tacit_schema_free(schema);
  }
}

/* What the data holder is told of cells is the same on every rank, and of all rows. */
static void ranks_tell_of_all_cells(void **state) {
  (void)state;
  static const char LESS[] =
      "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 10}, \"features\": [{\"name\": "
      "\"a\", \"center\": 0, \"scale\": 1}, {\"name\": \"c\", \"levels\": [\"u\", \"w\"]}]}";
  tacit_schema *schema = schema_of(LESS);
  tacit_learn_options options = options_for("noisy-gd", NULL);
  member all[RANKS] = {{0}};
  run_ranks(all, schema, &options, NULL, 1 << 30, TACIT_OK);
  for (size_t r = 0; r < RANKS; r++) {
    if (all[r].status) fail_msg("rank %zu: %s", r, all[r].error.text);
    assert_int_equal(all[r].unlisted, ROWS / 3);
    tacit_fit_free(all[r].fit);
  }
  tacit_schema_free(schema);
}

/* Decisions and private evaluation: one rank draws directions, responses and noise, and spends. */
static void ranks_decide_and_evaluate_as_one_process_does(void **state) {
  (void)state;
  static const char *const decides[] = {"gaussian", "exponential", "least-squares", NULL};
  static const char *const jsons[] = {JSON, WIDE}; /* the second's rows are whitened */
  static const double rule[] = {4, 0.5, 1}, spread[] = {-0.5, 0.2, 0.1, 0.7};
  const tacit_learn_options options = options_for("default", NULL);
  for (size_t k = 0; k < 8; k++) {
    tacit_schema *schema = schema_of(jsons[k / 4]);
    member one = {.schema = schema, .options = &options, .decide = decides[k % 4]}, all[RANKS] = {{0}};
    if (!one.decide) one.rule = rule, one.spread = k < 4 ? spread : NULL;
    for (size_t r = 0; r < RANKS; r++)
      all[r].decide = one.decide, all[r].rule = one.rule, all[r].spread = one.spread;
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
      cmocka_unit_test(ranks_tell_of_all_cells),
      cmocka_unit_test(ranks_decide_and_evaluate_as_one_process_does),
      cmocka_unit_test(one_rank_draws_the_noise),
      cmocka_unit_test(a_bad_row_on_one_rank_stops_all_before_anything_is_spent),
      cmocka_unit_test(no_budget_on_rank_0_stops_all),
      cmocka_unit_test(a_lost_connection_gives_no_policy),
      cmocka_unit_test(what_parts_cannot_promise_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
