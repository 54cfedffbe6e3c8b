/* Policies survive the way to a file and back, decide as the dot product says, and hostile files do no harm.
 */
#include "policy/policy_for_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char SCHEMA[] =
    "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 100}, \"features\": ["
    "{\"name\": \"t\", \"min\": -15, \"max\": 40}, {\"name\": \"z\", \"center\": 3, \"scale\": 0.5},"
    "{\"name\": \"day\", \"levels\": [\"MON\", \"TUE\", \"SUN\"]}]}";
enum { P = 5 };
static const double COEFFICIENTS[P] = {0.1, -0.3, 0.07, 0.2, -1.0 / 3};

static tacit_policy *make(void) {
  tacit_schema *schema;
  tacit_policy *policy;
  const tacit_goal goal = {0.6, 3, 2};
  tacit_certificate *c = noisy_gd_certificate(P, 0.5);
  assert_int_equal(tacit_schema_parse(SCHEMA, strlen(SCHEMA), &schema, NULL), TACIT_OK);
  assert_int_equal(tacit_policy_new(schema, COEFFICIENTS, c, &goal, &policy, NULL), TACIT_OK);
  tacit_certificate_free(c);
  tacit_schema_free(schema);
  return policy;
}

static void text_and_back_are_the_same_bytes(void **state) {
  (void)state;
  tacit_policy *policy = make(), *again;
  char *text = tacit_policy_text(policy);
  tacit_error error = {""};
  if (tacit_policy_parse(text, strlen(text), &again, &error) != TACIT_OK) fail_msg("%s", error.text);
  char *copy = tacit_policy_text(again);
  assert_string_equal(text, copy);
  tacit_verdict verdict;
  tacit_policy_verify(again, &verdict);
  assert_true(verdict.holds && verdict.mu <= 0.5 && verdict.mu > 0.4999);
  free(text);
  free(copy);
  tacit_policy_free(policy);
  tacit_policy_free(again);
}

static void receipts_come_back_and_odd_ones_are_refused(void **state) {
  (void)state;
  tacit_policy *policy = make(), *again;
  tacit_receipt receipt = {.label = "L\u00e4mmer \"1\"", .sequence = 7};
  memset(receipt.head, 'a', 64);
  assert_null(tacit_policy_receipt(policy));
  tacit_policy_set_receipt(policy, &receipt);
  char *text = tacit_policy_text(policy);
  assert_int_equal(tacit_policy_parse(text, strlen(text), &again, NULL), TACIT_OK);
  assert_memory_equal(tacit_policy_receipt(again), &receipt, sizeof receipt);
  tacit_policy_free(again);
  static const char *const odd[] = {"\"sequence\": 0", "\"sequence\": -1", "\"sequence\": 1.5",
                                    "\"sequence\": \"7\""};
  for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
    char *copy = malloc(strlen(text) + 64), *found = strstr(text, "\"sequence\": 7");
    assert_non_null(found);
    sprintf(copy, "%.*s%s%s", (int)(found - text), text, odd[i], found + strlen("\"sequence\": 7"));
    assert_int_equal(tacit_policy_parse(copy, strlen(copy), &again, NULL), TACIT_BAD_INPUT);
    free(copy);
  }
  assert_null(strstr(text, "\"commitment\"")); /* the receipt has none: an earlier ledger's */
  *(strstr(text, "aaaaaaaa")) = 'g';           /* no hexadecimal digit */
  assert_int_equal(tacit_policy_parse(text, strlen(text), &again, NULL), TACIT_BAD_INPUT);
  free(text);
  tacit_policy_free(policy);
}

static bool verifies(const tacit_policy *policy) {
  tacit_verdict verdict;
  tacit_policy_verify(policy, &verdict);
  return verdict.holds;
}

