/* A plan for 200 columns: its time in fits of as many columns, which is the same on a busy machine, and how
   soon there is a first figure. */
#include "study/plan.h"

#include "base/base.h"
#include "study/study.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

enum { FEATURES = 199, ROWS = 10000, SIMULATED = 4000, FITS = 3 };

static tacit_schema *wide_schema(char names[FEATURES + 1][8]) {
  enum { ROOM = 64 * (FEATURES + 2) };
  char *text = tacit_alloc(ROOM, 1);
  tacit_schema *schema;
  tacit_error error = {""};
  int at = snprintf(text, ROOM, "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 100}, \"features\": [");
  for (int i = 0; i < FEATURES; i++) {
    snprintf(names[i], sizeof names[i], "x%d", i);
    at += snprintf(text + at, (size_t)(ROOM - at), "%s{\"name\": \"x%d\", \"min\": 0, \"max\": 1}",
                   i ? ", " : "", i);
  }
  snprintf(names[FEATURES], sizeof names[FEATURES], "y");
  at += snprintf(text + at, (size_t)(ROOM - at), "]}");
  if (tacit_schema_parse(text, (size_t)at, &schema, &error)) fail_msg("%s", error.text);
  free(text);
  return schema;
}

static double seconds(void) {
  return (double)clock() / CLOCKS_PER_SEC; /* of the processor, all threads together */
}

/* Of one fit of as many rows as are simulated. */
static double fit_time(const tacit_schema *schema, char names[FEATURES + 1][8]) {
  const char *name[FEATURES + 1];
  const double *value[FEATURES + 1];
  double *cells = tacit_alloc((FEATURES + 1) * SIMULATED, sizeof *cells);
  tacit_stream stream;
  tacit_error error = {""};
  assert_int_equal(tacit_study_stream(1, TACIT_FOR_ROWS, 0, 0, &stream, &error), TACIT_OK);
  for (size_t i = 0; i < (FEATURES + 1) * SIMULATED; i++) cells[i] = tacit_uniform(&stream);
  for (size_t j = 0; j <= FEATURES; j++) name[j] = names[j], value[j] = cells + j * SIMULATED;
  const tacit_study_table table = {schema, SIMULATED, FEATURES + 1, name, value, NULL};
  double begin = seconds();
  for (uint64_t seed = 1; seed <= FITS; seed++) {
    tacit_fit *fit;
    if (tacit_study_fit(&table, 0.9, 1, &seed, &fit, &error)) fail_msg("%s", error.text);
    tacit_fit_free(fit);
  }
  free(cells);
  return (seconds() - begin) / FITS;
}

static void note_time(void *user, const tacit_plan_row *row) {
  assert_true(isfinite(row->middle));
  *(double *)user = seconds();
}

/* 14 problems, of each two fits next to without noise and six with: 112 fits. The rows are drawn and tested
   besides, which takes about a fourth of it. The first figure takes 21 fits. */
static void a_plan_for_many_columns_takes_few_fits(void **state) {
  (void)state;
  char names[FEATURES + 1][8];
  tacit_schema *schema = wide_schema(names);
  const tacit_goal goal = {0.9, 0, 0};
  tacit_plan_options options;
  tacit_plan_result *result;
  tacit_error error = {""};
  double fit = fit_time(schema, names), first = 0, begin = seconds();
  tacit_plan_options_init(&options);
  options.rows = ROWS;
  options.goals = &goal;
  options.goal_count = 1;
  options.first = note_time;
  options.first_user = &first;
  if (tacit_plan(schema, &options, NULL, &result, &error)) fail_msg("%s", error.text);
  double all = seconds() - begin;
  print_message("a fit takes %.2f s of the processor, the plan %.1f s, its first figure %.1f s\n", fit, all,
                first - begin);
  assert_true(result->by_mu[0].simulated == SIMULATED && result->repetitions == 2);
  assert_true(first - begin < 42 * fit && all < 190 * fit);
  const tacit_plan_row *asked = &result->by_mu[result->asked_mu];
  assert_true(asked->middle_se < asked->middle / 2); /* of 14 problems as unlike as these */
  tacit_plan_free(result);
  tacit_schema_free(schema);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_plan_for_many_columns_takes_few_fits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
