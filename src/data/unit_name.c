/* Names of units that a program may have rounded, so that two units could be one (proofs/sql.md). */
#include "data/unit_name.h"

#include "base/base.h"

#include <math.h>
#include <string.h>

static bool has(const tacit_cell *name, const char *characters) {
  for (; *characters; characters++)
    if (memchr(name->text, *characters, name->length)) return true;
  return false;
}

/* A number with a sign or a point, as far as its characters say; most names have another one soon. */
static bool is_signed_or(const tacit_cell *name, char point) {
  bool any = false;
  for (size_t i = 0; i < name->length; i++) {
    char c = name->text[i];
    if (c >= '0' && c <= '9') continue;
    bool mark = c == '+' || c == '-' || c == point;
    if (!mark && c != 'e' && c != 'E' && c != ' ' && c != '\t') return false;
    any |= mark;
  }
  return any;
}

/* Whether a source that rounds reals may have rounded something in this name: it is a number with a point or
   an exponent, or larger than any double, or a list or a structure, in which such numbers may stand. */
static bool is_rounded(const tacit_cell *name) {
  double number;
  if (!name->text || name->length == 0) return false;
  if (name->text[0] == '[' || name->text[0] == '{') return true;
  tacit_number_kind kind = tacit_cell_read_number(name, &number);
  return kind == TACIT_NUMBER_NOT_FINITE || (kind == TACIT_NUMBER && has(name, ".eE"));
}

/* Whether a program that writes doubles may have made this name of another whole number: 1.23e+16, and beyond
   2^53 also with a point. Without a point or a sign, as in 12e4, it is taken for the name itself, and so are
   plain digits, though some programs write what they have rounded in these forms too (1e16, or all digits):
   nobody can see that. */
static bool is_shortened(const tacit_source *source, const tacit_cell *name) {
  double number;
  const char *point = source->text.decimal_comma ? "," : ".";
  if (!name->text || !is_signed_or(name, *point)) return false;
  tacit_number_kind kind = tacit_source_read_number(source, name, &number);
  if (kind == TACIT_NUMBER && !has(name, "eE")) return has(name, point) && fabs(number) >= 0x1p53;
  if (kind != TACIT_NUMBER && kind != TACIT_NUMBER_NOT_FINITE) return false;
  const char *mark = memchr(name->text, 'e', name->length);
  if (!mark) mark = memchr(name->text, 'E', name->length);
  return mark && (has(name, point) || mark[1] == '+' || mark[1] == '-');
}

tacit_status tacit_unit_name_check(const tacit_source *source, size_t column, const tacit_cell *name,
                                   tacit_error *error) {
  return tacit_name_check(source, column, "unit", name, error);
}

tacit_status tacit_name_check(const tacit_source *source, size_t column, const char *whose,
                              const tacit_cell *name, tacit_error *error) {
  if (source->origin.reals_rounded && is_rounded(name))
    return tacit_fail(
        error, TACIT_BAD_INPUT,
        "record %zu, column \"%.200s\": a %s's name in a JSON file must be a whole number, or text that "
        "is no number and does not begin with [ or {; others may be rounded in reading, so that two %ss "
        "could become one",
        source->record, source->names[column], whose, whose);
  bool large =
      !name->text && source->origin.rounded_from && fabs(name->number) >= source->origin.rounded_from[column];
  bool digits = source->header.declared &&
                source->header.declared[column] == TACIT_DECLARED_NUMBERS; /* all that there are */
  if (!large && (digits || !is_shortened(source, name))) return TACIT_OK;
  return tacit_fail(
      error, TACIT_BAD_INPUT,
      "record %zu, column \"%.200s\": a %s's name that is a number with an exponent, a very long one with "
      "a point, or one beyond what its column's type keeps (a float), may have been rounded by the program "
      "that wrote it, so that two %ss could become one; let it write whole numbers or text",
      source->record, source->names[column], whose, whose);
}
