/* Algorithm 1 against a plain reference, its certificate, and what must not change its result. */
#include "learn/task.h"
#include "loss/check.h"
#include "random/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N = 700, P = 4, S = 2 };
static double column[P - 1 + S][N];
static const char *const NAMES[] = {"a", "b", "c", "y", "w"};

#define FEATURES                                                                                             \
  "\"features\": [{\"name\": \"a\", \"center\": 0, \"scale\": 1}, {\"name\": \"b\", \"center\": 0, "         \
  "\"scale\": 1},"                                                                                           \
  "{\"name\": \"c\", \"min\": -3, \"max\": 3}]"
#define TARGET "{\"name\": \"y\", \"center\": 0, \"scale\": 2}"
#define SIGMA ", \"second_moment\": [[1, 0, 0, 0], [0, 1, 0.5, 0], [0, 0.5, 1, 0], [0, 0, 0, 0.3]]"

static int set_up(void **state) {
  (void)state;
  tacit_noise_source source;
  tacit_stream stream;
  tacit_noise_source_seeded(&source, 7);
  if (tacit_stream_begin(&source, &stream, NULL) != TACIT_OK) return -1;
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < P - 1; j++) column[j][i] = tacit_normal(&stream);
    column[3][i] = 1 + column[0][i] - 2 * column[1][i] + 0.5 * column[2][i] + tacit_normal(&stream);
    column[4][i] = -column[0][i] + tacit_normal(&stream);
  }
  return 0;
}

static tacit_schema *schema_of(const char *text) {
  tacit_schema *schema;
  tacit_error error;
  if (tacit_schema_parse(text, strlen(text), &schema, &error) != TACIT_OK) fail_msg("%s", error.text);
  return schema;
}

/* Learns from the rows order[0..n) (NULL: all, as they stand). */
static tacit_fit *learn(const tacit_schema *schema, const tacit_learn_options *options, int threads,
                        const size_t *order, size_t n) {
  static double copy[P - 1 + S][N];
  const double *columns[P - 1 + S];
  for (int j = 0; j < P - 1 + S; j++) {
    for (size_t i = 0; i < n; i++) copy[j][i] = column[j][order ? order[i] : i];
    columns[j] = copy[j];
  }
  const char *const *texts[P - 1 + S] = {0};
  tacit_source *source;
  tacit_fit *fit = NULL;
  tacit_error error = {""};
  tacit_context context;
  tacit_context_init(&context);
  context.threads = threads;
  assert_int_equal(tacit_source_columns(n, P - 1 + S, NAMES, columns, texts, &source, NULL), TACIT_OK);
  tacit_status status = tacit_learn(schema, source, options, &context, &fit, &error);
  tacit_source_free(source);
  if (status != TACIT_OK) fail_msg("%s", error.text);
  return fit;
}

static tacit_learn_options seeded(const double *tau, size_t targets, double mu) {
  tacit_learn_options options;
  tacit_learn_options_init(&options);
  options.method = "noisy-gd";
  options.quantiles = tau;
  options.quantile_count = targets;
  options.mu = mu;
  options.seeded = true;
  options.seed = 3;
  return options;
}

/* Zhao's iteration in plain doubles without noise; root is Sigma^(-1/2) or NULL. */
static void reference(double tau, double eta, size_t T, double B, double h, const double *root, double *b) {
  memset(b, 0, P * sizeof *b);
  for (size_t t = 0; t < T; t++) {
    double g[P] = {0};
    for (int i = 0; i < N; i++) {
      double x[P] = {1, column[0][i], column[1][i], fmax(-1, fmin(1, column[2][i] / 3))}, w[P] = {0},
             margin = 0, norm = 0;
      for (int j = 0; j < P; j++) {
        margin += x[j] * b[j];
        for (int k = 0; k < P; k++) w[j] += (root ? root[j * P + k] : j == k) * x[k];
        norm = hypot(norm, w[j]);
      }
      double score = tacit_kernel_cdf(TACIT_KERNEL_GAUSSIAN, (margin - column[3][i] / 2) / h) - tau;
      for (int j = 0; j < P; j++) g[j] += score * fmin(1, B / norm) * w[j];
    }
    for (int j = 0; j < P; j++)
      for (int k = 0; k < P; k++) b[j] -= eta / N * (root ? root[j * P + k] : j == k) * g[k];
  }
}

