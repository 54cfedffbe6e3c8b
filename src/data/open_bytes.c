/* A packed table whose bytes are in memory. */
#define _GNU_SOURCE /* memfd_create */
#include "base/base.h"
#include "data/pack.h"
#include "source/source.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

/* The bytes go to a file that has no name and is nowhere but in memory: it can be mapped like any other, with
   the alignment that passes over it need. */
tacit_status tacit_source_packed(const void *bytes, size_t length, size_t part, size_t parts,
                                 tacit_source **source, tacit_error *error) {
  *source = NULL;
  if (parts == 0 || part >= parts) return tacit_fail(error, TACIT_USAGE, "there is no such part of a table");
  int file = memfd_create("tacit", MFD_CLOEXEC);
  if (file < 0) return tacit_no_memory(error);
  const char *from = bytes;
  for (size_t done = 0; done < length;) {
    ssize_t n = write(file, from + done, length - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      close(file);
      return tacit_no_memory(error);
    }
    done += (size_t)n;
  }
  TACIT_TRY(tacit_source_pack(file, "the packed table", source, error));
  (*source)->pack->part = part;
  (*source)->pack->parts = parts;
  return TACIT_OK;
}
