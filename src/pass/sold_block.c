/* Days that sold out: chances under a normal law, given that demand was more than what was sold. */
#include "pass/sold_block.h"

#include "num/normal.h"
#include "pass/row_score.h"

tacit_sold_rule tacit_sold_rule_of(double tau, double span) {
  double z = tacit_normal_quantile(tau);
  return (tacit_sold_rule){.tau = (float)tau,
                           .z = (float)z,
                           .low = (float)tacit_normal_cdf(z - span),
                           .high = (float)tacit_normal_cdf(z + span)};
}

/* Into [0, 1], a NaN to 0. */
static inline float share(float part, float whole) {
  float v = part / whole;
  v = v > 0 ? v : 0;
  return v < 1 ? v : 1;
}

/* (tau - F) / (1 - F), nothing where the rule lies below what was sold: F <= tau < 1 else. */
float tacit_sold_below(const tacit_sold_rule *rule, float gap) {
  if (!(gap > 0)) return 0;
  float f = tacit_phi_of(rule->z - gap);
  return share(rule->tau - f, 1 - f);
}

float tacit_sold_within(const tacit_sold_rule *rule, float gap) {
  float f = tacit_phi_of(rule->z - gap), from = f > rule->low ? f : rule->low;
  return f < rule->high ? share(rule->high - from, 1 - f) : 0;
}

float tacit_sold_near(float gap) {
  float f = tacit_phi_of(-gap), from = f > 0.25f ? f : 0.25f;
  return f < 0.75f ? share(0.75f - from, 1 - f) : 0;
}
