/* A new ledger: built whole under a temporary name, then linked to its own, so that a crash leaves no half a
   ledger and two programs that begin at once share one file. */
#include "base/temporary.h"
#include "ledger/ledger.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ENTRIES                                                                                              \
  "CREATE TABLE entries (sequence INTEGER PRIMARY KEY, kind TEXT NOT NULL, label TEXT NOT NULL, "            \
  "measure TEXT NOT NULL, amount TEXT NOT NULL, method TEXT NOT NULL, schema TEXT NOT NULL, "                \
  "date TEXT NOT NULL, nonce TEXT NOT NULL, previous TEXT NOT NULL, hash TEXT NOT NULL"
#define COMMITMENT "commitment TEXT NOT NULL DEFAULT ''"

/* As SQLite writes it when the column is added, so that a new ledger and an upgraded one are the same. */
const char tacit_ledger_old_entries[] = ENTRIES ")";
const char tacit_ledger_add_commitment[] = "ALTER TABLE entries ADD COLUMN " COMMITMENT;

/* The triggers stop a slip of the hand; the chain and the receipts find the rest. */
const char *const tacit_ledger_tables[TACIT_LEDGER_TABLES] = {
    "CREATE TABLE meta (format TEXT NOT NULL, version INTEGER NOT NULL, id TEXT NOT NULL)",
    ENTRIES ", " COMMITMENT ")",
    "CREATE TRIGGER keep_entries BEFORE DELETE ON entries BEGIN SELECT RAISE(ABORT, 'append only'); END",
    "CREATE TRIGGER fix_entries BEFORE UPDATE ON entries BEGIN SELECT RAISE(ABORT, 'append only'); END",
    "CREATE TABLE home (path TEXT NOT NULL)",
};

char *tacit_ledger_plain_path(const char *path) {
  size_t size = strlen(path) + 3;
  char *plain = tacit_alloc(size, 1);
  if (plain) snprintf(plain, size, "%s%s", path[0] == '/' ? "" : "./", path);
  return plain;
}

/* Fills the file behind ledger->db; synchronous, so that it is on the disk before it gets its name. */
static tacit_status fill(const tacit_ledger *ledger, tacit_error *error) {
  char id[TACIT_LEDGER_NONCE_SIZE], sql[160];
  TACIT_TRY(tacit_ledger_nonce(id, error));
  TACIT_TRY(
      tacit_ledger_run(ledger, "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = FULL; BEGIN", error));
  for (size_t i = 0; i < TACIT_LEDGER_TABLES; i++)
    TACIT_TRY(tacit_ledger_run(ledger, tacit_ledger_tables[i], error));
  snprintf(sql, sizeof sql, "INSERT INTO meta VALUES ('tacit-ledger', %d, '%s'); PRAGMA application_id = %d",
           TACIT_LEDGER_VERSION, id, TACIT_LEDGER_APPLICATION);
  TACIT_TRY(tacit_ledger_run(ledger, sql, error));
  TACIT_TRY(tacit_ledger_home_write(ledger, error));
  return tacit_ledger_run(ledger, "COMMIT", error);
}

/* The place that a file has once it gets its name: the canonical folder, and the name in it. */
static bool place_of(const char *plain, int file, tacit_place *place) {
  const char *name = strrchr(plain, '/') + 1;
  char *folder = tacit_copy_text(plain, (size_t)(name - plain)),
       *real = folder ? realpath(folder, NULL) : NULL;
  size_t size = real ? strlen(real) + strlen(name) + 2 : 0;
  *place = (tacit_place){.path = real ? tacit_alloc(size, 1) : NULL, .names = 1};
  if (place->path) snprintf(place->path, size, "%s/%s", strcmp(real, "/") ? real : "", name);
  if (place->path) place->mark = tacit_place_mark(place->path, file);
  free(real);
  free(folder);
  return place->mark != 0;
}

static tacit_status build(const char *path, const char *plain, const char *temporary, int file,
                          tacit_error *error) {
  tacit_ledger making = {.path = tacit_copy_text(path, strlen(path)), .folder = -1};
  tacit_status status;
  if (!making.path || !place_of(plain, file, &making.place)) { /* its folder is there */
    status = tacit_no_memory(error);
  } else {
    int code = sqlite3_open_v2(temporary, &making.db, SQLITE_OPEN_READWRITE, NULL);
    status = code == SQLITE_OK ? fill(&making, error) : tacit_ledger_trouble(&making, code, error);
  }
  sqlite3_close(making.db);
  tacit_place_free(&making.place);
  free(making.path);
  return status;
}

