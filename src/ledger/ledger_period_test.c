/* Budgets for each period: a period's spending counts for that period alone, under one name, and a label is
   of one kind for ever. */
#include "ledger/ledger_for_test.h"

static tacit_status set(tacit_ledger *ledger, const char *label, double mu, const char *per, bool change) {
  const tacit_ledger_terms terms = {.label = label, .mu = mu, .per = per, .change = change};
  return tacit_ledger_set(ledger, &terms, NULL);
}

static tacit_status spend_in(tacit_ledger *ledger, const char *label, double mu, const char *period) {
  tacit_receipt receipt;
  const tacit_spending spending = {
      .label = label, .mu = mu, .unit = {.rows_per_unit = 1}, .commitment = COMMITMENT, .period = period};
  tacit_status may = tacit_ledger_afford(ledger, &spending, NULL);
  tacit_status status = tacit_ledger_spend(ledger, &spending, &receipt, NULL);
  assert_int_equal(may, status);
  return status;
}

static double left_in(const tacit_ledger *ledger, const char *label, const char *period) {
  tacit_ledger_total total;
  return tacit_ledger_total_in(ledger, label, period, &total) ? total.left_mu : -1;
}

static void periods_have_a_budget_each(void **state) {
  (void)state;
  tacit_ledger *ledger = open_ledger("each.db");
  assert_int_equal(set(ledger, "lamb", 1, "month", false), TACIT_OK);
  assert_int_equal(spend_in(ledger, "lamb", 1, "2024-03"), TACIT_OK);
  assert_int_equal(spend_in(ledger, "lamb", 1, "2024-04"), TACIT_OK);
  assert_int_equal(spend_in(ledger, "lamb", 0.6, "2024-05"), TACIT_OK);
  assert_int_equal(spend_in(ledger, "lamb", 0.1, "2024-03"), TACIT_REFUSED);
  assert_int_equal(spend_in(ledger, "lamb", 0.9, "2024-05"), TACIT_REFUSED);
  assert_int_equal(spend_in(ledger, "lamb", 0.8, "2024-05"), TACIT_OK);
  assert_true(left_in(ledger, "lamb", "2024-03") == 0 && left_in(ledger, "lamb", "2024-05") == 0);
  assert_true(left_in(ledger, "lamb", "2024-06") == -1);
  /* the same after reading it all again, and a larger budget is each period's */
  assert_int_equal(tacit_ledger_check(ledger, NULL), TACIT_OK);
  assert_true(left_in(ledger, "lamb", "2024-04") == 0);
  assert_int_equal(tacit_ledger_labels(ledger), 4);
  assert_int_equal(set(ledger, "lamb", 1.25, NULL, true), TACIT_OK);
  assert_true(left_in(ledger, "lamb", "2024-04") == 0.75);
  assert_int_equal(spend_in(ledger, "lamb", 0.75, "2024-04"), TACIT_OK);
  assert_int_equal(spend_in(ledger, "lamb", 1.26, "2024-06"), TACIT_REFUSED);
  tacit_ledger_close(ledger);
}

/* Another spelling of a month would be a fresh budget. */
static void a_period_has_one_name(void **state) {
  (void)state;
  static const struct {
    const char *per, *good, *bad[6];
  } NAMES[] = {
      {"day", "2024-03-31", {"2024-3-31", "2024-02-30", "2023-02-29", "2024-03", "2024-04-31", "0000-01-01"}},
      {"week", "2020-W53", {"2024-W53", "2024-W00", "2024-w10", "2024-W1", "2015-W54", "2021-W53"}},
      {"month", "2024-12", {"2024-13", "2024-00", "2024-1", "2024-012", "march", " 2024-03"}},
      {"quarter", "2024-Q4", {"2024-Q5", "2024-Q0", "2024-q1", "2024-4", "Q1-2024", ""}},
      {"year", "2024", {"24", "02024", "2024 ", "year", "2O24", ""}},
  };
  tacit_ledger *ledger = open_ledger("names.db");
  for (size_t k = 0; k < sizeof NAMES / sizeof *NAMES; k++) {
    assert_int_equal(set(ledger, NAMES[k].per, 1, NAMES[k].per, false), TACIT_OK);
    assert_int_equal(spend_in(ledger, NAMES[k].per, 0.1, NAMES[k].good), TACIT_OK);
    assert_int_equal(spend_in(ledger, NAMES[k].per, 0.1, NULL), TACIT_REFUSED);
    for (size_t i = 0; i < 6; i++)
      assert_int_equal(spend_in(ledger, NAMES[k].per, 0.1, NAMES[k].bad[i]), TACIT_REFUSED);
  }
  assert_int_equal(set(ledger, "fortnights", 1, "fortnight", false), TACIT_USAGE);
  tacit_ledger_close(ledger);
}

static void a_label_is_of_one_kind(void **state) {
  (void)state;
  tacit_ledger *ledger = open_ledger("kind.db");
  assert_int_equal(set(ledger, "all", 1, NULL, false), TACIT_OK);
  assert_int_equal(set(ledger, "all", 1, "month", true), TACIT_REFUSED);
  assert_int_equal(set(ledger, "each", 1, "month", false), TACIT_OK);
  assert_int_equal(set(ledger, "each", 1, "year", true), TACIT_REFUSED);
  /* a label for all time counts every period together */
  assert_int_equal(spend_in(ledger, "all", 0.8, "2024-03"), TACIT_OK);
  assert_int_equal(spend_in(ledger, "all", 0.8, "2024-04"), TACIT_REFUSED);
  /* and units do not mix from period to period either */
  tacit_receipt receipt;
  assert_int_equal(spend_in(ledger, "each", 0.8, "2024-03"), TACIT_OK);
  const tacit_spending other = {
      .label = "each", .mu = 0.1, .unit = {.rows_per_unit = 2}, .period = "2024-04"};
  assert_int_equal(tacit_ledger_spend(ledger, &other, &receipt, NULL), TACIT_REFUSED);
  tacit_ledger_close(ledger);
}

/* A policy that names another period than its payment's was not paid for. */
static void a_payment_is_for_its_period(void **state) {
  (void)state;
  tacit_ledger *ledger = open_ledger("paid.db");
  assert_int_equal(set(ledger, "lamb", 1, "month", false), TACIT_OK);
  tacit_payment payment = {.ledger = ledger, .spending = {.label = "lamb", .unit = {.rows_per_unit = 1}}};
  tacit_cost cost = {.mu = 0.5, .period = "2024-03"};
  memcpy(cost.commitment, COMMITMENT, sizeof cost.commitment);
  payment.spending.method = "follow";
  assert_int_equal(tacit_ledger_pay(&payment, &cost, NULL), TACIT_OK);
  const tacit_unit unit = {.rows_per_unit = 1};
  assert_int_equal(tacit_ledger_check_payment(ledger, &payment.receipt, NULL, "follow", &unit, &cost, NULL),
                   TACIT_OK);
  strcpy(cost.period, "2024-04");
  assert_int_equal(tacit_ledger_check_payment(ledger, &payment.receipt, NULL, "follow", &unit, &cost, NULL),
                   TACIT_CHECK_FAILED);
  cost.period[0] = 0;
  assert_int_equal(tacit_ledger_check_payment(ledger, &payment.receipt, NULL, "follow", &unit, &cost, NULL),
                   TACIT_CHECK_FAILED);
  tacit_ledger_close(ledger);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(periods_have_a_budget_each),
      cmocka_unit_test(a_period_has_one_name),
      cmocka_unit_test(a_label_is_of_one_kind),
      cmocka_unit_test(a_payment_is_for_its_period),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
