/* Temporary files that do not outlive their programs for long. */
#include "base/temporary.h"
#include "base/reading.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether a name is BASE.NUMBER-NUMBER.tacit-tmp. */
static bool is_ours(const char *name, const char *base, size_t length) {
  static const char digits[] = "0123456789";
  if (strncmp(name, base, length) != 0 || name[length] != '.') return false;
  name += length + 1;
  size_t n = strspn(name, digits);
  if (!n || name[n] != '-') return false;
  name += n + 1;
  n = strspn(name, digits);
  return n && !strcmp(name + n, TACIT_TEMPORARY_END);
}

/* Held while a file may be opened only to see whether it is dead, and while one gets its own name. */
static pthread_mutex_t naming = PTHREAD_MUTEX_INITIALIZER;

/* Removes a file that no program holds. Whoever made it took its lock at once, and looks again (below). One
   that has another name too is that of a program killed after it had linked it: nothing but the name goes,
   and the file is not opened, because to close it would drop locks that this process has on it. */
static void remove_dead(int folder, const char *name) {
  struct stat facts;
  if (fstatat(folder, name, &facts, AT_SYMLINK_NOFOLLOW) != 0) return;
  if (S_ISREG(facts.st_mode) && facts.st_nlink > 1) {
    unlinkat(folder, name, 0);
    return;
  }
  if (tacit_reading_is_kept(&facts)) return; /* once is enough: each look would leave one more open */
  int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return;
  if (fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) && flock(file, LOCK_EX | LOCK_NB) == 0)
    unlinkat(folder, name, 0);
  tacit_reading_close(file); /* its maker, another program, may have given it its own name meanwhile */
}

/* Removes another name of a file. */
static void remove_link(int folder, const char *name, const struct stat *file) {
  struct stat facts;
  if (fstatat(folder, name, &facts, AT_SYMLINK_NOFOLLOW) == 0 && facts.st_ino == file->st_ino &&
      facts.st_dev == file->st_dev)
    unlinkat(folder, name, 0);
}

/* Of the temporary names beside path, those that nobody holds; or, where `file` is given, those of that file.
   Nothing here can fail a release: what cannot be removed stays. */
static void sweep(const char *path, const struct stat *file) {
  const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
  char *folder = slash ? tacit_copy_text(path, (size_t)(slash - path) + 1) : tacit_copy_text(".", 1);
  DIR *list = folder ? opendir(folder) : NULL;
  const struct dirent *entry;
  while (list && (entry = readdir(list))) {
    if (!is_ours(entry->d_name, base, strlen(base))) continue;
    if (file)
      remove_link(dirfd(list), entry->d_name, file);
    else {
      pthread_mutex_lock(&naming);
      remove_dead(dirfd(list), entry->d_name);
      pthread_mutex_unlock(&naming);
    }
  }
  if (list) closedir(list);
  free(folder);
}

void tacit_temporary_unlink(const char *path) {
  struct stat file;
  if (lstat(path, &file) == 0) sweep(path, &file);
}

int tacit_temporary_link(const char *name, const char *path) {
  pthread_mutex_lock(&naming);
  int failed = link(name, path) ? errno : 0;
  unlink(name);
  pthread_mutex_unlock(&naming);
  return failed;
}

int tacit_temporary_open(const char *path, unsigned permissions, char **name) {
  *name = NULL;
  if (!tacit_is_ledger_file(path)) return tacit_temporary_beside(path, permissions, name);
  errno = EPERM;
  return -1;
}

int tacit_temporary_beside(const char *path, unsigned permissions, char **name) {
  size_t size = strlen(path) + 48 + sizeof TACIT_TEMPORARY_END;
  struct stat facts;
  sweep(path, NULL);
  *name = tacit_alloc(size, 1);
  for (int attempt = 0; *name && attempt < 100; attempt++) {
    snprintf(*name, size, "%s.%ld-%d" TACIT_TEMPORARY_END, path, (long)getpid(), attempt);
    int file = open(*name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, permissions);
    if (file < 0 && errno == EEXIST) continue;
    if (file < 0) return -1;
    /* between open and lock another program may have thought it dead; a file system without locks keeps it */
    if (flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      close(file);
      continue;
    }
    if (fstat(file, &facts) == 0 && facts.st_nlink > 0) return file;
    close(file);
  }
  if (!*name) errno = ENOMEM;
  return -1;
}
