/* A fault of other systems' ledgers, as in known_faults_test.c: what it would break holds here. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <tacit/ledger.h>
#include <unistd.h>

#include <cmocka.h>

/* Spends in a child that dies at once, before or after; nothing is closed or flushed. */
static void spend_and_die(const char *path, double mu, bool spend) {
  pid_t child = fork();
  if (child == 0) {
    tacit_ledger *ledger;
    tacit_receipt receipt;
    const tacit_spending spending = {.label = "a", .mu = mu, .unit = {.rows_per_unit = 1}};
    if (tacit_ledger_open(path, TACIT_LEDGER_WRITE, 1000, &ledger, NULL) != TACIT_OK) _exit(1);
    if (spend && tacit_ledger_spend(ledger, &spending, &receipt, NULL) != TACIT_OK) _exit(2);
    kill(getpid(), SIGKILL);
  }
  int status;
  assert_true(waitpid(child, &status, 0) == child && WIFSIGNALED(status));
}

static void a_ledger_that_loses_the_smallest_or_counts_a_crash_twice(void **state) {
  (void)state;
  char folder[] = "/tmp/tacit-known-faults.XXXXXX", path[64];
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/L.db", folder);
  tacit_ledger *ledger;
  tacit_ledger_total total;
  tacit_receipt receipt;
  assert_int_equal(tacit_ledger_open(path, TACIT_LEDGER_CREATE, 1000, &ledger, NULL), TACIT_OK);
  assert_int_equal(tacit_ledger_budget(ledger, "a", 1, false, NULL, NULL), TACIT_OK);
  const tacit_spending tiny = {.label = "a", .mu = 1e-200, .unit = {.rows_per_unit = 1}},
                       whole = {.label = "a", .mu = 1, .unit = {.rows_per_unit = 1}},
                       half = {.label = "a", .mu = 0.5, .unit = {.rows_per_unit = 1}};
  double faulty = 0.25;
  faulty += tiny.mu * tiny.mu;
  assert_true(faulty == 0.25); /* squares in doubles lose it */
  assert_int_equal(tacit_ledger_spend(ledger, &tiny, &receipt, NULL), TACIT_OK);
  assert_int_equal(tacit_ledger_afford(ledger, &whole, NULL),
                   TACIT_REFUSED); /* it counts, to the last digit */
  assert_int_equal(tacit_ledger_afford(ledger, &half, NULL), TACIT_OK);
  tacit_ledger_close(ledger);
  spend_and_die(path, 0.5, false);
  spend_and_die(path, 0.5, true);
  assert_int_equal(tacit_ledger_open(path, TACIT_LEDGER_WRITE, 1000, &ledger, NULL), TACIT_OK);
  assert_true(tacit_ledger_total_of(ledger, "a", &total));
  assert_true(total.releases == 2 && total.spent_mu >= 0.5 && total.spent_mu < 0.5 + 1e-12);
  assert_int_equal(tacit_ledger_check(ledger, NULL), TACIT_OK);
  tacit_ledger_close(ledger);
  char command[96];
  snprintf(command, sizeof command, "rm -r '%s'", folder);
  assert_int_equal(system(command), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_ledger_that_loses_the_smallest_or_counts_a_crash_twice),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
