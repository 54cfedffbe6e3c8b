/* Days that sold out: which column says so, and the bit that a target has for it. */
#include "schema/sold.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static tacit_status refuse(const tacit_fields *fields, const char *what) {
  return tacit_fail(fields->error, TACIT_BAD_INPUT, "days that sold out, in %s: %s", fields->where, what);
}

/* Two words in place of a flag's own. Names have no line ends, so that one may stand between them. */
static tacit_status parse_words(const tacit_fields *fields, tacit_target *target) {
  const json_t *levels = json_object_get(fields->object, "levels");
  if (json_array_size(levels) != 2)
    return refuse(fields, "\"levels\" are two words, the second for sold out: [\"nein\", \"ja\"]");
  for (size_t k = 0; k < 2; k++)
    TACIT_TRY(tacit_fields_check_name(fields, "levels", json_array_get(levels, k)));
  const char *no = json_string_value(json_array_get(levels, 0)),
             *yes = json_string_value(json_array_get(levels, 1));
  if (!strcmp(no, yes)) return refuse(fields, "\"levels\" has the same word twice");
  if (strchr(" \t", *no) || strchr(" \t", *yes) || strchr(" \t", no[strlen(no) - 1]) ||
      strchr(" \t", yes[strlen(yes) - 1]))
    return refuse(fields, "\"levels\" has blanks around a word: cells are read without them, remove these");
  size_t room = strlen(no) + strlen(yes) + 2;
  target->sold_words = tacit_alloc(room, 1);
  if (!target->sold_words) return tacit_no_memory(fields->error);
  snprintf(target->sold_words, room, "%s\n%s", no, yes);
  return TACIT_OK;
}

/* One of the words, or a truth where there are none. */
static tacit_status parse_missing(const tacit_fields *fields, tacit_target *target) {
  const json_t *missing = json_object_get(fields->object, "missing");
  const json_t *levels = json_object_get(fields->object, "levels");
  bool yes = levels ? json_equal(missing, json_array_get(levels, 1)) : json_is_true(missing);
  bool no = levels ? json_equal(missing, json_array_get(levels, 0)) : json_is_false(missing);
  if (!yes && !no)
    return refuse(fields, levels ? "\"missing\" must be one of the two \"levels\""
                                 : "\"missing\" must be true or false");
  target->sold_has_missing = true;
  target->sold_missing = yes;
  return TACIT_OK;
}

tacit_status tacit_sold_parse(const tacit_fields *fields, tacit_target *target) {
  bool flag = tacit_fields_has(fields, "sold_out"), stock = tacit_fields_has(fields, "stock");
  if (!flag && !stock) return TACIT_OK;
  if (flag && stock)
    return refuse(fields,
                  "give \"sold_out\", a column of flags, or \"stock\", a column of numbers, not both");
  if (target->tiers)
    return refuse(fields, "a target with costs in tiers cannot have them; leave out one of both");
  if (target->sum_of_next)
    return refuse(fields, "a sum over periods cannot have them; learn one period, or leave out the column");
  target->sold_by_stock = stock;
  const char *key = stock ? "stock" : "sold_out";
  const json_t *given = json_object_get(fields->object, key);
  if (!json_is_object(given)) return tacit_fields_name(fields, key, &target->sold_column);
  tacit_fields column;
  TACIT_TRY(tacit_fields_open(&column, given, key, stock ? "name, missing" : "name, levels, missing",
                              fields->error));
  TACIT_TRY(tacit_fields_name(&column, "name", &target->sold_column));
  if (stock) return tacit_fields_missing(&column, &target->sold_has_missing, &target->sold_missing);
  if (tacit_fields_has(&column, "levels")) TACIT_TRY(parse_words(&column, target));
  return tacit_fields_has(&column, "missing") ? parse_missing(&column, target) : TACIT_OK;
}

bool tacit_sold_any(const tacit_schema *schema) {
  bool any = false;
  for (size_t t = 0; t < schema->target_count; t++) any = any || schema->targets[t].sold_column;
  return any;
}

tacit_status tacit_sold_check(const tacit_schema *schema, tacit_error *error) {
  for (size_t t = 0; t < schema->target_count; t++) {
    const char *column = schema->targets[t].sold_column;
    if (!column) continue;
    for (size_t k = 0; k < schema->target_count; k++)
      if (!strcmp(column, schema->targets[k].name))
        return tacit_fail(error, TACIT_BAD_INPUT,
                          "the column \"%.60s\" cannot be a target and say what sold out", column);
    for (size_t f = 0; f < schema->feature_count; f++)
      if (tacit_feature_reads(&schema->features[f]) != TACIT_READS_NOTHING &&
          !strcmp(column, schema->features[f].name))
        return tacit_fail(
            error, TACIT_BAD_INPUT,
            "the column \"%.60s\" says what sold out, which nobody knows when the order is made: "
            "remove it from the features",
            column);
    if (schema->features_public || schema->events)
      return tacit_fail(
          error, TACIT_BAD_INPUT,
          "\"%s\" cannot be combined with \"private\": \"target\" or events; leave out one of both",
          schema->targets[t].sold_by_stock ? "stock" : "sold_out");
  }
  return TACIT_OK;
}

bool tacit_sold_is_told(const tacit_target *target, double cell) {
  return isfinite(cell) && (target->sold_by_stock || cell == 0 || cell == 1);
}

double tacit_sold_told(const tacit_target *target, double cell) {
  if (tacit_sold_is_told(target, cell)) return cell;
  return target->sold_has_missing ? target->sold_missing : (double)NAN;
}

/* One of the two may have been kept in single precision. */
static bool are_alike(double sales, double stock) {
  return fabs(sales - stock) <= 0x1p-23 * fabs(stock);
}

bool tacit_sold_says(const tacit_target *target, double sales, double told) {
  if (isnan(sales) || isnan(told)) return false;
  if (!target->sold_by_stock) return told == 1;
  return sales >= told || (isfinite(told) && are_alike(sales, told));
}

double tacit_sold_mark(const tacit_scale *scale, double encoded, bool sold_out) {
  if (!isfinite(encoded)) return encoded;
  double most = ldexp(scale->limit, TACIT_TARGET_BITS - 1) - 1; /* room for the bit below the limit */
  double half = fmax(-most, fmin(most, rint(ldexp(encoded, TACIT_TARGET_BITS - 1))));
  return ldexp(2 * half + sold_out, -TACIT_TARGET_BITS);
}
