/* A thousand hostile policies: real ones, changed in their numbers, texts, lists and keys so that they still
   read as JSON. None crashes `verify`, and none passes whose guarantee does not follow, by a recomputation of
   our own. */
#include "learn/task.h"
#include "method/recipe.h"
#include "policy/policy.h"

#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char SCHEMA[] =
    "{\"target\": {\"name\": \"y\", \"center\": 0, \"scale\": 1}, \"nominal_rows\": 300, \"features\": ["
    "{\"name\": \"a\", \"center\": 0, \"scale\": 1}], \"unit\": {\"rows_per_unit\": 2}}";
enum { ROWS = 300, UNIT = 2 };
static const double TAU = 0.7, MU = 1;
static uint64_t random_state = 88172645463325252u;

static uint64_t pick(uint64_t n) {
  random_state ^= random_state << 13, random_state ^= random_state >> 7, random_state ^= random_state << 17;
  return (random_state >> 11) % n;
}

static json_t *policy_of(const char *method, tacit_adjacency adjacency) {
  static double a[ROWS], y[ROWS];
  static const char *const names[] = {"a", "y"};
  const double *const columns[] = {a, y};
  tacit_schema *schema;
  tacit_source *source;
  tacit_fit *fit;
  tacit_policy *policy;
  tacit_learn_options options;
  const tacit_goal goal = {.quantile = TAU};
  for (int i = 0; i < ROWS; i++) a[i] = sin(i), y[i] = a[i] + cos(3 * i);
  tacit_learn_options_init(&options);
  options.method = method;
  options.quantiles = &TAU;
  options.quantile_count = 1;
  options.mu = MU;
  options.adjacency = adjacency;
  if (!strcmp(method, "noisy-gd")) options.noisy_gd.steps = 4;
  assert_int_equal(tacit_schema_parse(SCHEMA, strlen(SCHEMA), &schema, NULL), TACIT_OK);
  assert_int_equal(tacit_source_columns(ROWS, 2, names, columns, NULL, &source, NULL), TACIT_OK);
  assert_int_equal(tacit_learn(schema, source, &options, NULL, &fit, NULL), TACIT_OK);
  assert_int_equal(tacit_policy_new(schema, fit->coefficients, fit->certificate, &goal, &policy, NULL),
                   TACIT_OK);
  char *text = tacit_policy_text(policy);
  json_t *json = json_loads(text, 0, NULL);
  assert_non_null(json);
  free(text);
  tacit_policy_free(policy);
  tacit_fit_free(fit);
  tacit_source_free(source);
  tacit_schema_free(schema);
  return json;
}

/* Likewise, but one that decides over a region. */
static json_t *spo_policy_of(const char *method, tacit_adjacency adjacency) {
  static const char REGION[] = "{\"kind\": \"box\", \"min\": [-1], \"max\": [1]}";
  static double a[ROWS], y[ROWS];
  static const char *const names[] = {"a", "y"};
  const double *const columns[] = {a, y};
  tacit_schema *schema;
  tacit_source *source;
  tacit_region *region;
  tacit_fit *fit;
  tacit_policy *policy;
  tacit_learn_options options;
  for (int i = 0; i < ROWS; i++) a[i] = sin(i), y[i] = a[i] + cos(3 * i);
  tacit_learn_options_init(&options);
  options.method = method;
  options.mu = MU;
  options.adjacency = adjacency;
  if (!strcmp(method, "gaussian")) options.spo_gaussian.steps = 4;
  assert_int_equal(tacit_schema_parse(SCHEMA, strlen(SCHEMA), &schema, NULL), TACIT_OK);
  assert_int_equal(tacit_region_parse(REGION, strlen(REGION), &region, NULL), TACIT_OK);
  assert_int_equal(tacit_source_columns(ROWS, 2, names, columns, NULL, &source, NULL), TACIT_OK);
  options.region = region;
  assert_int_equal(tacit_learn(schema, source, &options, NULL, &fit, NULL), TACIT_OK);
  assert_int_equal(tacit_spo_policy_new(schema, region, fit->coefficients, fit->certificate, &policy, NULL),
                   TACIT_OK);
  char *text = tacit_policy_text(policy);
  json_t *json = json_loads(text, 0, NULL);
  assert_non_null(json);
  free(text);
  tacit_policy_free(policy);
  tacit_fit_free(fit);
  tacit_source_free(source);
  tacit_region_free(region);
  tacit_schema_free(schema);
  return json;
}

