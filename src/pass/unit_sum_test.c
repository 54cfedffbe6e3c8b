/* Units as a whole: an answer is the sum over units of what each adds by itself, shortened to its radius and
   never longer, for every kind of question; or each unit is counted in its bin. */
#include "pass/unit_sum.h"

#include "base/base.h"
#include "num/normal.h"
#include "pass/answer.h"
#include "privacy/certificate.h"
#include "random/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

__extension__ typedef unsigned __int128 wide;

enum { UNITS = 90, ROWS = 2600, P = 4, MOST = 60, WIDTH = 3 * TACIT_UNIT_BINS };
static tacit_schema *schema;
static tacit_stream stream;
static double x[ROWS][P], y[ROWS];
static size_t whose[ROWS];

/* Rows of one unit lie anywhere, all of some units' rows point one way, and some have no encoding. */
static int set_up(void **state) {
  (void)state;
  static const char text[] =
      "{\"target\": {\"name\": \"y\", \"center\": 0, \"scale\": 1}, \"features\": ["
      "{\"name\": \"a\", \"center\": 0, \"scale\": 1}, {\"name\": \"b\", \"center\": 0, \"scale\": 1},"
      "{\"name\": \"c\", \"min\": -1, \"max\": 1}]}";
  tacit_noise_source source;
  tacit_noise_source_seeded(&source, 5);
  if (tacit_stream_begin(&source, &stream, NULL) != TACIT_OK) return -1;
  if (tacit_schema_parse(text, strlen(text), &schema, NULL) != TACIT_OK) return -1;
  size_t count[UNITS] = {0};
  for (int i = 0; i < ROWS; i++) {
    do whose[i] = (size_t)(tacit_uniform(&stream) * tacit_uniform(&stream) * UNITS);
    while (count[whose[i]] >= MOST);
    count[whose[i]]++;
    bool alike = whose[i] % 3 == 0;
    x[i][0] = 1;
    for (int j = 1; j < P; j++) x[i][j] = alike ? 0.9 : fmax(-1, fmin(1, tacit_normal(&stream)));
    y[i] = alike ? -7 : 2 * tacit_normal(&stream);
    if (i % 100 == 7) x[i][1] = NAN;
  }
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  tacit_schema_free(schema);
  return 0;
}

/* The rows of one unit, or (UNITS) of all, from the first or from the last on; grouped or as they come. */
static tacit_answerer *rows_of(size_t unit, bool backwards, bool grouped, int threads) {
  tacit_design *design;
  tacit_unit_list list = {0};
  tacit_answerer *answerer;
  tacit_context context;
  tacit_context_init(&context);
  context.threads = threads;
  assert_int_equal(tacit_design_new(schema, NULL, TACIT_CELL_BITS, &design, NULL), TACIT_OK);
  for (size_t k = 0; k < ROWS; k++) {
    size_t i = backwards ? ROWS - 1 - k : k;
    if (unit < UNITS && whose[i] != unit) continue;
    assert_int_equal(tacit_design_add(design, x[i], &y[i], NULL), TACIT_OK);
    assert_int_equal(tacit_unit_list_add(&list, whose[i], NULL), TACIT_OK);
  }
  if (grouped) assert_int_equal(tacit_design_group(&design, &list, NULL), TACIT_OK);
  tacit_unit_list_free(&list);
  assert_int_equal(tacit_answerer_new(schema, design, &context, &answerer, NULL), TACIT_OK);
  return answerer;
}

static size_t ask(tacit_answerer *rows, const tacit_question *question, uint64_t *answer) {
  size_t width = tacit_question_width(question, &rows->facts);
  assert_true(width <= WIDTH);
  assert_int_equal(tacit_answer(rows, question, answer, NULL), TACIT_OK);
  return width;
}

/* One part of an answer that is clipped by itself. */
typedef struct part {
  size_t first, width, side;
  double level;
} part;

