/* Steps as a flow: a direction by itself, directions that hang together, and a way that is not gone. */
#include "learn/followed.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static void one_direction_is_followed_as_long_as_it_takes(void **state) {
  (void)state;
  tacit_flow flow;
  assert_true(tacit_flow_open(&flow, 1));
  for (double c = 0.25; c < 3; c *= 2) {
    flow.taken[0] = 1.5;
    assert_true(tacit_flow_turn(&flow, &c));
    assert_true(fabs(flow.L[0] - exp(-1.5 * c)) < 1e-12);
    assert_true(fabs(flow.T[0] - (1 - exp(-1.5 * c)) / c) < 1e-12);
  }
  tacit_flow_close(&flow);
}

/* What has been followed for long is at the end of its way, whatever hangs together; what was not is where it
   was. */
static void directions_that_hang_together(void **state) {
  (void)state;
  const double curvature[] = {1, 0.5, 0.5, 2};
  tacit_flow flow;
  assert_true(tacit_flow_open(&flow, 2));
  flow.taken[0] = flow.taken[1] = 100;
  assert_true(tacit_flow_turn(&flow, curvature));
  const double inverse[] = {2 / 1.75, -0.5 / 1.75, -0.5 / 1.75, 1 / 1.75};
  for (int i = 0; i < 4; i++) assert_true(fabs(flow.T[i] - inverse[i]) < 1e-9 && fabs(flow.L[i]) < 1e-9);
  flow.taken[1] = 0;
  assert_true(tacit_flow_turn(&flow, curvature));
  assert_true(fabs(flow.T[0] - 1) < 1e-9 && flow.T[3] == 0 && flow.L[3] == 1);
  tacit_flow_close(&flow);
}

/* Half of the way is gone, and much more was moved than its error explains: as much may be ahead. */
static void a_way_that_is_not_gone(void **state) {
  (void)state;
  const double curvature = 1;
  double C = 0.01, moved = 3;
  tacit_flow flow;
  assert_true(tacit_flow_open(&flow, 1));
  flow.taken[0] = log(2);
  assert_true(tacit_flow_turn(&flow, &curvature));
  assert_true(tacit_flow_ahead(&flow, &moved, &C, 1));
  assert_true(C > 8.5 && C < 9.5);
  C = 9, moved = 3; /* the error explains it */
  assert_true(tacit_flow_ahead(&flow, &moved, &C, 1));
  assert_true(C == 9);
  tacit_flow_close(&flow);
}

/* Gains of 1 over the number of steps average their noise. */
static void gains_are_noted(void **state) {
  (void)state;
  tacit_followed followed;
  double V = 1e9;
  assert_true(tacit_followed_open(&followed, 1));
  for (int t = 0; t < 4; t++) (void)tacit_followed_gain(&followed, 0, &V, 2, 1, 1);
  assert_true(fabs(followed.noise[0] - 0.5) < 1e-6 && fabs(V - 0.5) < 1e-6);
  assert_true(followed.start[0] == 1e9 && followed.taken[0] > 4);
  tacit_followed_close(&followed);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_direction_is_followed_as_long_as_it_takes),
      cmocka_unit_test(directions_that_hang_together),
      cmocka_unit_test(a_way_that_is_not_gone),
      cmocka_unit_test(gains_are_noted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