static void check_against_reference(const char *text, bool whiten) {
  tacit_schema *schema = schema_of(text);
  double tau = 0.7, expected[P], root[P * P] = {0};
  tacit_learn_options options = seeded(&tau, 1, 1e4); /* next to no noise */
  options.noisy_gd.steps = 12;
  options.noisy_gd.growth = 1;
  options.noisy_gd.average = 1;
  options.noisy_gd.step_size = 0.8;
  options.noisy_gd.clip_norm = 1.5;
  options.noisy_gd.bandwidth = 0.5; /* 0.25 in encoded units */
  options.noisy_gd.whiten = whiten;
  if (whiten) { /* the 2 x 2 block [[1, .5], [.5, 1]] has eigenvalues 1.5 and 0.5 */
    double u = 1 / sqrt(1.5), v = 1 / sqrt(0.5);
    root[0] = 1, root[5] = root[10] = (u + v) / 2, root[6] = root[9] = (u - v) / 2, root[15] = 1 / sqrt(0.3);
  }
  tacit_fit *fit = learn(schema, &options, 1, NULL, N);
  reference(tau, 0.8, 12, 1.5, 0.25, whiten ? root : NULL, expected);
  for (int j = 0; j < P; j++) assert_true(fabs(fit->coefficients[j] - expected[j]) < 2e-4);
  tacit_fit_free(fit);
  tacit_schema_free(schema);
}

static void equation_7_is_the_papers(void **state) {
  (void)state;
  check_against_reference("{\"target\": " TARGET ", " FEATURES "}", false);
}

static void equation_6_is_the_papers(void **state) {
  (void)state;
  check_against_reference("{\"target\": " TARGET ", " FEATURES SIGMA "}", true);
}

/* Byte for byte the same for 1, 2 and 7 threads and for shuffled rows. */
static void nothing_but_rows_and_seed_matters(void **state) {
  (void)state;
  tacit_schema *schema = schema_of("{\"target\": " TARGET ", " FEATURES "}");
  double tau = 0.6;
  tacit_learn_options options = seeded(&tau, 1, 0.5);
  options.noisy_gd.start = "sphere";
  size_t order[N];
  for (size_t i = 0; i < N; i++) order[i] = (i * 389 + 11) % N;
  tacit_fit *first = learn(schema, &options, 1, NULL, N);
  const int threads[] = {1, 2, 7};
  for (int k = 0; k < 3; k++)
    for (int shuffled = 0; shuffled < 2; shuffled++) {
      tacit_fit *again = learn(schema, &options, threads[k], shuffled ? order : NULL, N);
      assert_memory_equal(first->coefficients, again->coefficients, P * sizeof(double));
      tacit_fit_free(again);
    }
  options.seed++;
  tacit_fit *other = learn(schema, &options, 1, NULL, N);
  assert_true(memcmp(first->coefficients, other->coefficients, P * sizeof(double)) != 0);
  tacit_fit_free(other);
  tacit_fit_free(first);
  tacit_schema_free(schema);
}

/* The certificate lists every step, adds up to the asked guarantee, and depends on the adjacency as it
 * should. */
