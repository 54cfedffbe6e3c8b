/* The published methods in small: constants by hand, a minimum that is one, noise that matters, and the
   paper's remark that smoothing does not change DP-SGD. */
#include "papers/chen/methods.h"

#include "loss/check.h"
#include "papers/chen/learner.h"
#include "study/near.h"
#include "study/study.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 400, P = 3 };

typedef struct sample {
  tacit_chen_problem problem;
  tacit_chen_setting setting;
  double x[ROWS * P], y[ROWS];
  tacit_chen_rows rows;
} sample;

static sample *sample_of(uint64_t seed) {
  sample *s = malloc(sizeof *s);
  tacit_stream stream;
  assert_non_null(s);
  assert_int_equal(tacit_chen_problem_init(&s->problem, P, false, NULL), TACIT_OK);
  assert_int_equal(tacit_study_stream(seed, TACIT_FOR_ROWS, 0, 0, &stream, NULL), TACIT_OK);
  for (int i = 0; i < ROWS; i++) s->y[i] = tacit_chen_problem_draw(&s->problem, &stream, s->x + i * P);
  s->rows = (tacit_chen_rows){ROWS, P, s->x, s->y};
  s->setting =
      (tacit_chen_setting){0.7, 1, 0.01, s->problem.bound_x, s->problem.bound_theta, TACIT_KERNEL_LOGISTIC};
  return s;
}

static void run(const sample *s, tacit_chen_method method, double epsilon, uint64_t seed, double *theta) {
  tacit_stream stream;
  tacit_chen_setting setting = s->setting;
  setting.epsilon = epsilon;
  assert_int_equal(tacit_study_stream(seed, TACIT_FOR_NOISE, 0, 0, &stream, NULL), TACIT_OK);
  assert_int_equal(tacit_chen_run(method, &setting, &s->rows, &stream, theta, NULL), TACIT_OK);
}

/* Chen and Chua's section 5 at n = 1000, worked out by hand: L = 0.7 sqrt(101). */
static void constants_are_the_published_ones(void **state) {
  (void)state;
  const tacit_chen_setting s = {0.7, 1, 0.01, sqrt(101), 25.5295, TACIT_KERNEL_LOGISTIC};
  tacit_chen_constants c;
  double L = 0.7 * sqrt(101);
  tacit_chen_set_constants(TACIT_CHEN_OP, &s, 1000, 3, &c);
  assert_near(c.lipschitz, L, 1e-12);
  assert_near(c.sigma, L * sqrt(8 * log(200) + 4), 1e-10);
  assert_near(c.lambda,
              sqrt(2 * L * L / 1e3 + 3 * c.sigma * c.sigma / 1e6 + 2 * log(2) * 0.25 * 101 / 2e3) / 25.5295,
              1e-12);
  assert_near(0.25 * 101 / c.bandwidth / 1000, c.lambda,
              1e-12); /* lambda = beta / (n epsilon), the least allowed */
  tacit_chen_set_constants(TACIT_CHEN_OP_COMPANION, &s, 1000, 3, &c);
  assert_near(c.sigma, L * sqrt(8 * log(100) + 4), 1e-10);
  assert_near(c.lambda, sqrt(2 * L * L / 1e3 + 3 * c.sigma * c.sigma / 1e6) / 25.5295, 1e-12);
  tacit_chen_set_constants(TACIT_CHEN_SGP, &s, 1000, 3, &c);
  assert_near(c.sigma / L, sqrt(8 * log(100)), 1e-12);
  assert_near(c.step * 0.25 * 101 / c.bandwidth, 2, 1e-12); /* eta beta = 2 */
  assert_int_equal(c.steps, 1000000);
  tacit_chen_set_constants(TACIT_CHEN_EMPIRICAL, &s, 1000, 3, &c);
  assert_true(c.bandwidth == 0);
  tacit_chen_set_constants(TACIT_CHEN_MOREAU, &s, 1000, 3, &c);
  assert_int_equal(c.steps, 125);
  assert_int_equal(c.batch, 44); /* floor(1000 sqrt(1 / 500)) */
  assert_near(c.sigma, L * sqrt(8 * 125 * log(100)) / 1000, 1e-12);
  tacit_chen_set_constants(TACIT_CHEN_GP, &s, 1000, 3, &c);
  assert_near(c.sigma, L * sqrt(8 * log(100) / 1000), 1e-12); /* n steps */
  assert_near(c.step * 0.25 * 101 / c.bandwidth, 1, 1e-12);   /* eta beta = 1 */
  /* (EC.25) is flat at its step: a eta = b / eta */
  double a = L * L * 1001 / 1000 + (L * L + 3 * c.sigma * c.sigma + 2 * log(2) * 0.25 * 101) / 2;
  assert_near(a * c.step / (25.5295 * 25.5295 / 2000 / c.step), 1, 1e-9);
  tacit_chen_set_constants(TACIT_CHEN_PHASED_ERM, &s, 1000, 3, &c);
  assert_near(c.step, 2 * 25.5295 / L * 4 / sqrt(1000), 1e-12);
}

