/* Ramps: sums against their formula; and a search for a row whose target, moved by a limited amount, moves
   its part further than the certificate says. */
#include "pass/answer.h"
#include "privacy/certificate.h"

#include "pass/draws_for_test.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

__extension__ typedef unsigned __int128 wide;

enum { D = 3, BITS = 10, ROWS = 1500 };
static const char SCHEMA[] =
    "{\"target\": {\"name\": \"y\", \"min\": -1, \"max\": 1}, \"features\": ["
    "{\"name\": \"a\", \"min\": -1, \"max\": 1}, {\"name\": \"b\", \"min\": -1, \"max\": 1}]}";
static tacit_schema *schema;

static int set_up(void **state) {
  (void)state;
  if (tacit_schema_parse(SCHEMA, strlen(SCHEMA), &schema, NULL) != TACIT_OK) return -1;
  return begin_draws(53);
}

static int tear_down(void **state) {
  (void)state;
  tacit_schema_free(schema);
  return 0;
}

static void seal(tacit_row_image *image, double *matrix, double size) {
  for (size_t j = 0; j < D * D; j++) matrix[j] = size * tacit_normal(&stream);
  *image = (tacit_row_image){.inputs = D, .columns = D, .cell_bits = BITS, .narrow = true, .matrix = matrix};
  assert_int_equal(tacit_row_image_seal(image, NULL), TACIT_OK);
}

static void ask(size_t rows, double (*x)[D], const double *y, int threads, const tacit_question *q,
                uint64_t *out) {
  tacit_design *design;
  tacit_answerer *answerer;
  assert_int_equal(tacit_design_new(schema, NULL, TACIT_CELL_BITS, &design, NULL), TACIT_OK);
  for (size_t i = 0; i < rows; i++) assert_int_equal(tacit_design_add(design, x[i], &y[i], NULL), TACIT_OK);
  assert_int_equal(tacit_answerer_new(schema, design, NULL, &answerer, NULL), TACIT_OK);
  answerer->threads = threads;
  assert_int_equal(tacit_answer(answerer, q, out, NULL), TACIT_OK);
  tacit_answerer_free(answerer);
}

static double ramp(double above, double width) {
  return fmax(0, fmin(1, (above + width) / (2 * width)));
}

static void sums_are_those_of_the_formula(void **state) {
  (void)state;
  static double x[ROWS][D], y[ROWS];
  double matrix[D * D], b[D] = {0.1, -0.2, 0.05}, sums[D + 2] = {0};
  tacit_row_image image;
  uint64_t out[D + 2], other[D + 2];
  seal(&image, matrix, 1);
  const tacit_question question = {.kind = TACIT_QUESTION_RAMPS,
                                   .image = &image,
                                   .ramps = {.coefficients = b,
                                             .offset = 0.1,
                                             .scores = true,
                                             .width = 0.7,
                                             .clip_norm = 1.2,
                                             .below_width = 0.2,
                                             .within_width = 0.3,
                                             .span = 0.4}};
  for (size_t i = 0; i < ROWS; i++) {
    double v[D] = {0}, margin = 0.1, norm = 0;
    x[i][0] = 1, x[i][1] = sin(1.3 * (double)i), x[i][2] = cos(0.7 * (double)i), y[i] = sin(5.1 * (double)i);
    for (size_t j = 0; j < D; j++)
      for (size_t k = 0; k < D; k++) v[j] += matrix[j * D + k] * x[i][k];
    for (size_t j = 0; j < D; j++) margin += b[j] * v[j], norm = hypot(norm, v[j]);
    double score = (ramp(margin - y[i], 0.7) - 0.5) * fmin(1, 1.2 / norm);
    for (size_t j = 0; j < D; j++) sums[j] += score * v[j];
    sums[D] += ramp(margin - y[i], 0.2);
    sums[D + 1] += ramp(margin - y[i] + 0.4, 0.3) - ramp(margin - y[i] - 0.4, 0.3);
  }
  ask(ROWS, x, y, 1, &question, out);
  ask(ROWS, x, y, 3, &question, other);
  assert_memory_equal(out, other, sizeof out);
  for (size_t k = 0; k < D + 2; k++) {
    double got = ldexp((double)(int64_t)out[k], -TACIT_RAMP_BITS - (k < D ? BITS : 0));
    if (fabs(got - sums[k]) > 0.002 * ROWS) fail_msg("%zu: %g, %g", k, got, sums[k]);
  }
}

/* How far the answer moved, over what the certificate says, squared and in integers: at most 1. */
static double moved(const uint64_t *one, const uint64_t *two, size_t count, double stated) {
  wide square = 0;
  for (size_t j = 0; j < count; j++) {
    int64_t d = (int64_t)(two[j] - one[j]);
    wide size = (wide)(d < 0 ? -d : d);
    square += size * size;
  }
  assert_true(square <= (wide)stated * (wide)stated);
  return sqrt((double)square) / stated;
}

