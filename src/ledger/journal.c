/* The journal beside a ledger, read around SQLite: whose it is, and how old. */
#include "base/reading.h"
#include "ledger/ledger.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A journal is a header, padded to a sector, and pages as they were, each with its number before and a sum
   behind it (SQLite's file format, section 3). Every transaction keeps page 1, whose header has both numbers.
   SQLite plays back every record that it finds behind a header whose first byte is not 0, also where page 1
   was cut off: so a journal without it is hot and not known, and nobody's. Our own writers put the first byte
   there once all records are on the disk. */
static void find_page(int file, tacit_journal *journal) {
  static const unsigned char MAGIC[] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};
  enum {
    SECTOR_AT = 20,
    PAGE_AT = 24,
    HEADER = 28,
    COUNT_AT = 24,
    MARK_AT = 60,
    APPLICATION_AT = 68,
    PAGES_MAX = 1 << 16
  };
  unsigned char header[HEADER], record[4 + APPLICATION_AT + 4];
  ssize_t length = pread(file, header, HEADER, 0);
  journal->hot = length < 0 || (length > 0 && header[0] != 0);
  if (length != HEADER || memcmp(header, MAGIC, sizeof MAGIC) != 0) return;
  off_t at = (off_t)tacit_number_at(header + SECTOR_AT), page = (off_t)tacit_number_at(header + PAGE_AT);
  for (int i = 0; i < PAGES_MAX; i++, at += 4 + page + 4) {
    if (pread(file, record, sizeof record, at) != (ssize_t)sizeof record) return;
    if (tacit_number_at(record) != 1) continue;
    journal->known = true;
    journal->count = tacit_number_at(record + 4 + COUNT_AT);
    journal->mark = tacit_number_at(record + 4 + MARK_AT);
    journal->ours = tacit_number_at(record + 4 + APPLICATION_AT) == TACIT_LEDGER_APPLICATION;
    return;
  }
}

bool tacit_journal_read(const char *path, tacit_journal *journal) {
  size_t size = strlen(path) + sizeof "-journal";
  char *name = tacit_alloc(size, 1);
  struct stat facts;
  *journal = (tacit_journal){.there = false};
  if (!name) return false;
  snprintf(name, size, "%s-journal", path);
  /* to open a pipe would wait for somebody at its other end, here and in SQLite; a ledger that has a
     journal's name is hot and not known */
  int file = tacit_reading_open(name, O_NONBLOCK | O_NOFOLLOW);
  bool seen = (file >= 0 ? fstat(file, &facts) : lstat(name, &facts)) == 0; /* which needs no descriptor */
  journal->there = file >= 0 || seen || errno != ENOENT;
  journal->strange = seen && !S_ISREG(facts.st_mode);
  journal->hot = journal->there; /* one that cannot be opened here, SQLite may be able to open */
  if (file >= 0 && !journal->strange) find_page(file, journal);
  if (file >= 0) close(file);
  free(name);
  return true;
}
