/* The place where a ledger is at home. What a killed program left undone is undone from a journal beside the
   file, whose name is the file's and "-journal": under another name, or in another folder, the journal is not
   seen, and one that was left there long ago may be. So a ledger has one name, and remembers which
   (proofs/ledger.md, Claim 7). */
#ifndef TACIT_SRC_LEDGER_PLACE_H
#define TACIT_SRC_LEDGER_PLACE_H

#include "base/base.h"

/* Where a file is. Its mark is what the ledger remembers of it, in SQLite's user_version: 32 bits of a hash
   of the folder's inode, the file's name in it, the file's own inode and when that was made, never 0. A
   folder that is renamed or mounted elsewhere takes its journals along, and keeps its inode. A file that is
   put back from a backup may get the inode of the one before, or the number that it had on another disk, but
   it is made anew. */
typedef struct tacit_place {
  char *path; /* canonical, through all symbolic links; owned */
  uint32_t mark;
  unsigned long names; /* hard links */
} tacit_place;

/* To be given to tacit_place_free, also after a failure. False with the reason in errno. */
bool tacit_place_find(const char *path, tacit_place *place);
void tacit_place_free(tacit_place *place);
/* Whether a journal is beside it, SQLite's or, if somebody changed the file's mode, its write-ahead log. */
bool tacit_place_journal(const char *path);
bool tacit_place_log(const char *path); /* the latter alone */
/* The mark of an open file that will get this name in its folder, or with -1 of the file that has it: `plain`
   has a slash. 0 with the reason in errno. */
uint32_t tacit_place_mark(const char *plain, int file);

/* A number as SQLite's files have it: four bytes, the highest first. */
static inline uint32_t tacit_number_at(const unsigned char *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* What is beside a ledger under its journal's name; journal.c. */
typedef struct tacit_journal {
  bool there, strange;  /* strange: no regular file, which nobody should open */
  bool hot;             /* SQLite would play it back, or it cannot be read */
  bool known;           /* it has page 1 as it was, and so the two numbers */
  bool ours;            /* page 1 has the ledger's application id */
  uint32_t count, mark; /* SQLite's count of changes, and user_version */
} tacit_journal;
/* Opens nothing but a regular file, and waits for nobody. False when memory is short. */
bool tacit_journal_read(const char *path, tacit_journal *journal) TACIT_CHECKED;

#endif
