/* Comparisons, and what SQL says of the unknown. */
#include "source/expression.h"

static tacit_value not(const tacit_value *v, size_t count, tacit_evaluation *e) {
  (void)count;
  (void)e;
  tacit_truth truth = tacit_value_as_truth(v);
  return truth == TACIT_UNKNOWN ? tacit_value_null() : tacit_value_truth(truth == TACIT_NO);
}

/* The comparison `a name b`: its value is unknown where the two cannot be compared. */
#define COMPARISON(name, holds)                                                                              \
  static tacit_value name(const tacit_value *v, size_t count, tacit_evaluation *e) {                         \
    int order;                                                                                               \
    (void)count;                                                                                             \
    (void)e;                                                                                                 \
    return tacit_value_compare(v, v + 1, &order) ? tacit_value_truth(order holds 0) : tacit_value_null();    \
  }
COMPARISON(equal, ==)
COMPARISON(unequal, !=)
COMPARISON(below, <)
COMPARISON(at_most, <=)
COMPARISON(above, >)
COMPARISON(at_least, >=)

static tacit_value is_null(const tacit_value *v, size_t count, tacit_evaluation *e) {
  (void)count;
  (void)e;
  return tacit_value_truth(v->kind == TACIT_VALUE_NULL);
}

static tacit_value is_distinct(const tacit_value *v, size_t count, tacit_evaluation *e) {
  int order;
  (void)count;
  (void)e;
  bool none = v[0].kind == TACIT_VALUE_NULL, other = v[1].kind == TACIT_VALUE_NULL;
  bool same = none || other ? none && other : tacit_value_compare(v, v + 1, &order) && order == 0;
  return tacit_value_truth(!same);
}

/* v[0] IN (v[1], ...): unknown where nothing is equal and something could not be compared. */
static tacit_value in(const tacit_value *v, size_t count, tacit_evaluation *e) {
  bool unknown = false;
  (void)e;
  for (size_t i = 1; i < count; i++) {
    int order;
    if (!tacit_value_compare(v, v + i, &order))
      unknown = true;
    else if (order == 0)
      return tacit_value_truth(true);
  }
  return unknown ? tacit_value_null() : tacit_value_truth(false);
}

/* v[1] <= v[0] AND v[0] <= v[2] */
static tacit_value between(const tacit_value *v, size_t count, tacit_evaluation *e) {
  int low, high;
  (void)count;
  (void)e;
  bool has_low = tacit_value_compare(v, v + 1, &low), has_high = tacit_value_compare(v, v + 2, &high);
  if ((has_low && low < 0) || (has_high && high > 0)) return tacit_value_truth(false);
  return has_low && has_high ? tacit_value_truth(true) : tacit_value_null();
}

static tacit_value nullif(const tacit_value *v, size_t count, tacit_evaluation *e) {
  int order;
  (void)count;
  (void)e;
  return tacit_value_compare(v, v + 1, &order) && order == 0 ? tacit_value_null() : v[0];
}

/* The least or greatest of those that are known. */
static tacit_value extreme(const tacit_value *v, size_t count, int sign) {
  tacit_value best = tacit_value_null();
  for (size_t i = 0; i < count; i++) {
    int order;
    if (best.kind == TACIT_VALUE_NULL || (tacit_value_compare(v + i, &best, &order) && sign * order > 0))
      best = v[i];
  }
  return best;
}
static tacit_value least(const tacit_value *v, size_t count, tacit_evaluation *e) {
  (void)e;
  return extreme(v, count, -1);
}
static tacit_value greatest(const tacit_value *v, size_t count, tacit_evaluation *e) {
  (void)e;
  return extreme(v, count, 1);
}

const tacit_function tacit_logic_functions[] = {
    {"NOT ", 1, 1, .body = not }, /* with a space: no name that a query can call */
    {"=", 2, 2, .body = equal},
    {"<>", 2, 2, .body = unequal},
    {"<", 2, 2, .body = below, .orders = true},
    {"<=", 2, 2, .body = at_most, .orders = true},
    {">", 2, 2, .body = above, .orders = true},
    {">=", 2, 2, .body = at_least, .orders = true},
    {"IS NULL", 1, 1, .body = is_null, .nulls = true},
    {"IS DISTINCT", 2, 2, .body = is_distinct, .nulls = true},
    {"IN ", 2, SIZE_MAX, .body = in, .nulls = true},
    {"BETWEEN ", 3, 3, .body = between, .nulls = true, .orders = true},
    {"nullif", 2, 2, .body = nullif, .nulls = true},
    {"least", 1, SIZE_MAX, .body = least, .nulls = true},
    {"greatest", 1, SIZE_MAX, .body = greatest, .nulls = true},
    {.name = NULL},
};
