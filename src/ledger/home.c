/* A ledger is written where it is at home, and nowhere else (place.h). What it remembers of its home is read
   around SQLite, from the file's header, because SQLite's own first look at a file plays back any journal
   that it finds beside it, also one that was left at this place before the ledger went elsewhere. */
#include "ledger/ledger.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What is in the header of an SQLite file, and where. */
enum { FORMAT_AT = 18, CHANGES_AT = 24, MARK_AT = 60, APPLICATION_AT = 68, HEADER_SIZE = 100 };
typedef struct header {
  uint32_t mark; /* 0 for a file that is no ledger, as it is for one of version 1 or 2 */
  uint32_t changes;
  bool ours;   /* it has the ledger's application id */
  bool logged; /* somebody set the file to write-ahead logs */
} header;

/* Through SQLite's own file: to open and close another would drop the locks of this process. */
static int read_bytes(sqlite3 *db, header *h) {
  unsigned char bytes[HEADER_SIZE] = {0};
  sqlite3_file *file = NULL;
  int code = sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (code == SQLITE_OK && (!file || !file->pMethods)) code = SQLITE_CANTOPEN;
  if (code == SQLITE_OK) code = file->pMethods->xRead(file, bytes, sizeof bytes, 0);
  bool ours = tacit_number_at(bytes + APPLICATION_AT) == TACIT_LEDGER_APPLICATION;
  *h = (header){.mark = ours ? tacit_number_at(bytes + MARK_AT) : 0,
                .changes = tacit_number_at(bytes + CHANGES_AT),
                .ours = ours,
                .logged = bytes[FORMAT_AT] > 1 || bytes[FORMAT_AT + 1] > 1};
  return code == SQLITE_IOERR_SHORT_READ ? SQLITE_OK : code;
}

static tacit_status read_header(const tacit_ledger *ledger, header *h, tacit_error *error) {
  int code = read_bytes(ledger->db, h);
  return code == SQLITE_OK ? TACIT_OK : tacit_ledger_trouble(ledger, code, error);
}

bool tacit_ledger_mark_of(const char *path, uint32_t *mark) {
  header h = {.mark = 0};
  sqlite3 *db = NULL;
  int code = sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL);
  if (code == SQLITE_OK) code = read_bytes(db, &h);
  sqlite3_close(db);
  *mark = h.mark;
  return code == SQLITE_OK;
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

/* It may be one that is needed, or even that of somebody who writes. */
static tacit_status unread_journal(const tacit_ledger *ledger, tacit_error *error) {
  return tacit_fail(
      error, TACIT_REFUSED,
      "beside the ledger %s is a journal that cannot be read, or that is cut: it could undo what "
      "was spent. Nothing was spent. Make it readable; if it is, and nobody writes the ledger, "
      "take it away",
      ledger->path);
}

static tacit_status old_journal(const tacit_ledger *ledger, const char *whose, tacit_error *error) {
  return tacit_fail(error, TACIT_REFUSED,
                    "beside the ledger %s is a journal %s: it would undo what was spent. Nothing was spent. "
                    "Take the journal away",
                    ledger->path, whose);
}

/* A journal of another file has another mark: but for the entry that first writes a mark, no transaction at
   home changes it. Before that one a ledger has the mark 0, as most other databases have. */
static bool fits(const tacit_journal *journal, const header *before, const header *now) {
  if (journal->mark) return journal->mark == now->mark;
  return before->mark == 0 || (journal->ours && journal->count + 1 == before->changes);
}

/* What SQLite would play back must be known. A journal that is needed has the count of changes that the file
   has, or one less. `before` was read before the journal, so that the journal of somebody who writes just now
   is never too old; for one that is too new the count is read again. A count that was seen here and fell
   since, because somebody played back the last change and did not make another, still holds. */
