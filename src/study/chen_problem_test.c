/* Chen and Chua's four problems and the companion's discrete one: the best order is the best, risks are what
   a simulation says, rows keep to their bounds. */
#include "study/chen_problem.h"

#include "loss/check.h"
#include "num/normal.h"
#include "study/discrete_demand.h"
#include "study/near.h"
#include "study/study.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static tacit_chen_problem *problem_of(size_t columns, bool endogenous) {
  tacit_chen_problem *p = malloc(sizeof *p);
  assert_non_null(p);
  assert_int_equal(tacit_chen_problem_init(p, columns, endogenous, NULL), TACIT_OK);
  return p;
}

static void the_best_order_is_the_best(void **state) {
  (void)state;
  for (int k = 0; k < 4; k++) {
    tacit_chen_problem *p = problem_of(k < 2 ? 3 : TACIT_CHEN_WIDE, k % 2);
    assert_near(tacit_chen_excess(p, p->best), 0, 1e-12);
    assert_near(tacit_chen_distance(p, p->best), 0, 1e-15);
    for (size_t j = 0; j < p->columns; j++)
      for (int sign = -1; sign <= 1; sign += 2) {
        double b[TACIT_CHEN_WIDE];
        for (size_t l = 0; l < p->columns; l++) b[l] = p->best[l];
        b[j] += 0.05 * sign;
        assert_true(tacit_chen_excess(p, b) > 1e-6);
      }
    assert_near(p->bound_x, sqrt(101), 1e-12);
    free(p);
  }
}

/* The numbers of Chen and Chua's appendix C. They print (11.41, 5, -2) for d = 3, which is not 10 + 3
 * Phi^-1(0.7).
 */
static void exogenous_best_orders_are_known(void **state) {
  (void)state;
  double shift = 3 * tacit_normal_quantile(0.7);
  tacit_chen_problem *p = problem_of(3, false);
  assert_near(p->best[0], 10 + shift, 1e-9);
  assert_near(p->best[1], 5, 1e-9);
  assert_near(p->best[2], -2, 1e-9);
  free(p);
  p = problem_of(TACIT_CHEN_WIDE, false);
  assert_near(p->best[0], 8 + shift, 1e-9);
  assert_near(p->best[1], -2 + 0.14, 1e-9);
  assert_near(p->best[50], 5, 1e-9);
  free(p);
  p = problem_of(3, false);
  assert_int_equal(tacit_chen_problem_init(p, 4, false, NULL), TACIT_USAGE);
  free(p);
}

static void excess_risks_meet_a_simulation(void **state) {
  (void)state;
  enum { ROWS = 200000 };
  for (int k = 0; k < 2; k++) {
    tacit_chen_problem *p = problem_of(TACIT_CHEN_WIDE, k);
    tacit_stream stream;
    double b[TACIT_CHEN_WIDE], sum = 0, square = 0, beyond = 0;
    assert_int_equal(tacit_study_stream(3, TACIT_FOR_ROWS, 0, 0, &stream, NULL), TACIT_OK);
    for (int j = 0; j < TACIT_CHEN_WIDE; j++) b[j] = p->best[j] + (j % 3 - 1) * 0.7;
    for (int i = 0; i < ROWS; i++) {
      double x[TACIT_CHEN_WIDE], u, v, norm = 0, y = tacit_chen_problem_draw(p, &stream, x);
      u = v = y;
      for (int j = 0; j < TACIT_CHEN_WIDE; j++) {
        u -= b[j] * x[j];
        v -= p->best[j] * x[j];
        norm += x[j] * x[j];
      }
      double d = tacit_check_loss(0.7, u) - tacit_check_loss(0.7, v);
      sum += d;
      square += d * d;
      beyond += norm > p->bound_x * p->bound_x;
    }
    double mean = sum / ROWS, se = sqrt((square / ROWS - mean * mean) / ROWS);
    assert_near(tacit_chen_excess(p, b) * p->law.least, mean, 4 * se);
    assert_true(beyond == 0);
    free(p);
  }
}

/* Assumption EC.1 with equality, the quantile where it is said to be, and the exact excess against the rows.
 */
static void discrete_demand_is_as_assumed(void **state) {
  (void)state;
  enum { ROWS = 400000 };
  static const double theta[TACIT_DISCRETE_COLUMNS] = {11.9, 4.8, -1.9};
  tacit_stream stream;
  double close = 0, closer = 0, below = 0, whole = 0, sum = 0, square = 0, base = 0;
  assert_int_equal(tacit_study_stream(4, TACIT_FOR_ROWS, 0, 0, &stream, NULL), TACIT_OK);
  for (int i = 0; i < ROWS; i++) {
    double x[TACIT_DISCRETE_COLUMNS], y = tacit_discrete_draw(&stream, x), e = y - 10 - 5 * x[1] + 2 * x[2];
    close += fabs(e - 0.5) < 0.5;
    closer += fabs(e - 0.5) < 0.4;
    below += e <= 0.5;
    whole += y == floor(y);
    double least = tacit_check_loss(0.7, e - 0.5);
    double d = tacit_check_loss(0.7, y - theta[0] - theta[1] * x[1] - theta[2] * x[2]) - least;
    base += least;
    sum += d;
    square += d * d;
    assert_true(hypot(x[1], x[2]) <= 10 && x[1] == floor(x[1]));
  }
  assert_near(close / ROWS, exp(-4), 4 * sqrt(exp(-4) / ROWS));
  assert_near(closer / ROWS, exp(-1 / 0.16), 4 * sqrt(exp(-1 / 0.16) / ROWS));
  assert_near(below / ROWS, 0.7, 4 * sqrt(0.21 / ROWS));
  assert_near(whole / ROWS, 1 - exp(-4), 4 * sqrt(exp(-4) / ROWS));
  double mean = sum / ROWS, se = sqrt((square / ROWS - mean * mean) / ROWS);
  assert_near(tacit_discrete_excess(theta), mean / (base / ROWS), 5 * se / (base / ROWS));
  assert_near(tacit_discrete_excess(tacit_discrete_best), 0, 1e-12);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_best_order_is_the_best),
      cmocka_unit_test(exogenous_best_orders_are_known),
      cmocka_unit_test(excess_risks_meet_a_simulation),
      cmocka_unit_test(discrete_demand_is_as_assumed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
