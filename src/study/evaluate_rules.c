/* Rules without privacy that a policy is compared with. */
#include "base/base.h"
#include "erm/erm.h"
#include "study/evaluate.h"

#include <math.h>
#include <stdlib.h>

static bool learn_linear(const tacit_schema *schema, const tacit_goal *goals, const tacit_sample *sample,
                         double *rule, const tacit_context *context) {
  if (sample->rows < sample->columns) return false;
  for (size_t g = 0; g < schema->target_count; g++)
    if (tacit_erm_exact(sample, schema->targets[g].column, goals[g].quantile, rule + g * sample->columns,
                        context, NULL) != TACIT_OK)
      return false;
  return true;
}

tacit_status tacit_plain_rules_learn(const tacit_schema *schema, const tacit_goal *goals,
                                     const tacit_sample *sample, const tacit_context *context,
                                     tacit_plain_rules *rules, tacit_error *error) {
  size_t targets = schema->target_count, p = schema->columns;
  *rules = (tacit_plain_rules){0};
  if (sample->rows == 0) return TACIT_OK;
  rules->flat = tacit_alloc(targets * p, sizeof *rules->flat);
  rules->linear = tacit_alloc(targets * p, sizeof *rules->linear);
  if (!rules->flat || !rules->linear) return tacit_no_memory(error);
  for (size_t t = 0; t < targets; t++)
    TACIT_TRY(tacit_saa(sample, schema->targets[t].column, goals[t].quantile, rules->flat + t * p, error));
  if (learn_linear(schema, goals, sample, rules->linear, context)) return TACIT_OK;
  free(rules->linear);
  rules->linear = NULL;
  return TACIT_OK;
}

void tacit_plain_rules_close(tacit_plain_rules *rules) {
  free(rules->flat);
  free(rules->linear);
  *rules = (tacit_plain_rules){0};
}

double tacit_plain_order(const tacit_schema *schema, const double *rule, size_t target, const double *x) {
  const tacit_scale *scale = &schema->targets[target].scale;
  double order = 0;
  for (size_t j = 0; j < schema->columns; j++) order += rule[target * schema->columns + j] * x[j];
  return tacit_scale_decode(scale, fmax(-scale->limit, fmin(scale->limit, order)));
}
