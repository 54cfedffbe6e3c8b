/* Trade-off functions: the largest power of a test at a level. From a privacy curve, for every epsilon,
   power <= e^epsilon level + delta(epsilon), and from the complement of the test
   power <= 1 - e^-epsilon (1 - delta(epsilon) - level) (Dong, Roth and Su, Proposition 6). */
#include "privacy/bundle.h"
#include "privacy/gdp.h"

static tacit_status check_level(double level, tacit_error *error) {
  if (level > 0 && level < 1) return TACIT_OK;
  return tacit_fail(error, TACIT_USAGE, "the level of a test must be above 0 and below 1");
}

static double capped(long double power) {
  return power < 1 ? fmin((double)power * (1 + 1e-12), 1) : 1;
}

/* z with P(N < z) at least p. */
static long double quantile_above(double p) {
  long double low = -40, high = 40;
  for (int i = 0; i < 90; i++) {
    long double z = (low + high) / 2;
    if (erfcl(-z / sqrtl(2)) / 2 * (1 - TACIT_LIBM_ERROR) >= p)
      high = z;
    else
      low = z;
  }
  return high;
}

tacit_status tacit_gdp_power(double mu, double level, double *power, tacit_error *error) {
  TACIT_TRY(check_level(level, error));
  if (!(mu >= 0 && mu <= TACIT_MU_MAX))
    return tacit_fail(error, TACIT_USAGE, "mu must be at least 0 and at most %g", TACIT_MU_MAX);
  *power = capped(erfcl(-(quantile_above(level) + mu) / sqrtl(2)) / 2);
  return TACIT_OK;
}

static double pair_bound(double epsilon, double delta, double level) {
  long double e = expl(epsilon), direct = e * level + delta,
              complement = 1 - (1 - (long double)delta - level) / e;
  if (complement < 0) complement = 0;
  return capped(direct < complement ? direct : complement);
}

tacit_status tacit_pair_power(double epsilon, double delta, double level, double *power, tacit_error *error) {
  TACIT_TRY(check_level(level, error));
  if (!(epsilon >= 0 && epsilon <= TACIT_EPSILON_MAX && delta >= 0 && delta <= 1))
    return tacit_fail(error, TACIT_USAGE, "epsilon must be at least 0, delta in [0, 1]");
  *power = pair_bound(epsilon, delta, level);
  return TACIT_OK;
}

/* Upper bounds on delta of both directions; without a tilt they are good to about 1e-12, for every epsilon.
 */
typedef struct both {
  tacit_bundle_sum of[2];
  size_t count;
} both;

static double bound_at(const both *b, double epsilon, double level) {
  double delta = 0;
  for (size_t i = 0; i < b->count; i++) delta = fmax(delta, tacit_bundle_sum_delta(&b->of[i], epsilon));
  return pair_bound(epsilon, delta, level);
}

/* The best epsilon: any is a bound, so a search that missed the least would only be less sharp. */
static double least_power(const both *b, double level) {
  enum { COARSE = 400, FINE = 60 };
  double far = fmin(-log(fmin(level, 1 - level)) + 1, 60), best = 1, at = 0;
  for (int i = 0; i <= COARSE; i++) {
    double epsilon = far * i / COARSE, power = bound_at(b, epsilon, level);
    if (power < best) best = power, at = epsilon;
  }
  double low = fmax(at - far / COARSE, 0), high = at + far / COARSE;
  for (int i = 0; i < FINE; i++) {
    double third = (high - low) / 3, a = bound_at(b, low + third, level),
           c = bound_at(b, high - third, level);
    best = fmin(best, fmin(a, c));
    if (a < c)
      high -= third;
    else
      low += third;
  }
  return best;
}

static tacit_status compose_both(const tacit_grouped *g, both *b, tacit_error *error) {
  enum { HALVINGS = 3, WIDENINGS = 8 };
  tacit_fft *roots = NULL;
  tacit_status status = TACIT_OK;
  double width = ldexp(tacit_bundle_width(g), -HALVINGS);
  b->count = 0;
  for (size_t i = 0; i < tacit_grouped_directions(g) && status == TACIT_OK; i++) {
    int tries = 0;
    do { /* where the grid is too fine, a wider one */
      const tacit_bundle_grid grid = {ldexp(width, tries), 12, 0, i};
      status = tacit_bundle_compose(g, &grid, TACIT_UPPER_SIDE, &roots, &b->of[i], error);
      if (status != TACIT_OK) tacit_bundle_sum_free(&b->of[i]);
    } while (status == TACIT_REFUSED && ++tries < WIDENINGS);
    b->count += status == TACIT_OK;
  }
  tacit_fft_free(roots);
  return status;
}

tacit_status tacit_bundle_power(const tacit_bundle *bundle, size_t count, const double *level, double *power,
                                tacit_error *error) {
  tacit_grouped grouped;
  both b = {.count = 0};
  for (size_t i = 0; i < count; i++) TACIT_TRY(check_level(level[i], error));
  TACIT_TRY(tacit_bundle_group(bundle, &grouped, error));
  tacit_status status = grouped.only_gaussian ? TACIT_OK : compose_both(&grouped, &b, error);
  for (size_t i = 0; i < count && status == TACIT_OK; i++) {
    if (grouped.only_gaussian)
      status = tacit_gdp_power(grouped.gaussian.mu, level[i], &power[i], error);
    else
      power[i] = least_power(&b, level[i]);
  }
  for (size_t i = 0; i < b.count; i++) tacit_bundle_sum_free(&b.of[i]);
  return status;
}
