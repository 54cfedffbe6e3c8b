/* The bars of C's figures at full size: 50 repetitions at d = 3, exogenous, epsilon = 1. */
#include "papers/chen/chen.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "papers/reproduce_for_test.h"

static double mean_of(const tacit_report *r, size_t size, int method) {
  size_t sizes = r->number[1] == r->number[(r->rows - 1) * r->numbers + 1] ? 1 : 2;
  return r->number[(size * (r->rows / sizes) + (size_t)method) * r->numbers + 2];
}

/* The order that C's text states: OP and DP-SGD outperform Moreau SGD and both phased methods, and are as
   good as EmpSGD; OP is on neither side of it by much more than the spread of a run. */
static void check_order(const tacit_report *r, size_t size) {
  for (int ours = TACIT_CHEN_OP; ours <= TACIT_CHEN_SGP; ours++)
    for (int other = TACIT_CHEN_MOREAU; other <= TACIT_CHEN_PHASED_SGD; other++)
      assert_true(mean_of(r, size, ours) < mean_of(r, size, other));
  double sgp = mean_of(r, size, TACIT_CHEN_SGP), empirical = mean_of(r, size, TACIT_CHEN_EMPIRICAL);
  assert_true(fabs(sgp / empirical - 1) < 0.02);
}

static void published_risks_are_within_their_bands(void **state) {
  (void)state;
  tacit_reproduce_options o;
  tacit_reproduce_options_init(&o);
  tacit_report *r = reproduce("chen-risk", &o, 0);
  static const double bands[2][2][2] = {{{0.28, 0.40}, {0.18, 0.27}}, {{0.08, 0.12}, {0.055, 0.080}}};
  for (size_t size = 0; size < 2; size++) {
    for (int k = 0; k < 2; k++) {
      double mean = mean_of(r, size, k ? TACIT_CHEN_SGP : TACIT_CHEN_OP);
      assert_true(mean >= bands[size][k][0] && mean <= bands[size][k][1]);
    }
    check_order(r, size);
    assert_true(mean_of(r, size, TACIT_CHEN_METHODS) <
                0.1 * mean_of(r, size, TACIT_CHEN_SGP)); /* tacit's own */
  }
  tacit_report_free(r);
}

/* Figs 5 to 12 in part: the same order for errors, endogenous demand and d = 51, where Phased-ERM is the
 * worst. */
static void the_order_is_the_same_elsewhere(void **state) {
  (void)state;
  static const size_t rows[] = {1000};
  for (int k = 0; k < 3; k++) {
    tacit_reproduce_options o;
    tacit_reproduce_options_init(&o);
    o.rows = rows;
    o.row_count = 1;
    o.columns = k < 2 ? 3 : TACIT_CHEN_WIDE;
    o.endogenous = k % 2;
    o.repetitions = 12;
    tacit_report *r = reproduce(k == 2 ? "chen-risk" : "chen-error", &o, 0);
    check_order(r, 0);
    if (k >= 2) assert_true(mean_of(r, 0, TACIT_CHEN_PHASED_ERM) > mean_of(r, 0, TACIT_CHEN_PHASED_SGD));
    tacit_report_free(r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(published_risks_are_within_their_bands),
      cmocka_unit_test(the_order_is_the_same_elsewhere),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
