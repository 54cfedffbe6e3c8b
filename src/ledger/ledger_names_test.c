/* One ledger, one name: a program that is killed at any operation of the disk leaves an undo record beside
   the name it used, and nobody can spend through another name what that record then undoes (proofs/ledger.md,
   Claim 7). What does not change the place of that record does not matter. */
#include "ledger/power_cut_for_test.h"

#include "ledger/ledger_for_test.h"

#include <sys/stat.h>
#include <sys/wait.h>

/* Of a budget of 1: once, not twice; two of them are 1.34-GDP together. */
static const double MUCH = 0.95;

static void fresh(const char *name) {
  tacit_ledger *ledger = open_ledger(name);
  budget(ledger, "a", 1);
  tacit_ledger_close(ledger);
}

/* Whether MUCH can be spent through this name. */
static int spends(const char *name, tacit_ledger_mode mode) {
  tacit_ledger *ledger;
  if (tacit_ledger_open(at(name), mode, 0, &ledger, NULL) != TACIT_OK) return 0;
  int released = try_spend(ledger, "a", MUCH, NULL, NULL) == TACIT_OK;
  tacit_ledger_close(ledger);
  return released;
}

static int spends_anyhow(const char *name) {
  return spends(name, TACIT_LEDGER_WRITE) + spends(name, TACIT_LEDGER_MOVE);
}

/* Somebody gives the ledger a second name while it is written. */
static void make_link(void) {
  if (link(at("a.db"), at("b.db")) != 0) _exit(2);
}

/* A program that spends through this name and is killed at an operation of the disk; false: there was no such
   operation, and it has spent or was refused (*released). */
static bool killed_at(long operation, const char *name, void (*other)(void), int *released) {
  pid_t child = fork();
  if (child == 0) {
    tacit_ledger *ledger;
    if (tacit_ledger_open(at(name), TACIT_LEDGER_WRITE, 0, &ledger, NULL) != TACIT_OK) _exit(1);
    killed = true;
    meanwhile = other;
    operations = 0;
    cut_at = operation;
    _exit(try_spend(ledger, "a", MUCH, NULL, NULL) == TACIT_OK ? 0 : 1);
  }
  int code = 0;
  assert_int_equal(waitpid(child, &code, 0), child);
  assert_true(WIFEXITED(code) && WEXITSTATUS(code) != 2);
  *released += WEXITSTATUS(code) == 0;
  return WEXITSTATUS(code) == KILLED;
}

static void forget(void) {
  static const char *const names[] = {"a.db", "a.db-journal", "b.db", "b.db-journal", "s.db", "s.db-journal"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) unlink(at(names[i]));
}

static void at_most_once(const char *trick, long operation, int released) {
  if (released > 1)
    fail_msg("%s, killed at operation %ld: spent %d times %g of 1", trick, operation, released, MUCH);
}

/* After all tricks the ledger is one again, under its first name: it has spent at most once, and not less
   often than was released. */
static void one_in_the_end(const char *name, int released) {
  tacit_ledger *ledger = open_ledger(name);
  tacit_ledger_total total;
  assert_true(tacit_ledger_total_of(ledger, "a", &total));
  assert_true(total.releases <= 1 && (int)total.releases >= released);
  tacit_ledger_close(ledger);
}

static void a_hard_link_cannot_overspend(void **state) {
  (void)state;
  enum { OPERATIONS = 20 };
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
      assert_int_equal(released, 1); /* nobody is locked out */
      one_in_the_end("a.db", released);
    }
  print_message("killed at %d operations while there was a second name\n", last);
  assert_true(last > 10);
}

/* The second name becomes the only one, and is then given the first one's name. */
static void names_that_follow_each_other_cannot_overspend(void **state) {
  (void)state;
  enum { OPERATIONS = 20 };
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
      assert_int_equal(released, 1);
      one_in_the_end("a.db", released);
    }
  print_message("killed at %d operations before the ledger was renamed\n", last);
  assert_true(last > 20);
}

