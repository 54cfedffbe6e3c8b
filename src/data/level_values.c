/* A sorted list of the levels that have a value. */
#include "data/level_values.h"

#include "base/base.h"
#include "source/calendar.h"
#include "source/digits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum kind { NOTHING, NUMBER, MOMENT } kind;

typedef struct tacit_level_value {
  kind is;
  double value; /* of a moment its seconds since 1970 */
  size_t level;
} tacit_level_value;

/* [-]digits[.digits] */
static bool is_plain(const char *text, size_t length) {
  size_t points = 0;
  for (size_t i = length > 0 && text[0] == '-'; i < length; i++) {
    points += text[i] == '.';
    if (text[i] != '.' && (text[i] < '0' || text[i] > '9')) return false;
  }
  return points <= 1;
}

/* A moment that says nothing of a zone: those of two zones may be two levels. */
static bool read_moment(const char *text, size_t length, double *seconds) {
  enum { DATE = 10, TIME = 26 }; /* of 2024-01-31, and with a time in millionths of a second */
  tacit_moment m;
  if (length < DATE || length > TIME || text[4] != '-') return false;
  if (length > DATE && (text[length - 1] < '0' || text[length - 1] > '9')) return false;
  for (size_t i = DATE; i < length; i++)
    if (text[i] == '+' || text[i] == '-') return false;
  if (!tacit_moment_parse(text, length, &m)) return false;
  *seconds = 86400.0 * (double)tacit_days_of(m.year, m.month, m.day) + 3600.0 * m.hour + 60.0 * m.minute;
  *seconds += m.second;
  return true;
}

/* A level's value. Of whole numbers beyond 2^53 several read alike: then its digits must be those of the
   number itself. */
static kind value_of_level(const char *level, double *value) {
  const tacit_cell cell = {.text = level, .length = strlen(level)};
  if (tacit_cell_number(&cell, value))
    return fabs(*value) < 0x1p53 || strpbrk(level, ".eE") || !tacit_digits_cell(level, cell.length).text
               ? NUMBER
               : NOTHING;
  return read_moment(level, cell.length, value) ? MOMENT : NOTHING;
}

static int by_value(const void *a, const void *b) {
  const tacit_level_value *v = a, *w = b;
  if (v->is != w->is) return v->is < w->is ? -1 : 1;
  if (v->value != w->value) return v->value < w->value ? -1 : 1;
  return v->level < w->level ? -1 : v->level > w->level;
}

tacit_status tacit_level_values_open(tacit_level_values *values, const tacit_feature *feature,
                                     tacit_error *error) {
  *values = (tacit_level_values){.feature = feature};
  values->value = tacit_alloc(feature->level_count, sizeof *values->value);
  if (!values->value) return tacit_no_memory(error);
  for (size_t k = 0; k < feature->level_count; k++) {
    tacit_level_value *next = &values->value[values->count];
    *next = (tacit_level_value){.level = k};
    next->is = value_of_level(feature->levels[k], &next->value);
    values->count += next->is != NOTHING;
  }
  qsort(values->value, values->count, sizeof *values->value, by_value);
  return TACIT_OK;
}

void tacit_level_values_close(tacit_level_values *values) {
  free(values->value);
  *values = (tacit_level_values){0};
}

/* The first level with a value, or the one for what is not listed. */
static size_t find(const tacit_level_values *values, kind is, double value) {
  size_t low = 0, high = values->count;
  const tacit_level_value wanted = {.is = is, .value = value};
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (by_value(&values->value[middle], &wanted) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  bool found = low < values->count && values->value[low].is == is && values->value[low].value == value;
  return found ? values->value[low].level : values->feature->unknown_level;
}

size_t tacit_level_by_value(const tacit_level_values *values, const char *text, size_t length) {
  tacit_cell cell = {.text = text, .length = length};
  double value;
  if (!values->count) return values->feature->unknown_level;
  if (!tacit_cell_number(&cell, &value))
    return read_moment(text, length, &value) ? find(values, MOMENT, value) : values->feature->unknown_level;
  /* of digits that no double keeps, those digits */
  if (is_plain(text, length)) cell = tacit_digits_cell(text, length);
  return is_plain(text, length) && cell.text ? tacit_feature_level(values->feature, cell.text, cell.length)
                                             : find(values, NUMBER, value);
}

size_t tacit_level_of(const tacit_level_values *values, const tacit_cell *cell) {
  const tacit_feature *feature = values->feature;
  if (!cell->text)
    return isfinite(cell->number) ? find(values, NUMBER, cell->number) : feature->missing_level;
  size_t level = tacit_feature_level(feature, cell->text, cell->length);
  if (cell->length == 0 || level != feature->unknown_level) return level;
  const char *name = feature->levels[level]; /* which a cell may be by its own bytes */
  bool itself = strlen(name) == cell->length && memcmp(name, cell->text, cell->length) == 0;
  return itself ? level : tacit_level_by_value(values, cell->text, cell->length);
}
