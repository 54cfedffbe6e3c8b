/* Plans: what shares buy, in which order releases are carried out, and that a list which differs from the
   plan in anything is not the plan's. */
#include "method/plan.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char SCHEMA[] = "{\"target\": [{\"name\": \"y\", \"min\": 0, \"max\": 1}, {\"name\": \"z\", "
                             "\"min\": 0, \"max\": 1}], \"features\": []}";
static const double MU = 0.5, TAUS[] = {0.7, 0.4};
static tacit_schema *schema;
static tacit_region *region;
static tacit_facts facts;
static tacit_release_plan plan;

static int set_up(void **state) {
  static const char BOX[] = "{\"kind\": \"box\", \"min\": [0, 0], \"max\": [1, 1]}";
  (void)state;
  if (tacit_schema_parse(SCHEMA, strlen(SCHEMA), &schema, NULL) ||
      tacit_region_parse(BOX, strlen(BOX), &region, NULL))
    return -1;
  facts = (tacit_facts){.schema = schema, .quantiles = TAUS, .rows = 100, .mu = MU};
  return tacit_plan_open(&plan, &facts, NULL);
}

static int tear_down(void **state) {
  (void)state;
  tacit_plan_close(&plan);
  tacit_region_free(region);
  tacit_schema_free(schema);
  return 0;
}

static tacit_mechanism scores(size_t target) {
  return (tacit_mechanism){.kind = TACIT_RELEASE_SCORES,
                           .target = target,
                           .dimension = 1,
                           .level = TAUS[target],
                           .clip = 1,
                           .bits = TACIT_CELL_BITS + TACIT_SCORE_BITS,
                           .count = 1};
}

static tacit_mechanism count_of(size_t target) {
  return (tacit_mechanism){
      .kind = TACIT_RELEASE_COUNT, .target = target, .dimension = 1, .bits = TACIT_SCORE_BITS, .count = 1};
}

static void share(tacit_mechanism m, double part, uint64_t count) {
  assert_int_equal(tacit_plan_share(&plan, m, part, count, NULL), TACIT_OK);
}

static bool within(double a, double b, double relative) {
  return fabs(a - b) <= relative * fabs(b);
}

/* mu_t = Delta / sigma = mu sqrt(share): of a target its part of mu, over a region the whole one. */
static void a_share_buys_its_part_of_mu(void **state) {
  (void)state;
  for (int over = 0; over < 2; over++) {
    tacit_plan_cut(&plan, 0);
    facts.region = over ? region : NULL;
    share(scores(0), 0.25, 1);
    share(scores(0), 0.25, 3);
    share(scores(1), 1, 1);
    const tacit_mechanism *m = plan.list->mechanisms;
    assert_int_equal(plan.list->mechanism_count, 2); /* alike ones are one item */
    assert_true(m[0].count == 4 && m[1].count == 1 && plan.list->releases == 5);
    double whole = over ? MU : MU / sqrt(2);
    assert_true(within(m[0].sensitivity / m[0].sigma, whole / 2, 1e-11));
    assert_true(within(m[1].sensitivity / m[1].sigma, whole, 1e-11));
    double radius = 2 * 0.7 * ldexp(1, m[0].bits); /* replace-one, tau_bar B */
    assert_true(within(m[0].sensitivity, radius, 1e-4) && m[0].sensitivity >= radius * (1 - 1e-5));
    /* both targets' wholes are the promise; over a region they would be twice it */
    assert_int_equal(tacit_plan_check(&plan, NULL), over ? TACIT_INTERNAL : TACIT_OK);
    assert_true(within(tacit_certificate_mu(plan.list), over ? MU * sqrt(2) : MU, 1e-11));
  }
}

static void growing_shares_grow(void **state) {
  (void)state;
  enum { STEPS = 6 };
  assert_int_equal(tacit_plan_growing(&plan, scores(0), STEPS, 1.5, 0.4, NULL), TACIT_OK);
  const tacit_mechanism *m = plan.list->mechanisms;
  double sum = 0, whole = MU * MU / 2;
  assert_true(plan.list->mechanism_count == STEPS && plan.list->releases == STEPS);
  for (size_t t = 0; t < STEPS; t++) {
    double own = m[t].sensitivity / m[t].sigma;
    if (t) assert_true(within(pow(m[t - 1].sigma / m[t].sigma, 2), 1.5, 1e-12));
    sum += own * own;
  }
  assert_true(within(sum, 0.4 * whole, 1e-11));
  assert_int_equal(tacit_plan_growing(&plan, scores(1), STEPS, 1, 1, NULL), TACIT_OK);
  m = plan.list->mechanisms;
  assert_int_equal(plan.list->mechanism_count, STEPS + 1); /* equal ones are one item */
  assert_true(m[STEPS].count == STEPS && plan.list->releases == 2 * STEPS);
  assert_true(within(STEPS * pow(m[STEPS].sensitivity / m[STEPS].sigma, 2), whole, 1e-11));
}

