/* Wang and Qin's algorithms as published: the loss and gradient they use are the ones of src/loss, their
   constants those of the paper, and Algorithm 1 has no guarantee, since it releases the gradient's norm. */
#include "papers/wang/published.h"

#include "loss/spo.h"
#include "papers/spo_sample.h"
#include "random/random.h"
#include "study/near.h"
#include "study/study.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static tacit_wang_rows *rows_of(size_t count, uint32_t repetition) {
  tacit_wang_rows *rows;
  tacit_stream stream;
  assert_int_equal(tacit_wang_rows_new(count, &rows, NULL), TACIT_OK);
  assert_int_equal(tacit_study_stream(3, TACIT_FOR_ROWS, 0, repetition, &stream, NULL), TACIT_OK);
  tacit_wang_rows_draw(rows, &stream);
  return rows;
}

static double norm(const double *v, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += v[i] * v[i];
  return sqrt(sum);
}

/* Against the general losses on the region "ball", and against finite differences of them. */
static void loss_and_gradient_are_those_of_the_ball(void **state) {
  (void)state;
  static const char json[] = "{\"kind\":\"ball\",\"dimension\":3,\"radius\":1}";
  tacit_region *region;
  assert_int_equal(tacit_region_parse(json, strlen(json), &region, NULL), TACIT_OK);
  tacit_wang_rows *rows = rows_of(37, 0);
  tacit_spo_sample *sample;
  assert_int_equal(tacit_spo_sample_new(region, 37, 3, &sample, NULL), TACIT_OK);
  for (size_t i = 0; i < 37; i++)
    for (size_t j = 0; j < 3; j++) {
      sample->x[i * 3 + j] = rows->x[j * rows->padded + i];
      sample->c[i * 3 + j] = rows->c[j * rows->padded + i];
    }
  assert_int_equal(tacit_spo_sample_finish(sample, NULL), TACIT_OK);
  double rule[9] = {0.4, -0.1, 0.2, 0, 0.7, 0.3, -0.2, 0.1, 0.5}, loss, best, gradient[9];
  assert_int_equal(tacit_spo_sample_loss(sample, rule, &loss, &best, NULL), TACIT_OK);
  assert_near(tacit_wang_loss(rows, rule), loss, 1e-13);
  for (double smoothing = 0.01; smoothing < 20; smoothing *= 10) {
    tacit_wang_gradient(rows, smoothing, rule, gradient);
    for (size_t k = 0; k < 9; k++) {
      double up, down, kept = rule[k], h = 1e-6;
      rule[k] = kept + h;
      assert_int_equal(tacit_spo_sample_plus(sample, smoothing, rule, &up, NULL), TACIT_OK);
      rule[k] = kept - h;
      assert_int_equal(tacit_spo_sample_plus(sample, smoothing, rule, &down, NULL), TACIT_OK);
      rule[k] = kept;
      assert_near(gradient[k], (up - down) / (2 * h), 1e-7);
    }
  }
  tacit_spo_sample_free(sample);
  tacit_wang_rows_free(rows);
  tacit_region_free(region);
}

/* Wang and Qin's Theorems 3, 4 and 7 at n = 500. */
static void constants_are_the_papers(void **state) {
  (void)state;
  const double L = 4 * sqrt(3), T = 250000, B2 = 3;
  tacit_wang w;
  tacit_wang_init(&w, TACIT_WANG_EXPONENTIAL, 500, 1, 0.4, false);
  assert_near(w.epsilon0, (sqrt(2 * log(2.5) + 2) - sqrt(2 * log(2.5))) / sqrt(3 * T), 1e-15);
  double rho = (exp(1) - 1) / (exp(1) + 1);
  assert_near(w.eta, sqrt(rho * B2 / (4 * T)) / sqrt(L * L * (1 + T) / 500 + rho * (L * L / 4 + 0.25)),
              1e-15);
  assert_near(w.smoothing, w.eta / 2, 0);
  assert_int_equal(w.steps, 250000);
  tacit_wang_init(&w, TACIT_WANG_EXPONENTIAL, 500, 1, 0.4, true);
  assert_near(w.epsilon0, 1, 0);
  tacit_wang_init(&w, TACIT_WANG_GAUSSIAN, 500, 5, 0.1, false);
  double variance = 8 * L * L * T * log(10) / (500.0 * 500 * 25);
  assert_near(w.sigma * w.sigma, variance, 1e-10);
  assert_near(w.eta, sqrt(B2 / (2 * T)) / sqrt(L * L / 2 + 3 * variance / 2 + 0.25 + L * L * (1 + T) / 500),
              1e-15);
}

