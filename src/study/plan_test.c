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

static const tacit_plan_row *asked(const tacit_plan_result *r) {
  return &r->by_mu[r->asked_mu];
}

static void figures_depend_on_the_seed_alone(void **state) {
  (void)state;
  tacit_schema *schema = parse(PLAIN);
  tacit_plan_options options = options_for(schema, 200, 3);
  tacit_plan_result *one = plan(schema, &options, 1), *three = plan(schema, &options, 3);
  options.seed = 2;
  tacit_plan_result *other = plan(schema, &options, 1);
  assert_true(one->mu_count == 6 && one->size_count == 4 && one->repetitions == 3);
  for (size_t i = 0; i < 6; i++)
    for (size_t k = 0; k < TACIT_PLAN_CASES; k++) {
      assert_true(one->by_mu[i].percent[k] == three->by_mu[i].percent[k] &&
                  one->by_mu[i].percent_se[k] == three->by_mu[i].percent_se[k]);
      assert_true(one->by_mu[i].percent[k] != other->by_mu[i].percent[k]);
    }
  assert_string_equal(one->recommendation, three->recommendation);
  tacit_plan_free(one);
  tacit_plan_free(three);
  tacit_plan_free(other);
  tacit_schema_free(schema);
}

/* Against the one before, with a margin of four standard errors of either and a tenth of a percent. */
static void falls(const tacit_plan_row *before, const tacit_plan_row *here) {
  assert_true(here->middle < before->middle + 4 * (before->middle_se + here->middle_se) + 0.1);
  assert_true(here->worst_case < before->worst_case);
  assert_true(here->worst_case_percent > here->middle);
}

static void the_price_falls_with_mu_and_with_rows(void **state) {
  (void)state;
  tacit_schema *schema = parse(PLAIN);
  tacit_plan_options options = options_for(schema, 400, 8);
  options.mu = 0.7;
  tacit_plan_result *r = plan(schema, &options, 0);
  assert_true(r->mu_count == 7 && r->size_count == 4 && asked(r)->mu == 0.7 && asked(r)->rows == 400);
  assert_true(r->by_rows[r->asked_size].rows == 400 && r->by_rows[r->asked_size].middle == asked(r)->middle);
  for (size_t m = 1; m < r->mu_count; m++) {
    assert_true(r->by_mu[m].mu > r->by_mu[m - 1].mu && r->by_mu[m].rows == 400);
    falls(&r->by_mu[m - 1], &r->by_mu[m]);
  }
  for (size_t k = 1; k < r->size_count; k++) {
    assert_true(r->by_rows[k].rows == 2 * r->by_rows[k - 1].rows && r->by_rows[k].mu == 0.7);
    falls(&r->by_rows[k - 1], &r->by_rows[k]);
  }
  assert_true(r->by_mu[0].middle > 5 && fabs(r->by_mu[6].middle) < 1);
  /* in the first case half of the variance is explained: without features the spread, and with it the cost,
     grows by sqrt(2) */
  assert_near(r->cases[0].cost_without_features / r->cases[0].cost_without_privacy, sqrt(2), 0.08);
  tacit_plan_free(r);
  tacit_schema_free(schema);
}

/* low <= middle <= high; as narrow as is promised. */
static void ranges_are_in_order_and_narrow(void **state) {
  (void)state;
  tacit_schema *schema = parse(PLAIN);
  tacit_plan_options options = options_for(schema, 300, 2);
  tacit_plan_result *r = plan(schema, &options, 0);
  for (size_t m = 0; m < r->mu_count; m++) {
    const tacit_plan_row *row = &r->by_mu[m];
    assert_true(row->low <= row->middle && row->middle <= row->high);
    assert_true(row->high - row->low <= 3 + 1e-9 || row->high <= 5 * row->low * (1 + 1e-9));
    assert_true(row->high - row->low >= 3 - 1e-9);
  }
  tacit_plan_free(r);
  tacit_schema_free(schema);
}

/* What noise does depends on mu times rows: beyond the rows that are simulated, twice the rows are as good as
   twice the mu, to the digit, and no law of squares is taken to hold. */
static void beyond_the_simulated_rows_mu_times_rows_decides(void **state) {
  (void)state;
  tacit_schema *schema = parse(PLAIN);
  tacit_plan_options options = options_for(schema, 40000, 2);
  tacit_plan_result *r = plan(schema, &options, 0);
  for (size_t k = 0; k < 4; k++) { /* mu = 0.25, 0.5, 1, 2 are in the grid */
    assert_true(r->by_rows[k].simulated < r->by_rows[k].rows);
    assert_true(r->by_rows[k].middle == r->by_mu[k + 1].middle);
  }
  tacit_plan_free(r);
  tacit_schema_free(schema);
}

