/* Temporary files: what a killed program left is removed by the next, what a living one holds is not. */
#include "base/temporary.h"

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
      cmocka_unit_test(a_folder_that_is_not_there_is_an_error),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
