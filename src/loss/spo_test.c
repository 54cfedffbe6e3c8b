/* SPO, SPO+ and its smoothing: known answers, SPO <= SPO+, gradients against finite differences. */
#include "loss/spo.h"

#include "loss/regions_for_test.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static tacit_region *parse(const char *json) {
  tacit_region *region;
  assert_int_equal(tacit_region_parse(json, strlen(json), &region, NULL), TACIT_OK);
  return region;
}

typedef struct row {
  double c[64], best[64], chat[64], best_cost;
} row;

static void finish(const tacit_region *region, row *r, double *work) {
  assert_int_equal(tacit_region_minimise(region, r->c, NULL, work, r->best, &r->best_cost, NULL), TACIT_OK);
}

static double plus(const tacit_region *region, double smoothing, const row *r, double *work,
                   double *gradient) {
  double loss;
  const tacit_spo_forecast forecast = {r->c, r->best, r->chat};
  assert_int_equal(tacit_spo_plus(region, smoothing, &forecast, work, &loss, gradient, NULL), TACIT_OK);
  return loss;
}

static double spo(const tacit_region *region, const row *r, double *work) {
  double loss;
  assert_int_equal(tacit_spo_loss(region, r->c, r->best_cost, r->chat, work, &loss, NULL), TACIT_OK);
  return loss;
}

/* reference/spo.md */
static void the_reference_answers_hold(void **state) {
  (void)state;
  tacit_region *region =
      parse("{\"kind\":\"graph\",\"nodes\":4,\"edges\":[[1,2],[1,3],[2,4],[3,4]],\"source\":1,\"sink\":4}");
  double *work = malloc(tacit_spo_work(region) * sizeof *work), gradient[4];
  row r = {.c = {4, 1, 4, 6}, .chat = {2.5, 2, 1.1, 3.2}};
  static const double expected[] = {-2, 2, -2, 2};
  finish(region, &r, work);
  assert_true(fabs(spo(region, &r, work) - 1) < 1e-12);
  assert_true(fabs(plus(region, 0, &r, work, gradient) - 4.2) < 1e-12);
  assert_memory_equal(gradient, expected, sizeof expected);
  free(work);
  tacit_region_free(region);
}

/* One of two, c = (1, 2), chat = (0.9, 1), smoothed by 2: of w = (t, 1 - t) the largest -0.8 t - t^2 - (1 -
   t)^2 is -0.82, at t = 0.3; with 2 chat'w*(c) - z*(c) = 0.8 that is -0.02, where the loss without smoothing
   is 0.8. */
static void a_smoothed_loss_by_hand(void **state) {
  (void)state;
  tacit_region *region = parse("{\"kind\":\"simplex\",\"dimension\":2}");
  double *work = malloc(tacit_spo_work(region) * sizeof *work), gradient[2];
  row r = {.c = {1, 2}, .chat = {0.9, 1}};
  finish(region, &r, work);
  assert_true(fabs(plus(region, 0, &r, work, gradient) - 0.8) < 1e-12);
  assert_true(fabs(plus(region, 2, &r, work, gradient) + 0.02) < 1e-12);
  assert_true(fabs(gradient[0] - 1.4) < 1e-12 &&
              fabs(gradient[1] + 1.4) < 1e-12); /* 2 ((1, 0) - (0.3, 0.7)) */
  free(work);
  tacit_region_free(region);
}

/* A prediction without opinion may choose the worst decision, and the loss says so. */
static void a_tie_costs_its_worst(void **state) {
  (void)state;
  tacit_region *region = parse("{\"kind\":\"simplex\",\"dimension\":3}");
  double *work = malloc(tacit_spo_work(region) * sizeof *work);
  row r = {.c = {1, 5, 3}, .chat = {2, 2, 7}};
  finish(region, &r, work);
  assert_true(spo(region, &r, work) == 4);
  r.chat[1] = 2.0000001;
  assert_true(spo(region, &r, work) == 0);
  free(work);
  tacit_region_free(region);
}

static void draw(const tacit_region *region, row *r, double *work) {
  size_t d = tacit_region_dimension(region);
  fill(d, 2, r->c);
  fill(d, 2, r->chat);
  finish(region, r, work);
}

/* Wang and Qin's section 3: SPO <= SPO+; smoothing lowers SPO+ by at most smoothing / 2 * reach^2; the
   gradient is at most two diameters long; SPO+ is convex. */