/* The same guarantee on twice the rows, simulated as they are, and on half of them at twice the mu: their
   prices are the same within errors. Twelve problems of each case; four standard errors of the difference. */
static void half_the_rows_at_twice_the_mu_cost_the_same(void **state) {
  (void)state;
  tacit_schema *schema = parse(PLAIN);
  tacit_plan_options options = options_for(schema, 1000, 12);
  tacit_plan_result *few = plan(schema, &options, 0);
  options.rows = 4000, options.mu = 0.25;
  tacit_plan_result *many = plan(schema, &options, 0);
  assert_true(asked(few)->simulated == 1000 && asked(many)->simulated == 4000);
  const tacit_plan_row *a = &few->by_mu[3], *b = asked(many); /* mu = 1 on 1000, 0.25 on 4000 */
  assert_true(a->mu == 1 && b->mu == 0.25);
  for (size_t k = 0; k < TACIT_PLAN_CASES; k++)
    assert_true(fabs(a->percent[k] - b->percent[k]) < 4 * hypot(a->percent_se[k], b->percent_se[k]) + 0.3);
  tacit_plan_free(few);
  tacit_plan_free(many);
  tacit_schema_free(schema);
}

/* The answer, asked forwards, costs what was asked for, within two errors of either; more rows and a larger
   mu answer a smaller price. */
static void backwards_agrees_with_forwards(void **state) {
  (void)state;
  tacit_schema *schema = parse(PLAIN);
  const size_t sizes[2] = {600, 30000}; /* simulated as they are, and by fewer */
  for (size_t i = 0; i < 2; i++) {
    tacit_plan_options options = options_for(schema, sizes[i], 4);
    options.percent = 4;
    options.mu = i ? 0.02 : 0.5;
    tacit_plan_result *back = plan(schema, &options, 0);
    tacit_plan_answer a = back->answer;
    assert_true(a.percent == 4 && a.mu_from <= a.mu && a.mu <= a.mu_to);
    assert_true(a.rows_from <= a.rows && a.rows <= a.rows_to);
    options.percent = 0;
    options.mu = a.mu;
    tacit_plan_result *by_mu = plan(schema, &options, 0);
    assert_near(asked(by_mu)->middle, 4, 2 * asked(by_mu)->middle_se + 0.4);
    options.mu = asked(back)->mu;
    options.rows = (size_t)a.rows;
    tacit_plan_result *by_rows = plan(schema, &options, 0);
    assert_near(asked(by_rows)->middle, 4, 2 * asked(by_rows)->middle_se + 0.4);
    assert_true(by_rows->answer.percent == 0); /* not asked */
    tacit_plan_free(back);
    tacit_plan_free(by_mu);
    tacit_plan_free(by_rows);
  }
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
    assert_true(r->assumption_count >= 5 && strstr(r->recommendation, "At 20 rows"));
    tacit_plan_free(r);
    tacit_schema_free(schema);
  }
}

static void every_method_that_promises_can_be_planned(void **state) {
  (void)state;
  static const char *const names[] = {"median-newton", "noisy-gd", "bisection", "objective"};
  tacit_schema *schema = parse(PLAIN);
  tacit_plan_options options = options_for(schema, 200, 2);
  double middle[4];
  for (size_t i = 0; i < 4; i++) {
    options.method = names[i];
    tacit_plan_result *r = plan(schema, &options, 0);
    assert_true(isfinite(asked(r)->middle) && strstr(r->assumptions[4], names[i]));
    middle[i] = r->by_mu[0].middle;
    tacit_plan_free(r);
  }
  for (size_t i = 1; i < 4; i++) assert_true(middle[i] != middle[0]);
  tacit_schema_free(schema);
}

/* Two routes; a region has no goals. Percent is of what the decisions cost. */
static void decisions_over_a_region_can_be_planned(void **state) {
  (void)state;
  static const char region_text[] = "{\"kind\": \"simplex\", \"dimension\": 2}";
  tacit_region *region;
  tacit_error error = {""};
  tacit_schema *schema = parse("{'target': [{'name': 'y', 'min': 0, 'max': 9}, {'name': 'z', 'min': 0, "
                               "'max': 9}], 'features': [{'name': 'a', 'min': 0, 'max': 1}]}");
  if (tacit_region_parse(region_text, strlen(region_text), &region, &error)) fail_msg("%s", error.text);
  tacit_plan_options options = options_for(schema, 300, 2);
  options.goals = NULL;
  options.goal_count = 0;
  options.region = region;
  tacit_plan_result *r = plan(schema, &options, 0);
  assert_true(r->by_mu[0].middle > r->by_mu[5].middle && r->worst_case[0] == 0);
  assert_true(isnan(r->cases[0].cost_without_features) && r->cases[0].cost_without_privacy > 0);
  tacit_plan_free(r);
  tacit_schema_free(schema);
  tacit_region_free(region);
}

