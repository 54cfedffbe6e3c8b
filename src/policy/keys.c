/* Key files: one line each, a name and 64 hexadecimal digits (docs/formats/policy.md). */
#include "policy/sign.h"

#include "base/reading.h"
#include "base/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char SECRET[] = "tacit-secret-key-1 ", PUBLIC[] = "tacit-public-key-1 ";
enum { LINE = sizeof SECRET - 1 + 2 * crypto_sign_SEEDBYTES + 1 };

static bool ready(void) {
  return sodium_init() >= 0;
}

/* A new file with one line; half a file is removed. */
static tacit_status write_line(const char *path, const char *name, const unsigned char *bytes,
                               unsigned permissions, tacit_error *error) {
  char line[LINE + 1];
  if (tacit_is_ledger_file(path))
    return tacit_fail(error, TACIT_REFUSED,
                      "%s is a ledger's or its journal's name, or cannot be looked at; choose another one",
                      path);
  memcpy(line, name, sizeof SECRET - 1);
  sodium_bin2hex(line + sizeof SECRET - 1, 2 * crypto_sign_SEEDBYTES + 1, bytes, crypto_sign_SEEDBYTES);
  line[LINE - 1] = '\n';
  int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, permissions);
  bool good = file >= 0 && write(file, line, LINE) == LINE && fsync(file) == 0;
  int why = errno;
  sodium_memzero(line, sizeof line);
  if (file >= 0) close(file);
  if (file >= 0 && !good) unlink(path);
  if (good) return TACIT_OK;
  return tacit_fail(error, why == EEXIST ? TACIT_REFUSED : TACIT_INTERNAL,
                    why == EEXIST ? "%s is there already (%s); keys are never replaced: choose another name"
                                  : "cannot write %s (%s); choose another name",
                    path, strerror(why));
}

tacit_status tacit_keys_make(const char *secret_path, const char *public_path,
                             char public_key[TACIT_KEY_TEXT], tacit_error *error) {
  unsigned char public[crypto_sign_PUBLICKEYBYTES];
  tacit_secret_key *key = ready() ? sodium_malloc(sizeof *key) : NULL;
  unsigned char *seed = key ? sodium_malloc(crypto_sign_SEEDBYTES) : NULL;
  tacit_status status = TACIT_OK;
  if (!seed || getentropy(seed, crypto_sign_SEEDBYTES) != 0) {
    status = tacit_fail(error, TACIT_INTERNAL, "no memory or no entropy for a key; nothing was written");
  } else {
    crypto_sign_seed_keypair(public, key->secret, seed);
    status = write_line(secret_path, SECRET, seed, 0600, error);
    if (status == TACIT_OK) {
      status = write_line(public_path, PUBLIC, public, 0644, error);
      if (status != TACIT_OK) unlink(secret_path);
    }
    sodium_bin2hex(public_key, TACIT_KEY_TEXT, public, sizeof public);
  }
  sodium_free(seed);
  sodium_free(key);
  return status;
}

/* The bytes behind a key file's name. Nothing of the file is quoted. */
static tacit_status read_line(const char *path, const char *name, bool secret, unsigned char *bytes,
                              char line[LINE + 1], tacit_error *error) {
  struct stat facts;
  const char *what = secret ? "secret" : "public";
  int file = tacit_reading_open(path, O_NONBLOCK);
  if (file == TACIT_READING_LEDGER) return tacit_reading_refused(path, error);
  if (file < 0) return tacit_fail(error, TACIT_BAD_INPUT, "cannot read %s: %s", path, strerror(errno));
  bool known = fstat(file, &facts) == 0 && S_ISREG(facts.st_mode);
  bool guarded = known && !(facts.st_mode & 077) && (facts.st_uid == geteuid() || facts.st_uid == 0);
  ssize_t n = known && (guarded || !secret) ? read(file, line, LINE + 1) : -1;
  close(file);
  if (known && secret && !guarded)
    return tacit_fail(error, TACIT_REFUSED,
                      "%s may be read by others than you: a key that others know vouches for nothing. "
                      "Make a new one (tacit keys), or chmod 600 if nobody has seen it",
                      path);
  size_t length;
  if (n == LINE && line[LINE - 1] == '\n' && !memcmp(line, name, sizeof SECRET - 1) &&
      sodium_hex2bin(bytes, crypto_sign_SEEDBYTES, line + sizeof SECRET - 1, 2 * crypto_sign_SEEDBYTES, NULL,
                     &length, NULL) == 0 &&
      length == crypto_sign_SEEDBYTES)
    return TACIT_OK;
  return tacit_fail(error, TACIT_BAD_INPUT, "%s is no %s key of tacit, or was cut; tacit keys makes one",
                    path, what);
}

tacit_status tacit_secret_key_read(const char *path, tacit_secret_key **key, tacit_error *error) {
  *key = NULL;
  unsigned char *seed = ready() ? sodium_malloc(crypto_sign_SEEDBYTES + LINE + 1) : NULL;
  tacit_secret_key *made = seed ? sodium_malloc(sizeof *made) : NULL;
  tacit_status status = made
                            ? read_line(path, SECRET, true, seed, (char *)seed + crypto_sign_SEEDBYTES, error)
                            : tacit_no_memory(error);
  if (status == TACIT_OK) crypto_sign_seed_keypair(made->public, made->secret, seed);
  sodium_free(seed); /* wipes */
  if (status == TACIT_OK)
    *key = made;
  else
    sodium_free(made);
  return status;
}

void tacit_secret_key_free(tacit_secret_key *key) {
  sodium_free(key); /* wipes; NULL is fine */
}

tacit_status tacit_public_key_read(const char *path, char public_key[TACIT_KEY_TEXT], tacit_error *error) {
  unsigned char bytes[crypto_sign_PUBLICKEYBYTES];
  char line[LINE + 1];
  if (!ready()) return tacit_fail(error, TACIT_INTERNAL, "no entropy from the operating system");
  TACIT_TRY(read_line(path, PUBLIC, false, bytes, line, error));
  sodium_bin2hex(public_key, TACIT_KEY_TEXT, bytes, sizeof bytes);
  return TACIT_OK;
}
