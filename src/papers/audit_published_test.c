/* The audit catches the two methods that are broken as published, under both adjacencies, and knows no
   others. Seeds are fixed: a test that passes always passes. */
#include "base/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <tacit/papers.h>

#include <cmocka.h>

static tacit_audit_options options_for(const char *plant) {
  tacit_audit_options options;
  tacit_audit_options_init(&options);
  options.plant = plant;
  options.seeded = true;
  options.runs = 300;
  return options;
}

static void what_is_broken_as_published_is_caught(void **state) {
  (void)state;
  size_t count = 0;
  for (; tacit_audit_published_name(count); count++)
    for (int adjacency = 0; adjacency < 2; adjacency++) {
      tacit_audit_options options = options_for(tacit_audit_published_name(count));
      tacit_audit_result r;
      tacit_error error = {""};
      options.adjacency = (tacit_adjacency)adjacency;
      if (tacit_audit_published(&options, NULL, &r, &error) != TACIT_OK) fail_msg("%s", error.text);
      if (!r.caught) fail_msg("%s: %g", options.plant, r.mu_lower);
      assert_string_equal(r.plant, options.plant);
      assert_true(r.releases == 0 && r.mu_promised == 1); /* nothing passes the gate */
      assert_non_null(tacit_audit_published_about(count));
      print_message("%s: %.3g where 1 was promised\n", r.method, r.mu_lower);
    }
  assert_int_equal(count, 2);
  assert_null(tacit_audit_published_about(count));
}

/* A fault of our own is no published method, and the other way round. */
static void each_list_has_its_own_names(void **state) {
  (void)state;
  static const char *const wrong[] = {"noise-0.8", "magic", NULL};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    tacit_audit_options options = options_for(wrong[i]);
    tacit_audit_result r;
    tacit_error error = {""};
    assert_int_equal(tacit_audit_published(&options, NULL, &r, &error), TACIT_USAGE);
    assert_non_null(strstr(error.text, "no published method"));
  }
  tacit_audit_options options = options_for("line-search");
  tacit_audit_result r;
  tacit_error error = {""};
  assert_int_equal(tacit_audit_learner(&options, NULL, &r, &error), TACIT_USAGE);
  assert_non_null(strstr(error.text, "no fault"));
  options.one_run = true; /* one run is for the plain release */
  assert_int_equal(tacit_audit_published(&options, NULL, &r, &error), TACIT_USAGE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_broken_as_published_is_caught),
      cmocka_unit_test(each_list_has_its_own_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