/* A file's name is durable when its folder is. */
static bool sync_folder(const char *plain) {
  char *folder = tacit_copy_text(plain, strlen(plain));
  if (!folder) return false;
  *(strrchr(folder, '/') + 1) = 0; /* a plain path has a slash */
  int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  bool done = file >= 0 && fsync(file) == 0;
  if (file >= 0) close(file);
  free(folder);
  return done;
}

/* link, unlike rename, never replaces a ledger that another program made meanwhile. Such a program may also
   have taken the temporary file, which nobody holds any more, for one that was left: then *swept. */
static tacit_status publish(const char *path, const char *plain, const char *temporary, bool *swept,
                            tacit_error *error) {
  int failed = tacit_temporary_link(temporary, plain);
  *swept = failed == ENOENT;
  if (failed == EEXIST || *swept) return TACIT_OK;
  if (failed)
    return tacit_fail(error, TACIT_REFUSED, "cannot make the ledger %s: %s; choose another place (--ledger)",
                      path, strerror(failed));
  if (sync_folder(plain)) return TACIT_OK;
  return tacit_fail(error, TACIT_INTERNAL, "the folder of the ledger %s could not be written to disk", path);
}

/* Builds the file under its temporary name; readable and writable for the owner alone. */
static tacit_status make(const char *path, const char *plain, bool *swept, tacit_error *error) {
  char *temporary = NULL;
  int file = tacit_temporary_beside(plain, 0600, &temporary);
  tacit_status status;
  if (file < 0) {
    status = tacit_fail(error, errno == ENOENT ? TACIT_BAD_INPUT : TACIT_REFUSED,
                        "cannot make the ledger %s: %s; make its folder, or choose another place (--ledger)",
                        path, strerror(errno));
  } else {
    status = build(path, plain, temporary, file, error);
    /* Closing drops all locks that this process has on the file: not once another thread may have opened it.
     */
    close(file);
    if (status == TACIT_OK)
      status = publish(path, plain, temporary, swept, error);
    else
      unlink(temporary);
  }
  free(temporary);
  return status;
}

/* Again while others take away what was made. */
static tacit_status make_in_the_end(const char *path, const char *plain, tacit_error *error) {
  enum { ATTEMPTS = 100 };
  bool swept = true;
  for (int i = 0; swept && i < ATTEMPTS; i++) {
    swept = false;
    TACIT_TRY(make(path, plain, &swept, error));
  }
  if (!swept) return TACIT_OK;
  return tacit_fail(error, TACIT_REFUSED, "cannot make the ledger %s: other programs take it away; try again",
                    path);
}

tacit_status tacit_ledger_name_check(const char *path, const char *plain, tacit_error *error) {
  static const char *const ENDS[] = {"-journal", "-wal", "-shm", TACIT_TEMPORARY_END};
  size_t length = strlen(plain);
  for (size_t i = 0; i < sizeof ENDS / sizeof *ENDS; i++)
    if (length > strlen(ENDS[i]) && !strcmp(plain + length - strlen(ENDS[i]), ENDS[i]))
      return tacit_fail(error, TACIT_BAD_INPUT,
                        "a ledger cannot be named %s: files whose names end in %s are taken away with the "
                        "file that they are named after. Choose another name",
                        path, ENDS[i]);
  return TACIT_OK;
}

tacit_status tacit_ledger_create(const char *path, tacit_error *error) {
  char *plain = tacit_ledger_plain_path(path);
  tacit_status status = plain ? tacit_ledger_name_check(path, plain, error) : tacit_no_memory(error);
  if (status == TACIT_OK && tacit_place_journal(plain) &&
      access(plain, F_OK) != 0) /* it would be played into the new one */
    status = tacit_fail(error, TACIT_BAD_INPUT,
                        "there is no ledger %s but its journal is left; restore both from a backup, or move "
                        "the journal away to begin anew",
                        path);
  else if (status == TACIT_OK)
    status = make_in_the_end(path, plain, error);
  free(plain);
  return status;
}
