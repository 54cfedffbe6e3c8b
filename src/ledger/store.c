/* The ledger's file: opened with settings that survive a crash, and known to be a ledger before anything is
   believed. */
#include "ledger/ledger.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* EXTRA: a commit is on the disk, and so is the removal of its journal, before it returns. The schema is not
   trusted to run anything, and page layouts are checked while reading. */
static const char SETTINGS[] =
    "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;";
static const char DURABLE[] =
    "PRAGMA journal_mode = DELETE; PRAGMA synchronous = EXTRA; PRAGMA fullfsync = ON;";

static tacit_status check_file(const tacit_ledger *ledger, const char *plain, tacit_error *error) {
  struct stat facts;
  if (stat(plain, &facts) != 0)
    return tacit_fail(
        error, TACIT_BAD_INPUT,
        "no ledger %s (%s). Nothing was spent. tacit ledger open %s --label NAME --mu M makes one",
        ledger->path, strerror(errno), ledger->path);
  if (!S_ISREG(facts.st_mode))
    return tacit_fail(error, TACIT_BAD_INPUT, "%s is no file; name the ledger's file", ledger->path);
  if (facts.st_size == 0) return tacit_ledger_damaged(ledger, "it was cut to nothing", error);
  return TACIT_OK;
}

/* The first column of the first row as a whole number. */
static tacit_status ask_number(const tacit_ledger *ledger, const char *sql, int64_t *number,
                               tacit_error *error) {
  sqlite3_stmt *statement = NULL;
  *number = 0;
  int code = sqlite3_prepare_v2(ledger->db, sql, -1, &statement, NULL);
  if (code == SQLITE_OK) code = sqlite3_step(statement);
  if (code == SQLITE_ROW) *number = sqlite3_column_int64(statement, 0);
  sqlite3_finalize(statement);
  return code == SQLITE_ROW    ? TACIT_OK
         : code == SQLITE_DONE ? tacit_ledger_damaged(ledger, "its first page is incomplete", error)
                               : tacit_ledger_trouble(ledger, code, error);
}

/* Nothing is asked of a table before it is known to be one: a view is a program. A newer version may have
   other tables, but must say so in this one. */
static tacit_status check_meta(const tacit_ledger *ledger, tacit_error *error) {
  sqlite3_stmt *row = NULL;
  bool ours = true;
  size_t found = 0;
  int code = sqlite3_prepare_v2(
      ledger->db, "SELECT sql FROM sqlite_schema WHERE name = 'meta' COLLATE NOCASE", -1, &row, NULL);
  if (code == SQLITE_OK)
    for (; (code = sqlite3_step(row)) == SQLITE_ROW; found++) {
      const char *sql = (const char *)sqlite3_column_text(row, 0);
      ours = ours && sql && !strcmp(sql, tacit_ledger_tables[0]);
    }
  sqlite3_finalize(row);
  if (code != SQLITE_DONE) return tacit_ledger_trouble(ledger, code, error);
  return ours && found == 1 ? TACIT_OK : tacit_ledger_damaged(ledger, "it states no format version", error);
}

tacit_status tacit_ledger_store_version(tacit_ledger *ledger, tacit_error *error) {
  int64_t application, version;
  TACIT_TRY(ask_number(ledger, "PRAGMA application_id", &application, error));
  if (application != TACIT_LEDGER_APPLICATION)
    return tacit_fail(error, TACIT_BAD_INPUT,
                      "%s is a database but no tacit ledger; name another file, or none for your own ledger",
                      ledger->path);
  TACIT_TRY(check_meta(ledger, error));
  TACIT_TRY(ask_number(ledger, "SELECT version FROM meta", &version, error));
  if (version > TACIT_LEDGER_VERSION)
    return tacit_fail(error, TACIT_BAD_INPUT,
                      "the ledger %s was written by a newer tacit (format version %lld, this one knows %d). "
                      "Nothing was spent. Use that tacit, or choose another ledger (--ledger)",
                      ledger->path, (long long)version, TACIT_LEDGER_VERSION);
  ledger->version = version;
  if (version < 1) return tacit_ledger_damaged(ledger, "it states no format version", error);
  int64_t mark;
  TACIT_TRY(ask_number(ledger, "PRAGMA user_version", &mark, error));
  ledger->at_home = version < 3 || (uint32_t)mark == ledger->place.mark;
  return TACIT_OK;
}

