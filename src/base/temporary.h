/* Files that are written whole under a temporary name beside their own, then renamed or linked. A program
   that is killed leaves such a file behind; the next one that writes beside it takes it away. */
#ifndef TACIT_SRC_TEMPORARY_H
#define TACIT_SRC_TEMPORARY_H

#include "base/base.h"

#define TACIT_TEMPORARY_END ".tacit-tmp"

/* Whether a file is a ledger, or belongs to one: its journal; ledger_file.c. */
bool tacit_is_ledger_file(const char *path);

/* A new file PATH.NUMBER-NUMBER.tacit-tmp with these permissions; its name goes to *name, to be freed. It is
   locked (flock) until it is closed, which tells the living from the dead: whatever of that form beside it
   nobody holds is removed first. -1 with the reason in errno, which is EPERM where path is a ledger: no file
   is to take its place. */
int tacit_temporary_open(const char *path, unsigned permissions, char **name);
/* The same for whoever makes a ledger, and has no file take another's place. */
int tacit_temporary_beside(const char *path, unsigned permissions, char **name);
/* Gives a temporary file its own name, unless there is one, and takes the temporary one away. Other threads
   look for what killed programs left before or after that, never in between: they would open the file that
   by then has its name, and closing it drops locks. 0 or errno. */
int tacit_temporary_link(const char *name, const char *path);

/* Removes temporary names of the very file at path: what is left where a program was killed after it had
   linked the file to its own name. Whoever is about to remove such a name finds it gone, which is as good;
   and no file is opened, because to close one would drop locks that this process has on it. */
void tacit_temporary_unlink(const char *path);

#endif
