/* The papers' bounds on what privacy can cost at worst, in the units of an encoded target with b + h = 1. */
#include "loss/kernel.h"
#include "study/plan.h"

#include <math.h>

/* What one feature adds to the squared norm of a row: levels and B-splines sum to at most one, a sine and its
   cosine have norm one, one Haar step of each scale is not zero; norms of products multiply. */
static double square_norm(const tacit_schema *schema, const tacit_feature *feature) {
  double limit = feature->scale.limit, product = 1;
  for (size_t i = 0; i < feature->factor_count; i++)
    product *= square_norm(schema, &schema->features[feature->factors[i]]);
  if (feature->factor_count > 0) return fmin(product, (double)feature->width * limit * limit);
  switch (feature->kind) {
  case TACIT_FEATURE_NUMBER:
  case TACIT_FEATURE_LAG:
    return limit * limit;
  case TACIT_FEATURE_CATEGORY:
  case TACIT_FEATURE_SPLINE:
    return 1;
  case TACIT_FEATURE_POLYNOMIAL: /* of a number in [-1, 1] */
    return (double)feature->degree;
  case TACIT_FEATURE_FOURIER:
    return (double)feature->harmonics;
  case TACIT_FEATURE_HAAR:
  case TACIT_FEATURE_WAVELET:
    return (double)feature->resolution;
  case TACIT_FEATURE_PRODUCT: /* above */
    break;
  }
  return (double)feature->width;
}

double tacit_plan_row_norm(const tacit_schema *schema) {
  double square = 1; /* the intercept */
  for (size_t f = 0; f < schema->feature_count; f++) square += square_norm(schema, &schema->features[f]);
  return sqrt(square);
}

/* The companion's (EC.25) for T = n^2 steps on the mean gradient, minimised over the step size:

     regret <= B_theta sqrt(2 L^2 (1 + n^2) / n^3 + (L^2 + d sigma^2 + kappa_1 sup K B_x^2) / n^2),

   L = max(tau, 1 - tau) B_x. The paper's sigma comes from (epsilon, delta); Gaussian noise on T mean
   gradients of sensitivity s / n is mu-GDP with sigma = (s / n) sqrt(T) / mu = s / mu, s = 2 k L for
   replacing a unit of k rows and k L for adding or removing it. */
double tacit_plan_worst_case(const tacit_schema *schema, const tacit_plan_options *options, double tau,
                             double norm, double rows, double mu) {
  const tacit_kernel_constants *kernel = tacit_kernel_facts(TACIT_KERNEL_GAUSSIAN);
  double Bx = tacit_plan_row_norm(schema), L = fmax(tau, 1 - tau) * Bx;
  double s = (options->adjacency == TACIT_ADD_REMOVE ? 1 : 2) * (double)schema->rows_per_unit * L;
  double sigma = s / (mu / sqrt((double)schema->target_count)); /* all targets share the guarantee */
  double learning = 2 * L * L * (1 + rows * rows) / (rows * rows * rows);
  double rest = L * L + (double)schema->columns * sigma * sigma + kernel->kappa1 * kernel->sup * Bx * Bx;
  return norm * sqrt(learning + rest / (rows * rows));
}

double tacit_plan_rate(double columns, double rows, double mu) {
  double ratio = (columns + log(rows)) / (mu * rows);
  return log(rows) * ratio * ratio;
}
