/* What a policy costs on a labelled table, beside what other orders would have cost: mean costs, service
   level, fill rate. Demand is what the table says, not what the schema's bounds leave of it. Not private.

   The rules to compare with are learned from other rows, where there are some, and else from the evaluated
   rows themselves, which flatters them and is then said. */
#include "study/evaluate.h"

#include "base/base.h"
#include "data/encoder.h"
#include "data/read.h"
#include "data/tally.h"
#include "loss/check.h"
#include "policy/policy.h"
#include "schema/sold.h"
#include "schema/tiers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows that are kept to learn from: beyond so many numbers there is no comparison in hindsight. */
static const size_t KEPT_MAX = (size_t)1 << 25;

typedef struct evaluating {
  const tacit_policy *policy;
  const tacit_schema *schema; /* with a target for each goal */
  const tacit_context *context;
  tacit_encoder *encoder;
  size_t by;                     /* the column of the groups, or TACIT_NO_COLUMN */
  const tacit_feature *by_level; /* the feature of levels that reads it; NULL: none does */
  /* By target, what says that a day sold out: of column TACIT_NO_COLUMN where nothing does. */
  tacit_input *sold;
  tacit_groups groups;
  tacit_evaluated *out;
  size_t capacity; /* of out->by */
  tacit_plain_rules rules;
  tacit_sample *kept; /* in hindsight: y, and with it demand, the last demand and the group; else NULL */
  double *last;       /* of each target, of each group: NaN before the first */
  size_t last_capacity;
  double *row; /* x, y, demand, last demand, group: as kept has it */
} evaluating;

/* What a unit short and a unit over cost: with only a quantile, tau and 1 - tau. */
static tacit_goal unit_costs(const tacit_goal *goal) {
  if (goal->underage > 0) return *goal;
  return (tacit_goal){.quantile = goal->quantile, .underage = goal->quantile, .overage = 1 - goal->quantile};
}

static double cost_of(const tacit_goal *goal, const tacit_tiers *tiers, double demand, double order) {
  const tacit_goal unit = unit_costs(goal);
  if (tiers) return tacit_tiers_cost(tiers, demand - order);
  return unit.underage * fmax(demand - order, 0) + unit.overage * fmax(order - demand, 0);
}

static void add_row(const tacit_goal *goal, const tacit_tiers *tiers, double demand, double order,
                    tacit_evaluation *sum) {
  double short_by = fmax(demand - order, 0), over_by = fmax(order - demand, 0);
  sum->rows++;
  sum->mean_underage_cost += cost_of(goal, tiers, short_by, 0);
  sum->mean_overage_cost += cost_of(goal, tiers, 0, over_by);
  sum->mean_order += order;
  sum->mean_shortage += short_by;
  sum->mean_leftover += over_by;
  sum->service_level += demand <= order;
  sum->mean_pinball += tacit_check_loss(goal->quantile, demand - order);
  sum->mean_demand += fmax(demand, 0);
  sum->fill_rate += fmax(fmin(demand, order), 0); /* what was met, until it is divided by all of it */
}

static void finish(tacit_evaluation *sum, const tacit_plain_rules *rules) {
  double rows = (double)sum->rows;
  sum->fill_rate = sum->mean_demand > 0 ? sum->fill_rate / sum->mean_demand : (double)NAN;
  sum->mean_underage_cost /= rows;
  sum->mean_overage_cost /= rows;
  sum->mean_cost = sum->mean_underage_cost + sum->mean_overage_cost;
  sum->mean_order /= rows;
  sum->mean_shortage /= rows;
  sum->mean_leftover /= rows;
  sum->mean_demand /= rows;
  sum->service_level /= rows;
  sum->mean_pinball /= rows;
  sum->cost_without_features = rules->flat ? sum->cost_without_features / rows : (double)NAN;
  sum->cost_without_privacy = rules->linear ? sum->cost_without_privacy / rows : (double)NAN;
  sum->cost_of_last = sum->rows_with_last ? sum->cost_of_last / (double)sum->rows_with_last : (double)NAN;
}

