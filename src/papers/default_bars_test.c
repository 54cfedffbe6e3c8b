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

typedef struct result {
  tacit_study_row *rows;
  size_t count;
  char notes[TACIT_NOTES];
} result;

static result run(const char *name, size_t repetitions, int threads, const char *data) {
  result r = {NULL, 0, ""};
  tacit_error error = {""};
  tacit_study_options options;
  tacit_study_options_init(&options);
  options.repetitions = repetitions;
  options.data = data;
  tacit_context context;
  tacit_context_init(&context);
  context.threads = threads;
  if (tacit_reproduce(name, &options, &context, &r.rows, &r.count, r.notes, &error) != TACIT_OK)
    fail_msg("%s: %s", name, error.text);
  return r;
}

/* Every certificate within mu, every policy with true noise verified, and the notes not cut. */
static void check_promise(const result *r, size_t fits, size_t policies) {
  char kept[64], verified[128];
  snprintf(kept, sizeof kept, "promise: 0 of %zu private fits", fits);
  snprintf(verified, sizeof verified, "of %zu policies made with the operating system's noise", policies);
  assert_non_null(strstr(r->notes, kept));
  assert_non_null(strstr(r->notes, verified));
  snprintf(verified, sizeof verified, "%zu pass verify.", policies);
  assert_non_null(strstr(r->notes, verified));
}

static result same_for_all_threads(const char *name, const char *data, size_t rows) {
  result a = run(name, 3, 1, data), b = run(name, 3, 3, data);
  assert_int_equal(a.count, rows);
  assert_int_equal(b.count, rows);
  assert_memory_equal(a.rows, b.rows, rows * sizeof *a.rows);
  assert_string_equal(a.notes, b.notes);
  for (size_t i = 0; i < rows; i++) assert_true(isfinite(a.rows[i].tacit) && a.rows[i].repetitions == 3);
  free(b.rows);
  return a;
}

static void zhao_in_small(void **state) {
  (void)state;
  result r = same_for_all_threads("default-zhao", NULL, 48);
  check_promise(&r, 36 * 3, 36);
  for (size_t i = 0; i < r.count; i++) {
    const tacit_study_row *row = &r.rows[i];
    assert_true(row->tacit > 0 && row->published > 0 && isnan(row->paper_sd));
    if (row->mu == 0)
      assert_true(isnan(row->paper));
    else if (i < 12)
      assert_true(row->paper == (row->mu == 0.9         ? row->quantile == 0.5 ? 0.0045 : 0.0050
                                 : row->mu == 0.5       ? row->quantile == 0.5 ? 0.0058 : 0.0070
                                 : row->quantile == 0.5 ? 0.0095
                                                        : 0.0140));
    else
      assert_true(row->paper == row->published / 2);
  }
  free(r.rows);
}

static void chen_in_small(void **state) {
  (void)state;
  result r = same_for_all_threads("default-chen", NULL, 24);
  check_promise(&r, 24 * 3, 24);
  for (size_t i = 0; i < r.count; i++) assert_true(r.rows[i].tacit > 0 && r.rows[i].published > 2);
  assert_true(r.rows[4].paper == 0.022 && r.rows[7].paper == 0.006 && r.rows[0].paper > 4);
  free(r.rows);
}

static void stress_in_small(void **state) {
  (void)state;
  result r = same_for_all_threads("default-stress", NULL, 20);
  check_promise(&r, 20 * 2 * 3, 20);
  for (size_t i = 0; i < r.count; i++)
    assert_near(r.rows[i].paper, 1.1 * r.rows[i].published + 2 * r.rows[i].paper_sd, 1e-12);
  free(r.rows);
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
  result r = same_for_all_threads("default-restaurant", folder, 135);
  check_promise(&r, 108 * 3, 108);
  for (size_t i = 0; i < r.count; i++)
    assert_true(i % 5 == 4 ? isnan(r.rows[i].published) && isnan(r.rows[i].quantile)
                           : r.rows[i].published > 100);
  /* Noise of spread 5 at tau = 0.625 costs 80 * 5 * phi(0.32) = 152 a day, which weekday levels reach; lags,
     themselves noisy, cost about a fifth more. */
  assert_true(r.rows[30].published < 175 && r.rows[0].published > r.rows[30].published);
  assert_true(r.rows[4].paper == 0.8 && r.rows[35].paper == 320 && r.rows[44].tacit > -5);
  assert_near(r.rows[45 + 4].paper, r.rows[4].tacit + 1, 1e-12);
  free(r.rows);
  FILE *file = fopen(data, "w");
  fputs("weekday,is_holiday,rain,temperature\nNODAY,0,0,0\n", file);
  assert_int_equal(fclose(file), 0);
  tacit_study_options options;
  tacit_study_options_init(&options);
  options.data = folder;
  r = (result){NULL, 0, ""};
  assert_int_equal(tacit_reproduce("default-restaurant", &options, NULL, &r.rows, &r.count, r.notes, NULL),
                   TACIT_BAD_INPUT);
  options.data = NULL;
  assert_int_equal(tacit_reproduce("default-restaurant", &options, NULL, &r.rows, &r.count, r.notes, NULL),
                   TACIT_BAD_INPUT);
  assert_null(r.rows);
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
