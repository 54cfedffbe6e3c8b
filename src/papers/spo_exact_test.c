/* The linear program of SPO+ against the loss itself, which knows nothing of it: no rule near its answer is
   better, nor is descent's; and where rows are few enough to be told apart, nothing is lost. */
#include "papers/path_sample.h"
#include "papers/spo_exact.h"
#include "study/study.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { P = TACIT_PATH_FEATURES + 1, CELLS = TACIT_PATH_EDGES * P };

static tacit_spo_sample *sample_of(const tacit_region *region, size_t rows) {
  tacit_stream stream;
  tacit_path_model model;
  tacit_spo_sample *sample;
  assert_int_equal(tacit_study_stream(7, TACIT_FOR_ROWS, 0, 0, &stream, NULL), TACIT_OK);
  tacit_path_model_draw(&model, 4, 0.5, &stream);
  assert_int_equal(tacit_path_sample(&model, region, rows, &stream, &sample, NULL), TACIT_OK);
  tacit_stream_end(&stream);
  return sample;
}

static double loss_of(const tacit_spo_sample *s, const double *rule) {
  double loss;
  assert_int_equal(tacit_spo_sample_plus(s, 0, rule, &loss, NULL), TACIT_OK);
  return loss;
}

static tacit_region *grid(void) {
  tacit_region *region;
  assert_int_equal(tacit_region_parse(tacit_path_region, strlen(tacit_path_region), &region, NULL), TACIT_OK);
  return region;
}

static void nothing_near_is_better(void **state) {
  (void)state;
  tacit_region *region = grid();
  tacit_spo_sample *s = sample_of(region, 50);
  double rule[CELLS], moved[CELLS];
  assert_int_equal(tacit_spo_exact(s, rule, NULL), TACIT_OK);
  double least = loss_of(s, rule), cost = 0;
  for (size_t i = 0; i < s->rows; i++) cost += s->best_cost[i] / (double)s->rows;
  assert_true(least > 0.01 * cost); /* 50 rows cannot all be told apart: the minimum is no accident */
  tacit_stream stream;
  assert_int_equal(tacit_study_stream(8, TACIT_FOR_NOISE, 0, 0, &stream, NULL), TACIT_OK);
  for (int k = 0; k < 300; k++) {
    double size = pow(10, -3 + k % 5);
    for (int j = 0; j < CELLS; j++) moved[j] = rule[j] + size * tacit_normal(&stream);
    assert_true(loss_of(s, moved) >= least - 1e-7 * cost);
  }
  tacit_stream_end(&stream);
  /* nor is the truth's best linear rule: the mean of the costs alone */
  memset(moved, 0, sizeof moved);
  for (size_t i = 0; i < s->rows; i++)
    for (size_t e = 0; e < s->d; e++) moved[e * P] += s->c[i * s->d + e] / (double)s->rows;
  assert_true(loss_of(s, moved) > least);
  tacit_spo_sample_free(s);
  tacit_region_free(region);
}

/* Six rows have as many unknowns as there are features: a rule predicts every cost, and SPO+ is 0 there. */
static void few_rows_lose_nothing(void **state) {
  (void)state;
  tacit_region *region = grid();
  tacit_spo_sample *s = sample_of(region, P);
  double rule[CELLS];
  assert_int_equal(tacit_spo_exact(s, rule, NULL), TACIT_OK);
  assert_true(fabs(loss_of(s, rule)) < 1e-6);
  tacit_spo_sample_free(s);
  tacit_region_free(region);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_near_is_better),
      cmocka_unit_test(few_rows_lose_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
