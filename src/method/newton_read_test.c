/* Which lists are read as a Newton learner's: those where targets shared nothing once existed, for several
   quantiles of one target there are none. */
#include "method/newton_plan.h"
#include "schema/goals.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define FEATURES "\"features\": [{\"name\": \"x\", \"min\": 0, \"max\": 1}]}"
static const char ONE[] = "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 1}, " FEATURES;
static const char TWO[] =
    "{\"target\": [{\"name\": \"y\", \"min\": 0, \"max\": 1}, {\"name\": \"z\", \"min\": 0, "
    "\"max\": 1}], " FEATURES;
static const double TAUS[] = {0.1, 0.9};

/* A way that the releases can have led to. */
static void find_way(const tacit_facts *facts, tacit_choice *choice) {
  for (size_t g = 0; g < facts->schema->target_count; g++) {
    tacit_recipe recipe;
    tacit_newton_recipe(facts, choice, g, &recipe);
    choice->radius[g] = recipe.largest_clip;
    choice->clip[g] = recipe.clip_part * sqrt((double)recipe.d);
    choice->way[g] = TACIT_WAY_NEAR;
  }
}

/* What a list is of: goals that share or ones that do not, the moment's grid or an older one, as many steps
   as today or as once. */
typedef struct kind {
  bool alone;
  int reach;
  double mu; /* 0: 1 */
  tacit_steps_rule rule;
  double rows;        /* 0: 3000 */
  const double *taus; /* NULL: TAUS */
} kind;

/* Whether it is read and planned again; how many releases it has. */
static bool is_read_of(const char *text, kind of, size_t *releases) {
  tacit_schema *schema;
  tacit_goals goals;
  tacit_choice choice, again;
  tacit_release_plan plan, replanned;
  assert_int_equal(tacit_schema_parse(text, strlen(text), &schema, NULL), TACIT_OK);
  const double *taus = of.taus ? of.taus : TAUS;
  assert_int_equal(tacit_goals_open(schema, taus, 2, &goals, NULL), TACIT_OK);
  const tacit_facts facts = {.schema = &goals.schema,
                             .quantiles = taus,
                             .rows = of.rows > 0 ? of.rows : 3000,
                             .mu = of.mu > 0 ? of.mu : 1};
  assert_int_equal(tacit_choice_open(&choice, &facts, NULL), TACIT_OK);
  assert_int_equal(tacit_choice_open(&again, &facts, NULL), TACIT_OK);
  assert_int_equal(tacit_newton_choose(&facts, true, &choice, NULL), TACIT_OK);
  choice.alone = of.alone;
  choice.rule = of.rule;
  choice.white_bits = TACIT_WHITE_BITS;
  if (of.reach) choice.moment_reach = of.reach;
  find_way(&facts, &choice);
  assert_int_equal(tacit_plan_open(&plan, &facts, NULL), TACIT_OK);
  assert_int_equal(tacit_plan_open(&replanned, &facts, NULL), TACIT_OK);
  assert_int_equal(tacit_newton_plan_all(&facts, &choice, &plan, NULL), TACIT_OK);
  assert_int_equal(tacit_plan_check(&plan, NULL), TACIT_OK);
  bool read = tacit_newton_read_list(&facts, plan.list, true, &again) &&
              tacit_newton_plan_all(&facts, &again, &replanned, NULL) == TACIT_OK &&
              tacit_plan_is_listed(&replanned, plan.list);
  *releases = plan.list->mechanism_count;
  tacit_plan_close(&replanned);
  tacit_plan_close(&plan);
  tacit_choice_close(&again);
  tacit_choice_close(&choice);
  tacit_goals_close(&goals);
  tacit_schema_free(schema);
  return read;
}

static bool is_read_with(const char *text, bool alone, int reach) {
  size_t releases;
  return is_read_of(text, (kind){.alone = alone, .reach = reach}, &releases);
}

static bool is_read(const char *text, bool alone) {
  return is_read_with(text, alone, 0);
}

/* From some features on the moment has a coarser grid than it once had: both are read, a third is not. */
static void wide_tables_have_two_grids(void **state) {
  (void)state;
  char text[20000] = "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 1}, \"features\": [";
  for (int j = 0; j < TACIT_WIDE_FEATURES; j++)
    snprintf(text + strlen(text), sizeof text - strlen(text), "%s{\"name\": \"x%d\", \"min\": 0, \"max\": 1}",
             j ? ", " : "", j);
  strcat(text, "]}");
  assert_true(is_read(text, false));
  assert_true(is_read_with(text, false, TACIT_MOMENT_REACH));
  assert_false(is_read_with(text, false, TACIT_WIDE_REACH + 1));
  assert_true(is_read_with(ONE, false, TACIT_MOMENT_REACH));
  assert_false(is_read_with(ONE, false, TACIT_WIDE_REACH));
}

static void quantiles_of_a_target_share(void **state) {
  (void)state;
  assert_true(is_read(TWO, false));
  assert_true(is_read(TWO, true));
  assert_true(is_read(ONE, false));
  assert_false(is_read(ONE, true));
}

static const char LEVELS[] = "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 1}, "
                             "\"features\": [{\"name\": \"c\", \"levels\": [\"0\", \"1\", \"2\"]}]}";

/* How many releases a list that is read has more than one of eight steps for each of two goals; each step has
   two. */
static size_t more_than_eight(kind of) {
  size_t now, older;
  assert_true(is_read_of(LEVELS, of, &now));
  of.rule = TACIT_STEPS_EIGHT;
  assert_true(is_read_of(LEVELS, of, &older));
  return (now - older) / 2;
}

/* With levels and little noise there are sixteen steps for each goal; lists of eight are read as well. */
static void older_lists_have_eight_steps(void **state) {
  (void)state;
  assert_int_equal(more_than_eight((kind){.mu = 20}), 2 * (TACIT_SCALED_MORE - TACIT_SCALED_STEPS));
  assert_int_equal(more_than_eight((kind){.mu = 1}), 0);
}

/* With few rows beyond the quantile there are more of them, by goal; lists of sixteen are read as well. */
static void thin_tails_have_more_steps(void **state) {
  (void)state;
  const int eight = TACIT_SCALED_STEPS;
  const double unequal[] = {0.9, 0.99};
  assert_int_equal(more_than_eight((kind){.mu = 20, .rows = 600}), 2 * (TACIT_SCALED_MOST - eight));
  assert_int_equal(more_than_eight((kind){.mu = 3, .rows = 600}), 2 * (TACIT_SCALED_MANY - eight));
  assert_int_equal(more_than_eight((kind){.mu = 20, .rows = 600, .rule = TACIT_STEPS_SIXTEEN}),
                   2 * (TACIT_SCALED_MORE - eight));
  assert_int_equal(more_than_eight((kind){.mu = 3, .rows = 600, .rule = TACIT_STEPS_SIXTEEN}), 0);
  assert_int_equal(more_than_eight((kind){.mu = 20, .taus = unequal}),
                   TACIT_SCALED_MORE + TACIT_SCALED_MOST - 2 * eight);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(quantiles_of_a_target_share), cmocka_unit_test(wide_tables_have_two_grids),
      cmocka_unit_test(older_lists_have_eight_steps), cmocka_unit_test(thin_tails_have_more_steps)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
