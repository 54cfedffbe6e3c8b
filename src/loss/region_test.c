/* Regions: known answers, ties, projections that satisfy their optimality conditions, diameters that hold. */
#include "loss/regions_for_test.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static tacit_region *parse(const char *json) {
  tacit_region *region;
  tacit_error error = {""};
  if (tacit_region_parse(json, strlen(json), &region, &error) != TACIT_OK)
    fail_msg("%s: %s", json, error.text);
  return region;
}

static double *space_for(const tacit_region *region) {
  double *work = malloc(tacit_region_work(region) * sizeof *work);
  assert_non_null(work);
  return work;
}

static void minimise(const tacit_region *region, const double *cost, const double *against, double *work,
                     double *w, double *value) {
  tacit_error error = {""};
  if (tacit_region_minimise(region, cost, against, work, w, value, &error) != TACIT_OK)
    fail_msg("%s", error.text);
}

static void project(const tacit_region *region, const double *point, double *work, double *w) {
  tacit_error error = {""};
  if (tacit_region_project(region, point, work, w, &error) != TACIT_OK) fail_msg("%s", error.text);
}

static void check_answer(const char *json, const double *cost, const double *against, const double *best,
                         double value) {
  tacit_region *region = parse(json);
  double *work = space_for(region), w[16], found;
  minimise(region, cost, against, work, w, &found);
  assert_true(fabs(found - value) < 1e-12);
  for (size_t j = 0; j < tacit_region_dimension(region); j++) assert_true(fabs(w[j] - best[j]) < 1e-12);
  free(work);
  tacit_region_free(region);
}

/* reference/spo.md */
static void the_oracle_knows_the_reference_graphs(void **state) {
  (void)state;
  static const char four[] =
      "{\"kind\":\"graph\",\"nodes\":4,\"edges\":[[1,2],[1,3],[2,4],[3,4]],\"source\":1,\"sink\":4}";
  static const char five[] =
      "{\"kind\":\"graph\",\"nodes\":4,\"edges\":[[1,2],[1,3],[2,4],[3,4],[3,2]],\"source\":1,\"sink\":4}";
  check_answer(four, (double[]){4, 1, 4, 6}, NULL, (double[]){0, 1, 0, 1}, 7);
  check_answer(four, (double[]){2.5, 2, 1.1, 3.2}, NULL, (double[]){1, 0, 1, 0}, 3.6);
  check_answer(five, (double[]){4, 1, 4, 6, 1}, NULL, (double[]){0, 1, 1, 0, 1}, 6);
  tacit_region *region = parse("{\"kind\":\"grid\",\"rows\":20,\"columns\":20}");
  assert_int_equal(tacit_region_dimension(region), 760);
  double *work = space_for(region), *cost = malloc(2 * 760 * sizeof *cost), value;
  for (size_t j = 0; j < 760; j++) cost[j] = 1;
  minimise(region, cost, NULL, work, cost + 760, &value);
  assert_true(value == 38);
  free(work);
  free(cost);
  tacit_region_free(region);
}

static void polytopes_are_minimised_over(void **state) {
  (void)state;
  check_answer("{\"kind\":\"polytope\",\"A\":[[1]],\"b\":[1]}", (double[]){-2}, NULL, (double[]){1}, -2);
  /* where 2 w1 + w2 = 4 and w2 - w1 = 2 */
  check_answer("{\"kind\":\"polytope\",\"A\":[[2,1,0],[0,1,3],[-1,1,1],[1,1,1]],\"b\":[4,5,2,3.5]}",
               (double[]){-1, -1, 1}, NULL, (double[]){2.0 / 3, 8.0 / 3, 0}, -10.0 / 3);
}