/* What the rules to compare with cost on a row. */
static void compare(const evaluating *e, size_t t, const double *x, double demand, tacit_evaluation *sum) {
  const tacit_goal *goal = &e->policy->goals[t];
  const tacit_tiers *tiers = e->schema->targets[t].tiers;
  if (e->rules.flat)
    sum->cost_without_features +=
        cost_of(goal, tiers, demand, tacit_plain_order(e->schema, e->rules.flat, t, x));
  if (e->rules.linear)
    sum->cost_without_privacy +=
        cost_of(goal, tiers, demand, tacit_plain_order(e->schema, e->rules.linear, t, x));
}

/* A listed level is one group, in whatever case it is written. */
static tacit_cell group_cell(const evaluating *e) {
  tacit_cell cell = e->encoder->cells[e->by];
  size_t level;
  if (!e->by_level || !cell.text || !cell.length ||
      !tacit_feature_find_level(e->by_level, cell.text, cell.length, &level))
    return cell;
  cell.text = e->by_level->levels[level];
  cell.length = strlen(cell.text);
  return cell;
}

static tacit_status find_groups(evaluating *e, const tacit_source *source, const char *by,
                                tacit_error *error) {
  TACIT_TRY(tacit_source_find(source, by, &e->by, error));
  for (size_t f = 0; f < e->schema->feature_count; f++) {
    const tacit_feature *feature = &e->schema->features[f];
    bool listed = tacit_feature_reads(feature) == TACIT_READS_LEVEL && feature->level_order;
    if (listed && !strcmp(feature->name, by)) e->by_level = feature;
  }
  return TACIT_OK;
}

static tacit_status group_of(evaluating *e, size_t *group, tacit_error *error) {
  size_t targets = e->schema->target_count;
  *group = 0;
  if (e->by != TACIT_NO_COLUMN) {
    const tacit_cell cell = group_cell(e);
    TACIT_TRY(tacit_groups_find(&e->groups, &cell, group, error));
  }
  size_t before = e->last_capacity, needed = (*group + 1) * targets;
  double *grown = tacit_grow(e->last, &e->last_capacity, needed, sizeof *grown);
  if (!grown) return tacit_no_memory(error);
  e->last = grown;
  for (size_t i = before; i < e->last_capacity; i++) grown[i] = NAN;
  if (e->by == TACIT_NO_COLUMN) return TACIT_OK;
  before = e->capacity;
  tacit_evaluation *by = tacit_grow(e->out->by, &e->capacity, needed, sizeof *by);
  if (!by) return tacit_no_memory(error);
  e->out->by = by;
  memset(by + before, 0, (e->capacity - before) * sizeof *by);
  return TACIT_OK;
}

/* A target of the record as the table has it, or what the schema says of a missing one. */
static double demand_of(const evaluating *e, size_t t) {
  double now = e->encoder->now[e->schema->targets[t].column];
  return isnan(now) ? e->schema->targets[t].missing : now;
}

/* The column that says what sold out, where this table has it: a policy's order needs it not. */
static tacit_status find_sold(evaluating *e, const tacit_source *source, tacit_error *error) {
  e->sold = tacit_alloc(e->schema->target_count, sizeof *e->sold);
  if (!e->sold) return tacit_no_memory(error);
  for (size_t t = 0; t < e->schema->target_count; t++) {
    const tacit_target *target = &e->schema->targets[t];
    e->sold[t] = (tacit_input){.column = TACIT_NO_COLUMN,
                               .reading = target->sold_by_stock ? TACIT_READS_NUMBER : TACIT_READS_FLAG,
                               .format = target->sold_words};
    if (!target->sold_column) continue;
    if (tacit_source_find(source, target->sold_column, &e->sold[t].column, NULL) != TACIT_OK)
      e->sold[t].column = TACIT_NO_COLUMN;
  }
  return TACIT_OK;
}

/* Of a day that sold out demand was more than what is scored: whether an order above that covers it, nobody
   knows. */
