/* Questions as bytes: read back as they were, refused when cut or changed into nonsense. */
#include "question/question.h"

#include "schema/schema.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* last: it needs the others */
#include <cmocka.h>

static const tacit_row_facts FACTS = {3, 2, TACIT_CELL_BITS,
                                      "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"};
static const double NUMBERS[] = {0.5, -1, 2, 1e-3, 7, INFINITY, 0.25, -3};
static const tacit_target_part TARGETS[] = {{1, 0.5, 2, 3, 1, 3}, {0, 0, 1, INFINITY, 4, 1}};
static const tacit_score_part PARTS[] = {
    {.target = 0, .tau = 0.7, .bandwidth = 0.1, .clip_norm = 2, .coefficients = NUMBERS},
    {.target = 1,
     .tau = 0.2,
     .bandwidth = 1,
     .clip_norm = 1,
     .kernel = TACIT_KERNEL_LOGISTIC,
     .coefficients = NUMBERS}};
static tacit_row_image image = {
    .inputs = 3, .columns = 2, .cell_bits = 10, .narrow = true, .matrix = NUMBERS + 0};
static tacit_region *region;

enum { QUESTIONS = 17 };
static tacit_question questions[QUESTIONS];

static int set_up(void **state) {
  (void)state;
  static const double matrix[6] = {1, 2, 3, 4, 5, 6};
  static const char json[] = "{\"kind\": \"simplex\", \"dimension\": 2}";
  image.matrix = matrix;
  if (tacit_row_image_seal(&image, NULL) || tacit_region_parse(json, sizeof json - 1, &region, NULL))
    return -1;
  const tacit_question all[QUESTIONS] = {
      {.kind = TACIT_QUESTION_COUNT, .count = {.value = TACIT_VALUE_TARGET, .at = 0.3, .target = 1}},
      {.kind = TACIT_QUESTION_COUNT, .count = {.value = TACIT_VALUE_DISTANCE, .above = true, .centre = 2}},
      {.kind = TACIT_QUESTION_COUNT, .count = {.value = TACIT_VALUE_LENGTH, .at = 9, .vector = NUMBERS}},
      {.kind = TACIT_QUESTION_COUNT,
       .image = &image,
       .count = {.value = TACIT_VALUE_SIDE, .at = 1, .side = -1, .unit = 0.25, .vector = NUMBERS}},
      {.kind = TACIT_QUESTION_ROWS, .rows = {.first = 1, .columns = 2, .stretch = 1, .clip = 2, .bits = 12}},
      {.kind = TACIT_QUESTION_ROWS,
       .rows = {.columns = 3,
                .stretch = 0.5,
                .shift = NUMBERS,
                .targets = TARGETS,
                .target_count = 2,
                .clip = 1,
                .bits = 10,
                .moment = true}},
      {.kind = TACIT_QUESTION_SCORES, .scores = {.parts = PARTS, .count = 2, .scores = true}},
      {.kind = TACIT_QUESTION_SCORES,
       .image = &image,
       .scores = {.parts = PARTS, .count = 1, .scores = true, .sides = true, .span = 2, .smoothing = 0.1}},
      {.kind = TACIT_QUESTION_SCORES, .scores = {.parts = PARTS, .count = 1, .sides = true, .span = 1}},
      {.kind = TACIT_QUESTION_DECISIONS,
       .decisions = {.region = region, .unit = 2, .radius = 0.7, .rule = NUMBERS}},
      {.kind = TACIT_QUESTION_COSTS,
       .costs = {.coefficients = NUMBERS, .underage = NUMBERS, .overage = NUMBERS + 2, .bound = NUMBERS + 3}},
      {.kind = TACIT_QUESTION_COSTS,
       .costs = {.coefficients = NUMBERS,
                 .underage = NUMBERS,
                 .overage = NUMBERS + 2,
                 .bound = NUMBERS + 3,
                 .spread = NUMBERS}},
      {.kind = TACIT_QUESTION_DEARER,
       .costs = {.coefficients = NUMBERS, .underage = NUMBERS, .overage = NUMBERS + 2, .bound = NUMBERS + 3}},
      {.kind = TACIT_QUESTION_FEATURES, .image = &image, .features = {.clip = 3}},
      {.kind = TACIT_QUESTION_FEATURES,
       .image = &image,
       .features = {.clip = 3,
                    .scaled = true,
                    .spread = {.slopes = NUMBERS,
                               .offset = 1,
                               .least = -2,
                               .most = 2,
                               .unit = 1,
                               .weight = 3,
                               .skew = 0.25}}},
      {.kind = TACIT_QUESTION_RAMPS,
       .image = &image,
       .ramps = {.target = 1,
                 .coefficients = NUMBERS,
                 .offset = 0.5,
                 .scores = true,
                 .width = 0.25,
                 .clip_norm = 2,
                 .below_width = 0.5,
                 .within_width = 0.125,
                 .span = 1}},
      {.kind = TACIT_QUESTION_RAMPS,
       .image = &image,
       .ramps = {.coefficients = NUMBERS, .below_width = 0.5, .within_width = 0.5}},
  };
  memcpy(questions, all, sizeof all);
  memset(questions[9].decisions.region_hash, 'a', 64);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  tacit_region_free(region);
  return 0;
}

static unsigned char *write(const tacit_question *q, size_t *length) {
  unsigned char *bytes;
  assert_int_equal(tacit_question_write(q, &FACTS, &bytes, length, NULL), TACIT_OK);
  return bytes;
}

