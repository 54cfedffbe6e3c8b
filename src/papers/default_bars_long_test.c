/* The default learner's bars at full size, as docs/default-learner.md states them. */
#include "papers/reproduce.h"
#include "study/near.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "papers/reproduce_for_test.h"

static tacit_report *in_full(const char *name) {
  tacit_reproduce_options options;
  tacit_reproduce_options_init(&options);
  options.data = TACIT_TEST_DATA;
  tacit_report *report = reproduce(name, &options, 0);
  assert_non_null(strstr(report->notes, "promise: 0 of "));
  return report;
}

/* With `margin` standard errors to spare; below 0 it may be so many above. */
static void below_bar(const tacit_report *r, size_t i, double margin) {
  double tacit = cell(r, i, "tacit"), se = cell(r, i, "tacit_se"), bar = cell(r, i, "bar");
  if (!(tacit + margin * se <= bar))
    fail_msg("%s, tau %g, mu %g: %g (%g), bar %g", r->text[i], cell(r, i, "quantile"), cell(r, i, "mu"),
             tacit, se, bar);
}

/* A number for N(0,1), half of Algorithm 1's regret elsewhere, but for one cell that is known to be missed:
   there ERM without privacy does no better than the bar. */
static void zhao(void **state) {
  (void)state;
  tacit_report *r = in_full("default-zhao");
  size_t missed = 0;
  assert_int_equal(r->rows, 48);
  for (size_t i = 0; i < r->rows; i++) {
    if (isnan(cell(r, i, "mu"))) continue;
    if (i >= 36 && cell(r, i, "quantile") == 0.5 && cell(r, i, "mu") == 0.9)
      missed += cell(r, i, "tacit") > cell(r, i, "bar");
    else
      below_bar(r, i, 0);
  }
  print_message("heteroscedastic, tau 0.5, mu 0.9: bar %s\n", missed ? "missed, as known" : "met");
  tacit_report_free(r);
}

/* Lamb below its bars; the other dishes' bar is itself a figure of lamb's, so they may be
   two of their standard errors above. */
static void restaurant(void **state) {
  (void)state;
  if (access(TACIT_TEST_DATA "/restaurant/yaz_data.csv", R_OK)) {
    print_message("the restaurant data is not here; skipped\n");
    skip();
  }
  tacit_report *r = in_full("default-restaurant");
  assert_int_equal(r->rows, 135);
  for (size_t i = 0; i < r->rows; i++)
    if (isfinite(cell(r, i, "bar"))) below_bar(r, i, strncmp(r->text[i], "lamb", 4) ? -2 : 0);
  tacit_report_free(r);
}

static void chen(void **state) {
  (void)state;
  tacit_report *r = in_full("default-chen");
  assert_int_equal(r->rows, 24);
  for (size_t i = 0; i < r->rows; i++) below_bar(r, i, 2);
  tacit_report_free(r);
}

/* The bar has its two standard errors within it. */
static void stress(void **state) {
  (void)state;
  tacit_report *r = in_full("default-stress");
  assert_int_equal(r->rows, 20);
  for (size_t i = 0; i < r->rows; i++) below_bar(r, i, 0);
  tacit_report_free(r);
}

/* Sales of which 15 % of days sold out, and costs in tiers: what orders cost above the best ones is at
   most 1.5 times that of the plain problem, in every cell (docs/sales.md, docs/tiers.md). */
static void within_half_more(const char *name, size_t rows) {
  tacit_reproduce_options options;
  tacit_reproduce_options_init(&options);
  tacit_report *r = reproduce(name, &options, 0);
  assert_int_equal(r->rows, rows);
  for (size_t i = 0; i < r->rows; i++)
    if (!(cell(r, i, "ratio") <= 1.5))
      fail_msg("%s, %s, tau %g, mu %g, n %g: %g", name, r->text[i], cell(r, i, "quantile"), cell(r, i, "mu"),
               cell(r, i, "n"), cell(r, i, "ratio"));
  tacit_report_free(r);
}

static void sold_out(void **state) {
  (void)state;
  within_half_more("sold-out", 32);
}

static void tiers(void **state) {
  (void)state;
  within_half_more("chen-tiers", 18);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(zhao),   cmocka_unit_test(restaurant), cmocka_unit_test(chen),
      cmocka_unit_test(stress), cmocka_unit_test(sold_out),   cmocka_unit_test(tiers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