/* Numbers that a liar would write: a little less, much less, none, infinite, negative, of another kind. */
static json_t *hostile_value(const json_t *old) {
  static const double factors[] = {0.999999, 0.5, 2, 1e-9, 1e9, -1, 0, 1.0000001};
  static const char *const texts[] = {
      "",       "replace-one", "add-remove",     "GDP",           "count",
      "rows",   "noisy-gd",    "location-scale", "median-newton", "operating system",
      "seeded", "one row",     "\xc3\xa9",       "none"};
  if (pick(8) == 0) return pick(2) ? json_null() : json_array();
  if (json_is_integer(old) && pick(3)) return json_integer(json_integer_value(old) + (json_int_t)pick(5) - 2);
  if (json_is_number(old)) return json_real(json_number_value(old) * factors[pick(8)]);
  if (json_is_boolean(old)) return json_boolean(!json_is_true(old));
  return pick(3) ? json_string(texts[pick(sizeof texts / sizeof *texts)]) : json_real(factors[pick(8)]);
}

/* Changes something at or below a node; the privacy section half of the time. */
static void spoil(json_t *node, bool top) {
  if (json_is_array(node)) {
    size_t n = json_array_size(node), i = n ? pick(n) : 0;
    if (!n) return;
    json_t *item = json_array_get(node, i);
    switch (pick(5)) {
    case 0:
      json_array_remove(node, i);
      return;
    case 1:
      json_array_append_new(node, json_deep_copy(item));
      return;
    default:
      if (json_is_object(item) || json_is_array(item))
        spoil(item, false);
      else
        json_array_set_new(node, i, hostile_value(item));
      return;
    }
  }
  size_t n = json_object_size(node), skip = n ? pick(n) : 0;
  void *iterator = json_object_iter(node);
  while (skip--) iterator = json_object_iter_next(node, iterator);
  if (!iterator) return;
  const char *key = top && pick(4) ? "privacy" : json_object_iter_key(iterator);
  json_t *value = json_object_get(node, key);
  if (!value) return;
  if (pick(12) == 0)
    json_object_del(node, key);
  else if (pick(20) == 0)
    json_object_set_new(node, "extra", json_integer(1));
  else if (json_is_object(value) || json_is_array(value))
    spoil(value, false);
  else
    json_object_set_new(node, key, hostile_value(value));
}

/* The guarantee by hand, from what the file says is released: radius of a record, records of a unit, noise.
 */
static double mu_by_hand(const tacit_certificate *c) {
  double sum = 0;
  for (size_t i = 0; i < c->mechanism_count; i++) {
    const tacit_mechanism *m = &c->mechanisms[i];
    double one = c->adjacency == TACIT_ADD_REMOVE ? 1 : 2, level = fmax(m->level, 1 - m->level), radius = 0;
    if (m->kind == TACIT_RELEASE_SCORES) /* rows are held to a whole number of grid units */
      radius = level * floor(ldexp(m->clip, m->bits - TACIT_SCORE_BITS)) /
               ldexp(1, m->bits - TACIT_SCORE_BITS) * one;
    if (m->kind == TACIT_RELEASE_ROWS || m->kind == TACIT_RELEASE_OUTER) radius = m->clip * one;
    if (m->kind == TACIT_RELEASE_MOMENT) /* vectors are cut to a whole number of grid units */
      radius = pow(floor(ldexp(m->clip, m->bits / 2)) / ldexp(1, m->bits / 2), 2) * sqrt(one);
    if (m->kind == TACIT_RELEASE_COUNT) radius = 1;
    double ratio = UNIT * ldexp(radius, m->bits) / m->sigma;
    sum += (double)m->count * ratio * ratio;
  }
  return sqrt(sum);
}