static void ties_are_decided_against_us(void **state) {
  (void)state;
  static const char grid[] = "{\"kind\":\"grid\",\"rows\":2,\"columns\":2}"; /* right, down, down, right */
  check_answer(grid, (double[]){0, 0, 0, 0}, (double[]){1, 5, 1, 5}, (double[]){0, 1, 0, 1}, 0);
  check_answer(grid, (double[]){0, 0, 0, 0}, (double[]){5, 1, 5, 1}, (double[]){1, 0, 1, 0}, 0);
  /* 0.1 + 0.2 is not 0.3 in doubles: a tie all the same. */
  check_answer(grid, (double[]){0.1, 0.3, 0.2, 0}, (double[]){0, 1, 0, 0}, (double[]){0, 1, 0, 1}, 0.3);
  check_answer(grid, (double[]){0.1, 0.3, 0.2, 0}, (double[]){1, 0, 0, 0}, (double[]){1, 0, 1, 0}, 0.3);
  check_answer("{\"kind\":\"simplex\",\"dimension\":3}", (double[]){1, 1, 2}, (double[]){0, 3, 9},
               (double[]){0, 1, 0}, 1);
  check_answer("{\"kind\":\"box\",\"min\":[0,0],\"max\":[1,1]}", (double[]){0, -1}, (double[]){4, 4},
               (double[]){1, 1}, -1);
  check_answer("{\"kind\":\"ball\",\"dimension\":2,\"radius\":2}", (double[]){0, 0}, (double[]){3, 4},
               (double[]){1.2, 1.6}, 0);
  check_answer("{\"kind\":\"polytope\",\"A\":[[1,1]],\"b\":[1]}", (double[]){-1, -1}, (double[]){2, 1},
               (double[]){1, 0}, -1);
  check_answer("{\"kind\":\"polytope\",\"A\":[[1,1]],\"b\":[1]}", (double[]){-1, -1}, (double[]){1, 2},
               (double[]){0, 1}, -1);
  check_answer("{\"kind\":\"polytope\",\"A\":[[1,1]],\"b\":[1]}", (double[]){0, 0}, (double[]){-1, -2},
               (double[]){0, 0}, 0);
}

/* Among minimisers of the same cost `against` takes one that is no better for it than any other. */
static void against_is_worst_among_the_best(void **state) {
  (void)state;
  for (size_t k = 0; k < REGIONS_COUNT; k++) {
    tacit_region *region = parse(REGIONS[k]);
    size_t d = tacit_region_dimension(region);
    double *work = space_for(region), cost[64], against[64], w[64], v[64], least, same;
    assert_true(d <= 64);
    for (int trial = 0; trial < 30; trial++) {
      for (size_t j = 0; j < d; j++) cost[j] = (double)(bits() % 3); /* many ties */
      fill(d, 1, against);
      minimise(region, cost, NULL, work, v, &least);
      minimise(region, cost, against, work, w, &same);
      assert_true(fabs(same - least) < 1e-9);
      assert_true(inner(d, against, w) >= inner(d, against, v) - 1e-9);
      /* a little of -against in the cost breaks the tie the same way */
      for (size_t j = 0; j < d; j++) cost[j] -= 1e-7 * against[j];
      if (k >= 2) { /* not for the ball, which bends */
        minimise(region, cost, NULL, work, v, NULL);
        assert_true(fabs(inner(d, against, w) - inner(d, against, v)) < 1e-6);
      }
    }
    free(work);
    tacit_region_free(region);
  }
}

/* w is nearest to p if and only if (p - w)'(v - w) <= 0 for every v of the region; the oracle finds the worst
   v. Relative to the size of the product: 1e-10. */
static void projections_satisfy_their_optimality_conditions(void **state) {
  (void)state;
  static const double sizes[] = {0.1, 1, 10, 1e4, 1e8};
  for (size_t k = 0; k < REGIONS_COUNT; k++) {
    tacit_region *region = parse(REGIONS[k]);
    size_t d = tacit_region_dimension(region);
    double *work = space_for(region), p[64], w[64], v[64], turned[64], again[64];
    for (size_t s = 0; s < 5; s++)
      for (int trial = 0; trial < 60; trial++) {
        fill(d, sizes[s], p);
        if (trial % 3 == 0)
          for (size_t j = 0; j < d; j++) p[j] = round(4 * p[j]) / 4; /* degenerate points */
        project(region, p, work, w);
        for (size_t j = 0; j < d; j++) turned[j] = w[j] - p[j];
        minimise(region, turned, NULL, work, v, NULL);
        double gap = 0, distance = sqrt(inner(d, turned, turned));
        for (size_t j = 0; j < d; j++) gap += turned[j] * (w[j] - v[j]);
        double scale = fmax(1, distance * tacit_region_diameter(region));
        if (!(gap <= 1e-10 * scale)) fail_msg("%s: size %g, gap %g", REGIONS[k], sizes[s], gap);
        assert_true(gap >= -1e-9 * scale);
        /* it is in the region: the oracle finds nothing beyond it, and it is its own projection */
        project(region, w, work, again);
        for (size_t j = 0; j < d; j++) assert_true(fabs(again[j] - w[j]) < 1e-9);
      }
    free(work);
    tacit_region_free(region);
  }
}