tacit_status tacit_ledger_store_upgrade(tacit_ledger *ledger, tacit_error *error) {
  char sql[48];
  if (ledger->version == TACIT_LEDGER_VERSION) return TACIT_OK;
  TACIT_TRY(tacit_ledger_run(ledger, tacit_ledger_add_commitment, error));
  snprintf(sql, sizeof sql, "UPDATE meta SET version = %d", TACIT_LEDGER_VERSION);
  TACIT_TRY(tacit_ledger_run(ledger, sql, error));
  TACIT_TRY(tacit_ledger_run(ledger, tacit_ledger_tables[TACIT_LEDGER_OLD_TABLES], error));
  TACIT_TRY(tacit_ledger_home_write(ledger, error));
  ledger->version = TACIT_LEDGER_VERSION;
  return TACIT_OK;
}

static size_t table_count(const tacit_ledger *ledger) {
  return ledger->version < 3 ? TACIT_LEDGER_OLD_TABLES : TACIT_LEDGER_TABLES;
}

static bool is_ours(const tacit_ledger *ledger, const char *sql) {
  for (size_t i = 0; sql && i < table_count(ledger); i++) {
    bool old = ledger->version < 3 && !strncmp(tacit_ledger_tables[i], tacit_ledger_old_entries,
                                               strlen(tacit_ledger_old_entries) - 1);
    if (!strcmp(sql, old ? tacit_ledger_old_entries : tacit_ledger_tables[i])) return true;
  }
  return false;
}

/* Exactly our tables and triggers: a planted trigger or view could change what a statement does. */
static tacit_status check_tables(const tacit_ledger *ledger, tacit_error *error) {
  sqlite3_stmt *statement = NULL;
  size_t found = 0;
  bool ours = true;
  int code = sqlite3_prepare_v2(ledger->db, "SELECT sql FROM sqlite_schema", -1, &statement, NULL);
  if (code == SQLITE_OK)
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
      ours = ours && is_ours(ledger, (const char *)sqlite3_column_text(statement, 0));
      found++;
    }
  sqlite3_finalize(statement);
  if (code != SQLITE_DONE) return tacit_ledger_trouble(ledger, code, error);
  if (ours && found == table_count(ledger)) return TACIT_OK;
  return tacit_ledger_damaged(ledger, "its tables are not the ones that tacit makes", error);
}

static tacit_status read_id(tacit_ledger *ledger, tacit_error *error) {
  sqlite3_stmt *statement = NULL;
  size_t rows = 0;
  bool good = true;
  int code = sqlite3_prepare_v2(ledger->db, "SELECT format, id FROM meta", -1, &statement, NULL);
  if (code == SQLITE_OK)
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
      const char *format = (const char *)sqlite3_column_text(statement, 0);
      const char *id = (const char *)sqlite3_column_text(statement, 1);
      good = good && rows++ == 0 && format && id && !strcmp(format, "tacit-ledger") && tacit_is_hex(id, 32);
      if (good) memcpy(ledger->id, id, sizeof ledger->id);
    }
  sqlite3_finalize(statement);
  if (code != SQLITE_DONE) return tacit_ledger_trouble(ledger, code, error);
  if (!good || rows != 1) return tacit_ledger_damaged(ledger, "it does not say who it is", error);
  tacit_ledger_start_hash(ledger->id, ledger->start);
  return TACIT_OK;
}