/* One step of Algorithm 1 from B = 0 releases B_2 = -eta ||grad|| G with ||G|| = 1: its norm is the
   gradient's, whatever the randomness. Two tables that differ in one row have different norms, and every
   single output says which one it was: no epsilon covers that (Wang and Qin, Lemma 2 does not hold). */
static void one_step_of_algorithm_1_tells_neighbours_apart(void **state) {
  (void)state;
  enum { N = 200, RUNS = 500 };
  tacit_wang_rows *one = rows_of(N, 1), *other = rows_of(N, 1);
  tacit_wang_rows_set(other, 17, (double[]){3, -1, 0.5}, (double[]){3, -1, 0.5}); /* the row that differs */
  tacit_wang w;
  tacit_wang_init(&w, TACIT_WANG_EXPONENTIAL, N, 0.1, 1e-6, false);
  assert_true(w.epsilon0 < 1e-3); /* as private as the paper ever asks */
  w.steps = 2;                    /* t = 1 .. T - 1: one step */
  double zero[9] = {0}, gradient[9];
  tacit_wang_gradient(one, w.smoothing, zero, gradient);
  double first = norm(gradient, 9);
  tacit_wang_gradient(other, w.smoothing, zero, gradient);
  double second = norm(gradient, 9);
  assert_true(fabs(first - second) > 1e-3);
  int mistakes = 0;
  for (uint32_t run = 0; run < RUNS; run++) {
    tacit_stream stream;
    double rule[9];
    bool is_other = run % 2;
    assert_int_equal(tacit_study_stream(5, TACIT_FOR_NOISE, 0, run, &stream, NULL), TACIT_OK);
    tacit_wang_run(&w, is_other ? other : one, &stream, rule);
    double seen = norm(rule, 9) * 2 / w.eta; /* the mean of B_1 = 0 and B_2 halves it */
    mistakes += (fabs(seen - second) < fabs(seen - first)) != is_other;
    assert_near(seen, is_other ? second : first, 1e-12);
  }
  assert_int_equal(mistakes, 0);
  tacit_wang_rows_free(one);
  tacit_wang_rows_free(other);
}

/* The directions themselves are right: on the gradient's side as often as e^eps0 / (1 + e^eps0) says. 20,000
   draws, five standard deviations. */
static void directions_answer_truly_as_often_as_they_should(void **state) {
  (void)state;
  enum { RUNS = 20000 };
  tacit_wang_rows *rows = rows_of(40, 2);
  tacit_wang w;
  tacit_wang_init(&w, TACIT_WANG_EXPONENTIAL, 40, 1, 0.4, true);
  w.steps = 2;
  double zero[9] = {0}, gradient[9], rule[9], truly = 0, p = 1 / (1 + exp(-1));
  tacit_wang_gradient(rows, w.smoothing, zero, gradient);
  tacit_stream stream;
  assert_int_equal(tacit_study_stream(6, TACIT_FOR_NOISE, 0, 0, &stream, NULL), TACIT_OK);
  for (int run = 0; run < RUNS; run++) {
    tacit_wang_run(&w, rows, &stream, rule);
    double along = 0;
    for (size_t k = 0; k < 9; k++) along -= rule[k] * gradient[k];
    truly += along >= 0;
  }
  assert_near(truly / RUNS, p, 5 * sqrt(p * (1 - p) / RUNS));
  tacit_wang_rows_free(rows);
}

/* Without noise n^2 steps at n = 60 find the best decisions nearly always. */
static void without_noise_it_learns(void **state) {
  (void)state;
  tacit_wang_rows *rows = rows_of(60, 3), *fresh = rows_of(2000, 4);
  tacit_wang w;
  double rule[9], zero[9] = {0};
  tacit_stream stream;
  assert_int_equal(tacit_study_stream(7, TACIT_FOR_NOISE, 0, 0, &stream, NULL), TACIT_OK);
  tacit_wang_init(&w, TACIT_WANG_PLAIN, 60, 1, 0.4, false);
  tacit_wang_run(&w, rows, &stream, rule);
  assert_true(tacit_wang_loss(fresh, rule) < 0.01);
  assert_true(tacit_wang_loss(fresh, zero) > 3); /* no prediction: the worst decision, 2 E||x|| = 3.19 */
  tacit_wang_rows_free(rows);
  tacit_wang_rows_free(fresh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(loss_and_gradient_are_those_of_the_ball),
      cmocka_unit_test(constants_are_the_papers),
      cmocka_unit_test(one_step_of_algorithm_1_tells_neighbours_apart),
      cmocka_unit_test(directions_answer_truly_as_often_as_they_should),
      cmocka_unit_test(without_noise_it_learns),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
