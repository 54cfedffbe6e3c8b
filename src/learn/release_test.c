/* The gate: nothing leaves that is not paid for, not planned, of another kind or target, or a second time;
   and what leaves is the sum with the plan's noise, entered before the noise is drawn. */
#include "learn/gate_for_test.h"
#include "learn/task.h"

#include <math.h>

static const tacit_release_kind SUMS[] = {TACIT_RELEASE_SCORES, TACIT_RELEASE_ROWS,  TACIT_RELEASE_MOMENT,
                                          TACIT_RELEASE_COUNT,  TACIT_RELEASE_OUTER, TACIT_RELEASE_MINIMISER};
enum { SUM_KINDS = sizeof SUMS / sizeof *SUMS, D = 3 };

/* Releases of every kind with their say about themselves. */
static tacit_mechanism mechanism_of(tacit_release_kind kind, size_t target) {
  return (tacit_mechanism){.kind = kind,
                           .target = target,
                           .dimension = kind == TACIT_RELEASE_SIGN ? 1 : D,
                           .level = 0.5,
                           .clip = 1,
                           .bits = 20,
                           .sensitivity = 1 << 21,
                           .sigma = kind == TACIT_RELEASE_SIGN ? 0 : 1e6,
                           .count = 1};
}

static void plan_one(planned_gate *p, tacit_release_kind kind, size_t target, uint64_t count) {
  tacit_mechanism m = mechanism_of(kind, target);
  m.count = count;
  assert_int_equal(tacit_plan_add(&p->plan, &m, NULL), TACIT_OK);
}

/* Tries one way out; what it would give is marked beforehand, so that whatever is given shows. */
static tacit_status leave(planned_gate *p, tacit_release_kind kind, size_t target, bool *given) {
  uint64_t sum[D] = {5, 6, 7};
  double out[D] = {-1, -1, -1};
  int64_t noise[D] = {-1, -1, -1};
  tacit_mechanism run = {.dimension = 77};
  tacit_stream stream;
  bool bit = true;
  tacit_status status;
  memset(&stream, 0x5a, sizeof stream);
  const tacit_stream untouched = stream;
  if (kind == TACIT_RELEASE_SIGN) {
    status = tacit_release_sign(&p->gate, target, false, &bit, NULL);
  } else if (kind == TACIT_RELEASE_OBJECTIVE) {
    status = tacit_release_linear(&p->gate, target, noise, NULL);
  } else if (kind == TACIT_RELEASE_SAMPLED) {
    status = tacit_release_run_begin(&p->gate, target, &run, &stream, NULL);
  } else {
    status = tacit_release_sum(&p->gate, target, kind, sum, out, NULL, NULL);
  }
  *given = sum[0] != 5 || sum[1] != 6 || sum[2] != 7 || out[0] != -1 || noise[0] != -1 || !bit ||
           run.dimension != 77 || memcmp(&stream, &untouched, sizeof stream) != 0;
  if (kind == TACIT_RELEASE_SAMPLED && status == TACIT_OK) tacit_stream_end(&stream);
  return status;
}

/* Refused: with nothing given, nothing entered and not a bit of noise drawn. */
static void stays(planned_gate *p, tacit_release_kind kind, size_t target) {
  bool given;
  uint64_t made = p->gate.certificate->releases, drawn = p->gate.noise.releases;
  if (leave(p, kind, target, &given) != TACIT_INTERNAL) fail_msg("%s left", tacit_release_name(kind));
  assert_false(given);
  assert_true(p->gate.certificate->releases == made && p->gate.noise.releases == drawn);
}

static void leaves(planned_gate *p, tacit_release_kind kind, size_t target) {
  bool given;
  assert_int_equal(leave(p, kind, target, &given), TACIT_OK);
}

