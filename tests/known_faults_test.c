/* Faults that other systems had, each as a test by its name: the fact that the fault would break holds here,
   and the faulty variant, written out beside it, breaks it. */
#include "data/design.h"
#include "learn/gate_for_test.h"
#include "learn/task.h"
#include "num/gamma.h"
#include "num/normal.h"
#include "pass/score_sum.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tacit/ledger.h>

#include <cmocka.h>

enum { P = 3, ROWS = 200 };
static const char SCHEMA[] =
    "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 100}, \"nominal_rows\": 200, \"features\": ["
    "{\"name\": \"a\", \"min\": 0, \"max\": 100}, {\"name\": \"b\", \"center\": 0, \"scale\": 1}]}";
static double column[P][ROWS + 8]; /* a, b, y */
static tacit_schema *schema;
static tacit_stream stream;

static int set_up(void **state) {
  (void)state;
  tacit_noise_source source;
  tacit_noise_source_seeded(&source, 11);
  if (tacit_schema_parse(SCHEMA, strlen(SCHEMA), &schema, NULL) != TACIT_OK) return -1;
  if (tacit_stream_begin(&source, &stream, NULL) != TACIT_OK) return -1;
  for (int i = 0; i < ROWS + 8; i++) {
    column[0][i] = 100 * tacit_uniform(&stream);
    column[1][i] = tacit_normal(&stream);
    column[2][i] = 50 + 20 * tacit_normal(&stream);
  }
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  tacit_schema_free(schema);
  tacit_stream_end(&stream);
  return 0;
}

static tacit_source *rows_from(size_t from, size_t count) {
  static const char *const names[] = {"a", "b", "y"};
  const double *columns[] = {column[0] + from, column[1] + from, column[2] + from};
  static const double *kept[P]; /* the source keeps the pointers */
  memcpy(kept, columns, sizeof kept);
  tacit_source *source;
  assert_int_equal(tacit_source_columns(count, P, names, kept, NULL, &source, NULL), TACIT_OK);
  return source;
}

static tacit_design *design_of(size_t from, size_t count) {
  tacit_design *design;
  tacit_read_counts counts;
  tacit_source *source = rows_from(from, count);
  assert_int_equal(tacit_design_new(schema, NULL, TACIT_CELL_BITS, &design, NULL), TACIT_OK);
  assert_int_equal(tacit_encode_source(source, schema, true,
                                       &(const tacit_row_taker){.add = tacit_design_add, .self = design},
                                       &counts, NULL, NULL),
                   TACIT_OK);
  tacit_source_free(source);
  return design;
}

/* The contribution of one row (a, b, y) to the sum of scores at the median, and how far sums may move. */
static double contribution(double a, double b, double y, int64_t out[P], double *sensitivity,
                           tacit_adjacency adjacency) {
  static const double zero[P];
  column[0][ROWS] = a, column[1][ROWS] = b, column[2][ROWS] = y;
  tacit_design *design = design_of(ROWS, 1);
  tacit_score_pass pass = {
      .tau = 0.5, .kernel = TACIT_KERNEL_GAUSSIAN, .bandwidth = 0.01, .coefficients = zero};
  assert_int_equal(tacit_score_bound_set(&pass.bound, 0.5, 2, TACIT_CELL_BITS, NULL), TACIT_OK);
  uint64_t sum[P];
  tacit_score_sum(design, &pass, 1, sum);
  tacit_design_free(design);
  double square = 0;
  for (int j = 0; j < P; j++) out[j] = (int64_t)sum[j], square += (double)out[j] * (double)out[j];
  tacit_mechanism m = {.kind = TACIT_RELEASE_SCORES,
                       .dimension = P,
                       .level = 0.5,
                       .clip = 2,
                       .bits = TACIT_CELL_BITS + TACIT_SCORE_BITS,
                       .count = 1};
  assert_int_equal(tacit_mechanism_sensitivity(&m, adjacency, 1, sensitivity, NULL), TACIT_OK);
  return sqrt(square);
}

static double apart(const int64_t *u, const int64_t *v) {
  double square = 0;
  for (int j = 0; j < P; j++) square += (double)(u[j] - v[j]) * (double)(u[j] - v[j]);
  return sqrt(square);
}

