/* A ledger that is moved: its folder, a copy that was put in its place, an original that was put aside, and
   two moves at once (proofs/ledger.md, Claim 7). */
#include "ledger/killed_for_test.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>

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
  /* the first one under another name could come back under its own */
  assert_int_equal(rename(at("a.db"), at("b.db")), 0);
  expect_refused("copy.db", TACIT_LEDGER_MOVE, TACIT_REFUSED, "b.db is the ledger as it was put aside");
  assert_int_equal(mkdir(at("elsewhere"), 0700), 0);
  assert_int_equal(rename(at("b.db"), at("elsewhere/b.db")), 0); /* it is not seen any more */
  assert_int_equal(spends("copy.db", TACIT_LEDGER_MOVE), 1);
  assert_int_equal(spends("copy.db", TACIT_LEDGER_WRITE), 0); /* its budget is spent */
  one_in_the_end("copy.db", 1);
  expect_refused("elsewhere/b.db", TACIT_LEDGER_WRITE, TACIT_REFUSED, "tacit ledger move");
}

/* Put aside by a rename, restored from a copy in its place, and put back by a rename. */
static void what_was_put_aside_is_not_forgotten(void **state) {
  (void)state;
  int released = 0;
  forget();
  fresh("a.db");
  copy("a.db", "saved.db"); /* a copy under another name is no danger */
  assert_int_equal(rename(at("a.db"), at("b.db")), 0);
  copy("saved.db", "a.db");
  released += spends_anyhow("a.db");
  assert_int_equal(rename(at("b.db"), at("a.db")), 0);
  released += spends("a.db", TACIT_LEDGER_WRITE);
  assert_int_equal(released, 1);
  one_in_the_end("a.db", released);
  unlink(at("saved.db"));
}

/* The same in a folder that was renamed since the ledger was written: where it was at home is a place that is
   not there any more, or another folder by now. */
static void put_aside_in_a_renamed_folder(void **state) {
  (void)state;
  static const char *const copies[] = {"q/a.db", "q/c.db"};
  for (int again = 0; again < 2; again++)
    for (size_t i = 0; i < 2; i++) {
      int released = 0;
      assert_int_equal(mkdir(at("p"), 0700), 0);
      fresh("p/a.db");
      assert_int_equal(rename(at("p"), at("q")), 0);
      if (again) assert_int_equal(mkdir(at("p"), 0700), 0);
      assert_int_equal(rename(at("q/a.db"), at("q/b.db")), 0);
      copy("q/b.db", copies[i]);
      expect_refused(copies[i], TACIT_LEDGER_MOVE, TACIT_REFUSED, "q/b.db is the ledger as it was put aside");
      released += spends_anyhow(copies[i]);
      unlink(at(copies[i]));
      assert_int_equal(rename(at("q/b.db"), at("q/a.db")), 0);
      released += spends("q/a.db", TACIT_LEDGER_WRITE);
      assert_int_equal(released, 1);
      one_in_the_end("q/a.db", released);
      unlink(at("q/a.db"));
      rmdir(at("q"));
      rmdir(at("p"));
    }
}

/* The texts of a move, first of a copy beside an original that may not be read, then from a folder that may
   not. As root everything may: so somebody else does it. */
static int move_unread(void) {
  enum { NOBODY = 65534 };
  if (getuid() == 0 && (setgid(NOBODY) != 0 || setuid(NOBODY) != 0)) return 77;
  tacit_ledger *ledger;
  tacit_error error = {""};
  fresh("u/x/a.db");
  copy("u/x/a.db", "u/x/c.db");
  copy("u/x/a.db", "u/c.db");
  if (rename(at("u/x/a.db"), at("u/x/b.db")) || chmod(at("u/x/b.db"), 0)) return 2;
  if (tacit_ledger_open(at("u/x/c.db"), TACIT_LEDGER_MOVE, 0, &ledger, &error) != TACIT_REFUSED) return 3;
  if (!strstr(error.text, "b.db cannot be read")) return 4;
  write_bytes("u/x/note", (const unsigned char *)"x", 1); /* which is no ledger, whoever may read it */
  if (chmod(at("u/x/note"), 0) || chmod(at("u/x/b.db"), 0600) || chmod(at("u/x"), 0100)) return 5;
  if (tacit_ledger_open(at("u/c.db"), TACIT_LEDGER_MOVE, 0, &ledger, &error) != TACIT_REFUSED) return 6;
  if (!strstr(error.text, "u/x/ cannot be read")) return 7;
  if (chmod(at("u/x"), 0700) || unlink(at("u/x/b.db"))) return 8;
  return tacit_ledger_open(at("u/c.db"), TACIT_LEDGER_MOVE, 0, &ledger, &error) == TACIT_OK ? 0 : 9;
}