static void nothing_leaves_unpaid(void **state) {
  (void)state;
  planned_gate sphere;
  double direction[D] = {-1, -1, -1};
  open_planned(&sphere, 1, 1, 3);
  assert_int_equal(tacit_gate_direction(&sphere.gate, D, direction, NULL), TACIT_INTERNAL);
  assert_true(direction[0] == -1 && sphere.gate.noise.releases == 0);
  sphere.gate.paid = true;
  assert_int_equal(tacit_gate_direction(&sphere.gate, D, direction, NULL), TACIT_OK);
  close_planned(&sphere);
  for (tacit_release_kind kind = 0; kind <= TACIT_RELEASE_SIGN; kind++) {
    planned_gate p;
    open_planned(&p, 1, 1, 3);
    plan_one(&p, kind, 0, 1);
    stays(&p, kind, 0);
    p.gate.paid = true;
    leaves(&p, kind, 0); /* it was not used up by being refused */
    close_planned(&p);
  }
}

static void nothing_leaves_unplanned_or_of_another_kind_or_target(void **state) {
  (void)state;
  for (tacit_release_kind kind = 0; kind <= TACIT_RELEASE_SIGN; kind++) {
    planned_gate p;
    open_planned(&p, 2, 1, 3);
    p.gate.paid = true;
    stays(&p, kind, 0);
    plan_one(&p, kind, 1, 1);
    stays(&p, kind, 0);
    stays(&p, kind, TACIT_ALL_TARGETS);
    for (tacit_release_kind other = 0; other <= TACIT_RELEASE_SIGN; other++)
      if (other != kind) stays(&p, other, 1);
    leaves(&p, kind, 1);
    assert_int_equal(p.gate.certificate->mechanisms[0].kind, kind);
    close_planned(&p);
  }
}

static void nothing_leaves_twice(void **state) {
  (void)state;
  for (tacit_release_kind kind = 0; kind <= TACIT_RELEASE_SIGN; kind++)
    for (uint64_t count = 1; count <= 3; count++) {
      planned_gate p;
      open_planned(&p, 2, 1, 3);
      p.gate.paid = true;
      plan_one(&p, kind, 0, count);
      plan_one(&p, kind, 1, 1);                                   /* the other target's is not this one's */
      uint64_t times = kind == TACIT_RELEASE_SAMPLED ? 1 : count; /* a run is all of them */
      for (uint64_t i = 0; i < times; i++) leaves(&p, kind, 0);
      stays(&p, kind, 0);
      stays(&p, kind, 0);
      assert_int_equal(p.gate.certificate->releases, count);
      leaves(&p, kind, 1);
      stays(&p, kind, 1);
      if (kind !=
          TACIT_RELEASE_MINIMISER) /* whose sensitivity follows from the rest, which is made up here */
        assert_true(tacit_plan_is_listed(&p.plan, p.gate.certificate));
      close_planned(&p);
    }
}

/* The same stream by hand. */
static void the_noise_is_the_plans(void **state) {
  (void)state;
  for (size_t k = 0; k < SUM_KINDS; k++) {
    planned_gate p;
    tacit_noise_source source;
    tacit_stream stream;
    uint64_t sum[D] = {5, 6, (uint64_t)-7};
    double out[D], sigma;
    const tacit_mechanism m = mechanism_of(SUMS[k], 0);
    open_planned(&p, 1, 1, 9);
    p.gate.paid = true;
    plan_one(&p, SUMS[k], 0, 1);
    assert_int_equal(tacit_release_sum(&p.gate, 0, SUMS[k], sum, out, &sigma, NULL), TACIT_OK);
    tacit_noise_source_seeded(&source, 9);
    assert_int_equal(tacit_stream_begin(&source, &stream, NULL), TACIT_OK);
    for (size_t j = 0; j < D; j++) {
      bool off = SUMS[k] == TACIT_RELEASE_MOMENT && j == 1; /* of a 2 x 2 matrix */
      double own = off ? m.sigma * 0x1.6a09e667f3bcdp-1 : m.sigma;
      int64_t noisy = (j == 2 ? -7 : 5 + (int64_t)j) + tacit_gaussian_integer(&stream, own);
      assert_true((int64_t)sum[j] == noisy && out[j] == ldexp((double)noisy, -m.bits));
    }
    assert_true(sigma == ldexp(m.sigma, -m.bits));
    tacit_stream_end(&stream);
    close_planned(&p);
  }
}

