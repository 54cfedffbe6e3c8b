/* A ledger that was moved, copied or restored gets another home: on its owner's word, as far as nothing that
   can be seen speaks against it. */
#include "ledger/ledger.h"

#include <stdlib.h>
#include <string.h>

/* Where it was, to be freed; NULL where that is not known. */
static char *old_path(const tacit_ledger *ledger) {
  sqlite3_stmt *statement = NULL;
  char *path = NULL;
  if (sqlite3_prepare_v2(ledger->db, "SELECT path FROM home", -1, &statement, NULL) == SQLITE_OK &&
      sqlite3_step(statement) == SQLITE_ROW) {
    const char *text = (const char *)sqlite3_column_text(statement, 0);
    if (text) path = tacit_copy_text(text, strlen(text));
  }
  sqlite3_finalize(statement);
  return path;
}

/* As far as can be seen from here: the ledger is not where it was, and left nothing undone there. */
static tacit_status check_old(const tacit_ledger *ledger, const char *path, tacit_error *error) {
  tacit_ledger *other = NULL;
  if (!strcmp(path, ledger->place.path)) return TACIT_OK; /* another file in its place: restored */
  tacit_status status = tacit_ledger_open(path, TACIT_LEDGER_READ, 0, &other, NULL);
  bool copy = status == TACIT_OK ? !strcmp(other->id, ledger->id) : status != TACIT_BAD_INPUT;
  tacit_ledger_close(other);
  if (copy)
    return tacit_fail(error, TACIT_REFUSED,
                      "the ledger is still at %.200s, or something that cannot be read: two of them would "
                      "spend the same budget. Use that one, or take it away first",
                      path);
  if (status != TACIT_OK && tacit_place_journal(path))
    return tacit_fail(error, TACIT_REFUSED,
                      "a program was ended while it wrote the ledger at %.200s, where its journal is left. "
                      "Put the ledger back there, look at it (tacit ledger show) and move it then",
                      path);
  return TACIT_OK;
}

tacit_status tacit_ledger_home_move(tacit_ledger *ledger, tacit_error *error) {
  char *old = old_path(ledger);
  tacit_status status = old ? check_old(ledger, old, error) : TACIT_OK;
  free(old);
  if (status == TACIT_OK) status = tacit_ledger_run(ledger, "BEGIN IMMEDIATE", error);
  if (status == TACIT_OK) status = tacit_ledger_home_write(ledger, error);
  if (status == TACIT_OK) status = tacit_ledger_run(ledger, "COMMIT", error);
  if (!sqlite3_get_autocommit(ledger->db)) sqlite3_exec(ledger->db, "ROLLBACK", NULL, NULL, NULL);
  if (status == TACIT_OK) ledger->at_home = true;
  return status;
}
