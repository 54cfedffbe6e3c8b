/* Files that are opened to be read, none of them a ledger. To close a file drops all locks that the process
   has on it, whoever took them: a ledger that was opened as a table, a policy or a key, and closed, would let
   another program write in the middle of a spending of this one. */
#ifndef TACIT_SRC_READING_H
#define TACIT_SRC_READING_H

#include "base/base.h"

#include <stdio.h>
#include <sys/stat.h>

/* Opens a file for reading, with flags besides. TACIT_READING_LEDGER, and errno EPERM, for a ledger, which
   then stays open, as does what cannot be read to see: one descriptor for each, however often it is asked
   for. -1 with the reason in errno otherwise. What is no ledger is closed with close(). */
enum { TACIT_READING_LEDGER = -2 };
int tacit_reading_open(const char *path, int flags);
/* The same as a stream; NULL with the reason in errno, and whether it is a ledger in *ledger. */
FILE *tacit_reading_stream(const char *path, bool *ledger);
/* Whether a ledger is there, or something that cannot be opened to see: for whoever lets others open the
   file, or writes over it. */
bool tacit_reading_is_ledger(const char *path);
/* Whether a file is a ledger that was refused before, and is open here since. */
bool tacit_reading_is_kept(const struct stat *facts);
/* Closes a file that may have become a ledger since it was opened: then it stays open. */
void tacit_reading_close(int file);
/* The one text by which a file may be given to another library, to be freed: its real path, which begins with
   a slash, so that nobody takes it for a home folder, an address or a pattern (~/L.db, file:///L.db, a*.db)
   and finds another file by it than was looked at here. It is that of a regular file that is no ledger.
   Whoever is given it opens it by name again: what takes its place in between is not seen. */
tacit_status tacit_reading_real(const char *path, char **real, tacit_error *error);
/* TACIT_BAD_INPUT, with what to do. */
tacit_status tacit_reading_refused(const char *path, tacit_error *error);

#endif
