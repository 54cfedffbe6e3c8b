/* Whether a file that is to be written is one of those that are read: it would be replaced. */
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
  static const char *const ENDS[] = {"", ".wal", ".wal.checkpoint", ".wal.recovery", ".checkpoint.wal"};
  struct stat facts;
  bool found = false;
  if (!in || stat(out, &facts) != 0) return false;
  char *real = strcmp(in, "-") ? realpath(in, NULL) : NULL; /* DuckDB's log stands beside the file itself */
  if (!real) return is_same(&facts, in);
  for (size_t i = 0; !found && i < sizeof ENDS / sizeof *ENDS; i++) {
    char *name = malloc(strlen(real) + strlen(ENDS[i]) + 1);
    found = !name; /* without memory nothing is written */
    if (!name) break;
    strcpy(name, real);
    strcat(name, ENDS[i]);
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
