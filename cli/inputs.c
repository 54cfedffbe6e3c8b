/* Whether a file that is to be written is one of those that are read: it would be replaced. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool is_input(const char *out, const char *in) {
  struct stat a, b;
  if (!in || stat(out, &a) != 0) return false;
  bool there = strcmp(in, "-") == 0 ? fstat(STDIN_FILENO, &b) == 0 : stat(in, &b) == 0;
  return there && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
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
