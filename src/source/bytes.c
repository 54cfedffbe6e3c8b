/* Reads bytes from a file, standard input, or text in memory. */
#include "source/bytes.h"

#include "base/reading.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct file_bytes {
  tacit_bytes base;
  int descriptor;
  bool owned; /* standard input is not */
} file_bytes;

typedef struct text_bytes {
  tacit_bytes base;
  uint64_t at, dropped;
  char *mapped; /* a mapped file; NULL for text of the caller's */
} text_bytes;

/* The operating system's own words; strerror is not safe between threads. */
static const char *reason(int code, char *text, size_t size) {
  return strerror_r(code, text, size) == 0 ? text : "unknown error";
}

static tacit_status file_read(tacit_bytes *self, char *into, size_t room, size_t *got, tacit_error *error) {
  const file_bytes *file = (const file_bytes *)self;
  ssize_t n;
  do n = read(file->descriptor, into, room);
  while (n < 0 && errno == EINTR);
  if (n < 0) {
    char words[128];
    return tacit_fail(error, TACIT_INTERNAL, "reading failed: %s", reason(errno, words, sizeof words));
  }
  *got = (size_t)n;
  return TACIT_OK;
}

static void file_close(tacit_bytes *self) {
  file_bytes *file = (file_bytes *)self;
  if (file->owned) close(file->descriptor);
  free(file);
}

static tacit_status text_read(tacit_bytes *self, char *into, size_t room, size_t *got, tacit_error *error) {
  (void)error;
  text_bytes *text = (text_bytes *)self;
  uint64_t left = self->total - text->at;
  *got = left < room ? (size_t)left : room;
  if (*got) memcpy(into, self->map + text->at, *got);
  text->at += *got;
  return TACIT_OK;
}

static void text_seek(tacit_bytes *self, uint64_t at) {
  ((text_bytes *)self)->at = at;
}

/* Whole pages only. The file still has them: they come back if anyone asks. */
static void map_drop(tacit_bytes *self, uint64_t to) {
  text_bytes *text = (text_bytes *)self;
  to -= to % (uint64_t)sysconf(_SC_PAGESIZE);
  if (to <= text->dropped) return;
  (void)madvise(text->mapped + text->dropped, (size_t)(to - text->dropped), MADV_DONTNEED);
  text->dropped = to;
}

static void text_close(tacit_bytes *self) {
  text_bytes *text = (text_bytes *)self;
  if (text->mapped) munmap(text->mapped, (size_t)self->total);
  free(self);
}

/* The file as text in memory; NULL when it cannot be mapped, and is then read. */
static tacit_bytes *map_file(int descriptor, uint64_t size) {
  text_bytes *text = tacit_alloc(1, sizeof *text);
  void *map = text ? mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, descriptor, 0) : MAP_FAILED;
  if (map == MAP_FAILED) {
    free(text);
    return NULL;
  }
  (void)madvise(map, (size_t)size, MADV_SEQUENTIAL);
  (void)madvise(map, (size_t)size, MADV_DONTDUMP);
  *text = (text_bytes){.base = {.read = text_read,
                                .close = text_close,
                                .total = size,
                                .map = map,
                                .seek = text_seek,
                                .drop = map_drop},
                       .mapped = map};
  return &text->base;
}

/* A wrong path is the caller's to mend; a full descriptor table or a broken disk is not. */
static tacit_status open_failed(const char *path, int code, tacit_error *error) {
  char words[128];
  switch (code) {
  case ENOENT:
  case ENOTDIR:
    return tacit_fail(error, TACIT_BAD_INPUT, "no such file: %.300s", path);
  case EACCES:
  case EPERM:
    return tacit_fail(error, TACIT_BAD_INPUT, "no permission to read %.300s", path);
  case ELOOP:
  case ENAMETOOLONG:
  case ENXIO:
    return tacit_fail(error, TACIT_BAD_INPUT, "cannot open %.300s: %s", path,
                      reason(code, words, sizeof words));
  default:
    return tacit_fail(error, TACIT_INTERNAL, "cannot open %.300s: %s", path,
                      reason(code, words, sizeof words));
  }
}

tacit_status tacit_bytes_file(const char *path, tacit_bytes **bytes, tacit_error *error) {
  *bytes = NULL;
  file_bytes *file = tacit_alloc(1, sizeof *file);
  if (!file) return tacit_no_memory(error);
  bool standard = strcmp(path, "-") == 0;
  int descriptor = standard ? STDIN_FILENO : tacit_reading_open(path, 0);
  if (descriptor < 0) {
    int code = errno;
    free(file);
    if (descriptor == TACIT_READING_LEDGER) return tacit_reading_refused(path, error);
    return open_failed(path, code, error);
  }
  *file =
      (file_bytes){{.read = file_read, .close = file_close}, .descriptor = descriptor, .owned = !standard};
  struct stat about;
  bool known = fstat(descriptor, &about) == 0;
  if (known && S_ISDIR(about.st_mode)) {
    file_close(&file->base);
    return tacit_fail(error, TACIT_BAD_INPUT, "%.300s is a directory; name a CSV file", path);
  }
  bool sized = known && S_ISREG(about.st_mode) && about.st_size > 0;
  if (sized) file->base.total = (uint64_t)about.st_size;
  /* standard input may have been read in part */
  *bytes = sized && !standard ? map_file(descriptor, file->base.total) : NULL;
  if (*bytes)
    file_close(&file->base);
  else
    *bytes = &file->base;
  return TACIT_OK;
}

tacit_status tacit_bytes_text(const char *text, size_t length, tacit_bytes **bytes, tacit_error *error) {
  text_bytes *self = tacit_alloc(1, sizeof *self);
  *bytes = NULL;
  if (!self) return tacit_no_memory(error);
  *self = (text_bytes){.base = {.read = text_read,
                                .close = text_close,
                                .total = length,
                                .map = text ? text : "",
                                .seek = text_seek}};
  *bytes = &self->base;
  return TACIT_OK;
}
