/* What the certificates of policies over a region must list, rebuilt from the public rules, the schema, the
   region and the stated inputs (proofs/spo.md). */
#include "policy/inputs.h"

#include "privacy/spo_recipe.h"

#include <string.h>

/* One release of the given kind for all costs together. */
static bool is(const tacit_mechanism *m, tacit_release_kind kind, size_t dimension, double clip, int bits) {
  return m->kind == kind && m->target == TACIT_ALL_TARGETS && m->dimension == dimension &&
         (m->level == 0) == (kind != TACIT_RELEASE_SIGN) && m->clip == clip && m->bits == bits &&
         m->count > 0;
}

/* `steps` sums of decisions' errors times rows, all with one radius; before them, where the rows' scale is
   not known, one moment of theirs. */
static bool gaussian_lists(const tacit_policy *policy) {
  const tacit_certificate *c = policy->certificate;
  bool wide = !tacit_schema_scales_known(policy->schema);
  double steps = tacit_input_number(policy, "steps"), sums = 0, moments = 0;
  double radius = TACIT_SPO_RADIUS_SHARE * tacit_input_number(policy, "clip_norm");
  size_t p = policy->schema->columns, cells = policy->region->dimension * p;
  int bits = (wide ? (int)TACIT_SPO_WHITE_BITS : (int)TACIT_CELL_BITS) + TACIT_SCORE_BITS;
  for (size_t i = 0; i < c->mechanism_count; i++) {
    const tacit_mechanism *m = &c->mechanisms[i];
    bool moment =
        is(m, TACIT_RELEASE_MOMENT, p * (p + 1) / 2, tacit_spo_row_clip(p), 2 * tacit_spo_row_bits(p));
    if (!moment && !is(m, TACIT_RELEASE_OUTER, cells, radius, bits)) return false;
    *(moment ? &moments : &sums) += (double)m->count;
  }
  return !strcmp(tacit_certificate_find(c, "scales")->text, wide ? "wide" : "known") &&
         moments == (wide ? 1 : 0) && sums == steps;
}

/* One moment of rows and costs. */
static bool least_squares_lists(const tacit_policy *policy) {
  const tacit_certificate *c = policy->certificate;
  size_t p = policy->schema->columns, d = policy->region->dimension;
  tacit_spo_moment moment = tacit_spo_moment_choose(p, d);
  return c->mechanism_count == 1 && c->mechanisms[0].count == 1 &&
         is(&c->mechanisms[0], TACIT_RELEASE_MOMENT, (p + d) * (p + d + 1) / 2, moment.clip, 2 * moment.bits);
}

/* `steps` responses alike; what they give together is recomputed from their epsilon0. */
static bool exponential_lists(const tacit_policy *policy) {
  const tacit_certificate *c = policy->certificate;
  return c->mechanism_count == 1 && is(&c->mechanisms[0], TACIT_RELEASE_SIGN, 1, 0, 0) &&
         (double)c->mechanisms[0].count == tacit_input_number(policy, "steps");
}

bool tacit_spo_method_lists(const tacit_policy *policy) {
  static const struct {
    const char *name;
    bool (*lists)(const tacit_policy *policy);
    bool gaussian; /* it promises mu, else (epsilon, delta) */
  } methods[] = {{"spo-gaussian", gaussian_lists, true},
                 {"spo-exponential", exponential_lists, false},
                 {"spo-least-squares", least_squares_lists, true}};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
    if (!strcmp(policy->certificate->method, methods[i].name))
      return (policy->certificate->mu != 0) == methods[i].gaussian && methods[i].lists(policy);
  return false;
}