static void a_large_grid_is_projected_too(void **state) {
  (void)state;
  tacit_region *region = parse("{\"kind\":\"grid\",\"rows\":12,\"columns\":12}");
  size_t d = tacit_region_dimension(region);
  double *work = space_for(region), *p = malloc(4 * d * sizeof *p), *w = p + d, *v = w + d, *turned = v + d;
  fill(d, 1, p);
  project(region, p, work, w);
  for (size_t j = 0; j < d; j++) turned[j] = w[j] - p[j];
  minimise(region, turned, NULL, work, v, NULL);
  double gap = 0;
  for (size_t j = 0; j < d; j++) gap += turned[j] * (w[j] - v[j]);
  assert_true(fabs(gap) <= 1e-10);
  free(work);
  free(p);
  tacit_region_free(region);
}

/* No two points found are further apart than the diameter, and some come near it: 3/4 of it at least, but for
   the polytopes, whose bound is a bound. */
static void diameters_hold_and_are_not_idle(void **state) {
  (void)state;
  for (size_t k = 0; k < REGIONS_COUNT; k++) {
    tacit_region *region = parse(REGIONS[k]);
    size_t d = tacit_region_dimension(region);
    double *work = space_for(region), cost[64], v[64], w[64], most = 0, far = 0;
    for (int trial = 0; trial < 2000; trial++) {
      fill(d, 1, cost);
      if (trial % 2)
        for (size_t j = 0; j < d; j++) cost[j] = cost[j] > 0.5 ? 1 : cost[j] < -0.5 ? -1 : 0;
      minimise(region, cost, NULL, work, v, NULL);
      for (size_t j = 0; j < d; j++) cost[j] = -cost[j];
      minimise(region, cost, NULL, work, w, NULL);
      double apart = 0;
      for (size_t j = 0; j < d; j++) apart += (v[j] - w[j]) * (v[j] - w[j]);
      most = fmax(most, sqrt(apart));
      far = fmax(far, sqrt(inner(d, v, v)));
    }
    double diameter = tacit_region_diameter(region);
    assert_true(most <= diameter * (1 + 1e-15) && far <= region->reach * (1 + 1e-15));
    if (!(most >= (strstr(REGIONS[k], "polytope") ? 0.5 : 0.75) * diameter))
      fail_msg("%s: %g of %g", REGIONS[k], most, diameter);
    free(work);
    tacit_region_free(region);
  }
  tacit_region *grid = parse(REGIONS[6]), *simplex = parse(REGIONS[3]), *ball = parse(REGIONS[0]);
  assert_true(tacit_region_diameter(grid) == 4 && tacit_region_diameter(ball) == 2);
  assert_true(tacit_region_diameter(simplex) >= sqrt(2) && tacit_region_diameter(simplex) < 1.4142135623731);
  tacit_region_free(grid);
  tacit_region_free(simplex);
  tacit_region_free(ball);
}

/* m constraints with coefficients from -0.3 to 1 on d decisions, and one that bounds them all; right-hand
   sides that repeat, so that many vertices are degenerate. */
static tacit_region *random_polytope(size_t m, size_t d) {
  char *json = malloc(32 * (m + 2) * (d + 2));
  size_t used = (size_t)sprintf(json, "{\"kind\":\"polytope\",\"A\":[");
  for (size_t i = 0; i <= m; i++) {
    for (size_t j = 0; j < d; j++)
      used += (size_t)sprintf(json + used, "%c%.2f", j ? ',' : '[',
                              i == m ? 1 : 0.01 + fabs(number()) * 1.3 - 0.3);
    used += (size_t)sprintf(json + used, "]%s", i < m ? "," : "],\"b\":[");
  }
  for (size_t i = 0; i <= m; i++)
    used += (size_t)sprintf(json + used, "%d%s", i == m ? 3 : 1 + (int)(bits() % 2), i < m ? "," : "]}");
  tacit_region *region = parse(json);
  free(json);
  return region;
}

