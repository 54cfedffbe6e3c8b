/* The schema of simulated records that look each other up by key: they are one series, numbered from the
   first on, in which a look-up finds what stands so many records above; or, where groups lie within units, a
   series for each unit. Sums over periods are simulated as they are, within their own bounds. */
#include "base/base.h"
#include "study/plan.h"

#include <math.h>
#include <stdlib.h>

/* No column of a schema can have this name: it has a control character. */
static char time_name[] = "\x01time";

/* What is simulated is demand: no day of it sold out. */
static tacit_status open_demand(const tacit_schema *schema, tacit_plan_series *series, tacit_error *error) {
  *series = (tacit_plan_series){.schema = *schema};
  series->targets = tacit_alloc(schema->target_count, sizeof *series->targets);
  if (!series->targets) return tacit_no_memory(error);
  for (size_t t = 0; t < schema->target_count; t++) {
    series->targets[t] = schema->targets[t];
    series->targets[t].sold_column = NULL;
  }
  series->schema.targets = series->targets;
  return TACIT_OK;
}

tacit_status tacit_plan_series_open(const tacit_schema *schema, tacit_plan_series *series,
                                    tacit_error *error) {
  TACIT_TRY(open_demand(schema, series, error));
  if (!schema->panel.time) return TACIT_OK;
  for (size_t t = 0; t < schema->target_count; t++) series->targets[t].sum_of_next = 0;
  series->features = tacit_alloc(schema->feature_count, sizeof *series->features);
  if (!series->features) return tacit_no_memory(error);
  for (size_t f = 0; f < schema->feature_count; f++) {
    tacit_feature *feature = &series->features[f];
    *feature = schema->features[f];
    if (feature->kind == TACIT_FEATURE_LAG) { /* of what is simulated */
      feature->scale = schema->targets[feature->lag_target].scale;
      feature->scale.limit = fmin(feature->scale.limit, TACIT_SCALE_LIMIT);
    }
  }
  series->schema.features = series->features;
  series->schema.panel = (tacit_panel){.every = TACIT_EVERY_NUMBER};
  if (!schema->largest_lag) return TACIT_OK;
  series->schema.panel.time = time_name;
  series->schema.panel.unique = schema->panel.unique;
  if (!tacit_schema_groups_in_units(schema)) return TACIT_OK;
  series->by = schema->unit_column;
  series->schema.panel.by = &series->by;
  series->schema.panel.by_count = 1;
  return TACIT_OK;
}

void tacit_plan_series_close(tacit_plan_series *series) {
  free(series->targets);
  free(series->features);
}
