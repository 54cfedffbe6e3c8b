/* CAST: a value in another form, or none. */
#include "schema/calendar.h"
#include "source/expression.h"

#include <math.h>
#include <string.h>

static const struct {
  const char *name;
  tacit_cast_kind kind;
  int digits;
} TYPES[] = {{"DOUBLE", TACIT_CAST_NUMBER, 0},     {"FLOAT8", TACIT_CAST_NUMBER, 0},
             {"FLOAT", TACIT_CAST_SINGLE, 0},      {"FLOAT4", TACIT_CAST_SINGLE, 0},
             {"REAL", TACIT_CAST_SINGLE, 0},       {"DECIMAL", TACIT_CAST_DECIMAL, 3},
             {"NUMERIC", TACIT_CAST_DECIMAL, 3},   {"TINYINT", TACIT_CAST_INTEGER, 8},
             {"SMALLINT", TACIT_CAST_INTEGER, 16}, {"INTEGER", TACIT_CAST_INTEGER, 32},
             {"INT", TACIT_CAST_INTEGER, 32},      {"BIGINT", TACIT_CAST_INTEGER, 64},
             {"VARCHAR", TACIT_CAST_TEXT, 0},      {"TEXT", TACIT_CAST_TEXT, 0},
             {"STRING", TACIT_CAST_TEXT, 0},       {"CHAR", TACIT_CAST_TEXT, 0},
             {"BOOLEAN", TACIT_CAST_TRUTH, 0},     {"BOOL", TACIT_CAST_TRUTH, 0},
             {"DATE", TACIT_CAST_DATE, 0},         {"TIMESTAMP", TACIT_CAST_MOMENT, 0},
             {"DATETIME", TACIT_CAST_MOMENT, 0}};

bool tacit_cast_find(const char *name, size_t length, tacit_cast *cast) {
  for (size_t i = 0; i < sizeof TYPES / sizeof *TYPES; i++)
    if (tacit_same_word(name, length, TYPES[i].name)) {
      *cast = (tacit_cast){.kind = TYPES[i].kind, .digits = TYPES[i].digits};
      return true;
    }
  return false;
}

static bool to_moment(const tacit_value *value, bool timed, tacit_evaluation *e, tacit_value *out) {
  tacit_moment m;
  if (value->kind == TACIT_VALUE_NUMBER || !tacit_moment_parse(value->text, value->length, &m)) return false;
  char *text = tacit_scratch_take(&e->scratch, TACIT_MOMENT_TEXT);
  if (!text) return false;
  if (!timed) m = (tacit_moment){.year = m.year, .month = m.month, .day = m.day};
  *out = tacit_value_text(text, tacit_moment_print(&m, text));
  return true;
}

static bool to_number(const tacit_cast *cast, const tacit_value *value, tacit_value *out) {
  double x;
  if (!tacit_value_as_number(value, &x)) return false;
  if (cast->kind == TACIT_CAST_SINGLE) x = (double)(float)x;
  if (cast->kind == TACIT_CAST_DECIMAL) {
    double unit = pow(10, cast->digits);
    if (isfinite(x * unit)) x = round(x * unit) / unit;
  }
  if (cast->kind == TACIT_CAST_INTEGER) {
    x = nearbyint(x);
    double end = ldexp(1, cast->digits - 1);
    if (!(x >= -end && x < end)) return false;
  }
  *out = tacit_value_number(x);
  return true;
}

bool tacit_cast_value(const tacit_cast *cast, const tacit_value *value, tacit_evaluation *e,
                      tacit_value *out) {
  switch (cast->kind) {
  case TACIT_CAST_TEXT:
    *out = tacit_value_as_text(value, &e->scratch);
    return true;
  case TACIT_CAST_TRUTH: {
    tacit_truth truth = tacit_value_as_truth(value);
    *out = tacit_value_truth(truth == TACIT_YES);
    return truth != TACIT_UNKNOWN;
  }
  case TACIT_CAST_DATE:
    return to_moment(value, false, e, out);
  case TACIT_CAST_MOMENT:
    return to_moment(value, true, e, out);
  default:
    return to_number(cast, value, out);
  }
}
