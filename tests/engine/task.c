/* What an engine's test learns. */
#include "engine/task.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* last: it needs the others */
#include <cmocka.h>

static tacit_status pay(void *user, const tacit_cost *cost, tacit_error *error) {
  (void)cost, (void)error;
  ++*(int *)user;
  return TACIT_OK;
}

static tacit_status estimate(const task *t, const tacit_schema *schema, tacit_source *source, char **text,
                             int *paid, tacit_error *error) {
  const double rule[] = {3, 0.5, 0.2}, spread[] = {-0.3, 0.2, 0.1, 0.8}, costs[] = {3, 1};
  tacit_estimate result;
  const tacit_estimate_options options = {.coefficients = rule,
                                          .spread = t->spread ? spread : NULL,
                                          .underage = costs,
                                          .overage = costs + 1,
                                          .mu = 1,
                                          .adjacency = t->add_remove ? TACIT_ADD_REMOVE : TACIT_REPLACE_ONE,
                                          .nominal_rows = t->add_remove ? ROWS : 0,
                                          .spend = pay,
                                          .spend_user = paid,
                                          .seeded = true,
                                          .seed = 3};
  tacit_status status = tacit_estimate_cost(schema, source, &options, NULL, &result, error);
  if (status) return status;
  *text = malloc(200);
  snprintf(*text, 200, "%a %a %a %a %a\n", result.cost.value, result.standard_error, result.rows,
           result.bound, result.cut.value);
  return TACIT_OK;
}

/* An option that the method may not have. */
static void set_steps(tacit_learn_options *options, size_t steps) {
  if (steps)
    assert_int_equal(tacit_learn_options_set_number(options, "steps", (double)steps, NULL), TACIT_OK);
}

static tacit_status learn_task(const task *t, const tacit_schema *schema, const tacit_region *region,
                               tacit_source *source, char **text, int *paid, tacit_error *error) {
  const double quantiles[] = {t->high ? 0.9 : 0.7, t->high ? 0.7 : 0.9};
  const tacit_goal goals[] = {{.quantile = quantiles[0]}, {.quantile = quantiles[1]}};
  tacit_learn_options options;
  tacit_fit *fit;
  tacit_policy *policy;
  tacit_learn_options_init(&options);
  options.method = t->method;
  options.region = region;
  const tacit_method *method = tacit_method_find(t->method, region != NULL);
  bool pair = method && tacit_method_promise(method) == TACIT_PROMISE_PAIR;
  set_steps(&options, t->steps);
  if (t->start) assert_int_equal(tacit_learn_options_set_word(&options, "start", t->start, NULL), TACIT_OK);
  options.quantiles = quantiles;
  options.quantile_count = region ? 0 : tacit_schema_targets(schema);
  options.mu = pair ? 0 : 1;
  options.epsilon = pair ? 2 : 0;
  options.delta = pair ? 1e-5 : 0;
  options.adjacency = t->add_remove ? TACIT_ADD_REMOVE : TACIT_REPLACE_ONE;
  options.nominal_rows = t->add_remove ? ROWS : 0;
  options.seeded = true;
  options.spend = pay;
  options.spend_user = paid;
  tacit_status status = tacit_learn(schema, source, &options, NULL, &fit, error);
  if (status) return status;
  status = tacit_policy_from_fit(schema, region, fit, goals, &policy, error);
  assert_int_equal(status, TACIT_OK);
  *text = tacit_policy_text(policy);
  tacit_policy_free(policy);
  tacit_fit_free(fit);
  return TACIT_OK;
}

tacit_status learn(const task *t, const tacit_schema *schema, tacit_source *source, char **text, int *paid,
                   tacit_error *error) {
  tacit_region *region = NULL;
  *text = NULL;
  *paid = 0;
  if (t->estimate) return estimate(t, schema, source, text, paid, error);
  if (t->region) assert_int_equal(tacit_region_parse(t->region, strlen(t->region), &region, NULL), TACIT_OK);
  tacit_status status = learn_task(t, schema, region, source, text, paid, error);
  tacit_region_free(region);
  return status;
}
