/* A journal that comes back from a backup undoes nothing (proofs/ledger.md, Claim 7). A ledger that comes
   back is tried in tests/ledger_place_test.sh, by tools that get the old file's inode. */
#include "ledger/journals_for_test.h"

#include <sys/stat.h>

/* A journal that was saved while it was needed, and comes back from the backup after it was played back. */
static void a_journal_that_comes_back_cannot_undo(void **state) {
  (void)state;
  enum { OPERATIONS = 32 };
  int back = 0;
  for (long operation = 1; operation <= OPERATIONS; operation++) {
    int released = 0;
    forget();
    unlink(at("saved"));
    fresh("a.db");
    killed_at(operation, "a.db", NULL, &released);
    bool saved = copy_file("a.db-journal", "saved");
    tacit_ledger *ledger;
    assert_int_equal(tacit_ledger_open(at("a.db"), TACIT_LEDGER_READ, 0, &ledger, NULL), TACIT_OK);
    tacit_ledger_close(ledger);
    released += spends("a.db", TACIT_LEDGER_WRITE);
    if (saved) back += copy_file("saved", "a.db-journal");
    released += spends_anyhow("a.db");
    at_most_once("a journal from a backup", operation, released);
    unlink(at("a.db-journal")); /* as the message says */
    one_in_the_end("a.db", released);
  }
  assert_true(back > 5); /* the trick was really tried */
}

/* Nobody crashed: a backup was made in the moment of a spending. One journal comes back, twice over, and its
   reader may be killed at any operation; or the later of two comes back, and then the earlier one. */
static void a_journal_of_a_finished_spending_cannot_undo(void **state) {
  (void)state;
  long back = 0;
  bool more = true;
  for (long first = 1; more; first++)
    for (long killed_reader = 0; killed_reader < 12; killed_reader++) {
      forget();
      fresh("a.db");
      tacit_ledger *ledger = open_ledger("a.db");
      more = spend_while_saved(ledger, MUCH, first, "saved");
      tacit_ledger_close(ledger);
      int released = 1, ignored = 0;
      back += put_back("saved");
      if (killed_reader) killed_at(killed_reader, "a.db", NULL, &ignored);
      released += ignored + spends_anyhow("a.db");
      unlink(at("a.db-journal"));
      put_back("saved");
      released += spends_anyhow("a.db");
      at_most_once("a journal of a finished spending", first, released);
      unlink(at("a.db-journal"));
      one_in_the_end("a.db", released);
    }
  assert_true(back > 50);
}

static void two_journals_of_a_finished_spending_cannot_undo(void **state) {
  (void)state;
  enum { LAST = 40 };
  char name[32];
  forget();
  fresh("a.db");
  copy("a.db", "origin");
  long pairs = 0;
  bool there = true;
  for (long later = 2; there && later < LAST; later++)
    for (long earlier = 1; there && earlier < later; earlier++) {
      copy("origin", "a.db"); /* into the same file */
      unlink(at("a.db-journal"));
      tacit_ledger *ledger = open_ledger("a.db");
      /* both are copied in the course of one spending: journals of the same operation are alike */
      there = spend_while_saved(ledger, MUCH, later, "saved");
      tacit_ledger_close(ledger);
      snprintf(name, sizeof name, "saved.%ld", later);
      copy_file("saved", name);
      snprintf(name, sizeof name, "saved.%ld", earlier);
      put_back("saved");
      look_once();
      unlink(at("a.db-journal"));
      pairs += put_back(name);
      at_most_once("two journals", later, 1 + spends_anyhow("a.db"));
      unlink(at("a.db-journal"));
      one_in_the_end("a.db", 1);
    }
  assert_true(pairs > 20);
}

/* fit opens the ledger, reads its table, and spends then. */
static void an_old_journal_that_comes_while_it_is_open(void **state) {
  (void)state;
  tacit_error error = {""};
  const tacit_spending little = {.label = "a", .mu = 0.01, .unit = {.rows_per_unit = 1}};
  long whole = when_whole();
  forget();
  fresh("a.db");
  tacit_ledger *ledger = open_ledger("a.db");
  assert_true(spend_while_saved(ledger, 0.1, whole, "saved"));
  spend(ledger, "a", 0.4, NULL);
  spend(ledger, "a", 0.4, NULL);
  tacit_ledger *other = open_ledger("a.db");
  uint64_t sequence = tacit_ledger_sequence(ledger);
  assert_true(put_back("saved"));
  assert_int_equal(try_spend(ledger, "a", 0.01, NULL, &error), TACIT_REFUSED);
  assert_non_null(strstr(error.text, "from before its last entries"));
  assert_int_equal(tacit_ledger_refresh(other, &error), TACIT_REFUSED);
  assert_int_equal(tacit_ledger_afford(other, &little, &error), TACIT_REFUSED);
  assert_int_equal(tacit_ledger_check(other, &error), TACIT_REFUSED);
  assert_int_equal(unlink(at("a.db-journal")), 0); /* as the message says */
  spend(other, "a", 0.01, NULL);
  assert_int_equal(tacit_ledger_sequence(other), sequence + 1);
  tacit_ledger_close(other);
  tacit_ledger_close(ledger);
}

