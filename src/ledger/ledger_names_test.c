/* One ledger, one name: a program that is killed at any operation of the disk leaves an undo record beside
   the name it used, and nobody can spend through another name what that record then undoes (proofs/ledger.md,
   Claim 7). What does not change the place of that record does not matter. */
#include "ledger/killed_for_test.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* Somebody gives the ledger a second name while it is written. */
static void make_link(void) {
  if (link(at("a.db"), at("b.db")) != 0) _exit(2);
}

static void a_hard_link_cannot_overspend(void **state) {
  (void)state;
  enum { OPERATIONS = 32 };
  int last = 0;
  for (int late = 0; late < 2; late++) /* there before the program that is killed, or made while it runs */
    for (long operation = 1; operation <= OPERATIONS; operation++) {
      int released = 0;
      forget();
      fresh("a.db");
      if (!late) assert_int_equal(link(at("a.db"), at("b.db")), 0);
      last += killed_at(operation, "a.db", late ? make_link : NULL, &released);
      released += spends_anyhow("b.db");
      released += spends_anyhow("a.db");
      at_most_once("a hard link", operation, released);
      unlink(at("b.db"));
      released += spends("a.db", TACIT_LEDGER_WRITE);
      at_most_once("a hard link, then none", operation, released);
      one_in_the_end("a.db", released);
    }
  print_message("killed at %d operations while there was a second name\n", last);
  assert_true(last > 10);
}

/* The second name becomes the only one, and is then given the first one's name. */
static void names_that_follow_each_other_cannot_overspend(void **state) {
  (void)state;
  enum { OPERATIONS = 32 };
  int last = 0;
  for (int linked = 0; linked < 2; linked++)
    for (long operation = 1; operation <= OPERATIONS; operation++) {
      int released = 0;
      forget();
      fresh("a.db");
      last += killed_at(operation, "a.db", NULL, &released);
      if (linked)
        assert_true(link(at("a.db"), at("b.db")) == 0 && unlink(at("a.db")) == 0);
      else
        assert_int_equal(rename(at("a.db"), at("b.db")), 0);
      released += spends_anyhow("b.db");
      assert_int_equal(rename(at("b.db"), at("a.db")), 0);
      released += spends_anyhow("a.db");
      at_most_once("renamed", operation, released);
      one_in_the_end("a.db", released);
    }
  print_message("killed at %d operations before the ledger was renamed\n", last);
  assert_true(last > 20);
}

/* The same where the old place cannot be seen: its folder has another name than the ledger remembers. */
static void a_hidden_journal_cannot_undo(void **state) {
  (void)state;
  enum { OPERATIONS = 32 };
  int moved = 0;
  for (long operation = 1; operation <= OPERATIONS; operation++) {
    int released = 0;
    assert_int_equal(mkdir(at("d"), 0700), 0);
    fresh("d/a.db");
    assert_int_equal(rename(at("d"), at("e")), 0);
    killed_at(operation, "e/a.db", NULL, &released);
    assert_int_equal(rename(at("e/a.db"), at("e/b.db")), 0);
    int here = spends("e/b.db", TACIT_LEDGER_MOVE);
    moved += here;
    released += here;
    assert_int_equal(rename(at("e/b.db"), at("e/a.db")), 0);
    released += spends_anyhow("e/a.db");
    at_most_once("a hidden journal", operation, released);
    unlink(at("e/a.db-journal")); /* as the message says */
    released += spends_anyhow("e/a.db");
    at_most_once("a hidden journal, then none", operation, released);
    unlink(at("e/a.db"));
    unlink(at("e/b.db-journal"));
    rmdir(at("e"));
  }
  assert_true(moved > 3); /* the trick was really tried */
}

