/* Follow: period after period it comes nearer than a fit of the period alone could, goes along with a shift,
   spends its budget, looks at nothing but the last policy, rows and seed; and a chain holds from policy to
   policy, and in no other order. */
#include "learn/task.h"
#include "method/state.h"
#include "policy/policy.h"
#include "random/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N = 600, SHOPS = 8, PERIODS = 8 };
static double demand[N], heat[N], shop[N];
static const char *const NAMES[] = {"y", "heat", "shop"};

#define SHOP "{\"name\": \"shop\", \"levels\": [\"0\", \"1\", \"2\", \"3\", \"4\", \"5\", \"6\", \"7\"]}"
#define FEATURES "\"features\": [{\"name\": \"heat\", \"min\": -3, \"max\": 3}, " SHOP "]"
static const char JSON[] = "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 1000}, " FEATURES "}";
static const char OTHER[] = "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 900}, " FEATURES "}";

static tacit_schema *schema_of(const char *text) {
  tacit_schema *schema;
  tacit_error error = {""};
  if (tacit_schema_parse(text, strlen(text), &schema, &error) != TACIT_OK) fail_msg("%s", error.text);
  return schema;
}

/* A period's rows: shops differ, and demand as a whole is `level` times what it was. */
static double median_of(double x, double s, double level) {
  return level * (120 + 20 * x + 25 * s);
}

static void draw(uint64_t seed, double level) {
  tacit_noise_source source;
  tacit_stream stream;
  tacit_noise_source_seeded(&source, seed);
  assert_int_equal(tacit_stream_begin(&source, &stream, NULL), TACIT_OK);
  for (int i = 0; i < N; i++) {
    heat[i] = fmax(-3, fmin(3, tacit_normal(&stream)));
    shop[i] = (double)tacit_stream_below(&stream, SHOPS);
    demand[i] = median_of(heat[i], shop[i], level) + 30 * level * tacit_normal(&stream);
  }
  tacit_stream_end(&stream);
}

static tacit_learn_options asked(const double *tau, uint64_t seed, const tacit_start *from) {
  tacit_learn_options options;
  tacit_learn_options_init(&options);
  options.method = "follow";
  options.quantiles = tau;
  options.quantile_count = 1;
  options.mu = 0.5;
  options.seeded = seed != 0;
  options.seed = seed;
  options.from = from;
  return options;
}

static tacit_status try_learn(const tacit_schema *schema, const tacit_learn_options *options, int threads,
                              tacit_fit **fit, tacit_error *error) {
  const double *columns[] = {demand, heat, shop};
  tacit_source *source;
  tacit_context context;
  tacit_context_init(&context);
  context.threads = threads;
  assert_int_equal(tacit_source_columns(N, 3, NAMES, columns, NULL, &source, NULL), TACIT_OK);
  tacit_status status = tacit_learn(schema, source, options, &context, fit, error);
  tacit_source_free(source);
  return status;
}

static tacit_policy *learn(const tacit_schema *schema, const tacit_learn_options *options, int threads) {
  tacit_fit *fit;
  tacit_policy *policy;
  tacit_error error = {""};
  const tacit_goal goal = {.quantile = options->quantiles[0]};
  if (try_learn(schema, options, threads, &fit, &error) != TACIT_OK) fail_msg("%s", error.text);
  assert_int_equal(tacit_policy_from_fit(schema, NULL, fit, &goal, &policy, NULL), TACIT_OK);
  tacit_fit_free(fit);
  return policy;
}

static tacit_start *start_of(const tacit_policy *policy) {
  tacit_start *start;
  tacit_error error = {""};
  if (tacit_policy_start(policy, &start, &error) != TACIT_OK) fail_msg("%s", error.text);
  return start;
}

/* The next policy of a chain, which takes the place of the last. */
static tacit_policy *go_on(const tacit_schema *schema, tacit_policy *last, const double *tau, uint64_t seed) {
  tacit_start *start = last ? start_of(last) : NULL;
  const tacit_learn_options options = asked(tau, seed, start);
  tacit_policy *next = learn(schema, &options, 1);
  tacit_start_free(start);
  tacit_policy_free(last);
  return next;
}

