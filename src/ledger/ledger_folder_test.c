/* The ledger sees to its folder itself: that a journal is gone must be on the disk before a spending is
   reported, and SQLite goes on where it cannot open the folder. */
#include "ledger/ledger_for_test.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/stat.h>

/* The linker puts this between the library and the system (cmake/rooms.cmake); SQLite calls its own. */
int __real_fsync(int file);
int __wrap_fsync(int file);

static int syncs;     /* of folders */
static int fails_at;  /* that one fails; 0: none */
static bool is_dirty; /* a journal was removed since the last sync */

int __wrap_fsync(int file) {
  struct stat facts;
  if (fstat(file, &facts) == 0 && S_ISDIR(facts.st_mode) && ++syncs == fails_at) {
    errno = EIO;
    return -1;
  }
  is_dirty = false;
  return __real_fsync(file);
}

static sqlite3_vfs *below, blind;
static int remove_blindly(sqlite3_vfs *vfs, const char *name, int sync) {
  (void)vfs;
  (void)sync; /* as SQLite does where the folder may not be read, or no descriptor is left */
  is_dirty = true;
  return below->xDelete(below, name, 0);
}

static void a_spending_is_reported_when_its_folder_is_synced(void **state) {
  (void)state;
  tacit_error error = {""};
  tacit_receipt receipt;
  below = sqlite3_vfs_find(NULL);
  blind = *below;
  blind.zName = "blind";
  blind.xDelete = remove_blindly;
  blind.pNext = NULL;
  assert_int_equal(sqlite3_vfs_register(&blind, 1), SQLITE_OK);
  tacit_ledger *ledger = open_ledger("a.db");
  budget(ledger, "a", 1);
  assert_false(is_dirty);
  spend(ledger, "a", 0.1, NULL);
  assert_false(is_dirty);
  for (int which = 1; which <= 2; which++) { /* the entry's, and that of the change after it */
    syncs = 0;
    fails_at = which;
    assert_int_equal(try_spend(ledger, "a", 0.1, &receipt, &error), TACIT_INTERNAL);
    assert_non_null(strstr(error.text, "Nothing was released"));
    assert_int_equal(receipt.sequence, 0);
  }
  fails_at = 0;
  spend(ledger, "a", 0.1, &receipt); /* what was not reported counts all the same */
  assert_int_equal(receipt.sequence, 5);
  tacit_ledger_close(ledger);
  assert_int_equal(sqlite3_vfs_unregister(&blind), SQLITE_OK);
}

/* However few descriptors there are: a ledger that can be spent from has its folder open. */
static void few_descriptors(void **state) {
  (void)state;
  struct rlimit before, few;
  int opened = 0, refused = 0;
  tacit_ledger_close(open_ledger("few.db"));
  assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
  for (rlim_t limit = 3; limit < 40; limit++) {
    tacit_ledger *ledger = NULL;
    tacit_error error = {""};
    few = before;
    few.rlim_cur = limit;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    tacit_status status = tacit_ledger_open(at("few.db"), TACIT_LEDGER_WRITE, 0, &ledger, &error);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    opened += status == TACIT_OK;
    refused += status != TACIT_OK && strstr(error.text, "the folder of the ledger") != NULL;
    if (status == TACIT_OK) assert_true(ledger->folder >= 0);
    tacit_ledger_close(ledger);
  }
  assert_true(opened > 0 && refused > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_spending_is_reported_when_its_folder_is_synced),
      cmocka_unit_test(few_descriptors),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
