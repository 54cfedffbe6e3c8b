/* Locks as other programs see them. */
#ifndef TACIT_SRC_LOCKED_FOR_TEST_H
#define TACIT_SRC_LOCKED_FOR_TEST_H

#include <fcntl.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

/* Whether another process would find a file locked. */
static inline bool is_locked(const char *path) {
  int code = 0;
  pid_t child = fork();
  if (child == 0) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int file = open(path, O_RDWR);
    _exit(file >= 0 && fcntl(file, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK);
  }
  waitpid(child, &code, 0);
  return WIFEXITED(code) && WEXITSTATUS(code) == 1;
}

#endif
