/* The command line's options: one small parser for all commands. */
#include "cli.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void print_option(const char *name, const char *value, const char *help) {
  char left[64];
  snprintf(left, sizeof left, "--%s%s%s", name, value ? " " : "", value ? value : "");
  printf("  %-24s %s\n", left, help);
}

/* An option without a text is explained elsewhere. */
static void print_help(const command_line *line) {
  printf("usage: tacit %s\n\n%s\n\noptions:\n", line->usage, line->about);
  for (size_t i = 0; i < line->option_count; i++)
    if (line->options[i].help)
      print_option(line->options[i].name, line->options[i].value, line->options[i].help);
  print_option("help", NULL, "this text");
  if (line->more) line->more();
}

/* A whole number without sign, or false. */
static bool parse_natural(const char *text, uint64_t *value) {
  char *end;
  errno = 0;
  if (!text || *text < '0' || *text > '9') return false;
  *value = strtoull(text, &end, 10);
  return errno == 0 && *end == 0;
}

bool parse_number(const char *text, double *value) {
  char *end;
  if (!text || !*text || *text == ' ') return false;
  *value = strtod(text, &end);
  return *end == 0 && isfinite(*value);
}

static bool set_number_list(numbers *list, const char *text) {
  return parse_number(text, &list->value[list->count++]);
}

static bool add_pair(pairs *list, const char *name, const char *text) {
  if (list->count == PAIRS_MAX) return false;
  list->name[list->count] = name;
  list->text[list->count++] = text ? text : "";
  return true;
}

static bool set_option(const option *o, const char *text) {
  uint64_t natural;
  switch (o->kind) {
  case OPTION_FLAG:
    *(bool *)o->to = true;
    return true;
  case OPTION_TEXT:
    *(const char **)o->to = text;
    return true;
  case OPTION_NUMBER:
    return parse_number(text, o->to);
  case OPTION_SEED:
    return parse_natural(text, o->to);
  case OPTION_NUMBERS:
    return set_number_list(o->to, text);
  case OPTION_PAIRS:
    return add_pair(o->to, o->name, text);
  case OPTION_COUNT:
    if (!parse_natural(text, &natural) || natural > SIZE_MAX / 2) return false;
    *(size_t *)o->to = (size_t)natural;
    return true;
  }
  return false;
}

static const option *find_option(const option *options, size_t count, const char *name, size_t length) {
  for (size_t i = 0; i < count; i++)
    if (strlen(options[i].name) == length && !strncmp(options[i].name, name, length)) return &options[i];
  return NULL;
}

/* The command that has this --help, "schema draft": the words of its usage before the first option or
 * argument. */
static int no_option(const command_line *line, const char *given) {
  char name[64] = "";
  const char *near = NULL;
  size_t least = SIZE_MAX;
  if (!strncmp(given, "--", 2)) snprintf(name, sizeof name, "%.*s", (int)strcspn(given + 2, "="), given + 2);
  for (size_t i = 0; i < line->option_count; i++) {
    size_t distance = tacit_spelling_distance(name, line->options[i].name);
    if (distance < least) least = distance, near = line->options[i].name;
  }
  size_t words = strspn(line->usage, "abcdefghijklmnopqrstuvwxyz ");
  while (words && line->usage[words - 1] == ' ') words--;
  return usage_error("no option %.*s%s%s%s see tacit %.*s --help", (int)strcspn(given, "="), given,
                     near ? "; did you mean --" : ";", near ? near : "", near ? "?" : "", (int)words,
                     line->usage);
}

/* 0.8,0.95: numbers that should stand apart. */
static bool is_number_list(const char *text) {
  return strspn(text, "0123456789.,") == strlen(text);
}

static int numbers_apart(const char *name, const char *text) {
  char apart[128];
  snprintf(apart, sizeof apart, "%s", text);
  for (char *comma = apart; (comma = strchr(comma, ','));) *comma = ' ';
  char point[128];
  snprintf(point, sizeof point, "%s", text);
  char *comma = strchr(point, ',');
  if (comma && !strchr(comma + 1, ',') && !strchr(point, '.')) { /* 4,5 may be four and a half */
    *comma = '.';
    return usage_error("--%s needs a decimal point: write --%s %s; or, for two numbers, --%s %s", name, name,
                       point, name, apart);
  }
  return usage_error("--%s needs numbers with blanks between them and a decimal point: write --%s %s", name,
                     name, apart);
}

/* Handles argv[*i], which begins with two dashes; the value is behind '=' or in the next argument. */
static int take_option(const command_line *line, int argc, char **argv, int *i) {
  const char *name = argv[*i] + 2, *equals = strchr(name, '=');
  size_t length = equals ? (size_t)(equals - name) : strlen(name);
  const option *o = find_option(line->options, line->option_count, name, length);
  if (!o) return no_option(line, argv[*i]);
  const char *value = equals ? equals + 1 : NULL;
  if (!o->value && value) return usage_error("--%s takes no value", o->name);
  if (o->value && !value) {
    if (*i + 1 >= argc) return usage_error("--%s needs a value: %s", o->name, o->value);
    value = argv[++*i];
  }
  if (o->kind == OPTION_NUMBERS && ((numbers *)o->to)->count == NUMBERS_MAX)
    return usage_error("--%s can have at most %d numbers", o->name, NUMBERS_MAX);
  if (o->kind == OPTION_NUMBERS && strchr(value, ',') && is_number_list(value))
    return numbers_apart(o->name, value);
  if (!set_option(o, value))
    return usage_error("--%s needs %s, not \"%s\"", o->name,
                       o->kind == OPTION_NUMBER || o->kind == OPTION_NUMBERS ? "a number" : "a whole number",
                       value);
  if (o->given) *o->given = true;
  return -1;
}

/* Whether an argument is one more number of the option before it. */
static bool is_number(const char *text) {
  double value;
  return (isdigit((unsigned char)text[0]) || text[0] == '.') && parse_number(text, &value);
}

/* An option with a list takes further numbers: --quantile 0.5 0.9. */
static int take_further(const command_line *line, int argc, char **argv, int *i) {
  const char *name = argv[*i] + 2;
  int code = take_option(line, argc, argv, i);
  const option *o = find_option(line->options, line->option_count, name, strcspn(name, "="));
  while (code < 0 && o && o->kind == OPTION_NUMBERS && *i + 1 < argc && is_number(argv[*i + 1])) {
    if (((numbers *)o->to)->count == NUMBERS_MAX)
      return usage_error("--%s can have at most %d numbers", o->name, NUMBERS_MAX);
    if (!set_option(o, argv[++*i])) return usage_error("--%s needs a number, not \"%s\"", o->name, argv[*i]);
  }
  return code;
}

int parse_options(const command_line *line, int argc, char **argv) {
  size_t found = 0;
  bool only_arguments = false;
  for (int i = 1; i < argc; i++) {
    if (!only_arguments && !strcmp(argv[i], "--help")) {
      print_help(line);
      return flushed(0);
    }
    if (!only_arguments && !strcmp(argv[i], "--")) {
      only_arguments = true;
    } else if (!only_arguments && !strncmp(argv[i], "--", 2)) {
      int code = take_further(line, argc, argv, &i);
      if (code >= 0) return code;
    } else if (!only_arguments && argv[i][0] == '-' && argv[i][1]) {
      return no_option(line, argv[i]);
    } else {
      if (found == line->most) return usage_error("too many arguments; usage: tacit %s", line->usage);
      line->arguments[found++] = argv[i];
    }
  }
  if (found < line->least) return usage_error("too few arguments; usage: tacit %s", line->usage);
  if (line->found) *line->found = found;
  return -1;
}
