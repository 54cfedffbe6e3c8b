/* What SQLite answers, as a status and a text that says what to do. */
#include "ledger/ledger.h"

tacit_status tacit_ledger_damaged(const tacit_ledger *ledger, const char *what, tacit_error *error) {
  return tacit_fail(
      error, TACIT_BAD_INPUT,
      "the ledger %s is damaged: %s. Nothing was spent. Restore it from a backup and compare it "
      "with the policies made since (tacit ledger show --check POLICY...), or keep the file for "
      "the record and begin another ledger",
      ledger->path, what);
}

tacit_status tacit_ledger_trouble(const tacit_ledger *ledger, int code, tacit_error *error) {
  const char *path = ledger->path;
  if (code == SQLITE_READONLY_ROLLBACK || code == SQLITE_READONLY_RECOVERY)
    return tacit_fail(
        error, TACIT_REFUSED,
        "a program was ended while it wrote the ledger %s, and you may not write it to take that "
        "back. Nothing was spent. Open it once as somebody who may",
        path);
  switch (code & 0xff) { /* the primary code; the rest is detail */
  case SQLITE_NOMEM:
    return tacit_no_memory(error);
  case SQLITE_BUSY:
  case SQLITE_LOCKED:
    return tacit_fail(
        error, TACIT_REFUSED,
        "the ledger %s is in use by another program. Nothing was spent. Try again when that has "
        "finished; fuser names who holds the file",
        path);
  case SQLITE_READONLY:
  case SQLITE_PERM:
  case SQLITE_AUTH:
  case SQLITE_CANTOPEN: /* a journal that cannot be made beside the file */
    return tacit_fail(
        error, TACIT_REFUSED,
        "the ledger %s cannot be %s. Nothing was spent. Make the file and its folder %s for you, "
        "or choose another ledger (--ledger)",
        path, ledger->writable ? "written" : "read", ledger->writable ? "writable" : "readable");
  case SQLITE_FULL:
    return tacit_fail(error, TACIT_INTERNAL,
                      "there is no space left to write the ledger %s. Nothing was released. Free some space "
                      "and try again",
                      path);
  case SQLITE_IOERR:
    return tacit_fail(error, TACIT_INTERNAL,
                      "the ledger %s could not be read or written (a failing or full disk?). Nothing was "
                      "released. Look at what it says with tacit ledger show before trying again",
                      path);
  case SQLITE_NOTADB:
    return tacit_ledger_damaged(ledger, "it is not an SQLite database", error);
  default:
    return tacit_ledger_damaged(ledger, sqlite3_errstr(code), error);
  }
}

tacit_status tacit_ledger_run(const tacit_ledger *ledger, const char *sql, tacit_error *error) {
  int code = sqlite3_exec(ledger->db, sql, NULL, NULL, NULL);
  return code == SQLITE_OK ? TACIT_OK : tacit_ledger_trouble(ledger, code, error);
}
