/* Sums by a thread that has little stack. */
#include "pass/draws_for_test.h"
#include "pass/score_sum.h"
#include "privacy/certificate.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int set_up(void **state) {
  (void)state;
  return begin_draws(44);
}

enum { WIDE = 700, WIDE_PASSES = 5 };
#ifdef __SANITIZE_ADDRESS__
enum { SMALL_STACK = 512 << 10 }; /* its own frames are larger */
#else
enum { SMALL_STACK = 128 << 10 };
#endif

typedef struct work {
  const tacit_design *design;
  tacit_score_pass passes[WIDE_PASSES];
  uint64_t together[WIDE_PASSES * WIDE], alone[WIDE_PASSES * WIDE];
} work;

static void *sum_together(void *self) {
  work *w = self;
  tacit_side_counts counts = {.span = 1, .smoothing = 1};
  tacit_score_sums(w->design, w->passes, WIDE_PASSES, 1, w->together);
  for (size_t k = 0; k < WIDE_PASSES; k++)
    tacit_step_sum(w->design, &w->passes[k], 1, w->alone + k * WIDE, &counts);
  return NULL;
}

/* Where passes have many columns, fewer of them go at once: a thread with as little stack as some systems
   give will do, and the sums are the same. */
static void many_columns_need_little_stack(void **state) {
  (void)state;
  enum { N = 1500 };
  static work w;
  static double coefficients[WIDE_PASSES][WIDE], x[WIDE];
  const tacit_schema many = {.columns = WIDE, .target_count = 1};
  tacit_design *design;
  assert_int_equal(tacit_design_new(&many, NULL, TACIT_CELL_BITS, &design, NULL), TACIT_OK);
  for (size_t i = 0; i < N; i++) {
    for (size_t j = 0; j < WIDE; j++) x[j] = tacit_uniform(&stream);
    double y = tacit_uniform(&stream);
    assert_int_equal(tacit_design_add(design, x, &y, NULL), TACIT_OK);
  }
  w.design = design;
  for (size_t k = 0; k < WIDE_PASSES; k++) {
    for (size_t j = 0; j < WIDE; j++) coefficients[k][j] = (tacit_uniform(&stream) - 0.5) / WIDE;
    w.passes[k] = (tacit_score_pass){
        .tau = 0.7, .kernel = TACIT_KERNEL_GAUSSIAN, .bandwidth = 0.1, .coefficients = coefficients[k]};
    assert_int_equal(tacit_score_bound_set(&w.passes[k].bound, 0.7, 3, TACIT_CELL_BITS, NULL), TACIT_OK);
  }
  pthread_attr_t small;
  pthread_t thread;
  assert_int_equal(pthread_attr_init(&small), 0);
  assert_int_equal(pthread_attr_setstacksize(&small, SMALL_STACK), 0);
  assert_int_equal(pthread_create(&thread, &small, sum_together, &w), 0);
  assert_int_equal(pthread_join(thread, NULL), 0);
  pthread_attr_destroy(&small);
  assert_memory_equal(w.together, w.alone, sizeof w.alone);
  for (size_t k = 1; k < WIDE_PASSES; k++)
    assert_memory_not_equal(w.together, w.together + k * WIDE, WIDE * sizeof *w.together);
  tacit_design_free(design);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(many_columns_need_little_stack),
  };
  return cmocka_run_group_tests(tests, set_up, NULL);
}
