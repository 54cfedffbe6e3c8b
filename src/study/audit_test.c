/* The audit's bounds are honest, it stays below promises that are kept, comes near them where it can, and
   catches every fault that is planted. Seeds are fixed: a test that passes always passes. */
#include "learn/task.h"
#include "num/normal.h"
#include "privacy/certificate.h"
#include "study/audit.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static size_t fewer(size_t runs) {
  return getenv("TACIT_QUICK") ? 100 + runs / 50 : runs;
}

static tacit_audit_result audit(const char *method, const char *plant, double mu, size_t runs,
                                tacit_adjacency adjacency) {
  tacit_audit_options options;
  tacit_audit_result result;
  tacit_error error = {""};
  tacit_audit_options_init(&options);
  options.method = method;
  options.plant = plant;
  options.mu = mu;
  options.runs = runs;
  options.adjacency = adjacency;
  options.seeded = true;
  if (tacit_audit_learner(&options, NULL, &result, &error) != TACIT_OK) fail_msg("%s", error.text);
  return result;
}

/* Normal statistics that are exactly mu apart: in 400 audits a bound with alpha = 0.05 is too high in at most
   36 (a chance of 0.2 % if it were right 95 % of the time), and the bound is of some use. */
static void bounds_are_honest(void **state) {
  (void)state;
  enum { AUDITS = 400, RUNS = 500 };
  static double on_0[RUNS], on_1[RUNS];
  static const double mus[] = {0, 1, 3};
  for (int m = 0; m < 3; m++) {
    int beyond_mu = 0, beyond_epsilon = 0;
    double sum = 0, delta = 0.01, promised = 0;
    if (mus[m] > 0) assert_int_equal(tacit_gdp_epsilon(mus[m], delta, &promised, NULL), TACIT_OK);
    for (uint32_t a = 0; a < AUDITS; a++) {
      tacit_stream stream;
      double mu, epsilon;
      tacit_audit_counts counts;
      assert_int_equal(tacit_study_stream(7, TACIT_FOR_NOISE, (uint32_t)m, a, &stream, NULL), TACIT_OK);
      for (int r = 0; r < RUNS; r++)
        on_0[r] = tacit_normal(&stream), on_1[r] = tacit_normal(&stream) + mus[m];
      tacit_stream_end(&stream);
      assert_int_equal(tacit_audit_mu_lower(RUNS, on_0, on_1, 0.05, &mu, &counts, NULL), TACIT_OK);
      assert_int_equal(tacit_audit_epsilon_lower(RUNS, on_0, on_1, delta, 0.05, &epsilon, NULL), TACIT_OK);
      beyond_mu += mu > mus[m];
      beyond_epsilon += epsilon > promised;
      sum += mu;
    }
    if (beyond_mu > 36 || beyond_epsilon > 36) fail_msg("mu %g: %d, %d", mus[m], beyond_mu, beyond_epsilon);
    assert_true(sum / AUDITS > 0.7 * mus[m] - 0.1);
  }
}

/* Statistics that never differ, or always: no crash, and the closed form. */
static void degenerate_statistics(void **state) {
  (void)state;
  enum { RUNS = 1000, TESTED = 800 };
  static double on_0[RUNS], on_1[RUNS];
  double mu, epsilon;
  tacit_audit_counts counts;
  assert_int_equal(tacit_audit_mu_lower(RUNS, on_0, on_1, 0.001, &mu, &counts, NULL), TACIT_OK);
  assert_int_equal(tacit_audit_epsilon_lower(RUNS, on_0, on_1, 1e-5, 0.001, &epsilon, NULL), TACIT_OK);
  assert_true(mu == 0 && epsilon == 0);
  for (int r = 0; r < RUNS; r++) on_1[r] = -1; /* the smaller one may be the second table's */
  assert_int_equal(tacit_audit_mu_lower(RUNS, on_0, on_1, 0.001, &mu, &counts, NULL), TACIT_OK);
  assert_true(fabs(mu - 2 * tacit_normal_quantile(pow(0.0005, 1.0 / TESTED))) < 1e-4);
}

static void the_plain_release_is_seen_almost_whole(void **state) {
  (void)state;
  static const double mus[] = {0.3, 1, 3};
  for (int adjacency = 0; adjacency < 2; adjacency++)
    for (int m = adjacency; m < 3; m++) { /* the smallest takes the longest: once is enough */
      tacit_audit_result r =
          audit("gaussian", NULL, mus[m], fewer(m ? 30000 : 300000), (tacit_adjacency)adjacency);
      if (r.caught || r.mu_lower > mus[m]) fail_msg("mu %g: %g", mus[m], r.mu_lower);
      if (!getenv("TACIT_QUICK") && r.mu_lower < 0.9 * mus[m]) fail_msg("mu %g: only %g", mus[m], r.mu_lower);
      for (int d = 0; d < TACIT_AUDIT_DELTAS; d++) assert_true(r.epsilon[d].lower <= r.epsilon[d].promised);
      print_message("gaussian, %s, mu %g: at least %.4g\n", adjacency ? "add-remove" : "replace-one", mus[m],
                    r.mu_lower);
    }
}

