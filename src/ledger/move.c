/* A ledger that was moved, copied or restored gets another home: on its owner's word, as far as nothing that
   can be seen speaks against it. */
#define _GNU_SOURCE /* O_PATH */
#include "ledger/ledger.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* A path from the file, which may be anybody's text. */
static const char *shown(const char *path) {
  return tacit_plain_text(path, 1, 4096) ? path : "its old place";
}

/* As far as can be seen from here: the ledger is not where it was, and left nothing undone there. */
static tacit_status check_old(const tacit_ledger *ledger, const char *path, tacit_error *error) {
  tacit_ledger *other = NULL;
  char *real = realpath(path, NULL);
  bool here = !strcmp(real ? real : path, ledger->place.path);
  free(real);
  if (here) return TACIT_OK; /* another file in its place, restored; or a link that leads here */
  tacit_status status = tacit_ledger_open(path, TACIT_LEDGER_READ, 0, &other, NULL);
  bool copy = status == TACIT_OK ? !strcmp(other->id, ledger->id) : status != TACIT_BAD_INPUT;
  tacit_ledger_close(other);
  if (copy)
    return tacit_fail(error, TACIT_REFUSED,
                      "the ledger is still at %.200s, or something that cannot be read: two of them would "
                      "spend the same budget. Use that one, or take it away first",
                      shown(path));
  if (status != TACIT_OK && tacit_place_journal(path))
    return tacit_fail(error, TACIT_REFUSED,
                      "a program was ended while it wrote the ledger at %.200s, where its journal is left. "
                      "Put the ledger back there, look at it (tacit ledger show) and move it then",
                      shown(path));
  return TACIT_OK;
}

/* What a folder's entry is to a ledger that was at home at a name: the very file, so that a rename would put
   it back, and its mark would be right again; one that went on under another name, and is at home there; or
   one that may be it and cannot be read. */
typedef enum finding { OTHER, ORIGINAL, LIVE, UNREAD } finding;

/* A ledger that is at home where it is: whether it is this one. */
static finding same_ledger(const tacit_ledger *ledger, const char *path) {
  tacit_ledger *other = NULL;
  tacit_status status = tacit_ledger_open(path, TACIT_LEDGER_READ, ledger->wait_ms, &other, NULL);
  finding found = status != TACIT_OK ? UNREAD : strcmp(other->id, ledger->id) ? OTHER : LIVE;
  tacit_ledger_close(other);
  return found;
}

/* `old` and `here` are where it was at home: as it remembers, and by that name in the folder that is looked
   through, whose own name may have changed since. */
static finding was_at(const tacit_ledger *ledger, int folder, const char *path, const char *old,
                      const char *here) {
  enum { PAGE_MIN = 512 }; /* SQLite's: a smaller file is no ledger. What somebody appended does not matter */
  struct stat facts;
  finding found = OTHER;
  uint32_t mark = 0;
  int file = openat(folder, strrchr(path, '/') + 1, O_PATH | O_NOFOLLOW | O_CLOEXEC); /* drops no locks */
  if (file < 0) return errno == ENOENT ? OTHER : UNREAD;
  if (fstat(file, &facts) != 0)
    found = UNREAD;
  else if (S_ISREG(facts.st_mode) && facts.st_size >= PAGE_MIN) {
    if (!tacit_ledger_mark_of(path, &mark))
      found = access(path, F_OK) != 0 && errno == ENOENT ? OTHER : UNREAD;
    else if (mark && (mark == tacit_place_mark(old, file) || mark == tacit_place_mark(here, file)))
      found = ORIGINAL;
    else if (mark && mark == tacit_place_mark(path, file))
      found = same_ledger(ledger, path);
  }
  close(file);
  return found;
}

static tacit_status say(finding found, const char *path, tacit_error *error) {
  if (found == ORIGINAL)
    return tacit_fail(error, TACIT_REFUSED,
                      "%.200s is the ledger as it was put aside: two of them would spend the same budget. "
                      "Give it its name back and use that one, or remove it",
                      shown(path));
  if (found == LIVE)
    return tacit_fail(
        error, TACIT_REFUSED,
        "%.200s is this ledger too, and at home there: two of them would spend the same budget. "
        "Use that one, or take it away first",
        shown(path));
  if (found == UNREAD)
    return tacit_fail(error, TACIT_REFUSED,
                      "%.200s cannot be read, and may be the ledger as it was put aside: two of them would "
                      "spend the same budget. Make it readable, or take it away",
                      shown(path));
  return TACIT_OK;
}