static void random_polytopes_are_measured_and_projected_on(void **state) {
  (void)state;
  for (int trial = 0; trial < 25; trial++) {
    size_t d = 2 + bits() % (trial % 5 ? 6 : 25), m = 1 + bits() % 20;
    tacit_region *region = random_polytope(m, d);
    double *work = space_for(region), p[64], w[64], v[64], turned[64], corner[64][64];
    for (int k = 0; k < 64; k++) {
      fill(d, 1, turned);
      minimise(region, turned, NULL, work, corner[k], NULL);
      assert_true(sqrt(inner(d, corner[k], corner[k])) <= region->reach);
      for (int l = 0; l < k; l++) {
        double apart = 0;
        for (size_t j = 0; j < d; j++) apart += (corner[k][j] - corner[l][j]) * (corner[k][j] - corner[l][j]);
        assert_true(sqrt(apart) <= region->diameter);
      }
    }
    for (int k = 0; k < 10; k++) {
      fill(d, k < 5 ? 1 : 1000, p);
      project(region, p, work, w);
      for (size_t j = 0; j < d; j++) turned[j] = w[j] - p[j];
      minimise(region, turned, NULL, work, v, NULL);
      double gap = 0, scale = fmax(1, sqrt(inner(d, turned, turned)) * region->diameter);
      for (size_t j = 0; j < d; j++) gap += turned[j] * (w[j] - v[j]);
      if (!(gap <= 1e-10 * scale)) fail_msg("%zu x %zu: gap %g of %g", m, d, gap, scale);
    }
    free(work);
    tacit_region_free(region);
  }
}

/* Whoever holds a region may let go of it first. */
static void a_shared_region_lives_until_its_last_holder(void **state) {
  (void)state;
  static const char text[] = "{\"kind\":\"polytope\",\"A\":[[1,1]],\"b\":[1]}";
  static const double cost[] = {-1, -2};
  tacit_region *region, *other, *third;
  double w[2];
  assert_int_equal(tacit_region_parse(text, strlen(text), &region, NULL), TACIT_OK);
  other = tacit_region_share(region);
  third = tacit_region_share(other);
  assert_true(other == region && third == region); /* nothing is measured again */
  tacit_region_free(region);
  tacit_region_free(third);
  double *work = calloc(tacit_region_work(other) + 1, sizeof *work);
  assert_int_equal(tacit_region_minimise(other, cost, NULL, work, w, NULL, NULL), TACIT_OK);
  assert_true(fabs(w[0]) < 1e-9 && fabs(w[1] - 1) < 1e-9);
  free(work);
  tacit_region_free(other);
}

static void several_threads_may_ask_one_region(void **state) {
  (void)state;
  tacit_region *region = parse(REGIONS[10]);
  size_t d = tacit_region_dimension(region);
  enum { MANY = 64 };
  double cost[MANY * 3], alone[MANY * 3], together[MANY * 3], *work = space_for(region);
  fill(MANY * 3, 1, cost);
  for (size_t i = 0; i < MANY; i++) minimise(region, cost + i * d, NULL, work, alone + i * d, NULL);
  int failed = 0;
#pragma omp parallel for num_threads(4) reduction(+ : failed)
  for (size_t i = 0; i < MANY; i++) {
    tacit_error error;
    failed +=
        tacit_region_minimise(region, cost + i * d, NULL, work, together + i * d, NULL, &error) != TACIT_OK;
  }
  assert_int_equal(failed, 0);
  assert_memory_equal(alone, together, sizeof alone);
  free(work);
  tacit_region_free(region);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_oracle_knows_the_reference_graphs),
      cmocka_unit_test(polytopes_are_minimised_over),
      cmocka_unit_test(ties_are_decided_against_us),
      cmocka_unit_test(against_is_worst_among_the_best),
      cmocka_unit_test(projections_satisfy_their_optimality_conditions),
      cmocka_unit_test(a_large_grid_is_projected_too),
      cmocka_unit_test(diameters_hold_and_are_not_idle),
      cmocka_unit_test(random_polytopes_are_measured_and_projected_on),
      cmocka_unit_test(several_threads_may_ask_one_region),
      cmocka_unit_test(a_shared_region_lives_until_its_last_holder),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
