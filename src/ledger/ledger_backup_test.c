/* A journal that comes back from a backup undoes nothing (proofs/ledger.md, Claim 7). A ledger that comes
   back is tried in tests/ledger_place_test.sh, by tools that get the old file's inode. */
#include "ledger/killed_for_test.h"

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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_journal_that_comes_back_cannot_undo),
  };
  return cmocka_run_group_tests(tests, set_up, remove_folder);
}
