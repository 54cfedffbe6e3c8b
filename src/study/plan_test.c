/* The planner: its figures depend on the seed alone and move the way the price of privacy moves, and what it
   refuses. */
#include "study/plan.h"

#include "study/near.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "study/plan_schemas_for_test.h"

static const tacit_goal GOALS[2] = {{0.625, 50, 30}, {0.75, 3, 1}};

static tacit_plan_options options_for(const tacit_schema *schema, size_t rows, size_t repetitions) {
  tacit_plan_options options;
  tacit_plan_options_init(&options);
  options.rows = rows;
  options.goals = GOALS;
  options.goal_count = schema->target_count;
  options.repetitions = repetitions;
  return options;
}

static tacit_plan_result *plan(const tacit_schema *schema, const tacit_plan_options *options, int threads) {
  tacit_context context;
  tacit_context_init(&context);
  context.threads = threads;
  tacit_plan_result *result = NULL;
  tacit_error error = {""};
  if (tacit_plan(schema, options, &context, &result, &error) != TACIT_OK) fail_msg("%s", error.text);
  return result;
}

static const tacit_plan_row *cell(const tacit_plan_result *r, size_t m, size_t k) {
  return &r->rows[m * r->size_count + k];
}

static void figures_depend_on_the_seed_alone(void **state) {
  (void)state;
  tacit_schema *schema = parse(PLAIN);
  tacit_plan_options options = options_for(schema, 200, 9);
  tacit_plan_result *one = plan(schema, &options, 1), *three = plan(schema, &options, 3);
  options.seed = 2;
  tacit_plan_result *other = plan(schema, &options, 1);
  assert_true(one->mu_count == 7 && one->size_count == 4 && one->repetitions == 9);
  for (size_t i = 0; i < 28; i++) {
    assert_true(one->rows[i].cost == three->rows[i].cost &&
                one->rows[i].percent_se == three->rows[i].percent_se);
    assert_true(one->rows[i].cost != other->rows[i].cost);
  }
  assert_string_equal(one->recommendation, three->recommendation);
  tacit_plan_free(one);
  tacit_plan_free(three);
  tacit_plan_free(other);
  tacit_schema_free(schema);
}

/* Every cell against its neighbours, with a margin of three standard errors of either and a tenth of a
   percent: with 20 problems a false alarm is below one in a hundred, and the seed is fixed. */
static void the_price_falls_with_mu_and_with_rows(void **state) {
  (void)state;
  tacit_schema *schema = parse(PLAIN);
  tacit_plan_options options = options_for(schema, 400, 20);
  options.mu = 0.7;
  tacit_plan_result *r = plan(schema, &options, 0);
  assert_true(r->mu_count == 8 && cell(r, r->asked_mu, r->asked_size)->mu == 0.7);
  assert_true(cell(r, r->asked_mu, r->asked_size)->rows == 400);
  for (size_t m = 0; m < r->mu_count; m++)
    for (size_t k = 0; k < r->size_count; k++) {
      const tacit_plan_row *here = cell(r, m, k);
      double margin = 3 * here->percent_se + 0.1;
      if (m) {
        assert_true(here->mu > cell(r, m - 1, k)->mu);
        assert_true(here->percent < cell(r, m - 1, k)->percent + margin + 3 * cell(r, m - 1, k)->percent_se);
        assert_true(here->worst_case < cell(r, m - 1, k)->worst_case);
      }
      if (k) {
        assert_true(here->rows == 2 * cell(r, m, k - 1)->rows);
        assert_true(here->percent < cell(r, m, k - 1)->percent + margin + 3 * cell(r, m, k - 1)->percent_se);
        assert_true(here->worst_case < cell(r, m, k - 1)->worst_case);
      }
      assert_true(here->worst_case_percent > here->percent);
    }
  assert_true(cell(r, 0, 0)->percent > 5 && fabs(cell(r, 7, 3)->percent) < 1);
  /* half of the variance explained: the spread, and with it the cost, grows by sqrt(2) without features */
  assert_near(cell(r, 0, 3)->cost_without_features / cell(r, 0, 3)->cost_without_privacy, sqrt(2), 0.05);
  tacit_plan_free(r);
  tacit_schema_free(schema);
}

static void beyond_the_simulated_rows_the_price_falls_with_their_square(void **state) {
  (void)state;
  tacit_schema *schema = parse("{'target': {'name': 'y', 'min': 0, 'max': 9}, 'features': []}");
  tacit_plan_options options = options_for(schema, 40000, 2);
  tacit_plan_result *r = plan(schema, &options, 0);
  assert_false(cell(r, 0, 0)->extrapolated);
  for (size_t k = 1; k < 4; k++) {
    assert_true(cell(r, 0, k)->extrapolated);
    assert_near(cell(r, 0, k)->percent / cell(r, 0, k - 1)->percent, 0.25, 1e-6);
  }
  tacit_plan_free(r);
  tacit_schema_free(schema);
}