static void every_learner_stays_below_its_promise(void **state) {
  (void)state;
  static const double mus[] = {0.3, 1, 3};
  for (size_t i = 1; tacit_audit_method_name(i); i++)
    for (int m = 0; m < 3 && strcmp(tacit_audit_method_name(i), "location-scale");
         m++) {                                         /* that is the default */
      bool open = tacit_audit_methods[i].facts != NULL; /* add-remove is refused there */
      tacit_audit_result r = audit(tacit_audit_method_name(i), NULL, mus[m], fewer(400),
                                   open ? TACIT_REPLACE_ONE : (tacit_adjacency)(m % 2));
      if (r.caught) fail_msg("%s, mu %g: %g", r.method, mus[m], r.mu_lower);
      bool curve = !isfinite(r.mu_promised);
      bool one = !strcmp(r.method, "spo-least-squares"); /* has a single release */
      assert_true((curve || r.releases >= 10 || one) && r.confidence == 0.999);
      /* a transcript tells more than the coefficients, and at mu = 3 a few hundred runs see much of it */
      if (!getenv("TACIT_QUICK") && mus[m] == 3 && !curve) assert_true(r.mu_lower > 0.6 * mus[m]);
    }
}

/* Opposite tables are told apart by one response as well as its epsilon allows. */
static void a_response_is_seen_almost_whole(void **state) {
  (void)state;
  tacit_audit_result r = audit("spo-exponential", NULL, 1, fewer(600), TACIT_REPLACE_ONE);
  if (!getenv("TACIT_QUICK") && !(r.epsilon[0].lower > 2.5)) fail_msg("only %g", r.epsilon[0].lower);
  assert_true(r.epsilon[0].lower <= r.epsilon[0].promised && !r.caught);
}

/* Every method that promises anything has its line in the audit's table, and so has the default. */
static void every_private_method_is_audited(void **state) {
  (void)state;
  const tacit_method *method;
  size_t audited = 0;
  for (size_t m = 0; (method = tacit_method_at(m)); m++) {
    size_t i = 0;
    if (tacit_method_promise(method) == TACIT_PROMISE_NOTHING) continue;
    while (tacit_audit_method_name(i) && strcmp(tacit_audit_method_name(i), tacit_method_name(method))) i++;
    if (!tacit_audit_method_name(i)) fail_msg("%s is not audited", tacit_method_name(method));
    audited++;
  }
  assert_int_equal(audited, 12);
  for (size_t i = 0; strcmp(tacit_audit_method_name(i), "default"); i++)
    assert_non_null(tacit_audit_method_name(i + 1));
}

/* An alarm is as sure as one bound: where nothing differs from the promise, 400 audits raise at most 3 (each
   with a chance of 0.1 %: four would have one of 0.08 %). */
static void an_alarm_is_as_sure_as_it_says(void **state) {
  (void)state;
  int alarms = 0, audits = getenv("TACIT_QUICK") ? 40 : 400;
  for (int a = 0; a < audits; a++) {
    tacit_audit_options options;
    tacit_audit_result r;
    tacit_audit_options_init(&options);
    options.method = "gaussian";
    options.runs = 400;
    options.seeded = true;
    options.seed = (uint64_t)a;
    assert_int_equal(tacit_audit_learner(&options, NULL, &r, NULL), TACIT_OK);
    assert_int_equal(r.caught, r.mu_lower > r.mu_promised);
    alarms += r.caught;
  }
  if (alarms > 3) fail_msg("%d false alarms in %d audits", alarms, audits);
}

