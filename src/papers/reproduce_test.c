/* The reproductions in small: the same figures for every number of threads, what they say when they cannot
   run, and the tables behind the figures. */
#include "base/base.h"
#include "random/random.h"
#include "study/near.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "papers/reproduce_for_test.h"

static tacit_report *run(const char *name, size_t repetitions, uint64_t seed, int threads, const char *data) {
  tacit_reproduce_options options;
  tacit_reproduce_options_init(&options);
  options.repetitions = repetitions;
  options.seed = seed;
  options.data = data;
  return reproduce(name, &options, threads);
}

static void table1_is_the_same_for_every_number_of_threads(void **state) {
  (void)state;
  static const char *const steps[] = {"step1", "step2", "step3", "step4"};
  tacit_report *a = run("zhao-table1", 5, 1, 1, NULL), *b = run("zhao-table1", 5, 1, 3, NULL),
               *c = run("zhao-table1", 5, 2, 1, NULL);
  assert_int_equal(a->rows, 36);
  assert_same_report(a, b);
  assert_true(memcmp(a->number, c->number, a->rows * a->numbers * sizeof *a->number) != 0);
  for (size_t i = 0; i < a->rows; i++) {
    double best = cell(a, i, "as_published");
    assert_true(cell(a, i, "n") == 400 && cell(a, i, "repetitions") == 5);
    assert_true(cell(a, i, "paper") > 0 && cell(a, i, "paper_sd") > 0);
    assert_true(cell(a, i, "line_search") > 0 && cell(a, i, "tacit") > 0);
    assert_true(best == cell(a, i, steps[(int)cell(a, i, "best_step") - 1]));
    for (int k = 0; k < 4; k++) assert_true(best <= cell(a, i, steps[k]));
    assert_true(i % 4 ? cell(a, i, "mu") > 0 : isnan(cell(a, i, "mu"))); /* none, 0.9, 0.5, 0.3 */
    if (i % 4 == 3) assert_true(best > cell(a, i - 3, "as_published"));  /* privacy has a price */
  }
  tacit_report_free(a);
  tacit_report_free(b);
  tacit_report_free(c);
}

static bool now(void *user) {
  return ++*(int *)user > 3;
}

static void cancelling_and_unknown_names_leave_nothing(void **state) {
  (void)state;
  tacit_reproduce_options options;
  tacit_reproduce_options_init(&options);
  tacit_context context;
  tacit_context_init(&context);
  int asked = 0;
  context.cancelled = now;
  context.user = &asked;
  tacit_report *r;
  assert_int_equal(tacit_reproduce("zhao-table1", &options, &context, &r, NULL), TACIT_CANCELLED);
  assert_null(r);
  assert_int_equal(tacit_reproduce("nothing", &options, NULL, &r, NULL), TACIT_USAGE);
  size_t names = 0;
  while (tacit_reproduction_name(names)) assert_non_null(tacit_reproduction_about(names++));
  assert_int_equal(names, 25);
}

static void without_the_data_table2_says_where_it_comes_from(void **state) {
  (void)state;
  static const char *const folders[] = {NULL, "/nowhere"};
  tacit_reproduce_options options;
  tacit_reproduce_options_init(&options);
  for (int i = 0; i < 2; i++) {
    tacit_report *r;
    tacit_error error = {""};
    options.data = folders[i];
    assert_int_equal(tacit_reproduce("zhao-table2", &options, NULL, &r, &error), TACIT_BAD_INPUT);
    assert_non_null(strstr(error.text, "ddop"));
    assert_non_null(strstr(error.text, "--data"));
    assert_null(r);
  }
}

static FILE *create(const char *folder, const char *name) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  return file;
}

static void delete (const char *folder, const char *name) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  assert_int_equal(unlink(path), 0);
}

/* A made-up restaurant in the real one's format: demand with a week, so that the lag of 7 is worth its
 * column. */
static void write_restaurant(const char *folder) {
  FILE *data = create(folder, "yaz_data.csv"), *target = create(folder, "yaz_target.csv");
  tacit_noise_source source;
  tacit_stream stream;
  tacit_noise_source_seeded(&source, 5);
  assert_int_equal(tacit_stream_begin(&source, &stream, NULL), TACIT_OK);
  fputs("date,is_holiday,rain,temperature\n", data);
  fputs("fish,lamb\n", target);
  for (int i = 0; i < 765; i++) {
    int rain = tacit_uniform(&stream) < 0.3, holiday = tacit_uniform(&stream) < 0.04;
    fprintf(data, "day %d,%d,%d.5,%d.0\n", i, holiday, rain, (int)(10 + 8 * tacit_normal(&stream)));
    fprintf(target, "1,%d\n", (int)fmax(0, 30 + (i % 7 > 4 ? 20 : 0) + 5 * tacit_normal(&stream)));
  }
  assert_int_equal(fclose(data), 0);
  assert_int_equal(fclose(target), 0);
}