static void what_cannot_be_read_may_be_the_ledger(void **state) {
  (void)state;
  int code = 0;
  assert_int_equal(chmod(folder, 0711), 0);
  assert_int_equal(mkdir(at("u"), 0777), 0);
  assert_int_equal(mkdir(at("u/x"), 0777), 0);
  if (getuid() == 0) assert_true(chown(at("u"), 65534, 65534) == 0 && chown(at("u/x"), 65534, 65534) == 0);
  pid_t child = fork();
  if (child == 0) _exit(move_unread());
  assert_int_equal(waitpid(child, &code, 0), child);
  assert_true(WIFEXITED(code));
  if (WEXITSTATUS(code) == 77) skip();
  assert_int_equal(WEXITSTATUS(code), 0);
}

/* A link at the old place that leads to the new one is no second ledger. */
static void a_link_left_at_the_old_place(void **state) {
  (void)state;
  forget();
  fresh("a.db");
  assert_int_equal(rename(at("a.db"), at("b.db")), 0);
  assert_int_equal(symlink("b.db", at("a.db")), 0);
  assert_int_equal(spends("a.db", TACIT_LEDGER_MOVE), 1);
  one_in_the_end("b.db", 1);
}

/* The ledger went on under another name, and is at home there: its backup cannot go on under the first one.
 */
static void one_that_went_on_under_another_name(void **state) {
  (void)state;
  forget();
  fresh("a.db");
  copy("a.db", "saved.db");
  fresh("s.db"); /* another ledger, which is at home here too and does not matter */
  assert_int_equal(rename(at("a.db"), at("b.db")), 0);
  assert_int_equal(spends("b.db", TACIT_LEDGER_MOVE), 1);
  assert_int_equal(rename(at("saved.db"), at("a.db")), 0);
  expect_refused("a.db", TACIT_LEDGER_MOVE, TACIT_REFUSED, "is this ledger too");
  assert_int_equal(spends_anyhow("a.db"), 0);
  one_in_the_end("b.db", 1);
  assert_int_equal(unlink(at("b.db")), 0); /* taken away, as the message says */
  assert_int_equal(spends("a.db", TACIT_LEDGER_MOVE), 1);
}