/* How far orders are from the quantile, on average, in spreads. */
static double error_of(const tacit_policy *policy, double above, double level) {
  double sum = 0, x[2 + SHOPS - 1];
  for (int i = 0; i < N; i++) {
    memset(x, 0, sizeof x);
    x[0] = 1;
    x[1] = heat[i] / 3;
    if (shop[i] > 0) x[1 + (int)shop[i]] = 1;
    double truth = median_of(heat[i], shop[i], level) + above * 30 * level;
    sum += fabs(tacit_policy_decide(policy, 0, x) - truth) / (30 * level);
  }
  return sum / N;
}

/* After eight periods orders are nearer than after the first, on average over ten chains; one period alone is
   off by 0.5 spreads and more. */
static void a_chain_comes_nearer(void **state) {
  (void)state;
  static const double taus[] = {0.5, 0.9}, above[] = {0, 1.2816};
  tacit_schema *schema = schema_of(JSON);
  for (int k = 0; k < 2; k++) {
    double first = 0, last = 0;
    for (uint64_t chain = 1; chain <= 10; chain++) {
      tacit_policy *policy = NULL;
      for (uint64_t t = 0; t < PERIODS; t++) {
        draw(100 * chain + t, 1);
        policy = go_on(schema, policy, &taus[k], 1000 * chain + t);
        if (t == 0) first += error_of(policy, above[k], 1) / 10;
      }
      last += error_of(policy, above[k], 1) / 10;
      tacit_policy_free(policy);
    }
    if (!(last < 0.6 * first && last < 0.4))
      fail_msg("quantile %g: %g at first, %g at last", taus[k], first, last);
  }
  tacit_schema_free(schema);
}

/* Demand doubles after the sixth period: two later orders are about as near as they were. */
static void a_shift_is_followed(void **state) {
  (void)state;
  static const double tau = 0.5;
  tacit_schema *schema = schema_of(JSON);
  double before = 0, after = 0;
  for (uint64_t chain = 1; chain <= 10; chain++) {
    tacit_policy *policy = NULL;
    for (uint64_t t = 0; t < 8; t++) {
      double level = t < 6 ? 1 : 2;
      draw(77 * chain + t, level);
      policy = go_on(schema, policy, &tau, 500 * chain + t);
      if (t == 5) before += error_of(policy, 0, level) / 10;
      if (t == 7) after += error_of(policy, 0, level) / 10;
    }
    tacit_policy_free(policy);
  }
  if (!(after < before + 0.1)) fail_msg("%g before, %g two periods after", before, after);
  tacit_schema_free(schema);
}

/* Every quantile and mu: the budget is spent to the last digit, and what comes out can go on. */
static void nothing_makes_it_fail(void **state) {
  (void)state;
  static const double taus[] = {1e-6, 0.02, 0.5, 0.95}, mus[] = {1e-3, 0.5, 100}, levels[] = {0, 1, 30};
  tacit_schema *schema = schema_of(JSON);
  for (int k = 0; k < 4 * 3 * 3; k++) {
    tacit_policy *policy = NULL;
    for (uint64_t t = 0; t < 3; t++) {
      draw(t, levels[k / 12]);
      tacit_start *start = policy ? start_of(policy) : NULL;
      tacit_learn_options options = asked(&taus[k % 4], t + 1, start);
      options.mu = mus[k / 4 % 3];
      tacit_policy_free(policy);
      policy = learn(schema, &options, 1);
      tacit_start_free(start);
      double spent = tacit_certificate_mu(policy->certificate);
      assert_true(spent <= options.mu && spent > 0.999999 * options.mu);
      assert_true(tacit_state_sound(policy->state));
    }
    tacit_policy_free(policy);
  }
  tacit_schema_free(schema);
}

static void threads_change_nothing_and_files_hand_on_all(void **state) {
  (void)state;
  static const double tau = 0.9;
  tacit_schema *schema = schema_of(JSON);
  draw(5, 1);
  tacit_policy *first = go_on(schema, NULL, &tau, 3), *again;
  char *text = tacit_policy_text(first);
  assert_int_equal(tacit_policy_parse(text, strlen(text), &again, NULL), TACIT_OK);
  free(text);
  tacit_start *one = start_of(first), *other = start_of(again);
  assert_string_equal(one->hash, other->hash);
  const tacit_learn_options options = asked(&tau, 4, one), options_again = asked(&tau, 4, other);
  tacit_policy *next = learn(schema, &options, 1), *next_again = learn(schema, &options_again, 3);
  char *texts[] = {tacit_policy_text(next), tacit_policy_text(next_again)};
  assert_string_equal(texts[0], texts[1]);
  free(texts[0]);
  free(texts[1]);
  tacit_start_free(one);
  tacit_start_free(other);
  tacit_policy_free(first);
  tacit_policy_free(again);
  tacit_policy_free(next);
  tacit_policy_free(next_again);
  tacit_schema_free(schema);
}

