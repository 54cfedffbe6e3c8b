/* The power goes, or an operation of the disk fails, at every step of a spending: afterwards the record is
   whole, what was reported as spent is in it, and nothing is in it twice ("spends twice after a crash"). */
#include "ledger/power_cut_for_test.h"

#include "ledger/ledger_for_test.h"

enum { COINS = 40 };

static void make(const char *name) {
  tacit_ledger *ledger = open_ledger(name);
  budget(ledger, "a", 100);
  for (int i = 0; i < 20; i++) spend(ledger, "a", 0.5, NULL); /* entries on more than one page */
  tacit_ledger_close(ledger);
}

/* The same without commitments, as before version 3. */
static void make_unsaid(const char *name) {
  tacit_ledger *ledger = open_ledger(name);
  tacit_receipt receipt;
  const tacit_spending spending = {.label = "a", .mu = 0.5, .unit = {.rows_per_unit = 1}};
  budget(ledger, "a", 100);
  for (int i = 0; i < 20; i++)
    assert_int_equal(tacit_ledger_spend(ledger, &spending, &receipt, NULL), TACIT_OK);
  tacit_ledger_close(ledger);
}

/* What the record says after the power is back; the checks are part of opening it. */
static uint64_t entries_now(const char *name, const tacit_receipt *receipt, double mu) {
  tacit_ledger *ledger;
  tacit_error error = {""};
  if (tacit_ledger_open(at(name), TACIT_LEDGER_WRITE, 0, &ledger, &error) != TACIT_OK)
    fail_msg("%s", error.text);
  if (receipt && tacit_ledger_check_receipt(ledger, receipt, NULL, mu, &error) != TACIT_OK)
    fail_msg("%s", error.text);
  uint64_t sequence = tacit_ledger_sequence(ledger);
  tacit_ledger_close(ledger);
  return sequence;
}

/* Cuts the power at every operation of a spending from power.db, several times each. */
static void cut_everywhere(void) {
  copy("power.db", "origin.db");
  uint64_t random = 88172645463325252u;
  long cuts = 0, kept = 0, lost = 0, steps = 1;
  for (bool reached = true; reached; steps++)
    for (int coin = 0; coin < COINS; coin++) {
      copy("origin.db", "power.db");
      disk_count = 0;
      tacit_ledger *ledger = open_ledger("power.db");
      tacit_receipt receipt;
      operations = 0;
      cut_at = steps;
      tacit_status status = try_spend(ledger, "a", 0.25, &receipt, NULL);
      reached = power_gone;
      tacit_ledger_close(ledger);
      power_back(&random);
      uint64_t now = entries_now("power.db", status == TACIT_OK ? &receipt : NULL, 0.25);
      assert_true(now == 21 || now == 22);
      assert_true(status != TACIT_OK || now == 22);
      cuts += reached;
      kept += now == 22;
      lost += now == 21;
    }
  print_message("power cuts: %ld at %ld operations; recorded after %ld, not after %ld\n", cuts, steps - 2,
                kept, lost);
  assert_true(cuts >= 200 && kept > COINS && lost > COINS);
}

static void a_power_cut_at_every_operation(void **state) {
  (void)state;
  make("power.db");
  cut_everywhere();
}

/* The entry that makes a file of version 2 one of version 3 is there with all of that, or none of it is. */
static void a_power_cut_while_upgrading(void **state) {
  (void)state;
  unlink(at("power.db"));
  make_unsaid("power.db");
  make_old("power.db", 2);
  cut_everywhere();
}

static void a_failure_of_every_operation(void **state) {
  (void)state;
  make("failing.db");
  copy("failing.db", "origin2.db");
  uint64_t random = 1;
  long failures = 0;
  for (long step = 1;; step++) {
    copy("origin2.db", "failing.db");
    disk_count = 0;
    tacit_ledger *ledger = open_ledger("failing.db");
    tacit_receipt first, second;
    tacit_error error = {""};
    operations = 0;
    fail_at = step;
    tacit_status status = try_spend(ledger, "a", 0.25, &first, &error);
    bool reached = operations >= step;
    fail_at = 0;
    assert_true(status == TACIT_OK || error.text[0]);
    failures += status != TACIT_OK;
    if (try_spend(ledger, "a", 0.125, &second, &error) != TACIT_OK) fail_msg("%s", error.text);
    tacit_ledger_close(ledger);
    power_back(&random);
    uint64_t now = entries_now("failing.db", &second, 0.125);
    if (status == TACIT_OK) assert_int_equal(entries_now("failing.db", &first, 0.25), now);
    assert_true(now == 23 || (status != TACIT_OK && now == 22));
    if (!reached) break;
  }
  print_message("failing operations: %ld\n", failures);
  assert_true(failures >= 4);
}

/* The disk above would find it: without syncs a spending that was reported is gone after the cut. Where only
   the folder is not synced a journal comes back, which by then undoes nothing that was paid. */
static void weaker_settings_are_caught(void **state) {
  (void)state;
  static const char *const weaker[] = {"PRAGMA synchronous = OFF", "PRAGMA synchronous = FULL"};
  uint64_t random = 88172645463325252u;
  make("weak.db");
  copy("weak.db", "origin3.db");
  for (size_t i = 0; i < 2; i++) {
    int lost = 0, back = 0;
    for (int coin = 0; coin < COINS; coin++) {
      tacit_ledger *ledger, *again;
      copy("origin3.db", "weak.db");
      disk_count = 0;
      ledger = open_ledger("weak.db");
      assert_int_equal(sqlite3_exec(ledger->db, weaker[i], NULL, NULL, NULL), SQLITE_OK);
      spend(ledger, "a", 0.25, NULL);
      tacit_ledger_close(ledger);
      power_back(&random);
      back += access(at("weak.db-journal"), F_OK) == 0;
      bool opens = tacit_ledger_open(at("weak.db"), TACIT_LEDGER_WRITE, 0, &again, NULL) == TACIT_OK;
      lost += !opens || tacit_ledger_sequence(again) != 22;
      if (opens) tacit_ledger_close(again);
      unlink(at("weak.db-journal"));
    }
    assert_true(i == 0 ? lost > COINS / 8 : lost == 0 && back > COINS / 8);
  }
}

static int set_up(void **state) {
  install_power_cut();
  return make_folder(state);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_power_cut_at_every_operation),
      cmocka_unit_test(a_power_cut_while_upgrading),
      cmocka_unit_test(a_failure_of_every_operation),
      cmocka_unit_test(weaker_settings_are_caught),
  };
  return cmocka_run_group_tests(tests, set_up, remove_folder);
}
