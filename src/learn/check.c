/* What can be refused before a row is read. */
#include "base/base.h"
#include "data/pack.h"
#include "learn/door.h"
#include "learn/ranks.h"
#include "loss/region.h"
#include "method/methods.h"
#include "method/state.h"
#include "schema/goals.h"
#include "schema/sold.h"

#include <math.h>

tacit_status tacit_check_guarantee(const tacit_learn_options *options, tacit_promise promise,
                                   tacit_error *error) {
  bool gaussian = promise == TACIT_PROMISE_GAUSSIAN;
  if (gaussian && (options->epsilon != 0 || options->delta != 0))
    return tacit_fail(
        error, TACIT_USAGE,
        "this method's guarantee is Gaussian: give mu; tacit_gdp_mu turns epsilon and delta into it");
  if (!gaussian && options->mu != 0)
    return tacit_fail(
        error, TACIT_USAGE,
        "this method's guarantee is not Gaussian, so no mu describes it: give epsilon and delta");
  if (gaussian && !(options->mu > 0 && options->mu <= TACIT_MU_MAX))
    return tacit_fail(error, TACIT_USAGE, "mu must be above 0 and at most %g; 0.5 is a reasonable promise",
                      TACIT_MU_MAX);
  if (!gaussian && !(options->epsilon > 0 && options->epsilon <= TACIT_EPSILON_MAX))
    return tacit_fail(error, TACIT_USAGE, "epsilon must be above 0 and at most %g", TACIT_EPSILON_MAX);
  if (!gaussian && !(options->delta > 0 && options->delta < 1))
    return tacit_fail(
        error, TACIT_USAGE,
        "delta must be above 0 and below 1: Gaussian noise never gives delta = 0, choose one far "
        "below 1/rows, such as 1e-6");
  return TACIT_OK;
}

static tacit_status check_region(const tacit_schema *schema, const tacit_region *region, tacit_error *error) {
  for (size_t t = 0; t < schema->target_count; t++)
    if (schema->targets[t].scale.log_unit > 0)
      return tacit_fail(error, TACIT_BAD_INPUT,
                        "costs of decisions cannot have a logarithm: leave out the \"transform\" of target "
                        "\"%.60s\"",
                        schema->targets[t].name);
  if (region->dimension != schema->target_count)
    return tacit_fail(
        error, TACIT_BAD_INPUT,
        "the region's decisions have %zu coordinates, but the schema has %zu cost column%s (its "
        "targets): there must be one for each coordinate, in their order",
        region->dimension, schema->target_count, schema->target_count == 1 ? "" : "s");
  if (region->diameter > 0 && isfinite(region->diameter)) return TACIT_OK;
  return tacit_fail(error, TACIT_BAD_INPUT, "the region has a single point: there is nothing to decide");
}

/* Rows of a unit are brought together when a table is read. Who has packed them must have kept whose they
   are, and have all of them. */
static tacit_status check_units(const tacit_method *method, const tacit_schema *schema,
                                const tacit_learn_options *options, const tacit_source *source,
                                tacit_error *error) {
  if (!(source->pack || source->engine)) return TACIT_OK;
  if (!method->whole_units || !method->whole_units(schema, options)) return TACIT_OK;
  bool whole = source->engine ? tacit_engine_whole(source->engine)
                              : source->pack->parts == 1 && tacit_pack_is_grouped(source->pack, schema);
  if (whole) return TACIT_OK;
  return tacit_fail(
      error, TACIT_REFUSED,
      "this method clips a unit's rows as a whole, and these rows, packed by an older version or "
      "split among ranks, do not say whose they are: pack the table again, use the table itself "
      "in one process, or another method such as %s",
      tacit_method_name(&tacit_method_median_newton));
}

