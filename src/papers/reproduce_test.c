/* The reproductions in small: the same figures for every number of threads, what they say when they cannot
   run, and the files they leave. */
#include "base/base.h"
#include "random/random.h"
#include "study/near.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <tacit/papers.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct result {
  tacit_study_row *rows;
  size_t count;
  char notes[2048];
} result;

static result run(const char *name, size_t repetitions, uint64_t seed, int threads, const char *data,
                  const char *out) {
  result r = {NULL, 0, ""};
  tacit_error error = {""};
  tacit_study_options options;
  tacit_study_options_init(&options);
  options.repetitions = repetitions;
  options.seed = seed;
  options.data = data;
  options.out = out;
  tacit_context context;
  tacit_context_init(&context);
  context.threads = threads;
  if (tacit_reproduce(name, &options, &context, &r.rows, &r.count, r.notes, &error) != TACIT_OK)
    fail_msg("%s: %s", name, error.text);
  assert_true(strlen(r.notes) > 200 && strlen(r.notes) < sizeof r.notes - 1);
  return r;
}

static void table1_is_the_same_for_every_number_of_threads(void **state) {
  (void)state;
  result a = run("zhao-table1", 5, 1, 1, NULL, NULL), b = run("zhao-table1", 5, 1, 3, NULL, NULL),
         c = run("zhao-table1", 5, 2, 1, NULL, NULL);
  assert_int_equal(a.count, 36);
  assert_int_equal(b.count, 36);
  assert_memory_equal(a.rows, b.rows, a.count * sizeof *a.rows);
  assert_true(memcmp(a.rows, c.rows, a.count * sizeof *a.rows) != 0);
  for (size_t i = 0; i < a.count; i++) {
    const tacit_study_row *r = &a.rows[i];
    assert_true(r->rows == 400 && r->repetitions == 5);
    assert_true(r->paper > 0 && r->paper_sd > 0 && r->line_search > 0 && r->tacit > 0);
    assert_true(r->published == r->by_step[(int)r->best_step - 1]);
    for (int k = 0; k < TACIT_STEP_SIZES; k++) assert_true(r->published <= r->by_step[k]);
    if (r->mu == 0.3) assert_true(r->published > a.rows[i - i % 4].published); /* privacy has a price */
  }
  free(a.rows);
  free(b.rows);
  free(c.rows);
}

static bool now(void *user) {
  return ++*(int *)user > 3;
}

static void cancelling_and_unknown_names_leave_nothing(void **state) {
  (void)state;
  tacit_study_options options;
  tacit_study_options_init(&options);
  tacit_context context;
  tacit_context_init(&context);
  int asked = 0;
  context.cancelled = now;
  context.user = &asked;
  result r = {NULL, 0, ""};
  assert_int_equal(tacit_reproduce("zhao-table1", &options, &context, &r.rows, &r.count, r.notes, NULL),
                   TACIT_CANCELLED);
  assert_true(!r.rows && !r.count);
  assert_int_equal(tacit_reproduce("nothing", &options, NULL, &r.rows, &r.count, r.notes, NULL), TACIT_USAGE);
  size_t names = 0;
  while (tacit_study_name(names)) assert_non_null(tacit_study_about(names++));
  assert_int_equal(names, 7);
}

static void without_the_data_table2_says_where_it_comes_from(void **state) {
  (void)state;
  static const char *const folders[] = {NULL, "/nowhere"};
  tacit_study_options options;
  tacit_study_options_init(&options);
  for (int i = 0; i < 2; i++) {
    result r = {NULL, 0, ""};
    tacit_error error = {""};
    options.data = folders[i];
    assert_int_equal(tacit_reproduce("zhao-table2", &options, NULL, &r.rows, &r.count, r.notes, &error),
                     TACIT_BAD_INPUT);
    assert_non_null(strstr(error.text, "ddop"));
    assert_non_null(strstr(error.text, "--data"));
    assert_null(r.rows);
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
  result a = run("zhao-table2", 3, 1, 1, folder, NULL), b = run("zhao-table2", 3, 1, 2, folder, NULL);
  assert_int_equal(a.count, 32);
  assert_memory_equal(a.rows, b.rows, a.count * sizeof *a.rows);
  for (size_t i = 0; i < a.count; i++) {
    const tacit_study_row *r = &a.rows[i];
    assert_true(r->published > 0 && r->line_search > 0 && r->rows == 552);
    assert_true(i < 16 ? r->tacit > 0 : isnan(r->tacit));
    assert_true(r->mu > 0 ? r->best_step >= 1 : isnan(r->best_step));
  }
  /* Smoothed ERM at b = 50: noise of spread 5 at tau = 0.625 costs 80 * 5 * phi(0.32) = 152 a day at best;
     half of the days' weekly pattern is not in the features. */
  assert_true(a.rows[0].published > 140 && a.rows[0].published < 300);
  free(a.rows);
  free(b.rows);
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
  tacit_study_options options;
  tacit_study_options_init(&options);
  options.data = folder;
  result r = {NULL, 0, ""};
  tacit_error error = {""};
  assert_int_equal(tacit_reproduce("zhao-table2", &options, NULL, &r.rows, &r.count, r.notes, &error),
                   TACIT_BAD_INPUT);
  assert_non_null(strstr(error.text, "same rows"));
  target = create(folder, "yaz_target.csv");
  fputs("lamb\nmany\n", target);
  assert_int_equal(fclose(target), 0);
  assert_int_equal(tacit_reproduce("zhao-table2", &options, NULL, &r.rows, &r.count, r.notes, &error),
                   TACIT_BAD_INPUT);
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
  result a = run("zhao-table2", 10, 1, 0, TACIT_TEST_DATA "/restaurant", NULL),
         b = run("zhao-table2", 10, 1, 0, TACIT_TEST_DATA, NULL);
  assert_memory_equal(a.rows, b.rows, a.count * sizeof *a.rows);
  for (size_t i = 0; i < a.count; i += 4) assert_near(a.rows[i].published / a.rows[i].paper, 1, 0.1);
  free(a.rows);
  free(b.rows);
}

static void figures_leave_files_and_scripts(void **state) {
  (void)state;
  char folder[] = "/tmp/tacit-figures-XXXXXX";
  assert_non_null(mkdtemp(folder));
  result r = run("zhao-figures", 2, 1, 0, NULL, folder);
  assert_int_equal(r.count, 36);
  bool drawn = strstr(r.notes, "drawn as PNG") != NULL;
  for (int i = 2; i <= 9; i++) {
    static const char *const kinds[] = {"csv", "gp", "png"};
    for (int k = 0; k < 3; k++) {
      char path[256];
      struct stat found;
      snprintf(path, sizeof path, "%s/fig%d.%s", folder, i, kinds[k]);
      bool here = stat(path, &found) == 0;
      assert_true(k == 2 ? here == drawn : here);
      if (here) assert_true(found.st_size > 100);
      if (here) assert_int_equal(unlink(path), 0);
    }
  }
  assert_int_equal(rmdir(folder), 0);
  free(r.rows);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(table1_is_the_same_for_every_number_of_threads),
      cmocka_unit_test(cancelling_and_unknown_names_leave_nothing),
      cmocka_unit_test(without_the_data_table2_says_where_it_comes_from),
      cmocka_unit_test(table2_runs_on_a_restaurant_of_the_same_format),
      cmocka_unit_test(table2_refuses_files_that_do_not_belong_together),
      cmocka_unit_test(table2_on_the_real_restaurant),
      cmocka_unit_test(figures_leave_files_and_scripts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
