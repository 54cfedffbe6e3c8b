/* The box {w : low <= w <= high}. */
#include "loss/region_kinds.h"
#include "num/upward.h"

#include <stdlib.h>

typedef struct box {
  double *high;
  double low[]; /* d, then high */
} box;

static tacit_status minimise(const tacit_region *region, const double *cost, const double *against,
                             double *work, /* NOLINT(readability-non-const-parameter): the interface's */
                             double *w, tacit_error *error) {
  (void)work;
  (void)error;
  const box *shape = region->shape;
  for (size_t j = 0; j < region->dimension; j++) {
    bool high = cost[j] < 0 || (cost[j] == 0 && against && against[j] > 0);
    w[j] = high ? shape->high[j] : shape->low[j];
  }
  return TACIT_OK;
}

static tacit_status project(const tacit_region *region, const double *point,
                            double *work, /* NOLINT(readability-non-const-parameter): the interface's */
                            double *w, tacit_error *error) {
  (void)work;
  (void)error;
  const box *shape = region->shape;
  for (size_t j = 0; j < region->dimension; j++) w[j] = fmin(fmax(point[j], shape->low[j]), shape->high[j]);
  return TACIT_OK;
}

static void free_shape(tacit_region *region) {
  free(region->shape);
}

tacit_status tacit_region_make_box(tacit_region *region, const json_t *json, tacit_error *error) {
  static const tacit_region_kind kind = {"box", minimise, project, free_shape};
  TACIT_TRY(tacit_region_keys(json, "kind, min, max", error));
  const json_t *min = json_object_get(json, "min"), *max = json_object_get(json, "max");
  size_t d = json_array_size(min);
  if (d < 1 || d > TACIT_REGION_DIMENSION_MAX)
    return tacit_fail(error, TACIT_BAD_INPUT, "\"min\" of the region must be an array of 1 to %d numbers",
                      TACIT_REGION_DIMENSION_MAX);
  box *shape = tacit_alloc(1, sizeof *shape + 2 * d * sizeof *shape->low);
  if (!shape) return tacit_no_memory(error);
  *region = (tacit_region){.kind = &kind, .dimension = d, .work = 1, .shape = shape};
  shape->high = shape->low + d;
  TACIT_TRY(tacit_region_numbers(min, "\"min\"", d, shape->low, error));
  TACIT_TRY(tacit_region_numbers(max, "\"max\"", d, shape->high, error));
  double spread = 0, far = 0;
  for (size_t j = 0; j < d; j++) {
    double low = shape->low[j], high = shape->high[j], most = fmax(fabs(low), fabs(high));
    if (low > high)
      return tacit_fail(error, TACIT_BAD_INPUT, "the region is empty: \"min\"[%zu] is above \"max\"[%zu]", j,
                        j);
    double width = tacit_up_add(high, -low);
    spread = tacit_up_add(spread, tacit_up_mul(width, width));
    far = tacit_up_add(far, tacit_up_mul(most, most));
  }
  if (!(spread > 0)) return tacit_fail(error, TACIT_BAD_INPUT, "the region is a single point");
  region->diameter = tacit_up_sqrt(spread); /* its diagonal; proofs/regions.md */
  region->reach = tacit_up_sqrt(far);
  return TACIT_OK;
}
