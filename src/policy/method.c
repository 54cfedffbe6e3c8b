/* What each method's certificate must list, rebuilt from the schema, the goals and the stated inputs. */
#include "policy/inputs.h"

#include "privacy/recipe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The grid of noisy-gd's rows: the encoded rows', or that of rows whitened by the schema's second moment. */
static bool noisy_gd_bits(const tacit_policy *policy, int *bits) {
  const char *update = tacit_certificate_find(policy->certificate, "update")->text;
  size_t p = policy->schema->columns;
  *bits = TACIT_CELL_BITS;
  if (!strcmp(update, "Z eq. (7)")) return true;
  double *root = tacit_alloc(p * p, sizeof *root);
  bool known = root && tacit_schema_whitening(policy->schema, root, bits, NULL) == TACIT_OK;
  free(root);
  return known;
}

/* Z Algorithm 1: for every target `steps` sums of scores times whole rows, all with one clip norm. */
static bool noisy_gd_lists(const tacit_policy *policy) {
  const tacit_certificate *c = policy->certificate;
  double steps = tacit_input_number(policy, "steps"), clip = tacit_input_number(policy, "clip_norm");
  int bits;
  if (!noisy_gd_bits(policy, &bits)) return false;
  for (size_t t = 0; t < policy->schema->target_count; t++) {
    double listed = 0;
    for (size_t i = 0; i < c->mechanism_count; i++)
      if (c->mechanisms[i].target == t) listed += (double)c->mechanisms[i].count;
    if (listed != steps) return false;
  }
  for (size_t i = 0; i < c->mechanism_count; i++) {
    const tacit_mechanism *m = &c->mechanisms[i];
    if (m->kind != TACIT_RELEASE_SCORES || m->target == TACIT_ALL_TARGETS ||
        m->level != policy->goals[m->target].quantile || m->clip != clip ||
        m->dimension != policy->schema->columns || m->bits != bits + TACIT_SCORE_BITS)
      return false;
  }
  return true;
}

/* Whether a release is one that the default learner makes for a target: kind, dimension, level, clip norm and
 * grid. */
static bool newton_makes(const tacit_recipe *recipe, const tacit_mechanism *m, double tau, double mu) {
  size_t d = recipe->d;
  double share = m->kind == TACIT_RELEASE_ROWS ? recipe->share.mean : recipe->share.moment;
  bool noise =
      fabs(m->sensitivity / m->sigma / (mu * sqrt(share)) - 1) < 1e-6; /* one release: its whole share */
  switch (m->kind) {
  case TACIT_RELEASE_COUNT:
    return m->dimension == 1 && m->level == 0 && m->clip == 0 && m->bits == TACIT_SCORE_BITS;
  case TACIT_RELEASE_ROWS:
    return m->dimension == d && m->level == 0 && m->clip == recipe->mean_clip && m->bits == TACIT_MEAN_BITS &&
           noise;
  case TACIT_RELEASE_MOMENT: {
    double least = ldexp(recipe->largest_clip, -TACIT_RADIUS_OCTAVES) * (1 - 1e-12);
    bool clip = recipe->known ? m->clip == recipe->moment_clip
                              : m->clip >= least && m->clip <= recipe->largest_clip * (1 + 1e-12);
    return clip && noise && m->dimension == (d + 1) * (d + 2) / 2 && m->level == 0 &&
           m->bits == 2 * (TACIT_MOMENT_REACH - (int)ceil(log2(m->clip)));
  }
  case TACIT_RELEASE_OUTER:
  case TACIT_RELEASE_SIGN:
    return false;
  case TACIT_RELEASE_SCORES:
    return m->dimension == d && (m->level == 0.5 || m->level == tau) && m->clip == recipe->score_clip &&
           (m->bits == TACIT_WHITE_BITS + TACIT_SCORE_BITS ||
            m->bits == TACIT_OLD_WHITE_BITS + TACIT_SCORE_BITS);
  default:
    return false;
  }
}

/* How many releases of a kind (scores: of a level) a target has. */
static double count_of(const tacit_certificate *c, size_t target, tacit_release_kind kind, double level) {
  double count = 0;
  for (size_t i = 0; i < c->mechanism_count; i++) {
    const tacit_mechanism *m = &c->mechanisms[i];
    if (m->target == target && m->kind == kind && m->level == level) count += (double)m->count;
  }
  return count;
}

