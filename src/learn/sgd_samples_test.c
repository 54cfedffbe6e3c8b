/* The samples of stochastic gradient perturbation: how large they are, that no record comes twice, and how
   far one record moves the sum over them. */
#include "learn/learners.h"
#include "method/methods.h"
#include "method/sgd.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const char SCHEMA[] = "{\"target\": {\"name\": \"y\", \"center\": 0, \"scale\": 2}, \"features\": ["
                             "{\"name\": \"a\", \"center\": 0, \"scale\": 1}, {\"name\": \"b\", \"min\": -3, "
                             "\"max\": 3}]}";
static const double TAU = 0.7;

/* How a step samples: a batch, or a rate. */
typedef struct sampling {
  size_t batch;
  double rate;
} sampling;

static void open_task(tacit_task *task, const tacit_schema *schema, tacit_design *design, sampling how,
                      uint64_t seed) {
  const tacit_mechanism run = {.kind = TACIT_RELEASE_SAMPLED,
                               .dimension = 3,
                               .level = 0.7,
                               .clip = 1.5,
                               .bits = 33,
                               .count = 1,
                               .sigma = 1};
  tacit_choice *choice = &task->choice;
  assert_int_equal(tacit_choice_open(choice, &task->facts, NULL), TACIT_OK);
  assert_int_equal(tacit_plan_open(&task->plan, &task->facts, NULL), TACIT_OK);
  assert_int_equal(tacit_plan_add(&task->plan, &run, NULL), TACIT_OK);
  assert_int_equal(tacit_certificate_new("test", &task->fit->certificate, NULL), TACIT_OK);
  assert_int_equal(tacit_answerer_new(schema, design, NULL, &task->rows.own, NULL), TACIT_OK);
  tacit_gate_open(&task->gate, &seed, NULL);
  task->gate.plan = &task->plan;
  task->gate.certificate = task->fit->certificate;
  choice->steps = 1;
  choice->batch = how.batch;
  choice->rate = how.rate;
  choice->kernel = TACIT_KERNEL_LOGISTIC;
  choice->clip_norm = 1.5;
  choice->theta[0] = 4;
  choice->bandwidth[0] = 1e-3; /* scores are all or nothing */
  choice->step_size[0] = 1e-6 * tacit_sgd_size(&task->facts, choice);
}

/* One step from zero with next to no noise, on rows given as encoded: -coefficients size / eta is the sum
   over the sample. */
static void one_step(sampling how, double (*x)[3], const double *y, size_t n, uint64_t seed, double *sum) {
  tacit_schema *schema;
  tacit_design *design;
  tacit_learn_options options;
  tacit_learn_options_init(&options);
  assert_int_equal(tacit_schema_parse(SCHEMA, strlen(SCHEMA), &schema, NULL), TACIT_OK);
  assert_int_equal(tacit_design_new(schema, NULL, TACIT_CELL_BITS, &design, NULL), TACIT_OK);
  for (size_t i = 0; i < n; i++) assert_int_equal(tacit_design_add(design, x[i], &y[i], NULL), TACIT_OK);
  tacit_fit fit = {.columns = 3, .targets = 1, .coefficients = sum};
  tacit_task task = {.method = &tacit_method_sgd,
                     .schema = schema,
                     .options = &options,
                     .facts = {.schema = schema, .quantiles = &TAU, .rows = (double)n},
                     .fit = &fit};
  open_task(&task, schema, design, how, seed);
  assert_int_equal(tacit_learn_sgd(&task, NULL), TACIT_OK);
  for (int j = 0; j < 3; j++) sum[j] *= -1e6;
  tacit_rows_close(&task.rows);
  tacit_plan_close(&task.plan);
  tacit_choice_close(&task.choice);
  tacit_certificate_free(fit.certificate);
  tacit_schema_free(schema);
}

/* Neighbouring tables, the same samples and noise: the sum moves by at most twice a record's radius under
   replace-one and once under add-remove, whatever the records hold; and the search comes near. */
