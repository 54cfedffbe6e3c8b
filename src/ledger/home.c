/* A ledger is written where it is at home, and nowhere else (place.h). What it remembers of its home is read
   around SQLite, from the file's header, because SQLite's own first look at a file plays back any journal
   that it finds beside it, also one that was left at this place before the ledger went elsewhere. */
#include "ledger/ledger.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The header of an SQLite file: two big-endian numbers at these offsets. */
enum { CHANGES_AT = 24, MARK_AT = 60, APPLICATION_AT = 68, HEADER_SIZE = 100 };

/* Through SQLite's own file: to open and close another would drop the locks of this process. 0 for a file
   that is no ledger, as it is for one of version 1 or 2. */
static tacit_status stored_mark(const tacit_ledger *ledger, uint32_t *mark, uint32_t *changes,
                                tacit_error *error) {
  unsigned char header[HEADER_SIZE] = {0};
  sqlite3_file *file = NULL;
  int code = sqlite3_file_control(ledger->db, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (code == SQLITE_OK && (!file || !file->pMethods)) code = SQLITE_CANTOPEN;
  if (code == SQLITE_OK) code = file->pMethods->xRead(file, header, sizeof header, 0);
  if (code != SQLITE_OK && code != SQLITE_IOERR_SHORT_READ) return tacit_ledger_trouble(ledger, code, error);
  *changes = tacit_number_at(header + CHANGES_AT);
  *mark = tacit_number_at(header + APPLICATION_AT) == TACIT_LEDGER_APPLICATION
              ? tacit_number_at(header + MARK_AT)
              : 0;
  return TACIT_OK;
}

tacit_status tacit_ledger_home_find(const tacit_ledger *ledger, const char *path, tacit_place *place,
                                    tacit_error *error) {
  if (tacit_place_find(path, place)) return TACIT_OK;
  if (errno == ENOMEM) return tacit_no_memory(error);
  return tacit_fail(error, TACIT_BAD_INPUT, "the ledger %s is gone (%s). Nothing was spent", ledger->path,
                    strerror(errno));
}

static tacit_status several_names(const tacit_ledger *ledger, tacit_error *error) {
  return tacit_fail(
      error, TACIT_REFUSED,
      "the ledger %s has %lu names (hard links): after a crash one of them could undo what was spent through "
      "another. Nothing was spent. Remove all but one (find -samefile names them), or read a copy",
      ledger->path, ledger->place.names);
}

tacit_status tacit_ledger_home_away(const tacit_ledger *ledger, tacit_error *error) {
  return tacit_fail(
      error, TACIT_REFUSED,
      "the ledger %s is not where it was written last: it was moved, copied, restored or mounted elsewhere. "
      "Nothing was spent. Spend where it was; or, if no other copy is in use and nothing that was spent is "
      "missing in this one: tacit ledger move %s",
      ledger->path, ledger->path);
}

static tacit_status whose_journal(const tacit_ledger *ledger, tacit_error *error) {
  return tacit_fail(
      error, TACIT_REFUSED,
      "beside the ledger %s, which was written last elsewhere, is a journal, and whether it is newer cannot "
      "be seen. Nothing was spent. Put both back where they were used and look there (tacit ledger show); or "
      "take the journal away: whatever is in the ledger then counts as spent",
      ledger->path);
}

static tacit_status old_journal(const tacit_ledger *ledger, tacit_error *error) {
  return tacit_fail(error, TACIT_REFUSED,
                    "beside the ledger %s is a journal from before its last entries, put there from a "
                    "backup: it would undo "
                    "them. Nothing was spent. Take the journal away",
                    ledger->path);
}

/* One more change: what was just played back is now older than the last change but one as soon as anything is
   spent, so that a copy of its journal that comes back later is known for what it is. Somebody else may be
   writing: then the journal was theirs, and nothing was played back. */
tacit_status tacit_ledger_home_undone(const tacit_ledger *ledger, tacit_error *error) {
  if (!ledger->undone || sqlite3_db_readonly(ledger->db, "main") == 1) return TACIT_OK;
  char sql[128];
  snprintf(sql, sizeof sql, "PRAGMA synchronous = EXTRA; BEGIN IMMEDIATE; PRAGMA application_id = %d; COMMIT",
           TACIT_LEDGER_APPLICATION);
  int code = sqlite3_exec(ledger->db, sql, NULL, NULL, NULL);
  if (!sqlite3_get_autocommit(ledger->db)) sqlite3_exec(ledger->db, "ROLLBACK", NULL, NULL, NULL);
  return code == SQLITE_OK || (code & 0xff) == SQLITE_BUSY ? TACIT_OK
                                                           : tacit_ledger_trouble(ledger, code, error);
}

tacit_status tacit_ledger_home_look(tacit_ledger *ledger, tacit_error *error) {
  uint32_t mark = 0, changes = 0;
  if (ledger->place.names > 1) return several_names(ledger, error);
  TACIT_TRY(stored_mark(ledger, &mark, &changes, error));
  ledger->at_home = mark == 0 || mark == ledger->place.mark;
  if (!tacit_place_journal(ledger->place.path)) return TACIT_OK;
  if (!ledger->at_home) return whose_journal(ledger, error);
  if (tacit_journal_stale(ledger->place.path, changes)) return old_journal(ledger, error);
  ledger->undone = true;
  return TACIT_OK;
}

tacit_status tacit_ledger_home_still(tacit_ledger *ledger, tacit_error *error) {
  tacit_place now;
  uint32_t mark = 0, changes;
  if (sqlite3_db_readonly(ledger->db, "main") == 1) return TACIT_OK; /* nothing can be rolled back */
  tacit_status status = tacit_ledger_home_find(ledger, ledger->place.path, &now, error);
  bool same = now.mark == ledger->place.mark;
  ledger->place.names = now.names;
  tacit_place_free(&now);
  TACIT_TRY(status);
  if (!same) return tacit_ledger_home_away(ledger, error);
  if (ledger->place.names > 1) return several_names(ledger, error);
  TACIT_TRY(stored_mark(ledger, &mark, &changes, error));
  return mark == 0 || mark == ledger->place.mark ? TACIT_OK : tacit_ledger_home_away(ledger, error);
}

/* One statement with the path in it. */
static tacit_status run_with_path(const tacit_ledger *ledger, const char *sql, tacit_error *error) {
  sqlite3_stmt *statement = NULL;
  int code = sqlite3_prepare_v2(ledger->db, sql, -1, &statement, NULL);
  if (code == SQLITE_OK) code = sqlite3_bind_text(statement, 1, ledger->place.path, -1, SQLITE_STATIC);
  if (code == SQLITE_OK) code = sqlite3_step(statement);
  sqlite3_finalize(statement);
  return code == SQLITE_DONE ? TACIT_OK : tacit_ledger_trouble(ledger, code, error);
}

tacit_status tacit_ledger_home_write(const tacit_ledger *ledger, tacit_error *error) {
  char sql[64];
  snprintf(sql, sizeof sql, "PRAGMA user_version = %ld; DELETE FROM home", (long)(int32_t)ledger->place.mark);
  TACIT_TRY(tacit_ledger_run(ledger, sql, error));
  return run_with_path(ledger, "INSERT INTO home VALUES (?1)", error);
}

tacit_status tacit_ledger_home_keep(const tacit_ledger *ledger, tacit_error *error) {
  return run_with_path(ledger, "UPDATE home SET path = ?1 WHERE path <> ?1", error);
}
