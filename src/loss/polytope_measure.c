/* How large a polytope is, with certificates: whatever CLP answers, the bounds hold (proofs/regions.md).

     duality   y >= 0 and A'y >= v - t 1  give  v'w <= b'y + t S  for every w of the polytope, S >= sum w
     S         v = 1: (1 - t) sum w <= b'y
     u_j, l_j  v = e_j, -e_j: the bounding box

   CLP proposes y; its negative parts are cut off and t is computed with rounding upward, so nothing rests on
   its tolerances. */
#include "loss/polytope.h"
#include "num/upward.h"

#include <stdlib.h>

/* An upper bound on v'w, v = 1 or sign * e_j, from the prices of a model that maximised it. */
typedef struct bound {
  double value;    /* b'y */
  double short_by; /* t */
} bound;

static bound certify(const tacit_polytope *p, const double *price, const double *v, double *y, double *left) {
  bound found = {0, 0};
  for (size_t j = 0; j < p->d; j++) left[j] = v[j];
  for (size_t i = 0; i < p->m; i++) {
    y[i] = fmax(0, -price[i]); /* CLP minimises -v'w */
    if (y[i] == 0) continue;
    found.value = tacit_up_add(found.value, tacit_up_mul(p->b[i], y[i]));
    for (size_t j = 0; j < p->d; j++)
      left[j] = tacit_up_add(left[j], tacit_up_mul(-p->a[i * p->d + j], y[i]));
  }
  for (size_t j = 0; j < p->d; j++) found.short_by = fmax(found.short_by, left[j]);
  return found;
}

static void set_cost(Clp_Simplex *model, size_t d, const double *v) {
  for (size_t j = 0; j < d; j++) Clp_objective(model)[j] = -v[j];
}

static tacit_status refuse_unbounded(tacit_error *error) {
  return tacit_fail(error, TACIT_BAD_INPUT,
                    "the region is unbounded: add constraints to \"A\" and \"b\" that limit every decision");
}

static tacit_status total(const tacit_polytope *p, Clp_Simplex *model, double *space, double *most,
                          tacit_error *error) {
  double *v = space, *left = v + p->d, *y = left + p->d;
  for (size_t j = 0; j < p->d; j++) v[j] = 1;
  set_cost(model, p->d, v);
  int outcome = tacit_polytope_run(model);
  if (outcome == 1)
    return tacit_fail(error, TACIT_BAD_INPUT,
                      "the region is empty: no w >= 0 meets all constraints of \"A\" and \"b\"");
  if (outcome == 2) return refuse_unbounded(error);
  bound found = certify(p, Clp_getRowPrice(model), v, y, left);
  if (outcome != 0 || !(found.short_by <= 0.5) || !(found.value < 1e12)) return refuse_unbounded(error);
  *most = tacit_up_div(fmax(found.value, 0), -tacit_up_add(found.short_by, -1));
  return TACIT_OK;
}

/* The bounding box; also where CLP fails, with S instead of its answer. */
static void surround(const tacit_polytope *p, Clp_Simplex *model, double *space, double sum, double *low) {
  double *v = space, *left = v + p->d, *y = left + p->d;
  for (size_t j = 0; j < p->d; j++) v[j] = 0;
  for (size_t j = 0; j < p->d; j++)
    for (int side = 1; side >= -1; side -= 2) {
      v[j] = side;
      set_cost(model, p->d, v);
      double most = side > 0 ? sum : 0;
      if (tacit_polytope_run(model) == 0) {
        bound found = certify(p, Clp_getRowPrice(model), v, y, left);
        most = fmin(most, tacit_up_add(found.value, tacit_up_mul(found.short_by, sum)));
      }
      if (side > 0)
        p->most[j] = fmax(most, 0);
      else
        low[j] = fmin(fmax(-most, 0), p->most[j]);
      v[j] = 0;
    }
}

