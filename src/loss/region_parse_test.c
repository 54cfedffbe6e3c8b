/* Regions that are refused, with a text that says why; and bytes changed at random, which neither crash nor
   leak. */
#include "loss/regions_for_test.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static void refused(const char *json, const char *saying) {
  tacit_region *region = (tacit_region *)&region;
  tacit_error error = {""};
  assert_int_equal(tacit_region_parse(json, strlen(json), &region, &error), TACIT_BAD_INPUT);
  assert_null(region);
  if (!strstr(error.text, saying)) fail_msg("%s: \"%s\" does not say \"%s\"", json, error.text, saying);
}

static void empty_unbounded_and_flat_regions_are_refused(void **state) {
  (void)state;
  refused("{\"kind\":\"polytope\",\"A\":[[1,1],[-1,-1]],\"b\":[1,-2]}", "empty");
  refused("{\"kind\":\"polytope\",\"A\":[[1]],\"b\":[-1]}", "empty");
  refused("{\"kind\":\"polytope\",\"A\":[[1,-1]],\"b\":[1]}", "unbounded");
  refused("{\"kind\":\"polytope\",\"A\":[[1,0]],\"b\":[1]}", "unbounded");
  refused("{\"kind\":\"polytope\",\"A\":[[-1,-1]],\"b\":[-1]}", "unbounded");
  refused("{\"kind\":\"polytope\",\"A\":[[1,1],[-1,-1]],\"b\":[1,-1]}", "interior"); /* the simplex */
  refused("{\"kind\":\"polytope\",\"A\":[[1,1]],\"b\":[0]}", "interior");            /* the origin */
  refused("{\"kind\":\"polytope\",\"A\":[[1,0],[0,1]],\"b\":[1,1e-12]}", "interior");
  refused("{\"kind\":\"box\",\"min\":[0,2],\"max\":[1,1]}", "empty");
  refused("{\"kind\":\"box\",\"min\":[3],\"max\":[3]}", "single point");
  refused("{\"kind\":\"graph\",\"nodes\":3,\"edges\":[[1,2]],\"source\":1,\"sink\":3}", "empty");
  refused("{\"kind\":\"graph\",\"nodes\":3,\"edges\":[[3,2],[2,1]],\"source\":1,\"sink\":3}", "empty");
}

/* A dense polytope of the largest size would be measured by two thousand large linear programs; it may come
   with a policy, and is refused before the first. */
static void a_polytope_that_would_take_hours_is_refused(void **state) {
  (void)state;
  enum { M = 300, D = 1000 };
  char *text = malloc(M * (2 * D + 8) + 100), *at = text;
  assert_non_null(text);
  at += sprintf(at, "{\"kind\":\"polytope\",\"A\":[");
  for (int i = 0; i < M; i++) {
    *at++ = i ? ',' : ' ';
    *at++ = '[';
    for (int j = 0; j < D; j++) at += sprintf(at, j ? ",1" : "1");
    *at++ = ']';
  }
  at += sprintf(at, "],\"b\":[1");
  for (int i = 1; i < M; i++) at += sprintf(at, ",1");
  sprintf(at, "]}");
  refused(text, "300000 coefficients");
  free(text);
}

/* A policy has numbers with 17 digits: 0.1 grows from three bytes to nineteen. */
static void a_region_that_grows_too_large_is_refused(void **state) {
  (void)state;
  enum { NUMBERS = 860000 };
  static const char HEAD[] = "{\"kind\":\"polytope\",\"A\":[[0.1";
  char *text = malloc(sizeof HEAD + 4 * NUMBERS + 3), *at = text + sizeof HEAD - 1;
  assert_non_null(text);
  memcpy(text, HEAD, sizeof HEAD);
  for (size_t i = 0; i < NUMBERS; i++, at += 4) memcpy(at, ",0.1", 4);
  memcpy(at, "]]}", 4);
  tacit_region *region;
  tacit_error error;
  assert_int_equal(tacit_region_parse(text, strlen(text), &region, &error), TACIT_BAD_INPUT);
  assert_non_null(strstr(error.text, "larger than 16 MB"));
  free(text);
}

