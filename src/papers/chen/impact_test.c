/* The companion's objective perturbation in the market of tacit impact: its expansions where they hold, and
   conditions that are reported where they do not. */
#include "base/base.h"
#include "study/near.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <tacit/papers.h>

#include <cmocka.h>

#include "study/report_for_test.h"

static tacit_report *report_of(const tacit_impact_options *options, int threads) {
  tacit_report *report = NULL;
  tacit_context context;
  tacit_error error = {""};
  tacit_context_init(&context);
  context.threads = threads;
  if (tacit_impact_published(options, &context, &report, &error) != TACIT_OK) fail_msg("%s", error.text);
  return report;
}

/* Prop. 2's bias where lambda and h are small, and Prop. 4: the supplier's share falls. */
static void the_private_order_is_low_and_the_supplier_pays(void **state) {
  (void)state;
  static const size_t rows[] = {20000};
  static const double epsilons[] = {1};
  tacit_impact_options o;
  tacit_impact_options_init(&o);
  o.rows = rows;
  o.row_count = 1;
  o.epsilons = epsilons;
  o.epsilon_count = 1;
  o.repetitions = 12;
  tacit_report *r = report_of(&o, 1), *again = report_of(&o, 3);
  assert_int_equal(r->rows, 6); /* best, without features, no privacy, Props 2-4, OP, tacit */
  assert_same_report(r, again);
  assert_string_equal(r->text[3 * r->texts + 1], "hold");
  double bias = cell(r, 3, "bias"), simulated = cell(r, 4, "bias"), se = cell(r, 4, "bias_se");
  assert_true(bias < 0);
  assert_near(simulated / bias, 1, 0.12 + 4 * se / fabs(bias));
  assert_true(cell(r, 4, "supplier_share") < cell(r, 0, "supplier_share"));
  assert_near(cell(r, 4, "newsvendor_share") + cell(r, 4, "supplier_share"), 1, 1e-12);
  assert_true(fabs(cell(r, 5, "bias")) < fabs(simulated) / 5); /* tacit's order is not low */
  assert_true(cell(r, 1, "cost") > cell(r, 5, "cost"));        /* features are worth having */
  assert_null(strstr(r->notes, "FAILS: the best order"));
  tacit_report_free(r);
  tacit_report_free(again);
}

static void what_fails_is_said(void **state) {
  (void)state;
  static const size_t rows[] = {100};
  static const double epsilons[] = {0.5}, steep[] = {9, 9};
  tacit_impact_options o;
  tacit_impact_options_init(&o);
  o.rows = rows;
  o.row_count = 1;
  o.epsilons = epsilons;
  o.epsilon_count = 1;
  o.repetitions = 2;
  o.laplace = true;
  o.slopes = steep;
  o.slope_count = 2;
  o.delta = 0.9;
  o.wholesale = 4.5;
  tacit_report *r = report_of(&o, 1);
  assert_non_null(strstr(r->notes, "FAILS: errors are normal"));
  assert_non_null(strstr(r->notes, "FAILS: the best order is positive"));
  assert_non_null(strstr(r->notes, "FAILS: lambda and h near 0"));
  assert_non_null(strstr(r->notes, "FAILS: delta <= e^(-epsilon/2)"));
  assert_non_null(strstr(r->notes, "w < p/2"));
  assert_non_null(strstr(r->notes, "without a certificate"));
  assert_memory_equal(r->text[3 * r->texts + 1], "FAIL", 4);
  assert_true(strlen(r->notes) < TACIT_REPORT_NOTES - 1);
  tacit_report_free(r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_private_order_is_low_and_the_supplier_pays),
      cmocka_unit_test(what_fails_is_said),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