static tacit_status check_journal(const tacit_ledger *ledger, const header *before, tacit_error *error) {
  tacit_journal journal;
  header now;
  if (!before->logged && tacit_place_log(ledger->place.path)) /* SQLite would believe it all the same */
    return old_journal(ledger, "(-wal) that tacit never writes", error);
  if (!tacit_journal_read(ledger->place.path, &journal)) return tacit_no_memory(error);
  if (journal.strange) return old_journal(ledger, "that is no regular file", error);
  /* its first bytes may be written just now */
  if (journal.hot && !journal.known && !tacit_journal_read(ledger->place.path, &journal))
    return tacit_no_memory(error);
  if (journal.hot && !journal.known) return unread_journal(ledger, error);
  if (!journal.known) return TACIT_OK;
  if ((uint64_t)journal.count + 1 < ledger->changes)
    return old_journal(ledger, "from before its last entries, put there from a backup", error);
  TACIT_TRY(read_header(ledger, &now, error));
  if (journal.count > now.changes || !fits(&journal, before, &now))
    return old_journal(ledger, "of another ledger, or from before it was moved here", error);
  return TACIT_OK;
}

/* The largest count that was seen: never less again, whatever is undone. */
static void see(tacit_ledger *ledger, const header *now) {
  if (now->changes > ledger->changes) ledger->changes = now->changes;
}

tacit_status tacit_ledger_commit(const tacit_ledger *ledger, tacit_error *error) {
  TACIT_TRY(tacit_ledger_run(ledger, "COMMIT", error));
  if (ledger->folder < 0 || fsync(ledger->folder) == 0) return TACIT_OK;
  return tacit_ledger_trouble(ledger, SQLITE_IOERR_DIR_FSYNC, error);
}

tacit_status tacit_ledger_home_look(tacit_ledger *ledger, tacit_error *error) {
  header before;
  if (ledger->place.names > 1) return several_names(ledger, error);
  TACIT_TRY(read_header(ledger, &before, error));
  ledger->at_home = before.mark == 0 || before.mark == ledger->place.mark;
  see(ledger, &before);
  if (ledger->at_home) return check_journal(ledger, &before, error);
  return tacit_ledger_home_alone(ledger, error);
}

tacit_status tacit_ledger_home_alone(const tacit_ledger *ledger, tacit_error *error) {
  return tacit_place_journal(ledger->place.path) ? whose_journal(ledger, error) : TACIT_OK;
}

tacit_status tacit_ledger_home_still(tacit_ledger *ledger, tacit_error *error) {
  tacit_place found;
  header before;
  if (sqlite3_db_readonly(ledger->db, "main") == 1) return TACIT_OK; /* nothing can be rolled back */
  tacit_status status = tacit_ledger_home_find(ledger, ledger->place.path, &found, error);
  bool same = found.mark == ledger->place.mark;
  ledger->place.names = found.names;
  tacit_place_free(&found);
  TACIT_TRY(status);
  if (!same) return tacit_ledger_home_away(ledger, error);
  if (ledger->place.names > 1) return several_names(ledger, error);
  TACIT_TRY(read_header(ledger, &before, error));
  if (before.mark != 0 && before.mark != ledger->place.mark) return tacit_ledger_home_away(ledger, error);
  see(ledger, &before);
  return check_journal(ledger, &before, error);
}

/* Before SQLite looks. */
static tacit_status look_around(tacit_ledger *ledger, tacit_error *error) {
  if (ledger->at_home) return tacit_ledger_home_still(ledger, error);
  return sqlite3_db_readonly(ledger->db, "main") == 1 ? TACIT_OK : tacit_ledger_home_alone(ledger, error);
}

/* A change of nothing but the count, within the transaction that found it fallen, and its end. */
static int make_up(const tacit_ledger *ledger) {
  char sql[96];
  snprintf(sql, sizeof sql, "PRAGMA query_only = OFF; PRAGMA application_id = %d; COMMIT",
           TACIT_LEDGER_APPLICATION);
  int code = sqlite3_exec(ledger->db, sql, NULL, NULL, NULL);
  tacit_ledger_home_end(ledger);
  if (!ledger->writable) sqlite3_exec(ledger->db, "PRAGMA query_only = ON", NULL, NULL, NULL);
  if (code == SQLITE_OK && ledger->folder >= 0 && fsync(ledger->folder) != 0) code = SQLITE_IOERR_DIR_FSYNC;
  return code;
}