static void sensitivity_with_the_lower_bound_twice(void **state) {
  (void)state;
  int64_t low[P], high[P];
  double sensitivity;
  contribution(0, 0, 100, low, &sensitivity, TACIT_REPLACE_ONE);
  contribution(100, 0, 100, high, &sensitivity, TACIT_REPLACE_ONE);
  const tacit_scale *scale = &schema->features[0].scale;
  double faulty = ldexp((scale->center - scale->half) - (scale->center - scale->half), TACIT_CELL_BITS);
  assert_true(apart(low, high) > 0 && apart(low, high) <= sensitivity);
  assert_true(apart(low, high) > faulty); /* 0: the noise would be none */
}

static void replace_one_sensitivity_short_by_two(void **state) {
  (void)state;
  int64_t up[P], down[P];
  double sensitivity, faulty;
  contribution(100, 8, 100, up, &faulty, TACIT_ADD_REMOVE); /* the norm of one record */
  contribution(100, 8, 0, down, &sensitivity, TACIT_REPLACE_ONE);
  assert_true(apart(up, down) <= sensitivity && apart(up, down) > 0.999 * sensitivity);
  assert_true(apart(up, down) > 1.99 * faulty);
}

/* Every release is forced to the same numbers, so that whatever else differs came by another way. */
static tacit_status forced(void *self, const tacit_mechanism *m, uint64_t *noisy, tacit_stream *drawn,
                           tacit_error *error) {
  uint64_t *count = self;
  (void)drawn;
  (void)error;
  for (size_t j = 0; j < m->dimension; j++)
    noisy[j] = (uint64_t)(int64_t)(m->sigma * sin((double)(++*count)));
  return TACIT_OK;
}

static void forced_fit(const char *method, tacit_adjacency adjacency, size_t from, size_t rows,
                       double *coefficients) {
  static const double tau = 0.7;
  uint64_t count = 0;
  tacit_learn_options options;
  tacit_learn_options_init(&options);
  options.method = method;
  options.quantiles = &tau;
  options.quantile_count = 1;
  options.mu = 1;
  options.adjacency = adjacency;
  tacit_fit *fit;
  tacit_source *source = rows_from(from, rows);
  tacit_release_probe probe = {NULL, forced, &count};
  assert_int_equal(
      tacit_learn_watched(schema, source, &options, NULL, &(tacit_watch){.probe = &probe}, &fit, NULL),
      TACIT_OK);
  memcpy(coefficients, fit->coefficients, P * sizeof *coefficients);
  assert_false(fit->certificate->private); /* what a probe has touched never passes for private */
  tacit_fit_free(fit);
  tacit_source_free(source);
}

static const char *const LEARNERS[] = {"default", "noisy-gd", "gradient"};
enum { LEARNER_COUNT = sizeof LEARNERS / sizeof *LEARNERS };

static void normaliser_from_the_private_number_of_rows(void **state) {
  (void)state;
  double a[P], b[P];
  for (int i = 0; i < LEARNER_COUNT; i++) {
    forced_fit(LEARNERS[i], TACIT_ADD_REMOVE, 0, ROWS, a);
    forced_fit(LEARNERS[i], TACIT_ADD_REMOVE, 0, ROWS - 57, b);
    assert_memory_equal(a, b, sizeof a); /* n is nowhere in it, */
    forced_fit(LEARNERS[i], TACIT_ADD_REMOVE, 3, ROWS - 99, b);
    assert_memory_equal(a, b, sizeof a); /* and nor is anything else of the rows */
    forced_fit(LEARNERS[i], TACIT_REPLACE_ONE, 0, ROWS, a);
    forced_fit(LEARNERS[i], TACIT_REPLACE_ONE, 5, ROWS, b);
    assert_memory_equal(a, b, sizeof a);
    forced_fit(LEARNERS[i], TACIT_REPLACE_ONE, 0, ROWS - 57, b);
    assert_memory_not_equal(a, b, sizeof a); /* where n is public it is used: the test would see it */
  }
}

static void composition_without_the_count(void **state) {
  (void)state;
  tacit_certificate *c;
  double epsilon;
  assert_int_equal(tacit_certificate_new("test", &c, NULL), TACIT_OK);
  tacit_mechanism m = {
      .kind = TACIT_RELEASE_COUNT, .dimension = 1, .sensitivity = 1, .sigma = 20, .count = 1};
  for (int i = 0; i < 100; i++) assert_int_equal(tacit_certificate_add(c, &m, NULL), TACIT_OK);
  assert_int_equal(c->releases, 100);
  double mu = tacit_certificate_mu(c), faulty = 0;
  for (size_t i = 0; i < c->mechanism_count; i++) faulty = hypot(faulty, 1 / c->mechanisms[i].sigma);
  assert_true(mu >= 0.5 && mu < 0.5 + 1e-12);
  assert_int_equal(tacit_gdp_epsilon(mu, 1e-5, &epsilon, NULL), TACIT_OK);
  assert_true(fabs(epsilon - 1.9930914) < 1e-6);
  assert_true(faulty < 0.051); /* alike releases are one line of the list: its count is all that tells */
  tacit_certificate_free(c);
}