static wide square_of(const int64_t *v, const part *p) {
  wide square = 0;
  for (size_t j = 0, row = 0, column = 0; j < p->width; j++) {
    wide size = (wide)(v[j] < 0 ? -v[j] : v[j]);
    square += size * size * (p->side && column != row ? 2 : 1);
    if (p->side && ++column == p->side) column = ++row;
  }
  return square;
}

/* What a unit adds against what its rows do: the same, or the same direction with norm at most the radius. */
static void compare(const uint64_t *whole, const uint64_t *rows, size_t count, const part *p, double radius) {
  int64_t held[WIDTH], raw[WIDTH];
  int64_t level = llrint(ldexp(p->level, TACIT_SCORE_BITS));
  for (size_t j = 0; j < p->width; j++) {
    held[j] = (int64_t)whole[p->first + j];
    raw[j] = (int64_t)rows[p->first + j] - (int64_t)count * level;
  }
  wide square = square_of(raw, p), most = (wide)radius * (wide)radius;
  double factor = square > most ? radius / sqrt((double)square) : 1;
  assert_true(square_of(held, p) <= most);
  for (size_t j = 0; j < p->width; j++)
    assert_true(square > most ? fabs((double)held[j] - factor * (double)raw[j]) < 1 + 1e-9 * radius
                              : held[j] == raw[j]);
}

static void compare_bins(const uint64_t *bins, const uint64_t *rows, size_t count, const part *p,
                         double reach) {
  int64_t raw[WIDTH], level = llrint(ldexp(p->level, TACIT_SCORE_BITS));
  for (size_t j = 0; j < p->width; j++) raw[j] = (int64_t)rows[p->first + j] - (int64_t)count * level;
  double norm = sqrt((double)square_of(raw, p));
  for (int i = 0; i < TACIT_UNIT_BINS; i++) {
    double above = i ? floor(reach * tacit_unit_edge(MOST, i - 1)) : INFINITY;
    double below = i < TACIT_UNIT_BINS - 1 ? floor(reach * tacit_unit_edge(MOST, i)) : -1;
    assert_int_equal(bins[i], (uint64_t)(norm > below && norm <= above) << TACIT_SCORE_BITS);
  }
}

static size_t rows_in(size_t unit) {
  size_t count = 0;
  for (int i = 0; i < ROWS; i++) count += whose[i] == unit;
  return count;
}

/* One question of all units, of each by itself, of their rows one by one. */
static void check(const tacit_question *question, const part *parts, size_t part_count) {
  uint64_t all[WIDTH], other[WIDTH], sum[WIDTH] = {0}, bin_sum[WIDTH] = {0};
  tacit_question by_row = *question, bins = *question;
  by_row.units = (tacit_unit_parts){.whole = false};
  bins.units.most = MOST;
  size_t clipped = 0;
  for (size_t u = 0; u < UNITS; u++) {
    uint64_t whole[WIDTH], rows[WIDTH], bin[WIDTH];
    if (rows_in(u) == 0) continue;
    tacit_answerer *grouped = rows_of(u, false, true, 1), *plain = rows_of(u, false, false, 1);
    size_t width = ask(grouped, question, whole), bin_width = ask(grouped, &bins, bin);
    assert_int_equal(ask(plain, &by_row, rows), width);
    for (size_t i = 0; i < part_count; i++) {
      size_t at = part_count == 2 ? i + 1 : i; /* two counts without scores */
      double reach = tacit_row_reach(question, &grouped->facts, at);
      double radius = tacit_unit_radius(reach, question->units.clip[at]);
      assert_true(tacit_question_reach(question, &grouped->facts, parts[i].first) == radius);
      compare(whole, rows, rows_in(u), &parts[i], radius);
      compare_bins(bin + i * TACIT_UNIT_BINS, rows, rows_in(u), &parts[i], reach);
      clipped += memcmp(whole + parts[i].first, rows + parts[i].first, parts[i].width * sizeof *rows) != 0;
    }
    for (size_t j = 0; j < width; j++) sum[j] += whole[j];
    for (size_t j = 0; j < bin_width; j++) bin_sum[j] += bin[j];
    tacit_answerer_free(grouped);
    tacit_answerer_free(plain);
  }
  assert_true(clipped > UNITS / 10);
  for (int k = 0; k < 4; k++) {
    tacit_answerer *rows = rows_of(UNITS, k % 2, true, 1 + 2 * (k / 2));
    size_t width = ask(rows, question, all), bin_width = ask(rows, &bins, other);
    assert_memory_equal(all, sum, width * sizeof *all);
    assert_memory_equal(other, bin_sum, bin_width * sizeof *all);
    tacit_answerer_free(rows);
  }
}