/* Who may not write plays nothing back. */
static bool has_fallen(const tacit_ledger *ledger, const header *now) {
  return ledger->at_home && now->ours && now->changes < ledger->changes &&
         sqlite3_db_readonly(ledger->db, "main") != 1;
}

/* One lock, for which SQLite looks for a journal once: neither statement has SQLite read the schema before,
   under a lock of its own. *again: something was played back, and the change that takes its place was made,
   or others (SQLITE_BUSY in *code) kept it from being made. */
static tacit_status begin_once(tacit_ledger *ledger, bool write, bool *again, int *code, tacit_error *error) {
  header now;
  *again = false;
  TACIT_TRY(look_around(ledger, error));
  tacit_status status =
      tacit_ledger_run(ledger, write ? "BEGIN IMMEDIATE" : "BEGIN; PRAGMA user_version", error);
  if (status == TACIT_OK) status = read_header(ledger, &now, error);
  bool fallen = status == TACIT_OK && has_fallen(ledger, &now);
  if (fallen && now.changes + 1 < ledger->changes) /* no journal undoes two changes */
    status = tacit_ledger_damaged(ledger, "it was put back while it was open", error);
  if (status != TACIT_OK || !fallen) {
    if (status != TACIT_OK) tacit_ledger_home_end(ledger);
    return status;
  }
  *again = true;
  *code = make_up(ledger);
  return *code == SQLITE_OK || (*code & 0xff) == SQLITE_BUSY ? TACIT_OK
                                                             : tacit_ledger_trouble(ledger, *code, error);
}

/* Whoever plays back the journal of the last change of all takes the count back by one, and that of the
   change before would look needed again: so one more change is made, before the lock is given up under which
   it was played back. A mere reader, or somebody else who plays back, can keep it from being made. */
tacit_status tacit_ledger_home_begin(tacit_ledger *ledger, bool write, tacit_error *error) {
  enum { PAUSE_MS = 10 };
  bool again = true;
  int code = SQLITE_OK;
  for (int waited = 0; again && (!waited || waited <= ledger->wait_ms); waited += PAUSE_MS) {
    if (waited) sqlite3_sleep(PAUSE_MS);
    TACIT_TRY(begin_once(ledger, write, &again, &code, error));
    if (again && code == SQLITE_OK) TACIT_TRY(begin_once(ledger, write, &again, &code, error));
  }
  return again ? tacit_ledger_trouble(ledger, SQLITE_BUSY, error) : TACIT_OK;
}

void tacit_ledger_home_end(const tacit_ledger *ledger) {
  if (!sqlite3_get_autocommit(ledger->db)) sqlite3_exec(ledger->db, "ROLLBACK", NULL, NULL, NULL);
}

/* One change more, with the entry seen to be there within it. */
static tacit_status settle(tacit_ledger *ledger, tacit_error *error) {
  char sql[48];
  snprintf(sql, sizeof sql, "PRAGMA application_id = %d", TACIT_LEDGER_APPLICATION);
  TACIT_TRY(tacit_ledger_home_begin(ledger, true, error));
  TACIT_TRY(tacit_ledger_read(ledger, NULL, NULL, error));
  TACIT_TRY(tacit_ledger_run(ledger, sql, error));
  return tacit_ledger_commit(ledger, error);
}

tacit_status tacit_ledger_home_settle(tacit_ledger *ledger, tacit_error *error) {
  enum { PATIENCE_MS = 30000 }; /* it is paid: to give up now would lose it */
  uint64_t entry = ledger->sequence;
  sqlite3_busy_timeout(ledger->db, ledger->wait_ms > PATIENCE_MS ? ledger->wait_ms : PATIENCE_MS);
  tacit_status status = settle(ledger, NULL);
  sqlite3_busy_timeout(ledger->db, ledger->wait_ms);
  if (status == TACIT_OK) return TACIT_OK;
  return tacit_fail(error, status,
                    "entry %llu was written to the ledger %s, which then could not be written again: it was "
                    "in use, moved or put back, or its disk fails. Nothing was released. Look at what it "
                    "says with tacit ledger show before trying again",
                    (unsigned long long)entry, ledger->path);
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
