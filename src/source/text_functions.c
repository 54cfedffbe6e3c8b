/* Functions of text in UTF-8. Characters are code points; a byte that belongs to none counts as one. */
#define _GNU_SOURCE /* memmem */
#include "source/expression.h"

#include <math.h>
#include <string.h>

/* The length of the character at p, at least 1. */
static size_t step(const char *p, const char *end) {
  const char *q = p + 1;
  while (q < end && ((unsigned char)*q & 0xC0) == 0x80 && q < p + 4) q++;
  return (size_t)(q - p);
}

static size_t characters(const tacit_value *v) {
  size_t count = 0;
  for (const char *p = v->text, *end = p + v->length; p < end; p += step(p, end)) count++;
  return count;
}

/* Where character `index`, from 0, begins; the end for an index beyond it. */
static const char *place(const tacit_value *v, double index) {
  const char *p = v->text, *end = p + v->length;
  for (double i = 0; p < end && i < index; i++) p += step(p, end);
  return p;
}

static tacit_value slice(const tacit_value *v, double from, double to) {
  const char *first = place(v, from), *last = to > from ? place(v, to) : first;
  return tacit_value_text(first, (size_t)(last - first));
}

/* A new text of so many bytes, or null where that is too long; *bytes is to be filled. */
static tacit_value new_text(size_t length, tacit_evaluation *e, char **bytes) {
  *bytes = length <= TACIT_VALUE_BYTES_MAX ? tacit_scratch_take(&e->scratch, length + 1) : NULL;
  return *bytes ? tacit_value_text(*bytes, length) : tacit_value_null();
}

/* Two-byte letters whose cases are a fixed distance apart: Latin-1, Greek, Cyrillic; neighbours in Latin
   Extended-A. Others stay as they are. */
static unsigned other_case(unsigned c, bool lower) {
  static const struct {
    unsigned first, last, distance; /* of the capitals */
  } RANGES[] = {{'A', 'Z', 32},     {0xC0, 0xD6, 32},   {0xD8, 0xDE, 32},  {0x391, 0x3A1, 32},
                {0x3A3, 0x3AB, 32}, {0x410, 0x42F, 32}, {0x400, 0x40F, 80}};
  for (size_t i = 0; i < sizeof RANGES / sizeof *RANGES; i++) {
    unsigned distance = RANGES[i].distance, from = RANGES[i].first + (lower ? 0 : distance);
    if (c >= from && c <= from + (RANGES[i].last - RANGES[i].first))
      return lower ? c + distance : c - distance;
  }
  bool even = (c >= 0x100 && c <= 0x12F) || (c >= 0x132 && c <= 0x137) || (c >= 0x14A && c <= 0x177);
  bool odd = (c >= 0x139 && c <= 0x148) || (c >= 0x179 && c <= 0x17E); /* capitals have odd numbers here */
  if (even) return lower ? c | 1 : c & ~1u;
  if (odd) return lower ? c + (c & 1) : c - !(c & 1);
  return c;
}

static tacit_value in_case(const tacit_value *v, bool lower, tacit_evaluation *e) {
  char *out;
  tacit_value text = tacit_value_as_text(v, &e->scratch), made = new_text(text.length, e, &out);
  if (!out) return made;
  for (size_t i = 0; i < text.length; i++) {
    unsigned a = (unsigned char)text.text[i], b = i + 1 < text.length ? (unsigned char)text.text[i + 1] : 0;
    if (a < 0x80) {
      out[i] = (char)other_case(a, lower);
    } else if (a >= 0xC3 && a <= 0xDF && (b & 0xC0) == 0x80) {
      unsigned c = other_case((a & 0x1F) << 6 | (b & 0x3F), lower);
      out[i++] = (char)(0xC0 | c >> 6);
      out[i] = (char)(0x80 | (c & 0x3F));
    } else {
      out[i] = text.text[i];
    }
  }
  return made;
}
static tacit_value lower(const tacit_value *v, size_t count, tacit_evaluation *e) {
  (void)count;
  return in_case(v, true, e);
}
static tacit_value upper(const tacit_value *v, size_t count, tacit_evaluation *e) {
  (void)count;
  return in_case(v, false, e);
}