static void counts(void **state) {
  (void)state;
  const double at[] = {-3, 0, 2};
  for (int k = 0; k < 3; k++) {
    const tacit_question question = {.kind = TACIT_QUESTION_COUNT,
                                     .units = {.whole = true, .clip = {1.7}, .level = {0.3 * (k + 1)}},
                                     .count = {.value = TACIT_VALUE_TARGET, .at = at[k], .above = k == 2}};
    check(&question, &(const part){.width = 1, .level = 0.3 * (k + 1)}, 1);
  }
}

/* What one unit adds to entry `at` of a question that leans in part `which`: what its rows do, cut at both
   ends. */
static int64_t lean_one(const tacit_question *question, size_t which, size_t at, size_t unit) {
  uint64_t whole[WIDTH], rows[WIDTH];
  tacit_question by_row = *question;
  const tacit_unit_parts *units = &question->units;
  by_row.units = (tacit_unit_parts){.whole = false};
  tacit_answerer *grouped = rows_of(unit, false, true, 1), *plain = rows_of(unit, false, false, 1);
  ask(grouped, question, whole);
  ask(plain, &by_row, rows);
  int64_t level = llrint(ldexp(units->level[which], TACIT_SCORE_BITS)), held = (int64_t)whole[at];
  double raw = (double)((int64_t)rows[at] - (int64_t)rows_in(unit) * level);
  const tacit_unit_ends ends = tacit_unit_leaning(floor(ldexp(units->clip[which], TACIT_SCORE_BITS)),
                                                  units->lean[which], units->leaving);
  assert_true((double)held == fmax(-ends.low, fmin(ends.high, raw)));
  assert_true(fabs((double)held) <= tacit_question_reach(question, &grouped->facts, at));
  tacit_answerer_free(grouped);
  tacit_answerer_free(plain);
  return held;
}

/* Two units are never further apart than two radii where one replaces the other, and none is longer than the
   radius where it may be gone; units that reach so far are there. */
static void check_leaning(const tacit_question *question, size_t which, size_t at) {
  double radius = floor(ldexp(question->units.clip[which], TACIT_SCORE_BITS));
  uint64_t all[WIDTH], sum = 0;
  int64_t least = 0, most = 0;
  for (size_t u = 0; u < UNITS; u++) {
    int64_t held = rows_in(u) ? lean_one(question, which, at, u) : 0;
    least = held < least ? held : least;
    most = held > most ? held : most;
    sum += (uint64_t)held;
  }
  double apart =
      question->units.leaving ? (double)(most > -least ? most : -least) : (double)(most - least) / 2;
  assert_true(apart <= radius && apart > 0.4 * radius);
  tacit_answerer *rows = rows_of(UNITS, true, true, 3);
  ask(rows, question, all);
  assert_true(all[at] == sum);
  tacit_answerer_free(rows);
}

/* A count by itself, or beside scores. */
static void leaning(void **state) {
  (void)state;
  const double lean[] = {0.9, 0.1, 0.5, 0.8, 0.3}, slopes[P] = {0.5, -1, 0.2};
  const tacit_score_part score = {
      .tau = 0.9, .kernel = TACIT_KERNEL_GAUSSIAN, .bandwidth = 0.3, .clip_norm = 1, .coefficients = slopes};
  for (int k = 0; k < 20; k++) {
    double level = lean[k % 5], clip = 1.3 + 2 * tacit_uniform(&stream);
    tacit_unit_parts units = {.whole = true, .clip = {clip, clip, clip}, .leaving = k >= 10};
    size_t which = k / 5 % 2 ? 2 : 0;
    units.level[which] = units.lean[which] = level;
    const tacit_question count = {
        .kind = TACIT_QUESTION_COUNT, .units = units, .count = {.value = TACIT_VALUE_TARGET, .at = -2}};
    const tacit_question beside = {
        .kind = TACIT_QUESTION_SCORES,
        .units = units,
        .scores = {.parts = &score, .count = 1, .sides = true, .span = 0.5, .smoothing = 0.3}};
    check_leaning(which ? &beside : &count, which, which ? 1 : 0);
  }
}

