/* Any bytes as a ledger file: refused, or a ledger that checks, spends within its budget and still checks
 * after. */
#include "fuzz/target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tacit/ledger.h>
#include <unistd.h>

static char path[64];

static void remove_all(void) {
  static const char *const ends[] = {"", "-journal", "-wal", "-shm"};
  char name[96];
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    snprintf(name, sizeof name, "%s%s", path, ends[i]);
    unlink(name);
  }
}

static void write_file(const uint8_t *data, size_t size) {
  if (!path[0]) {
    snprintf(path, sizeof path, "%s/tacit-fuzz-ledger.%ld", access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm",
             (long)getpid());
    atexit(remove_all);
  }
  remove_all();
  FILE *file = fopen(path, "wb");
  MUST(file && fwrite(data, 1, size, file) == size && fclose(file) == 0);
}

static void spend(void) {
  tacit_ledger *ledger = NULL;
  tacit_error error = {""};
  tacit_receipt receipt;
  if (tacit_ledger_open(path, TACIT_LEDGER_MOVE, 0, &ledger, &error) != TACIT_OK) return;
  uint64_t before = tacit_ledger_sequence(ledger);
  const tacit_spending spending = {.label = "a", .mu = 0.25, .unit = {TACIT_REPLACE_ONE, 1, NULL}};
  tacit_status afford = tacit_ledger_afford(ledger, &spending, &error);
  tacit_status status = tacit_ledger_spend(ledger, &spending, &receipt, &error);
  MUST(afford == status && (status == TACIT_OK || error.text[0]));
  MUST(status != TACIT_USAGE); /* the spending itself is in order */
  if (status == TACIT_OK) {
    tacit_ledger_total total;
    MUST(tacit_ledger_sequence(ledger) == before + 1 && receipt.sequence == before + 1);
    MUST(tacit_ledger_total_of(ledger, "a", &total) && total.spent_mu >= 0.25);
    MUST(!total.limited || total.renyi || total.spent_mu <= total.budget_mu * (1 + 1e-12));
    MUST(!total.limited || !total.renyi || total.spent_epsilon <= total.budget_epsilon * (1 + 1e-12));
    MUST(tacit_ledger_check(ledger, &error) == TACIT_OK);
    MUST(tacit_ledger_check_receipt(ledger, &receipt, NULL, 0.25, &error) == TACIT_OK);
    MUST(tacit_ledger_check_receipt(ledger, &receipt, NULL, 0.26, &error) == TACIT_CHECK_FAILED);
    receipt.sequence--;
    MUST(tacit_ledger_check_receipt(ledger, &receipt, NULL, 0.25, &error) == TACIT_CHECK_FAILED);
  }
  tacit_ledger_close(ledger);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  tacit_ledger *ledger = NULL;
  tacit_error error = {""};
  write_file(data, size);
  tacit_status status = tacit_ledger_open(path, TACIT_LEDGER_READ, 0, &ledger, &error);
  if (status != TACIT_OK) {
    MUST(!ledger && error.text[0]);
    return 0;
  }
  bool whole = tacit_ledger_check(ledger, &error) == TACIT_OK;
  for (size_t i = 0; i < tacit_ledger_labels(ledger); i++) {
    tacit_ledger_total total = tacit_ledger_total_at(ledger, i);
    MUST(total.label && total.spent_mu >= 0 && total.left_mu >= 0);
  }
  tacit_ledger_close(ledger);
  if (whole) spend();
  return 0;
}
