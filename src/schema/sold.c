/* Days that sold out: which column says so, and the bit that a target has for it. */
#include "schema/sold.h"

#include <math.h>
#include <string.h>

static tacit_status refuse(const tacit_fields *fields, const char *what) {
  return tacit_fail(fields->error, TACIT_BAD_INPUT, "days that sold out, in %s: %s", fields->where, what);
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
  return tacit_fields_name(fields, stock ? "stock" : "sold_out", &target->sold_column);
}

tacit_status tacit_sold_check(const tacit_schema *schema, tacit_error *error) {
  for (size_t t = 0; t < schema->target_count; t++) {
    const char *column = schema->targets[t].sold_column;
    if (!column) continue;
    for (size_t k = 0; k < schema->target_count; k++)
      if (!strcmp(column, schema->targets[k].name))
        return tacit_fail(error, TACIT_BAD_INPUT,
                          "the column \"%.60s\" cannot be a target and say what sold out", column);
    if (schema->features_public || schema->events)
      return tacit_fail(
          error, TACIT_BAD_INPUT,
          "\"%s\" cannot be combined with \"private\": \"target\" or events; leave out one of both",
          schema->targets[t].sold_by_stock ? "stock" : "sold_out");
  }
  return TACIT_OK;
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