static void a_question_is_read_as_it_was_written(void **state) {
  (void)state;
  static const size_t widths[QUESTIONS] = {1, 1, 1, 1, 2, 15, 6, 4, 2, 6, 2, 2, 2, 5, 9, 4, 2};
  for (size_t i = 0; i < QUESTIONS; i++) {
    size_t length, again;
    unsigned char *bytes = write(&questions[i], &length);
    tacit_told_question told;
    tacit_error error = {""};
    assert_int_equal(tacit_question_check(&questions[i], &FACTS, &error), TACIT_OK);
    assert_int_equal(tacit_question_width(&questions[i], &FACTS), widths[i]);
    assert_int_equal(tacit_question_read(bytes, length, &told, &error), TACIT_OK);
    assert_memory_equal(&told.facts, &FACTS, sizeof FACTS);
    assert_int_equal(told.has_image, questions[i].image != NULL);
    if (told.has_image) {
      assert_memory_equal(told.image, image.hash, TACIT_HASH);
      assert_int_equal(tacit_told_question_see(&told, &image, &error), TACIT_OK);
    }
    if (told.question.kind == TACIT_QUESTION_DECISIONS) told.question.decisions.region = region;
    assert_int_equal(tacit_question_check(&told.question, &FACTS, &error), TACIT_OK);
    if (told.question.kind == TACIT_QUESTION_COSTS) /* as many numbers as two targets of three columns have */
      assert_true(questions[i].costs.spread
                      ? !memcmp(told.question.costs.spread, NUMBERS, 8 * sizeof *NUMBERS)
                      : !told.question.costs.spread);
    if (told.question.kind == TACIT_QUESTION_FEATURES && told.question.features.scaled)
      assert_true(told.question.features.spread.weight == 3 && told.question.features.spread.skew == 0.25);
    unsigned char *second = write(&told.question, &again);
    assert_int_equal(length, again);
    assert_memory_equal(bytes, second, length);
    for (size_t k = 0; k < widths[i]; k++)
      assert_true(tacit_question_reach(&told.question, &FACTS, k) ==
                  tacit_question_reach(&questions[i], &FACTS, k));
    free(second);
    free(bytes);
    tacit_told_question_close(&told);
  }
}

/* Also one more byte, and every byte changed: refused, or some other question. */
static void bytes_that_are_no_question_are_refused(void **state) {
  (void)state;
  for (size_t i = 0; i < QUESTIONS; i++) {
    size_t length;
    unsigned char *bytes = write(&questions[i], &length), *copy = malloc(length + 1);
    tacit_told_question told;
    for (size_t cut = 0; cut < length; cut++) {
      memcpy(copy, bytes, cut);
      assert_int_equal(tacit_question_read(copy, cut, &told, NULL), TACIT_BAD_INPUT);
    }
    memcpy(copy, bytes, length);
    copy[length] = 0;
    assert_int_equal(tacit_question_read(copy, length + 1, &told, NULL), TACIT_BAD_INPUT);
    for (size_t at = 0; at < length; at++) {
      copy[at] ^= 0x81;
      if (tacit_question_read(copy, length, &told, NULL) == TACIT_OK) {
        assert_memory_not_equal(told.hash, (unsigned char[TACIT_HASH]){0}, TACIT_HASH);
        tacit_told_question_close(&told);
      } else {
        assert_null(told.memory);
      }
      copy[at] ^= 0x81;
    }
    free(copy);
    free(bytes);
  }
}

/* What would break a sum, or read beyond the rows. */
static void questions_that_rows_cannot_answer_are_refused(void **state) {
  (void)state;
  tacit_question bad[] = {questions[0], questions[4], questions[4], questions[4],  questions[5], questions[6],
                          questions[7], questions[2], questions[9], questions[10], questions[8]};
  tacit_score_part part = PARTS[0];
  bad[0].count.target = 2;
  bad[1].rows.columns = 3;
  bad[2].rows.clip = NAN;
  bad[3].rows.bits = 61;
  bad[4].image = &image;
  part.tau = 1;
  bad[5].scores.parts = &part;
  bad[5].scores.count = 1;
  bad[6].scores.count = 2; /* counts are for a part alone */
  bad[7].image = &image;
  bad[8].image = &image; /* narrow */
  bad[9].image = &image;
  bad[10].scores.sides = false; /* nothing is asked */
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    assert_int_equal(tacit_question_check(&bad[i], &FACTS, NULL), TACIT_USAGE);
}

static void an_image_is_its_bytes(void **state) {
  (void)state;
  unsigned char *bytes;
  size_t length;
  tacit_row_image *read, other = image;
  assert_int_equal(tacit_row_image_write(&image, &bytes, &length, NULL), TACIT_OK);
  assert_int_equal(tacit_row_image_read(bytes, length, &read, NULL), TACIT_OK);
  assert_memory_equal(read->hash, image.hash, TACIT_HASH);
  assert_memory_equal(read->matrix, image.matrix, 6 * sizeof(double));
  tacit_row_image_free(read);
  other.cell_bits++;
  assert_int_equal(tacit_row_image_seal(&other, NULL), TACIT_OK);
  assert_memory_not_equal(other.hash, image.hash, TACIT_HASH);
  for (size_t cut = 0; cut < length; cut++)
    assert_int_equal(tacit_row_image_read(bytes, cut, &read, NULL), TACIT_BAD_INPUT);
  memcpy(bytes + length - 8, &(double){NAN}, 8);
  assert_int_equal(tacit_row_image_read(bytes, length, &read, NULL), TACIT_BAD_INPUT);
  const double infinite[6] = {INFINITY};
  other.matrix = infinite;
  assert_int_equal(tacit_row_image_seal(&other, NULL), TACIT_USAGE);
  free(bytes);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_question_is_read_as_it_was_written),
      cmocka_unit_test(bytes_that_are_no_question_are_refused),
      cmocka_unit_test(questions_that_rows_cannot_answer_are_refused),
      cmocka_unit_test(an_image_is_its_bytes),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