/* A bit is told truly as often as its level says: 4000 of them at e / (1 + e) = 0.731, within five standard
   errors. */
static void a_bit_is_turned_as_planned(void **state) {
  (void)state;
  enum { BITS = 4000 };
  planned_gate p;
  tacit_mechanism m = mechanism_of(TACIT_RELEASE_SIGN, 0);
  int told = 0;
  m.level = 1;
  m.count = BITS;
  open_planned(&p, 1, 1, 5);
  p.gate.paid = true;
  assert_int_equal(tacit_plan_add(&p.plan, &m, NULL), TACIT_OK);
  for (int i = 0; i < BITS; i++) {
    bool out;
    assert_int_equal(tacit_release_sign(&p.gate, 0, i % 2, &out, NULL), TACIT_OK);
    told += out == (bool)(i % 2);
  }
  double expected = BITS * exp(1) / (1 + exp(1));
  assert_true(fabs(told - expected) < 5 * sqrt(expected / (1 + exp(1))));
  stays(&p, TACIT_RELEASE_SIGN, 0);
  close_planned(&p);
}

static tacit_status give_up(void *self, tacit_mechanism *m, const uint64_t *exact, tacit_error *error) {
  planned_gate *p = self;
  (void)m;
  (void)exact;
  (void)error;
  assert_int_equal(p->gate.certificate->releases, 1); /* entered before its noise */
  return TACIT_CANCELLED;
}

/* A release that fails on its way counts as made: it cannot be tried again until its noise pleases. */
static void a_failed_release_is_used_up(void **state) {
  (void)state;
  for (size_t k = 0; k < SUM_KINDS; k++) {
    planned_gate p;
    bool given;
    const tacit_release_probe probe = {give_up, NULL, &p};
    open_planned(&p, 1, 1, 3);
    p.gate.paid = true;
    plan_one(&p, SUMS[k], 0, 1);
    p.gate.probe = &probe;
    assert_int_equal(leave(&p, SUMS[k], 0, &given), TACIT_CANCELLED);
    assert_false(given);
    p.gate.probe = NULL;
    stays(&p, SUMS[k], 0);
    close_planned(&p);
  }
}

/* A learner that asks the rows for more than the plan counts with gets nothing: a wider radius, another grid,
   another shape. */
static void a_question_beyond_the_plan_is_not_released(void **state) {
  (void)state;
  static const double x[] = {1}, y[] = {0.25};
  planned_gate p;
  tacit_design *design;
  open_planned(&p, 1, 1, 3);
  tacit_mechanism m = {.kind = TACIT_RELEASE_ROWS, .dimension = 1, .clip = 1, .bits = 12, .count = 1};
  assert_int_equal(tacit_plan_share(&p.plan, m, 1, 1, NULL), TACIT_OK);
  assert_int_equal(tacit_design_new(p.schema, NULL, TACIT_CELL_BITS, &design, NULL), TACIT_OK);
  for (int i = 0; i < 10; i++) assert_int_equal(tacit_design_add(design, x, y, NULL), TACIT_OK);
  tacit_task task = {.schema = p.schema, .facts = p.facts, .plan = p.plan, .gate = p.gate};
  task.gate.plan = &task.plan;
  task.gate.paid = true;
  assert_int_equal(tacit_answerer_new(p.schema, design, NULL, &task.rows.own, NULL), TACIT_OK);
  task.rows.facts = task.rows.own->facts;
  const tacit_question right = {.kind = TACIT_QUESTION_ROWS,
                                .rows = {.columns = 1, .stretch = 1, .clip = 1, .bits = 12}};
  double out = -1;
  for (int how = 0; how < 5; how++) {
    tacit_question wrong = right;
    if (how == 0) wrong.rows.clip = nextafter(1, 2);
    if (how == 1) wrong.rows.bits = 13;
    if (how == 2) wrong.rows.moment = true;
    if (how == 3) wrong.rows.columns = 0;
    if (how == 4) wrong.rows.clip = nextafter(1, 0);
    assert_int_equal(tacit_private_rows(&task, 0, &wrong, &out, NULL, NULL), TACIT_INTERNAL);
    assert_true(out == -1 && p.gate.certificate->releases == 0);
  }
  assert_int_equal(tacit_private_rows(&task, 0, &right, &out, NULL, NULL), TACIT_OK);
  assert_int_equal(p.gate.certificate->releases, 1);
  tacit_rows_close(&task.rows);
  close_planned(&p);
}