static void table2_runs_on_a_restaurant_of_the_same_format(void **state) {
  (void)state;
  char folder[] = "/tmp/tacit-table2-XXXXXX";
  assert_non_null(mkdtemp(folder));
  write_restaurant(folder);
  tacit_report *a = run("zhao-table2", 3, 1, 1, folder), *b = run("zhao-table2", 3, 1, 2, folder);
  assert_int_equal(a->rows, 32);
  assert_same_report(a, b);
  for (size_t i = 0; i < a->rows; i++) {
    double tacit = cell(a, i, "tacit"), step = cell(a, i, "best_step");
    assert_true(cell(a, i, "as_published") > 0 && cell(a, i, "line_search") > 0 && cell(a, i, "n") == 552);
    assert_true(i < 16 ? tacit > 0 : isnan(tacit));
    assert_true(cell(a, i, "mu") > 0 ? step >= 1 : isnan(step));
  }
  /* Smoothed ERM at b = 50: noise of spread 5 at tau = 0.625 costs 80 * 5 * phi(0.32) = 152 a day at best;
     half of the days' weekly pattern is not in the features. */
  assert_true(cell(a, 0, "as_published") > 140 && cell(a, 0, "as_published") < 300);
  tacit_report_free(a);
  tacit_report_free(b);
  delete (folder, "yaz_data.csv");
  delete (folder, "yaz_target.csv");
  assert_int_equal(rmdir(folder), 0);
}

static void table2_refuses_files_that_do_not_belong_together(void **state) {
  (void)state;
  char folder[] = "/tmp/tacit-table2-XXXXXX";
  assert_non_null(mkdtemp(folder));
  write_restaurant(folder);
  FILE *target = create(folder, "yaz_target.csv");
  fputs("lamb\n1\n2\n", target);
  assert_int_equal(fclose(target), 0);
  tacit_reproduce_options options;
  tacit_reproduce_options_init(&options);
  options.data = folder;
  tacit_report *r;
  tacit_error error = {""};
  assert_int_equal(tacit_reproduce("zhao-table2", &options, NULL, &r, &error), TACIT_BAD_INPUT);
  assert_non_null(strstr(error.text, "same rows"));
  target = create(folder, "yaz_target.csv");
  fputs("lamb\nmany\n", target);
  assert_int_equal(fclose(target), 0);
  assert_int_equal(tacit_reproduce("zhao-table2", &options, NULL, &r, &error), TACIT_BAD_INPUT);
  assert_non_null(strstr(error.text, "row 1"));
  delete (folder, "yaz_data.csv");
  delete (folder, "yaz_target.csv");
  assert_int_equal(rmdir(folder), 0);
}

/* Ten splits of the real data: smoothed ERM within 10 % of the paper (its standard error is then 2 %). */
static void table2_on_the_real_restaurant(void **state) {
  (void)state;
  if (access(TACIT_TEST_DATA "/restaurant/yaz_data.csv", R_OK)) {
    print_message("the restaurant data is not here; skipped\n");
    skip();
  }
  tacit_report *a = run("zhao-table2", 10, 1, 0, TACIT_TEST_DATA "/restaurant"),
               *b = run("zhao-table2", 10, 1, 0, TACIT_TEST_DATA);
  assert_same_report(a, b);
  for (size_t i = 0; i < a->rows; i += 4)
    assert_near(cell(a, i, "as_published") / cell(a, i, "paper"), 1, 0.1);
  tacit_report_free(a);
  tacit_report_free(b);
}

/* Behind the report: one table for each figure, with as many rows as the figure has points. */
static void figures_come_as_tables(void **state) {
  (void)state;
  static const size_t rows[] = {401, 401, 60, 2, 60, 2, 60, 2};
  static const char *const names[] = {"fig2", "fig3", "fig4", "fig7", "fig5", "fig8", "fig6", "fig9"};
  tacit_report *r = run("zhao-figures", 2, 1, 0, NULL), *table = r->next;
  assert_int_equal(r->rows, 36);
  for (size_t i = 0; i < 8; i++, table = table->next) {
    assert_non_null(table);
    assert_string_equal(table->name, names[i]);
    assert_int_equal(table->rows, rows[i]);
    assert_true(table->texts == 0 && table->notes[0] == 0);
  }
  assert_null(table);
  /* the mean of a box's regrets is the report's figure */
  const tacit_report *boxes = r->next->next->next->next;
  double mean = (cell(boxes, 0, "tacit tau=0.75 mu=0.3") + cell(boxes, 1, "tacit tau=0.75 mu=0.3")) / 2;
  assert_near(mean, cell(r, 11, "tacit"), 1e-12);
  tacit_report_free(r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(table1_is_the_same_for_every_number_of_threads),
      cmocka_unit_test(cancelling_and_unknown_names_leave_nothing),
      cmocka_unit_test(without_the_data_table2_says_where_it_comes_from),
      cmocka_unit_test(table2_runs_on_a_restaurant_of_the_same_format),
      cmocka_unit_test(table2_refuses_files_that_do_not_belong_together),
      cmocka_unit_test(table2_on_the_real_restaurant),
      cmocka_unit_test(figures_come_as_tables),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
