/* Grids from both sides: spreading dominates, drawing together is dominated, whatever the measure. */
#include "privacy/convolve.h"
#include "privacy/pld.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t state_of = 88172645463325252u;
static double uniform(void) {
  state_of ^= state_of << 13;
  state_of ^= state_of >> 7;
  state_of ^= state_of << 17;
  return (double)(state_of >> 11) * 0x1p-53;
}

/* sum over losses of the mass (1 - e^(epsilon - loss))_+, where the mass was tilted by theta */
static double curve(const tacit_measure *m, double theta, double epsilon) {
  double sum = 0;
  for (size_t i = 0; i < m->count; i++) {
    double loss = (double)(m->low + (int64_t)i) * m->width;
    if (loss > epsilon) sum -= m->mass[i] * exp(-theta * loss) * expm1(epsilon - loss);
  }
  return sum;
}

static void random_measure(tacit_measure *m, size_t count, int64_t low, double width, int kind) {
  *m = (tacit_measure){width, low, count, calloc(count, sizeof(double))};
  assert_non_null(m->mass);
  for (size_t i = 0; i < count; i++) {
    double x = ((double)i - (double)count / 2) / (double)count * 8;
    m->mass[i] = kind == 0          ? uniform()
                 : kind == 1        ? exp(-x * x) * (0.5 + uniform())
                 : uniform() < 0.05 ? uniform()
                                    : 0;
  }
}

static void coarser_grids_bound_the_curve_from_both_sides(void **state) {
  (void)state;
  for (int kind = 0; kind < 3; kind++)
    for (int i = 0; i < 40; i++) {
      tacit_measure fine, wide[2];
      double theta = i % 2 ? 0 : 9 * uniform();
      random_measure(&fine, 37 + (size_t)(400 * uniform()), (int64_t)(300 * uniform()) - 200, 0x1p-6, kind);
      for (int side = 0; side < 2; side++)
        assert_int_equal(tacit_measure_coarsen(&fine, 16, theta, (tacit_side)side, &wide[side], NULL),
                         TACIT_OK);
      for (double epsilon = -3; epsilon < 5; epsilon += 0.11) {
        double exact = curve(&fine, theta, epsilon);
        assert_true(curve(&wide[TACIT_LOWER_SIDE], theta, epsilon) <= exact * (1 + 1e-12) + 1e-300);
        assert_true(curve(&wide[TACIT_UPPER_SIDE], theta, epsilon) >= exact * (1 - 1e-12));
      }
      /* nothing is lost on the way up: total mass and total mass under Q stay */
      double p[2] = {0, 0}, q[2] = {0, 0};
      const tacit_measure *both[2] = {&fine, &wide[TACIT_UPPER_SIDE]};
      for (int k = 0; k < 2; k++)
        for (size_t j = 0; j < both[k]->count; j++) {
          double loss = (double)(both[k]->low + (int64_t)j) * both[k]->width,
                 mass = both[k]->mass[j] * exp(-theta * loss);
          p[k] += mass;
          q[k] += mass * exp(-loss);
        }
      assert_true(fabs(p[1] - p[0]) <= 1e-12 * p[0] && fabs(q[1] - q[0]) <= 1e-12 * q[0]);
      tacit_measure_free(&fine);
      for (int side = 0; side < 2; side++) tacit_measure_free(&wide[side]);
    }
}

/* One step's measures enclose the exact curve at every epsilon; their masses are those of probabilities. */
static void one_step_is_enclosed_everywhere(void **state) {
  (void)state;
  for (int kind = 0; kind < 2; kind++)
    for (double q = 0.003; q < 1; q *= 6)
      for (double sigma = 0.5; sigma < 5; sigma *= 2.2) {
        tacit_step_curve c;
        tacit_measure lower, upper;
        double beyond;
        tacit_step_curve_set(&c, kind ? TACIT_STEP_FIXED : TACIT_STEP_REMOVE, q, sigma);
        const tacit_step_grid grid = {0x1p-8, 12, 1 << 20, INFINITY};
        assert_int_equal(tacit_measure_step(&c, &grid, &lower, &upper, &beyond, NULL), TACIT_OK);
        double sums[2] = {0, 0}, s = (double)c.shift;
        for (size_t i = 0; i < upper.count; i++) sums[0] += lower.mass[i], sums[1] += upper.mass[i];
        assert_true(sums[0] <= 1 + 1e-14 && sums[0] > 0.99 && fabs(sums[1] - 1) < 1e-11);
        for (double epsilon = 0.0017; epsilon < 2; epsilon *= 1.3) {
          double a = exp(epsilon), y = log((a - 1 + q) / q) / s;
          double exact =
              q * (erfc((y - s / 2) / sqrt(2)) - (1 + (a - 1) / q) * erfc((y + s / 2) / sqrt(2))) / 2;
          if (exact < 1e-12) continue;
          assert_true(curve(&lower, 0, epsilon) <= exact * (1 + 1e-9));
          assert_true(curve(&upper, 0, epsilon) + beyond >= exact * (1 - 1e-9));
        }
        tacit_measure_free(&lower);
        tacit_measure_free(&upper);
      }
}

