/* Budgets hold to the last digit, the record survives closing, and whatever was changed, cut or rolled back
   is found. */
#include "ledger/ledger_for_test.h"

#include <float.h>
#include <math.h>

static void a_budget_holds_to_the_last_digit(void **state) {
  (void)state;
  tacit_ledger *ledger = open_ledger("digit.db");
  tacit_error error;
  tacit_ledger_total total;
  budget(ledger, "a", 0.5);
  spend(ledger, "a", 0.3, NULL);
  assert_int_equal(try_spend(ledger, "a", nextafter(0.4, 1), NULL, &error), TACIT_REFUSED);
  assert_non_null(strstr(error.text, "0.4000000000000001 is asked, 0.4 is left of 0.5"));
  spend(ledger, "a", 0.4, NULL);
  assert_int_equal(try_spend(ledger, "a", 1e-300, NULL, &error), TACIT_REFUSED);
  assert_true(tacit_ledger_total_of(ledger, "a", &total));
  assert_true(total.limited && total.budget_mu == 0.5 && total.spent_mu == 0.5 && total.left_mu == 0);
  assert_int_equal(total.releases, 2);
  budget(ledger, "b", 1);
  for (int i = 0; i < 4; i++) spend(ledger, "b", 0.5, NULL);
  assert_int_equal(try_spend(ledger, "b", 1e-300, NULL, NULL), TACIT_REFUSED);
  tacit_ledger_close(ledger);
}

static void what_is_left_can_be_spent(void **state) {
  (void)state;
  tacit_ledger *ledger = open_ledger("left.db");
  srand(7);
  for (int i = 0; i < 40; i++) {
    char label[16];
    tacit_ledger_total total;
    snprintf(label, sizeof label, "label %d", i);
    budget(ledger, label, 1 + i / 7.0);
    for (int k = 0; k < 3; k++) spend(ledger, label, (1 + rand() % 1000) / 1731.0, NULL);
    assert_true(tacit_ledger_total_of(ledger, label, &total) && total.left_mu > 0);
    assert_int_equal(try_spend(ledger, label, nextafter(total.left_mu, 1e9), NULL, NULL), TACIT_REFUSED);
    spend(ledger, label, total.left_mu, NULL);
  }
  tacit_ledger_close(ledger);
}

static void the_smallest_spending_counts(void **state) {
  (void)state;
  tacit_ledger *ledger = open_ledger("small.db");
  tacit_ledger_total total;
  budget(ledger, "a", 1);
  spend(ledger, "a", 1e-200, NULL);
  assert_int_equal(try_spend(ledger, "a", 1, NULL, NULL), TACIT_REFUSED);
  spend(ledger, "a", nextafter(1, 0), NULL);
  tacit_ledger_total_of(ledger, "a", &total);
  assert_true(total.spent_mu <= 1 && total.spent_mu >= nextafter(1, 0) && total.releases == 2);
  tacit_ledger_close(ledger);
}

