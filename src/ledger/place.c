/* The place where a ledger is at home: its folder, its name and the file itself. */
#define _GNU_SOURCE /* statx */
#include "ledger/place.h"

#include "base/temporary.h"
#include "privacy/field_hash.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

uint32_t tacit_place_mark(const char *plain, int file) {
  const char *name = strrchr(plain, '/') + 1;
  char *folder = tacit_copy_text(plain, (size_t)(name - plain)), digits[65];
  struct stat facts;
  struct statx own = {0}; /* where a file system does not know when a file was made, that is 0 */
  int failed = !folder ? ENOMEM : stat(folder, &facts) ? errno : 0;
  if (!failed && (file >= 0 ? statx(file, "", AT_EMPTY_PATH, STATX_INO | STATX_BTIME, &own)
                            : statx(AT_FDCWD, plain, 0, STATX_INO | STATX_BTIME, &own)))
    failed = errno;
  free(folder);
  if (failed) {
    errno = failed;
    return 0;
  }
  tacit_field_hash hash;
  tacit_field_hash_begin(&hash);
  tacit_field_hash_text(&hash, "tacit-ledger-home");
  tacit_field_hash_count(&hash, facts.st_ino);
  tacit_field_hash_text(&hash, name);
  tacit_field_hash_count(&hash, own.stx_ino);
  tacit_field_hash_count(&hash, (uint64_t)own.stx_btime.tv_sec);
  tacit_field_hash_count(&hash, own.stx_btime.tv_nsec);
  tacit_field_hash_end(&hash, digits);
  digits[8] = 0;
  uint32_t mark = (uint32_t)strtoul(digits, NULL, 16);
  return mark ? mark : 1;
}

bool tacit_place_find(const char *path, tacit_place *place) {
  struct stat facts;
  *place = (tacit_place){.path = realpath(path, NULL)};
  if (!place->path || stat(place->path, &facts) != 0) return false;
  if (facts.st_nlink > 1) { /* a program may have been killed while it made the ledger */
    tacit_temporary_unlink(place->path);
    if (stat(place->path, &facts) != 0) return false;
  }
  place->names = facts.st_nlink;
  place->mark = tacit_place_mark(place->path, -1);
  return place->mark != 0;
}

void tacit_place_free(tacit_place *place) {
  free(place->path);
  place->path = NULL;
}

/* What cannot be seen may be there. */
static bool may_exist(const char *path, const char *end) {
  size_t size = strlen(path) + strlen(end) + 1;
  char *name = tacit_alloc(size, 1);
  if (!name) return true;
  snprintf(name, size, "%s%s", path, end);
  struct stat facts; /* of a link itself: SQLite would write through it */
  bool there = lstat(name, &facts) == 0 || (errno != ENOENT && errno != ENOTDIR);
  free(name);
  return there;
}

bool tacit_place_log(const char *path) {
  return may_exist(path, "-wal");
}

bool tacit_place_journal(const char *path) {
  return may_exist(path, "-journal") || tacit_place_log(path);
}
