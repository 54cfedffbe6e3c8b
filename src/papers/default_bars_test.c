/* The default learner's four studies in small: the same figures for every number of threads, bars where they
   belong, promises kept; and the models behind them against closed forms and simulation. */
#include "loss/check.h"
#include "num/normal.h"
#include "papers/reproduce.h"
#include "study/chen_model.h"
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

static tacit_report *run(const char *name, size_t repetitions, int threads, const char *data) {
  tacit_reproduce_options options;
  tacit_reproduce_options_init(&options);
  options.repetitions = repetitions;
  options.data = data;
  return reproduce(name, &options, threads);
}

/* Every certificate within mu, every policy with true noise verified, and the notes not cut. */
static void check_promise(const tacit_report *r, size_t fits, size_t policies) {
  char kept[64], verified[128];
  snprintf(kept, sizeof kept, "promise: 0 of %zu private fits", fits);
  snprintf(verified, sizeof verified, "of %zu policies made with the operating system's noise", policies);
  assert_non_null(strstr(r->notes, kept));
  assert_non_null(strstr(r->notes, verified));
  snprintf(verified, sizeof verified, "%zu pass verify.", policies);
  assert_non_null(strstr(r->notes, verified));
}

static tacit_report *same_for_all_threads(const char *name, const char *data, size_t rows) {
  tacit_report *a = run(name, 3, 1, data), *b = run(name, 3, 3, data);
  assert_int_equal(a->rows, rows);
  assert_same_report(a, b);
  for (size_t i = 0; i < rows; i++) {
    assert_true(isfinite(cell(a, i, "tacit")) && cell(a, i, "repetitions") == 3);
    /* what a person is shown has no number of rows and no repetitions: those are in the notes */
    for (size_t k = 0; k < a->shown; k++) assert_true(strcmp(a->columns[k], "n") != 0);
  }
  tacit_report_free(b);
  return a;
}

static void zhao_in_small(void **state) {
  (void)state;
  tacit_report *r = same_for_all_threads("default-zhao", NULL, 48);
  check_promise(r, 36 * 3, 36);
  for (size_t i = 0; i < r->rows; i++) {
    double bar = cell(r, i, "bar"), theirs = cell(r, i, "as_published");
    double mu = cell(r, i, "mu"), tau = cell(r, i, "quantile");
    assert_true(cell(r, i, "tacit") > 0 && theirs > 0);
    if (isnan(mu))
      assert_true(isnan(bar));
    else if (i < 12)
      assert_true(bar == (mu == 0.9    ? tau == 0.5 ? 0.0045 : 0.0050
                          : mu == 0.5  ? tau == 0.5 ? 0.0058 : 0.0070
                          : tau == 0.5 ? 0.0095
                                       : 0.0140));
    else
      assert_true(bar == theirs / 2);
  }
  tacit_report_free(r);
}

static void chen_in_small(void **state) {
  (void)state;
  tacit_report *r = same_for_all_threads("default-chen", NULL, 24);
  check_promise(r, 24 * 3, 24);
  for (size_t i = 0; i < r->rows; i++)
    assert_true(cell(r, i, "tacit") > 0 && cell(r, i, "constant_order") > 2);
  assert_true(cell(r, 4, "bar") == 0.022 && cell(r, 7, "bar") == 0.006 && cell(r, 0, "bar") > 4);
  tacit_report_free(r);
}

static void stress_in_small(void **state) {
  (void)state;
  tacit_report *r = same_for_all_threads("default-stress", NULL, 20);
  check_promise(r, 20 * 2 * 3, 20);
  for (size_t i = 0; i < r->rows; i++)
    assert_near(cell(r, i, "bar"), 1.1 * cell(r, i, "without_features") + 2 * cell(r, i, "bar_se"), 1e-12);
  tacit_report_free(r);
}

/* A made-up restaurant in the real one's format, with a week in its demand. */
static void write_restaurant(const char *data_path, const char *target_path) {
  static const char *const day[] = {"FRI", "SAT", "SUN", "MON", "TUE", "WED", "THU"};
  FILE *data = fopen(data_path, "w"), *target = fopen(target_path, "w");
  assert_true(data && target);
  tacit_stream stream;
  assert_int_equal(tacit_study_stream(5, TACIT_FOR_ROWS, 0, 0, &stream, NULL), TACIT_OK);
  fputs("weekday,is_holiday,rain,temperature\n", data);
  fputs("lamb,chicken,koefte\n", target);
  for (int i = 0; i < 765; i++) {
    fprintf(data, "%s,%d,%d.5,%d.0\n", day[i % 7], tacit_uniform(&stream) < 0.04,
            tacit_uniform(&stream) < 0.3, (int)(10 + 8 * tacit_normal(&stream)));
    for (int k = 0; k < 3; k++)
      fprintf(target, "%d%c", (int)fmax(0, 30 + (i % 7 > 4 ? 20 : 0) + 5 * tacit_normal(&stream)),
              k < 2 ? ',' : '\n');
  }
  assert_int_equal(fclose(data), 0);
  assert_int_equal(fclose(target), 0);
}

