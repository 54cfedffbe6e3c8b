/* What each method's certificate must list, rebuilt from the schema, the goals and the stated inputs. */
#include "policy/policy.h"

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

/* The releases of a kind and dimension for a target; dimension 0 stands for any. */
static double count_of(const tacit_certificate *c, size_t target, tacit_release_kind kind, size_t dimension) {
  double count = 0;
  for (size_t i = 0; i < c->mechanism_count; i++) {
    const tacit_mechanism *m = &c->mechanisms[i];
    if (m->target == target && m->kind == kind && (dimension == 0 || m->dimension == dimension))
      count += (double)m->count;
  }
  return count;
}

/* The default learner: counts for centre and spread of y and for every step; with features also their mean,
   their radius unless scales are known, one moment, and scores at the median and at tau. */
static bool median_newton_lists(const tacit_policy *policy) {
  enum { SCALE_COUNTS = 13, RADIUS_COUNTS = 5 };
  const tacit_certificate *c = policy->certificate;
  const tacit_setting *features = tacit_certificate_find(c, "features"),
                      *scales = tacit_certificate_find(c, "scales");
  const tacit_setting *median = tacit_certificate_find(c, "median_steps");
  const tacit_setting *quantile = tacit_certificate_find(c, "quantile_steps");
  if (!features || !scales || !median || !quantile) return false;
  size_t d = policy->schema->columns - 1;
  if (features->number != 0 && features->number != (double)d) return false;
  bool any = features->number > 0, known = !strcmp(scales->text, "known");
  double counts =
      SCALE_COUNTS + 2 * median->number + quantile->number + 1 + (any && !known ? RADIUS_COUNTS : 0);
  double listed = 0;
  for (size_t t = 0; t < policy->schema->target_count; t++) {
    double per_target = counts + (any ? 2 + median->number + quantile->number : 0);
    if (count_of(c, t, TACIT_RELEASE_COUNT, 1) != counts ||
        (any && (count_of(c, t, TACIT_RELEASE_ROWS, d) != 1 ||
                 count_of(c, t, TACIT_RELEASE_MOMENT, (d + 1) * (d + 2) / 2) != 1 ||
                 count_of(c, t, TACIT_RELEASE_SCORES, d) != median->number + quantile->number)))
      return false;
    listed += per_target;
  }
  return listed == (double)c->releases;
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
