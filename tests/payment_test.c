/* A receipt binds the release it paid for: every learner commits to what its policy recomputes to, and no
   receipt covers a policy that costs more, or another one (proofs/ledger.md, Claim 6). */
#include "ledger/ledger_for_test.h"
#include "policy/policy.h"

#include <math.h>

#include <tacit/tacit.h>

enum { N = 200 };
static const char ONE[] = "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 20}, \"features\": ["
                          "{\"name\": \"a\", \"center\": 0, \"scale\": 1}], \"nominal_rows\": 200}";
static const char TWO[] =
    "{\"target\": [{\"name\": \"y\", \"min\": 0, \"max\": 20}, {\"name\": \"w\", \"min\": -9, \"max\": 9}], "
    "\"features\": [{\"name\": \"a\", \"min\": -5, \"max\": 5}], \"nominal_rows\": 200}";
static const char REGION[] = "{\"kind\": \"simplex\", \"dimension\": 2}";

static tacit_source *rows(void) {
  static char text[N * 40 + 64];
  tacit_source *source;
  size_t n = (size_t)sprintf(text, "a,y,w\n");
  for (int i = 0; i < N; i++)
    n += (size_t)sprintf(text + n, "%.2f,%.2f,%.2f\n", (double)(i * 7919 % 400) / 100 - 2,
                         5 + (double)(i * 104729 % 500) / 100, (double)(i % 7) - 3);
  assert_int_equal(tacit_source_csv_text(text, n, &source, NULL), TACIT_OK);
  return source;
}

static tacit_schema *schema_of(const char *text) {
  tacit_schema *schema;
  assert_int_equal(tacit_schema_parse(text, strlen(text), &schema, NULL), TACIT_OK);
  return schema;
}

/* A payment from label "a" as the command line makes it. */
static tacit_payment payment_of(tacit_ledger *ledger, const tacit_schema *schema, const char *method,
                                tacit_adjacency adjacency) {
  return (tacit_payment){
      .ledger = ledger,
      .spending = {.label = adjacency == TACIT_REPLACE_ONE ? "a" : "b",
                   .method = method,
                   .schema_hash = tacit_schema_hash(schema),
                   .unit = {.adjacency = adjacency, .rows_per_unit = tacit_schema_records_per_unit(schema)}}};
}

/* Whether the policy verifies for somebody who reads its file. */
static bool verifies(const tacit_policy *policy) {
  tacit_policy *again;
  tacit_verdict verdict;
  char *text = tacit_policy_text(policy);
  assert_int_equal(tacit_policy_parse(text, strlen(text), &again, NULL), TACIT_OK);
  tacit_policy_verify(again, &verdict);
  tacit_policy_free(again);
  free(text);
  return verdict.holds;
}

/* What `ledger show --check` asks, without verifying. */
static tacit_status covered(tacit_ledger *ledger, const tacit_policy *policy, const tacit_cost *cost,
                            tacit_error *error) {
  const tacit_schema *schema = tacit_policy_schema(policy);
  const tacit_unit unit = {.adjacency = tacit_policy_adjacency(policy),
                           .rows_per_unit = tacit_schema_records_per_unit(schema)};
  return tacit_ledger_check_payment(ledger, tacit_policy_receipt(policy), tacit_schema_hash(schema),
                                    tacit_policy_method(policy), &unit, cost, error);
}

static tacit_status paid(tacit_ledger *ledger, const tacit_policy *policy, tacit_error *error) {
  tacit_cost cost;
  tacit_status status = tacit_policy_cost(policy, &cost, error);
  return status == TACIT_OK ? covered(ledger, policy, &cost, error) : status;
}

typedef struct wish {
  const char *method, *schema;
  double mu, epsilon, rate;
  size_t steps;
  double step_size;
  tacit_adjacency adjacency;
  bool high; /* the first quantile */
} wish;

/* 0: the method's default. */
static void set(tacit_learn_options *options, const char *name, double number) {
  tacit_error error = {""};
  if (number > 0 && tacit_learn_options_set_number(options, name, number, &error) != TACIT_OK)
    fail_msg("%s", error.text);
}

