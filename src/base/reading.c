/* Opening files to read them, and ledgers not at all. */
#include "base/reading.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Ledgers that were opened here: they stay open, so that no locks are dropped. */
static pthread_mutex_t keeping = PTHREAD_MUTEX_INITIALIZER;
static int *kept;
static size_t kept_count, kept_capacity;

/* What a look at a file's first bytes tells. */
typedef enum look { OTHER, LEDGER, UNSEEN } look;

/* An SQLite database with the ledger's application id (docs/formats/ledger.md): no writer ever changes these
   bytes, so that one look is enough, also while somebody writes. */
static look look_at(int file) {
  enum { APPLICATION_AT = 68, SIZE = APPLICATION_AT + 4 };
  char header[SIZE];
  struct stat facts;
  if (fstat(file, &facts) != 0) return UNSEEN;
  if (!S_ISREG(facts.st_mode)) return OTHER;
  ssize_t count = pread(file, header, SIZE, 0);
  if (count < 0) return UNSEEN;
  return count == SIZE && !memcmp(header, "SQLite format 3", 16) &&
                 !memcmp(header + APPLICATION_AT, "tclg", 4)
             ? LEDGER
             : OTHER;
}

static bool begins_as_ledger(int file) {
  return look_at(file) == LEDGER;
}

/* Whether a file is open here already. Each descriptor is asked who it is: a program may have closed all of
   them, and opened others by their numbers. */
bool tacit_reading_is_kept(const struct stat *facts) {
  struct stat own;
  bool found = false;
  pthread_mutex_lock(&keeping);
  for (size_t i = 0; i < kept_count && !found; i++)
    found = fstat(kept[i], &own) == 0 && own.st_dev == facts->st_dev && own.st_ino == facts->st_ino &&
            look_at(kept[i]) != OTHER;
  pthread_mutex_unlock(&keeping);
  return found;
}

/* It stays open also where there is no memory to remember it. */
static void keep(int file) {
  pthread_mutex_lock(&keeping);
  int *larger = tacit_grow(kept, &kept_capacity, kept_count + 1, sizeof *kept);
  if (larger) {
    kept = larger;
    kept[kept_count++] = file;
  }
  pthread_mutex_unlock(&keeping);
}

int tacit_reading_open(const char *path, int flags) {
  struct stat facts;
  bool ledger = stat(path, &facts) == 0 && tacit_reading_is_kept(&facts);
  int file = ledger ? -1 : open(path, O_RDONLY | O_CLOEXEC | flags);
  look seen = file >= 0 ? look_at(file) : OTHER;
  if (seen != OTHER) keep(file); /* what cannot be read may be one */
  if (!ledger && seen == OTHER) return file;
  errno = seen == UNSEEN ? EIO : EPERM;
  return seen == UNSEEN ? -1 : TACIT_READING_LEDGER;
}

FILE *tacit_reading_stream(const char *path, bool *ledger) {
  int file = tacit_reading_open(path, 0);
  *ledger = file == TACIT_READING_LEDGER;
  FILE *stream = file >= 0 ? fdopen(file, "rb") : NULL;
  if (file >= 0 && !stream) close(file);
  return stream;
}

bool tacit_reading_is_ledger(const char *path) {
  struct stat facts;
  int file = tacit_reading_open(path, O_NONBLOCK); /* a pipe's other end is not waited for */
  if (file >= 0) close(file);
  if (file >= 0 || file == TACIT_READING_LEDGER) return file < 0;
  if (stat(path, &facts) == 0) return S_ISREG(facts.st_mode); /* what cannot be opened may be one */
  return errno != ENOENT && errno != ENOTDIR && errno != ELOOP && errno != ENAMETOOLONG;
}

void tacit_reading_close(int file) {
  struct stat facts;
  /* without a name nobody can have opened it to lock it */
  if (fstat(file, &facts) == 0 && facts.st_nlink > 0 && begins_as_ledger(file))
    keep(file);
  else
    close(file);
}

tacit_status tacit_reading_refused(const char *path, tacit_error *error) {
  return tacit_fail(error, TACIT_BAD_INPUT,
                    "%.300s is a ledger, which tacit ledger alone reads, or cannot be opened to see that it "
                    "is none; name another "
                    "file",
                    path);
}

tacit_status tacit_reading_real(const char *path, char **real, tacit_error *error) {
  struct stat facts;
  *real = realpath(path, NULL);
  if (!*real && errno == ENOMEM) return tacit_no_memory(error);
  if (!*real && (errno == ENOENT || errno == ENOTDIR))
    return tacit_fail(error, TACIT_BAD_INPUT, "no such file: %.300s", path);
  tacit_status status = TACIT_OK;
  if (!*real || stat(*real, &facts) != 0)
    status = tacit_fail(error, TACIT_BAD_INPUT, "%.300s cannot be read", path);
  else if (!S_ISREG(facts.st_mode))
    status = tacit_fail(error, TACIT_BAD_INPUT, "%.300s is not a file; DuckDB is given files alone", path);
  else if (tacit_reading_is_ledger(*real)) /* whoever is given it would open it, and close it */
    status = tacit_reading_refused(path, error);
  else if (strpbrk(*real, "*?[{"))
    status = tacit_fail(error, TACIT_BAD_INPUT,
                        "%.300s: DuckDB takes *, ?, [ and { in names for patterns; rename the file", path);
  if (status == TACIT_OK) return TACIT_OK;
  free(*real);
  *real = NULL;
  return status;
}