/* The same where the old place cannot be seen: its folder has another name than the ledger remembers. */
static void a_hidden_journal_cannot_undo(void **state) {
  (void)state;
  enum { OPERATIONS = 20 };
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

static bool copy_file(const char *from, const char *to) {
  char path[600], bytes[1 << 16];
  snprintf(path, sizeof path, "%s", at(from));
  FILE *in = fopen(path, "rb"), *out = in ? fopen(at(to), "wb") : NULL;
  if (in && out) {
    size_t length = fread(bytes, 1, sizeof bytes, in);
    assert_true(length < sizeof bytes && fwrite(bytes, 1, length, out) == length);
  }
  bool done = in && out;
  if (out) fclose(out);
  if (in) fclose(in);
  return done;
}

/* A journal that was saved while it was needed, and comes back from the backup after it was played back. */
static void a_journal_that_comes_back_cannot_undo(void **state) {
  (void)state;
  enum { OPERATIONS = 20 };
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
    assert_int_equal(released, 1);
    if (saved) back += copy_file("saved", "a.db-journal");
    released += spends_anyhow("a.db");
    at_most_once("a journal from a backup", operation, released);
    unlink(at("a.db-journal")); /* as the message says */
    one_in_the_end("a.db", released);
  }
  assert_true(back > 5); /* the trick was really tried */
}

/* File systems give a number again that was just given back: the file is another one all the same. */
static void a_backup_with_the_same_inode_is_another_file(void **state) {
  (void)state;
  int same = 0;
  for (int i = 0; i < 20; i++) {
    struct stat before, after;
    forget();
    fresh("a.db");
    assert_true(copy_file("a.db", "saved"));
    assert_int_equal(stat(at("a.db"), &before), 0);
    assert_int_equal(spends("a.db", TACIT_LEDGER_WRITE), 1);
    assert_int_equal(unlink(at("a.db")), 0);
    assert_true(copy_file("saved", "a.db"));
    assert_int_equal(stat(at("a.db"), &after), 0);
    same += before.st_ino == after.st_ino;
    assert_int_equal(spends("a.db", TACIT_LEDGER_WRITE), 0);
  }
  print_message("of 20 backups %d got the inode of the file before\n", same);
}

static void symbolic_links_are_one_name(void **state) {
  (void)state;
  enum { OPERATIONS = 20 };
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
    assert_int_equal(released, 1);
    one_in_the_end("s.db", 1);
  }
  assert_true(last > 10);
}

static const char *home_of(tacit_ledger *ledger) {
  static char path[256];
  sqlite3_stmt *row;
  assert_int_equal(sqlite3_prepare_v2(ledger->db, "SELECT path FROM home", -1, &row, NULL), SQLITE_OK);
  assert_int_equal(sqlite3_step(row), SQLITE_ROW);
  snprintf(path, sizeof path, "%s", (const char *)sqlite3_column_text(row, 0));
  assert_int_equal(sqlite3_step(row), SQLITE_DONE);
  sqlite3_finalize(row);
  return path;
}

/* A folder takes its journals along, under any name. */
static void a_folder_may_move(void **state) {
  (void)state;
  assert_int_equal(mkdir(at("f"), 0700), 0);
  fresh("f/a.db");
  assert_int_equal(rename(at("f"), at("g")), 0);
  assert_int_equal(symlink("g", at("h")), 0);
  tacit_ledger *ledger = open_ledger("h/a.db");
  char *expected = realpath(at("g/a.db"), NULL);
  assert_string_not_equal(home_of(ledger), expected);
  spend(ledger, "a", 0.5, NULL);
  assert_string_equal(home_of(ledger), expected);
  free(expected);
  tacit_ledger_close(ledger);
}