/* Without noise leaves what knows no target, of a schema whose features are public, once it is paid for. */
static void only_public_answers_leave_without_noise(void **state) {
  (void)state;
  static const tacit_target_part TARGET = {.spread = 1, .cut = 1, .over = 1};
  static const double NUMBER = 1;
  planned_gate p;
  tacit_row_image image = {.inputs = 1, .columns = 1, .cell_bits = 10, .narrow = true, .matrix = &NUMBER};
  assert_int_equal(tacit_row_image_seal(&image, NULL), TACIT_OK);
  const tacit_score_part part = {.tau = 0.5, .bandwidth = 1, .clip_norm = 1, .coefficients = &NUMBER};
  const tacit_question free[] = {
      {.kind = TACIT_QUESTION_ROWS, .rows = {.columns = 1, .stretch = 1, .clip = 1, .bits = 12}},
      {.kind = TACIT_QUESTION_COUNT, .count = {.value = TACIT_VALUE_LENGTH, .vector = &NUMBER}},
      {.kind = TACIT_QUESTION_FEATURES, .image = &image, .features = {.clip = 1}}};
  const tacit_question bound[] = {
      {.kind = TACIT_QUESTION_ROWS,
       .rows = {.columns = 1, .stretch = 1, .targets = &TARGET, .target_count = 1, .clip = 1, .bits = 12}},
      {.kind = TACIT_QUESTION_COUNT, .count = {.value = TACIT_VALUE_TARGET}},
      {.kind = TACIT_QUESTION_COUNT, .count = {.value = TACIT_VALUE_DISTANCE}},
      {.kind = TACIT_QUESTION_COUNT, .count = {.value = TACIT_VALUE_SIDE, .vector = &NUMBER}},
      {.kind = TACIT_QUESTION_SCORES, .scores = {.parts = &part, .count = 1, .scores = true}},
      {.kind = TACIT_QUESTION_COSTS}};
  open_planned(&p, 1, 1, 1);
  for (int paid = 0; paid < 2; paid++)
    for (int public = 0; public < 2; public ++) {
      p.gate.paid = paid;
      p.schema->features_public = public;
      for (size_t i = 0; i < sizeof free / sizeof *free; i++)
        assert_int_equal(tacit_gate_public(&p.gate, &free[i], NULL),
                         paid && public ? TACIT_OK : TACIT_INTERNAL);
      for (size_t i = 0; i < sizeof bound / sizeof *bound; i++)
        assert_int_equal(tacit_gate_public(&p.gate, &bound[i], NULL), TACIT_INTERNAL);
    }
  close_planned(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_leaves_unpaid),
      cmocka_unit_test(nothing_leaves_unplanned_or_of_another_kind_or_target),
      cmocka_unit_test(nothing_leaves_twice),
      cmocka_unit_test(the_noise_is_the_plans),
      cmocka_unit_test(a_bit_is_turned_as_planned),
      cmocka_unit_test(a_failed_release_is_used_up),
      cmocka_unit_test(a_question_beyond_the_plan_is_not_released),
      cmocka_unit_test(only_public_answers_leave_without_noise),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
