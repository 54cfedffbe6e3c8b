/* One column of an Arrow stream: its values as cells and numbers. */
#include "source/arrow_column.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static tacit_arrow_kind kind_of(const char *format) {
  static const struct {
    const char *format;
    tacit_arrow_kind holds;
  } KINDS[] = {{"c", TACIT_ARROW_I8},        {"C", TACIT_ARROW_U8},         {"s", TACIT_ARROW_I16},
               {"S", TACIT_ARROW_U16},       {"i", TACIT_ARROW_I32},        {"I", TACIT_ARROW_U32},
               {"l", TACIT_ARROW_I64},       {"L", TACIT_ARROW_U64},        {"e", TACIT_ARROW_F16},
               {"f", TACIT_ARROW_F32},       {"g", TACIT_ARROW_F64},        {"b", TACIT_ARROW_BOOL},
               {"u", TACIT_ARROW_TEXT},      {"U", TACIT_ARROW_LARGE_TEXT}, {"n", TACIT_ARROW_NOTHING},
               {"vu", TACIT_ARROW_TEXT_VIEW}};
  for (size_t i = 0; format && i < sizeof KINDS / sizeof *KINDS; i++)
    if (!strcmp(format, KINDS[i].format)) return KINDS[i].holds;
  return TACIT_ARROW_OTHER;
}

static bool is_text(tacit_arrow_kind k) {
  return k == TACIT_ARROW_TEXT || k == TACIT_ARROW_LARGE_TEXT || k == TACIT_ARROW_TEXT_VIEW;
}
static bool is_integer(tacit_arrow_kind k) {
  return k >= TACIT_ARROW_I8 && k <= TACIT_ARROW_U64;
}

static bool bit(const void *bits, int64_t i) {
  return ((const unsigned char *)bits)[i / 8] >> (i % 8) & 1;
}

/* Whether entry i, counted from the array's offset, has a value. */
bool tacit_arrow_valid(const struct ArrowArray *array, int64_t i) {
  return array->n_buffers < 1 || !array->buffers[0] || bit(array->buffers[0], array->offset + i);
}

/* Two bytes: a sign, five bits of exponent, ten of the rest. */
static double half_at(const uint16_t *data, int64_t i) {
  int exponent = data[i] >> 10 & 31, rest = data[i] & 1023;
  double size = exponent == 0    ? ldexp(rest, -24)
                : exponent == 31 ? (rest ? (double)NAN : (double)INFINITY)
                                 : ldexp(1024 + rest, exponent - 25);
  return data[i] >> 15 ? -size : size;
}

double tacit_arrow_number(const void *data, tacit_arrow_kind k, int64_t i) {
  switch (k) {
  case TACIT_ARROW_I8:
    return ((const int8_t *)data)[i];
  case TACIT_ARROW_U8:
    return ((const uint8_t *)data)[i];
  case TACIT_ARROW_I16:
    return ((const int16_t *)data)[i];
  case TACIT_ARROW_U16:
    return ((const uint16_t *)data)[i];
  case TACIT_ARROW_I32:
    return ((const int32_t *)data)[i];
  case TACIT_ARROW_U32:
    return ((const uint32_t *)data)[i];
  case TACIT_ARROW_I64:
    return (double)((const int64_t *)data)[i];
  case TACIT_ARROW_U64:
    return (double)((const uint64_t *)data)[i];
  case TACIT_ARROW_F16:
    return half_at(data, i);
  case TACIT_ARROW_F32:
    return (double)((const float *)data)[i];
  case TACIT_ARROW_BOOL:
    return bit(data, i);
  default:
    return ((const double *)data)[i];
  }
}

/* Entry i of an array of views: a short text stands in its view, a long one in one of several buffers, of
   whose sizes the last buffer tells. */
static bool view_at(const struct ArrowArray *array, int64_t i, tacit_cell *cell) {
  const char *view = (const char *)array->buffers[1] + 16 * i;
  int32_t parts[4]; /* length, first bytes, buffer, place */
  memcpy(parts, view, sizeof parts);
  if (parts[0] < 0) return false;
  *cell = (tacit_cell){.text = view + 4, .length = (size_t)parts[0]};
  if (parts[0] <= 12) return true;
  int64_t buffers = array->n_buffers - 3;
  if (parts[2] < 0 || parts[2] >= buffers || parts[3] < 0 || !array->buffers[2 + parts[2]]) return false;
  const int64_t *sizes = array->buffers[array->n_buffers - 1];
  if (!sizes || (int64_t)parts[3] + parts[0] > sizes[parts[2]]) return false;
  cell->text = (const char *)array->buffers[2 + parts[2]] + parts[3];
  return true;
}

