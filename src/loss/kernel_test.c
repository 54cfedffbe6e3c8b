/* The kernels' closed forms against quadrature, and the block loops against the scalar functions. */
#include "loss/kernel.h"

#include "num/quadrature.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef struct query {
  tacit_kernel kernel;
  double u;
} query;

static double density(double v, const void *with) {
  return tacit_kernel_density(((const query *)with)->kernel, v);
}
static double first_moment(double v, const void *with) {
  return fabs(v) * density(v, with);
}
static double second_moment(double v, const void *with) {
  return v * v * density(v, with);
}
static double cross_moment(double v, const void *with) {
  return v * density(v, with) * tacit_kernel_cdf(((const query *)with)->kernel, v);
}
static double shifted(double v, const void *with) {
  return fabs(((const query *)with)->u + v) * density(v, with);
}

/* The integral over [from, to], cut at the kernels' kinks -1, 0, 1 and at one more point. */
static double integral(double (*f)(double, const void *), const query *q, double from, double to,
                       double cut) {
  double cuts[] = {-INFINITY, -1, 0, 1, INFINITY}, sum = 0;
  for (int i = 0; i < 4; i++) {
    double a = fmax(from, cuts[i]), b = fmin(to, cuts[i + 1]);
    if (a >= b) continue;
    double middle = cut > a && cut < b ? cut : a;
    sum += tacit_integrate(f, q, a, middle, 1e-14, NULL) + tacit_integrate(f, q, middle, b, 1e-14, NULL);
  }
  return sum;
}

static void near(double value, double truth, double margin, const char *what) {
  if (!(fabs(value - truth) <= margin))
    fail_msg("%s: %.17g is not %.17g within %g", what, value, truth, margin);
}

#define EACH_KERNEL(k) for (tacit_kernel k = 0; k < TACIT_KERNELS; k++)

static void moments_match_quadrature(void **state) {
  (void)state;
  EACH_KERNEL(k) {
    const tacit_kernel_constants *facts = tacit_kernel_facts(k);
    query q = {k, 0};
    near(integral(density, &q, -INFINITY, INFINITY, 0), 1, 1e-12, facts->name);
    near(integral(first_moment, &q, -INFINITY, INFINITY, 0), facts->kappa1, 1e-12, facts->name);
    near(integral(second_moment, &q, -INFINITY, INFINITY, 0), facts->kappa2, 1e-12, facts->name);
    near(integral(cross_moment, &q, -INFINITY, INFINITY, 0), facts->cross, 1e-12, facts->name);
  }
}

/* On a grid fine enough that a Lipschitz constant of 1.5 hides at most 2e-4. */
static void bounds_match_a_grid_search(void **state) {
  (void)state;
  EACH_KERNEL(k) {
    const tacit_kernel_constants *facts = tacit_kernel_facts(k);
    const double step = 0x1p-13;
    double sup = 0, lower = INFINITY, steepest = 0;
    for (int i = -32768; i < 32768; i++) { /* |u| <= 4 */
      double u = i * step, here = tacit_kernel_density(k, u);
      sup = fmax(sup, here);
      if (fabs(u) <= 1) lower = fmin(lower, here);
      steepest = fmax(steepest, fabs(tacit_kernel_density(k, u + step) - here) / step);
    }
    near(sup, facts->sup, 1e-15, facts->name);
    near(lower, facts->lower, 1e-15, facts->name);
    if (isinf(facts->lipschitz)) {
      assert_true(steepest > 1000);
    } else {
      near(steepest, facts->lipschitz, 2e-4, facts->name);
      assert_true(steepest <= facts->lipschitz * (1 + 1e-9));
    }
  }
}

static void cdf_and_absolute_match_quadrature(void **state) {
  (void)state;
  EACH_KERNEL(k) for (double u = -3.3; u < 3.4; u += 0.2) {
    query q = {k, u};
    const char *name = tacit_kernel_facts(k)->name;
    near(tacit_kernel_cdf(k, u), integral(density, &q, -INFINITY, u, u), 1e-12, name);
    near(tacit_kernel_absolute(k, u), integral(shifted, &q, -INFINITY, INFINITY, -u), 1e-12, name);
  }
}