static double objective(const sample *s, const tacit_chen_goal *g, const double *theta) {
  double sum = 0, square = 0;
  for (int i = 0; i < ROWS; i++) {
    double u = s->y[i];
    for (int j = 0; j < P; j++) u -= s->x[i * P + j] * theta[j];
    sum += tacit_smooth_loss(g->kernel, g->tau, g->bandwidth, u) / ROWS;
  }
  for (int j = 0; j < P; j++) {
    square += (theta[j] - g->centre[j]) * (theta[j] - g->centre[j]);
    sum += g->linear[j] * theta[j];
  }
  return sum + g->weight * square;
}

static void a_minimum_is_one(void **state) {
  (void)state;
  static const double centre[P] = {1, 2, 3}, linear[P] = {0.05, -0.02, 0.1};
  sample *s = sample_of(1);
  for (int kernel = 0; kernel < TACIT_KERNELS; kernel++) {
    const tacit_chen_goal goal = {0.7, 1.5, 0.01, (tacit_kernel)kernel, centre, linear};
    double theta[P] = {0};
    assert_int_equal(tacit_chen_minimise(&goal, &s->rows, theta, NULL), TACIT_OK);
    double least = objective(s, &goal, theta);
    for (int j = 0; j < P; j++)
      for (int sign = -1; sign <= 1; sign += 2) {
        double moved[P];
        memcpy(moved, theta, sizeof moved);
        moved[j] += sign * 1e-3;
        assert_true(objective(s, &goal, moved) > least);
      }
  }
  free(s);
}

/* "as good as empirical SGD without smoothing" (Chen and Chua, section 5): with the same noise, the same
 * answer. */
static void smoothing_does_not_change_sgd(void **state) {
  (void)state;
  sample *s = sample_of(2);
  double smooth[P], sharp[P];
  run(s, TACIT_CHEN_SGP, 1, 5, smooth);
  run(s, TACIT_CHEN_EMPIRICAL, 1, 5, sharp);
  for (int j = 0; j < P; j++) assert_near(smooth[j], sharp[j], 0.02);
  assert_true(smooth[0] != sharp[0]);
  free(s);
}

/* Every private method hears its noise, and gets better with epsilon. */
static void methods_hear_their_noise(void **state) {
  (void)state;
  sample *s = sample_of(3);
  for (int m = 0; m < TACIT_CHEN_METHODS; m++) {
    double a[P], b[P], again[P], loose = 0, tight = 0;
    run(s, (tacit_chen_method)m, 1, 1, a);
    run(s, (tacit_chen_method)m, 1, 2, b);
    run(s, (tacit_chen_method)m, 1, 1, again);
    assert_memory_equal(a, again, sizeof a);
    assert_true((memcmp(a, b, sizeof a) == 0) == (m == TACIT_CHEN_RIDGE));
    for (uint64_t seed = 0; seed < 5; seed++) {
      run(s, (tacit_chen_method)m, 0.5, seed, a);
      run(s, (tacit_chen_method)m, 8, seed, b);
      tight += tacit_chen_excess(&s->problem, a);
      loose += tacit_chen_excess(&s->problem, b);
    }
    if (m == TACIT_CHEN_RIDGE)
      assert_true(tight == loose);
    else if (m != TACIT_CHEN_MOREAU) /* whose average from 0 errs more than its noise does */
      assert_true(loose < 0.9 * tight);
    const tacit_chen_facts *f = tacit_chen_method_facts((tacit_chen_method)m);
    assert_true(f->name && f->label && f->claim && f->adjacency && f->verdict);
  }
  free(s);
}

static void the_default_learner_is_far_better(void **state) {
  (void)state;
  sample *s = sample_of(4);
  double ours[P], op[P], mu;
  tacit_chen_learner learner;
  assert_int_equal(tacit_gdp_mu(1, 0.01, &mu, NULL), TACIT_OK);
  assert_int_equal(tacit_chen_learner_init(&learner, &s->problem, "default", mu, NULL), TACIT_OK);
  assert_int_equal(tacit_chen_learner_run(&learner, &s->rows, 9, ours, NULL), TACIT_OK);
  run(s, TACIT_CHEN_OP, 1, 9, op);
  assert_true(tacit_chen_excess(&s->problem, ours) < 0.1 * tacit_chen_excess(&s->problem, op));
  tacit_chen_learner_clear(&learner);
  free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(constants_are_the_published_ones),  cmocka_unit_test(a_minimum_is_one),
      cmocka_unit_test(smoothing_does_not_change_sgd),     cmocka_unit_test(methods_hear_their_noise),
      cmocka_unit_test(the_default_learner_is_far_better),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
