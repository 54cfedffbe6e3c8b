/* One block: Phi within its grid, caps within integer division, counts within one. */
#include "pass/score_block.h"
#include "privacy/certificate.h"

#include "loss/kernel.h"
#include "pass/draws_for_test.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int set_up(void **state) {
  (void)state;
  return begin_draws(43);
}

/* The cap against integer division, at quotients that are nearly whole: never above, and no more below than
   single precision costs. */
static void the_cap_is_safe_for_every_norm(void **state) {
  (void)state;
  for (int i = 0; i < 200000; i++) {
    tacit_score_bound bound = {.score = INT64_C(1) << 16};
    int64_t norm = 1 + (int64_t)pick((size_t)1 << 26), quotient = 1 + (int64_t)pick((size_t)1 << 16);
    bound.radius = norm * quotient - (int64_t)pick(2);
    int64_t cap = tacit_score_cap(1, 0.5, norm, &bound), least = bound.radius / norm;
    assert_true(cap <= least && cap <= bound.score && cap * norm <= bound.radius);
    assert_true(cap >= (least < bound.score ? least : bound.score) - 1);
    assert_int_equal(tacit_score_cap(-1, 0.5, norm, &bound), -cap);
    assert_int_equal(llabs(tacit_score_cap(NAN, 0.5, norm, &bound)), cap);
  }
}

/* What the pass takes for Phi, against the real one; whatever comes in, it stays in [0, 1]. */
static void the_block_phi_is_within_a_grid_step(void **state) {
  (void)state;
  float u[TACIT_BLOCK], phi[TACIT_BLOCK];
  for (int k = 0; k < 200; k++) {
    for (int i = 0; i < TACIT_BLOCK; i++) u[i] = (float)(14 * tacit_uniform(&stream) - 7);
    tacit_block_phi(u, 1, phi);
    for (int i = 0; i < TACIT_BLOCK; i++)
      assert_true(fabs((double)phi[i] - tacit_kernel_cdf(TACIT_KERNEL_GAUSSIAN, (double)u[i])) < 0x1p-16);
  }
  for (int i = 0; i < TACIT_BLOCK; i++) u[i] = (float)any_number();
  tacit_block_phi(u, 1e30f, phi);
  for (int i = 0; i < TACIT_BLOCK; i++) assert_true(phi[i] >= 0 && phi[i] <= 1);
}

/* Whatever a smoothed count is made of, a row counts from 0 to 1. */
static void a_row_counts_at_most_one(void **state) {
  (void)state;
  static const float odd[] = {2, 1.0001f, 1, 0.5f, -1e-3f, -5, NAN, INFINITY, -INFINITY};
  enum { most = 1 << TACIT_SCORE_BITS };
  static const uint64_t counts[] = {most, most, most, most / 2, 0, 0, most, most, 0};
  for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
    float phi[TACIT_BLOCK] = {odd[i]};
    assert_true(tacit_block_total(phi, 1) == counts[i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_cap_is_safe_for_every_norm),
      cmocka_unit_test(the_block_phi_is_within_a_grid_step),
      cmocka_unit_test(a_row_counts_at_most_one),
  };
  return cmocka_run_group_tests(tests, set_up, NULL);
}