/* Whatever the radius and however far it leans, rounding adds nothing to what is claimed. */
static void ends_stay_within_their_claim(void **state) {
  (void)state;
  for (int k = 0; k < 200000; k++) {
    double radius = floor(exp2(53 * tacit_uniform(&stream))), lean = tacit_uniform(&stream);
    if (k % 3 == 0) lean = exp2(-60 * lean);
    if (k % 3 == 1) lean = 1 - exp2(-53 * lean);
    if (!(lean > 0 && lean < 1) || radius >= 0x1p52) continue;
    const tacit_unit_ends come = tacit_unit_leaning(radius, lean, true),
                          stay = tacit_unit_leaning(radius, lean, false);
    assert_true(come.low >= 0 && come.high >= 0 && fmax(come.low, come.high) <= radius);
    assert_true(stay.low >= 0 && stay.high >= 0 && stay.low + stay.high <= 2 * radius);
  }
}

static void rows_and_moments(void **state) {
  (void)state;
  const double shift[] = {0.1, -0.2, 0.3};
  const tacit_target_part target = {.centre = 0, .spread = 1, .cut = 2, .factor = 0.5, .over = 1};
  for (int moment = 0; moment < 2; moment++) {
    const tacit_question question = {.kind = TACIT_QUESTION_ROWS,
                                     .units = {.whole = true, .clip = {2.5}},
                                     .rows = {.first = 1,
                                              .columns = P - 1,
                                              .stretch = 1,
                                              .shift = shift,
                                              .targets = &target,
                                              .target_count = 1,
                                              .clip = 0.8,
                                              .bits = moment ? 12 : 17,
                                              .moment = moment}};
    const part whole = {.width = moment ? P * (P + 1) / 2 : P, .side = moment ? P : 0};
    check(&question, &whole, 1);
  }
}

/* Every form, in rows of two bytes and of four, in single precision and in doubles. */
static void scores(void **state) {
  (void)state;
  const double matrix[] = {0, 1, 0, 0, 0, 0.3, 1, 0, -0.2, 0, 0.5, 1}, slopes[] = {0.5, -1, 0.2, 0.1};
  for (int k = 0; k < 12; k++) {
    bool narrow = k % 2, sides = k % 4 != 1, scored = k != 6;
    tacit_row_image image = {.inputs = P, .columns = 3, .cell_bits = 10, .narrow = narrow, .matrix = matrix};
    assert_int_equal(tacit_row_image_seal(&image, NULL), TACIT_OK);
    const tacit_score_part score = {
        .tau = 0.8,
        .bandwidth = k < 9 ? 0.3 : 1e-4,
        .offset = 0.1,
        .clip_norm = 1.1,
        .kernel = TACIT_KERNEL_GAUSSIAN,
        .coefficients = slopes,
        .form = (tacit_score_form)(k % TACIT_FORMS),
        .spread = {.slopes = slopes + 1, .least = -3, .most = 3, .times = 0.4, .unit = 1, .weight = 0.7}};
    const tacit_question question = {
        .kind = TACIT_QUESTION_SCORES,
        .image = &image,
        .units = {.whole = true, .clip = {3.3, 1.5, 0.9}, .level = {0, 0.7, 0.8}},
        .scores = {
            .parts = &score, .count = 1, .scores = scored, .sides = sides, .span = 0.5, .smoothing = 0.3}};
    size_t width = scored ? tacit_score_columns(&score, 3) : 0;
    const part all[] = {{.width = width},
                        {.first = width, .width = 1, .level = 0.7},
                        {.first = width + 1, .width = 1, .level = 0.8}};
    check(&question, scored ? all : all + 1, !scored ? 2 : sides ? 3 : 1);
  }
}

