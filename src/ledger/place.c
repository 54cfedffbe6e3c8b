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
  bool there = access(name, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR);
  free(name);
  return there;
}

bool tacit_place_journal(const char *path) {
  return may_exist(path, "-journal") || may_exist(path, "-wal");
}

/* A journal is a header, padded to a sector, and pages as they were, each with its number before and a sum
   behind it (SQLite's file format, section 3). Every transaction keeps page 1, which has the count of changes
   at byte 24. */
static bool find_count(FILE *file, uint32_t *count) {
  static const unsigned char MAGIC[] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};
  enum { SECTOR_AT = 20, PAGE_AT = 24, HEADER = 28, COUNT_AT = 24, PAGES_MAX = 1 << 16 };
  unsigned char header[HEADER], record[4 + COUNT_AT + 4];
  if (fread(header, 1, HEADER, file) != HEADER || memcmp(header, MAGIC, sizeof MAGIC) != 0) return false;
  long at = (long)tacit_number_at(header + SECTOR_AT), page = (long)tacit_number_at(header + PAGE_AT);
  for (int i = 0; i < PAGES_MAX; i++, at += 4 + page + 4) {
    if (fseek(file, at, SEEK_SET) != 0 || fread(record, 1, sizeof record, file) != sizeof record)
      return false;
    if (tacit_number_at(record) != 1) continue;
    *count = tacit_number_at(record + 4 + COUNT_AT);
    return true;
  }
  return false;
}

bool tacit_journal_stale(const char *path, uint32_t changes) {
  size_t size = strlen(path) + sizeof "-journal";
  char *name = tacit_alloc(size, 1);
  uint32_t count = 0;
  if (!name) return true;
  snprintf(name, size, "%s-journal", path);
  FILE *file = fopen(name, "re");
  bool found =
      file && find_count(file, &count); /* without page 1 SQLite plays nothing back that was committed */
  if (file) fclose(file);
  free(name);
  return found && (uint64_t)count + 1 < changes;
}