static void none_passes_whose_guarantee_does_not_follow(void **state) {
  (void)state;
  const struct {
    const char *method;
    tacit_adjacency adjacency;
    int mutants;
    bool spo;
  } kinds[] = {{"noisy-gd", TACIT_REPLACE_ONE, 500, false},    {"noisy-gd", TACIT_ADD_REMOVE, 200, false},
               {"default", TACIT_REPLACE_ONE, 200, false},     {"default", TACIT_ADD_REMOVE, 100, false},
               {"gaussian", TACIT_REPLACE_ONE, 200, true},     {"gaussian", TACIT_ADD_REMOVE, 100, true},
               {"least-squares", TACIT_REPLACE_ONE, 100, true}};
  int read = 0, passed = 0, all = 0;
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    json_t *original = kinds[k].spo ? spo_policy_of(kinds[k].method, kinds[k].adjacency)
                                    : policy_of(kinds[k].method, kinds[k].adjacency);
    for (int i = 0; i < (getenv("TACIT_QUICK") ? 10 : kinds[k].mutants); i++, all++) {
      json_t *copy = json_deep_copy(original);
      for (uint64_t edits = i ? 1 + pick(3) : 0; edits; edits--)
        spoil(copy, true); /* the first is as it was */
      char *text = json_dumps(copy, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
      tacit_policy *policy;
      tacit_verdict verdict = {0};
      if (tacit_policy_parse(text, strlen(text), &policy, NULL) == TACIT_OK) {
        read++;
        tacit_policy_verify(policy, &verdict);
        const tacit_certificate *c = policy->certificate;
        if (verdict.holds) {
          passed++;
          /* grid and scores round up a little: allow for that, and for the headroom of the noise */
          if (!(mu_by_hand(c) <= c->mu * (1 + 1e-9))) fail_msg("passes with mu %.17g:\n%s", c->mu, text);
          assert_true(c->private && c->noise == TACIT_NOISE_OS && c->rows_per_unit == UNIT);
        }
        tacit_policy_free(policy);
      }
      if (i == 0 && !verdict.holds) fail_msg("the policy itself does not pass");
      free(text);
      json_decref(copy);
    }
    json_decref(original);
  }
  print_message("%d hostile policies: %d read, %d pass, all of these with a guarantee that follows\n", all,
                read, passed);
  assert_true(read > all / 5 && passed < all / 2);
}

static bool holds(const json_t *json) {
  char *text = json_dumps(json, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
  tacit_policy *policy;
  tacit_verdict verdict;
  assert_int_equal(tacit_policy_parse(text, strlen(text), &policy, NULL), TACIT_OK);
  tacit_policy_verify(policy, &verdict);
  tacit_policy_free(policy);
  free(text);
  return verdict.holds;
}

/* A release of scores as it was when whitened rows had another grid. */
static void set_grid(json_t *m, int bits) {
  double before = json_number_value(json_object_get(m, "sensitivity")), after;
  tacit_mechanism scores = {.kind = TACIT_RELEASE_SCORES,
                            .level = json_number_value(json_object_get(m, "level")),
                            .clip = json_number_value(json_object_get(m, "clip")),
                            .bits = bits + TACIT_SCORE_BITS};
  assert_int_equal(tacit_mechanism_sensitivity(&scores, TACIT_REPLACE_ONE, UNIT, &after, NULL), TACIT_OK);
  after = ldexp(after, -scores.bits);
  double sigma = json_number_value(json_object_get(m, "sigma")) * (after / before);
  json_object_set_new(m, "sensitivity", json_real(after));
  json_object_set_new(m, "sigma", json_real(sigma));
  json_object_set_new(m, "grid_bits", json_integer(scores.bits));
}

/* Policies from before rows had two bytes pass, which the default has never made; those of a grid that no
   version had do not, nor those of two. */
static void a_policy_has_the_grid_of_its_version(void **state) {
  (void)state;
  static const int grids[] = {TACIT_OLD_WHITE_BITS, TACIT_WHITE_BITS, 14, 11, 9};
  for (int k = 0; k < 5; k++)
    for (int variant = 0; variant < 4; variant++) {
      const bool mixed = variant % 2, old = variant / 2;
      json_t *json = policy_of(old ? "median-newton" : "default", TACIT_REPLACE_ONE), *m;
      size_t i, changed = 0;
      assert_true(holds(json));
      json_array_foreach(json_object_get(json_object_get(json, "privacy"), "mechanisms"), i, m) {
        if (strcmp(json_string_value(json_object_get(m, "release")), "scores") || (mixed && changed))
          continue;
        set_grid(m, grids[k]);
        changed++;
      }
      assert_true(mixed ? changed == 1 : changed > 1);
      assert_int_equal(holds(json), k == 1 || (k == 0 && old && !mixed));
      json_decref(json);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(none_passes_whose_guarantee_does_not_follow),
                                     cmocka_unit_test(a_policy_has_the_grid_of_its_version)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
