/* What tests of journals that come back share: journals copied at any operation of a spending. */
#ifndef TACIT_SRC_JOURNALS_FOR_TEST_H
#define TACIT_SRC_JOURNALS_FOR_TEST_H

#include "ledger/killed_for_test.h"

static inline bool copy_file(const char *from, const char *to) {
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

static const char *saved_as;
static inline void save_journal(void) {
  copy_file("a.db-journal", saved_as);
}

/* Spends from a ledger that is open, while somebody copies the journal at an operation. False: there was no
   such operation any more. */
static inline bool spend_while_saved(tacit_ledger *ledger, double mu, long operation, const char *name) {
  saved_as = name;
  unlink(at(name));
  operations = 0;
  meanwhile_at = operation;
  meanwhile = save_journal;
  spend(ledger, "a", mu, NULL);
  meanwhile = NULL;
  meanwhile_at = 1;
  return operations >= operation;
}

static inline bool put_back(const char *name) {
  return access(at(name), F_OK) == 0 && copy_file(name, "a.db-journal");
}

/* The operation at which a journal is first whole: from then on SQLite plays it back. Its ninth to twelfth
   byte say how many pages it has. */
static inline long when_whole(void) {
  unsigned char bytes[12] = {0};
  forget();
  fresh("a.db");
  tacit_ledger *ledger = open_ledger("a.db");
  long operation = 0;
  do {
    assert_true(spend_while_saved(ledger, 0.01, ++operation, "saved"));
    if (access(at("saved"), F_OK) == 0) read_bytes("saved", bytes, sizeof bytes);
  } while (tacit_number_at(bytes + 8) == 0);
  tacit_ledger_close(ledger);
  return operation + 1; /* and synced */
}

static inline void look_once(void) {
  tacit_ledger *ledger;
  if (tacit_ledger_open(at("a.db"), TACIT_LEDGER_READ, 0, &ledger, NULL) == TACIT_OK)
    tacit_ledger_close(ledger);
}

#endif