/* Entry i of an array of text; false when its places make no sense. */
static bool text_at(const struct ArrowArray *array, tacit_arrow_kind k, int64_t i, tacit_cell *cell) {
  if (array->n_buffers < (k == TACIT_ARROW_TEXT_VIEW ? 2 : 3) || !array->buffers[1]) return false;
  i += array->offset;
  if (k == TACIT_ARROW_TEXT_VIEW) return view_at(array, i, cell);
  int64_t from, to;
  if (k == TACIT_ARROW_TEXT) {
    const int32_t *places = array->buffers[1];
    from = places[i], to = places[i + 1];
  } else {
    const int64_t *places = array->buffers[1];
    from = places[i], to = places[i + 1];
  }
  const char *bytes = array->buffers[2];
  if (from < 0 || to < from || (to > from && !bytes)) return false;
  *cell = (tacit_cell){.text = bytes ? bytes + from : "", .length = (size_t)(to - from)};
  return true;
}

/* A 64-bit integer that is no double, as text: two people's numbers must not become one. */
static bool is_large(tacit_arrow_column *c, const void *data, int64_t i, tacit_cell *cell) {
  if (c->holds != TACIT_ARROW_I64 && c->holds != TACIT_ARROW_U64) return false;
  int64_t value = ((const int64_t *)data)[i];
  bool negative = c->holds == TACIT_ARROW_I64 && value < 0;
  uint64_t size = negative ? -(uint64_t)value : (uint64_t)value;
  if (size == 0 || size / (size & -size) <= UINT64_C(1) << 53) return false; /* 53 bits and zeros */
  int length = snprintf(c->spelled, TACIT_ARROW_SIZE, "%s%" PRIu64, negative ? "-" : "", size);
  *cell = (tacit_cell){.text = c->spelled, .length = (size_t)length};
  return true;
}

/* The cell of a column in row i, counted from the batch's own offset. */
bool tacit_arrow_cell(tacit_arrow_column *c, const struct ArrowArray *array, int64_t i, tacit_cell *cell) {
  *cell = (tacit_cell){.text = "", .length = 0};
  if (c->holds == TACIT_ARROW_NOTHING || !tacit_arrow_valid(array, i)) return true;
  if (is_text(c->holds)) return text_at(array, c->holds, i, cell);
  if (array->n_buffers < 2 || !array->buffers[1]) return false;
  if (c->holds == TACIT_ARROW_SPELLED) {
    *cell = tacit_arrow_spell(&c->spelling, array->buffers[1], array->offset + i, c->spelled);
    return true;
  }
  if (c->dictionary == TACIT_ARROW_OTHER && is_large(c, array->buffers[1], array->offset + i, cell))
    return true;
  double number = tacit_arrow_number(array->buffers[1], c->holds, array->offset + i);
  if (c->dictionary == TACIT_ARROW_OTHER) {
    *cell = (tacit_cell){.number = number};
    return true;
  }
  const struct ArrowArray *words = array->dictionary;
  if (!words || !(number >= 0 && number < (double)words->length)) return false;
  return !tacit_arrow_valid(words, (int64_t)number) || text_at(words, c->dictionary, (int64_t)number, cell);
}

/* What a column holds; TACIT_ARROW_OTHER: nothing that a schema can name. */
tacit_arrow_column tacit_arrow_column_of(const struct ArrowSchema *child, size_t place) {
  tacit_arrow_column c = {.child = place, .holds = kind_of(child->format)};
  if (child->dictionary) {
    c.dictionary = kind_of(child->dictionary->format);
    if (!is_integer(c.holds) || !is_text(c.dictionary)) c.holds = TACIT_ARROW_OTHER;
    return c;
  }
  c.spelling = tacit_arrow_spelling_of(child->format);
  if (c.spelling.kind != TACIT_SPELL_NOT) c.holds = TACIT_ARROW_SPELLED;
  return c;
}

bool tacit_arrow_numeric(const tacit_arrow_column *c) {
  return c->dictionary == TACIT_ARROW_OTHER && c->holds >= TACIT_ARROW_I8 && c->holds <= TACIT_ARROW_BOOL;
}

void tacit_arrow_declares(const tacit_arrow_column *c, const char **type, tacit_declared *declared) {
  bool moment = c->holds == TACIT_ARROW_SPELLED && c->spelling.kind != TACIT_SPELL_DECIMAL;
  bool text = is_text(c->holds) || c->dictionary != TACIT_ARROW_OTHER;
  *declared = text                              ? TACIT_DECLARED_TEXT
              : moment                          ? TACIT_DECLARED_NOTHING
              : c->holds == TACIT_ARROW_NOTHING ? TACIT_DECLARED_NOTHING
                                                : TACIT_DECLARED_NUMBERS;
  *type = text                              ? "VARCHAR"
          : moment                          ? (c->spelling.kind == TACIT_SPELL_DAYS ? "DATE" : "TIMESTAMP")
          : c->holds == TACIT_ARROW_BOOL    ? "BOOLEAN"
          : c->holds == TACIT_ARROW_NOTHING ? NULL
          : is_integer(c->holds)            ? "BIGINT"
          : c->holds == TACIT_ARROW_SPELLED ? "DECIMAL"
                                            : "DOUBLE";
}