static void the_certificate_adds_up(void **state) {
  (void)state;
  tacit_schema *schema =
      schema_of("{\"target\": [" TARGET ", {\"name\": \"w\", \"min\": -5, \"max\": 5}], " FEATURES
                ", \"nominal_rows\": 1000, \"unit\": {\"rows_per_unit\": 3}}");
  const double taus[] = {0.6, 0.2};
  double sensitivity[2];
  for (int adjacency = 0; adjacency < 2; adjacency++) {
    tacit_learn_options options = seeded(taus, 2, 0.4);
    options.adjacency = (tacit_adjacency)adjacency;
    tacit_fit *fit = learn(schema, &options, 1, NULL, N);
    const tacit_certificate *c = fit->certificate;
    uint64_t count[2] = {0};
    for (size_t i = 0; i < c->mechanism_count; i++) count[c->mechanisms[i].target] += c->mechanisms[i].count;
    assert_int_equal(count[0], 30);
    assert_int_equal(count[1], 30);
    assert_int_equal(c->releases, 60);
    double mu = tacit_certificate_mu(c);
    assert_true(mu <= 0.4 && mu > 0.4 * (1 - 1e-10));
    assert_int_equal(c->rows, adjacency == TACIT_ADD_REMOVE ? 1000 : N);
    assert_false(c->private); /* seeded */
    double last = 0, first = 0;
    for (size_t i = 0; i < c->mechanism_count; i++) {
      if (c->mechanisms[i].target == 0) last = c->mechanisms[i].sigma;
      if (c->mechanisms[i].target == 0 && first == 0) first = c->mechanisms[i].sigma;
    }
    assert_true(first > last); /* later steps get a larger share */
    sensitivity[adjacency] = c->mechanisms[0].sensitivity;
    tacit_fit_free(fit);
  }
  assert_true(sensitivity[TACIT_REPLACE_ONE] == 2 * sensitivity[TACIT_ADD_REMOVE]);
  assert_true(ldexp(sensitivity[TACIT_ADD_REMOVE], -33) >= 3 * 0.6 * 2 * sqrt(P / 5.0) * (1 - 1e-5));
  tacit_schema_free(schema);
}

/* Under add-remove nothing but the sums may depend on the number of rows. */
static void add_remove_certificates_do_not_know_n(void **state) {
  (void)state;
  tacit_schema *schema = schema_of("{\"target\": " TARGET ", " FEATURES ", \"nominal_rows\": 500}");
  double tau = 0.5;
  tacit_learn_options options = seeded(&tau, 1, 0.5);
  options.adjacency = TACIT_ADD_REMOVE;
  tacit_fit *many = learn(schema, &options, 1, NULL, N), *few = learn(schema, &options, 1, NULL, 2);
  assert_int_equal(many->certificate->mechanism_count, few->certificate->mechanism_count);
  assert_memory_equal(many->certificate->mechanisms, few->certificate->mechanisms,
                      many->certificate->mechanism_count * sizeof(tacit_mechanism));
  assert_memory_equal(many->certificate->settings, few->certificate->settings,
                      many->certificate->setting_count * sizeof(tacit_setting));
  assert_int_equal(many->certificate->rows, few->certificate->rows);
  tacit_fit_free(many);
  tacit_fit_free(few);
  tacit_schema_free(schema);
}

/* More budget, less error: mean distance from the noiseless fit falls with mu. */
static void error_falls_with_mu(void **state) {
  (void)state;
  tacit_schema *schema = schema_of("{\"target\": " TARGET ", " FEATURES "}");
  double tau = 0.5, error[2] = {0};
  tacit_learn_options options = seeded(&tau, 1, 1e4);
  tacit_fit *clean = learn(schema, &options, 1, NULL, N);
  const double mus[] = {0.2, 2};
  for (int k = 0; k < 2; k++)
    for (uint64_t seed = 0; seed < 20; seed++) {
      options.mu = mus[k];
      options.seed = seed;
      tacit_fit *fit = learn(schema, &options, 1, NULL, N);
      for (int j = 0; j < P; j++) error[k] += pow(fit->coefficients[j] - clean->coefficients[j], 2) / 20;
      tacit_fit_free(fit);
    }
  assert_true(error[0] > 20 * error[1]); /* 100 in theory, where the score is linear */
  tacit_fit_free(clean);
  tacit_schema_free(schema);
}

static tacit_status status_of(const char *text, tacit_learn_options *options, size_t rows) {
  tacit_schema *schema = schema_of(text);
  const double *columns[] = {column[0], column[1], column[2], column[3], column[4]};
  const char *const *texts[P - 1 + S] = {0};
  tacit_source *source;
  tacit_fit *fit = NULL;
  assert_int_equal(tacit_source_columns(rows, P - 1 + S, NAMES, columns, texts, &source, NULL), TACIT_OK);
  tacit_status status = tacit_learn(schema, source, options, NULL, &fit, NULL);
  tacit_fit_free(fit);
  tacit_source_free(source);
  tacit_schema_free(schema);
  return status;
}

