/* The polytope {w >= 0 : Aw <= b}: read from JSON, and minimised over by CLP. */
#include "loss/polytope.h"
#include "loss/region_kinds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tacit/solvers.h>

/* A polytope may come with a policy, from anywhere: reading it solves two linear programs for each decision,
   which must end. With so many coefficients that takes seconds. */
enum { ROWS_MAX = 4096, COLUMNS_MAX = 1024, ENTRIES_MAX = 1 << 18 };
static const double SMALLEST = 1e-9; /* of coefficients that are not 0; the largest is 1e9 */

Clp_Simplex *tacit_polytope_model(const tacit_polytope *p) {
  Clp_Simplex *model = Clp_newModel();
  if (!model) return NULL;
  Clp_setLogLevel(model, 0);
  Clp_setPrimalTolerance(model, 1e-10);
  Clp_setDualTolerance(model, 1e-10);
  /* Some programs take exponentially many steps: those count as not solved. A number of steps, never a time,
     so that the answer is a function of the program alone. */
  Clp_setMaximumIterations(model, 1000 + 50 * (int)(p->d + p->m));
  /* Columns are at least 0 and rows at most b: CLP's own defaults otherwise. */
  Clp_loadProblem(model, (int)p->d, (int)p->m, p->start, p->index, p->value, NULL, NULL, NULL, NULL, p->b);
  return model;
}

/* Not Clp_initialSolve, which puts up a signal handler of its own. */
int tacit_polytope_run(Clp_Simplex *model) {
  (void)Clp_primal(model, 0);
  if (Clp_status(model) > 2) (void)Clp_dual(model, 0);
  return Clp_status(model);
}

static double largest(size_t n, const double *values) {
  double most = 0;
  for (size_t i = 0; i < n; i++) most = fmax(most, fabs(values[i]));
  return most;
}

/* The cost at most 1 in size, so that CLP's tolerances mean the same for all units. */
static void set_cost(Clp_Simplex *model, size_t d, const double *cost, double sign) {
  double most = largest(d, cost);
  for (size_t j = 0; j < d; j++) Clp_objective(model)[j] = most > 0 ? sign * (cost[j] / most) : 0;
}

/* Every minimiser has w_j = 0 where the reduced cost is above 0 and meets its constraint exactly where the
   price is not 0; among those points the worst for `against` is a linear program again. */
static int worst_of_the_best(Clp_Simplex *model, const tacit_polytope *p, const double *against) {
  const double *reduced = Clp_getReducedCost(model), *price = Clp_getRowPrice(model);
  double *upper = Clp_columnUpper(model), *lower = Clp_rowLower(model);
  for (size_t j = 0; j < p->d; j++)
    if (reduced[j] > 1e-9) upper[j] = 0;
  for (size_t i = 0; i < p->m; i++)
    if (fabs(price[i]) > 1e-9) lower[i] = p->b[i];
  set_cost(model, p->d, against, -1);
  return tacit_polytope_run(model);
}

static tacit_status minimise(const tacit_region *region, const double *cost, const double *against,
                             double *work, /* NOLINT(readability-non-const-parameter): the interface's */
                             double *w, tacit_error *error) {
  (void)work;
  const tacit_polytope *p = region->shape;
  Clp_Simplex *model = tacit_polytope_model(p);
  if (!model) return tacit_no_memory(error);
  set_cost(model, p->d, cost, 1);
  int outcome = tacit_polytope_run(model);
  const double *answer = Clp_getColSolution(model);
  for (size_t j = 0; j < p->d; j++) w[j] = fmin(fmax(answer[j], 0), p->most[j]);
  /* Should rounding leave the face without a point, the first answer stands. */
  if (outcome == 0 && against && worst_of_the_best(model, p, against) == 0) {
    answer = Clp_getColSolution(model);
    for (size_t j = 0; j < p->d; j++) w[j] = fmin(fmax(answer[j], 0), p->most[j]);
  }
  Clp_deleteModel(model);
  if (outcome == 0) return TACIT_OK;
  return tacit_fail(error, TACIT_INTERNAL,
                    "a linear program over the polytope was not solved: its constraints may be nearly "
                    "dependent, or its numbers too far apart");
}