static void count_sold(const evaluating *e, size_t t, double order, tacit_evaluation *sum) {
  const tacit_target *target = &e->schema->targets[t];
  double sales = e->encoder->now[target->column], cell;
  sum->sold_out_told = e->sold[t].column != TACIT_NO_COLUMN;
  if (!sum->sold_out_told) return;
  if (tacit_encoder_read(e->encoder, &e->sold[t], &cell) != TACIT_NUMBER) cell = NAN;
  bool sold = tacit_sold_says(target, sales, tacit_sold_told(target, cell));
  sum->sold_out += sold;
  sum->sold_out_covered += sold && sales <= order;
}

/* Rivals that learned what was sold are none for who learns demand. */
static void leave_out_rivals(const evaluating *e, size_t t, tacit_evaluation *sum) {
  if (!e->schema->targets[t].sold_column) return;
  sum->cost_without_features = sum->cost_without_privacy = sum->cost_of_last = NAN;
}

static void score(const evaluating *e, size_t t, double demand, double last, tacit_evaluation *sum) {
  const tacit_tiers *tiers = e->schema->targets[t].tiers;
  double order = tacit_policy_decide(e->policy, t, e->row);
  add_row(&e->policy->goals[t], tiers, demand, order, sum);
  count_sold(e, t, order, sum);
  sum->beyond += tacit_tally_beyond(&e->schema->targets[t].scale, demand);
  compare(e, t, e->row, demand, sum);
  if (isnan(last)) return;
  sum->rows_with_last++;
  sum->cost_of_last += cost_of(&e->policy->goals[t], tiers, demand, last);
}

static tacit_status score_row(evaluating *e, size_t group, tacit_error *error) {
  size_t targets = e->schema->target_count;
  double *y = e->row + e->schema->columns, *demand = y + targets, *last = demand + targets;
  for (size_t t = 0; t < targets; t++) {
    demand[t] = demand_of(e, t);
    last[t] = e->last[group * targets + t];
    score(e, t, demand[t], last[t], &e->out->all[t]);
    if (e->out->by) score(e, t, demand[t], last[t], &e->out->by[group * targets + t]);
  }
  last[targets] = (double)group;
  if (!e->kept) return TACIT_OK;
  if (e->kept->rows * (e->kept->columns + e->kept->targets) < KEPT_MAX)
    return tacit_sample_add(e->kept, e->row, y, error);
  tacit_sample_free(e->kept);
  e->kept = NULL;
  return TACIT_OK;
}

static tacit_status read_rows(evaluating *e, tacit_error *error) {
  size_t targets = e->schema->target_count, group;
  double *y = e->row + e->schema->columns;
  bool ready, more;
  for (size_t record = 0;; record++) {
    if (record % 4096 == 0) TACIT_TRY(tacit_progress(e->context, "evaluating", 0, error));
    TACIT_TRY(tacit_encoder_next(e->encoder, e->row, y, &ready, &more, error));
    if (!more) break;
    for (size_t t = targets; t-- > 0;) y[t] = y[e->schema->targets[t].column];
    TACIT_TRY(group_of(e, &group, error));
    if (ready) TACIT_TRY(score_row(e, group, error));
    e->out->dropped += !ready;
    /* the last sum over periods ahead is not known when the next row is decided */
    for (size_t t = 0; t < targets; t++)
      e->last[group * targets + t] = e->schema->targets[t].sum_of_next > 1 ? (double)NAN : demand_of(e, t);
  }
  return e->out->all[0].rows ? TACIT_OK : tacit_fail(error, TACIT_BAD_INPUT, "there are no rows to evaluate");
}

/* In hindsight: learned from the rows that were evaluated, and then scored on them. */
static tacit_status compare_in_hindsight(evaluating *e, tacit_error *error) {
  size_t targets = e->schema->target_count, p = e->schema->columns;
  if (!e->kept) return TACIT_OK;
  TACIT_TRY(tacit_sample_finish(e->kept, error));
  TACIT_TRY(tacit_plain_rules_learn(e->schema, e->policy->goals, e->kept, e->context, &e->rules, error));
  size_t n = e->kept->rows;
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < p; j++) e->row[j] = e->kept->x[j * n + i];
    size_t group = (size_t)e->kept->y[3 * targets * n + i];
    for (size_t t = 0; t < targets; t++) {
      double demand = e->kept->y[(targets + t) * n + i];
      compare(e, t, e->row, demand, &e->out->all[t]);
      if (e->out->by) compare(e, t, e->row, demand, &e->out->by[group * targets + t]);
    }
  }
  return TACIT_OK;
}