/* A receipt that was given for another release fails, whatever the ledger says of it. */
static void a_receipt_is_for_this_release(void **state) {
  (void)state;
  tacit_policy *policy = make(), *again;
  tacit_cost cost;
  tacit_receipt receipt = {.label = "a", .sequence = 7};
  memset(receipt.head, 'a', 64);
  tacit_policy_set_receipt(policy, &receipt);
  assert_true(verifies(policy));
  assert_int_equal(tacit_policy_cost(policy, &cost, NULL), TACIT_OK);
  assert_true(cost.mu > 0.4999 && cost.mu <= 0.5 && cost.commitment[0] == 0);
  assert_int_equal(tacit_policy_commitment(policy, receipt.commitment, NULL), TACIT_OK);
  tacit_policy_set_receipt(policy, &receipt);
  assert_true(verifies(policy));
  assert_int_equal(tacit_policy_cost(policy, &cost, NULL), TACIT_OK);
  assert_string_equal(cost.commitment, receipt.commitment);
  char *text = tacit_policy_text(policy);
  assert_int_equal(tacit_policy_parse(text, strlen(text), &again, NULL), TACIT_OK);
  assert_memory_equal(tacit_policy_receipt(again), &receipt, sizeof receipt);
  assert_true(verifies(again));
  tacit_policy_free(again);
  char *at = strstr(text, receipt.commitment);
  at[3] = at[3] == '0' ? '1' : '0';
  assert_int_equal(tacit_policy_parse(text, strlen(text), &again, NULL), TACIT_OK);
  assert_false(verifies(again));
  tacit_policy_free(again);
  at[3] = 'x';
  assert_int_equal(tacit_policy_parse(text, strlen(text), &again, NULL), TACIT_BAD_INPUT);
  free(text);
  /* the same receipt with an input that makes no difference to the list of releases */
  assert_int_equal(tacit_certificate_number(policy->certificate, "step_size", 3, NULL), TACIT_OK);
  assert_false(verifies(policy));
  tacit_policy_free(policy);
}

static void a_decision_is_a_dot_product_in_the_users_units(void **state) {
  (void)state;
  tacit_policy *policy = make();
  /* t = 12, z = 3.4, day = SUN */
  const double x[P] = {1, (12 - 12.5) / 27.5, 0.8, 0, 1};
  double by_hand = tacit_policy_coefficient(policy, 0, 0) + 12 * tacit_policy_coefficient(policy, 0, 1) +
                   3.4 * tacit_policy_coefficient(policy, 0, 2) + tacit_policy_coefficient(policy, 0, 4);
  assert_true(fabs(tacit_policy_decide(policy, 0, x) - by_hand) < 1e-12);
  tacit_policy_free(policy);
}

static void a_file_is_written_whole_or_not_at_all(void **state) {
  (void)state;
  tacit_policy *policy = make(), *again = NULL;
  char path[] = "/tmp/tacit-policy-test.XXXXXX";
  int file = mkstemp(path);
  assert_true(file >= 0);
  close(file);
  assert_int_equal(tacit_policy_write(policy, path, NULL), TACIT_OK);
  assert_int_equal(tacit_policy_read(path, &again, NULL), TACIT_OK);
  tacit_policy_free(again);
  unlink(path);
  assert_int_equal(tacit_policy_write(policy, "/no/such/folder/policy.json", NULL), TACIT_INTERNAL);
  assert_int_equal(tacit_policy_read(path, &again, NULL), TACIT_BAD_INPUT);
  tacit_policy_free(policy);
}

