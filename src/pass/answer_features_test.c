/* Sums that know no target: against their formula, and the same whatever the targets are. */
#include "pass/answer.h"

#include "pass/draws_for_test.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { D = 3, BITS = 10, WIDTH = D + 1, ENTRIES = WIDTH + WIDTH * (WIDTH + 1) / 2, ROWS = 2500 };
static const char SCHEMA[] =
    "{\"target\": {\"name\": \"y\", \"min\": -1, \"max\": 1}, \"features\": ["
    "{\"name\": \"a\", \"min\": -1, \"max\": 1}, {\"name\": \"b\", \"min\": -1, \"max\": 1}]}";
static const double MOST = 32767.0 / (1 << BITS); /* of a cell */
static const double SLOPES[D] = {0.1, -0.4, 0.3};
static tacit_schema *schema;
static tacit_row_image image;
static double matrix[D * D];

static int set_up(void **state) {
  (void)state;
  if (tacit_schema_parse(SCHEMA, strlen(SCHEMA), &schema, NULL) != TACIT_OK || begin_draws(51)) return -1;
  for (size_t j = 0; j < D * D; j++) matrix[j] = 2 * tacit_normal(&stream);
  image = (tacit_row_image){.inputs = D, .columns = D, .cell_bits = BITS, .narrow = true, .matrix = matrix};
  return tacit_row_image_seal(&image, NULL) == TACIT_OK ? 0 : -1;
}

static int tear_down(void **state) {
  (void)state;
  tacit_schema_free(schema);
  return 0;
}

static tacit_question asked(bool scaled) {
  return (tacit_question){
      .kind = TACIT_QUESTION_FEATURES,
      .image = &image,
      .features = {
          .clip = 1.5,
          .scaled = scaled,
          .spread = {.slopes = SLOPES, .offset = 0.2, .least = -5, .most = 5, .unit = 1.1, .weight = 2}}};
}

/* The answer of so many rows drawn from a seed, whose targets are drawn from another. */
static void answer(uint64_t targets, int threads, bool scaled, uint64_t *out) {
  tacit_design *design;
  tacit_answerer *answerer;
  tacit_context context;
  tacit_context_init(&context);
  context.threads = threads;
  assert_int_equal(tacit_design_new(schema, NULL, TACIT_CELL_BITS, &design, NULL), TACIT_OK);
  for (size_t i = 0; i < ROWS; i++) {
    double x[D] = {1, sin(1.7 * (double)i), cos(0.6 * (double)i)}, y = sin((double)(i * targets));
    assert_int_equal(tacit_design_add(design, x, &y, NULL), TACIT_OK);
  }
  assert_int_equal(tacit_answerer_new(schema, design, &context, &answerer, NULL), TACIT_OK);
  answerer->threads = answerer->all_threads = threads;
  const tacit_question question = asked(scaled);
  assert_int_equal(tacit_answer(answerer, &question, out, NULL), TACIT_OK);
  tacit_answerer_free(answerer);
}

static void formula(bool scaled, double *sums) {
  const tacit_question question = asked(scaled);
  size_t width = D + scaled;
  memset(sums, 0, ENTRIES * sizeof *sums);
  for (size_t i = 0; i < ROWS; i++) {
    double x[D] = {1, sin(1.7 * (double)i), cos(0.6 * (double)i)}, v[WIDTH] = {0}, norm = 0, log_s = 0.2;
    for (size_t j = 0; j < D; j++)
      for (size_t k = 0; k < D; k++) v[j] += matrix[j * D + k] * x[k];
    for (size_t j = 0; j < D; j++) log_s += SLOPES[j] * v[j];
    v[D] = scaled ? fmin(MOST, 2 * (exp(fmin(5, log_s)) / 1.1 - 1)) : 0;
    for (size_t j = 0; j < width; j++) norm = hypot(norm, v[j]);
    double weight = fmin(1, question.features.clip / norm);
    size_t at = width;
    for (size_t j = 0; j < width; j++) {
      sums[j] += weight * v[j];
      for (size_t k = j; k < width; k++) sums[at++] += weight * v[j] * v[k];
    }
  }
}

static void sums_are_those_of_the_formula(void **state) {
  (void)state;
  for (int scaled = 0; scaled < 2; scaled++) {
    uint64_t out[ENTRIES];
    double sums[ENTRIES];
    size_t width = D + (size_t)scaled;
    answer(3, 1, scaled, out);
    formula(scaled, sums);
    for (size_t k = 0; k < width + width * (width + 1) / 2; k++) {
      int bits = k < width ? TACIT_FEATURE_BITS + BITS : TACIT_PRODUCT_BITS + 2 * BITS;
      double got = ldexp((double)(int64_t)out[k], -bits) / ROWS, want = sums[k] / ROWS;
      if (fabs(got - want) > 0.002 * (1 + fabs(want))) fail_msg("%d, %zu: %g, %g", scaled, k, got, want);
    }
  }
}

static void targets_and_threads_change_nothing(void **state) {
  (void)state;
  for (int scaled = 0; scaled < 2; scaled++) {
    uint64_t one[ENTRIES] = {0}, other[ENTRIES] = {0};
    answer(3, 1, scaled, one);
    answer(8, 3, scaled, other);
    assert_memory_equal(one, other, sizeof one);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sums_are_those_of_the_formula),
                                     cmocka_unit_test(targets_and_threads_change_nothing)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
