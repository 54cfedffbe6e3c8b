/* Temporary files: what a killed program left is removed by the next, what a living one holds is not. */
#include "base/temporary.h"

#include "base/locked_for_test.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[64] = "/tmp/tacit-temporary-test.XXXXXX";

static const char *at(const char *name) {
  static char path[160];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static void touch(const char *name) {
  FILE *file = fopen(at(name), "wb");
  assert_non_null(file);
  fclose(file);
}

static void the_dead_are_removed_and_the_living_kept(void **state) {
  (void)state;
  static const char *const others[] = {"p.json",           "p.json.1-2.tmp",       "p.json.1-x.tacit-tmp",
                                       "p.json.tacit-tmp", "q.json.1-2.tacit-tmp", "p.json.1-2.tacit-tmp2"};
  char *mine, *again;
  touch("p.json.77-0.tacit-tmp");
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) touch(others[i]);
  char *target = strdup(at("p.json"));
  int file = tacit_temporary_open(target, 0600, &mine);
  assert_true(file >= 0 && access(mine, F_OK) == 0);
  assert_int_not_equal(access(at("p.json.77-0.tacit-tmp"), F_OK), 0);
  int second = tacit_temporary_open(target, 0600, &again); /* the first is held, so it stays */
  assert_true(second >= 0 && access(mine, F_OK) == 0 && access(again, F_OK) == 0);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    assert_int_equal(access(at(others[i]), F_OK), 0);
  close(file);
  close(second);
  free(again);
  int third = tacit_temporary_open(target, 0600, &again);
  close(third);
  unlink(again);
  free(again);
  free(mine);
  free(target);
}

static void a_killed_program_leaves_nothing_for_long(void **state) {
  (void)state;
  char *name, *target = strdup(at("k.json"));
  pid_t child = fork();
  if (child == 0) {
    (void)tacit_temporary_open(target, 0600, &name);
    raise(SIGKILL);
  }
  waitpid(child, NULL, 0);
  char left[200];
  snprintf(left, sizeof left, "%s.%ld-0" TACIT_TEMPORARY_END, target, (long)child);
  assert_int_equal(access(left, F_OK), 0);
  int file = tacit_temporary_open(target, 0600, &name);
  assert_int_not_equal(access(left, F_OK), 0);
  close(file);
  unlink(name);
  free(name);
  free(target);
}

static void a_second_name_is_removed_and_the_file_not_opened(void **state) {
  (void)state;
  char *own = strdup(at("l.db")), *left = strdup(at("l.db.77-0" TACIT_TEMPORARY_END)), *name;
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  touch("l.db");
  assert_int_equal(link(own, left), 0);
  int held = open(own, O_RDWR);
  assert_true(held >= 0 && fcntl(held, F_SETLK, &lock) == 0 && is_locked(own));
  int file = tacit_temporary_beside(own, 0600, &name);
  assert_true(file >= 0 && is_locked(own));
  assert_int_not_equal(access(left, F_OK), 0);
  assert_int_equal(tacit_temporary_link(name, own), EEXIST);
  assert_int_not_equal(access(name, F_OK), 0);
  close(file);
  close(held);
  free(name);
  free(left);
  free(own);
}

/* Nothing takes the place of a ledger or of its journal. */
static void a_ledger_stays(void **state) {
  (void)state;
  static const char *const ends[] = {"", "-journal", "-wal", "-shm"};
  char header[100] = "SQLite format 3", path[200], *name;
  for (int ledger = 0; ledger < 2; ledger++) {
    if (ledger) memcpy(header + 68, "tclg", 4);
    FILE *file = fopen(at("x.db"), "wb");
    assert_true(file && fwrite(header, 1, sizeof header, file) == sizeof header && fclose(file) == 0);
    for (size_t i = 0; i < 4; i++) {
      snprintf(path, sizeof path, "%s%s", at("x.db"), ends[i]);
      int made = tacit_temporary_open(path, 0600, &name);
      assert_int_equal(made < 0 && errno == EPERM, ledger);
      if (made >= 0) {
        unlink(name);
        close(made);
      }
      free(name);
    }
  }
}

static void a_folder_that_is_not_there_is_an_error(void **state) {
  (void)state;
  char *name;
  assert_int_equal(tacit_temporary_open("/no/such/folder/p.json", 0600, &name), -1);
  free(name);
}

static int set_up(void **state) {
  (void)state;
  return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **state) {
  (void)state;
  char command[128];
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  return system(command);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_dead_are_removed_and_the_living_kept),
      cmocka_unit_test(a_killed_program_leaves_nothing_for_long),
      cmocka_unit_test(a_second_name_is_removed_and_the_file_not_opened),
      cmocka_unit_test(a_ledger_stays),
      cmocka_unit_test(a_folder_that_is_not_there_is_an_error),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
