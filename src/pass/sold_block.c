/* Days that sold out: chances under a law with a skew, given that demand was more than what was sold. */
#include "pass/sold_block.h"

#include "num/normal.h"
#include "num/skewed.h"
#include "pass/row_score.h"
#include "pass/score_plan.h"

/* Beyond where the law ends its logarithm is far out, whichever side it ends on. */
static inline float less(const tacit_sold_rule *rule, float t) {
  if (rule->skew == 0) return tacit_phi_of(t);
  float inside = 1 + rule->along * t;
  return tacit_phi_of(tacit_single_log(inside > 0x1p-30f ? inside : 0x1p-30f) * rule->per);
}

static tacit_sold_rule normal_rule(double tau, double span) {
  double z = tacit_normal_quantile(tau);
  return (tacit_sold_rule){.tau = (float)tau,
                           .z = (float)z,
                           .low = (float)tacit_normal_cdf(z - span),
                           .high = (float)tacit_normal_cdf(z + span)};
}

tacit_sold_rule tacit_sold_rule_of(double tau, double span, double skew) {
  const tacit_skewed law = tacit_skewed_of(skew);
  if (law.g == 0) return normal_rule(tau, span);
  tacit_sold_rule rule = {.tau = (float)tau,
                          .z = (float)(tacit_skewed_quantile(&law, tau) * TACIT_SCORE_MAD),
                          .skew = (float)law.g,
                          .per = (float)(1 / law.g),
                          .along = (float)(law.w / TACIT_SCORE_MAD)};
  rule.low = less(&rule, rule.z - (float)span);
  rule.high = less(&rule, rule.z + (float)span);
  return rule;
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
  float f = less(rule, rule->z - gap);
  return share(rule->tau - f, 1 - f);
}

float tacit_sold_within(const tacit_sold_rule *rule, float gap) {
  float f = less(rule, rule->z - gap), from = f > rule->low ? f : rule->low;
  return f < rule->high ? share(rule->high - from, 1 - f) : 0;
}

float tacit_sold_near(float gap) {
  float f = tacit_phi_of(-gap), from = f > 0.25f ? f : 0.25f;
  return f < 0.75f ? share(0.75f - from, 1 - f) : 0;
}
