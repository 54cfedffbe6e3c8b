/* What tests of killed spenders share: a ledger with a budget of 1, a program that is killed at an operation
   of the disk, and what must then be true of the ledger. */
#ifndef TACIT_SRC_KILLED_FOR_TEST_H
#define TACIT_SRC_KILLED_FOR_TEST_H

#include "ledger/power_cut_for_test.h"

#include "ledger/ledger_for_test.h"

#include <sys/wait.h>

/* Of a budget of 1: once, not twice; two of them are 1.34-GDP together. */
static const double MUCH = 0.95;

static inline void fresh(const char *name) {
  tacit_ledger *ledger = open_ledger(name);
  budget(ledger, "a", 1);
  tacit_ledger_close(ledger);
}

/* Whether MUCH can be spent through this name. */
static inline int spends(const char *name, tacit_ledger_mode mode) {
  tacit_ledger *ledger;
  if (tacit_ledger_open(at(name), mode, 0, &ledger, NULL) != TACIT_OK) return 0;
  int released = try_spend(ledger, "a", MUCH, NULL, NULL) == TACIT_OK;
  tacit_ledger_close(ledger);
  return released;
}

static inline int spends_anyhow(const char *name) {
  return spends(name, TACIT_LEDGER_WRITE) + spends(name, TACIT_LEDGER_MOVE);
}

/* A program that spends through this name and is killed at an operation of the disk; false: there was no such
   operation, and it has spent or was refused (*released). */
static inline bool killed_at(long operation, const char *name, void (*other)(void), int *released) {
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

static inline void forget(void) {
  static const char *const names[] = {"a.db", "a.db-journal", "b.db", "b.db-journal", "s.db", "s.db-journal"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) unlink(at(names[i]));
}

static inline void at_most_once(const char *trick, long operation, int released) {
  if (released > 1)
    fail_msg("%s, killed at operation %ld: spent %d times %g of 1", trick, operation, released, MUCH);
}

/* After all tricks the ledger is one again, under its first name, and has spent once: for what was released,
   or for what a program had paid when it was killed. Nobody is locked out. */
static inline void one_in_the_end(const char *name, int released) {
  tacit_ledger *ledger = open_ledger(name);
  tacit_ledger_total total;
  assert_true(tacit_ledger_total_of(ledger, "a", &total));
  assert_true(released <= 1);
  assert_int_equal(total.releases, 1);
  tacit_ledger_close(ledger);
}

static inline int set_up(void **state) {
  kept_by_system = true;
  install_power_cut();
  return make_folder(state);
}

#endif