static tacit_policy *fit(tacit_ledger *ledger, wish w) {
  const double taus[] = {w.high ? 0.9 : 0.7, 0.4};
  const tacit_goal goals[] = {{.quantile = taus[0]}, {.quantile = taus[1]}};
  tacit_schema *schema = schema_of(w.schema);
  tacit_source *source = rows();
  const tacit_method *method = tacit_method_find(w.method, false);
  tacit_payment payment = payment_of(ledger, schema, tacit_method_name(method), w.adjacency);
  tacit_learn_options options;
  tacit_fit *made;
  tacit_policy *policy;
  tacit_error error = {""};
  tacit_learn_options_init(&options);
  options.method = w.method;
  options.quantiles = taus;
  options.quantile_count = tacit_schema_targets(schema);
  options.mu = w.mu;
  options.epsilon = w.epsilon;
  options.delta = w.epsilon > 0 ? 1e-5 : 0;
  set(&options, "rate", w.rate);
  set(&options, "steps", (double)w.steps);
  set(&options, "step-size", w.step_size);
  options.adjacency = w.adjacency;
  options.spend = tacit_ledger_pay;
  options.spend_user = &payment;
  if (tacit_learn(schema, source, &options, NULL, &made, &error) != TACIT_OK)
    fail_msg("%s: %s", w.method, error.text);
  assert_int_equal(tacit_policy_from_fit(schema, NULL, made, goals, &policy, NULL), TACIT_OK);
  tacit_policy_set_receipt(policy, &payment.receipt);
  tacit_fit_free(made);
  tacit_source_free(source);
  tacit_schema_free(schema);
  return policy;
}

static tacit_policy *fit_spo(tacit_ledger *ledger, wish w) {
  tacit_schema *schema = schema_of(w.schema);
  tacit_source *source = rows();
  tacit_region *region;
  const tacit_method *method = tacit_method_find(w.method, true);
  tacit_payment payment = payment_of(ledger, schema, tacit_method_name(method), w.adjacency);
  tacit_learn_options options;
  tacit_fit *made;
  tacit_policy *policy;
  tacit_error error = {""};
  tacit_learn_options_init(&options);
  options.method = w.method;
  options.mu = w.mu;
  options.epsilon = w.epsilon;
  options.delta = w.epsilon > 0 ? 1e-5 : 0;
  options.adjacency = w.adjacency;
  options.spend = tacit_ledger_pay;
  options.spend_user = &payment;
  assert_int_equal(tacit_region_parse(REGION, strlen(REGION), &region, NULL), TACIT_OK);
  options.region = region;
  set(&options, "steps", (double)w.steps);
  if (tacit_learn(schema, source, &options, NULL, &made, &error) != TACIT_OK)
    fail_msg("%s: %s", w.method, error.text);
  assert_int_equal(tacit_spo_policy_new(schema, region, tacit_fit_coefficients(made),
                                        tacit_fit_certificate(made), &policy, NULL),
                   TACIT_OK);
  tacit_policy_set_receipt(policy, &payment.receipt);
  tacit_fit_free(made);
  tacit_region_free(region);
  tacit_source_free(source);
  tacit_schema_free(schema);
  return policy;
}

static void every_learner_pays_for_what_its_policy_recomputes(void **state) {
  (void)state;
  static const wish wishes[] = {
      {.method = "median-newton", .schema = ONE, .mu = 0.5},
      {.method = "median-newton", .schema = TWO, .mu = 2},
      {.method = "location-scale", .schema = ONE, .mu = 0.5},
      {.method = "location-scale", .schema = ONE, .mu = 0.5, .high = true},
      {.method = "location-scale", .schema = TWO, .mu = 2, .high = true, .adjacency = TACIT_ADD_REMOVE},
      {.method = "noisy-gd", .schema = ONE, .mu = 0.5, .steps = 7},
      {.method = "noisy-gd", .schema = TWO, .mu = 0.5, .steps = 5},
      {.method = "noisy-gd", .schema = TWO, .mu = 0.5, .adjacency = TACIT_ADD_REMOVE},
      {.method = "gradient", .schema = TWO, .mu = 0.5, .steps = 5},
      {.method = "bisection", .schema = TWO, .mu = 0.5},
      {.method = "follow", .schema = ONE, .mu = 0.5},
      {.method = "objective", .schema = ONE, .epsilon = 1},
      {.method = "objective", .schema = TWO, .epsilon = 2, .adjacency = TACIT_ADD_REMOVE},
      {.method = "sgd", .schema = ONE, .epsilon = 1, .steps = 3},
      {.method = "sgd", .schema = TWO, .epsilon = 1, .steps = 3, .rate = 0.5, .adjacency = TACIT_ADD_REMOVE},
      {.method = "gaussian", .schema = TWO, .mu = 0.5},
      {.method = "least-squares", .schema = TWO, .mu = 0.5},
      {.method = "exponential", .schema = TWO, .epsilon = 2},
      {.method = "exponential", .schema = TWO, .epsilon = 2, .steps = 9, .adjacency = TACIT_ADD_REMOVE},
  };
  enum { COUNT = sizeof wishes / sizeof *wishes, FIRST_SPO = 15 };
  tacit_policy *policies[COUNT];
  tacit_ledger *ledger = open_ledger("all.db");
  for (size_t i = 0; i < COUNT; i++) {
    tacit_error error = {""};
    policies[i] = (i < FIRST_SPO ? fit : fit_spo)(ledger, wishes[i]);
    if (!verifies(policies[i])) fail_msg("%s does not verify", wishes[i].method);
    assert_int_equal(strlen(tacit_policy_receipt(policies[i])->commitment), 64);
    if (paid(ledger, policies[i], &error) != TACIT_OK) fail_msg("%s: %s", wishes[i].method, error.text);
  }
  /* nobody's receipt is another's, as it stands or with the thief's own commitment or none */
  for (size_t i = 0; i < COUNT; i++) {
    const tacit_receipt own = *tacit_policy_receipt(policies[i]);
    tacit_cost cost;
    assert_int_equal(tacit_policy_cost(policies[i], &cost, NULL), TACIT_OK);
    for (size_t j = 0; j < COUNT; j++) {
      if (i == j) continue;
      tacit_receipt moved = *tacit_policy_receipt(policies[j]);
      tacit_policy_set_receipt(policies[i], &moved);
      assert_int_equal(covered(ledger, policies[i], &cost, NULL), TACIT_CHECK_FAILED);
      if (j == (i + 1) % COUNT) assert_false(verifies(policies[i]));
      cost.commitment[0] = 0;
      assert_int_equal(covered(ledger, policies[i], &cost, NULL), TACIT_CHECK_FAILED);
      memcpy(cost.commitment, own.commitment, sizeof cost.commitment);
      tacit_policy_set_receipt(policies[i], &own);
    }
  }
  for (size_t i = 0; i < COUNT; i++) tacit_policy_free(policies[i]);
  tacit_ledger_close(ledger);
}