/* Noise on the grid of the sum moves with it: the same noise on x and x + 1 is 1 apart, always. Noise made of
   doubles is rounded with the sum, and how it was rounded tells what the sum was. */
static void noise_of_summed_floating_point_normals(void **state) {
  (void)state;
  int unequal = 0;
  for (uint64_t seed = 0; seed < 300; seed++) {
    uint64_t sum[2] = {12345, 12346};
    double out[2];
    for (int k = 0; k < 2; k++) {
      planned_gate p;
      open_planned(&p, 1, 1, seed);
      p.gate.paid = true;
      const tacit_mechanism m = {.kind = TACIT_RELEASE_ROWS,
                                 .dimension = 1,
                                 .clip = 1,
                                 .bits = 33,
                                 .sensitivity = 2,
                                 .sigma = 1e6,
                                 .count = 1};
      assert_int_equal(tacit_plan_add(&p.plan, &m, NULL), TACIT_OK);
      assert_int_equal(tacit_release_sum(&p.gate, 0, m.kind, &sum[k], &out[k], NULL, NULL), TACIT_OK);
      close_planned(&p);
    }
    assert_true(sum[1] - sum[0] == 1 && out[1] - out[0] == 0x1p-33);
    double noise = 0;
    for (int k = 0; k < 4; k++) noise += tacit_normal(&stream) / 2;
    unequal += (0.1 + noise) - (0 + noise) != 0.1;
  }
  assert_true(unequal > 100);
}

static void float_sums_that_depend_on_the_order(void **state) {
  (void)state;
  /* integers: the same bits in any order, so that one record moves the sum by its own contribution and no
   * more */
  static const double b[P] = {0.3, -0.2, 0.1};
  tacit_score_pass pass = {.tau = 0.3, .kernel = TACIT_KERNEL_GAUSSIAN, .bandwidth = 0.5, .coefficients = b};
  assert_int_equal(tacit_score_bound_set(&pass.bound, 0.3, 2, TACIT_CELL_BITS, NULL), TACIT_OK);
  uint64_t first[P], again[P];
  for (int turn = 0; turn < 20; turn++) {
    tacit_design *design = design_of(0, ROWS);
    tacit_score_sum(design, &pass, 1 + turn % 4, turn ? again : first);
    tacit_design_free(design);
    if (turn) assert_memory_equal(first, again, sizeof first);
    for (size_t i = ROWS - 1; i > 0; i--) { /* another order */
      size_t k = (size_t)tacit_stream_below(&stream, i + 1);
      for (int j = 0; j < P; j++) {
        double keep = column[j][i];
        column[j][i] = column[j][k], column[j][k] = keep;
      }
    }
  }
  /* doubles: four numbers, two sums, and a record's place decides what it adds */
  const double last[] = {1, 1, 0x1p53, -0x1p53}, early[] = {0x1p53, 1, 1, -0x1p53};
  volatile double one = 0, other = 0;
  for (int i = 0; i < 4; i++) one += last[i], other += early[i];
  assert_true(one == 2 && other == 0);
}

/* Pearson's statistic of draws at sigma = 2.6 against the exact probabilities of the cells -8..8; 17 cells.
 */
enum { CELLS = 17, DRAWS = 400000 };
static double chi_square(bool faulty) {
  static const double SIGMA = 2.6;
  double count[CELLS] = {0}, statistic = 0;
  for (int i = 0; i < DRAWS; i++) {
    int64_t z = tacit_gaussian_integer(&stream, SIGMA);
    if (faulty && z == 0 && tacit_stream_below(&stream, 40) == 0) z = 1; /* a bias of 0.4 % of all draws */
    int64_t cell = z < -8 ? -8 : z > 8 ? 8 : z;
    count[cell + 8]++;
  }
  for (int k = 0; k < CELLS; k++) {
    double lo = k == 0 ? 0 : tacit_normal_cdf((k - 8.5) / SIGMA);
    double hi = k == CELLS - 1 ? 1 : tacit_normal_cdf((k - 7.5) / SIGMA);
    double expected = DRAWS * (hi - lo);
    statistic += (count[k] - expected) * (count[k] - expected) / expected;
  }
  return 1 - tacit_chi_square_cdf(CELLS - 1, statistic); /* how often chance alone would do worse */
}