static void the_inequalities_hold(void **state) {
  (void)state;
  for (size_t k = 0; k < REGIONS_COUNT; k++) {
    tacit_region *region = parse(REGIONS[k]);
    size_t d = tacit_region_dimension(region);
    double *work = malloc(tacit_spo_work(region) * sizeof *work), gradient[64];
    for (int trial = 0; trial < 100; trial++) {
      row r;
      draw(region, &r, work);
      double loss = spo(region, &r, work), above = plus(region, 0, &r, work, gradient);
      assert_true(loss >= -1e-9 && loss <= above + 1e-9);
      double smooth = plus(region, 0.3, &r, work, gradient);
      assert_true(smooth <= above + 1e-9 && above <= smooth + 0.15 * region->reach * region->reach + 1e-9);
      assert_true(sqrt(inner(d, gradient, gradient)) <= 2 * region->diameter + 1e-9);
      row far = r, between = r;
      fill(d, 2, far.chat);
      for (size_t j = 0; j < d; j++) between.chat[j] = (r.chat[j] + far.chat[j]) / 2;
      assert_true(plus(region, 0, &between, work, NULL) <=
                  (above + plus(region, 0, &far, work, NULL)) / 2 + 1e-9);
    }
    free(work);
    tacit_region_free(region);
  }
}

/* Along a random direction, on every region and for several smoothings. The smoothed loss is 4 / smoothing
   smooth with a piecewise constant second derivative, so the central difference errs by at most
   4 / smoothing * h where it crosses a kink, and by rounding. */
static void smoothed_gradients_agree_with_finite_differences(void **state) {
  (void)state;
  static const double smoothings[] = {0.05, 0.5, 4};
  const double h = 1e-6;
  for (size_t k = 0; k < REGIONS_COUNT; k++) {
    tacit_region *region = parse(REGIONS[k]);
    size_t d = tacit_region_dimension(region);
    double *work = malloc(tacit_spo_work(region) * sizeof *work), gradient[64], direction[64];
    for (int s = 0; s < 3; s++)
      for (int trial = 0; trial < 40; trial++) {
        row r, up, down;
        draw(region, &r, work);
        up = down = r;
        fill(d, 1, direction);
        double length = sqrt(inner(d, direction, direction));
        for (size_t j = 0; j < d; j++) {
          direction[j] /= length;
          up.chat[j] += h * direction[j];
          down.chat[j] -= h * direction[j];
        }
        (void)plus(region, smoothings[s], &r, work, gradient);
        double rise =
            (plus(region, smoothings[s], &up, work, NULL) - plus(region, smoothings[s], &down, work, NULL)) /
            (2 * h);
        double slope = inner(d, gradient, direction);
        if (!(fabs(rise - slope) <= 4 / smoothings[s] * h + 2e-8))
          fail_msg("%s: smoothing %g: %.12g against %.12g", REGIONS[k], smoothings[s], rise, slope);
      }
    free(work);
    tacit_region_free(region);
  }
}

/* 2 (w*(c) - w_s) at a point is a subgradient there: the loss elsewhere lies above its line. */
static void subgradients_lie_below(void **state) {
  (void)state;
  for (size_t k = 0; k < REGIONS_COUNT; k++) {
    tacit_region *region = parse(REGIONS[k]);
    size_t d = tacit_region_dimension(region);
    double *work = malloc(tacit_spo_work(region) * sizeof *work), gradient[64];
    for (int trial = 0; trial < 60; trial++)
      for (int smooth = 0; smooth < 2; smooth++) {
        row r, other;
        draw(region, &r, work);
        other = r;
        fill(d, 2, other.chat);
        double here = plus(region, smooth * 0.7, &r, work, gradient), line = here;
        for (size_t j = 0; j < d; j++) line += gradient[j] * (other.chat[j] - r.chat[j]);
        assert_true(plus(region, smooth * 0.7, &other, work, NULL) >= line - 1e-9);
      }
    free(work);
    tacit_region_free(region);
  }
}

static void predictions_out_of_any_range_are_survived(void **state) {
  (void)state;
  for (size_t k = 0; k < REGIONS_COUNT; k++) {
    tacit_region *region = parse(REGIONS[k]);
    size_t d = tacit_region_dimension(region);
    double *work = malloc(tacit_spo_work(region) * sizeof *work), gradient[64];
    row r;
    draw(region, &r, work);
    for (size_t j = 0; j < d; j++) r.chat[j] *= 1e80;
    (void)plus(region, 1e-30, &r, work, gradient);
    assert_true(sqrt(inner(d, gradient, gradient)) <= 2 * region->diameter * (1 + 1e-9));
    r.chat[0] = NAN;
    double loss;
    const tacit_spo_forecast forecast = {r.c, r.best, r.chat};
    assert_int_equal(tacit_spo_plus(region, 0, &forecast, work, &loss, gradient, NULL), TACIT_USAGE);
    r.chat[0] = INFINITY;
    assert_int_equal(tacit_spo_loss(region, r.c, 0, r.chat, work, &loss, NULL), TACIT_USAGE);
    free(work);
    tacit_region_free(region);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_reference_answers_hold),
      cmocka_unit_test(a_smoothed_loss_by_hand),
      cmocka_unit_test(a_tie_costs_its_worst),
      cmocka_unit_test(the_inequalities_hold),
      cmocka_unit_test(smoothed_gradients_agree_with_finite_differences),
      cmocka_unit_test(subgradients_lie_below),
      cmocka_unit_test(predictions_out_of_any_range_are_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