/* Method, schema, unit and amount are the same; the inputs are not. */
static void equal_amounts_do_not_make_a_receipt_fit(void **state) {
  (void)state;
  tacit_ledger *ledger = open_ledger("moved.db");
  tacit_error error = {""};
  wish slow = {.method = "noisy-gd", .schema = ONE, .mu = 0.5, .steps = 5, .step_size = 0.5}, fast = slow;
  fast.step_size = 0.75;
  tacit_policy *a = fit(ledger, slow), *b = fit(ledger, fast);
  tacit_receipt receipt = *tacit_policy_receipt(a);
  memcpy(receipt.commitment, tacit_policy_receipt(b)->commitment, sizeof receipt.commitment);
  assert_int_equal(paid(ledger, b, &error), TACIT_OK);
  tacit_policy_set_receipt(b, &receipt);
  assert_true(verifies(b));
  assert_int_equal(paid(ledger, b, &error), TACIT_CHECK_FAILED);
  assert_non_null(strstr(error.text, "another release"));
  receipt.commitment[0] = 0;
  tacit_policy_set_receipt(b, &receipt);
  assert_true(verifies(b)); /* as a policy of an earlier program; its entry says more */
  assert_int_equal(paid(ledger, b, &error), TACIT_CHECK_FAILED);
  assert_non_null(strstr(error.text, "another release"));
  tacit_policy_free(a);
  tacit_policy_free(b);
  tacit_ledger_close(ledger);
}

/* A sampled run with a list that verifies at epsilon 2 and delta 1e-5. */
static tacit_policy *sampled_policy(const tacit_schema *schema, double steps, double batch) {
  static const double coefficients[] = {0.1, 0.2};
  const tacit_goal goal = {.quantile = 0.5};
  tacit_certificate *c;
  tacit_policy *policy;
  assert_int_equal(tacit_certificate_new("sgd", &c, NULL), TACIT_OK);
  c->private = true;
  c->noise = TACIT_NOISE_OS;
  c->rows_per_unit = 1;
  c->rows = 300;
  c->epsilon = 2;
  c->delta = 1e-5;
  assert_int_equal(tacit_certificate_number(c, "steps", steps, NULL), TACIT_OK);
  assert_int_equal(tacit_certificate_number(c, "clip_norm", 1, NULL), TACIT_OK);
  assert_int_equal(tacit_certificate_number(c, "batch", batch, NULL), TACIT_OK);
  assert_int_equal(tacit_certificate_number(c, "theta_bound", 2, NULL), TACIT_OK);
  assert_int_equal(tacit_certificate_text(c, "kernel", "logistic", NULL), TACIT_OK);
  assert_int_equal(tacit_certificate_number(c, "step_size", 0.1, NULL), TACIT_OK);
  assert_int_equal(tacit_certificate_number(c, "bandwidth", 1, NULL), TACIT_OK);
  tacit_mechanism m = {.kind = TACIT_RELEASE_SAMPLED,
                       .dimension = 2,
                       .level = 0.5,
                       .clip = 1,
                       .bits = TACIT_CELL_BITS + TACIT_SCORE_BITS,
                       .count = (uint64_t)steps,
                       .sample = TACIT_SAMPLE_FIXED,
                       .rate = fmin(1, nextafter(batch / 300, 2))};
  assert_int_equal(tacit_mechanism_sensitivity(&m, TACIT_REPLACE_ONE, 1, &m.sensitivity, NULL), TACIT_OK);
  tacit_sampled sampled = {
      .rate = m.rate, .steps = m.count, .sampling = TACIT_SAMPLING_FIXED, .adjacency = TACIT_REPLACE_ONE};
  assert_int_equal(tacit_sampled_sigma(&sampled, 2, 1e-5, &sampled.sigma, NULL), TACIT_OK);
  m.sigma = m.sensitivity / 2 * sampled.sigma * (1 + 0x1p-30);
  assert_int_equal(tacit_certificate_add(c, &m, NULL), TACIT_OK);
  assert_int_equal(tacit_policy_new(schema, coefficients, c, &goal, &policy, NULL), TACIT_OK);
  tacit_certificate_free(c);
  return policy;
}

