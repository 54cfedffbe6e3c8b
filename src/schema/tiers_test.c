/* Costs in tiers: what is read and refused, the cost of an amount, and that the kinks which learners see are
   the cost's own slope. */
#include "schema/tiers.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static tacit_status read(const char *cost, tacit_schema **schema, tacit_error *error) {
  char text[1024];
  snprintf(text, sizeof text,
           "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 200, \"cost\": %s}, \"features\": []}", cost);
  return tacit_schema_parse(text, strlen(text), schema, error);
}

static const char CONTRACT[] =
    "{\"shortage\": [{\"below\": 5, \"rate\": 30}, {\"below\": 20, \"rate\": 45}, "
    "{\"rate\": 60}], \"leftover\": [{\"below\": 10, \"rate\": 8}, {\"rate\": 20}]}";

static void amounts_cost_what_the_tiers_say(void **state) {
  (void)state;
  tacit_schema *schema;
  double under, over;
  assert_int_equal(read(CONTRACT, &schema, NULL), TACIT_OK);
  const tacit_tiers *t = schema->targets[0].tiers;
  const double cases[][2] = {{0, 0},     {3, 90},  {5, 150},  {6, 195},  {20, 825},
                             {25, 1125}, {-4, 32}, {-10, 80}, {-15, 180}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_true(fabs(tacit_tiers_cost(t, cases[i][0]) - cases[i][1]) < 1e-12);
  assert_true(tacit_schema_target_costs(schema, 0, &under, &over));
  assert_true(under == 60 && over == 20);
  tacit_schema_free(schema);
}

/* F(r) - tau, times B + H, is the slope of the cost in the order at r = order - demand, to the rounding of
   weights. */
static void kinks_are_the_slope(void **state) {
  (void)state;
  tacit_schema *schema;
  assert_int_equal(read(CONTRACT, &schema, NULL), TACIT_OK);
  const tacit_tiers *t = schema->targets[0].tiers;
  int32_t whole = 0;
  for (size_t k = 0; k < t->kinks; k++) whole += t->weight[k];
  assert_int_equal(whole, 1 << TACIT_KINK_BITS);
  for (double r = -60.5; r < 60; r += 1) {
    double f = 0, slope = (tacit_tiers_cost(t, -r - 1e-3) - tacit_tiers_cost(t, -r + 1e-3)) / 2e-3;
    for (size_t k = 0; k < t->kinks; k++)
      f += r / 100 > t->shift[k] ? ldexp(t->weight[k], -TACIT_KINK_BITS) : 0; /* half the range is 100 */
    assert_true(fabs(80 * (f - 0.75) - slope) < 80 * 0x1p-15);
  }
  tacit_schema_free(schema);
}

static void what_is_not_convex_or_never_reached_is_refused(void **state) {
  (void)state;
  static const char *const BAD[][2] = {
      {"{\"shortage\": [{\"below\": 5, \"rate\": 30}, {\"rate\": 20}], \"leftover\": [{\"rate\": 1}]}",
       "not convex"},
      {"{\"shortage\": [{\"rate\": 3}], \"leftover\": [{\"below\": 9, \"rate\": 2}, {\"rate\": 1}]}",
       "not convex"},
      {"{\"shortage\": [{\"below\": 5, \"rate\": 3}], \"leftover\": [{\"rate\": 1}]}", "last tier"},
      {"{\"shortage\": [{\"rate\": 3}, {\"rate\": 4}], \"leftover\": [{\"rate\": 1}]}", "last tier"},
      {"{\"shortage\": [{\"below\": 9, \"rate\": 3}, {\"below\": 4, \"rate\": 4}, {\"rate\": 5}], "
       "\"leftover\": "
       "[{\"rate\": 1}]}",
       "further"},
      {"{\"shortage\": [{\"below\": 200, \"rate\": 3}, {\"rate\": 4}], \"leftover\": [{\"rate\": 1}]}",
       "never reached"},
      {"{\"shortage\": [{\"rate\": 3}]}", "leftover"},
      {"{\"shortage\": [], \"leftover\": [{\"rate\": 1}]}", "list"},
      {"{\"shortage\": [{\"rate\": 0}], \"leftover\": [{\"rate\": 1}]}", "rate"},
      {"{\"shortage\": [{\"rate\": 1, \"price\": 2}], \"leftover\": [{\"rate\": 1}]}", "price"},
      {"[{\"rate\": 1}]", "object"}};
  for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
    tacit_schema *schema;
    tacit_error error = {""};
    assert_int_equal(read(BAD[i][0], &schema, &error), TACIT_BAD_INPUT);
    if (!strstr(error.text, BAD[i][1])) fail_msg("%zu: %s", i, error.text);
  }
  static const char LOGARITHM[] = "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 9, \"transform\": "
                                  "\"log\", \"cost\": {\"shortage\": "
                                  "[{\"rate\": 1}], \"leftover\": [{\"rate\": 1}]}}, \"features\": []}";
  static const char SOME[] =
      "{\"target\": [{\"name\": \"y\", \"min\": 0, \"max\": 9}, {\"name\": \"z\", \"min\": 0, "
      "\"max\": 9, \"cost\": {\"shortage\": [{\"rate\": 1}], \"leftover\": [{\"rate\": 1}]}}], "
      "\"features\": []}";
  tacit_schema *schema;
  assert_int_equal(tacit_schema_parse(LOGARITHM, strlen(LOGARITHM), &schema, NULL), TACIT_BAD_INPUT);
  assert_int_equal(tacit_schema_parse(SOME, strlen(SOME), &schema, NULL), TACIT_BAD_INPUT);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(amounts_cost_what_the_tiers_say),
                                     cmocka_unit_test(kinks_are_the_slope),
                                     cmocka_unit_test(what_is_not_convex_or_never_reached_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