/* Chen and Chua's Table 1 as printed, where it is legible. */
static void table_1_of_C(void **state) {
  (void)state;
  for (double u = -0.95; u < 1; u += 0.1) {
    near(tacit_kernel_absolute(TACIT_KERNEL_UNIFORM, u), u * u / 2 + 0.5, 1e-15, "uniform");
    near(tacit_kernel_absolute(TACIT_KERNEL_EPANECHNIKOV, u), -pow(u, 4) / 8 + 0.75 * u * u + 0.375, 1e-15,
         "E");
    near(tacit_kernel_cdf(TACIT_KERNEL_EPANECHNIKOV, u), -u * u * u / 4 + 0.75 * u + 0.5, 1e-15, "E");
    near(tacit_kernel_absolute(TACIT_KERNEL_LOGISTIC, u), u + 2 * log(1 + exp(-u)), 1e-15, "logistic");
  }
}

static void cdf_stays_in_range_and_rises(void **state) {
  (void)state;
  EACH_KERNEL(k) {
    double before = 0;
    for (int i = 0; i <= 200000; i++) {
      double u = (i - 100000) * 1e-4, now = tacit_kernel_cdf(k, u);
      assert_true(now >= 0 && now <= 1);
      assert_true(now >= before - 2e-16);
      before = now;
    }
    const double far[] = {1e300, INFINITY, 1e18, 50};
    for (int i = 0; i < 4; i++) {
      assert_true(tacit_kernel_cdf(k, far[i]) == 1);
      double below = tacit_kernel_cdf(k, -far[i]);
      assert_true(below >= 0 && below < 1e-21);
      assert_true(tacit_kernel_density(k, far[i]) == tacit_kernel_density(k, -far[i]));
      assert_true(tacit_kernel_absolute(k, far[i]) == far[i]);
    }
    assert_true(tacit_kernel_cdf(k, 0.0) == 0.5 && tacit_kernel_cdf(k, -0.0) == 0.5);
    assert_true(isnan(tacit_kernel_cdf(k, NAN)) && isnan(tacit_kernel_density(k, NAN)));
    assert_true(isnan(tacit_kernel_absolute(k, NAN)));
  }
  assert_true(tacit_kernel_density(TACIT_KERNEL_UNIFORM, 1) == 0.5);
  assert_true(tacit_kernel_density(TACIT_KERNEL_UNIFORM, nextafter(1, 2)) == 0);
}

static void blocks_equal_scalars_to_the_bit(void **state) {
  (void)state;
  enum { N = 1003 };
  double u[N], out[N], again[N];
  for (int i = 0; i < N; i++) u[i] = i < 900 ? (i - 450) * 0.0123 : sinh((i - 951) * 3.0);
  EACH_KERNEL(k) {
    tacit_kernel_cdf_block(k, N, u, out);
    for (int i = 0; i < N; i++) assert_true(out[i] == tacit_kernel_cdf(k, u[i]));
    memcpy(again, u, sizeof u);
    tacit_kernel_cdf_block(k, N, again, again);
    assert_memory_equal(again, out, sizeof out);
    tacit_kernel_density_block(k, N, u, out);
    for (int i = 0; i < N; i++) assert_true(out[i] == tacit_kernel_density(k, u[i]));
    memcpy(again, u, sizeof u);
    tacit_kernel_density_block(k, N, again, again);
    assert_memory_equal(again, out, sizeof out);
  }
}

static void names_lead_back(void **state) {
  (void)state;
  tacit_kernel found;
  EACH_KERNEL(k) assert_true(tacit_kernel_by_name(tacit_kernel_facts(k)->name, &found) && found == k);
  assert_false(tacit_kernel_by_name("Gaussian ", &found));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(moments_match_quadrature),
      cmocka_unit_test(bounds_match_a_grid_search),
      cmocka_unit_test(cdf_and_absolute_match_quadrature),
      cmocka_unit_test(table_1_of_C),
      cmocka_unit_test(cdf_stays_in_range_and_rises),
      cmocka_unit_test(blocks_equal_scalars_to_the_bit),
      cmocka_unit_test(names_lead_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