/* % is any text, _ is any character. Only the last % is ever taken back: what it skips grows. */
static bool matches(const tacit_value *text, const tacit_value *pattern) {
  const char *t = text->text, *t_end = t + text->length, *p = pattern->text, *p_end = p + pattern->length;
  const char *after = NULL, *from = NULL; /* the last %: what follows it, and where its match may end */
  for (;;) {
    if (p < p_end && *p == '%') {
      after = ++p;
      from = t;
    } else if (p < p_end && t < t_end && (*p == '_' || *p == *t)) {
      t += *p == '_' ? step(t, t_end) : 1;
      p++;
    } else if (t == t_end && p == p_end) {
      return true;
    } else if (after && from < t_end) {
      from += step(from, t_end);
      t = from;
      p = after;
    } else {
      return false;
    }
  }
}
/* A match may take as long as the product of both lengths: no record may hold up all others. */
static tacit_value matched(const tacit_value *text, const tacit_value *pattern) {
  static const size_t LONGEST = (size_t)1 << 26;
  if (text->kind == TACIT_VALUE_NULL || pattern->kind == TACIT_VALUE_NULL ||
      text->length > LONGEST / (pattern->length + 1))
    return tacit_value_null();
  return tacit_value_truth(matches(text, pattern));
}
static tacit_value like(const tacit_value *v, size_t count, tacit_evaluation *e) {
  (void)count;
  tacit_value text = tacit_value_as_text(v, &e->scratch), pattern = tacit_value_as_text(v + 1, &e->scratch);
  return matched(&text, &pattern);
}
static tacit_value like_in_any_case(const tacit_value *v, size_t count, tacit_evaluation *e) {
  (void)count;
  tacit_value text = in_case(v, true, e), pattern = in_case(v + 1, true, e);
  return matched(&text, &pattern);
}

/* All texts, one after the other; nulls are nothing. */
static tacit_value concat(const tacit_value *v, size_t count, tacit_evaluation *e) {
  size_t length = 0;
  char *out;
  for (size_t i = 0; i < count; i++) length += tacit_value_as_text(v + i, &e->scratch).length;
  tacit_value made = new_text(length, e, &out);
  for (size_t i = 0; i < count && out; i++) {
    tacit_value part = tacit_value_as_text(v + i, &e->scratch);
    if (part.length) memcpy(out, part.text, part.length);
    out += part.length;
  }
  return made;
}

static bool is_blank(char c) {
  return c == ' ';
}
static tacit_value trimmed(const tacit_value *v, bool left, bool right, tacit_evaluation *e) {
  tacit_value text = tacit_value_as_text(v, &e->scratch);
  for (; left && text.length && is_blank(*text.text); text.length--) text.text++;
  while (right && text.length && is_blank(text.text[text.length - 1])) text.length--;
  return text;
}
static tacit_value trim(const tacit_value *v, size_t count, tacit_evaluation *e) {
  (void)count;
  return trimmed(v, true, true, e);
}
static tacit_value ltrim(const tacit_value *v, size_t count, tacit_evaluation *e) {
  (void)count;
  return trimmed(v, true, false, e);
}
static tacit_value rtrim(const tacit_value *v, size_t count, tacit_evaluation *e) {
  (void)count;
  return trimmed(v, false, true, e);
}

static tacit_value length(const tacit_value *v, size_t count, tacit_evaluation *e) {
  (void)count;
  tacit_value text = tacit_value_as_text(v, &e->scratch);
  return tacit_value_number((double)characters(&text));
}
static tacit_value bytes(const tacit_value *v, size_t count, tacit_evaluation *e) {
  (void)count;
  return tacit_value_number((double)tacit_value_as_text(v, &e->scratch).length);
}

/* left(t, n) and right(t, n): n characters, or all but -n. */
static tacit_value left(const tacit_value *v, size_t count, tacit_evaluation *e) {
  double n;
  (void)count;
  tacit_value text = tacit_value_as_text(v, &e->scratch);
  if (!tacit_value_as_number(v + 1, &n) || isnan(n)) return tacit_value_null();
  return slice(&text, 0, n >= 0 ? n : (double)characters(&text) + n);
}
static tacit_value right(const tacit_value *v, size_t count, tacit_evaluation *e) {
  double n;
  (void)count;
  tacit_value text = tacit_value_as_text(v, &e->scratch);
  if (!tacit_value_as_number(v + 1, &n) || isnan(n)) return tacit_value_null();
  double all = (double)characters(&text);
  return slice(&text, n >= 0 ? all - n : -n, all);
}

/* substring(t, from[, count]): from 1 on; a negative place counts from the end. */
static tacit_value substring(const tacit_value *v, size_t count, tacit_evaluation *e) {
  double from, many = INFINITY;
  tacit_value text = tacit_value_as_text(v, &e->scratch);
  if (!tacit_value_as_number(v + 1, &from) || isnan(from) ||
      (count == 3 && (!tacit_value_as_number(v + 2, &many) || isnan(many) || many < 0)))
    return tacit_value_null();
  double first = from < 0 ? (double)characters(&text) + from : from - 1;
  return slice(&text, first, first + many);
}