tacit_status tacit_ledger_store_check(tacit_ledger *ledger, tacit_error *error) {
  sqlite3_stmt *statement = NULL;
  bool whole = false;
  int code = sqlite3_prepare_v2(ledger->db, "PRAGMA integrity_check(1)", -1, &statement, NULL);
  if (code == SQLITE_OK) code = sqlite3_step(statement);
  if (code == SQLITE_ROW) {
    const char *answer = (const char *)sqlite3_column_text(statement, 0);
    whole = answer && !strcmp(answer, "ok");
  }
  sqlite3_finalize(statement);
  if (code != SQLITE_ROW) return tacit_ledger_trouble(ledger, code, error);
  return whole ? TACIT_OK : tacit_ledger_damaged(ledger, "its pages do not fit together", error);
}

static tacit_status open_database(tacit_ledger *ledger, int flags, int wait_ms, tacit_error *error) {
  sqlite3_close(ledger->db);
  ledger->db = NULL;
  int code = sqlite3_open_v2(ledger->place.path, &ledger->db, flags, NULL);
  if (code != SQLITE_OK) return tacit_ledger_trouble(ledger, code, error);
  sqlite3_extended_result_codes(ledger->db, 1);
  sqlite3_busy_timeout(ledger->db, wait_ms);
  sqlite3_db_config(ledger->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  return TACIT_OK;
}

/* SQLite syncs the folder with every commit, but goes on where it may not open it, or has no descriptor left:
   a journal whose removal is not on the disk can come back with the next start and undo the commit. */
static tacit_status open_folder(tacit_ledger *ledger, tacit_error *error) {
  const char *path = ledger->place.path;
  char *folder = tacit_copy_text(path, (size_t)(strrchr(path, '/') + 1 - path));
  if (!folder) return tacit_no_memory(error);
  ledger->folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  int why = errno;
  free(folder);
  if (ledger->folder >= 0) return TACIT_OK;
  return tacit_fail(error, TACIT_REFUSED,
                    "the folder of the ledger %s cannot be opened (%s), and what is written there could be "
                    "lost with the power. Nothing was spent. Make it readable for you, or choose another "
                    "ledger (--ledger)",
                    ledger->path, strerror(why));
}

static tacit_status look_through(tacit_ledger *ledger, tacit_error *error) {
  TACIT_TRY(tacit_ledger_home_begin(ledger, false, error));
  tacit_status status = tacit_ledger_store_version(ledger, error);
  if (status == TACIT_OK) status = check_tables(ledger, error);
  if (status == TACIT_OK) status = tacit_ledger_store_check(ledger, error);
  if (status == TACIT_OK) status = read_id(ledger, error);
  tacit_ledger_home_end(ledger);
  return status;
}

/* For reading too the file is opened for writing: what a killed program left undone can then be taken back.
   But elsewhere than at home nothing is. */
static tacit_status open_file(tacit_ledger *ledger, bool move, int wait_ms, tacit_error *error) {
  TACIT_TRY(open_database(ledger, SQLITE_OPEN_READWRITE, wait_ms, error));
  TACIT_TRY(tacit_ledger_home_look(ledger, error));
  bool write = ledger->writable && (ledger->at_home || move);
  ledger->wait_ms = wait_ms;
  if (!ledger->at_home && !move) TACIT_TRY(open_database(ledger, SQLITE_OPEN_READONLY, wait_ms, error));
  /* SQLite opens a file that it may not write for reading */
  if (write && sqlite3_db_readonly(ledger->db, "main") == 1)
    return tacit_ledger_trouble(ledger, SQLITE_READONLY, error);
  if (write) TACIT_TRY(open_folder(ledger, error));
  TACIT_TRY(tacit_ledger_run(ledger, SETTINGS, error));
  TACIT_TRY(look_through(ledger, error));
  return tacit_ledger_run(ledger, write ? DURABLE : "PRAGMA query_only = ON", error);
}

tacit_status tacit_ledger_store_open(tacit_ledger *ledger, bool move, int wait_ms, tacit_error *error) {
  char *plain = tacit_ledger_plain_path(ledger->path);
  if (!plain) return tacit_no_memory(error);
  tacit_status status = check_file(ledger, plain, error);
  if (status == TACIT_OK) status = tacit_ledger_home_find(ledger, plain, &ledger->place, error);
  free(plain);
  return status == TACIT_OK ? open_file(ledger, move, wait_ms, error) : status;
}