static void a_biased_exact_sampler(void **state) {
  (void)state;
  double sound = chi_square(false), biased = chi_square(true);
  assert_true(sound > 1e-4);
  assert_true(biased < 1e-6);
}

static tacit_status count_spending(void *user, const tacit_cost *cost, tacit_error *error) {
  (void)error;
  *(int *)user += cost->mu == 1;
  return TACIT_OK;
}

/* Every draw is in the certificate before it is made, and a plan gives no second one. */
static void noise_redrawn_for_free(void **state) {
  (void)state;
  planned_gate p;
  double count;
  open_planned(&p, 1, 1, 3);
  const tacit_certificate *c = p.gate.certificate;
  assert_int_equal(tacit_plan_share(&p.plan, a_count(0), 1, 1, NULL), TACIT_OK);
  p.gate.paid = true;
  assert_int_equal(release_count(&p, 0, &count), TACIT_OK);
  assert_true(tacit_certificate_mu(c) <= 1);
  assert_int_equal(release_count(&p, 0, &count), TACIT_INTERNAL); /* another try: */
  assert_true(p.gate.noise.releases == 1 && c->releases == 1);    /* no noise is drawn for it */
  assert_int_equal(tacit_plan_share(&p.plan, a_count(0), 0.99, 1, NULL), TACIT_OK);
  assert_int_equal(tacit_plan_check(&p.plan, NULL), TACIT_INTERNAL);
  assert_int_equal(release_count(&p, 0, &count), TACIT_OK); /* past the promise, */
  assert_true(p.gate.noise.releases == 2 && c->releases == 2 &&
              tacit_certificate_mu(c) > 1.4); /* but not past the list */
  close_planned(&p);
  /* rows on which linear algebra has nothing to work with: as many releases as ever, paid once */
  uint64_t usual[LEARNER_COUNT] = {0};
  for (int kind = 0; kind < 3; kind++) {
    for (int j = 0; kind && j < P; j++)
      for (int i = 0; i < ROWS; i++) column[j][i] = kind == 1 ? 50 : i % 2 ? 1e308 : -1e308;
    for (int i = 0; i < LEARNER_COUNT; i++) {
      static const double tau = 0.5;
      int paid = 0;
      tacit_learn_options options;
      tacit_learn_options_init(&options);
      options.method = LEARNERS[i];
      options.quantiles = &tau;
      options.quantile_count = 1;
      options.mu = 1;
      options.spend = count_spending;
      options.spend_user = &paid;
      tacit_fit *fit;
      tacit_source *source = rows_from(0, ROWS);
      assert_int_equal(tacit_learn(schema, source, &options, NULL, &fit, NULL), TACIT_OK);
      if (!kind) usual[i] = fit->certificate->releases;
      assert_true(paid == 1 && fit->certificate->releases == usual[i]);
      assert_true(tacit_certificate_mu(fit->certificate) <= 1);
      for (int j = 0; j < P; j++) assert_true(isfinite(fit->coefficients[j]));
      tacit_fit_free(fit);
      tacit_source_free(source);
    }
  }
}

static void clipped_and_then_used_unclipped(void **state) {
  (void)state;
  int64_t out[P];
  double radius, norm = contribution(100, 8, 100, out, &radius, TACIT_ADD_REMOVE);
  double row = sqrt(1 + 1 + 64), faulty = 0.5 * row * ldexp(1, TACIT_CELL_BITS + TACIT_SCORE_BITS);
  assert_true(norm <= radius && norm > 0.999 * radius);
  assert_true(faulty > 4 * radius); /* the same row and score without the weight */
}

int main(void) {
#define KNOWN_FAULT(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
  const struct CMUnitTest tests[] = {
      KNOWN_FAULT(sensitivity_with_the_lower_bound_twice),
      KNOWN_FAULT(replace_one_sensitivity_short_by_two),
      KNOWN_FAULT(normaliser_from_the_private_number_of_rows),
      KNOWN_FAULT(composition_without_the_count),
      KNOWN_FAULT(noise_of_summed_floating_point_normals),
      KNOWN_FAULT(float_sums_that_depend_on_the_order),
      KNOWN_FAULT(a_biased_exact_sampler),
      KNOWN_FAULT(noise_redrawn_for_free),
      KNOWN_FAULT(clipped_and_then_used_unclipped),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
