/* Says that a table lacks a column, and what is likely then. Where a table declares its columns they are
   listed; the first line of a CSV file may be somebody's record, if it has no header, and of it nothing is
   told but a name that is nearly the one that was looked for. */
#include "source/no_column.h"

#include "base/base.h"

#include <stdio.h>
#include <string.h>

const char *tacit_source_other_separator(const tacit_source *source) {
  if (source->columns != 1) return NULL;
  const char *name = source->names[0];
  return strchr(name, ';') ? "semicolons" : strchr(name, '\t') ? "tabs" : strchr(name, '|') ? "bars" : NULL;
}

static const char *nearest(const tacit_source *source, const char *name) {
  const char *found = NULL;
  size_t least = SIZE_MAX;
  for (size_t j = 0; j < source->columns; j++) {
    const char *own = source->names[j];
    char trimmed[64]; /* of names with blanks around them, which nobody sees */
    size_t blanks = strspn(own, " "), length = strlen(own + blanks);
    while (length && own[blanks + length - 1] == ' ') length--;
    snprintf(trimmed, sizeof trimmed, "%.*s", (int)(length < sizeof trimmed ? length : 0), own + blanks);
    size_t distance = tacit_spelling_distance(name, trimmed);
    if (distance < least) least = distance, found = own;
  }
  return found;
}

/* Names one behind the other, as many as there is room for. */
static void list_names(const tacit_source *source, char *text, size_t size) {
  size_t used = 0;
  text[0] = 0;
  for (size_t j = 0; j < source->columns; j++) {
    size_t needed = strlen(source->names[j]) + 2;
    if (used + needed + sizeof ", ..." > size) {
      snprintf(text + used, size - used, ", ...");
      return;
    }
    used += (size_t)snprintf(text + used, size - used, "%s%s", j ? ", " : "", source->names[j]);
  }
}

static tacit_status not_utf8(const char *name, tacit_error *error) {
  return tacit_fail(
      error, TACIT_BAD_INPUT,
      "the table has no column \"%.200s\"; its first line is no UTF-8, so that names in it are "
      "not what they look like: iconv -f LATIN1 -t UTF-8 TABLE > NEW.csv converts it, if Latin-1 "
      "is what it is",
      name);
}

tacit_status tacit_source_no_column(const tacit_source *source, const char *name, tacit_error *error) {
  const char *near = nearest(source, name);
  if (near)
    return tacit_fail(error, TACIT_BAD_INPUT, "the table has no column \"%.150s\"; did you mean \"%.150s\"?",
                      name, near);
  if (source->reader.asked) {
    char names[256];
    list_names(source, names, sizeof names);
    return tacit_fail(error, TACIT_BAD_INPUT, "the table has no column \"%.150s\"; it has %s", name, names);
  }
  for (size_t j = 0; j < source->columns; j++)
    if (!tacit_is_utf8(source->names[j], strlen(source->names[j]))) return not_utf8(name, error);
  const char *separator = tacit_source_other_separator(source);
  if (!separator && source->columns == 1 && strchr(source->names[0], ',')) separator = "commas";
  if (separator)
    return tacit_fail(error, TACIT_BAD_INPUT,
                      "the table has no column \"%.200s\"; its first line looks separated by %s: give the "
                      "separator (and the decimal comma, if numbers have one) as options",
                      name, separator);
  return tacit_fail(error, TACIT_BAD_INPUT,
                    "the table has no column \"%.200s\"; does its first line hold the column names?", name);
}
