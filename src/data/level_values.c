/* A sorted list of the levels that have a value. */
#include "data/level_values.h"

#include "base/base.h"
#include "num/shortest.h"
#include "schema/calendar.h"
#include "source/digits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a text is a value of: digits are of numbers that doubles do not tell apart. */
typedef enum kind { NOTHING, NUMBER, DIGITS, MOMENT } kind;

typedef struct tacit_level_value {
  kind is;
  double number;
  tacit_digits digits;
  char moment[TACIT_MOMENT_TEXT];
  size_t level;
} tacit_level_value;

static void read_value(const char *text, size_t length, tacit_level_value *value) {
  const tacit_cell cell = {.text = text, .length = length};
  if (!tacit_cell_number(&cell, &value->number))
    value->is = tacit_moment_plain(text, length, value->moment) ? MOMENT : NOTHING;
  else if (tacit_digits_read(text, length, &value->digits) && !tacit_digits_apart(&value->digits))
    value->is = DIGITS;
  else
    value->is = NUMBER;
}

static int by_digits(const tacit_digits *a, const tacit_digits *b) {
  if (a->negative != b->negative) return a->negative ? -1 : 1;
  if (a->length != b->length) return a->length < b->length ? -1 : 1;
  return memcmp(a->text, b->text, a->length);
}

static int by_value(const tacit_level_value *v, const tacit_level_value *w) {
  if (v->is != w->is) return v->is < w->is ? -1 : 1;
  if (v->is == MOMENT) return strcmp(v->moment, w->moment);
  if (v->is == DIGITS) return by_digits(&v->digits, &w->digits);
  return (v->number > w->number) - (v->number < w->number);
}

static int by_value_and_level(const void *a, const void *b) {
  const tacit_level_value *v = a, *w = b;
  int order = by_value(v, w);
  return order ? order : (v->level > w->level) - (v->level < w->level);
}

tacit_status tacit_level_values_open(tacit_level_values *values, const tacit_feature *feature,
                                     tacit_error *error) {
  *values = (tacit_level_values){.feature = feature};
  values->value = tacit_alloc(2 * feature->level_count, sizeof *values->value);
  if (!values->value) return tacit_no_memory(error);
  for (size_t k = 0; k < feature->level_count; k++) {
    tacit_level_value value = {.level = k};
    read_value(feature->levels[k], strlen(feature->levels[k]), &value);
    if (value.is != NOTHING) values->value[values->count++] = value;
    /* a fraction of many digits is also the level of the double that it reads as; a whole number is not, for
       that double is another whole number */
    if (value.is != DIGITS || !memchr(value.digits.text, '.', value.digits.length)) continue;
    value.is = NUMBER;
    values->value[values->count++] = value;
  }
  qsort(values->value, values->count, sizeof *values->value, by_value_and_level);
  return TACIT_OK;
}

void tacit_level_values_close(tacit_level_values *values) {
  free(values->value);
  *values = (tacit_level_values){0};
}

/* The first level with a value; NULL where it is not listed. */
static const tacit_level_value *look_up(const tacit_level_values *values, const tacit_level_value *wanted) {
  size_t low = 0, high = values->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (by_value(&values->value[middle], wanted) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  bool found = low < values->count && by_value(&values->value[low], wanted) == 0;
  return found ? &values->value[low] : NULL;
}

static size_t find(const tacit_level_values *values, const tacit_level_value *wanted) {
  const tacit_level_value *found = look_up(values, wanted);
  return found ? found->level : values->feature->unknown_level;
}

size_t tacit_level_by_value(const tacit_level_values *values, const char *text, size_t length) {
  tacit_level_value wanted = {.is = NOTHING};
  if (!values->count) return values->feature->unknown_level;
  read_value(text, length, &wanted);
  return wanted.is == NOTHING ? values->feature->unknown_level : find(values, &wanted);
}

/* Equal values, however they are spelled, go to one bucket: a number has its shortest text, a moment its
   plain one; all else is what it is. */
static size_t bucket_of(const tacit_feature *feature, const tacit_cell *cell) {
  char text[TACIT_SHORTEST];
  tacit_level_value value = {.is = NUMBER, .number = cell->number};
  if (cell->text) read_value(cell->text, cell->length, &value);
  if (value.is == NUMBER)
    return tacit_feature_bucket(feature, text, tacit_shortest(value.number + 0.0, text));
  if (value.is == MOMENT) return tacit_feature_bucket(feature, value.moment, strlen(value.moment));
  if (value.is == NOTHING) return tacit_feature_bucket(feature, cell->text, cell->length);
  if (!value.digits.negative) return tacit_feature_bucket(feature, value.digits.text, value.digits.length);
  char below[256] = "-"; /* a number of more digits than that is what its text is */
  if (value.digits.length >= sizeof below - 1) return tacit_feature_bucket(feature, cell->text, cell->length);
  memcpy(below + 1, value.digits.text, value.digits.length);
  return tacit_feature_bucket(feature, below, value.digits.length + 1);
}

size_t tacit_level_of(const tacit_level_values *values, const tacit_cell *cell) {
  const tacit_feature *feature = values->feature;
  if (!cell->text && !isfinite(cell->number)) return feature->missing_level;
  if (feature->hashed) return bucket_of(feature, cell);
  if (!cell->text) return find(values, &(tacit_level_value){.is = NUMBER, .number = cell->number});
  size_t level;
  return tacit_feature_find_level(feature, cell->text, cell->length, &level)
             ? level
             : tacit_level_by_value(values, cell->text, cell->length);
}

bool tacit_level_is_listed(const tacit_level_values *values, const tacit_cell *cell) {
  const tacit_feature *feature = values->feature;
  size_t level = tacit_level_of(values, cell), same;
  if (feature->hashed || level != feature->unknown_level) return true;
  if (cell->text && tacit_feature_find_level(feature, cell->text, cell->length, &same)) return true;
  tacit_level_value value = {.is = NUMBER, .number = cell->number};
  if (cell->text) read_value(cell->text, cell->length, &value);
  for (size_t k = 0; k < values->count; k++)
    if (values->value[k].level == level && value.is != NOTHING && by_value(&values->value[k], &value) == 0)
      return true;
  return false;
}

void tacit_level_tally(const tacit_level_values *values, const tacit_cell *cell, size_t level,
                       tacit_tally *tally) {
  tally->seen++;
  if (cell->text ? cell->length == 0 : !isfinite(cell->number))
    tally->missing++;
  else if (level == values->feature->unknown_level && !tacit_level_is_listed(values, cell)) {
    tally->unlisted++;
    tally->foreign += cell->text && !tacit_is_utf8(cell->text, cell->length);
  }
}
