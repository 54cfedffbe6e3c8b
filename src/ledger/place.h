/* The place where a ledger is at home. What a killed program left undone is undone from a journal beside the
   file, whose name is the file's and "-journal": under another name, or in another folder, the journal is not
   seen, and one that was left there long ago may be. So a ledger has one name, and remembers which
   (proofs/ledger.md, Claim 7). */
#ifndef TACIT_SRC_LEDGER_PLACE_H
#define TACIT_SRC_LEDGER_PLACE_H

#include "base/base.h"

/* Where a file is. Its mark is what the ledger remembers of it, in SQLite's user_version: 32 bits of a hash
   of the folder's inode, the file's name in it and the file's own inode, never 0. A folder that is renamed or
   mounted elsewhere takes its journals along, and keeps its inode. */
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
/* The mark of a file that will get this name in its folder: `plain` has a slash and need not be there yet.
   0 with the reason in errno. */
uint32_t tacit_place_mark(const char *plain, uint64_t file);

#endif