static void what_no_noise_can_hold_is_refused(void **state) {
  (void)state;
  const double shares[] = {0, -1, NAN, 1e-40};
  tacit_mechanism m = scores(0);
  tacit_error error = {""};
  for (int i = 0; i < 4; i++) {
    assert_int_equal(tacit_plan_share(&plan, m, shares[i], 1, &error), TACIT_REFUSED);
    assert_non_null(strstr(error.text, "use a larger mu"));
  }
  m.sigma = nextafter(TACIT_PLAN_SIGMA_MAX, INFINITY);
  assert_int_equal(tacit_plan_add(&plan, &m, NULL), TACIT_REFUSED);
  m.sigma = NAN;
  assert_int_equal(tacit_plan_add(&plan, &m, NULL), TACIT_REFUSED);
  assert_int_equal(plan.list->releases, 0);
  m.sigma = TACIT_PLAN_SIGMA_MAX;
  assert_int_equal(tacit_plan_add(&plan, &m, NULL), TACIT_OK);
}

/* Each target goes on by itself, and so do releases for all of them. */
static void releases_are_taken_in_their_order(void **state) {
  (void)state;
  tacit_mechanism all = count_of(TACIT_ALL_TARGETS);
  share(count_of(0), 0.1, 2);
  share(scores(1), 0.1, 1);
  share(all, 0.1, 1);
  share(scores(0), 0.1, 1);
  share(count_of(1), 0.2, 3);
  static const struct {
    size_t target;
    tacit_release_kind kind;
    size_t item; /* of the list */
  } order[] = {{1, TACIT_RELEASE_SCORES, 1}, {0, TACIT_RELEASE_COUNT, 0},  {1, TACIT_RELEASE_COUNT, 4},
               {0, TACIT_RELEASE_COUNT, 0},  {0, TACIT_RELEASE_SCORES, 3}, {1, TACIT_RELEASE_COUNT, 4},
               {1, TACIT_RELEASE_COUNT, 4}};
  for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
    const tacit_mechanism *next = tacit_plan_next(&plan, order[i].target);
    assert_ptr_equal(next, &plan.list->mechanisms[order[i].item]);
    assert_int_equal(next->kind, order[i].kind);
    assert_ptr_equal(next, tacit_plan_next(&plan, order[i].target)); /* looking takes nothing */
    tacit_plan_take(&plan, order[i].target, 1);
  }
  assert_null(tacit_plan_next(&plan, 0));
  assert_null(tacit_plan_next(&plan, 1));
  tacit_plan_take(&plan, 0, 1); /* nothing is there to be taken */
  assert_null(tacit_plan_next(&plan, 0));
  assert_int_equal(tacit_plan_next(&plan, TACIT_ALL_TARGETS)->target, TACIT_ALL_TARGETS);
  tacit_plan_take(&plan, TACIT_ALL_TARGETS, 1);
  assert_null(tacit_plan_next(&plan, TACIT_ALL_TARGETS));
}

/* The default learner's way: the end of the plan is taken back and made anew, what was taken stays so. */
static void an_end_can_be_planned_anew(void **state) {
  (void)state;
  share(count_of(0), 0.1, 2);
  share(scores(0), 0.3, 1);
  share(scores(0), 0.2, 1);
  assert_int_equal(plan.list->releases, 4);
  tacit_plan_take(&plan, 0, 1);
  tacit_plan_cut(&plan, 1);
  assert_true(plan.list->mechanism_count == 1 && plan.list->releases == 2);
  assert_int_equal(tacit_plan_next(&plan, 0)->kind, TACIT_RELEASE_COUNT);
  tacit_plan_take(&plan, 0, 1);
  assert_null(tacit_plan_next(&plan, 0));
  tacit_mechanism clipped = scores(0);
  clipped.clip = 0.5;
  share(clipped, 0.5, 1);
  assert_true(tacit_plan_next(&plan, 0)->clip == 0.5 && plan.list->releases == 3);
  tacit_plan_cut(&plan, 7); /* more than there are */
  assert_int_equal(plan.list->mechanism_count, 2);
}

static tacit_certificate *listed_from(const size_t *order, size_t count) {
  tacit_certificate *c;
  assert_int_equal(tacit_certificate_new("test", &c, NULL), TACIT_OK);
  for (size_t i = 0; i < count; i++) {
    tacit_mechanism one = plan.list->mechanisms[order[i]];
    assert_int_equal(tacit_certificate_add(c, &one, NULL), TACIT_OK);
  }
  return c;
}