static void cyclic_and_malformed_graphs_are_refused(void **state) {
  (void)state;
  refused("{\"kind\":\"graph\",\"nodes\":3,\"edges\":[[1,2],[2,1],[2,3]],\"source\":1,\"sink\":3}", "cycle");
  refused("{\"kind\":\"graph\",\"nodes\":2,\"edges\":[[1,1],[1,2]],\"source\":1,\"sink\":2}", "cycle");
  refused("{\"kind\":\"graph\",\"nodes\":5,\"edges\":[[1,2],[3,4],[4,5],[5,3]],\"source\":1,\"sink\":2}",
          "cycle");
  refused("{\"kind\":\"graph\",\"nodes\":2,\"edges\":[[1,3]],\"source\":1,\"sink\":2}", "numbered 1 to 2");
  refused("{\"kind\":\"graph\",\"nodes\":2,\"edges\":[[0,1]],\"source\":1,\"sink\":2}", "numbered 1 to 2");
  refused("{\"kind\":\"graph\",\"nodes\":2,\"edges\":[[1,2,2]],\"source\":1,\"sink\":2}", "two nodes");
  refused("{\"kind\":\"graph\",\"nodes\":2,\"edges\":[[1,2.0]],\"source\":1,\"sink\":2}", "numbered");
  refused("{\"kind\":\"graph\",\"nodes\":2,\"edges\":[\"12\"],\"source\":1,\"sink\":2}", "two nodes");
  refused("{\"kind\":\"graph\",\"nodes\":2,\"edges\":[],\"source\":1,\"sink\":2}", "\"edges\"");
  refused("{\"kind\":\"graph\",\"nodes\":2,\"edges\":[[1,2]],\"source\":1,\"sink\":1}", "different nodes");
  refused("{\"kind\":\"graph\",\"nodes\":2,\"edges\":[[1,2]],\"source\":1}", "\"sink\"");
  refused("{\"kind\":\"graph\",\"nodes\":1000000000000,\"edges\":[[1,2]],\"source\":1,\"sink\":2}",
          "\"nodes\"");
  refused("{\"kind\":\"grid\",\"rows\":1,\"columns\":5}", "\"rows\"");
  refused("{\"kind\":\"grid\",\"rows\":2000,\"columns\":2000}", "edges");
  refused("{\"kind\":\"grid\",\"rows\":-3,\"columns\":2}", "\"rows\"");
}

static void malformed_files_are_refused(void **state) {
  (void)state;
  refused("", "not JSON");
  refused("[]", "object");
  refused("{}", "\"kind\"");
  refused("{\"kind\":\"sphere\"}", "ball, box");
  refused("{\"kind\":7}", "\"kind\"");
  refused("{\"kind\":\"ball\",\"kind\":\"ball\"}", "not JSON");
  refused("{\"kind\":\"ball\",\"dimension\":3,\"radius\":1,\"colour\":2}", "unknown key \"colour\"");
  refused("{\"kind\":\"ball\",\"dimension\":3,\"radius\":0}", "\"radius\"");
  refused("{\"kind\":\"ball\",\"dimension\":3,\"radius\":NaN}", "not JSON");
  refused("{\"kind\":\"ball\",\"dimension\":3,\"radius\":1e999}", "not JSON");
  refused("{\"kind\":\"ball\",\"dimension\":3,\"radius\":1e300}", "\"radius\"");
  refused("{\"kind\":\"ball\",\"dimension\":0,\"radius\":1}", "\"dimension\"");
  refused("{\"kind\":\"ball\",\"dimension\":1e3,\"radius\":1}", "\"dimension\"");
  refused("{\"kind\":\"ball\",\"dimension\":2,\"radius\":1,\"center\":[0]}", "array of 2");
  refused("{\"kind\":\"ball\",\"dimension\":1,\"radius\":1,\"center\":[\"0\"]}", "entry 0");
  refused("{\"kind\":\"box\",\"min\":[0,0],\"max\":[1]}", "array of 2");
  refused("{\"kind\":\"box\",\"min\":[],\"max\":[]}", "\"min\"");
  refused("{\"kind\":\"simplex\",\"dimension\":1}", "\"dimension\"");
  refused("{\"kind\":\"polytope\",\"A\":[],\"b\":[]}", "\"A\"");
  refused("{\"kind\":\"polytope\",\"A\":[[1,2],[1]],\"b\":[1,1]}", "array of 2");
  refused("{\"kind\":\"polytope\",\"A\":[[1,2]],\"b\":[1,1]}", "\"b\"");
  refused("{\"kind\":\"polytope\",\"A\":[[0,0]],\"b\":[1]}", "no coefficient");
  refused("{\"kind\":\"polytope\",\"A\":[[1,1e-30]],\"b\":[1]}", "change units");
  tacit_region *region;
  tacit_error error = {""};
  assert_int_equal(tacit_region_read("/nowhere/region.json", &region, &error), TACIT_BAD_INPUT);
  assert_non_null(strstr(error.text, "no such file"));
}