/* What is learned from a policy that is not private is not private either, whatever noise is added to it. */
static tacit_status check_chain(const tacit_method *method, const tacit_schema *schema,
                                const tacit_learn_options *options, tacit_error *error) {
  const tacit_start *from = options->from;
  if (options->period && !tacit_period_sound(options->period))
    return tacit_fail(
        error, TACIT_USAGE,
        "a period's name has 1 to %d letters, digits, points, lines or underscores, such as 2024-03",
        TACIT_PERIOD_MAX);
  if (options->period && (schema->largest_lag > 0 || tacit_schema_looks_up(schema)))
    return tacit_fail(error, TACIT_REFUSED,
                      "lags and look-ups carry records from one period into the rows of the next, so that no "
                      "period has a budget of its own: leave out the period, or remove them from the schema");
  if (from && !method->follows)
    return tacit_fail(error, TACIT_USAGE, "this method cannot go on from a policy; %s can",
                      tacit_method_name(tacit_method_following()));
  if (from && !from->private && !options->seeded)
    return tacit_fail(error, TACIT_REFUSED,
                      "the policy to go on from is not private, so that what is learned from it would not be "
                      "either; use one whose noise was drawn, or a seed");
  return TACIT_OK;
}

static tacit_status check_tiers(const tacit_method *method, const tacit_schema *schema,
                                const tacit_learn_options *options, tacit_error *error) {
  if (!schema->targets[0].tiers) return TACIT_OK;
  if (options->region)
    return tacit_fail(error, TACIT_BAD_INPUT,
                      "over a region the targets are costs themselves: leave out their \"cost\"");
  if (!method->tiers)
    return tacit_fail(error, TACIT_REFUSED, "%s has no costs in tiers; use %s, or without privacy %s",
                      tacit_method_name(method), tacit_method_name(&tacit_method_location_scale),
                      tacit_method_name(&tacit_method_erm_exact));
  if (options->location_scale.intervals)
    return tacit_fail(
        error, TACIT_REFUSED,
        "how sure a rule is can be said of one price of a unit, not of costs in tiers: leave out "
        "intervals");
  return TACIT_OK;
}

/* Days that sold out, of any target. */
static tacit_status check_sold(const tacit_method *method, const tacit_schema *schema,
                               const tacit_learn_options *options, tacit_error *error) {
  if (!tacit_sold_any(schema)) return TACIT_OK;
  if (!method->sold || options->region)
    return tacit_fail(
        error, TACIT_REFUSED,
        "%s cannot learn demand from days that sold out; use %s or %s, or leave out \"sold_out\" and "
        "\"stock\"",
        tacit_method_name(method), tacit_method_name(&tacit_method_location_scale),
        tacit_method_name(&tacit_method_median_newton));
  if (options->location_scale.intervals)
    return tacit_fail(
        error, TACIT_REFUSED,
        "how sure a rule is can be said of demand that is known, not of days that sold out: leave out "
        "intervals");
  return TACIT_OK;
}

tacit_status tacit_door_check(const tacit_method *method, const tacit_facts *facts,
                              const tacit_learn_options *options, const tacit_source *source,
                              const tacit_context *context, tacit_error *error) {
  const tacit_schema *schema = facts->schema;
  bool private = method->promise != TACIT_PROMISE_NOTHING;
  TACIT_TRY(options->region ? check_region(schema, options->region, error)
                            : tacit_goals_check(schema, options->quantiles, options->quantile_count, error));
  if (options->nominal_rows > TACIT_ROWS_MAX)
    return tacit_fail(error, TACIT_USAGE, "the nominal rows must be at most %llu",
                      (unsigned long long)TACIT_ROWS_MAX);
  TACIT_TRY(check_tiers(method, schema, options, error));
  TACIT_TRY(check_sold(method, schema, options, error));
  TACIT_TRY(tacit_method_check_options(method, options, error));
  TACIT_TRY(check_chain(method, schema, options, error));
  if (private) {
    TACIT_TRY(tacit_check_guarantee(options, method->promise, error));
    TACIT_TRY(tacit_schema_check_promise(schema, facts->adjacency, options->nominal_rows, error));
    TACIT_TRY(tacit_source_check_promise(source, schema, facts->adjacency, !options->region, error));
  }
  if (private || options->region) TACIT_TRY(tacit_schema_check_units(schema, error));
  TACIT_TRY(check_units(method, schema, options, source, error));
  if (method->check) TACIT_TRY(method->check(facts, options, error));
  return tacit_ranks_check(context ? context->ranks : NULL, schema, source,
                           !(method->needs & TACIT_NEEDS_ONE_PLACE), error);
}
