/* The journal beside a ledger, read around SQLite: whether playing it back would undo what was spent since.
 */
#include "ledger/place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