/* 10^5 of them, put into the file at once and read back with their chain. */
static void a_hundred_thousand_tiny_spendings_add_up(void **state) {
  (void)state;
  enum { MANY = 100000 };
  tacit_ledger *ledger = open_ledger("many.db");
  budget(ledger, "a", 1);
  spend(ledger, "a", 1e-9, NULL);
  sqlite3_stmt *insert;
  static const char sql[] = "INSERT INTO entries VALUES (?1,'spend','a','gdp','1e-9','','','','',?2,?3,'')";
  assert_int_equal(sqlite3_exec(ledger->db, "BEGIN", NULL, NULL, NULL), SQLITE_OK);
  assert_int_equal(sqlite3_prepare_v2(ledger->db, sql, -1, &insert, NULL), SQLITE_OK);
  char previous[TACIT_LEDGER_HASH_SIZE], hash[TACIT_LEDGER_HASH_SIZE];
  memcpy(previous, ledger->head, sizeof previous);
  for (uint64_t i = 3; i <= MANY + 1; i++) {
    const tacit_ledger_entry entry = {i,  "spend", "a",      "gdp", "1e-9", 1e-9, "", "",
                                      "", "",      previous, hash,  0,      0,    ""};
    tacit_ledger_hash(&entry, hash);
    sqlite3_bind_int64(insert, 1, (sqlite3_int64)i);
    sqlite3_bind_text(insert, 2, previous, -1, SQLITE_STATIC);
    sqlite3_bind_text(insert, 3, hash, -1, SQLITE_STATIC);
    assert_int_equal(sqlite3_step(insert), SQLITE_DONE);
    sqlite3_reset(insert);
    memcpy(previous, hash, sizeof previous);
  }
  sqlite3_finalize(insert);
  assert_int_equal(sqlite3_exec(ledger->db, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
  tacit_ledger_close(ledger);
  ledger = open_ledger("many.db");
  tacit_ledger_total total;
  tacit_ledger_total_of(ledger, "a", &total);
  assert_int_equal(total.releases, MANY);
  assert_true(total.spent_mu == 3.1622776601683795e-7); /* sqrt(10^5) 10^-9, rounded up */
  assert_int_equal(tacit_ledger_check(ledger, NULL), TACIT_OK);
  tacit_ledger_close(ledger);
}

static void the_record_survives_closing_and_two_handles_agree(void **state) {
  (void)state;
  tacit_ledger *one = open_ledger("two.db"), *two = open_ledger("two.db");
  tacit_receipt receipt;
  tacit_ledger_total total;
  budget(one, "a", 1);
  for (int i = 0; i < 4; i++) spend(i % 2 ? one : two, "a", 0.5, &receipt);
  assert_int_equal(receipt.sequence, 5);
  assert_int_equal(try_spend(two, "a", 0.1, NULL, NULL), TACIT_REFUSED);
  assert_int_equal(try_spend(one, "a", 0.1, NULL, NULL), TACIT_REFUSED);
  tacit_ledger_close(one);
  tacit_ledger_close(two);
  assert_int_equal(tacit_ledger_open(at("two.db"), TACIT_LEDGER_READ, 0, &one, NULL), TACIT_OK);
  assert_true(tacit_ledger_total_of(one, "a", &total) && total.spent_mu == 1 && total.releases == 4);
  assert_int_equal(try_spend(one, "a", 0.1, NULL, NULL), TACIT_USAGE); /* opened for reading */
  assert_string_equal(tacit_ledger_head(one), receipt.head);
  tacit_ledger_close(one);
}

static void budgets_belong_to_labels(void **state) {
  (void)state;
  tacit_ledger *ledger = open_ledger("labels.db");
  tacit_error error;
  tacit_ledger_total total;
  spend(ledger, "free", 3, NULL); /* no budget anywhere: recorded without limit */
  budget(ledger, "a", 1);
  assert_int_equal(try_spend(ledger, "free", 0.1, NULL, &error), TACIT_REFUSED); /* others have one now */
  assert_non_null(strstr(error.text, "has no budget"));
  assert_int_equal(try_spend(ledger, "A", 0.1, NULL, NULL), TACIT_REFUSED);
  budget(ledger, "free", 5); /* earlier spending counts */
  tacit_ledger_total_of(ledger, "free", &total);
  assert_true(total.spent_mu == 3 && total.left_mu == 4);
  budget(ledger, "a", 1); /* the same again: nothing happens */
  assert_int_equal(tacit_ledger_sequence(ledger), 3);
  assert_int_equal(tacit_ledger_budget(ledger, "a", 2, false, NULL, &error), TACIT_REFUSED);
  assert_non_null(strstr(error.text, "--change"));
  spend(ledger, "a", 0.8, NULL);
  assert_int_equal(tacit_ledger_budget(ledger, "a", 0.5, true, NULL, NULL), TACIT_OK);
  tacit_ledger_total_of(ledger, "a", &total);
  assert_true(total.budget_mu == 0.5 && total.left_mu == 0 && total.spent_mu == 0.8);
  assert_int_equal(try_spend(ledger, "a", 1e-9, NULL, NULL), TACIT_REFUSED);
  assert_int_equal(tacit_ledger_budget(ledger, "a", 1, true, NULL, NULL), TACIT_OK);
  spend(ledger, "a", 0.6, NULL);
  assert_false(tacit_ledger_total_of(ledger, "unknown", &total));
  tacit_ledger_close(ledger);
}

static void terms_are_checked_at_the_door(void **state) {
  (void)state;
  tacit_ledger *ledger = open_ledger("terms.db");
  static const char *const bad[] = {"",
                                    "a\nb",
                                    "\x7f",
                                    "\xff",
                                    "\xc0\xaf",
                                    "\xc2\x85",
                                    "\xe0\x80\x80",
                                    "\xed\xa0\x80",
                                    "\xf4\x90\x80\x80",
                                    "\xf5\x80\x80\x80",
                                    "\xe2\x82",
                                    "\x80"};
  static const char *const good[] = {"lamb", "Lämmer", "羊", "\xf0\x9f\x90\x91",
                                     "it's \"quoted\"; DROP TABLE entries"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    assert_int_equal(try_spend(ledger, bad[i], 1, NULL, NULL), TACIT_USAGE);
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) spend(ledger, good[i], 1, NULL);
  char longest[TACIT_LABEL_MAX + 2];
  memset(longest, 'x', sizeof longest);
  longest[TACIT_LABEL_MAX + 1] = 0;
  assert_int_equal(try_spend(ledger, longest, 1, NULL, NULL), TACIT_USAGE);
  longest[TACIT_LABEL_MAX] = 0;
  spend(ledger, longest, 1, NULL);
  static const double amounts[] = {0, DBL_MIN, -1, INFINITY, NAN, 10001};
  for (size_t i = 0; i < sizeof amounts / sizeof *amounts; i++)
    assert_int_equal(try_spend(ledger, "a", amounts[i], NULL, NULL), TACIT_USAGE);
  assert_int_equal(tacit_ledger_labels(ledger), 6);
  assert_int_equal(tacit_ledger_check(ledger, NULL), TACIT_OK);
  tacit_ledger_close(ledger);
}

static void a_locked_ledger_is_left_alone(void **state) {
  (void)state;
  tacit_ledger *ledger = open_ledger("locked.db");
  tacit_error error;
  tacit_ledger_close(ledger);
  assert_int_equal(tacit_ledger_open(at("locked.db"), TACIT_LEDGER_WRITE, 0, &ledger, NULL), TACIT_OK);
  sqlite3 *other;
  assert_int_equal(sqlite3_open(at("locked.db"), &other), SQLITE_OK);
  assert_int_equal(sqlite3_exec(other, "BEGIN EXCLUSIVE", NULL, NULL, NULL), SQLITE_OK);
  assert_int_equal(try_spend(ledger, "a", 1, NULL, &error), TACIT_REFUSED);
  assert_non_null(strstr(error.text, "in use"));
  expect_refused("locked.db", TACIT_LEDGER_READ, TACIT_REFUSED, "in use");
  sqlite3_close(other);
  spend(ledger, "a", 1, NULL);
  tacit_ledger_close(ledger);
}

static void a_learner_pays_through_its_hook(void **state) {
  (void)state;
  tacit_payment payment = {.ledger = open_ledger("hook.db"),
                           .spending = {.label = "a", .unit = {.rows_per_unit = 1}}};
  budget(payment.ledger, "a", 1);
  assert_int_equal(
      tacit_ledger_afford(payment.ledger,
                          &(tacit_spending){.label = "a", .mu = 1.1, .unit = {.rows_per_unit = 1}}, NULL),
      TACIT_REFUSED);
  assert_int_equal(tacit_ledger_afford(payment.ledger,
                                       &(tacit_spending){.label = "a", .mu = 1, .unit = {.rows_per_unit = 1}},
                                       NULL),
                   TACIT_OK);
  assert_int_equal(tacit_ledger_pay(&payment, &(tacit_cost){.mu = 1}, NULL), TACIT_OK);
  assert_int_equal(payment.receipt.sequence, 2);
  assert_string_equal(payment.receipt.label, "a");
  assert_int_equal(tacit_ledger_pay(&payment, &(tacit_cost){.mu = 1}, NULL), TACIT_REFUSED);
  assert_int_equal(payment.receipt.sequence, 0);
  tacit_ledger_close(payment.ledger);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_budget_holds_to_the_last_digit),
      cmocka_unit_test(what_is_left_can_be_spent),
      cmocka_unit_test(the_smallest_spending_counts),
      cmocka_unit_test(a_hundred_thousand_tiny_spendings_add_up),
      cmocka_unit_test(the_record_survives_closing_and_two_handles_agree),
      cmocka_unit_test(budgets_belong_to_labels),
      cmocka_unit_test(terms_are_checked_at_the_door),
      cmocka_unit_test(a_locked_ledger_is_left_alone),
      cmocka_unit_test(a_learner_pays_through_its_hook),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
