/* Whether a file that is to be written would replace one that is read, or that is to be kept. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_same(const struct stat *a, const char *in) {
  struct stat b;
  bool there = strcmp(in, "-") == 0 ? fstat(STDIN_FILENO, &b) == 0 : stat(in, &b) == 0;
  return there && a->st_dev == b.st_dev && a->st_ino == b.st_ino;
}

/* A DuckDB database is read with its write-ahead log, which is a part of it. */
bool is_input(const char *out, const char *in) {
  struct stat facts;
  if (!in || stat(out, &facts) != 0) return false;
  bool found = is_same(&facts, in);
  const char *end;
  char *real = strcmp(in, "-") ? realpath(in, NULL) : NULL; /* the log stands beside the file itself */
  for (size_t i = 0; real && !found && (end = tacit_source_beside(i)); i++) {
    char *name = malloc(strlen(real) + strlen(end) + 1);
    found = !name; /* without memory nothing is written */
    if (!name) break;
    strcpy(name, real);
    strcat(name, end);
    found = is_same(&facts, name);
    free(name);
  }
  free(real);
  return found;
}

/* The quoted text at p, with its quotes, into out; returns what follows it. */
static const char *unquote(const char *p, char *out) {
  char quote = *p++;
  while (*p && (*p != quote || p[1] == quote)) {
    p += *p == quote;
    *out++ = *p++;
  }
  *out = 0;
  return *p ? p + 1 : p;
}

bool is_queried(const char *out, const char *sql) {
  char *text = sql ? malloc(strlen(sql) + 1) : NULL;
  bool found = sql && !text; /* without memory nothing is written */
  for (const char *p = sql; text && *p && !found;) {
    if (*p != '\'' && *p != '"') {
      p++;
      continue;
    }
    p = unquote(p, text);
    found = strcmp(text, "-") != 0 && is_input(out, text);
  }
  free(text);
  return found;
}

bool is_forced(void) {
  const char *force = getenv("TACIT_FORCE");
  return force && !strcmp(force, "1");
}

bool is_kept(const char *out, bool *is_policy) {
  struct stat about;
  tacit_policy *policy = NULL;
  tacit_error error;
  *is_policy = false;
  if (is_forced() || stat(out, &about) != 0 || !S_ISREG(about.st_mode) || about.st_size == 0) return false;
  *is_policy = tacit_policy_read(out, &policy, &error) == TACIT_OK;
  bool kept = !*is_policy || tacit_policy_private(policy);
  tacit_policy_free(policy);
  return kept;
}

int check_kept(const char *out) {
  bool is_policy;
  if (!is_kept(out, &is_policy)) return -1;
  return usage_error(
      "%s is there already%s; nothing was spent: choose another --out, or give --force to replace "
      "it",
      out, is_policy ? ", a private policy that cost some of a budget" : " and is no policy of tacit's");
}