/* A mutated file is refused, fails to verify, or still promises no less than its mechanisms give. */
static void mutated_files_do_no_harm(void **state) {
  (void)state;
  tacit_policy *policy = make();
  char *text = tacit_policy_text(policy);
  size_t length = strlen(text);
  char *copy = malloc(length + 1);
  static const char bytes[] = "0123456789.-eE{}[]\",: \ntruefalsn\\\x80\xff";
  uint64_t random = 88172645463325252u;
  int read = 0, held = 0;
  const int mutants = getenv("TACIT_QUICK")
                          ? 400
                          : 3000; /* few where everything is slow; tests/hostile_policy_test.c has more */
  for (int i = 0; i < mutants; i++) {
    memcpy(copy, text, length + 1);
    int edits = 1 + i % 3;
    for (int k = 0; k < edits; k++) {
      random ^= random << 13, random ^= random >> 7, random ^= random << 17;
      copy[(random >> 8) % length] = bytes[random % (sizeof bytes - 1)];
    }
    tacit_policy *mutant;
    size_t cut = i % 10 == 0 ? (size_t)(random >> 20) % length : length;
    if (tacit_policy_parse(copy, cut, &mutant, NULL) != TACIT_OK) continue;
    read++;
    tacit_verdict verdict;
    tacit_policy_verify(mutant, &verdict);
    if (verdict.holds) {
      held++;
      const tacit_certificate *c = mutant->certificate;
      bool kept =
          c->mu != 0 ? tacit_certificate_mu(c) <= c->mu : tacit_certificate_delta(c, c->epsilon) <= c->delta;
      assert_true(kept && c->private && c->noise == TACIT_NOISE_OS);
      /* what still holds can only differ in coefficients, goals of the same quantile, sizes of noise that are
         enough, and the public number of rows */
      assert_true(c->mechanisms[0].sensitivity >= policy->certificate->mechanisms[0].sensitivity);
      assert_int_equal(c->releases, 2);
    }
    tacit_policy_free(mutant);
  }
  assert_true(read > mutants / 20 && held > mutants / 200); /* the mutants reach the checks */
  free(copy);
  free(text);
  tacit_policy_free(policy);
}

/* A guarantee that is not Gaussian is read and stated; but noisy-gd has none, whatever delta would follow. */
static void a_pair_is_not_what_noisy_gd_promises(void **state) {
  (void)state;
  tacit_policy *policy = make(), *again;
  tacit_verdict verdict;
  double delta;
  assert_int_equal(tacit_gdp_delta(0.5, 1, &delta, NULL), TACIT_OK);
  assert_true(tacit_certificate_delta(policy->certificate, 1) <= delta);
  policy->certificate->mu = 0;
  policy->certificate->epsilon = 1;
  policy->certificate->delta = delta;
  char text[1024], *file = tacit_policy_text(policy);
  assert_int_equal(tacit_policy_parse(file, strlen(file), &again, NULL), TACIT_OK);
  assert_true(tacit_policy_mu(again) == 0 && tacit_policy_epsilon(again) == 1 &&
              tacit_policy_delta(again) == delta);
  tacit_policy_statement(again, text);
  assert_non_null(strstr(text, "(1, "));
  tacit_policy_verify(again, &verdict);
  assert_false(verdict.holds);
  tacit_policy_free(again);
  free(file);
  tacit_policy_free(policy);
}

static void statements_name_the_unit(void **state) {
  (void)state;
  tacit_policy *policy = make();
  char text[1024];
  tacit_policy_statement(policy, text);
  assert_non_null(strstr(text, "one row"));
  assert_non_null(strstr(text, "0.5-Gaussian"));
  policy->certificate->private = false;
  tacit_policy_statement(policy, text);
  assert_non_null(strstr(text, "NOT PRIVATE"));
  tacit_policy_free(policy);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(text_and_back_are_the_same_bytes),
      cmocka_unit_test(receipts_come_back_and_odd_ones_are_refused),
      cmocka_unit_test(a_receipt_is_for_this_release),
      cmocka_unit_test(a_decision_is_a_dot_product_in_the_users_units),
      cmocka_unit_test(a_file_is_written_whole_or_not_at_all),
      cmocka_unit_test(mutated_files_do_no_harm),
      cmocka_unit_test(a_pair_is_not_what_noisy_gd_promises),
      cmocka_unit_test(statements_name_the_unit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
