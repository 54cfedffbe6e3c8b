/* The papers' bounds for the method asked: options checked once, defaults set, the rest by paper. */
#include "study/bounds.h"

#include "loss/tuning.h"
#include "method/methods.h"
#include "num/normal.h"
#include "study/plan.h"

#include <string.h>

void tacit_bounds_options_init(tacit_bounds_options *o) {
  *o = (tacit_bounds_options){.method = tacit_method_objective.name};
}

void tacit_bounds_add(tacit_bounds *b, const char *name, const char *where, double value, double published) {
  b->bound[b->bounds++] = (tacit_bound){name, where, value, published};
}

void tacit_bounds_ask(tacit_bounds *b, const char *text, bool holds) {
  b->condition[b->conditions++] = (tacit_bound_condition){text, holds};
}

enum { NEEDS_PAIR = 1, NEEDS_ANY = 2, NEEDS_REGION = 4, NEEDS_TAU = 8 };
static const struct {
  const tacit_method *method;
  unsigned needs;
  tacit_kernel kernel;
  tacit_status (*find)(const tacit_bounds_facts *f, tacit_bounds *b, tacit_error *error);
} METHODS[] = {
    {&tacit_method_objective, NEEDS_PAIR | NEEDS_TAU, TACIT_KERNEL_LOGISTIC, tacit_bounds_objective},
    {&tacit_method_sgd, NEEDS_PAIR | NEEDS_TAU, TACIT_KERNEL_LOGISTIC, tacit_bounds_sgd},
    {&tacit_method_gradient, NEEDS_ANY | NEEDS_TAU, TACIT_KERNEL_LOGISTIC, tacit_bounds_gradient},
    {&tacit_method_noisy_gd, NEEDS_ANY | NEEDS_TAU, TACIT_KERNEL_GAUSSIAN, tacit_bounds_noisy_gd},
    {&tacit_method_spo_gaussian, NEEDS_ANY | NEEDS_REGION, TACIT_KERNEL_GAUSSIAN, tacit_bounds_gaussian},
    {&tacit_method_spo_exponential, NEEDS_PAIR | NEEDS_REGION, TACIT_KERNEL_GAUSSIAN,
     tacit_bounds_exponential},
};
enum { METHOD_COUNT = sizeof METHODS / sizeof *METHODS };

const char *tacit_bounds_method(size_t index) {
  if (index >= METHOD_COUNT) return NULL;
  const tacit_method *method = METHODS[index].method;
  return method->alias ? method->alias : method->name;
}

static bool is_called(const tacit_method *method, const char *name) {
  return !strcmp(name, method->name) || (method->alias && !strcmp(name, method->alias));
}

static bool positive(double x) {
  return x > 0 && x < 1e100;
}

static tacit_status check(const tacit_bounds_options *o, unsigned needs, tacit_error *error) {
  if (!(o->rows >= 2 && o->rows <= 1e6 && o->rows == floor(o->rows)))
    return tacit_fail(error, TACIT_USAGE, "the number of rows must be a whole number from 2 to 1000000");
  if (!(o->columns >= 1 && o->columns <= 1e6))
    return tacit_fail(error, TACIT_USAGE, "the number of columns must be from 1 to 1000000");
  if (!positive(o->clip_norm) || !positive(o->theta_bound))
    return tacit_fail(error, TACIT_USAGE,
                      "give the longest row (clip norm) and the longest coefficients (theta bound)");
  if ((needs & NEEDS_TAU) && !(o->tau > 0 && o->tau < 1))
    return tacit_fail(error, TACIT_USAGE, "the quantile must be above 0 and below 1");
  if ((needs & NEEDS_REGION) && (!positive(o->outputs) || !positive(o->diameter)))
    return tacit_fail(error, TACIT_USAGE, "give the entries of a cost (outputs) and the region's diameter");
  bool pair = o->epsilon > 0 && o->epsilon <= 100 && o->delta > 0 && o->delta<1, mu = o->mu> 0;
  if ((needs & NEEDS_PAIR) && (mu || !pair))
    return tacit_fail(error, TACIT_USAGE,
                      "this method's theorem is for epsilon and delta: give both, and no mu");
  if (pair == mu) return tacit_fail(error, TACIT_USAGE, "give mu, or epsilon and delta");
  return TACIT_OK;
}

/* Densities of a normal residual, where only its spread is known. */
static void set_densities(tacit_bounds_options *o) {
  if (!(o->spread > 0)) return;
  double z = o->tau > 0 ? tacit_normal_quantile(o->tau) : 0;
  if (!(o->density_low > 0)) o->density_low = tacit_normal_pdf(z) / o->spread;
  if (!(o->density_high > 0)) o->density_high = tacit_normal_pdf(0) / o->spread;
  if (!(o->density_slope > 0)) o->density_slope = tacit_normal_pdf(1) / (o->spread * o->spread);
}

static tacit_status set_facts(const tacit_bounds_options *o, size_t method, tacit_bounds_facts *f,
                              tacit_error *error) {
  tacit_kernel kernel = METHODS[method].kernel;
  if (o->kernel && !tacit_kernel_by_name(o->kernel, &kernel))
    return tacit_fail(error, TACIT_USAGE, "no kernel of this name");
  *f = (tacit_bounds_facts){.o = *o, .kernel = tacit_kernel_facts(kernel), .mu = o->mu};
  set_densities(&f->o);
  if (!(f->o.eigenvalue > 0)) f->o.eigenvalue = 1;
  if (!(f->o.distance > 0)) f->o.distance = o->theta_bound;
  if (!(f->o.confidence > 0)) f->o.confidence = log(o->rows);
  if (!(f->o.width > 0)) f->o.width = o->diameter;
  f->pair = !(o->mu > 0);
  f->tau_bar = fmax(o->tau, 1 - o->tau);
  bool region = METHODS[method].needs & NEEDS_REGION;
  f->lipschitz = region ? 2 * o->diameter * o->clip_norm : f->tau_bar * o->clip_norm;
  return f->pair ? tacit_gdp_mu(o->epsilon, o->delta, &f->mu, error) : TACIT_OK;
}

tacit_status tacit_bounds_from_schema(const tacit_schema *schema, size_t target, tacit_bounds_options *o,
                                      tacit_error *error) {
  if (target >= schema->target_count)
    return tacit_fail(error, TACIT_USAGE, "the schema has fewer targets than that");
  bool bounded = schema->targets[target].bounded;
  if (!(o->columns > 0)) o->columns = (double)schema->columns;
  if (!(o->clip_norm > 0)) o->clip_norm = tacit_plan_row_norm(schema);
  if (!(o->theta_bound > 0)) o->theta_bound = tacit_default_theta_bound(bounded);
  if (!(o->spread > 0)) o->spread = tacit_normal_pdf(0) / tacit_theory_density(0.5, bounded);
  return TACIT_OK;
}

tacit_status tacit_bounds_find(const tacit_bounds_options *o, tacit_bounds *b, tacit_error *error) {
  tacit_bounds_facts f;
  *b = (tacit_bounds){.bounds = 0};
  for (size_t i = 0; i < METHOD_COUNT; i++) {
    if (!is_called(METHODS[i].method, o->method)) continue;
    TACIT_TRY(check(o, METHODS[i].needs, error));
    TACIT_TRY(set_facts(o, i, &f, error));
    return METHODS[i].find(&f, b, error);
  }
  return tacit_fail(error, TACIT_USAGE, "no bounds are published for a method of this name");
}
