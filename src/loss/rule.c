/* How an order follows from an encoded row. */
#include "loss/rule.h"

#include "num/vmath.h"

#include <math.h>

void tacit_log_spread_bounds(double reach, double *low, double *high) {
  *low = log(ldexp(2 * reach, -TACIT_SPREAD_BITS));
  *high = log(2 * reach);
}

void tacit_spreads(double reach, size_t n, const double *logarithm, double *spread) {
  double low, high;
  tacit_log_spread_bounds(reach, &low, &high);
  for (size_t i = 0; i < n; i++) spread[i] = fmax(low, fmin(high, logarithm[i]));
  tacit_vexp(n, spread, spread);
}

double tacit_rule_order(const tacit_rule *rule, const double *x) {
  double order = 0, spread = 0;
  for (size_t j = 0; j < rule->columns; j++) order += rule->coefficients[j] * x[j];
  if (!rule->spread) return order;
  for (size_t j = 0; j < rule->columns; j++) spread += rule->spread[j] * x[j];
  tacit_spreads(rule->reach, 1, &spread, &spread);
  return order + rule->spread[rule->columns] * spread;
}

bool tacit_rule_is_linear(const tacit_rule *rule) {
  return !rule->spread || rule->spread[rule->columns] == 0;
}
