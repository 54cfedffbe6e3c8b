/* Costs in tiers: every answer about a target is the mean, by the kinks' weights, of the answers that rows
   with moved targets give, and a row's part stays within its radius. */
#include "schema/tiers.h"

#include "pass/answer.h"
#include "pass/unit_sum.h"
#include "random/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 1500, P = 3, WIDTH = 16 };
static double x[ROWS][P], y[ROWS];
static tacit_schema *plain, *tiered;

#define TARGET "{\"target\": {\"name\": \"y\", \"min\": -4, \"max\": 4%s}, "
#define FEATURES                                                                                             \
  "\"features\": [{\"name\": \"a\", \"min\": -1, \"max\": 1}, {\"name\": \"b\", \"min\": -1, \"max\": 1}]}"
static const char COST[] =
    ", \"cost\": {\"shortage\": [{\"below\": 1, \"rate\": 2}, {\"rate\": 6}], \"leftover\": "
    "[{\"below\": 0.5, \"rate\": 1}, {\"rate\": 2}]}";

static tacit_schema *schema_of(const char *cost) {
  char text[1024];
  tacit_schema *schema;
  snprintf(text, sizeof text, TARGET FEATURES, cost);
  assert_int_equal(tacit_schema_parse(text, strlen(text), &schema, NULL), TACIT_OK);
  return schema;
}

static int set_up(void **state) {
  (void)state;
  tacit_noise_source source;
  tacit_stream stream;
  tacit_noise_source_seeded(&source, 11);
  if (tacit_stream_begin(&source, &stream, NULL) != TACIT_OK) return -1;
  for (size_t i = 0; i < ROWS; i++) {
    x[i][0] = 1;
    for (size_t j = 1; j < P; j++) x[i][j] = fmax(-1, fmin(1, tacit_normal(&stream) / 2));
    y[i] = floor(0x1p12 * (0.2 * x[i][1] + 0.1 * tacit_normal(&stream))) * 0x1p-12;
  }
  plain = schema_of("");
  tiered = schema_of(COST);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  tacit_schema_free(plain);
  tacit_schema_free(tiered);
  return 0;
}

/* The first rows with targets larger by shift. Grouped: each two are one unit's. */
static tacit_answerer *rows_of(const tacit_schema *schema, size_t rows, double shift, bool grouped) {
  tacit_design *design;
  tacit_answerer *answerer;
  tacit_unit_list list = {0};
  tacit_context context;
  tacit_context_init(&context);
  context.threads = 2;
  assert_int_equal(tacit_design_new(schema, NULL, TACIT_CELL_BITS, &design, NULL), TACIT_OK);
  for (size_t i = 0; i < rows; i++) {
    double moved = y[i] + shift;
    assert_int_equal(tacit_design_add(design, x[i], &moved, NULL), TACIT_OK);
    assert_int_equal(tacit_unit_list_add(&list, i / 2, NULL), TACIT_OK);
  }
  if (grouped) assert_int_equal(tacit_design_group(&design, &list, NULL), TACIT_OK);
  tacit_unit_list_free(&list);
  assert_int_equal(tacit_answerer_new(schema, design, &context, &answerer, NULL), TACIT_OK);
  return answerer;
}

/* In integers: at most one of the grid for each row and kink, times the largest cell where scores multiply.
 */
static void assert_is_the_mean(const tacit_question *question, double rounding) {
  const tacit_tiers *t = tiered->targets[0].tiers;
  bool grouped = question->units.whole;
  tacit_answerer *rows = rows_of(tiered, ROWS, 0, grouped);
  uint64_t answer[WIDTH], one[WIDTH];
  double mean[WIDTH] = {0};
  size_t width = tacit_question_width(question, &rows->facts);
  assert_true(width <= WIDTH);
  assert_int_equal(tacit_answer(rows, question, answer, NULL), TACIT_OK);
  tacit_answerer_free(rows);
  for (size_t k = 0; k < t->kinks; k++) {
    rows = rows_of(plain, ROWS, t->shift[k], grouped);
    assert_int_equal(tacit_answer(rows, question, one, NULL), TACIT_OK);
    tacit_answerer_free(rows);
    for (size_t j = 0; j < width; j++)
      mean[j] += ldexp(t->weight[k], -TACIT_KINK_BITS) * (double)(int64_t)one[j];
  }
  for (size_t j = 0; j < width; j++)
    if (!(fabs((double)(int64_t)answer[j] - mean[j]) <= rounding))
      fail_msg("entry %zu: %.17g, not %.17g", j, (double)(int64_t)answer[j], mean[j]);
}