/* Each fault with the number of runs it needs at mu = 1 (docs/audit.md). */
static void planted_faults_are_caught(void **state) {
  (void)state;
  static const struct {
    const char *fault, *method;
    size_t runs;
  } plants[] = {{"noise-0.8", "gaussian", 12000},
                {"no-clipping", "gaussian", 300},
                {"half-sensitivity", "gaussian", 1000},
                {"lost-count", "gaussian", 500},
                {"constant-noise", "gaussian", 300},
                {"no-clipping", "noisy-gd", 200},
                {"half-sensitivity", "noisy-gd", 1000},
                {"lost-count", "noisy-gd", 200},
                {"constant-noise", "noisy-gd", 200},
                {"lost-count", "default", 200},
                {"constant-noise", "default", 200},
                {"unsmoothed", "bounded-change", 200},
                {"lost-count", "bounded-change", 200},
                {"any-days", "customers", 200},
                {"any-amount", "customers", 200},
                {"half-sensitivity", "public-features", 1000},
                {"half-sensitivity", "follow", 400},
                {"lost-count", "location-scale", 200},
                {"row-by-row", "whole-units", 200},
                {"constant-noise", "location-scale", 200},
                {"half-sensitivity", "spo-gaussian", 400},
                {"no-clipping", "spo-gaussian", 100},
                {"lost-count", "spo-gaussian", 100},
                {"constant-noise", "spo-gaussian", 100},
                {"half-sensitivity", "spo-least-squares", 600},
                {"constant-noise", "spo-least-squares", 200}};
  for (size_t i = 0; i < sizeof plants / sizeof *plants; i++) {
    tacit_audit_result r = audit(plants[i].method, plants[i].fault, 1, plants[i].runs, TACIT_REPLACE_ONE);
    if (!r.caught) fail_msg("%s in %s: %g", plants[i].fault, plants[i].method, r.mu_lower);
    print_message("%s in %s: %.3g where 1 was promised, %zu runs\n", plants[i].fault, plants[i].method,
                  r.mu_lower, plants[i].runs);
    if (getenv("TACIT_QUICK") && i == 4) break;
  }
}

/* The canary of `customers` would buy more, on more days, than its limits: the reader makes it the customer
   who buys all that it may on all days that it may, and a fault lets more of it through. */
static void a_customer_is_held_to_its_limits(void **state) {
  (void)state;
  static const tacit_audit_fault any_rows = {.noise = 1, .any_rows = true},
                                 any_amount = {.noise = 1, .any_amount = true};
  static const struct {
    const tacit_audit_fault *fault;
    size_t rows;
    double by;
  } expected[] = {{NULL, 8, 0.125}, {&any_rows, 16, 0.125}, {&any_amount, 8, 0.25}};
  for (size_t e = 0; e < sizeof expected / sizeof *expected; e++) {
    tacit_audit_options options;
    tacit_audit_options_init(&options);
    tacit_audit attack = {.options = &options, .method = tacit_audit_methods, .fault = expected[e].fault};
    while (!attack.method->bought) attack.method++;
    assert_int_equal(tacit_audit_make_tables(&attack, NULL), TACIT_OK);
    double total[2][TACIT_AUDIT_ROWS];
    for (int k = 0; k < 2; k++) {
      tacit_source *source;
      tacit_cell cells[4];
      bool more = true;
      assert_int_equal(tacit_audit_open_events(&attack, k, &source, NULL), TACIT_OK);
      for (size_t i = 0; i < TACIT_AUDIT_ROWS; i++) {
        assert_true(source->next(source, cells, &more, NULL) == TACIT_OK && more);
        total[k][i] = cells[3].number;
      }
      tacit_source_free(source);
    }
    size_t moved = 0;
    for (size_t i = 0; i < TACIT_AUDIT_ROWS; i++) {
      assert_true(total[1][i] == total[0][i] || total[1][i] == total[0][i] + expected[e].by);
      moved += total[1][i] != total[0][i];
    }
    assert_int_equal(moved, expected[e].rows);
    tacit_audit_free_events(&attack);
    tacit_schema_free(attack.schema);
  }
}

static void mistakes_are_refused(void **state) {
  (void)state;
  tacit_audit_options options;
  tacit_audit_result result;
  tacit_error error = {""};
  static const struct {
    const char *method, *plant, *text;
    double mu;
    size_t runs;
  } wrong[] = {{"magic", NULL, "method", 1, 0},
               {"default", "magic", "fault", 1, 0},
               {"default", NULL, "mu", 0, 0},
               {"default", NULL, "mu", NAN, 0},
               {"default", NULL, "runs", 1, 7},
               {"default", "no-clipping", "clip norm", 1, 0},
               {"default", "row-by-row", "whole-units", 1, 0},
               {"default", "unsmoothed", "bounded-change", 1, 0},
               {"customers", "unsmoothed", "bounded-change", 1, 0},
               {"bounded-change", "any-days", "customers", 1, 0}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    tacit_audit_options_init(&options);
    options.method = wrong[i].method;
    options.plant = wrong[i].plant;
    options.mu = wrong[i].mu;
    options.runs = wrong[i].runs;
    assert_int_equal(tacit_audit_learner(&options, NULL, &result, &error), TACIT_USAGE);
    assert_non_null(strstr(error.text, wrong[i].text));
  }
  tacit_audit_options_init(&options);
  options.method = "noisy-gd";
  options.one_run = true;
  assert_int_equal(tacit_audit_learner(&options, NULL, &result, &error), TACIT_USAGE);
}

