/* Which files must not be written over, whoever asks for it: the record of what was spent. */
#include "base/reading.h"
#include "base/temporary.h"

#include <stdlib.h>
#include <string.h>

bool tacit_is_ledger_file(const char *path) {
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
