/* What each method's certificate must list, rebuilt from the schema, the goals and the stated inputs. */
#include "policy/policy.h"

#include "privacy/recipe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The grid of noisy-gd's rows: the encoded rows', or that of rows whitened by the schema's second moment. */
static bool noisy_gd_bits(const tacit_policy *policy, int *bits) {
  const tacit_setting *update = tacit_certificate_find(policy->certificate, "update");
  size_t p = policy->schema->columns;
  *bits = TACIT_CELL_BITS;
  if (update && !strcmp(update->text, "Z eq. (7)")) return true;
  if (!update || strcmp(update->text, "Z eq. (6)") != 0) return false;
  double *root = tacit_alloc(p * p, sizeof *root);
  bool known = root && tacit_schema_whitening(policy->schema, root, bits, NULL) == TACIT_OK;
  free(root);
  return known;
}

/* Z Algorithm 1: for every target `steps` sums of scores times whole rows, all with one clip norm. */
static bool noisy_gd_lists(const tacit_policy *policy) {
  const tacit_certificate *c = policy->certificate;
  const tacit_setting *steps = tacit_certificate_find(c, "steps"),
                      *clip = tacit_certificate_find(c, "clip_norm");
  int bits;
  if (!steps || !clip || !noisy_gd_bits(policy, &bits)) return false;
  for (size_t t = 0; t < policy->schema->target_count; t++) {
    double listed = 0;
    for (size_t i = 0; i < c->mechanism_count; i++)
      if (c->mechanisms[i].target == t) listed += (double)c->mechanisms[i].count;
    if (listed != steps->number) return false;
  }
  for (size_t i = 0; i < c->mechanism_count; i++) {
    const tacit_mechanism *m = &c->mechanisms[i];
    if (m->kind != TACIT_RELEASE_SCORES || m->target == TACIT_ALL_TARGETS ||
        m->level != policy->goals[m->target].quantile || m->clip != clip->number ||
        m->dimension != policy->schema->columns || m->bits != bits + TACIT_SCORE_BITS)
      return false;
  }
  return true;
}

/* The grid that the default learner gives a release: a moment's follows from its clip norm. */
static int grid_of(const tacit_mechanism *m, int bits) {
  if (m->kind != TACIT_RELEASE_MOMENT) return bits;
  bool sound = m->clip > 1e-100 && m->clip < 1e100;
  return sound ? 2 * (TACIT_MOMENT_REACH - (int)ceil(log2(m->clip))) : -1;
}

/* How many releases for a target are like this one in kind, dimension, level and grid. */
static double count_of(const tacit_certificate *c, const tacit_mechanism *like) {
  double count = 0;
  for (size_t i = 0; i < c->mechanism_count; i++) {
    const tacit_mechanism *m = &c->mechanisms[i];
    if (m->target == like->target && m->kind == like->kind && m->dimension == like->dimension &&
        m->level == like->level && m->bits == grid_of(m, like->bits))
      count += (double)m->count;
  }
  return count;
}

/* The default learner: counts for centre and spread of y and for every step; with features also their mean,
   their radius unless scales are known, one moment, and scores at the median and at tau
   (proofs/default-learner.md). */
static bool median_newton_target(const tacit_policy *policy, size_t t, bool any, bool known) {
  const tacit_certificate *c = policy->certificate;
  size_t d = policy->schema->columns - 1;
  double tau = policy->goals[t].quantile, steps = any ? TACIT_MEDIAN_STEPS : 0;
  double counts = TACIT_CENTRE_COUNTS + TACIT_SPREAD_COUNTS + 2 * steps + TACIT_QUANTILE_STEPS + 1 +
                  (any && !known ? TACIT_RADIUS_COUNTS : 0);
  tacit_mechanism count = {TACIT_RELEASE_COUNT, .target = t, .dimension = 1, .bits = TACIT_SCORE_BITS};
  tacit_mechanism mean = {TACIT_RELEASE_ROWS, .target = t, .dimension = d, .bits = TACIT_MEAN_BITS};
  tacit_mechanism moment = {TACIT_RELEASE_MOMENT, .target = t, .dimension = (d + 1) * (d + 2) / 2};
  tacit_mechanism scores = {TACIT_RELEASE_SCORES, .target = t, .dimension = d, .level = tau,
                            .bits = TACIT_WHITE_BITS + TACIT_SCORE_BITS};
  if (count_of(c, &count) != counts) return false;
  if (!any) return true;
  if (count_of(c, &scores) != TACIT_QUANTILE_STEPS + (tau == 0.5 ? steps : 0)) return false;
  scores.level = 0.5;
  if (count_of(c, &scores) != steps + (tau == 0.5 ? TACIT_QUANTILE_STEPS : 0)) return false;
  return count_of(c, &mean) == 1 && count_of(c, &moment) == 1;
}

static bool median_newton_lists(const tacit_policy *policy) {
  const tacit_certificate *c = policy->certificate;
  const tacit_setting *features = tacit_certificate_find(c, "features"),
                      *scales = tacit_certificate_find(c, "scales");
  double d = (double)(policy->schema->columns - 1), clip = 0;
  if (!features || !scales || (features->number != 0 && features->number != d)) return false;
  bool any = features->number > 0, known = !strcmp(scales->text, "known");
  if (!known && strcmp(scales->text, "wide") != 0) return false;
  for (size_t t = 0; t < policy->schema->target_count; t++)
    if (!median_newton_target(policy, t, any, known)) return false;
  for (size_t i = 0; i < c->mechanism_count; i++) { /* one clip norm for all scores */
    const tacit_mechanism *m = &c->mechanisms[i];
    if (m->kind != TACIT_RELEASE_SCORES) continue;
    if (clip == 0) clip = m->clip;
    if (m->clip != clip) return false;
  }
  double each = TACIT_CENTRE_COUNTS + TACIT_SPREAD_COUNTS + TACIT_QUANTILE_STEPS + 1;
  if (any) each += 3 * TACIT_MEDIAN_STEPS + TACIT_QUANTILE_STEPS + 2 + (known ? 0 : TACIT_RADIUS_COUNTS);
  return (double)c->releases == each * (double)policy->schema->target_count;
}

bool tacit_method_lists(const tacit_policy *policy) {
  static const struct {
    const char *name;
    bool (*lists)(const tacit_policy *policy);
  } methods[] = {{"median-newton", median_newton_lists}, {"noisy-gd", noisy_gd_lists}};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
    if (!strcmp(policy->certificate->method, methods[i].name)) return methods[i].lists(policy);
  return false;
}