static void every_kind_of_table_can_be_planned(void **state) {
  (void)state;
  const char *const texts[] = {LAGS, UNITS};
  for (size_t i = 0; i < 2; i++) {
    tacit_schema *schema = parse(texts[i]);
    tacit_plan_options options = options_for(schema, 20, 2);
    tacit_plan_result *r = plan(schema, &options, 0);
    assert_true(r->size_count == (i ? 4 : 3)); /* ten rows are too few behind a lag of seven */
    assert_true(r->assumption_count >= 5 && strstr(r->recommendation, "at 20 rows"));
    tacit_plan_free(r);
    tacit_schema_free(schema);
  }
}

/* With as many rows as columns even learning without privacy does worse than a constant order. */
static void the_advice_says_when_rows_are_too_few_for_the_features(void **state) {
  (void)state;
  tacit_schema *schema = parse(PLAIN);
  tacit_plan_options options = options_for(schema, 5, 9);
  tacit_plan_result *few = plan(schema, &options, 0);
  assert_non_null(strstr(few->recommendation, "even without privacy"));
  assert_true(few->size_count == 3 && few->asked_size == 0);
  options.rows = 500;
  tacit_plan_result *enough = plan(schema, &options, 0);
  assert_null(strstr(enough->recommendation, "even without privacy"));
  tacit_plan_free(few);
  tacit_plan_free(enough);
  tacit_schema_free(schema);
}

static void refuse(const tacit_schema *schema, tacit_plan_options options, tacit_status status,
                   const char *part) {
  tacit_plan_result *result;
  tacit_error error = {""};
  assert_int_equal(tacit_plan(schema, &options, NULL, &result, &error), status);
  assert_null(result);
  if (!strstr(error.text, part)) fail_msg("\"%s\" is not in \"%s\"", part, error.text);
}

static void what_cannot_be_planned_is_refused(void **state) {
  (void)state;
  tacit_schema *schema = parse(PLAIN), *lags = parse(LAGS);
  tacit_plan_options good = options_for(schema, 100, 2), bad = good;
  bad.rows = 4;
  refuse(schema, bad, TACIT_BAD_INPUT, "4 rows are too few for 5 encoded columns");
  bad.rows = 0;
  refuse(schema, bad, TACIT_USAGE, "number of rows");
  bad = good, bad.mu = 0;
  refuse(schema, bad, TACIT_USAGE, "mu must be above 0");
  bad.mu = NAN;
  refuse(schema, bad, TACIT_USAGE, "mu must be above 0");
  bad = good, bad.mu = 1e-5;
  refuse(schema, bad, TACIT_REFUSED, "too little to learn anything");
  bad = good, bad.repetitions = 1;
  refuse(schema, bad, TACIT_USAGE, "repetitions");
  bad = good, bad.goal_count = 2;
  refuse(schema, bad, TACIT_USAGE, "1 targets, but 2 goals");
  bad = good, bad.rows = 9;
  refuse(lags, bad, TACIT_BAD_INPUT, "behind the reach of the lags");
  bad = good, bad.adjacency = TACIT_ADD_REMOVE;
  refuse(lags, bad, TACIT_REFUSED, "add-remove");
  tacit_schema_free(schema);
  tacit_schema_free(lags);
}

static bool always(void *user) {
  (void)user;
  return true;
}

static void the_caller_can_end_it(void **state) {
  (void)state;
  tacit_schema *schema = parse(PLAIN);
  tacit_plan_options options = options_for(schema, 100, 2);
  tacit_context context;
  tacit_context_init(&context);
  context.cancelled = always;
  tacit_plan_result *result;
  tacit_error error = {""};
  assert_int_equal(tacit_plan(schema, &options, &context, &result, &error), TACIT_CANCELLED);
  assert_null(result);
  tacit_schema_free(schema);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(figures_depend_on_the_seed_alone),
      cmocka_unit_test(the_price_falls_with_mu_and_with_rows),
      cmocka_unit_test(beyond_the_simulated_rows_the_price_falls_with_their_square),
      cmocka_unit_test(every_kind_of_table_can_be_planned),
      cmocka_unit_test(the_advice_says_when_rows_are_too_few_for_the_features),
      cmocka_unit_test(what_cannot_be_planned_is_refused),
      cmocka_unit_test(the_caller_can_end_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
