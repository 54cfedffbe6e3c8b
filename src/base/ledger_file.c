/* Which files must not be written over, whoever asks for it: the record of what was spent. */
#include "base/reading.h"
#include "base/temporary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Whether it is a ledger, or has the name of what SQLite writes beside one. */
static bool is_named_so(const char *path) {
  static const char *const ENDS[] = {"-journal", "-wal", "-shm"};
  size_t length = strlen(path);
  bool is = tacit_reading_is_ledger(path);
  for (size_t i = 0; !is && i < sizeof ENDS / sizeof *ENDS; i++) {
    size_t end = strlen(ENDS[i]);
    char *owner =
        length > end && !strcmp(path + length - end, ENDS[i]) ? tacit_copy_text(path, length - end) : NULL;
    is = owner && tacit_reading_is_ledger(owner);
    free(owner);
  }
  return is;
}

/* What a symbolic link says, seen from the link's own folder; to be freed. NULL where there is no link, or no
   memory, which is in errno. */
static char *follow(const char *path) {
  enum { LONGEST = 4096 };
  const char *slash = strrchr(path, '/');
  size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
  char *next = tacit_alloc(folder + LONGEST + 1, 1);
  if (!next) errno = ENOMEM;
  ssize_t length = next ? readlink(path, next + folder, LONGEST) : -1;
  if (length < 0) {
    int why = next ? errno : ENOMEM;
    free(next);
    errno = why;
    return NULL;
  }
  next[folder + (size_t)length] = 0;
  if (next[folder] == '/')
    memmove(next, next + folder, (size_t)length + 1);
  else
    memcpy(next, path, folder);
  return next;
}

/* Whoever writes follows links, also to a journal that is not there yet: each name on the way is asked. */
bool tacit_is_ledger_file(const char *path) {
  enum { LINKS_MAX = 64 }; /* more than any system follows */
  bool is = is_named_so(path);
  char *at = NULL;
  for (int i = 0; !is && i < LINKS_MAX; i++) {
    char *next = follow(at ? at : path);
    if (!next) {
      is = errno == ENOMEM; /* without memory nothing is written */
      break;
    }
    free(at);
    at = next;
    is = is_named_so(at);
  }
  free(at);
  return is;
}
