/* Arithmetic in doubles. What has no value (a division by 0, the logarithm of -1) is null. */
#include "source/expression.h"

#include <math.h>

static tacit_value number(double x, double y, double result) {
  return isnan(result) && !isnan(x) && !isnan(y) ? tacit_value_null() : tacit_value_number(result);
}

/* A function of two numbers. */
#define BINARY(name, result)                                                                                 \
  static tacit_value name(const tacit_value *v, size_t count, tacit_evaluation *e) {                         \
    double x, y;                                                                                             \
    (void)count;                                                                                             \
    (void)e;                                                                                                 \
    if (!tacit_value_as_number(v, &x) || !tacit_value_as_number(v + 1, &y)) return tacit_value_null();       \
    return number(x, y, result);                                                                             \
  }
BINARY(add, x + y)
BINARY(multiply, x *y)
BINARY(divide, y == 0 ? NAN : x / y)
BINARY(divide_whole, y == 0 ? NAN : trunc(x / y))
BINARY(remainder_of, fmod(x, y))
BINARY(raise, pow(x, y))
BINARY(angle, atan2(x, y))

static tacit_value subtract(const tacit_value *v, size_t count, tacit_evaluation *e) {
  double x, y = 0;
  (void)e;
  if (!tacit_value_as_number(v, &x) || (count == 2 && !tacit_value_as_number(v + 1, &y)))
    return tacit_value_null();
  return number(x, y, count == 1 ? -x : x - y);
}

/* Half away from zero, at so many digits behind the point. */
static tacit_value round_to(const tacit_value *v, size_t count, tacit_evaluation *e) {
  double x, digits = 0;
  (void)e;
  if (!tacit_value_as_number(v, &x) || (count == 2 && !tacit_value_as_number(v + 1, &digits)))
    return tacit_value_null();
  double unit = pow(10, trunc(digits)), scaled = x * unit;
  return number(x, digits, isfinite(scaled) && unit > 0 ? round(scaled) / unit : x);
}

static double sign_of(double x) {
  return isnan(x) ? x : (x > 0) - (x < 0);
}
static double is_nan(double x) {
  return isnan(x);
}
static double is_finite(double x) {
  return isfinite(x);
}
static double is_infinite(double x) {
  return isinf(x);
}
/* The logarithm of 0 or less has no value. */
static double ln(double x) {
  return x > 0 ? log(x) : NAN;
}
static double binary_log(double x) {
  return x > 0 ? log2(x) : NAN;
}
static double decimal_log(double x) {
  return x > 0 ? log10(x) : NAN;
}

const tacit_function tacit_number_functions[] = {
    {"+", 2, 2, .body = add},
    {"-", 1, 2, .body = subtract},
    {"*", 2, 2, .body = multiply},
    {"/", 2, 2, .body = divide},
    {"//", 2, 2, .body = divide_whole},
    {"%", 2, 2, .body = remainder_of},
    {"^", 2, 2, .body = raise},
    {"mod", 2, 2, .body = remainder_of},
    {"pow", 2, 2, .body = raise},
    {"power", 2, 2, .body = raise},
    {"atan2", 2, 2, .body = angle},
    {"round", 1, 2, .body = round_to},
    {"abs", 1, 1, .math = fabs},
    {"ceil", 1, 1, .math = ceil},
    {"ceiling", 1, 1, .math = ceil},
    {"floor", 1, 1, .math = floor},
    {"trunc", 1, 1, .math = trunc},
    {"sign", 1, 1, .math = sign_of},
    {"sqrt", 1, 1, .math = sqrt},
    {"cbrt", 1, 1, .math = cbrt},
    {"exp", 1, 1, .math = exp},
    {"ln", 1, 1, .math = ln},
    {"log", 1, 1, .math = decimal_log},
    {"log2", 1, 1, .math = binary_log},
    {"log10", 1, 1, .math = decimal_log},
    {"sin", 1, 1, .math = sin},
    {"cos", 1, 1, .math = cos},
    {"tan", 1, 1, .math = tan},
    {"atan", 1, 1, .math = atan},
    {"isnan", 1, 1, .math = is_nan},
    {"isfinite", 1, 1, .math = is_finite},
    {"isinf", 1, 1, .math = is_infinite},
    {.name = NULL},
};
