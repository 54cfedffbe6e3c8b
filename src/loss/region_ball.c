/* The Euclidean ball {w : ||w - center|| <= radius}. */
#include "loss/region_kinds.h"
#include "num/upward.h"

#include <stdlib.h>

typedef struct ball {
  double radius;
  double center[]; /* d */
} ball;

/* ||v||, without overflow. */
static double norm(size_t d, const double *v) {
  double most = 0, sum = 0;
  for (size_t j = 0; j < d; j++) most = fmax(most, fabs(v[j]));
  if (most == 0) return 0;
  for (size_t j = 0; j < d; j++) sum += (v[j] / most) * (v[j] / most);
  return most * sqrt(sum);
}

/* w = center + length * v / ||v||; false for v = 0. */
static bool along(const tacit_region *region, const double *v, double length, double *w) {
  const ball *shape = region->shape;
  double most = 0, sum = 0;
  size_t d = region->dimension;
  for (size_t j = 0; j < d; j++) most = fmax(most, fabs(v[j]));
  if (most == 0) return false;
  for (size_t j = 0; j < d; j++) sum += (v[j] / most) * (v[j] / most);
  for (size_t j = 0; j < d; j++) w[j] = shape->center[j] + length * (v[j] / most / sqrt(sum));
  return true;
}

/* Without a cost every point is a minimiser, and `against` finds its worst on the other side. */
static tacit_status minimise(const tacit_region *region, const double *cost, const double *against,
                             double *work, /* NOLINT(readability-non-const-parameter): the interface's */
                             double *w, tacit_error *error) {
  (void)work;
  (void)error;
  const ball *shape = region->shape;
  if (along(region, cost, -shape->radius, w)) return TACIT_OK;
  if (against && along(region, against, shape->radius, w)) return TACIT_OK;
  for (size_t j = 0; j < region->dimension; j++) w[j] = shape->center[j];
  return TACIT_OK;
}

static tacit_status project(const tacit_region *region, const double *point, double *work, double *w,
                            tacit_error *error) {
  (void)error;
  const ball *shape = region->shape;
  size_t d = region->dimension;
  for (size_t j = 0; j < d; j++) work[j] = point[j] - shape->center[j];
  if (norm(d, work) > shape->radius && along(region, work, shape->radius, w)) return TACIT_OK;
  for (size_t j = 0; j < d; j++) w[j] = point[j];
  return TACIT_OK;
}

static void free_shape(tacit_region *region) {
  free(region->shape);
}

tacit_status tacit_region_make_ball(tacit_region *region, const json_t *json, tacit_error *error) {
  static const tacit_region_kind kind = {"ball", minimise, project, free_shape};
  size_t d;
  double radius;
  TACIT_TRY(tacit_region_keys(json, "kind, dimension, radius, center", error));
  TACIT_TRY(tacit_region_count(json, "dimension", 1, TACIT_REGION_DIMENSION_MAX, &d, error));
  TACIT_TRY(tacit_region_positive(json, "radius", &radius, error));
  ball *shape = tacit_alloc(1, sizeof *shape + d * sizeof *shape->center);
  if (!shape) return tacit_no_memory(error);
  *region = (tacit_region){.kind = &kind, .dimension = d, .work = d, .shape = shape};
  shape->radius = radius;
  const json_t *center = json_object_get(json, "center");
  if (center) TACIT_TRY(tacit_region_numbers(center, "\"center\"", d, shape->center, error));
  double square = 0;
  for (size_t j = 0; j < d; j++)
    square = tacit_up_add(square, tacit_up_mul(shape->center[j], shape->center[j]));
  region->diameter = 2 * radius; /* exact; proofs/regions.md */
  region->reach = tacit_up_add(tacit_up_sqrt(square), radius);
  return TACIT_OK;
}
