/* The simplex {w >= 0 : w_1 + ... + w_d = sum}. */
#include "loss/region_kinds.h"
#include "num/upward.h"

#include <stdlib.h>
#include <string.h>

static tacit_status minimise(const tacit_region *region, const double *cost, const double *against,
                             double *work, /* NOLINT(readability-non-const-parameter): the interface's */
                             double *w, tacit_error *error) {
  (void)work;
  (void)error;
  size_t best = 0;
  for (size_t j = 1; j < region->dimension; j++)
    if (cost[j] < cost[best] || (cost[j] == cost[best] && against && against[j] > against[best])) best = j;
  memset(w, 0, region->dimension * sizeof *w);
  w[best] = *(const double *)region->shape;
  return TACIT_OK;
}

/* w = max(point - theta, 0) with theta such that the sum is right. Moving the point along (1, ..., 1) changes
   nothing, so its largest coordinate is moved to 0 and no digits are lost. Michelot's iteration: theta from
   the coordinates still in, those at or below theta leave; it ends after at most d rounds. */
static tacit_status project(const tacit_region *region, const double *point, double *work, double *w,
                            tacit_error *error) {
  (void)error;
  size_t d = region->dimension, in = d, before;
  double sum = *(const double *)region->shape, most = point[0], theta;
  for (size_t j = 1; j < d; j++) most = fmax(most, point[j]);
  for (size_t j = 0; j < d; j++) w[j] = point[j] - most;
  memcpy(work, w, d * sizeof *w);
  do {
    double total = 0;
    for (size_t i = 0; i < in; i++) total += work[i];
    theta = (total - sum) / (double)in;
    before = in;
    in = 0;
    for (size_t i = 0; i < before; i++)
      if (work[i] > theta) work[in++] = work[i];
  } while (in > 0 && in < before);
  for (size_t j = 0; j < d; j++) w[j] = fmax(w[j] - theta, 0);
  return TACIT_OK;
}

static void free_shape(tacit_region *region) {
  free(region->shape);
}

tacit_status tacit_region_make_simplex(tacit_region *region, const json_t *json, tacit_error *error) {
  static const tacit_region_kind kind = {"simplex", minimise, project, free_shape};
  size_t d;
  double sum = 1;
  TACIT_TRY(tacit_region_keys(json, "kind, dimension, sum", error));
  TACIT_TRY(tacit_region_count(json, "dimension", 2, TACIT_REGION_DIMENSION_MAX, &d, error));
  if (json_object_get(json, "sum")) TACIT_TRY(tacit_region_positive(json, "sum", &sum, error));
  double *shape = tacit_alloc(1, sizeof *shape);
  if (!shape) return tacit_no_memory(error);
  *shape = sum;
  *region = (tacit_region){.kind = &kind, .dimension = d, .work = d, .shape = shape};
  region->diameter = tacit_up_mul(tacit_up_sqrt(2), sum); /* between two corners; proofs/regions.md */
  region->reach = sum;
  return TACIT_OK;
}