static const char *find(const char *at, const char *end, const tacit_value *what) {
  return memmem(at, (size_t)(end - at), what->text, what->length);
}
static tacit_value contains(const tacit_value *v, size_t count, tacit_evaluation *e) {
  (void)count;
  tacit_value text = tacit_value_as_text(v, &e->scratch), part = tacit_value_as_text(v + 1, &e->scratch);
  return tacit_value_truth(part.length == 0 || find(text.text, text.text + text.length, &part));
}
static tacit_value starts_with(const tacit_value *v, size_t count, tacit_evaluation *e) {
  (void)count;
  tacit_value text = tacit_value_as_text(v, &e->scratch), part = tacit_value_as_text(v + 1, &e->scratch);
  return tacit_value_truth(part.length <= text.length &&
                           (part.length == 0 || !memcmp(text.text, part.text, part.length)));
}
static tacit_value ends_with(const tacit_value *v, size_t count, tacit_evaluation *e) {
  (void)count;
  tacit_value text = tacit_value_as_text(v, &e->scratch), part = tacit_value_as_text(v + 1, &e->scratch);
  return tacit_value_truth(
      part.length <= text.length &&
      (part.length == 0 || !memcmp(text.text + text.length - part.length, part.text, part.length)));
}

static tacit_value replace(const tacit_value *v, size_t count, tacit_evaluation *e) {
  (void)count;
  tacit_value text = tacit_value_as_text(v, &e->scratch), old = tacit_value_as_text(v + 1, &e->scratch),
              new = tacit_value_as_text(v + 2, &e->scratch);
  const char *end = text.text + text.length, *at = text.text;
  if (old.length == 0) return text;
  size_t times = 0;
  for (const char *p = at; (p = find(p, end, &old)); p += old.length) times++;
  char *out;
  tacit_value made = new_text(text.length - times * old.length + times * new.length, e, &out);
  for (const char *p; out && (p = find(at, end, &old)); at = p + old.length) {
    memcpy(out, at, (size_t)(p - at));
    out += p - at;
    if (new.length) memcpy(out, new.text, new.length);
    out += new.length;
  }
  if (out && end > at) memcpy(out, at, (size_t)(end - at));
  return made;
}

/* To a number of characters, cut or filled with the third argument, over and over. */
static tacit_value padded(const tacit_value *v, bool at_left, tacit_evaluation *e) {
  double wanted;
  tacit_value text = tacit_value_as_text(v, &e->scratch), fill = tacit_value_as_text(v + 2, &e->scratch);
  if (!tacit_value_as_number(v + 1, &wanted) || !(wanted <= TACIT_VALUE_BYTES_MAX)) return tacit_value_null();
  size_t have = characters(&text), want = wanted > 0 ? (size_t)wanted : 0;
  if (want <= have) return slice(&text, 0, (double)want);
  size_t filler = characters(&fill);
  if (filler == 0) return tacit_value_null();
  char *out;
  size_t times = (want - have) / filler + 1; /* of the filler, the last perhaps in part */
  const char *cut = place(&fill, (double)((want - have) % filler));
  size_t added = (times - 1) * fill.length + (size_t)(cut - fill.text);
  tacit_value made = new_text(text.length + added, e, &out);
  if (!out) return made;
  for (size_t i = 0; i < added; i++) out[at_left ? i : text.length + i] = fill.text[i % fill.length];
  memcpy(out + (at_left ? added : 0), text.text, text.length);
  return made;
}
static tacit_value lpad(const tacit_value *v, size_t count, tacit_evaluation *e) {
  (void)count;
  return padded(v, true, e);
}
static tacit_value rpad(const tacit_value *v, size_t count, tacit_evaluation *e) {
  (void)count;
  return padded(v, false, e);
}

const tacit_function tacit_text_functions[] = {
    {"||", 2, 2, .body = concat},
    {"LIKE ", 2, 2, .body = like}, /* with a space: no name that a query can call */
    {"ILIKE ", 2, 2, .body = like_in_any_case},
    {"concat", 1, SIZE_MAX, .body = concat, .nulls = true},
    {"lower", 1, 1, .body = lower},
    {"lcase", 1, 1, .body = lower},
    {"upper", 1, 1, .body = upper},
    {"ucase", 1, 1, .body = upper},
    {"trim", 1, 1, .body = trim},
    {"ltrim", 1, 1, .body = ltrim},
    {"rtrim", 1, 1, .body = rtrim},
    {"length", 1, 1, .body = length},
    {"strlen", 1, 1, .body = bytes},
    {"left", 2, 2, .body = left},
    {"right", 2, 2, .body = right},
    {"substring", 2, 3, .body = substring},
    {"substr", 2, 3, .body = substring},
    {"replace", 3, 3, .body = replace},
    {"contains", 2, 2, .body = contains},
    {"prefix", 2, 2, .body = starts_with},
    {"starts_with", 2, 2, .body = starts_with},
    {"suffix", 2, 2, .body = ends_with},
    {"ends_with", 2, 2, .body = ends_with},
    {"lpad", 3, 3, .body = lpad},
    {"rpad", 3, 3, .body = rpad},
    {.name = NULL},
};