/* One cheap release at (2, 1e-5) is worth a fraction of a dear one at (2, 1e-5): 60 receipts for the first,
   on a budget of mu = 3, must not cover 60 of the second, which together are 3.9-GDP. */
static void sixty_cheap_receipts_do_not_cover_sixty_dear_policies(void **state) {
  (void)state;
  tacit_ledger *ledger = open_ledger("cheap.db");
  tacit_schema *schema = schema_of(ONE);
  tacit_error error = {""};
  tacit_policy *cheap = sampled_policy(schema, 50, 3), *dear = sampled_policy(schema, 1, 300);
  tacit_cost low, high;
  assert_true(verifies(cheap) && verifies(dear));
  assert_int_equal(tacit_policy_cost(cheap, &low, NULL), TACIT_OK);
  assert_int_equal(tacit_policy_cost(dear, &high, NULL), TACIT_OK);
  char own[2][65];
  assert_int_equal(tacit_policy_commitment(cheap, own[0], NULL), TACIT_OK);
  assert_int_equal(tacit_policy_commitment(dear, own[1], NULL), TACIT_OK);
  assert_true(low.epsilon == high.epsilon && sqrt(60 * high.rdp[3]) > 3.8); /* at order 2 it is mu squared */
  budget(ledger, "a", 3);
  for (int said = 0; said < 2; said++) /* entries that say their release, and those of earlier versions */
    for (int i = 0; i < 30; i++) {
      tacit_payment payment = payment_of(ledger, schema, "sgd", TACIT_REPLACE_ONE);
      if (said) memcpy(low.commitment, own[0], sizeof low.commitment);
      if (said) memcpy(high.commitment, own[1], sizeof high.commitment);
      assert_int_equal(tacit_ledger_pay(&payment, &low, &error), TACIT_OK);
      tacit_policy_set_receipt(cheap, &payment.receipt);
      assert_int_equal(covered(ledger, cheap, &low, NULL), TACIT_OK);
      tacit_policy_set_receipt(dear, &payment.receipt);
      assert_int_equal(covered(ledger, dear, &high, &error), TACIT_CHECK_FAILED);
      assert_non_null(strstr(error.text, said ? "another release" : "pays for less"));
      /* whatever the dear one says it is */
      memcpy(high.commitment, payment.receipt.commitment, sizeof high.commitment);
      assert_int_equal(covered(ledger, dear, &high, &error), TACIT_CHECK_FAILED);
      assert_non_null(strstr(error.text, "pays for less"));
    }
  /* nor do Renyi divergences pay for mu, or mu for them */
  tacit_payment payment = payment_of(ledger, schema, "sgd", TACIT_REPLACE_ONE);
  assert_int_equal(tacit_ledger_pay(&payment, &(tacit_cost){.mu = 1}, NULL), TACIT_OK);
  tacit_policy_set_receipt(cheap, &payment.receipt);
  assert_int_equal(paid(ledger, cheap, &error), TACIT_CHECK_FAILED);
  assert_non_null(strstr(error.text, "pays for less"));
  /* paid honestly, the dear ones end where the budget does */
  int released = 0;
  while (tacit_ledger_pay(&payment, &high, &error) == TACIT_OK) released++;
  assert_true(released < 30);
  tacit_policy_free(cheap);
  tacit_policy_free(dear);
  tacit_schema_free(schema);
  tacit_ledger_close(ledger);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_learner_pays_for_what_its_policy_recomputes),
      cmocka_unit_test(equal_amounts_do_not_make_a_receipt_fit),
      cmocka_unit_test(sixty_cheap_receipts_do_not_cover_sixty_dear_policies),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
