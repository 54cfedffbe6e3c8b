/* Files that are written whole under a temporary name beside their own, then renamed or linked. A program
   that is killed leaves such a file behind; the next one that writes beside it takes it away. */
#ifndef TACIT_SRC_TEMPORARY_H
#define TACIT_SRC_TEMPORARY_H

#include "base/base.h"

#define TACIT_TEMPORARY_END ".tacit-tmp"

/* A new file PATH.NUMBER-NUMBER.tacit-tmp with these permissions; its name goes to *name, to be freed. It is
   locked (flock) until it is closed, which tells the living from the dead: whatever of that form beside it
   nobody holds is removed first. -1 with the reason in errno. */
int tacit_temporary_open(const char *path, unsigned permissions, char **name);

/* Removes temporary names of the very file at path: what is left where a program was killed after it had
   linked the file to its own name. Whoever is about to remove such a name finds it gone, which is as good;
   and no file is opened, because to close one would drop locks that this process has on it. */
void tacit_temporary_unlink(const char *path);

#endif