/* With few points away from 0 it is enclosed just as well, for all pairs, and the lower measure keeps the
   mass: a share of 1e-12 lost in every step would be seen after so many of them. */
static void few_points_enclose_the_same_step(void **state) {
  (void)state;
  const tacit_step_kind kinds[] = {TACIT_STEP_REMOVE, TACIT_STEP_ADD, TACIT_STEP_REPLACE, TACIT_STEP_FIXED};
  for (int k = 0; k < 4; k++)
    for (double q = 2e-4; q < 0.5; q *= 40)
      for (double sigma = 3; sigma < 20; sigma *= 4) {
        tacit_step_curve c;
        tacit_measure all[2], few[2];
        double beyond[2];
        tacit_step_curve_set(&c, kinds[k], q, sigma);
        double width = ldexp(1, ilogb(tacit_step_spread(&c) / 50));
        const tacit_step_grid every = {width, 9, 1 << 20, INFINITY}, graded = {width, 9, 1 << 20, 0.01 / q};
        assert_int_equal(tacit_measure_step(&c, &every, &all[0], &all[1], &beyond[0], NULL), TACIT_OK);
        assert_int_equal(tacit_measure_step(&c, &graded, &few[0], &few[1], &beyond[1], NULL), TACIT_OK);
        size_t points[2] = {0, 0};
        long double lost[2] = {1, 1}, variance[2] = {0, 0};
        for (size_t i = 0; i < all[0].count; i++) {
          double loss = (double)(all[0].low + (int64_t)i) * width;
          points[0] += all[1].mass[i] > 0, points[1] += few[1].mass[i] > 0;
          for (int side = 0; side < 2; side++) {
            lost[side] -= few[side].mass[i];
            variance[side] += few[side].mass[i] * loss * loss;
          }
        }
        assert_true(points[1] < points[0]);
        assert_true(lost[0] > 0 && lost[0] < 2e-15L + 1e-10L * tacit_step_spread(&c) && lost[1] < 0 &&
                    lost[1] > -3e-11);
        assert_true(variance[1] > variance[0] && variance[1] - variance[0] < 0.4 * width * width);
        /* and they are on the right sides of the finer ones */
        for (double epsilon = 0; epsilon < 30 * q / sigma; epsilon += q / sigma * 1.7) {
          assert_true(curve(&few[0], 0, epsilon) <= curve(&all[1], 0, epsilon) + beyond[0]);
          assert_true(curve(&few[1], 0, epsilon) + beyond[1] >= curve(&all[0], 0, epsilon));
        }
        for (int side = 0; side < 2; side++) tacit_measure_free(&all[side]), tacit_measure_free(&few[side]);
      }
}

/* Powers by the transform against powers by the definition, within the stated distance. */
static void convolutions_are_within_their_bound(void **state) {
  (void)state;
  for (int i = 0; i < 30; i++) {
    tacit_measure a, b, out;
    uint64_t power = 1 + (uint64_t)(12 * uniform());
    random_measure(&a, 5 + (size_t)(60 * uniform()), -20, 0x1p-4, 1);
    random_measure(&b, 5 + (size_t)(60 * uniform()), -3, 0x1p-4, 0);
    double total = 0;
    for (size_t j = 0; j < a.count; j++) total += a.mass[j];
    for (size_t j = 0; j < a.count; j++) a.mass[j] /= total;
    tacit_convolve_part parts[2] = {{&a, power}, {&b, 1}};
    double off;
    tacit_fft *roots = NULL;
    assert_int_equal(tacit_convolve(parts, 2, 16, &roots, &out, &off, NULL), TACIT_OK);
    tacit_fft_free(roots);
    long double *direct = calloc(4096, sizeof *direct), *next = calloc(4096, sizeof *direct);
    assert_true(direct && next);
    for (size_t j = 0; j < b.count; j++) direct[j] = b.mass[j];
    for (uint64_t k = 0; k < power; k++) {
      memset(next, 0, 4096 * sizeof *next);
      for (size_t j = 0; j < 2000; j++)
        for (size_t l = 0; l < a.count; l++) next[j + l] += direct[j] * (long double)a.mass[l];
      memcpy(direct, next, 4096 * sizeof *next);
    }
    int64_t low = b.low + (int64_t)power * a.low;
    long double distance = 0;
    for (size_t j = 0; j < out.count; j++) {
      int64_t at = out.low + (int64_t)j - low;
      distance += fabsl((at >= 0 && at < 4096 ? direct[at] : 0) - out.mass[j]);
    }
    assert_true(distance <= off && off < 1e-10);
    free(direct), free(next);
    tacit_measure_free(&a), tacit_measure_free(&b), tacit_measure_free(&out);
  }
}

