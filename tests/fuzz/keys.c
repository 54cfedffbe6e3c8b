/* Any bytes as a key file, public and secret: refused, or a key of 64 digits that signs. */
#include "fuzz/target.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tacit/sign.h>
#include <unistd.h>

static char path[64];

static void remove_file(void) {
  unlink(path);
}

static void write_file(const uint8_t *data, size_t size) {
  if (!path[0]) {
    snprintf(path, sizeof path, "%s/tacit-fuzz-keys.%ld", access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm",
             (long)getpid());
    atexit(remove_file);
  }
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  MUST(file >= 0 && write(file, data, size) == (ssize_t)size && close(file) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char public_key[TACIT_KEY_TEXT];
  tacit_secret_key *secret = NULL;
  tacit_error error = {""};
  write_file(data, size);
  tacit_status public = tacit_public_key_read(path, public_key, &error);
  if (public == TACIT_OK)
    MUST(strlen(public_key) == 64 && strspn(public_key, "0123456789abcdef") == 64);
  else
    MUST(public == TACIT_BAD_INPUT && error.text[0]);
  error.text[0] = 0;
  tacit_status status = tacit_secret_key_read(path, &secret, &error);
  MUST(status == TACIT_OK ? secret != NULL : !secret && error.text[0]);
  MUST(status != TACIT_OK || public != TACIT_OK); /* one line is not both */
  tacit_secret_key_free(secret);
  return 0;
}
