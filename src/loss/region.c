/* The door to every region: arguments are checked here, the kind does the work. */
#include "loss/region.h"

#include "loss/region_kinds.h"

#include <math.h>
#include <stdlib.h>

size_t tacit_region_dimension(const tacit_region *region) {
  return region->dimension;
}

double tacit_region_diameter(const tacit_region *region) {
  return region->diameter;
}

size_t tacit_region_work(const tacit_region *region) {
  return region->work;
}

tacit_region *tacit_region_share(const tacit_region *region) {
  tacit_region *shared = (tacit_region *)region; /* nothing of it changes but this number */
  atomic_fetch_add(&shared->sharers, 1);
  return shared;
}

void tacit_region_free(tacit_region *region) {
  if (!region || atomic_fetch_sub(&region->sharers, 1) > 0) return;
  if (region->kind) region->kind->free(region);
  json_decref(region->json);
  free(region);
}

/* Not a number fails the comparison. */
static bool all_within(size_t n, const double *values) {
  for (size_t i = 0; i < n; i++)
    if (!(fabs(values[i]) <= TACIT_REGION_COST_MAX)) return false;
  return true;
}

tacit_status tacit_region_minimise(const tacit_region *region, const double *cost, const double *against,
                                   double *work, double *w, double *value, tacit_error *error) {
  size_t d = region->dimension;
  if (!all_within(d, cost) || (against && !all_within(d, against)))
    return tacit_fail(error, TACIT_USAGE, "costs must be numbers between -1e100 and 1e100");
  TACIT_TRY(region->kind->minimise(region, cost, against, work, w, error));
  if (!value) return TACIT_OK;
  *value = 0;
  for (size_t j = 0; j < d; j++) *value += cost[j] * w[j];
  return TACIT_OK;
}

tacit_status tacit_region_project(const tacit_region *region, const double *point, double *work, double *w,
                                  tacit_error *error) {
  if (!all_within(region->dimension, point))
    return tacit_fail(error, TACIT_USAGE, "a point to project must have numbers between -1e100 and 1e100");
  return region->kind->project(region, point, work, w, error);
}