static void counts_are_means(void **state) {
  (void)state;
  const double b[P] = {0.1, 0.2, 0};
  tacit_question q = {.kind = TACIT_QUESTION_COUNT, .count = {.value = TACIT_VALUE_TARGET, .at = 0.05}};
  assert_is_the_mean(&q, 0.5);
  q.count.above = true;
  assert_is_the_mean(&q, 0.5);
  q.count = (tacit_count_question){.value = TACIT_VALUE_DISTANCE, .centre = 0.03, .at = 0.12};
  assert_is_the_mean(&q, 0.5);
  q.count =
      (tacit_count_question){.value = TACIT_VALUE_SIDE, .side = -1, .at = 0.02, .unit = 0.5, .vector = b};
  assert_is_the_mean(&q, 0.5);
  q.units = (tacit_unit_parts){.whole = true, .clip = {2, 2, 2}};
  assert_is_the_mean(&q, 0.5);
}

static void rows_are_means(void **state) {
  (void)state;
  const tacit_target_part part = {.centre = 0.01, .spread = 0.2, .cut = 1.5, .factor = 1, .over = 1};
  const tacit_question q = {.kind = TACIT_QUESTION_ROWS,
                            .rows = {.first = 1,
                                     .columns = 2,
                                     .stretch = 1,
                                     .targets = &part,
                                     .target_count = 1,
                                     .clip = 8,
                                     .bits = 12}};
  assert_is_the_mean(&q, 4.0 * ROWS);
}

static void scores_and_their_counts_are_means(void **state) {
  (void)state;
  const double b[P] = {0.02, 0.15, -0.1}, g[P] = {0.1, 0.3, 0};
  tacit_score_part part = {.tau = 0.75, .bandwidth = 0.1, .offset = 0.01, .clip_norm = 2, .coefficients = b};
  tacit_question q = {
      .kind = TACIT_QUESTION_SCORES,
      .scores = {.parts = &part, .count = 1, .scores = true, .sides = true, .span = 0.1, .smoothing = 0.05}};
  const double rounding = 4.0 * ROWS * (1 << TACIT_CELL_BITS);
  for (int k = 0; k < TACIT_KERNELS; k++) {
    part.kernel = (tacit_kernel)k;
    assert_is_the_mean(&q, rounding);
  }
  part.kernel = TACIT_KERNEL_GAUSSIAN;
  part.bandwidth = 0x1p-11; /* in doubles */
  assert_is_the_mean(&q, rounding);
  q.scores.scores = false;
  assert_is_the_mean(&q, 4.0 * ROWS);
  part.bandwidth = 0.3;
  assert_is_the_mean(&q, 4.0 * ROWS);
  q.scores.scores = true;
  part.spread = (tacit_row_spread){.slopes = g,
                                   .offset = -1.5,
                                   .least = -5,
                                   .most = 2,
                                   .times = 0.4,
                                   .unit = 0.3,
                                   .weight = 1,
                                   .full = 0.2};
  for (int form = TACIT_FORM_SPREAD; form < TACIT_FORMS; form++) {
    part.form = (tacit_score_form)form;
    part.bandwidth = 0.5;
    q.units = (tacit_unit_parts){0};
    assert_is_the_mean(&q, rounding);
    q.units = (tacit_unit_parts){.whole = true, .clip = {4, 4, 4}};
    assert_is_the_mean(&q, rounding);
  }
}

/* Whatever a row's target is, all of its part is within what the question says. */
static void one_row_stays_within_its_reach(void **state) {
  (void)state;
  const double b[P] = {0};
  const double far[] = {-1, -0.6, 0, 0.3, 1};
  tacit_score_part part = {.tau = 0.75, .bandwidth = 0.01, .clip_norm = 1, .coefficients = b};
  const tacit_question q = {
      .kind = TACIT_QUESTION_SCORES,
      .scores = {.parts = &part, .count = 1, .scores = true, .sides = true, .span = 2, .smoothing = 0.001}};
  double nearest = 0;
  for (size_t i = 0; i < 5; i++) {
    uint64_t answer[WIDTH];
    double square = 0;
    y[0] = far[i];
    tacit_answerer *rows = rows_of(tiered, 1, 0, false);
    assert_int_equal(tacit_answer(rows, &q, answer, NULL), TACIT_OK);
    for (size_t j = 0; j < P; j++) square += (double)(int64_t)answer[j] * (double)(int64_t)answer[j];
    double reach = tacit_question_reach(&q, &rows->facts, 0);
    assert_true(sqrt(square) <= reach);
    nearest = fmax(nearest, sqrt(square) / reach);
    for (size_t j = P; j < P + 2; j++) assert_true(answer[j] <= 1 << TACIT_SCORE_BITS);
    tacit_answerer_free(rows);
  }
  assert_true(nearest > 0.99);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(counts_are_means), cmocka_unit_test(rows_are_means),
                                     cmocka_unit_test(scores_and_their_counts_are_means),
                                     cmocka_unit_test(one_row_stays_within_its_reach)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