typedef struct seen {
  size_t count;
  tacit_plan_row row;
} seen;

static void see(void *user, const tacit_plan_row *row) {
  seen *s = user;
  s->count++;
  s->row = *row;
}

/* From one problem of each case, which has no standard error yet. */
static void a_first_figure_comes_early(void **state) {
  (void)state;
  tacit_schema *schema = parse(PLAIN);
  tacit_plan_options options = options_for(schema, 200, 2);
  seen s = {0};
  options.first = see;
  options.first_user = &s;
  tacit_plan_result *r = plan(schema, &options, 0);
  assert_true(s.count == 1 && s.row.mu == 0.5 && s.row.rows == 200 && isnan(s.row.percent_se[0]));
  assert_true(isfinite(s.row.middle) && s.row.middle != asked(r)->middle);
  tacit_plan_free(r);
  tacit_schema_free(schema);
}

/* With as many rows as columns even learning without privacy does worse than a constant order. */
/* Nobody is told to take a mu that hides nothing, or more rows than were looked at. */
static void what_cannot_be_had_is_not_extrapolated(void **state) {
  (void)state;
  tacit_schema *schema = parse(PLAIN);
  tacit_plan_options options = options_for(schema, 60, 2);
  options.percent = 1e-9;
  tacit_plan_result *r = plan(schema, &options, 0);
  assert_true(isinf(r->answer.mu_nine_in_ten) && isinf(r->answer.rows_nine_in_ten));
  assert_true(r->answer.mu_most == 20 && r->answer.rows_most >= 600);
  assert_true(isinf(r->answer.mu) || r->answer.mu <= 20);
  tacit_plan_free(r);
  tacit_schema_free(schema);
}

/* The same problems, without those of other guarantees and numbers of rows. */
static void a_glance_is_the_asked_line_of_the_plan(void **state) {
  (void)state;
  tacit_schema *schema = parse(PLAIN);
  tacit_plan_options options = options_for(schema, 300, 2);
  tacit_plan_result *r = plan(schema, &options, 0);
  tacit_plan_row row;
  for (size_t repetitions = 0; repetitions <= 2; repetitions += 2) { /* two of each are its own number, too */
    options.repetitions = repetitions;
    assert_int_equal(tacit_plan_glance(schema, &options, NULL, &row, NULL), TACIT_OK);
    assert_true(row.low == asked(r)->low && row.middle == asked(r)->middle && row.high == asked(r)->high);
    assert_true(row.rows == 300 && row.mu == asked(r)->mu && isnan(row.worst_case));
  }
  tacit_error error = {""};
  options.rows = 1;
  assert_int_equal(tacit_plan_glance(schema, &options, NULL, &row, &error), TACIT_BAD_INPUT);
  assert_non_null(strstr(error.text, "too few"));
  tacit_plan_free(r);
  tacit_schema_free(schema);
}

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
  bad = good, bad.percent = -1;
  refuse(schema, bad, TACIT_USAGE, "percent must be above 0");
  bad = good, bad.method = "erm";
  refuse(schema, bad, TACIT_USAGE, "nothing to plan");
  bad = good, bad.method = "spo-gaussian";
  refuse(schema, bad, TACIT_USAGE, "nothing to plan");
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
      cmocka_unit_test(ranges_are_in_order_and_narrow),
      cmocka_unit_test(beyond_the_simulated_rows_mu_times_rows_decides),
      cmocka_unit_test(half_the_rows_at_twice_the_mu_cost_the_same),
      cmocka_unit_test(backwards_agrees_with_forwards),
      cmocka_unit_test(every_kind_of_table_can_be_planned),
      cmocka_unit_test(every_method_that_promises_can_be_planned),
      cmocka_unit_test(decisions_over_a_region_can_be_planned),
      cmocka_unit_test(a_first_figure_comes_early),
      cmocka_unit_test(what_cannot_be_had_is_not_extrapolated),
      cmocka_unit_test(a_glance_is_the_asked_line_of_the_plan),
      cmocka_unit_test(the_advice_says_when_rows_are_too_few_for_the_features),
      cmocka_unit_test(what_cannot_be_planned_is_refused),
      cmocka_unit_test(the_caller_can_end_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
