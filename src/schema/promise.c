/* Refuses a schema whose facts do not carry the promise of the chosen adjacency (docs/design.md, "Soundness"
 * 4, 5). */
#include "base/base.h"
#include "schema/schema.h"

/* Record i is its own row's target and, through lag k, a feature of row i + k: 1 + distinct lags rows in all.
   Targets that share a lag share the row. */
static tacit_status check_lags(const tacit_schema *schema, tacit_error *error) {
  size_t rows = tacit_schema_reach(schema);
  if (schema->unit_column)
    return tacit_fail(
        error, TACIT_REFUSED,
        "lags cannot be combined with \"unit.column\": it limits the rows that a unit owns, but through "
        "its lags each record also reaches %zu rows of others; remove the lags, or remove \"column\" "
        "and set \"rows_per_unit\" to %zu times the records of one unit",
        schema->distinct_lags, rows);
  if (!schema->unit_given || schema->rows_per_unit < rows)
    return tacit_fail(
        error, TACIT_REFUSED,
        "the lags put each record into %zu rows: set \"unit\": {\"rows_per_unit\": %zu} in the schema, "
        "or that times the records of one unit if it has several",
        rows, rows);
  return TACIT_OK;
}

/* Look-ups go by keys, which neither a removed nor a replaced record shifts (proofs/panels.md). */
static tacit_status check_panel(const tacit_schema *schema, tacit_error *error) {
  size_t rows = tacit_schema_reach(schema);
  if (tacit_schema_groups_in_units(schema)) return TACIT_OK;
  if (schema->unit_column)
    return tacit_fail(
        error, TACIT_REFUSED,
        "look-ups carry a unit's records into the rows of others unless each group lies within one unit: "
        "add \"%.60s\" to \"by\" in \"panel\", or remove \"column\" from \"unit\" and set "
        "\"rows_per_unit\" to %zu times the records of one unit",
        schema->unit_column, rows);
  if (!schema->unit_given || schema->rows_per_unit < rows)
    return tacit_fail(
        error, TACIT_REFUSED,
        "through look-ups one record can change %zu rows: set \"unit\": {\"rows_per_unit\": %zu} in the "
        "schema, or that times the records of one unit if it has several",
        rows, rows);
  return TACIT_OK;
}

/* Features that anybody may know cannot be made of private targets, and records that come and go would take
   their features with them. */
static tacit_status check_public(const tacit_schema *schema, tacit_adjacency adjacency, tacit_error *error) {
  if (schema->distinct_lags > 0)
    return tacit_fail(error, TACIT_REFUSED,
                      "lags make features of private targets, but \"private\": \"target\" says that features "
                      "are public; remove the lags, or remove \"private\"");
  if (tacit_schema_looks_up(schema))
    return tacit_fail(error, TACIT_REFUSED,
                      "a sum of the next periods cannot be combined with \"private\": \"target\"; remove "
                      "\"sum_of_next\" or \"private\" from the schema");
  if (adjacency == TACIT_ADD_REMOVE)
    return tacit_fail(error, TACIT_REFUSED,
                      "\"private\": \"target\" says that the rows are public and only their targets private: "
                      "use replace-one, or remove \"private\" from the schema");
  return TACIT_OK;
}

tacit_status tacit_schema_check_promise(const tacit_schema *schema, tacit_adjacency adjacency,
                                        size_t nominal_rows, tacit_error *error) {
  bool looks_up = tacit_schema_looks_up(schema), lags = schema->distinct_lags > 0 && !looks_up;
  if (schema->features_public) return check_public(schema, adjacency, error);
  if (looks_up) TACIT_TRY(check_panel(schema, error));
  if (adjacency == TACIT_REPLACE_ONE) return lags ? check_lags(schema, error) : TACIT_OK;
  if (lags)
    return tacit_fail(
        error, TACIT_REFUSED,
        "lags are refused under add-remove: removing a row would shift every later lag; use replace-one, "
        "remove the lags, or let them be looked up by group and time (\"panel\")");
  if (schema->nominal_rows == 0 && nominal_rows == 0)
    return tacit_fail(error, TACIT_REFUSED,
                      "add-remove keeps the number of rows private and needs a public one in its place: add "
                      "\"nominal_rows\" to the schema or give --nominal-rows");
  return TACIT_OK;
}

tacit_status tacit_schema_check_units(const tacit_schema *schema, tacit_error *error) {
  for (size_t t = 0; t < schema->target_count; t++)
    for (size_t f = 0; f < schema->feature_count; f++)
      if (schema->features[f].has_scale &&
          schema->targets[t].scale.half / schema->features[f].scale.half > 1e150)
        return tacit_fail(
            error, TACIT_REFUSED,
            "the ranges of target \"%.60s\" and column \"%.60s\" are too far apart for coefficients in "
            "their units; use other units",
            schema->targets[t].name, schema->features[f].name);
  return TACIT_OK;
}
