/* Zhao, Zhou and Wang's Algorithm 1 as published: its choices, one step by hand, its limit, and its
 * sensitivity. */
#include "papers/zhao/published.h"

#include "erm/erm.h"
#include "loss/check.h"
#include "study/near.h"
#include "study/zhao_model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { P = TACIT_ZHAO_COLUMNS };

static tacit_sample *sample_of(size_t rows, uint64_t seed) {
  tacit_noise_source source;
  tacit_stream stream;
  tacit_sample *sample = NULL;
  tacit_noise_source_seeded(&source, seed);
  assert_int_equal(tacit_stream_begin(&source, &stream, NULL), TACIT_OK);
  assert_int_equal(tacit_zhao_sample(&stream, TACIT_ZHAO_NORMAL, rows, &sample, NULL), TACIT_OK);
  return sample;
}

/* ceil(2 tau_bar B sqrt(T) / mu) = ceil(12.649 tau_bar / mu) */
static void choices_are_the_papers(void **state) {
  (void)state;
  tacit_sample *sample = sample_of(400, 1);
  tacit_published m;
  tacit_published_init(&m, 0.5, 0.9, sample);
  assert_true(m.sigma == 8 && m.steps == 10 && m.clip_norm == 2);
  assert_near(m.bandwidth, 0.5 * pow((5 + log(400)) / 400, 0.4), 1e-15);
  tacit_published_init(&m, 0.5, 0.3, sample);
  assert_true(m.sigma == 22);
  tacit_published_init(&m, 0.25, 0.5, sample);
  assert_true(m.sigma == 19);
  tacit_published_init(&m, 0.25, 0, sample);
  assert_true(m.sigma == 0);
  tacit_sample_free(sample);
}

/* From b = 0 the margin is -d, and with a margin far beyond the bandwidth the score is 1 - tau or -tau. */
static void one_step_by_hand(void **state) {
  (void)state;
  double x[] = {1, 1, 1, 0, 4, -1}; /* rows (1, 0), (1, 4), (1, -1), column by column */
  double y[] = {10, -10, 10}, b[2];
  tacit_sample sample = {.rows = 3, .columns = 2, .targets = 1, .x = x, .y = y};
  tacit_published m = {.tau = 0.75, .steps = 1, .clip_norm = 2, .sigma = 3, .bandwidth = 0.1, .step = 0.6};
  const double noise[] = {0.5, -1};
  assert_int_equal(tacit_published_run(&m, &sample, noise, b, NULL), TACIT_OK);
  double w = 2 / sqrt(17); /* only the second row is longer than B */
  assert_near(b[0], -0.2 * (-0.75 + 0.25 * w - 0.75 + 3 * 0.5), 1e-12);
  assert_near(b[1], -0.2 * (0.25 * w * 4 + 0.75 - 3), 1e-12);
}

static void without_noise_many_steps_reach_smoothed_erm(void **state) {
  (void)state;
  const double taus[] = {0.25, 0.5, 0.8};
  tacit_sample *sample = sample_of(300, 2);
  for (int k = 0; k < 3; k++) {
    tacit_published m;
    tacit_published_init(&m, taus[k], 0, sample);
    m.steps = 4000;
    m.clip_norm = 1e6;
    m.step = 0.8;
    double b[P], erm[P];
    assert_int_equal(tacit_published_run(&m, sample, NULL, b, NULL), TACIT_OK);
    assert_int_equal(tacit_erm_smooth(sample, 0,
                                      &(const tacit_erm_loss){taus[k], TACIT_KERNEL_GAUSSIAN, m.bandwidth},
                                      erm, NULL, NULL),
                     TACIT_OK);
    for (int j = 0; j < P; j++) assert_near(b[j], erm[j], 1e-7);
  }
  tacit_sample_free(sample);
}

static double loss(const tacit_sample *sample, const tacit_published *m, const double *b) {
  double sum = 0;
  for (size_t i = 0; i < sample->rows; i++) {
    double u = sample->y[i];
    for (size_t j = 0; j < sample->columns; j++) u -= b[j] * sample->x[j * sample->rows + i];
    sum += tacit_smooth_loss(TACIT_KERNEL_GAUSSIAN, m->tau, m->bandwidth, u);
  }
  return sum / (double)sample->rows;
}

/* Each step is at least Armijo's: the loss falls with every one. */
static void the_line_search_goes_down(void **state) {
  (void)state;
  tacit_sample *sample = sample_of(400, 3);
  tacit_published m;
  tacit_published_init(&m, 0.75, 0, sample);
  double before = INFINITY, b[P];
  for (m.steps = 0; m.steps <= 10; m.steps++) {
    assert_int_equal(tacit_published_run(&m, sample, NULL, b, NULL), TACIT_OK);
    double after = loss(sample, &m, b);
    assert_true(after < before);
    before = after;
  }
  tacit_sample_free(sample);
}

/* One step at eta = n moves b by the sum itself. Replacing any row by a hostile one moves the sum by at most
   2 tau_bar B, and nearly that much can happen. */
static void replacing_a_row_moves_the_sum_by_at_most_its_sensitivity(void **state) {
  (void)state;
  enum { N = 50 };
  tacit_sample *sample = sample_of(N, 4);
  tacit_published m;
  tacit_published_init(&m, 0.75, 0, sample);
  m.steps = 1;
  m.step = N;
  double b[P], other[P], largest = 0;
  static const double hostile[4][2] = {{1e6, 1e9}, {1e6, -1e9}, {-1e6, 1e9}, {-1e6, -1e9}};
  for (int from = 0; from < 4; from++)
    for (int to = 0; to < 4; to++) {
      for (size_t j = 0; j < P; j++) sample->x[j * N] = hostile[from][0];
      sample->y[0] = hostile[from][1];
      assert_int_equal(tacit_published_run(&m, sample, NULL, b, NULL), TACIT_OK);
      for (size_t j = 0; j < P; j++) sample->x[j * N] = hostile[to][0];
      sample->y[0] = hostile[to][1];
      assert_int_equal(tacit_published_run(&m, sample, NULL, other, NULL), TACIT_OK);
      double square = 0;
      for (int j = 0; j < P; j++) square += (b[j] - other[j]) * (b[j] - other[j]);
      largest = fmax(largest, sqrt(square));
    }
  assert_true(largest <= 2 * 0.75 * 2 + 1e-9);
  assert_true(largest > 2 * 0.75 * 2 - 1e-9);
  tacit_sample_free(sample);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(choices_are_the_papers),
      cmocka_unit_test(one_step_by_hand),
      cmocka_unit_test(without_noise_many_steps_reach_smoothed_erm),
      cmocka_unit_test(the_line_search_goes_down),
      cmocka_unit_test(replacing_a_row_moves_the_sum_by_at_most_its_sensitivity),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
