/* The studies of Chen and Chua and of Wang and Qin in small: every one runs, is the same for every number of
   threads, and says that published methods carry no certificate. */
#include "papers/chen/chen.h"

#include "study/near.h"
#include "study/study.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "papers/reproduce_for_test.h"

static double ticks;
static double tick(void *user) {
  (void)user;
  return ticks += 0.5;
}

static tacit_reproduce_options small(void) {
  static const size_t rows[] = {64};
  static const double epsilons[] = {1};
  tacit_reproduce_options o;
  tacit_reproduce_options_init(&o);
  o.repetitions = 2;
  o.rows = rows;
  o.row_count = 1;
  o.epsilons = epsilons;
  o.epsilon_count = 1;
  o.seconds = tick;
  return o;
}

static void every_study_runs_the_same_on_any_threads(void **state) {
  (void)state;
  for (size_t i = 0; tacit_reproduction_name(i); i++) {
    if (strncmp(tacit_reproduction_name(i), "chen-", 5) && strncmp(tacit_reproduction_name(i), "wang-", 5) &&
        strncmp(tacit_reproduction_name(i), "spo-", 4) && strcmp(tacit_reproduction_name(i), "sold-out") != 0)
      continue; /* they have tests of their own */
    tacit_reproduce_options o = small();
    o.columns = 3;
    tacit_report *a = reproduce(tacit_reproduction_name(i), &o, 1),
                 *b = reproduce(tacit_reproduction_name(i), &o, 2);
    assert_non_null(tacit_reproduction_about(i));
    assert_same_report(a, b);
    if (strcmp(a->name, "chen-noise") && strcmp(a->name, "chen-smoothing")) /* these run no method */
      assert_true(strstr(a->notes, "certificate") != NULL);
    tacit_report_free(a);
    tacit_report_free(b);
  }
  tacit_report_free(NULL);
}

static void wide_and_endogenous_problems_run(void **state) {
  (void)state;
  tacit_reproduce_options o = small();
  o.columns = TACIT_CHEN_WIDE;
  o.endogenous = true;
  tacit_report *r = reproduce("chen-error", &o, 1);
  assert_int_equal(r->rows, TACIT_CHEN_METHODS + 3);
  for (size_t i = 0; i < r->rows; i++) assert_true(cell(r, i, "mean") > 0 && isnan(cell(r, i, "band_lower")));
  assert_non_null(strstr(r->notes, "d = 51 and endogenous"));
  tacit_report_free(r);
}

/* Fig. EC.2's order: advanced composition above the moments accountant above Gaussian privacy; and the trap
   of MATH: at (1, 0.01) the closed form gives mu = 0.33 where 0.53 is allowed. */
static void noise_falls_with_better_accounting(void **state) {
  (void)state;
  tacit_reproduce_options o = small();
  tacit_report *r = reproduce("chen-noise", &o, 1);
  int seen = 0;
  for (size_t i = 0; i < r->rows; i++) {
    /* (1, 1e-6): enough where a record is added, not where one is replaced */
    if (!strcmp(r->text[i * r->texts], "OP (Chen and Chua)") && cell(r, i, "epsilon") == 1 &&
        cell(r, i, "delta") == 1e-6) {
      seen++;
      assert_true(cell(r, i, "certified_delta") > 1e-5 && cell(r, i, "certified_delta_add_remove") < 1e-6);
      assert_true(cell(r, i, "times_exact") < 1 && cell(r, i, "times_add_remove") > 1);
    }
    if (memcmp(r->text[i * r->texts], "GP", 2) != 0) continue;
    assert_true(cell(r, i, "advanced_composition") > 5 * cell(r, i, "published"));
    assert_true(cell(r, i, "published") > cell(r, i, "exact"));
    if (cell(r, i, "epsilon") != 1 || cell(r, i, "delta") != 0.01) continue;
    seen++;
    assert_near(2 / cell(r, i, "published"), 0.33, 0.005);
    assert_near(2 / cell(r, i, "exact"), 0.53, 0.005);
  }
  assert_int_equal(seen, 2);
  tacit_report_free(r);
}

static void seconds_stand_beside_the_published_ones(void **state) {
  (void)state;
  static const size_t rows[] = {100};
  tacit_reproduce_options o = small();
  o.rows = rows;
  o.columns = 3;
  tacit_report *r = reproduce("chen-time", &o, 1);
  assert_true(r->rows >= TACIT_CHEN_SEVEN + 1);
  assert_string_equal(r->text[2], "SGP (DP-SGD)");
  assert_near(cell(r, 2, "seconds"), 0.5, 1e-12);
  assert_near(cell(r, 2, "published_seconds"), 0.7, 1e-12);
  assert_near(cell(r, 2, "times_as_fast"), 1.4, 1e-12);
  tacit_report_free(r);
  o.seconds = NULL;
  tacit_error error;
  tacit_context context;
  tacit_context_init(&context);
  assert_int_equal(tacit_reproduce("chen-time", &o, &context, &r, &error), TACIT_USAGE);
}

/* mu / sqrt(S) exactly, and advanced composition at more noise. */
static void products_share_a_promise(void **state) {
  (void)state;
  tacit_reproduce_options o = small();
  tacit_report *r = reproduce("chen-products", &o, 1);
  double mu = cell(r, 0, "mu_each");
  for (size_t i = 0; i < r->rows; i++) {
    assert_near(cell(r, i, "mu_each"), mu / sqrt(cell(r, i, "products")), 1e-12);
    if (i) assert_true(cell(r, i, "times_noise") > 4);
  }
  tacit_report_free(r);
}