static void a_copy_is_read_and_not_spent_from(void **state) {
  (void)state;
  tacit_ledger *ledger;
  forget();
  unlink(at("copy.db"));
  fresh("a.db");
  copy("a.db", "copy.db");
  assert_int_equal(chmod(at("copy.db"), 0444), 0);
  assert_int_equal(tacit_ledger_open(at("copy.db"), TACIT_LEDGER_READ, 0, &ledger, NULL), TACIT_OK);
  assert_int_equal(tacit_ledger_check(ledger, NULL), TACIT_OK);
  assert_int_equal(tacit_ledger_refresh(ledger, NULL), TACIT_OK);
  tacit_ledger_close(ledger);
  assert_int_equal(chmod(at("copy.db"), 0600), 0);
  expect_refused("copy.db", TACIT_LEDGER_WRITE, TACIT_REFUSED, "tacit ledger move");
  expect_refused("copy.db", TACIT_LEDGER_CREATE, TACIT_REFUSED, "not where it was written last");
  expect_refused("copy.db", TACIT_LEDGER_MOVE, TACIT_REFUSED, "still at");
  /* a journal beside it may be anybody's */
  write_bytes("copy.db-journal", (const unsigned char *)"x", 1);
  expect_refused("copy.db", TACIT_LEDGER_READ, TACIT_REFUSED, "journal");
  expect_refused("copy.db", TACIT_LEDGER_MOVE, TACIT_REFUSED, "journal");
  unlink(at("copy.db-journal"));
  assert_int_equal(rename(at("a.db"), at("b.db")), 0); /* the first is not seen any more */
  assert_int_equal(spends("copy.db", TACIT_LEDGER_MOVE), 1);
  assert_int_equal(spends("copy.db", TACIT_LEDGER_WRITE), 0); /* its budget is spent */
  one_in_the_end("copy.db", 1);
  expect_refused("b.db", TACIT_LEDGER_WRITE, TACIT_REFUSED, "tacit ledger move");
}

static void a_restored_ledger_must_be_said_to_be_it(void **state) {
  (void)state;
  forget();
  fresh("a.db");
  copy("a.db", "saved.db");
  assert_int_equal(spends("a.db", TACIT_LEDGER_WRITE), 1);
  assert_int_equal(rename(at("saved.db"), at("a.db")), 0); /* as restoring programs do it */
  expect_refused("a.db", TACIT_LEDGER_WRITE, TACIT_REFUSED, "restored");
  assert_int_equal(spends("a.db", TACIT_LEDGER_MOVE), 1); /* the owner's word; the policies know better */
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

/* A move that is killed is made again, if need be without the journal that it left. */
static void a_killed_move_is_made_again(void **state) {
  (void)state;
  long operation = 1;
  for (bool reached = true; reached; operation++) {
    int code = 0;
    forget();
    fresh("a.db");
    assert_int_equal(spends("a.db", TACIT_LEDGER_WRITE), 1);
    assert_int_equal(rename(at("a.db"), at("b.db")), 0);
    pid_t child = fork();
    if (child == 0) {
      tacit_ledger *ledger;
      killed = true;
      operations = 0;
      cut_at = operation;
      _exit(tacit_ledger_open(at("b.db"), TACIT_LEDGER_MOVE, 0, &ledger, NULL) == TACIT_OK ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &code, 0), child);
    assert_true(WIFEXITED(code) && WEXITSTATUS(code) != 1);
    reached = WEXITSTATUS(code) == KILLED;
    tacit_ledger *ledger = NULL;
    if (tacit_ledger_open(at("b.db"), TACIT_LEDGER_MOVE, 0, &ledger, NULL) != TACIT_OK) {
      assert_int_equal(unlink(at("b.db-journal")), 0);
      assert_int_equal(tacit_ledger_open(at("b.db"), TACIT_LEDGER_MOVE, 0, &ledger, NULL), TACIT_OK);
    }
    tacit_ledger_close(ledger);
    one_in_the_end("b.db", 1);
  }
  assert_true(operation > 8);
}

static int set_up(void **state) {
  kept_by_system = true;
  install_power_cut();
  return make_folder(state);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_hard_link_cannot_overspend),
      cmocka_unit_test(names_that_follow_each_other_cannot_overspend),
      cmocka_unit_test(a_hidden_journal_cannot_undo),
      cmocka_unit_test(a_journal_that_comes_back_cannot_undo),
      cmocka_unit_test(a_backup_with_the_same_inode_is_another_file),
      cmocka_unit_test(symbolic_links_are_one_name),
      cmocka_unit_test(a_folder_may_move),
      cmocka_unit_test(a_copy_is_read_and_not_spent_from),
      cmocka_unit_test(a_restored_ledger_must_be_said_to_be_it),
      cmocka_unit_test(names_that_come_and_go_while_it_is_open),
      cmocka_unit_test(hard_links_are_refused_by_name),
      cmocka_unit_test(a_killed_move_is_made_again),
  };
  return cmocka_run_group_tests(tests, set_up, remove_folder);
}
