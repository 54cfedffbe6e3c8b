/* A program that makes a ledger and is killed at any operation, of SQLite's or of its own: afterwards there
   is no ledger, or a whole one that can be used at once, under one name. */
#include "ledger/killed_for_test.h"

#include <dirent.h>
#include <sys/stat.h>

/* The linker puts these between the library and the system (cmake/rooms.cmake). */
int __real_link(const char *from, const char *to);
int __real_unlink(const char *name);
int __real_fsync(int file);
int __wrap_link(const char *from, const char *to);
int __wrap_unlink(const char *name);
int __wrap_fsync(int file);

static bool between; /* count these operations too */
static int swept;    /* how often another program takes the temporary file away, as one that nobody holds */
int __wrap_link(const char *from, const char *to) {
  if (swept > 0 && swept--) __real_unlink(from);
  return between && !goes_through() ? -1 : __real_link(from, to);
}
int __wrap_unlink(const char *name) {
  return between && !goes_through() ? -1 : __real_unlink(name);
}
int __wrap_fsync(int file) {
  return between && !goes_through() ? -1 : __real_fsync(file);
}

static size_t files(void) {
  size_t count = 0;
  DIR *list = opendir(folder);
  assert_non_null(list);
  for (const struct dirent *entry; (entry = readdir(list));) count += entry->d_name[0] != '.';
  closedir(list);
  return count;
}

static unsigned long names_of(const char *name) {
  struct stat facts;
  assert_int_equal(stat(at(name), &facts), 0);
  return facts.st_nlink;
}

static void killed_while_it_is_made(void **state) {
  (void)state;
  long operation = 1, absent = 0, two = 0, there = 0;
  for (bool reached = true; reached; operation++) {
    int code = 0;
    pid_t child = fork();
    if (child == 0) {
      tacit_ledger *ledger;
      killed = between = true;
      operations = 0;
      cut_at = operation;
      _exit(tacit_ledger_open(at("new.db"), TACIT_LEDGER_CREATE, 0, &ledger, NULL) == TACIT_OK ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &code, 0), child);
    assert_true(WIFEXITED(code) && WEXITSTATUS(code) != 1);
    reached = WEXITSTATUS(code) == KILLED;
    bool made = access(at("new.db"), F_OK) == 0;
    absent += !made;
    there += made;
    two += made && names_of("new.db") == 2;
    tacit_ledger *ledger = NULL;
    tacit_error error = {""};
    /* a ledger that is there must open, for reading too; one that is not is made anew */
    if (made && operation % 2) {
      if (tacit_ledger_open(at("new.db"), TACIT_LEDGER_READ, 0, &ledger, &error) != TACIT_OK)
        fail_msg("killed at operation %ld: %s", operation, error.text);
      tacit_ledger_close(ledger);
    }
    if (tacit_ledger_open(at("new.db"), made ? TACIT_LEDGER_WRITE : TACIT_LEDGER_CREATE, 0, &ledger,
                          &error) != TACIT_OK)
      fail_msg("killed at operation %ld: %s", operation, error.text);
    spend(ledger, "a", 0.5, NULL);
    assert_int_equal(tacit_ledger_check(ledger, NULL), TACIT_OK);
    tacit_ledger_close(ledger);
    assert_true(names_of("new.db") == 1 && files() == 1); /* and nothing is left beside it */
    unlink(at("new.db"));
  }
  print_message("killed at %ld operations: no ledger after %ld, a whole one after %ld, %ld with two names\n",
                operation - 2, absent, there, two);
  assert_true(absent > 3 && two > 0 && there > two);
}

/* Other names than those that this program makes are somebody's, and are left alone. */
static void only_own_leftovers_are_removed(void **state) {
  (void)state;
  tacit_ledger *ledger = open_ledger("own.db");
  tacit_ledger_close(ledger);
  assert_int_equal(link(at("own.db"), at("own.db.77-0.tacit-tmp")), 0);
  spend(ledger = open_ledger("own.db"), "a", 0.5, NULL);
  tacit_ledger_close(ledger);
  assert_int_not_equal(access(at("own.db.77-0.tacit-tmp"), F_OK), 0);
  static const char *const others[] = {"own.db.bak", "own.db.77-0.tmp", "other.db.77-0.tacit-tmp"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    assert_int_equal(link(at("own.db"), at(others[i])), 0);
    expect_refused("own.db", TACIT_LEDGER_WRITE, TACIT_REFUSED, "has 2 names");
    assert_int_equal(unlink(at(others[i])), 0);
  }
  write_bytes("own.db.78-0.tacit-tmp", (const unsigned char *)"x", 1); /* another file of that form */
  assert_int_equal(link(at("own.db"), at("own.db.79-0.tacit-tmp")), 0);
  spend(ledger = open_ledger("own.db"), "a", 0.5, NULL);
  tacit_ledger_close(ledger);
  assert_int_equal(access(at("own.db.78-0.tacit-tmp"), F_OK), 0);
}

/* Programs that make a ledger at once, and take each other's files for leftovers. */
static void made_again_when_it_was_swept(void **state) {
  (void)state;
  tacit_ledger *ledger = NULL;
  swept = 5;
  spend(ledger = open_ledger("swept.db"), "a", 0.5, NULL);
  assert_int_equal(swept, 0);
  tacit_ledger_close(ledger);
  swept = 1 << 20;
  expect_refused("never.db", TACIT_LEDGER_CREATE, TACIT_REFUSED, "try again");
  swept = 0;
  assert_int_not_equal(access(at("never.db"), F_OK), 0);
}

/* SQLite removes what is named like a journal, and tacit what is named like a temporary file. */
static void names_that_are_taken_away(void **state) {
  (void)state;
  static const char *const names[] = {"l.db-journal", "l.db-wal", "l.db-shm", "l.db.77-0.tacit-tmp"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    expect_refused(names[i], TACIT_LEDGER_CREATE, TACIT_BAD_INPUT, "cannot be named");
    assert_int_not_equal(access(at(names[i]), F_OK), 0);
    tacit_ledger_close(open_ledger("m.db"));
    assert_int_equal(rename(at("m.db"), at(names[i])), 0);
    expect_refused(names[i], TACIT_LEDGER_MOVE, TACIT_BAD_INPUT, "cannot be named");
    unlink(at(names[i]));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(killed_while_it_is_made),
      cmocka_unit_test(only_own_leftovers_are_removed),
      cmocka_unit_test(made_again_when_it_was_swept),
      cmocka_unit_test(names_that_are_taken_away),
  };
  return cmocka_run_group_tests(tests, set_up, remove_folder);
}