static void an_order_with_noise_is_inconsistent(void **state) {
  (void)state;
  static const size_t rows[] = {100, 10000};
  tacit_reproduce_options o = small();
  o.rows = rows;
  o.row_count = 2;
  o.repetitions = 400;
  tacit_report *r = reproduce("chen-output", &o, 2);
  assert_int_equal(r->rows, 6);
  assert_near(cell(r, 0, "mean_abs_error"), sqrt(2 / acos(-1)) * sqrt(0.21 / 100),
              0.006); /* of a sample quantile */
  assert_true(cell(r, 3, "mean_abs_error") < 0.2 * cell(r, 0, "mean_abs_error"));
  for (size_t i = 1; i < 6; i++)
    if (i != 3)
      assert_true(cell(r, i, "share_beyond") >= cell(r, i, "lower_bound") && cell(r, i, "lower_bound") > 0.5);
  tacit_report_free(r);
}

static void what_is_out_of_range_is_refused(void **state) {
  (void)state;
  static const size_t few[] = {3};
  static const double none[] = {0};
  tacit_report *r;
  tacit_error error;
  tacit_context context;
  tacit_context_init(&context);
  tacit_reproduce_options o = small();
  assert_int_equal(tacit_reproduce("chen-rsk", &o, &context, &r, &error), TACIT_USAGE);
  o.columns = 4;
  assert_int_equal(tacit_reproduce("chen-risk", &o, &context, &r, &error), TACIT_USAGE);
  o = small();
  o.rows = few;
  assert_int_equal(tacit_reproduce("chen-risk", &o, &context, &r, &error), TACIT_USAGE);
  o = small();
  o.epsilons = none;
  assert_int_equal(tacit_reproduce("chen-risk", &o, &context, &r, &error), TACIT_USAGE);
  o = small();
  o.delta = 1;
  assert_int_equal(tacit_reproduce("chen-risk", &o, &context, &r, &error), TACIT_USAGE);
  assert_null(r);
}

/* epsilon above 1 is not refused in a study of published methods, but said. */
static void failed_conditions_are_said(void **state) {
  (void)state;
  static const double large[] = {3};
  tacit_reproduce_options o = small();
  o.epsilons = large;
  o.delta = 0.9;
  tacit_report *r = reproduce("chen-risk", &o, 1);
  assert_non_null(strstr(r->notes, "FAILS: epsilon <= 1 (Chen and Chua, Algorithm 1"));
  assert_non_null(strstr(r->notes, "FAILS: delta <= e^(-epsilon/2)"));
  assert_non_null(strstr(r->notes, "holds: n >= "));
  assert_non_null(strstr(r->notes, "holds: epsilon >= "));
  tacit_report_free(r);
}

/* The points of the figures: a table behind the report, one column for each curve. */
static void curves_come_with_the_report(void **state) {
  (void)state;
  tacit_reproduce_options o = small();
  tacit_report *r = reproduce("chen-smoothing", &o, 1), *curves = r->next;
  assert_non_null(curves);
  assert_null(curves->next);
  assert_string_equal(curves->name, "chen-smoothing-curves");
  assert_true(curves->texts == 0 && curves->numbers == r->rows + 2 && curves->rows == 401);
  for (size_t k = 0; k < r->rows; k++) assert_string_equal(curves->columns[1 + k], r->text[k * r->texts + 1]);
  assert_near(cell(curves, 200, "u"), 0, 1e-12);
  assert_near(cell(curves, 200, "the loss"), 0, 1e-12);
  assert_near(cell(curves, 200, "Moreau h = 2"), cell(r, 11, "gap_at_0"), 1e-12);
  tacit_report_free(r);
}

/* Eq. (7) from 0 is Table 1's; knowing Sigma does better, and the start matters little. */
static void updates_stand_beside_table_1(void **state) {
  (void)state;
  tacit_reproduce_options o;
  tacit_reproduce_options_init(&o);
  o.repetitions = 12;
  tacit_report *table = reproduce("zhao-table1", &o, 2), *updates = reproduce("zhao-updates", &o, 2);
  size_t at = 0;
  for (size_t i = 0; i < table->rows; i++) {
    if (cell(table, i, "quantile") != 0.5) continue;
    assert_near(cell(updates, at, "eq7"), cell(table, i, "as_published"), 1e-12);
    assert_true(cell(updates, at, "eq6") < cell(updates, at, "eq7"));
    assert_true(fabs(cell(updates, at, "eq6_sphere") / cell(updates, at, "eq6") - 1) < 0.2);
    at++;
  }
  assert_int_equal(at, updates->rows);
  tacit_report_free(table);
  tacit_report_free(updates);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_study_runs_the_same_on_any_threads),
      cmocka_unit_test(wide_and_endogenous_problems_run),
      cmocka_unit_test(noise_falls_with_better_accounting),
      cmocka_unit_test(seconds_stand_beside_the_published_ones),
      cmocka_unit_test(products_share_a_promise),
      cmocka_unit_test(an_order_with_noise_is_inconsistent),
      cmocka_unit_test(what_is_out_of_range_is_refused),
      cmocka_unit_test(failed_conditions_are_said),
      cmocka_unit_test(curves_come_with_the_report),
      cmocka_unit_test(updates_stand_beside_table_1),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