static void symbolic_links_are_one_name(void **state) {
  (void)state;
  enum { OPERATIONS = 32 };
  int last = 0;
  for (long operation = 1; operation <= OPERATIONS; operation++) {
    int released = 0;
    forget();
    fresh("a.db");
    assert_int_equal(symlink("a.db", at("s.db")), 0);
    last += killed_at(operation, operation % 2 ? "s.db" : "a.db", NULL, &released);
    assert_int_not_equal(access(at("s.db-journal"), F_OK), 0);
    released += spends(operation % 2 ? "a.db" : "s.db", TACIT_LEDGER_WRITE);
    released += spends(operation % 2 ? "s.db" : "a.db", TACIT_LEDGER_WRITE);
    one_in_the_end("s.db", released);
  }
  assert_true(last > 10);
}

static void names_that_come_and_go_while_it_is_open(void **state) {
  (void)state;
  tacit_error error = {""};
  tacit_receipt receipt;
  forget();
  fresh("a.db");
  tacit_ledger *ledger = open_ledger("a.db");
  assert_int_equal(link(at("a.db"), at("b.db")), 0);
  assert_int_equal(try_spend(ledger, "a", 0.1, &receipt, &error), TACIT_REFUSED);
  assert_non_null(strstr(error.text, "2 names"));
  assert_int_equal(tacit_ledger_refresh(ledger, NULL), TACIT_REFUSED);
  unlink(at("b.db"));
  spend(ledger, "a", 0.1, NULL);
  assert_int_equal(rename(at("a.db"), at("b.db")), 0);
  assert_int_equal(try_spend(ledger, "a", 0.1, &receipt, &error), TACIT_BAD_INPUT);
  assert_non_null(strstr(error.text, "gone"));
  copy("b.db", "a.db"); /* another file under its name */
  assert_int_equal(try_spend(ledger, "a", 0.1, &receipt, &error), TACIT_REFUSED);
  assert_non_null(strstr(error.text, "not where"));
  unlink(at("a.db"));
  assert_int_equal(spends("b.db", TACIT_LEDGER_MOVE), 1);
  assert_int_equal(rename(at("b.db"), at("a.db")), 0); /* back, but not at home here any more */
  assert_int_equal(try_spend(ledger, "a", 0.1, &receipt, &error), TACIT_REFUSED);
  assert_non_null(strstr(error.text, "not where"));
  tacit_ledger_close(ledger);
}

static void hard_links_are_refused_by_name(void **state) {
  (void)state;
  forget();
  fresh("a.db");
  assert_int_equal(link(at("a.db"), at("b.db")), 0);
  for (tacit_ledger_mode mode = TACIT_LEDGER_READ; mode <= TACIT_LEDGER_MOVE; mode++) {
    expect_refused("a.db", mode, TACIT_REFUSED, "has 2 names (hard links)");
    expect_refused("b.db", mode, TACIT_REFUSED, "has 2 names (hard links)");
  }
  unlink(at("a.db"));
  expect_refused("b.db", TACIT_LEDGER_WRITE, TACIT_REFUSED, "tacit ledger move");
  assert_int_equal(spends("b.db", TACIT_LEDGER_MOVE), 1);
  /* somebody forgot where it was at home */
  raw("b.db", "PRAGMA user_version = 0");
  expect_refused("b.db", TACIT_LEDGER_WRITE, TACIT_REFUSED, "tacit ledger move");
  tacit_ledger *ledger;
  assert_int_equal(tacit_ledger_open(at("b.db"), TACIT_LEDGER_MOVE, 0, &ledger, NULL), TACIT_OK);
  tacit_ledger_close(ledger);
  one_in_the_end("b.db", 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_hard_link_cannot_overspend),
      cmocka_unit_test(names_that_follow_each_other_cannot_overspend),
      cmocka_unit_test(a_hidden_journal_cannot_undo),
      cmocka_unit_test(symbolic_links_are_one_name),
      cmocka_unit_test(names_that_come_and_go_while_it_is_open),
      cmocka_unit_test(hard_links_are_refused_by_name),
  };
  return cmocka_run_group_tests(tests, set_up, remove_folder);
}