/* Steinke, Nasr and Jagielski's bound in its simplest cases, and in use. */
static void one_run_is_honest(void **state) {
  (void)state;
  assert_true(fabs(tacit_audit_one_run_chance(10, 10, 10, 0, 0) - pow(0.5, 10)) < 1e-12);
  assert_true(fabs(tacit_audit_one_run_chance(100, 3, 2, log(3), 0) - (3 * 0.75 * 0.75 * 0.25 + 0.421875)) <
              1e-12);
  /* delta: 2 m delta times the steepest average of the probabilities just below; here P(2) = 3 * 9/64 is the
   * largest */
  double with = tacit_audit_one_run_chance(100, 3, 3, log(3), 1e-3);
  assert_true(fabs(with - (0.421875 + 0.2 * 0.421875)) < 1e-12);
  static const double mus[] = {0.5, 1, 3};
  for (int m = 0; m < 3; m++) {
    tacit_audit_options options;
    tacit_audit_result r;
    tacit_audit_options_init(&options);
    options.method = "gaussian";
    options.mu = mus[m];
    options.one_run = options.seeded = true;
    options.runs = 2000;
    options.adjacency = (tacit_adjacency)(m % 2);
    assert_int_equal(tacit_audit_learner(&options, NULL, &r, NULL), TACIT_OK);
    assert_true(!r.caught && r.mu_lower <= mus[m] && r.guesses == 200);
    assert_true(r.mu_lower > 0.05);
    print_message("one run, mu %g: at least %.3g, %zu of %zu right\n", mus[m], r.mu_lower, r.right,
                  r.guesses);
  }
}

/* The same seed gives the same figures, whatever the threads; without one, runs differ. */
static void audits_can_be_repeated(void **state) {
  (void)state;
  tacit_audit_result a = audit("noisy-gd", NULL, 1, 100, TACIT_REPLACE_ONE),
                     b = audit("noisy-gd", NULL, 1, 100, TACIT_REPLACE_ONE);
  assert_memory_equal(&a.mu_lower, &b.mu_lower, sizeof a.mu_lower);
  assert_memory_equal(&a.epsilon, &b.epsilon, sizeof a.epsilon);
}

/* Tells the table by the last two of a spread's numbers, and by nothing else. */
static tacit_status tell_by_spread(const tacit_audit *a, int table, uint64_t seed, tacit_audit_sight *sight,
                                   tacit_error *error) {
  (void)a;
  tacit_stream stream;
  TACIT_TRY(tacit_study_stream(seed, TACIT_FOR_NOISE, 0, 0, &stream, error));
  for (size_t j = 0; j < TACIT_AUDIT_NUMBERS; j++) sight->coefficients[j] = tacit_normal(&stream);
  for (size_t j = TACIT_AUDIT_NUMBERS - 2; j < TACIT_AUDIT_NUMBERS; j++) sight->coefficients[j] += 2 * table;
  return TACIT_OK;
}

static void a_spread_is_looked_at(void **state) {
  (void)state;
  double lower[2];
  for (int spread = 0; spread < 2; spread++) {
    const tacit_audit_method method = {.name = "by spread",
                                       .run = tell_by_spread,
                                       .coefficients = true,
                                       .spread = spread,
                                       .outside = true,
                                       .canary = 8};
    tacit_audit_options options;
    tacit_audit_result result;
    tacit_audit_options_init(&options);
    options.mu = 1;
    options.seeded = true;
    tacit_audit attacked = {.options = &options, .method = &method, .runs = 2000};
    assert_int_equal(tacit_audit_attack(&attacked, NULL, &result, NULL), TACIT_OK);
    lower[spread] = result.mu_lower_coefficients;
  }
  print_message("mu at least %.3g without the spread's numbers, %.3g with them, in truth %.3g\n", lower[0],
                lower[1], sqrt(8));
  assert_true(lower[0] < 0.3 && lower[1] > 2.2 && lower[1] < sqrt(8));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bounds_are_honest),
      cmocka_unit_test(degenerate_statistics),
      cmocka_unit_test(the_plain_release_is_seen_almost_whole),
      cmocka_unit_test(every_learner_stays_below_its_promise),
      cmocka_unit_test(a_response_is_seen_almost_whole),
      cmocka_unit_test(every_private_method_is_audited),
      cmocka_unit_test(an_alarm_is_as_sure_as_it_says),
      cmocka_unit_test(planted_faults_are_caught),
      cmocka_unit_test(a_customer_is_held_to_its_limits),
      cmocka_unit_test(mistakes_are_refused),
      cmocka_unit_test(one_run_is_honest),
      cmocka_unit_test(audits_can_be_repeated),
      cmocka_unit_test(a_spread_is_looked_at),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