/* Both bounds of proofs/regions.md, the smaller of the two. */
static void size(const tacit_polytope *p, const double *low, double sum, double *diameter, double *reach) {
  double box = 0, far = 0, widest = 0;
  for (size_t j = 0; j < p->d; j++) {
    double width = tacit_up_add(p->most[j], -low[j]);
    box = tacit_up_add(box, tacit_up_mul(width, width));
    far = tacit_up_add(far, tacit_up_mul(p->most[j], p->most[j]));
    widest = fmax(widest, p->most[j]);
  }
  far = fmin(far, tacit_up_mul(sum, widest));
  *reach = tacit_up_sqrt(far);
  *diameter = tacit_up_sqrt(fmin(box, 2 * far));
}

/* Maximises t over A w + t |a_i| <= b, w_j >= t: the radius of a ball inside. The new unknown is the last
   column, and w_j >= t are d more rows. */
static tacit_status inside(const tacit_polytope *p, double *radius, tacit_error *error) {
  tacit_polytope wide = {.d = p->d + 1, .m = p->m + p->d};
  size_t entries = (size_t)p->start[p->d], at = 0;
  wide.b = tacit_alloc(wide.m, sizeof *wide.b);
  wide.start = tacit_alloc(wide.d + 1, sizeof *wide.start);
  wide.index = tacit_alloc(entries + p->d + wide.m, sizeof *wide.index);
  wide.value = tacit_alloc(entries + p->d + wide.m, sizeof *wide.value);
  Clp_Simplex *model = NULL;
  *radius = 0;
  if (wide.b && wide.start && wide.index && wide.value) {
    for (size_t i = 0; i < p->m; i++) wide.b[i] = p->b[i];
    for (size_t j = 0; j < p->d; j++) {
      for (CoinBigIndex k = p->start[j]; k < p->start[j + 1]; k++, at++) {
        wide.index[at] = p->index[k];
        wide.value[at] = p->value[k];
      }
      wide.index[at] = (int)(p->m + j);
      wide.value[at++] = -1;
      wide.start[j + 1] = (CoinBigIndex)at;
    }
    for (size_t i = 0; i < wide.m; i++, at++) {
      double square = 1;
      if (i < p->m) square = 0;
      for (size_t j = 0; i < p->m && j < p->d; j++) square += p->a[i * p->d + j] * p->a[i * p->d + j];
      wide.index[at] = (int)i;
      wide.value[at] = sqrt(square);
    }
    wide.start[wide.d] = (CoinBigIndex)at;
    model = tacit_polytope_model(&wide);
  }
  if (model) {
    Clp_objective(model)[p->d] = -1;
    if (tacit_polytope_run(model) == 0) *radius = Clp_getColSolution(model)[p->d];
    Clp_deleteModel(model);
  }
  free(wide.b);
  free(wide.start);
  free(wide.index);
  free(wide.value);
  return model ? TACIT_OK : tacit_no_memory(error);
}

static tacit_status measure(tacit_polytope *p, Clp_Simplex *model, double *space, double *diameter,
                            double *reach, tacit_error *error) {
  double *low = space + 2 * p->d + p->m, sum = 0, radius = 0;
  TACIT_TRY(total(p, model, space, &sum, error));
  TACIT_TRY(inside(p, &radius, error));
  /* Two orders above what CLP's tolerances could feign. */
  if (!(radius > 1e-8 * fmax(1, sum)))
    return tacit_fail(error, TACIT_BAD_INPUT,
                      "the polytope has no interior, or is too thin to tell (under 1e-8 of its size): "
                      "constraints that hold with equality leave fewer decisions, so write those alone");
  surround(p, model, space, sum, low);
  size(p, low, sum, diameter, reach);
  return TACIT_OK;
}

tacit_status tacit_polytope_measure(tacit_polytope *p, double *diameter, double *reach, tacit_error *error) {
  Clp_Simplex *model = tacit_polytope_model(p);
  double *space = tacit_alloc(3 * p->d + p->m, sizeof *space);
  tacit_status status =
      model && space ? measure(p, model, space, diameter, reach, error) : tacit_no_memory(error);
  if (model) Clp_deleteModel(model);
  free(space);
  return status;
}