/* Zhao's eq. (8) by hand, for a target on a known scale with an assumed spread of 1/2. */
static void the_preset_is_equation_8(void **state) {
  (void)state;
  tacit_schema *schema = schema_of("{\"target\": " TARGET ", " FEATURES "}");
  const double tau = 0.6;
  tacit_learn_options options = seeded(&tau, 1, 0.5);
  options.noisy_gd.preset = "zhao";
  tacit_fit *fit = learn(schema, &options, 1, NULL, N);
  double p = (double)schema->columns, log_rows = log((double)N);
  const tacit_setting *bandwidth = tacit_certificate_find(fit->certificate, "bandwidth"),
                      *steps = tacit_certificate_find(fit->certificate, "steps"),
                      *clip = tacit_certificate_find(fit->certificate, "clip_norm");
  assert_non_null(bandwidth);
  double half = schema->targets[0].scale.half;
  assert_true(fabs(bandwidth->number / half / pow((p + log_rows) / N, 0.25) - 1) < 1e-9);
  assert_true(fabs(clip->number - sqrt(p + log_rows)) < 1e-9);
  assert_true(steps->number == ceil(log_rows));
  /* phi(Phi^-1(0.6)) = 0.38634, over the spread */
  double f_l = 0.386342533 / 0.5;
  double rows = ceil(sqrt(ceil(log_rows)) * (p + log_rows) / (0.5 * f_l));
  char asks[40];
  snprintf(asks, sizeof asks, "asks for %.0f rows", rows);
  assert_non_null(strstr(tacit_fit_note(fit), asks));
  assert_non_null(strstr(tacit_fit_note(fit), rows <= N ? "is met" : "is not met"));
  tacit_fit_free(fit);
  tacit_schema_free(schema);
}

static void what_cannot_be_promised_is_refused(void **state) {
  (void)state;
  const char *plain = "{\"target\": " TARGET ", " FEATURES "}";
  double tau = 0.5, bad = 1;
  tacit_learn_options options = seeded(&tau, 1, 0.5);
  assert_int_equal(status_of(plain, &options, N), TACIT_OK);
  assert_int_equal(status_of(plain, &options, P - 1), TACIT_BAD_INPUT); /* n < p under replace-one */
  options.noisy_gd.whiten = true;
  assert_int_equal(status_of(plain, &options, N), TACIT_REFUSED);
  options = seeded(&bad, 1, 0.5);
  assert_int_equal(status_of(plain, &options, N), TACIT_USAGE);
  options = seeded(&tau, 1, 0);
  assert_int_equal(status_of(plain, &options, N), TACIT_USAGE);
  options = seeded(&tau, 1, 0.5);
  options.adjacency = TACIT_ADD_REMOVE;
  assert_int_equal(status_of(plain, &options, N), TACIT_REFUSED); /* no nominal rows */
  options.nominal_rows = 500;
  assert_int_equal(status_of(plain, &options, N), TACIT_OK);
  options = seeded(&tau, 1, 0.5);
  options.noisy_gd.growth = 1e6; /* the first step's noise would not fit the grid */
  assert_int_equal(status_of(plain, &options, N), TACIT_REFUSED);
  options = seeded(&tau, 1, 0.5);
  options.method = "line-search";
  assert_int_equal(status_of(plain, &options, N), TACIT_USAGE);
  options = seeded(&tau, 1, 0.5);
  options.noisy_gd.preset = "zhao";
  assert_int_equal(status_of(plain, &options, N), TACIT_OK);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equation_7_is_the_papers),
      cmocka_unit_test(equation_6_is_the_papers),
      cmocka_unit_test(nothing_but_rows_and_seed_matters),
      cmocka_unit_test(the_certificate_adds_up),
      cmocka_unit_test(add_remove_certificates_do_not_know_n),
      cmocka_unit_test(error_falls_with_mu),
      cmocka_unit_test(the_preset_is_equation_8),
      cmocka_unit_test(what_cannot_be_promised_is_refused),
  };
  return cmocka_run_group_tests(tests, set_up, NULL);
}