static void restaurant_in_small(void **state) {
  (void)state;
  char folder[] = "/tmp/tacit-dishes-XXXXXX", data[64], target[64];
  assert_non_null(mkdtemp(folder));
  snprintf(data, sizeof data, "%s/yaz_data.csv", folder);
  snprintf(target, sizeof target, "%s/yaz_target.csv", folder);
  write_restaurant(data, target);
  tacit_report *r = same_for_all_threads("default-restaurant", folder, 135);
  check_promise(r, 108 * 3, 108);
  for (size_t i = 0; i < r->rows; i++)
    assert_true(i % 5 == 4 ? isnan(cell(r, i, "erm")) && isnan(cell(r, i, "quantile"))
                           : cell(r, i, "erm") > 100);
  /* Noise of spread 5 at tau = 0.625 costs 80 * 5 * phi(0.32) = 152 a day, which weekday levels reach; lags,
     themselves noisy, cost about a fifth more. */
  assert_true(cell(r, 30, "erm") < 175 && cell(r, 0, "erm") > cell(r, 30, "erm"));
  assert_true(cell(r, 4, "bar") == 0.8 && cell(r, 35, "bar") == 320 && cell(r, 44, "tacit") > -5);
  assert_near(cell(r, 45 + 4, "bar"), cell(r, 4, "tacit") + 1, 1e-12);
  tacit_report_free(r);
  FILE *file = fopen(data, "w");
  fputs("weekday,is_holiday,rain,temperature\nNODAY,0,0,0\n", file);
  assert_int_equal(fclose(file), 0);
  tacit_reproduce_options options;
  tacit_reproduce_options_init(&options);
  options.data = folder;
  assert_int_equal(tacit_reproduce("default-restaurant", &options, NULL, &r, NULL), TACIT_BAD_INPUT);
  options.data = NULL;
  assert_int_equal(tacit_reproduce("default-restaurant", &options, NULL, &r, NULL), TACIT_BAD_INPUT);
  assert_null(r);
  assert_int_equal(unlink(data) + unlink(target) + rmdir(folder), 0);
}

/* Without the endogenous part theta* and its risk have closed forms: 3 Phi^-1(0.7) and 3 phi(Phi^-1(0.7)). */
static void chens_best_order_is_known_or_found(void **state) {
  (void)state;
  tacit_chen *chen = malloc(sizeof *chen);
  assert_non_null(chen);
  double z = tacit_normal_quantile(0.7);
  assert_int_equal(tacit_chen_init(chen, false, NULL), TACIT_OK);
  assert_near(chen->best[0], 10 + 3 * z, 1e-9);
  assert_near(chen->best[1], 5, 1e-9);
  assert_near(chen->best[2], -2, 1e-9);
  assert_near(chen->least, 3 * tacit_normal_pdf(z), 1e-10);
  assert_int_equal(tacit_chen_init(chen, true, NULL), TACIT_OK);
  for (int j = 0; j < 3; j++)
    for (int side = -1; side <= 1; side += 2) {
      double b[3] = {chen->best[0], chen->best[1], chen->best[2]};
      b[j] += 0.01 * side;
      assert_true(tacit_chen_risk(chen, b) > chen->least + 1e-7);
    }
  free(chen);
}

/* The risk's integral against half a million simulated rows, within four standard errors. */
static void chens_risk_agrees_with_simulation(void **state) {
  (void)state;
  enum { MANY = 500000 };
  const double b[3] = {12, 4, -1};
  tacit_chen *chen = malloc(sizeof *chen);
  assert_non_null(chen);
  for (int endogenous = 0; endogenous < 2; endogenous++) {
    double sum = 0, square = 0, x1, x2;
    tacit_stream stream;
    assert_int_equal(tacit_study_stream(7, TACIT_FOR_ROWS, 0, 0, &stream, NULL), TACIT_OK);
    assert_int_equal(tacit_chen_init(chen, endogenous, NULL), TACIT_OK);
    for (int i = 0; i < MANY; i++) {
      double y = tacit_chen_draw(chen, &stream, &x1, &x2);
      double loss = tacit_check_loss(TACIT_CHEN_TAU, y - b[0] - b[1] * x1 - b[2] * x2);
      sum += loss;
      square += loss * loss;
    }
    double mean = sum / MANY, se = sqrt((square / MANY - mean * mean) / MANY);
    assert_near(tacit_chen_risk(chen, b), mean, 4 * se);
  }
  free(chen);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(zhao_in_small),
      cmocka_unit_test(chen_in_small),
      cmocka_unit_test(stress_in_small),
      cmocka_unit_test(restaurant_in_small),
      cmocka_unit_test(chens_best_order_is_known_or_found),
      cmocka_unit_test(chens_risk_agrees_with_simulation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
