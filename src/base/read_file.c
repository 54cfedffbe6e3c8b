/* A whole file as text. */
#include "base/reading.h"

#include <errno.h>
#include <stdlib.h>

static tacit_status read_all(FILE *file, const char *path, size_t most, char **text, size_t *length,
                             tacit_error *error) {
  size_t capacity = 0, got;
  do {
    char *larger = tacit_grow(*text, &capacity, *length + 4096, 1);
    if (!larger) return tacit_no_memory(error);
    *text = larger;
    got = fread(*text + *length, 1, capacity - *length, file);
    *length += got;
    if (ferror(file)) return tacit_fail(error, TACIT_BAD_INPUT, "cannot read file: %s", path);
  } while (got > 0 && *length <= most);
  return TACIT_OK;
}

tacit_status tacit_read_file(const char *path, size_t most, char **text, size_t *length, tacit_error *error) {
  *text = NULL;
  *length = 0;
  bool ledger;
  FILE *file = tacit_reading_stream(path, &ledger);
  if (ledger) return tacit_reading_refused(path, error);
  if (!file)
    return tacit_fail(error, TACIT_BAD_INPUT, "%s: %s",
                      errno == ENOENT ? "no such file" : "cannot open file (is it readable?)", path);
  tacit_status status = read_all(file, path, most, text, length, error);
  (void)fclose(file); /* opened for reading: nothing to lose */
  if (status == TACIT_OK) return TACIT_OK;
  free(*text);
  *text = NULL;
  return status;
}