static void a_file_is_read(void **state) {
  (void)state;
  char path[] = "/tmp/tacit-region-XXXXXX";
  int file = mkstemp(path);
  assert_true(file >= 0);
  assert_int_equal(write(file, REGIONS[6], strlen(REGIONS[6])), strlen(REGIONS[6]));
  close(file);
  tacit_region *region;
  assert_int_equal(tacit_region_read(path, &region, NULL), TACIT_OK);
  assert_int_equal(tacit_region_dimension(region), 40);
  assert_string_equal(json_string_value(json_object_get(region->json, "kind")), "grid");
  tacit_region_free(region);
  assert_int_equal(unlink(path), 0);
}

/* Whatever is accepted minimises and projects, and stays within its reach and diameter. */
static void check_accepted(const tacit_region *region) {
  size_t d = tacit_region_dimension(region);
  assert_true(d >= 1 && isfinite(region->diameter) && region->diameter > 0 && isfinite(region->reach));
  if (d > 200) return; /* time */
  double *work = malloc((tacit_region_work(region) + 4 * d) * sizeof *work), *cost = work, *w = cost + d,
         *v = w + d;
  fill(d, 1, cost);
  assert_int_equal(tacit_region_minimise(region, cost, cost, v + d, w, NULL, NULL), TACIT_OK);
  assert_int_equal(tacit_region_project(region, cost, v + d, v, NULL), TACIT_OK);
  double apart = 0;
  for (size_t j = 0; j < d; j++) apart += (v[j] - w[j]) * (v[j] - w[j]);
  assert_true(sqrt(apart) <= region->diameter * (1 + 1e-9) + 1e-9);
  assert_true(sqrt(inner(d, w, w)) <= region->reach * (1 + 1e-9));
  free(work);
}

static void mutants_are_read_or_refused(void **state) {
  (void)state;
  size_t accepted = 0, rejected = 0;
  int trials = getenv("TACIT_QUICK") ? 3000 : 30000;
  for (int trial = 0; trial < trials; trial++) {
    const char *parent = REGIONS[bits() % REGIONS_COUNT];
    size_t length = strlen(parent);
    char *text = malloc(length + 400);
    memcpy(text, parent, length + 1);
    for (size_t edits = bits() % 5; edits > 0; edits--) mutate(text, &length, &seed);
    char *exact = malloc(length); /* so that reading past the end is seen */
    memcpy(exact, text, length);
    free(text);
    tacit_region *region;
    tacit_error error = {""};
    tacit_status status = tacit_region_parse(exact, length, &region, &error);
    if (status == TACIT_OK) {
      accepted++;
      check_accepted(region);
    } else {
      rejected++;
      assert_int_equal(status, TACIT_BAD_INPUT);
      assert_null(region);
      assert_true(error.text[0] != 0);
    }
    tacit_region_free(region);
    free(exact);
  }
  /* Both outcomes must be common, or the test says nothing. */
  assert_true(accepted > (size_t)trials / 10 && rejected > (size_t)trials / 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(empty_unbounded_and_flat_regions_are_refused),
      cmocka_unit_test(a_polytope_that_would_take_hours_is_refused),
      cmocka_unit_test(a_region_that_grows_too_large_is_refused),
      cmocka_unit_test(cyclic_and_malformed_graphs_are_refused),
      cmocka_unit_test(malformed_files_are_refused),
      cmocka_unit_test(a_file_is_read),
      cmocka_unit_test(mutants_are_read_or_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