/* Another ledger was at this place before: its journal may be ahead, or just as old. */
static void a_journal_of_another_ledger(void **state) {
  (void)state;
  long whole = when_whole();
  for (int before = 0; before < 4; before++) {
    forget();
    fresh("a.db");
    tacit_ledger *ledger = open_ledger("a.db");
    for (int i = 0; i < before; i++) spend(ledger, "a", 0.1, NULL);
    assert_true(spend_while_saved(ledger, 0.1, whole, "saved"));
    tacit_ledger_close(ledger);
    assert_int_equal(rename(at("a.db"), at("s.db")), 0);
    fresh("a.db");
    assert_true(put_back("saved"));
    expect_refused("a.db", TACIT_LEDGER_WRITE, TACIT_REFUSED, "of another ledger");
    expect_refused("a.db", TACIT_LEDGER_READ, TACIT_REFUSED, "of another ledger");
    unlink(at("a.db-journal"));
    assert_int_equal(spends("a.db", TACIT_LEDGER_WRITE), 1);
  }
}

/* The ledger itself was written back to an earlier state, into the same file: a journal from after that. */
static void a_journal_from_a_later_time(void **state) {
  (void)state;
  long whole = when_whole();
  forget();
  fresh("a.db");
  copy("a.db", "origin");
  tacit_ledger *ledger = open_ledger("a.db");
  spend(ledger, "a", 0.1, NULL);
  assert_true(spend_while_saved(ledger, 0.1, whole, "saved"));
  tacit_ledger_close(ledger);
  copy("origin", "a.db");
  assert_true(put_back("saved"));
  expect_refused("a.db", TACIT_LEDGER_READ, TACIT_REFUSED, "of another ledger");
  unlink(at("a.db-journal"));
}

/* Nobody writes at the other end of a pipe, and nothing is written through a link. */
static void a_journal_that_is_no_file(void **state) {
  (void)state;
  forget();
  fresh("a.db");
  alarm(30);
  assert_int_equal(mkfifo(at("a.db-journal"), 0600), 0);
  expect_refused("a.db", TACIT_LEDGER_WRITE, TACIT_REFUSED, "no regular file");
  unlink(at("a.db-journal"));
  assert_int_equal(symlink("nowhere", at("a.db-journal")), 0);
  expect_refused("a.db", TACIT_LEDGER_WRITE, TACIT_REFUSED, "no regular file");
  unlink(at("a.db-journal"));
  alarm(0);
  assert_int_equal(spends("a.db", TACIT_LEDGER_WRITE), 1);
}

/* SQLite believes a write-ahead log whatever the file's own mode is. */
static void a_log_that_comes_back(void **state) {
  (void)state;
  forget();
  fresh("a.db");
  sqlite3 *db;
  assert_int_equal(sqlite3_open(at("a.db"), &db), SQLITE_OK);
  assert_int_equal(sqlite3_exec(db,
                                "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; "
                                "CREATE TABLE t (x); DROP TABLE t",
                                NULL, NULL, NULL),
                   SQLITE_OK);
  assert_true(copy_file("a.db-wal", "saved"));
  assert_int_equal(sqlite3_exec(db, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL), SQLITE_OK);
  sqlite3_close(db);
  assert_int_equal(spends("a.db", TACIT_LEDGER_WRITE), 1);
  assert_true(copy_file("saved", "a.db-wal"));
  expect_refused("a.db", TACIT_LEDGER_WRITE, TACIT_REFUSED, "(-wal) that tacit never writes");
  assert_int_equal(unlink(at("a.db-wal")), 0);
  one_in_the_end("a.db", 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_journal_that_comes_back_cannot_undo),
      cmocka_unit_test(a_journal_of_a_finished_spending_cannot_undo),
      cmocka_unit_test(two_journals_of_a_finished_spending_cannot_undo),
      cmocka_unit_test(an_old_journal_that_comes_while_it_is_open),
      cmocka_unit_test(a_journal_of_another_ledger),
      cmocka_unit_test(a_journal_from_a_later_time),
      cmocka_unit_test(a_journal_that_is_no_file),
      cmocka_unit_test(a_log_that_comes_back),
  };
  return cmocka_run_group_tests(tests, set_up, remove_folder);
}
