/* The goals of a schema's targets from --underage and --overage, or --quantile. */
#include "cli.h"

#include <string.h>

/* Several quantiles of one target stand in ascending order. */
static int sort_goals(tacit_goal *goals, size_t count) {
  for (size_t i = 1; i < count; i++) {
    tacit_goal goal = goals[i];
    size_t at = i;
    for (; at > 0 && goals[at - 1].quantile > goal.quantile; at--) goals[at] = goals[at - 1];
    goals[at] = goal;
    if (at > 0 && goals[at - 1].quantile == goal.quantile)
      return usage_error("the quantile %.6g is given twice", goal.quantile);
  }
  return -1;
}

int set_goals(const numbers *underage, const numbers *overage, const numbers *quantile, size_t targets,
              goal_list *list) {
  tacit_goal *goals = list->goals;
  bool by_cost = underage->count || overage->count;
  if (by_cost && quantile->count)
    return usage_error("give --underage and --overage, or --quantile, not both");
  if (!by_cost && !quantile->count) return usage_error("give --underage and --overage, or --quantile");
  if (underage->count != overage->count) return usage_error("--underage and --overage go together");
  size_t given = by_cost ? underage->count : quantile->count;
  if (given != 1 && given != targets && targets != 1)
    return usage_error(
        "the schema has %zu targets: give the costs, or the quantile, once, or once for each of "
        "them; several for one target need a schema with that target alone",
        targets);
  if (targets > NUMBERS_MAX) return usage_error("at most %d targets", NUMBERS_MAX);
  list->count = targets == 1 ? given : targets;
  for (size_t t = 0; t < list->count; t++) {
    size_t i = given == 1 ? 0 : t;
    tacit_goal *goal = &goals[t];
    *goal = (tacit_goal){0};
    if (by_cost) {
      goal->underage = underage->value[i];
      goal->overage = overage->value[i];
      if (!(goal->underage > 0 && goal->overage > 0)) return usage_error("costs must be above 0");
      goal->quantile = goal->underage / (goal->underage + goal->overage);
    } else {
      goal->quantile = quantile->value[i];
    }
    if (goal->quantile > 1 && goal->quantile < 100)
      return usage_error("the quantile must be above 0 and below 1; did you mean %.6g?",
                         goal->quantile / 100);
    if (!(goal->quantile > 0 && goal->quantile < 1))
      return usage_error("the quantile must be above 0 and below 1");
  }
  return targets == 1 ? sort_goals(goals, list->count) : -1;
}

int schema_goals(const tacit_schema *schema, bool given, goal_list *list) {
  double underage, overage;
  list->count = 0;
  if (!tacit_schema_target_costs(schema, 0, &underage, &overage)) return -1;
  if (given)
    return usage_error(
        "the schema says what is missing or left over costs: leave out --underage, --overage, --quantile");
  if (tacit_schema_targets(schema) > NUMBERS_MAX) return usage_error("at most %d targets", NUMBERS_MAX);
  for (size_t t = 0; t < tacit_schema_targets(schema); t++, list->count++) {
    tacit_schema_target_costs(schema, t, &underage, &overage);
    list->goals[t] = (tacit_goal){underage / (underage + overage), underage, overage};
  }
  return -1;
}

int set_adjacency(const char *name, tacit_adjacency *adjacency) {
  *adjacency = TACIT_REPLACE_ONE;
  if (!name || !strcmp(name, "replace-one")) return -1;
  if (strcmp(name, "add-remove") != 0) return usage_error("--adjacency is replace-one or add-remove");
  *adjacency = TACIT_ADD_REMOVE;
  return -1;
}