static tacit_status project(const tacit_region *region, const double *point, double *work, double *w,
                            tacit_error *error) {
  return tacit_nearest(region, point, region->dimension + 1, work, NULL, w, error);
}

static void free_shape(tacit_region *region) {
  tacit_polytope *p = region->shape;
  if (!p) return;
  free(p->a);
  free(p->start);
  free(p->index);
  free(p->value);
  free(p);
}

static tacit_status read_row(tacit_polytope *p, size_t i, tacit_error *error) {
  double *row = p->a + i * p->d, most = largest(p->d, row);
  if (most == 0)
    return tacit_fail(error, TACIT_BAD_INPUT, "\"A\"[%zu] of the polytope has no coefficient but 0", i);
  for (size_t j = 0; j < p->d; j++)
    if (row[j] != 0 && fabs(row[j]) < SMALLEST)
      return tacit_fail(error, TACIT_BAD_INPUT,
                        "\"A\"[%zu] of the polytope has a coefficient below 1e-9 in size: change units, or "
                        "write 0",
                        i);
  /* By a power of two: exact, so that the scaled polytope is the one in the file. */
  double scale = ldexp(1, -ilogb(most));
  for (size_t j = 0; j < p->d; j++) row[j] *= scale;
  p->b[i] *= scale;
  return TACIT_OK;
}

static tacit_status compress(tacit_polytope *p, tacit_error *error) {
  size_t entries = 0;
  for (size_t k = 0; k < p->m * p->d; k++) entries += p->a[k] != 0;
  if (entries > ENTRIES_MAX)
    return tacit_fail(error, TACIT_BAD_INPUT,
                      "\"A\" of the polytope has %zu coefficients that are not 0; at most %d can be handled",
                      entries, ENTRIES_MAX);
  p->start = tacit_alloc(p->d + 1, sizeof *p->start);
  p->index = tacit_alloc(entries, sizeof *p->index);
  p->value = tacit_alloc(entries, sizeof *p->value);
  if (!p->start || !p->index || !p->value) return tacit_no_memory(error);
  int at = 0;
  for (size_t j = 0; j < p->d; j++) {
    for (size_t i = 0; i < p->m; i++)
      if (p->a[i * p->d + j] != 0) {
        p->index[at] = (int)i;
        p->value[at++] = p->a[i * p->d + j];
      }
    p->start[j + 1] = at;
  }
  return TACIT_OK;
}

tacit_status tacit_region_make_polytope(tacit_region *region, const json_t *json, tacit_error *error) {
  TACIT_TRY(tacit_load_solvers(error));
  static const tacit_region_kind kind = {"polytope", minimise, project, free_shape};
  TACIT_TRY(tacit_region_keys(json, "kind, A, b", error));
  const json_t *rows = json_object_get(json, "A");
  size_t m = json_array_size(rows), d = json_array_size(json_array_get(rows, 0));
  if (m < 1 || m > ROWS_MAX || d < 1 || d > COLUMNS_MAX)
    return tacit_fail(error, TACIT_BAD_INPUT,
                      "\"A\" of the polytope must be an array of 1 to %d rows of 1 to %d numbers", ROWS_MAX,
                      COLUMNS_MAX);
  tacit_polytope *p = tacit_alloc(1, sizeof *p);
  if (!p) return tacit_no_memory(error);
  *region = (tacit_region){.kind = &kind, .dimension = d, .shape = p};
  *p = (tacit_polytope){.d = d, .m = m, .a = tacit_alloc(m * d + m + d, sizeof *p->a)};
  if (!p->a) return tacit_no_memory(error);
  p->b = p->a + m * d;
  p->most = p->b + m;
  TACIT_TRY(tacit_region_numbers(json_object_get(json, "b"), "\"b\"", m, p->b, error));
  for (size_t i = 0; i < m; i++) {
    TACIT_TRY(tacit_region_numbers(json_array_get(rows, i), "a row of \"A\"", d, p->a + i * d, error));
    TACIT_TRY(read_row(p, i, error));
  }
  TACIT_TRY(compress(p, error));
  TACIT_TRY(tacit_polytope_measure(p, &region->diameter, &region->reach, error));
  region->work = tacit_nearest_work(d, d + 1);
  return TACIT_OK;
}