/* Two products from one transform are the two products, whatever the sums of the measures are. */
static void two_products_at_a_time_are_the_same(void **state) {
  (void)state;
  for (int i = 0; i < 20; i++) {
    tacit_measure a, b, one;
    random_measure(&a, 300, -100, 0x1p-4, 1);
    random_measure(&b, 200 + (size_t)(300 * uniform()), -30, 0x1p-4, i % 3);
    double total = tacit_measure_total(&a), off;
    for (size_t j = 0; j < a.count; j++) a.mass[j] /= total;
    for (size_t j = 0; j < b.count; j++) b.mass[j] *= ldexp(1, i % 7 - 9);
    tacit_product products[2] = {{.power = {16, 0}}, {.power = {1 + (uint64_t)i % 15, 1}}};
    const tacit_measure *in[2] = {&a, &b};
    tacit_fft *roots = tacit_fft_new(14); /* longer than needed */
    assert_int_equal(tacit_convolve_products(in, products, 2, -30, 16, &roots, NULL), TACIT_OK);
    for (size_t k = 0; k < 2; k++) {
      const tacit_convolve_part parts[2] = {{&a, products[k].power[0]}, {&b, 1}};
      assert_int_equal(tacit_convolve(parts, k + 1, 16, &roots, &one, &off, NULL), TACIT_OK);
      double distance = 0, size = tacit_measure_total(&one);
      for (size_t j = 0; j < one.count; j++) {
        int64_t at = one.low + (int64_t)j - products[k].out.low;
        distance += fabs(one.mass[j] -
                         (at >= 0 && at < (int64_t)products[k].out.count ? products[k].out.mass[at] : 0));
      }
      assert_true(distance <= off + products[k].off && products[k].off < 1e-11 * (size + 1));
      tacit_measure_free(&one), tacit_measure_free(&products[k].out);
    }
    tacit_fft_free(roots);
    tacit_measure_free(&a), tacit_measure_free(&b);
  }
}

/* What is read from running sums is the sum over all losses, at, between and outside the grid's points. */
static void delta_is_the_sum_over_losses(void **state) {
  (void)state;
  for (double theta = 0; theta < 30; theta += 7) {
    tacit_step_curve c;
    tacit_measure step[2];
    double beyond;
    tacit_step_curve_set(&c, TACIT_STEP_REMOVE, 0.3, 1.5);
    const tacit_step_grid grid = {0x1p-7, 9, 1 << 20, INFINITY};
    assert_int_equal(tacit_measure_step(&c, &grid, &step[0], &step[1], &beyond, NULL), TACIT_OK);
    for (int side = 0; side < 2; side++) {
      tacit_measure same = step[side];
      same.mass = malloc(same.count * sizeof *same.mass);
      assert_non_null(same.mass);
      memcpy(same.mass, step[side].mass, same.count * sizeof *same.mass);
      tacit_pld pld;
      const tacit_composition once = {1, beyond, theta, (tacit_side)side, 16};
      assert_int_equal(tacit_pld_compose(&step[side], &once, &pld, NULL), TACIT_OK);
      for (double epsilon = 0; epsilon < 3; epsilon += 0x1p-9) {
        double direct = curve(&same, 0, epsilon), read = tacit_pld_delta(&pld, epsilon);
        double tight = theta == 0 ? 1e-4 : 1; /* other tilts are idle far from where they are for */
        if (side == TACIT_LOWER_SIDE)
          assert_true(read <= direct * (1 + 1e-14) && (direct < tight || read >= direct * (1 - 1e-8)));
        else
          assert_true(read >= direct * (1 - 1e-14) && (direct < tight || read <= direct * (1 + 1e-8)));
      }
      tacit_pld_free(&pld);
      free(same.mass);
    }
  }
}

/* The bounds hold for any tilt, good or bad. */
static void any_tilt_gives_bounds(void **state) {
  (void)state;
  double most = 0, least = 1;
  for (double theta = 0; theta < 40; theta += 3) {
    tacit_step_curve c;
    tacit_measure step[2];
    tacit_pld pld[2];
    double beyond, bound[2];
    tacit_step_curve_set(&c, TACIT_STEP_REMOVE, 0.02, 2);
    const tacit_step_grid grid = {0x1p-12, 12, 1 << 20, INFINITY};
    assert_int_equal(tacit_measure_step(&c, &grid, &step[0], &step[1], &beyond, NULL), TACIT_OK);
    for (int side = 0; side < 2; side++) {
      const tacit_composition often = {3000, beyond, theta, (tacit_side)side, 20};
      assert_int_equal(tacit_pld_compose(&step[side], &often, &pld[side], NULL), TACIT_OK);
      bound[side] = tacit_pld_delta(&pld[side], 2);
      tacit_pld_free(&pld[side]);
    }
    most = fmax(most, bound[0]);
    least = fmin(least, bound[1]);
  }
  assert_true(most <= least && least < most * 1.01); /* every lower bound is below every upper one */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(coarser_grids_bound_the_curve_from_both_sides),
      cmocka_unit_test(one_step_is_enclosed_everywhere),
      cmocka_unit_test(few_points_enclose_the_same_step),
      cmocka_unit_test(convolutions_are_within_their_bound),
      cmocka_unit_test(two_products_at_a_time_are_the_same),
      cmocka_unit_test(delta_is_the_sum_over_losses),
      cmocka_unit_test(any_tilt_gives_bounds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