/* Whatever is asked of rows that do not lie together, or on a grid that is too fine, is refused. */
static void what_cannot_be_asked(void **state) {
  (void)state;
  uint64_t answer[WIDTH];
  tacit_answerer *plain = rows_of(UNITS, false, false, 1), *grouped = rows_of(UNITS, false, true, 1);
  tacit_question count = {.kind = TACIT_QUESTION_COUNT, .units = {.whole = true, .clip = {2}}};
  assert_int_equal(tacit_answer(plain, &count, answer, NULL), TACIT_USAGE);
  assert_int_equal(tacit_answer(grouped, &count, answer, NULL), TACIT_OK);
  const double wrong[] = {0, -1, NAN, INFINITY, 1e-6};
  for (int k = 0; k < 5; k++) {
    count.units.clip[0] = wrong[k];
    assert_int_equal(tacit_answer(grouped, &count, answer, NULL), TACIT_USAGE);
  }
  const double beyond[] = {-0.1, 1, 2, NAN};
  count.units.clip[0] = 2;
  for (int k = 0; k < 4; k++) {
    count.units.lean[0] = beyond[k];
    assert_int_equal(tacit_answer(grouped, &count, answer, NULL), TACIT_USAGE);
  }
  count.units.lean[0] = 0;
  tacit_question rows = {.kind = TACIT_QUESTION_ROWS,
                         .units = {.whole = true, .clip = {2}, .lean = {0.9}},
                         .rows = {.first = 1, .columns = 2, .stretch = 1, .clip = 2, .bits = 17}};
  assert_int_equal(tacit_answer(grouped, &rows, answer, NULL), TACIT_USAGE); /* no number leans */
  rows.units.lean[0] = 0;
  rows.rows.bits = 26;
  assert_int_equal(tacit_answer(grouped, &rows, answer, NULL), TACIT_USAGE);
  count.units.clip[0] = 2;
  count.units.clip[2] = NAN; /* is not read, but a part may be sent it */
  assert_int_equal(tacit_answer(grouped, &count, answer, NULL), TACIT_USAGE);
  tacit_answerer_free(plain);
  tacit_answerer_free(grouped);
}

/* A part of an engine is told all of it. */
static void units_travel(void **state) {
  (void)state;
  const tacit_question asked = {.kind = TACIT_QUESTION_COUNT,
                                .units = {.whole = true,
                                          .clip = {2, 3, 4},
                                          .level = {0.1, 0.2, 0.3},
                                          .lean = {0.4, 0, 0.9},
                                          .leaving = true,
                                          .most = 7},
                                .count = {.value = TACIT_VALUE_TARGET, .at = 0.5}};
  tacit_answerer *rows = rows_of(UNITS, false, true, 1);
  tacit_told_question told;
  unsigned char *bytes;
  size_t length;
  assert_int_equal(tacit_question_write(&asked, &rows->facts, &bytes, &length, NULL), TACIT_OK);
  assert_int_equal(tacit_question_read(bytes, length, &told, NULL), TACIT_OK);
  const tacit_unit_parts *units = &told.question.units;
  assert_true(units->whole && units->leaving && units->most == 7);
  assert_memory_equal(units->clip, asked.units.clip, sizeof units->clip);
  assert_memory_equal(units->level, asked.units.level, sizeof units->level);
  assert_memory_equal(units->lean, asked.units.lean, sizeof units->lean);
  tacit_told_question_close(&told);
  free(bytes);
  tacit_answerer_free(rows);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counts),
      cmocka_unit_test(leaning),
      cmocka_unit_test(ends_stay_within_their_claim),
      cmocka_unit_test(rows_and_moments),
      cmocka_unit_test(scores),
      cmocka_unit_test(what_cannot_be_asked),
      cmocka_unit_test(units_travel),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
