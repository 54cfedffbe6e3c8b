/* Costs in tiers: read, checked to be convex, and turned into the kinks that learners see. */
#include "schema/tiers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static tacit_status refuse(const tacit_fields *fields, const char *where, const char *what) {
  return tacit_fail(fields->error, TACIT_BAD_INPUT, "the costs of %s, %s: %s", fields->where, where, what);
}

/* One tier. A rate that falls with the amount would make orders jump: no learner here finds the best one. */
static tacit_status parse_tier(const tacit_fields *fields, const json_t *json, const char *where,
                               const tacit_tier *before, tacit_tier *tier) {
  tacit_fields own;
  TACIT_TRY(tacit_fields_open(&own, json, where, "below, rate", fields->error));
  TACIT_TRY(tacit_fields_positive(&own, "rate", &tier->rate));
  tier->below = INFINITY;
  if (tacit_fields_has(&own, "below")) TACIT_TRY(tacit_fields_positive(&own, "below", &tier->below));
  if (before && !(tier->below > before->below))
    return refuse(fields, where, "each tier must reach further (\"below\") than the one before");
  if (before && !(tier->rate >= before->rate))
    return refuse(fields, where,
                  "a rate that falls as the amount grows is not convex, and the cheapest order would not be "
                  "a quantile; give rates that rise, or one rate that is about their mean");
  return TACIT_OK;
}

static tacit_status parse_side(const tacit_fields *fields, const tacit_fields *cost, const char *side,
                               double width, tacit_tier *tiers, size_t *count) {
  const json_t *list = json_object_get(cost->object, side);
  *count = json_array_size(list);
  if (*count < 1 || *count > TACIT_TIERS_MAX)
    return refuse(fields, side,
                  "give a list of 1 to 8 tiers, such as [{\"below\": 5, \"rate\": 30}, {\"rate\": 50}]");
  for (size_t k = 0; k < *count; k++) {
    char where[48];
    snprintf(where, sizeof where, "%s[%zu]", side, k);
    TACIT_TRY(parse_tier(fields, json_array_get(list, k), where, k ? &tiers[k - 1] : NULL, &tiers[k]));
    bool last = k + 1 == *count;
    if (last != !isfinite(tiers[k].below))
      return refuse(fields, where,
                    "the last tier, and no other, is without \"below\": its rate is for all that is left");
    if (!last && !(tiers[k].below < width))
      return refuse(fields, where,
                    "the tier behind it is never reached within the target's bounds; leave that one out");
  }
  return TACIT_OK;
}

/* Steps of the slope, over B + H, on the grid; the step at 0, where both first rates meet, takes what
   rounding leaves. */
static void set_kinks(const tacit_scale *scale, tacit_tiers *t) {
  const double all = t->underage + t->overage, whole = 1 << TACIT_KINK_BITS;
  int32_t left = 1 << TACIT_KINK_BITS;
  size_t zero = t->shortages - 1;
  t->kinks = t->shortages + t->leftovers - 1;
  for (size_t k = 0; k + 1 < t->shortages; k++) {
    size_t at = zero - 1 - k;
    t->shift[at] = -t->shortage[k].below / scale->half;
    t->weight[at] = (int32_t)lrint(whole * ((t->shortage[k + 1].rate - t->shortage[k].rate) / all));
    left -= t->weight[at];
  }
  for (size_t k = 0; k + 1 < t->leftovers; k++) {
    size_t at = zero + 1 + k;
    t->shift[at] = t->leftover[k].below / scale->half;
    t->weight[at] = (int32_t)lrint(whole * ((t->leftover[k + 1].rate - t->leftover[k].rate) / all));
    left -= t->weight[at];
  }
  t->shift[zero] = 0;
  t->weight[zero] = left;
}

tacit_status tacit_tiers_parse(const tacit_fields *fields, tacit_target *target) {
  tacit_fields cost;
  const tacit_scale *scale = &target->scale;
  double width = tacit_scale_width(scale);
  if (!tacit_fields_has(fields, "cost")) return TACIT_OK;
  TACIT_TRY(tacit_fields_open(&cost, json_object_get(fields->object, "cost"), "\"cost\"",
                              "shortage, leftover", fields->error));
  if (scale->log_unit > 0)
    return refuse(fields, "cost",
                  "tiers are amounts, and a target with a logarithm knows none; leave out one of them");
  tacit_tiers *tiers = tacit_alloc(1, sizeof *tiers);
  if (!tiers) return tacit_no_memory(fields->error);
  target->tiers = tiers; /* the schema's, to be freed with it */
  TACIT_TRY(parse_side(fields, &cost, "shortage", width, tiers->shortage, &tiers->shortages));
  TACIT_TRY(parse_side(fields, &cost, "leftover", width, tiers->leftover, &tiers->leftovers));
  tiers->underage = tiers->shortage[tiers->shortages - 1].rate;
  tiers->overage = tiers->leftover[tiers->leftovers - 1].rate;
  set_kinks(scale, tiers);
  if (tiers->weight[tiers->shortages - 1] < 1)
    return refuse(fields, "cost", "the first rates are too small beside the last ones: less than 1 in 65536");
  return TACIT_OK;
}

static double side_cost(const tacit_tier *tiers, double amount) {
  double cost = 0, from = 0;
  for (; amount > tiers->below; tiers++) {
    cost += tiers->rate * (tiers->below - from);
    from = tiers->below;
  }
  return cost + tiers->rate * (amount - from);
}

double tacit_tiers_cost(const tacit_tiers *tiers, double shortage) {
  if (isnan(shortage)) return shortage;
  return shortage > 0 ? side_cost(tiers->shortage, shortage) : side_cost(tiers->leftover, -shortage);
}