/* What is appended to it does not hide the original. */
static void a_byte_more_hides_nothing(void **state) {
  (void)state;
  forget();
  fresh("a.db");
  assert_int_equal(rename(at("a.db"), at("b.db")), 0);
  copy("b.db", "a.db");
  FILE *file = fopen(at("b.db"), "ab");
  assert_true(file && fputc('x', file) == 'x' && fclose(file) == 0);
  expect_refused("a.db", TACIT_LEDGER_MOVE, TACIT_REFUSED, "put aside");
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

/* Two copies of a ledger that is gone, in one folder, by two programs at the same time. */
static void two_moves_at_once(void **state) {
  (void)state;
  enum { ROUNDS = 20, MOVERS = 2 };
  static const char *const COPIES[MOVERS] = {"one.db", "two.db"};
  for (int round = 0; round < ROUNDS; round++) {
    int moved = 0, gate[2];
    pid_t movers[MOVERS];
    forget();
    fresh("a.db");
    for (int i = 0; i < MOVERS; i++) copy("a.db", COPIES[i]);
    unlink(at("a.db"));
    assert_int_equal(pipe(gate), 0);
    for (int i = 0; i < MOVERS; i++)
      if ((movers[i] = fork()) == 0) {
        tacit_ledger *ledger;
        char none;
        close(gate[1]);
        if (read(gate[0], &none, 1) != 0) _exit(2); /* until the gate is closed */
        _exit(tacit_ledger_open(at(COPIES[i]), TACIT_LEDGER_MOVE, 5000, &ledger, NULL) == TACIT_OK);
      }
    close(gate[0]);
    close(gate[1]);
    for (int i = 0; i < MOVERS; i++) {
      int code;
      waitpid(movers[i], &code, 0);
      assert_true(WIFEXITED(code) && WEXITSTATUS(code) < 2);
      moved += WEXITSTATUS(code);
    }
    if (moved != 1) fail_msg("round %d: %d of two copies were moved", round, moved);
    for (int i = 0; i < MOVERS; i++) unlink(at(COPIES[i]));
  }
}

/* The disk fails while a folder is listed: the original may be behind what was seen of it. */
static int entries_left = -1; /* -1: the disk is fine */
struct dirent *__real_readdir(DIR *list);
struct dirent *__wrap_readdir(DIR *list);
struct dirent *__wrap_readdir(DIR *list) {
  if (entries_left > 0) entries_left--;
  if (entries_left != 0) return __real_readdir(list);
  errno = EIO;
  return NULL;
}

static void a_list_that_ends_too_soon(void **state) {
  (void)state;
  tacit_ledger *ledger;
  tacit_error error;
  forget();
  fresh("a.db");
  mkdir(at("copies"), 0700);
  copy("a.db", "copies/a.db");
  unlink(at("a.db")); /* nothing is aside: a whole list would let it move */
  for (int after = 1; after <= 3; after++) {
    entries_left = after;
    tacit_status status = tacit_ledger_open(at("copies/a.db"), TACIT_LEDGER_MOVE, 20, &ledger, &error);
    entries_left = -1;
    assert_int_equal(status, TACIT_REFUSED);
    assert_non_null(strstr(error.text, "cannot be read"));
  }
  assert_int_equal(tacit_ledger_open(at("copies/a.db"), TACIT_LEDGER_MOVE, 20, &ledger, &error), TACIT_OK);
  tacit_ledger_close(ledger);
  unlink(at("copies/a.db"));
  rmdir(at("copies"));
}

/* The folder where the ledger was is locked too. */
static void a_move_waits_for_another(void **state) {
  (void)state;
  tacit_ledger *ledger;
  tacit_error error;
  forget();
  fresh("a.db");
  mkdir(at("moved"), 0700);
  assert_int_equal(rename(at("a.db"), at("moved/a.db")), 0);
  for (int old = 0; old < 2; old++) {
    int held = open(at(old ? "" : "moved"), O_RDONLY | O_DIRECTORY);
    assert_true(held >= 0 && flock(held, LOCK_EX) == 0);
    assert_int_equal(tacit_ledger_open(at("moved/a.db"), TACIT_LEDGER_MOVE, 20, &ledger, &error),
                     TACIT_REFUSED);
    assert_non_null(strstr(error.text, "in use"));
    close(held);
  }
  assert_int_equal(tacit_ledger_open(at("moved/a.db"), TACIT_LEDGER_MOVE, 20, &ledger, &error), TACIT_OK);
  int free_again = open(at("moved"), O_RDONLY | O_DIRECTORY);
  assert_int_equal(flock(free_again, LOCK_EX | LOCK_NB), 0); /* also while the ledger is open */
  close(free_again);
  tacit_ledger_close(ledger);
  unlink(at("moved/a.db"));
  rmdir(at("moved"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_folder_may_move),
      cmocka_unit_test(a_copy_is_read_and_not_spent_from),
      cmocka_unit_test(what_was_put_aside_is_not_forgotten),
      cmocka_unit_test(put_aside_in_a_renamed_folder),
      cmocka_unit_test(what_cannot_be_read_may_be_the_ledger),
      cmocka_unit_test(a_link_left_at_the_old_place),
      cmocka_unit_test(one_that_went_on_under_another_name),
      cmocka_unit_test(a_byte_more_hides_nothing),
      cmocka_unit_test(a_restored_ledger_must_be_said_to_be_it),
      cmocka_unit_test(a_killed_move_is_made_again),
      cmocka_unit_test(two_moves_at_once),
      cmocka_unit_test(a_list_that_ends_too_soon),
      cmocka_unit_test(a_move_waits_for_another),
  };
  return cmocka_run_group_tests(tests, set_up, remove_folder);
}