/* The ledger may have been put aside by a rename: looked for in the folder of a path. */
static tacit_status check_beside(const tacit_ledger *ledger, const char *within, const char *old,
                                 tacit_error *error) {
  const char *name = strrchr(old, '/') + 1;
  size_t length = (size_t)(strrchr(within, '/') + 1 - within), size = length + strlen(name) + NAME_MAX + 1;
  char *path = tacit_alloc(size, 1), *here = tacit_alloc(size, 1);
  finding found = OTHER;
  tacit_status status = path && here ? TACIT_OK : tacit_no_memory(error);
  if (status == TACIT_OK) {
    memcpy(path, within, length);
    snprintf(here, size, "%s%s", path, name);
    DIR *list = opendir(path);
    if (!list && errno != ENOENT && errno != ENOTDIR) found = UNREAD;
    const struct dirent *entry;
    while (!found && list && (errno = 0, entry = readdir(list))) {
      snprintf(path + length, size - length, "%s", entry->d_name);
      if (strcmp(path, ledger->place.path) != 0) found = was_at(ledger, dirfd(list), path, old, here);
    }
    if (!found && list && errno != 0) { /* the list ended too soon */
      found = UNREAD;
      path[length] = 0;
    }
    status = say(found, path, error);
    if (list) closedir(list);
  }
  free(here);
  free(path);
  return status;
}

static tacit_status check_places(const tacit_ledger *ledger, const char *old, tacit_error *error) {
  if (*old != '/') return TACIT_OK; /* somebody else wrote it */
  TACIT_TRY(check_old(ledger, old, error));
  TACIT_TRY(check_beside(ledger, ledger->place.path, old, error));
  return check_beside(ledger, old, old, error);
}

/* A file system may know no such locks. */
static tacit_status lock_folder(const tacit_ledger *ledger, int folder, tacit_error *error) {
  enum { PAUSE_MS = 10 };
  for (int waited = 0; flock(folder, LOCK_EX | LOCK_NB) != 0; waited += PAUSE_MS) {
    if (errno != EWOULDBLOCK && errno != EINTR) return TACIT_OK;
    if (waited >= ledger->wait_ms)
      return tacit_fail(error, TACIT_REFUSED,
                        "a folder of the ledger %.300s is in use by another program, which holds a lock on "
                        "it; fuser on the folder "
                        "names who",
                        ledger->path);
    sqlite3_sleep(PAUSE_MS);
  }
  return TACIT_OK;
}

/* The folder where it was, locked in *folder; -1 where that is the one where it is, or cannot be opened,
   which is said when it is looked through. */
static tacit_status lock_old(const tacit_ledger *ledger, const char *old, int *folder, tacit_error *error) {
  struct stat here, there;
  *folder = -1;
  if (*old != '/') return TACIT_OK;
  char *path = tacit_copy_text(old, (size_t)(strrchr(old, '/') + 1 - old));
  if (!path) return tacit_no_memory(error);
  int opened = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  free(path);
  if (opened < 0) return TACIT_OK;
  bool other = fstat(ledger->folder, &here) == 0 && fstat(opened, &there) == 0 &&
               (here.st_dev != there.st_dev || here.st_ino != there.st_ino);
  tacit_status status = other ? lock_folder(ledger, opened, error) : TACIT_OK;
  if (other && status == TACIT_OK)
    *folder = opened;
  else
    close(opened);
  return status;
}

static tacit_status look_and_mark(tacit_ledger *ledger, const char *old, tacit_error *error) {
  if (old) TACIT_TRY(check_places(ledger, old, error));
  TACIT_TRY(tacit_ledger_home_look(ledger, error));
  TACIT_TRY(tacit_ledger_home_begin(ledger, true, error));
  tacit_status status = tacit_ledger_home_write(ledger, error);
  if (status == TACIT_OK) status = tacit_ledger_commit(ledger, error);
  tacit_ledger_home_end(ledger);
  return status;
}

/* From the first look to the mark both folders are locked: of two copies that are moved at the same time, the
   second finds the first at home. */
tacit_status tacit_ledger_home_move(tacit_ledger *ledger, tacit_error *error) {
  char *old = NULL;
  int old_folder = -1;
  TACIT_TRY(tacit_ledger_name_check(ledger->path, ledger->place.path, error));
  TACIT_TRY(tacit_ledger_home_begin(ledger, false, error));
  old = old_path(ledger);
  tacit_ledger_home_end(ledger);
  tacit_status status = lock_folder(ledger, ledger->folder, error);
  if (status == TACIT_OK && old) status = lock_old(ledger, old, &old_folder, error);
  if (status == TACIT_OK) status = look_and_mark(ledger, old, error);
  if (old_folder >= 0) {
    flock(old_folder, LOCK_UN); /* a child may hold it too */
    close(old_folder);
  }
  flock(ledger->folder, LOCK_UN);
  free(old);
  if (status == TACIT_OK) ledger->at_home = true;
  return status;
}
