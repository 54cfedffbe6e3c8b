/* The default learner's bars at full size, as docs/default-learner.md states them. */
#include "papers/reproduce.h"
#include "study/near.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static size_t reproduce(const char *name, tacit_study_row **rows) {
  tacit_study_options options;
  tacit_study_options_init(&options);
  options.data = TACIT_TEST_DATA;
  tacit_error error = {""};
  size_t count = 0;
  char notes[TACIT_NOTES];
  if (tacit_reproduce(name, &options, NULL, rows, &count, notes, &error) != TACIT_OK)
    fail_msg("%s: %s", name, error.text);
  assert_non_null(strstr(notes, "promise: 0 of "));
  return count;
}

/* With `margin` standard errors to spare; below 0 it may be so many above. */
static void below_bar(const tacit_study_row *row, double margin) {
  if (!(row->tacit + margin * row->tacit_se <= row->paper))
    fail_msg("%s, tau %g, mu %g: %g (%g), bar %g", row->label, row->quantile, row->mu, row->tacit,
             row->tacit_se, row->paper);
}

/* A number for N(0,1), half of Algorithm 1's regret elsewhere, but for one cell that is known to be missed:
   there ERM without privacy does no better than the bar. */
static void zhao(void **state) {
  (void)state;
  tacit_study_row *rows = NULL;
  size_t count = reproduce("default-zhao", &rows), missed = 0;
  assert_int_equal(count, 48);
  for (size_t i = 0; i < count; i++) {
    if (rows[i].mu == 0) continue;
    if (i >= 36 && rows[i].quantile == 0.5 && rows[i].mu == 0.9)
      missed += rows[i].tacit > rows[i].paper;
    else
      below_bar(&rows[i], 0);
  }
  print_message("heteroscedastic, tau 0.5, mu 0.9: bar %s\n", missed ? "missed, as known" : "met");
  free(rows);
}

/* Lamb with two standard errors to spare; the other dishes' bar is itself a figure of lamb's, so they may be
   two of their standard errors above. */
static void restaurant(void **state) {
  (void)state;
  if (access(TACIT_TEST_DATA "/restaurant/yaz_data.csv", R_OK)) {
    print_message("the restaurant data is not here; skipped\n");
    skip();
  }
  tacit_study_row *rows = NULL;
  size_t count = reproduce("default-restaurant", &rows);
  assert_int_equal(count, 135);
  for (size_t i = 0; i < count; i++)
    if (isfinite(rows[i].paper)) below_bar(&rows[i], strncmp(rows[i].label, "lamb", 4) ? -2 : 2);
  free(rows);
}

static void chen(void **state) {
  (void)state;
  tacit_study_row *rows = NULL;
  size_t count = reproduce("default-chen", &rows);
  assert_int_equal(count, 24);
  for (size_t i = 0; i < count; i++) below_bar(&rows[i], 2);
  free(rows);
}

/* The bar has its two standard errors within it. */
static void stress(void **state) {
  (void)state;
  tacit_study_row *rows = NULL;
  size_t count = reproduce("default-stress", &rows);
  assert_int_equal(count, 20);
  for (size_t i = 0; i < count; i++) below_bar(&rows[i], 0);
  free(rows);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(zhao),
      cmocka_unit_test(restaurant),
      cmocka_unit_test(chen),
      cmocka_unit_test(stress),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
