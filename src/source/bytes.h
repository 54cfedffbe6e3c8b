/* Where a reader's bytes come from: a file, standard input, or text in memory. */
#ifndef TACIT_SRC_BYTES_H
#define TACIT_SRC_BYTES_H

#include <tacit/base.h>

typedef struct tacit_bytes {
  /* At least one and at most `room` bytes, *got says how many; 0 is the end. */
  tacit_status (*read)(struct tacit_bytes *self, char *into, size_t room, size_t *got, tacit_error *error);
  void (*close)(struct tacit_bytes *self); /* gives back self too */
  uint64_t total;                          /* 0 when not known: pipes, terminals */
  /* Bytes that are all in memory, a mapped file among them; NULL for others. */
  const char *map;
  void (*seek)(struct tacit_bytes *self, uint64_t at); /* the next read begins there; with a map only */
  /* What lies before `to` will not be looked at soon: its pages may go. With a map only; may be NULL. */
  void (*drop)(struct tacit_bytes *self, uint64_t to);
} tacit_bytes;

/* path "-" is standard input, which stays open. A regular file is mapped where that is possible; it must not
   be cut short while it is read. TACIT_BAD_INPUT when there is no file that can be read. */
tacit_status tacit_bytes_file(const char *path, tacit_bytes **bytes, tacit_error *error) TACIT_CHECKED;
/* text must outlive the bytes. */
tacit_status tacit_bytes_text(const char *text, size_t length, tacit_bytes **bytes,
                              tacit_error *error) TACIT_CHECKED;

#endif