/* A chain of real noise: each verifies and names the one before it, which no other policy can be. */
static void a_chain_holds_link_by_link(void **state) {
  (void)state;
  static const double tau = 0.9;
  tacit_schema *schema = schema_of(JSON);
  tacit_policy *chain[3];
  tacit_verdict verdict;
  draw(6, 1);
  for (int i = 0; i < 3; i++) {
    tacit_start *start = i ? start_of(chain[i - 1]) : NULL;
    const tacit_learn_options options = asked(&tau, 0, start);
    chain[i] = learn(schema, &options, 1);
    tacit_start_free(start);
  }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      tacit_policy_verify(chain[i], &verdict);
      assert_true(verdict.holds);
      tacit_policy_verify_link(chain[i], chain[j], &verdict);
      assert_int_equal(verdict.holds, j + 1 == i);
    }
  /* whoever takes the name away, or gives one to the first, has another list of releases */
  memcpy(chain[0]->certificate->before, chain[1]->certificate->before, 65);
  tacit_policy_verify(chain[0], &verdict);
  assert_false(verdict.holds);
  chain[1]->certificate->before[0] = 0;
  tacit_policy_verify(chain[1], &verdict);
  assert_false(verdict.holds);
  tacit_state_free(chain[2]->state);
  chain[2]->state = NULL;
  tacit_policy_verify(chain[2], &verdict);
  assert_false(verdict.holds);
  for (int i = 0; i < 3; i++) tacit_policy_free(chain[i]);
  tacit_schema_free(schema);
}

static void what_must_not_begin_a_policy_is_refused(void **state) {
  (void)state;
  static const double tau = 0.9, lower = 0.8;
  tacit_schema *schema = schema_of(JSON), *wider = schema_of(OTHER);
  tacit_fit *fit;
  tacit_start *start;
  draw(7, 1);
  tacit_policy *seeded = go_on(schema, NULL, &tau, 3), *real = go_on(schema, NULL, &tau, 0);
  tacit_start *from_seed = start_of(seeded), *from_real = start_of(real);
  assert_true(from_real->private && !from_seed->private);
  tacit_learn_options options = asked(&tau, 0, from_seed); /* its noise could be taken away */
  assert_int_equal(try_learn(schema, &options, 1, &fit, NULL), TACIT_REFUSED);
  options = asked(&tau, 0, from_real);
  assert_int_equal(try_learn(wider, &options, 1, &fit, NULL), TACIT_REFUSED);
  options = asked(&lower, 0, from_real);
  assert_int_equal(try_learn(schema, &options, 1, &fit, NULL), TACIT_REFUSED);
  options = asked(&tau, 0, from_real);
  options.method = "default";
  assert_int_equal(try_learn(schema, &options, 1, &fit, NULL), TACIT_USAGE);
  double spread = real->state->spread;
  real->state->spread = 1e9; /* none that a fit leaves: the next state could not be written */
  assert_int_equal(tacit_policy_start(real, &start, NULL), TACIT_REFUSED);
  real->state->spread = spread;
  real->certificate->mechanisms[0].sigma /= 2;
  assert_int_equal(tacit_policy_start(real, &start, NULL), TACIT_REFUSED);
  seeded->certificate->mechanisms[0].sigma /= 2;
  assert_int_equal(tacit_policy_start(seeded, &start, NULL), TACIT_REFUSED);
  options = asked(&tau, 0, NULL);
  options.method = "default";
  tacit_policy *other = learn(schema, &options, 1);
  assert_int_equal(tacit_policy_start(other, &start, NULL), TACIT_REFUSED);
  tacit_policy_free(other);
  tacit_start_free(from_seed);
  tacit_start_free(from_real);
  tacit_policy_free(seeded);
  tacit_policy_free(real);
  tacit_schema_free(schema);
  tacit_schema_free(wider);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_chain_comes_nearer),
      cmocka_unit_test(a_shift_is_followed),
      cmocka_unit_test(nothing_makes_it_fail),
      cmocka_unit_test(threads_change_nothing_and_files_hand_on_all),
      cmocka_unit_test(a_chain_holds_link_by_link),
      cmocka_unit_test(what_must_not_begin_a_policy_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