static tacit_status learn_from(evaluating *e, tacit_source *train, tacit_error *error) {
  tacit_sample *sample = NULL;
  tacit_read_counts counts;
  tacit_error own = {""};
  train->reader.settled = true;
  tacit_status status = tacit_read_sample(train, e->policy->schema, &sample, &counts, e->context, &own);
  if (status != TACIT_OK)
    return tacit_fail(error, status, "the table to learn comparisons from: %.440s", own.text);
  status = tacit_plain_rules_learn(e->schema, e->policy->goals, sample, e->context, &e->rules, error);
  tacit_sample_free(sample);
  return status;
}

static tacit_status evaluate(evaluating *e, tacit_source *source, const tacit_evaluate_options *o,
                             tacit_error *error) {
  size_t targets = e->schema->target_count;
  e->out->targets = targets;
  e->out->hindsight = !o->train;
  e->out->all = tacit_alloc(targets, sizeof *e->out->all);
  if (!e->out->all) return tacit_no_memory(error);
  source->reader.settled = true;
  TACIT_TRY(tacit_encoder_new(source, e->policy->schema, true, &e->encoder, error));
  if (o->by) TACIT_TRY(find_groups(e, source, o->by, error));
  TACIT_TRY(find_sold(e, source, error));
  if (o->train)
    TACIT_TRY(learn_from(e, o->train, error));
  else
    TACIT_TRY(tacit_sample_new(e->schema->columns, 3 * targets + 1, &e->kept, error));
  TACIT_TRY(read_rows(e, error));
  TACIT_TRY(compare_in_hindsight(e, error));
  for (size_t t = 0; t < targets; t++) finish(&e->out->all[t], &e->rules);
  for (size_t i = 0; i < e->groups.count * targets; i++)
    if (e->out->by[i].rows) finish(&e->out->by[i], &e->rules);
  for (size_t t = 0; t < targets; t++) leave_out_rivals(e, t, &e->out->all[t]);
  for (size_t i = 0; i < e->groups.count * targets; i++) leave_out_rivals(e, i % targets, &e->out->by[i]);
  e->out->groups = e->groups.count;
  e->out->names = e->groups.names; /* handed over */
  e->groups.names = NULL;
  e->groups.count = 0;
  return tacit_groups_sort(e->out, error);
}

tacit_status tacit_evaluate(const tacit_policy *policy, tacit_source *source,
                            const tacit_evaluate_options *options, const tacit_context *context,
                            tacit_evaluated **result, tacit_error *error) {
  static const tacit_evaluate_options NONE = {NULL, NULL};
  *result = NULL;
  if (policy->region)
    return tacit_fail(error, TACIT_USAGE, "this policy decides over a region: use tacit spo evaluate");
  size_t width = policy->schema->columns + 3 * tacit_policy_goal_count(policy) + 1;
  evaluating e = {.policy = policy,
                  .schema = &policy->by_goal.schema,
                  .context = context,
                  .by = TACIT_NO_COLUMN,
                  .out = tacit_alloc(1, sizeof *e.out),
                  .row = tacit_alloc(width, sizeof *e.row)};
  tacit_status status =
      e.out && e.row ? evaluate(&e, source, options ? options : &NONE, error) : tacit_no_memory(error);
  tacit_encoder_free(e.encoder);
  tacit_groups_close(&e.groups);
  tacit_plain_rules_close(&e.rules);
  tacit_sample_free(e.kept);
  free(e.sold);
  tacit_free_wiped(e.last, e.last_capacity * sizeof *e.last);
  tacit_free_wiped(e.row, e.row ? width * sizeof *e.row : 0);
  if (status == TACIT_OK)
    *result = e.out;
  else
    tacit_evaluated_free(e.out);
  return status;
}

void tacit_evaluated_free(tacit_evaluated *result) {
  if (!result) return;
  for (size_t g = 0; g < result->groups; g++) tacit_free_wiped(result->names[g], strlen(result->names[g]));
  free(result->names);
  free(result->by);
  free(result->all);
  free(result);
}