/* One row, of any numbers, asked about with any: its target moves by as much as is said, in the user's own
   units, which are those of the encoding here. */
static void no_target_moves_its_row_further(void **state) {
  (void)state;
  double largest[2] = {0, 0};
  for (int round = 0; round < 20000; round++) {
    double matrix[D * D], b[D],
        x[1][D] = {{1, 2 * tacit_uniform(&stream) - 1, 2 * tacit_uniform(&stream) - 1}};
    double change = pow(10, -4 * tacit_uniform(&stream)), y = 2 * tacit_uniform(&stream) - 1, z = y + change;
    tacit_row_image image;
    seal(&image, matrix, pow(10, 3 * tacit_uniform(&stream) - 2));
    for (size_t j = 0; j < D; j++) b[j] = pick(3) ? 0.1 * tacit_normal(&stream) : any_number();
    const double steps = tacit_scale_steps(&schema->targets[0].scale, change);
    const tacit_question question = {
        .kind = TACIT_QUESTION_RAMPS,
        .image = &image,
        .ramps = {.coefficients = b,
                  .offset = pick(9) ? y + 0.1 * tacit_normal(&stream) : any_number(),
                  .scores = true,
                  .width = pow(10, -5 * tacit_uniform(&stream)),
                  .clip_norm = pow(10, 2 * tacit_uniform(&stream) - 1.5),
                  .below_width = pow(10, -5 * tacit_uniform(&stream)),
                  .within_width = pow(10, -5 * tacit_uniform(&stream)),
                  .span = tacit_uniform(&stream)}};
    tacit_mechanism scores = {.kind = TACIT_RELEASE_SLOPED,
                              .dimension = D,
                              .clip = question.ramps.clip_norm,
                              .bits = TACIT_RAMP_BITS + BITS,
                              .width = question.ramps.width,
                              .change = steps};
    tacit_mechanism counts[2] = {{.kind = TACIT_RELEASE_RAMP, .bits = TACIT_RAMP_BITS, .change = steps}};
    counts[1] = counts[0];
    counts[0].width = question.ramps.below_width, counts[1].width = question.ramps.within_width;
    uint64_t one[D + 2], two[D + 2];
    double stated;
    ask(1, x, &y, 1, &question, one);
    ask(1, x, &z, 1, &question, two);
    assert_int_equal(tacit_mechanism_sensitivity(&scores, TACIT_REPLACE_ONE, 1, &stated, NULL), TACIT_OK);
    largest[0] = fmax(largest[0], moved(one, two, D, stated));
    for (size_t k = 0; k < 2; k++) {
      assert_int_equal(tacit_mechanism_sensitivity(&counts[k], TACIT_REPLACE_ONE, 1, &stated, NULL),
                       TACIT_OK);
      largest[1] = fmax(largest[1], moved(one + D + k, two + D + k, 1, stated));
    }
  }
  print_message("at most %.6f and %.6f of what is stated\n", largest[0], largest[1]);
  assert_true(largest[0] > 0.98 && largest[1] > 0.98);
}

/* Rows neither come nor go, and a window has to be one. */
static void what_has_no_bound_is_refused(void **state) {
  (void)state;
  const tacit_mechanism right = {
      .kind = TACIT_RELEASE_RAMP, .dimension = 1, .bits = TACIT_RAMP_BITS, .width = 0.5, .change = 100};
  double stated;
  assert_int_equal(tacit_mechanism_sensitivity(&right, TACIT_REPLACE_ONE, 3, &stated, NULL), TACIT_OK);
  assert_true(stated == 3 * 100); /* of 2^24 on each side, 2^24 / (2 * 2^23) for each unit */
  assert_int_equal(tacit_mechanism_sensitivity(&right, TACIT_ADD_REMOVE, 3, &stated, NULL), TACIT_USAGE);
  for (int how = 0; how < 6; how++) {
    tacit_mechanism wrong = right;
    if (how == 0) wrong.width = 0;
    if (how == 1) wrong.width = 1e-9;
    if (how == 2) wrong.width = NAN;
    if (how == 3) wrong.change = 0;
    if (how == 4) wrong.change = 1.5;
    if (how == 5) wrong.bits = TACIT_SCORE_BITS;
    assert_int_equal(tacit_mechanism_sensitivity(&wrong, TACIT_REPLACE_ONE, 1, &stated, NULL), TACIT_USAGE);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sums_are_those_of_the_formula),
                                     cmocka_unit_test(no_target_moves_its_row_further),
                                     cmocka_unit_test(what_has_no_bound_is_refused)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
