/* Which files must not be written over, whoever asks for it: the record of what was spent. */
#include "base/temporary.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* An SQLite database with the ledger's application id (docs/formats/ledger.md). */
static bool holds_ledger(const char *path) {
  enum { APPLICATION_AT = 68, SIZE = APPLICATION_AT + 4 };
  char header[SIZE];
  struct stat facts;
  int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return false;
  bool is = fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) && pread(file, header, SIZE, 0) == SIZE &&
            !memcmp(header, "SQLite format 3", 16) && !memcmp(header + APPLICATION_AT, "tclg", 4);
  /* To close a ledger drops all locks that this process has on it, in the middle of another thread's spending
     perhaps: one descriptor stays open with each refusal. */
  if (!is) close(file);
  return is;
}

bool tacit_is_ledger_file(const char *path) {
  static const char *const ENDS[] = {"-journal", "-wal", "-shm"};
  size_t length = strlen(path);
  bool is = holds_ledger(path);
  for (size_t i = 0; !is && i < sizeof ENDS / sizeof *ENDS; i++) {
    size_t end = strlen(ENDS[i]);
    char *owner =
        length > end && !strcmp(path + length - end, ENDS[i]) ? tacit_copy_text(path, length - end) : NULL;
    is = owner && holds_ledger(owner);
    free(owner);
  }
  return is;
}