static void targets_come_in_turn_or_one_after_the_other(void **state) {
  (void)state;
  static const size_t turns[] = {0, 3, 1, 4, 2, 5}, after[] = {0, 1, 2, 3, 4, 5},
                      other[] = {3, 0, 1, 4, 2, 5};
  for (size_t t = 0; t < 2; t++)
    assert_int_equal(tacit_plan_growing(&plan, scores(t), 3, 1.2, 1, NULL), TACIT_OK);
  tacit_certificate *in_turn = listed_from(turns, 6), *one_by_one = listed_from(after, 6),
                    *neither = listed_from(other, 6);
  for (int way = 0; way < 2; way++) {
    plan.in_turn = way;
    assert_int_equal(tacit_plan_is_listed(&plan, in_turn), way == 1);
    assert_int_equal(tacit_plan_is_listed(&plan, one_by_one), way == 0);
    assert_false(tacit_plan_is_listed(&plan, neither));
  }
  tacit_certificate_free(in_turn);
  tacit_certificate_free(one_by_one);
  tacit_certificate_free(neither);
}

/* One field of one item at a time. */
static void spoil(tacit_certificate *c, int how) {
  tacit_mechanism *m = &c->mechanisms[how % 2];
  switch (how / 2) {
  case 0:
    m->sigma *= 1 - 1e-9;
    break;
  case 1:
    m->sigma *= 1 + 1e-9;
    break;
  case 2:
    m->sigma = -m->sigma;
    break;
  case 3:
    m->clip = nextafter(m->clip, 2);
    break;
  case 4:
    m->count++, c->releases++;
    break;
  case 5:
    m->count++; /* the sum of all is left as it was */
    break;
  case 6:
    m->kind = TACIT_RELEASE_ROWS;
    break;
  case 7:
    m->level = -0.0;
    break;
  case 8:
    m->sensitivity -= 1;
    break;
  case 9:
    m->bits--;
    break;
  case 10:
    m->dimension++;
    break;
  case 11:
    m->target = TACIT_ALL_TARGETS;
    break;
  case 12:
    m->sample = TACIT_SAMPLE_POISSON;
    break;
  case 13:
    m->rate = 0.5;
    break;
  case 14:
    m->lambda = 1;
    break;
  case 15:
    m->smoothness = 1;
    break;
  case 16:
    c->mechanism_count--, c->releases -= c->mechanisms[c->mechanism_count].count;
    break;
  case 17:
    assert_int_equal(
        tacit_certificate_add(c, &(tacit_mechanism){.kind = TACIT_RELEASE_ROWS, .count = 1}, NULL), TACIT_OK);
  }
}

static void a_list_that_differs_is_another(void **state) {
  (void)state;
  static const size_t order[] = {0, 1}, swapped[] = {1, 0};
  enum { WAYS = 18 };
  share(scores(0), 0.5, 2);
  share(count_of(0), 0.25, 2);
  for (int how = -1; how < 2 * WAYS; how++) {
    tacit_certificate *c = listed_from(order, 2);
    if (how >= 0) spoil(c, how);
    if (tacit_plan_is_listed(&plan, c) != (how < 0)) fail_msg("change %d of item %d", how / 2, how % 2);
    tacit_certificate_free(c);
  }
  tacit_certificate *c = listed_from(swapped, 2);
  assert_false(tacit_plan_is_listed(&plan, c));
  tacit_certificate_free(c);
  c = listed_from(order, 2); /* another system's last digit */
  c->mechanisms[0].sigma = nextafter(c->mechanisms[0].sigma, 0);
  assert_true(tacit_plan_is_listed(&plan, c));
  tacit_certificate_free(c);
}

/* What was released stays as it was, to the last digit; of the last kind some may be left. */
static void a_plan_goes_on_from_what_was_released(void **state) {
  (void)state;
  static const size_t order[] = {0, 1};
  share(scores(0), 0.5, 2);
  share(count_of(0), 0.25, 2);
  for (int how = 0; how < 4; how++) {
    tacit_certificate *made = listed_from(order, 2);
    if (how == 1) made->mechanisms[1].count = 1;
    if (how == 2) made->mechanisms[0].count = 1;
    if (how == 3) made->mechanisms[0].sigma = nextafter(made->mechanisms[0].sigma, 0);
    assert_int_equal(tacit_plan_continues(&plan, made, NULL), how < 2 ? TACIT_OK : TACIT_INTERNAL);
    tacit_certificate_free(made);
  }
}

int main(void) {
#define PLANNED(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
  const struct CMUnitTest tests[] = {
      PLANNED(a_share_buys_its_part_of_mu),       PLANNED(growing_shares_grow),
      PLANNED(what_no_noise_can_hold_is_refused), PLANNED(releases_are_taken_in_their_order),
      PLANNED(an_end_can_be_planned_anew),        PLANNED(targets_come_in_turn_or_one_after_the_other),
      PLANNED(a_list_that_differs_is_another),    PLANNED(a_plan_goes_on_from_what_was_released),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
