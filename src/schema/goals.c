/* A schema with a target for each goal. */
#include "schema/goals.h"

#include "base/base.h"
#include "schema/tiers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool tacit_goals_several(const tacit_schema *schema) {
  return schema->target_count > 1 && schema->targets[1].column == schema->targets[0].column;
}

tacit_status tacit_goals_check(const tacit_schema *schema, const double *quantiles, size_t count,
                               tacit_error *error) {
  if (schema->target_count == 1 && count > TACIT_QUANTILES_MAX)
    return tacit_fail(error, TACIT_USAGE, "at most %d quantiles of a target can be learned at once",
                      TACIT_QUANTILES_MAX);
  if (count != schema->target_count)
    return tacit_fail(error, TACIT_USAGE, "the schema has %zu targets, but %zu quantiles were given",
                      schema->target_count, count);
  for (size_t t = 0; t < count; t++)
    if (!(quantiles[t] > 0 && quantiles[t] < 1))
      return tacit_fail(error, TACIT_USAGE, "a quantile must be above 0 and below 1");
  for (size_t t = 0; t < count; t++) {
    const tacit_tiers *tiers = schema->targets[t].tiers;
    if (tiers &&
        (tacit_goals_several(schema) || quantiles[t] != tiers->underage / (tiers->underage + tiers->overage)))
      return tacit_fail(error, TACIT_USAGE,
                        "the schema says what \"%.60s\" costs, in tiers: leave out other costs and quantiles",
                        schema->targets[t].name);
  }
  for (size_t t = 1; tacit_goals_several(schema) && t < count; t++)
    if (!(quantiles[t] > quantiles[t - 1]))
      return tacit_fail(error, TACIT_USAGE, "several quantiles of a target must be different and ascending");
  return TACIT_OK;
}

/* The target's name and the quantile, in as few digits as give it back. */
static char *name_of(const char *target, double quantile) {
  char number[32];
  size_t room = strlen(target) + sizeof number + 1;
  char *name = tacit_alloc(room, 1);
  for (int digits = 1; digits <= 17; digits++) {
    snprintf(number, sizeof number, "%.*g", digits, quantile);
    if (strtod(number, NULL) == quantile) break;
  }
  if (name) snprintf(name, room, "%s@%s", target, number);
  return name;
}

tacit_status tacit_goals_open(const tacit_schema *schema, const double *quantiles, size_t count,
                              tacit_goals *goals, tacit_error *error) {
  *goals = (tacit_goals){.schema = *schema};
  if (schema->target_count != 1 || count < 2 || count > TACIT_QUANTILES_MAX) return TACIT_OK;
  goals->targets = tacit_alloc(count, sizeof *goals->targets);
  if (!goals->targets) return tacit_no_memory(error);
  goals->schema.targets = goals->targets;
  goals->schema.target_count = count;
  bool made = true;
  for (size_t t = 0; t < count; t++) {
    goals->targets[t] = schema->targets[0];
    goals->targets[t].name = name_of(schema->targets[0].name, quantiles[t]);
    made &= goals->targets[t].name != NULL;
  }
  if (made) return TACIT_OK;
  tacit_goals_close(goals);
  return tacit_no_memory(error);
}

void tacit_goals_close(tacit_goals *goals) {
  for (size_t t = 0; goals->targets && t < goals->schema.target_count; t++) free(goals->targets[t].name);
  free(goals->targets);
  *goals = (tacit_goals){0};
}