static void sums_move_no_further_than_stated(void **state) {
  (void)state;
  double nearest = 0, x[41][3], y[41], radius = 0.7 * 1.5 * (1 + 1e-4);
  tacit_noise_source source;
  tacit_stream s;
  tacit_noise_source_seeded(&source, 21);
  assert_int_equal(tacit_stream_begin(&source, &s, NULL), TACIT_OK);
  for (int i = 0; i < 41; i++) {
    for (int j = 0; j < 3; j++) x[i][j] = j ? tacit_normal(&s) : 1;
    y[i] = tacit_normal(&s);
  }
  for (int k = 0; k < 400; k++) {
    sampling how = {.batch = k % 3 == 0 ? 30 : 0, .rate = k % 3 == 0 ? 0 : k % 3 == 1 ? 0.5 : 1};
    bool add = k % 3 == 2;
    size_t at = add ? 40 : (size_t)(tacit_uniform(&s) * 40);
    double one[3], two[3], moved = 0;
    for (int turn = 0; turn < 2; turn++) {
      for (int j = 0; j < 3; j++) x[at][j] = (turn && k % 2 ? -1 : 1) * (k % 5 ? 3 * tacit_normal(&s) : 8);
      y[at] = (turn ? -1 : 1) * (k % 7 ? 4 : NAN);
      one_step(how, x, y, add && !turn ? 40 : add ? 41 : 40, (uint64_t)k, turn ? two : one);
    }
    for (int j = 0; j < 3; j++) moved = hypot(moved, one[j] - two[j]);
    double limit = (add ? 1 : 2) * radius;
    if (moved > limit) fail_msg("%d: moved by %g of %g", k, moved, limit);
    nearest = fmax(nearest, moved / limit);
  }
  assert_true(nearest > 0.6);
  tacit_stream_end(&s);
}

/* All rows alike, so that the sum counts them: a batch has exactly its size, a Poisson sample a binomial one.
 */
static void samples_have_their_size(void **state) {
  (void)state;
  static double x[100][3], y[100], sum[3];
  for (int i = 0; i < 100; i++) x[i][0] = 1, y[i] = -5; /* a score of 1 - tau each */
  int seeds = 2000;
  double sums = 0, squares = 0;
  for (int k = 0; k < seeds; k++) {
    if (k < 100) {
      sampling fixed = {.batch = (size_t)k + 1};
      one_step(fixed, x, y, 100, (uint64_t)k, sum);
      assert_true(fabs(sum[0] / 0.3 - k - 1) < 0.01);
    }
    sampling poisson = {.rate = ldexp(floor(ldexp(0.3, 32)), -32)};
    one_step(poisson, x, y, 100, (uint64_t)k, sum);
    double count = sum[0] / 0.3;
    assert_true(fabs(count - nearbyint(count)) < 0.01);
    sums += count;
    squares += count * count;
  }
  double mean = sums / seeds, variance = squares / seeds - mean * mean;
  /* binomial(100, 0.3): mean 30, variance 21; five standard errors each */
  assert_true(fabs(mean - 30) < 5 * sqrt(21.0 / seeds));
  assert_true(fabs(variance - 21) < 5 * 21 * sqrt(2.0 / seeds));
}

/* A batch of all records has each of them once: the full sum, in any order. One record at a time, all come
 * up. */
static void a_batch_has_no_record_twice(void **state) {
  (void)state;
  static double x[64][3], y[64], first[3], sum[3];
  int seen[8] = {0};
  for (int i = 0; i < 64; i++)
    x[i][0] = 1, x[i][1] = 0.01 * (i - 30), x[i][2] = 0.001 * i * i / 64, y[i] = i % 2 ? 5 : -5;
  for (int k = 0; k < 20; k++) {
    sampling all = {.batch = 64};
    one_step(all, x, y, 64, (uint64_t)k, k ? sum : first);
    for (int j = 0; j < 3 && k; j++) assert_true(fabs(sum[j] - first[j]) < 1e-6);
  }
  for (int i = 0; i < 8; i++) x[i][0] = 1, x[i][1] = 0.1 * i, x[i][2] = 0, y[i] = -5;
  for (int k = 0; k < 800; k++) {
    sampling one = {.batch = 1};
    one_step(one, x, y, 8, (uint64_t)k, sum);
    seen[(int)nearbyint(sum[1] / sum[0] * 10)]++;
  }
  for (int i = 0; i < 8; i++) assert_true(seen[i] > 50 && seen[i] < 150); /* 100, standard deviation 9.4 */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sums_move_no_further_than_stated),
      cmocka_unit_test(samples_have_their_size),
      cmocka_unit_test(a_batch_has_no_record_twice),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