/* Counts for centre and spread of y and for every step; with features also their mean, their radius unless
   scales are known, one moment, and scores at the median and at tau (proofs/default-learner.md). */
static bool newton_target(const tacit_policy *policy, size_t t, const tacit_recipe *recipe) {
  const tacit_certificate *c = policy->certificate;
  double tau = policy->goals[t].quantile, at_median = recipe->median_steps;
  double mu = c->mu / sqrt((double)policy->schema->target_count);
  double at_tau = recipe->d ? TACIT_QUANTILE_STEPS : 0, moments = recipe->d ? 1 : 0;
  double counts = TACIT_CENTRE_COUNTS + TACIT_SPREAD_COUNTS + 2 * at_median + 1 +
                  (recipe->d && !recipe->known ? TACIT_RADIUS_COUNTS : 0);
  /* the released count of the tail decides how tau was found: by bisection, or by steps and a last one */
  bool far = count_of(c, t, TACIT_RELEASE_COUNT, 0) == counts + TACIT_TAIL_COUNTS;
  counts += far ? TACIT_TAIL_COUNTS : TACIT_QUANTILE_STEPS + 1;
  if (far) at_tau = 0;
  for (size_t i = 0; i < c->mechanism_count; i++)
    if (c->mechanisms[i].target == t && !newton_makes(recipe, &c->mechanisms[i], tau, mu)) return false;
  for (size_t j = 1; recipe->d == 0 && j < policy->schema->columns; j++)
    if (tacit_policy_coefficient(policy, t, j) != 0) return false; /* slopes that nothing paid for */
  return count_of(c, t, TACIT_RELEASE_COUNT, 0) == counts &&
         count_of(c, t, TACIT_RELEASE_ROWS, 0) == moments &&
         count_of(c, t, TACIT_RELEASE_MOMENT, 0) == moments &&
         count_of(c, t, TACIT_RELEASE_SCORES, tau) == at_tau + (tau == 0.5 ? at_median : 0) &&
         count_of(c, t, TACIT_RELEASE_SCORES, 0.5) == at_median + (tau == 0.5 ? at_tau : 0);
}

/* Rows have one grid for all of a policy's scores: that of its version. */
static bool one_grid(const tacit_certificate *c) {
  int bits = -1;
  for (size_t i = 0; i < c->mechanism_count; i++) {
    if (c->mechanisms[i].kind != TACIT_RELEASE_SCORES) continue;
    if (bits >= 0 && c->mechanisms[i].bits != bits) return false;
    bits = c->mechanisms[i].bits;
  }
  return true;
}

/* The public rules again, from the file's own rows, guarantee and schema. */
static bool median_newton_lists(const tacit_policy *policy) {
  const tacit_certificate *c = policy->certificate;
  const tacit_schema *schema = policy->schema;
  double per_row = c->mu / sqrt((double)schema->target_count) / (double)schema->rows_per_unit;
  tacit_recipe recipe;
  tacit_recipe_choose(&recipe, (double)c->rows, schema->columns - 1, tacit_schema_scales_known(schema),
                      per_row);
  if (tacit_input_number(policy, "features") != (double)recipe.d ||
      tacit_input_number(policy, "steps") != recipe.median_steps ||
      strcmp(tacit_certificate_find(c, "scales")->text, recipe.known ? "known" : "wide") != 0)
    return false;
  for (size_t i = 0; i < c->mechanism_count; i++)
    if (c->mechanisms[i].count == 0 || c->mechanisms[i].target == TACIT_ALL_TARGETS) return false;
  for (size_t t = 0; t < schema->target_count; t++)
    if (!newton_target(policy, t, &recipe)) return false;
  return one_grid(c);
}

bool tacit_method_lists(const tacit_policy *policy) {
  if (policy->region) return tacit_spo_method_lists(policy);
  static const struct {
    const char *name;
    bool (*lists)(const tacit_policy *policy);
    bool gaussian; /* it promises mu, else (epsilon, delta) */
  } methods[] = {
      {"median-newton", median_newton_lists, true},
      {"noisy-gd", noisy_gd_lists, true},
      {"gradient", noisy_gd_lists, true}, /* E's algorithm is the same releases, averaged and projected */
      {"objective", tacit_method_objective, false},
      {"sgd", tacit_method_sgd, false}};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
    if (!strcmp(policy->certificate->method, methods[i].name))
      return (policy->certificate->mu != 0) == methods[i].gaussian && methods[i].lists(policy);
  return false;
}
