/* What is asked of the rows may depend on earlier answers; what all of it costs may not. Learners run with
   releases that somebody else makes up, honest or not, and every path must spend the whole promise and no
   more of it, in ratios that do not depend on the answers (proofs/composition.md, Claim 2). */
#include "learn/gate_for_test.h"
#include "learn/task.h"
#include "method/recipe.h"
#include "pass/draws_for_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N = 300, FEATURES = 3, TARGETS = 3, COLUMNS = FEATURES + TARGETS + 1, LEVELS = 3, MOST = 1200 };
static double column[COLUMNS][N];
static const char *const NAMES[] = {"x0", "x1", "x2", "y0", "y1", "y2", "c"};

/* Where releases come from. */
typedef enum source_kind {
  HONEST,  /* the sum and its noise */
  ZERO,    /* 0, whatever was asked */
  ALL,     /* every row in every count */
  WITHIN,  /* anything that rows could give */
  ANYTHING /* any 64 bits, of any size */
} source_kind;
enum { SOURCES = ANYTHING + 1 };

/* One run: the ratio and the sensitivity of each release, as they came. */
typedef struct path {
  source_kind source;
  size_t releases;
  double ratio[MOST], sensitivity[MOST];
  tacit_certificate *made; /* the same once more, composed with upward rounding */
  double mu;               /* that may be spent */
} path;

static uint64_t invented(source_kind source, const tacit_mechanism *m) {
  uint64_t all = (uint64_t)N << m->bits;
  switch (source) {
  case ALL:
    return all;
  case WITHIN:
    return m->kind == TACIT_RELEASE_COUNT ? tacit_stream_below(&stream, all)
                                          : tacit_stream_below(&stream, 2 * all) - all;
  case ANYTHING: {
    uint64_t size = tacit_stream_bits(&stream) >> (1 + pick(62));
    return pick(2) ? size : -size;
  }
  default:
    return 0;
  }
}

/* Stands at the gate of every release. */
static tacit_status look(void *self, tacit_mechanism *m, const uint64_t *exact, tacit_error *error) {
  path *p = self;
  (void)exact;
  (void)error;
  assert_true(p->releases < MOST && m->count == 1 && m->sigma > 0 && m->sigma <= TACIT_SIGMA_MAX);
  p->ratio[p->releases] = m->sensitivity / m->sigma;
  p->sensitivity[p->releases++] = m->sensitivity;
  assert_int_equal(tacit_certificate_add(p->made, m, NULL), TACIT_OK);
  assert_true(tacit_certificate_mu(p->made) <= p->mu); /* at no time more than the promise */
  return TACIT_OK;
}

static tacit_status invent(void *self, const tacit_mechanism *m, uint64_t *noisy, tacit_stream *own,
                           tacit_error *error) {
  path *p = self;
  (void)own;
  (void)error;
  for (size_t j = 0; j < m->dimension && p->source != HONEST; j++) noisy[j] = invented(p->source, m);
  return TACIT_OK;
}

/* Public facts: two runs with the same ones differ in rows and releases alone. */
typedef struct facts {
  const char *method;
  size_t features, targets, unit;
  bool known, add_remove;
  double mu, tau;
  bool levels;    /* one more feature, a category */
  bool several;   /* quantiles of one target */
  bool intervals; /* which take some releases more */
} facts;

static tacit_schema *schema_of(const facts *f) {
  char text[2000];
  size_t n = (size_t)snprintf(text, sizeof text, "{\"target\": [");
  for (size_t t = 0; t < f->targets; t++)
    n += (size_t)snprintf(text + n, sizeof text - n, "%s{\"name\": \"y%zu\", \"min\": -40, \"max\": 40}",
                          t ? "," : "", t);
  n += (size_t)snprintf(text + n, sizeof text - n, "], \"features\": [");
  for (size_t j = 0; j < f->features; j++)
    n += (size_t)snprintf(text + n, sizeof text - n, "%s{\"name\": \"x%zu\", %s}", j ? "," : "", j,
                          f->known ? "\"center\": 0, \"scale\": 1" : "\"min\": -30, \"max\": 30");
  if (f->levels)
    n +=
        (size_t)snprintf(text + n, sizeof text - n, ", {\"name\": \"c\", \"levels\": [\"0\", \"1\", \"2\"]}");
  snprintf(text + n, sizeof text - n, "], \"unit\": {\"rows_per_unit\": %zu}, \"nominal_rows\": %d}", f->unit,
           N);
  tacit_schema *schema;
  tacit_error error;
  if (tacit_schema_parse(text, strlen(text), &schema, &error) != TACIT_OK) fail_msg("%s", error.text);
  return schema;
}

/* Rows on the schema's scale, narrow ones, or demand that is 0 on most days and far out on the others. */
static void fill(int kind) {
  for (size_t i = 0; i < N; i++) {
    for (size_t j = 0; j < FEATURES; j++) column[j][i] = tacit_normal(&stream) * (kind == 1 ? 0.01 : 1);
    for (size_t t = 0; t < TARGETS; t++) {
      double y = column[0][i] - 2 * column[1][i] + tacit_normal(&stream);
      if (kind == 2) y = pick(4) ? 0 : 10 + 20 * tacit_uniform(&stream);
      column[FEATURES + t][i] = y;
    }
    column[COLUMNS - 1][i] = (double)pick(LEVELS);
  }
}

/* The learners for orders, and those for decisions over a region. */
static tacit_status learn(const facts *f, const tacit_schema *schema, tacit_source *table,
                          const tacit_release_probe *probe, tacit_fit **fit, tacit_error *error) {
  static const char BOX[] = "{\"kind\": \"box\", \"min\": [0, 0], \"max\": [1, 2]}";
  const double each[TARGETS] = {f->tau, 1 - f->tau, f->tau}, several[TARGETS] = {0.05, 0.5, f->tau};
  tacit_region *region = NULL;
  tacit_learn_options options;
  tacit_context context;
  tacit_context_init(&context);
  context.threads = 1;
  tacit_learn_options_init(&options);
  if (!strncmp(f->method, "spo-", 4)) TACIT_TRY(tacit_region_parse(BOX, strlen(BOX), &region, error));
  options.method = f->method;
  options.region = region;
  options.quantiles = region ? NULL : f->several ? several : each;
  options.quantile_count = region ? 0 : f->several ? TARGETS : f->targets;
  options.mu = f->mu;
  options.adjacency = f->add_remove ? TACIT_ADD_REMOVE : TACIT_REPLACE_ONE;
  options.seeded = true;
  options.seed = tacit_stream_bits(&stream);
  options.location_scale.intervals = f->intervals;
  if (!strcmp(f->method, "noisy-gd")) options.noisy_gd.steps = 20;
  if (!strcmp(f->method, "gradient")) options.gradient.steps = 20;
  tacit_status status =
      tacit_learn_watched(schema, table, &options, &context, &(tacit_watch){.probe = probe}, fit, error);
  tacit_region_free(region);
  return status;
}

static void walk(const facts *f, source_kind source, path *p) {
  *p = (path){.source = source, .mu = f->mu};
  assert_int_equal(tacit_certificate_new("path", &p->made, NULL), TACIT_OK);
  const double *columns[COLUMNS];
  for (size_t j = 0; j < COLUMNS; j++) columns[j] = column[j];
  tacit_schema *schema = schema_of(f);
  tacit_source *table;
  tacit_fit *fit;
  tacit_error error = {""};
  const tacit_release_probe probe = {look, invent, p};
  assert_int_equal(tacit_source_columns(N, COLUMNS, NAMES, columns, NULL, &table, NULL), TACIT_OK);
  if (learn(f, schema, table, &probe, &fit, &error)) fail_msg("%s: %s", f->method, error.text);
  for (size_t j = 0; j < fit->columns * fit->targets; j++) assert_true(isfinite(fit->coefficients[j]));
  for (size_t j = 0; fit->spread && j < (fit->columns + 1) * fit->targets; j++)
    assert_true(isfinite(fit->spread[j]));
  size_t each = tacit_triangle(tacit_rule_numbers(fit->columns, fit->spread != NULL));
  for (size_t j = 0; fit->uncertainty && j < each * fit->targets; j++)
    assert_true(isfinite(fit->uncertainty[j]));
  tacit_fit_free(fit);
  tacit_source_free(table);
  tacit_schema_free(schema);
  /* all of the promise is used, on this path as on every other */
  double mu = tacit_certificate_mu(p->made);
  assert_true(mu <= f->mu && mu >= f->mu * (1 - 0x1p-38));
  tacit_certificate_free(p->made);
}

/* Releases from..from + count of two paths have the same ratios. */
static void same_ratios(const path *a, size_t from, const path *b, size_t other, size_t count) {
  assert_true(from + count <= a->releases && other + count <= b->releases);
  for (size_t i = 0; i < count; i++)
    assert_true(fabs(a->ratio[from + i] / b->ratio[other + i] - 1) < 0x1p-45);
}

static double squares(const path *p, size_t from, size_t count) {
  double sum = 0;
  for (size_t i = from; i < from + count; i++) sum += p->ratio[i] * p->ratio[i];
  return sum;
}

/* Both ways to tau of a target, from the release behind the tail's count on; 0: not yet taken. */
typedef struct ways {
  path first[2];
  size_t at[2];
} ways;

/* A target of a learner whose releases decide what comes after: the ratios up to the tail's count are always
   the same, and what follows has one of two lists, with the same sum of squares. Returns where the next
   target begins. */
static size_t follow_target(const path *p, size_t at, const path *model, const size_t count_of[3], ways *w,
                            size_t left, size_t taken[2]) {
  size_t shared = count_of[0], before = count_of[1], near = count_of[2];
  same_ratios(p, at, model, shared, before);
  at += before;
  /* the last target tells by what is left; the others, by a share that only one of the lists begins with */
  double share = (double)TACIT_TAIL_COUNTS * p->ratio[at] * p->ratio[at];
  double rest = squares(p, at, TACIT_TAIL_COUNTS);
  bool far = fabs(share / rest - 1) < 1e-9 && (left > 1 || p->releases - at == TACIT_TAIL_COUNTS);
  size_t count = far ? TACIT_TAIL_COUNTS : near;
  if (!w->at[far]) {
    w->first[far] = *p;
    w->at[far] = at;
  }
  same_ratios(p, at, &w->first[far], w->at[far], count);
  if (w->at[!far]) {
    double other = squares(&w->first[!far], w->at[!far], far ? near : TACIT_TAIL_COUNTS);
    assert_true(fabs(squares(p, at, count) / other - 1) < 1e-9);
  }
  taken[far]++;
  return at + count;
}

/* How many releases all targets share, how many each has of its own up to the tail's count, and behind it
   where the quantile is near. */
static void count_releases(const facts *f, size_t *shared, size_t *before, size_t *near) {
  bool spread = !strcmp(f->method, "location-scale"), known = f->known || f->features == 0;
  double per_row = f->mu / sqrt((double)f->targets) / (double)f->unit;
  size_t columns = f->features + (f->levels ? LEVELS - 1 : 0);
  const double taus[TARGETS] = {f->tau, 1 - f->tau, f->tau};
  const tacit_recipe_size size = {.rows = N, .features = columns, .known = known, .mu_per_row = per_row};
  const tacit_recipe_goals goals = {taus, f->targets, false};
  tacit_recipe recipe = {0};
  if (spread)
    tacit_recipe_with_spread(&recipe, &size, 1, &goals, 0);
  else
    tacit_recipe_choose(&recipe, &size);
  if (f->levels && recipe.d)
    tacit_recipe_at_levels(&recipe, &size, f->tau, f->intervals ? TACIT_STEPS_SIXTEEN : TACIT_STEPS_NOW);
  if (f->intervals) tacit_recipe_with_intervals(&recipe, N * per_row);
  size_t scale = TACIT_CENTRE_COUNTS + TACIT_SPREAD_COUNTS + (recipe.share.far > 0 ? TACIT_FAR_COUNTS : 0);
  size_t rows = recipe.d ? 2 + (recipe.known ? 0 : TACIT_RADIUS_COUNTS) : 0;
  *shared = recipe.levels ? f->targets * scale + rows : 0;
  *before = (recipe.levels ? 0 : scale + rows) + 3 * (size_t)recipe.median_steps + 1;
  *near = recipe.d ? 2 * TACIT_QUANTILE_STEPS + 1 : TACIT_QUANTILE_STEPS + 1;
  *near += (recipe.share.near > 0) + (recipe.share.sure > 0 ? 2 * TACIT_SPREAD_STEPS : 0);
  if (!recipe.scaled) return;
  *before += 2 * TACIT_SPREAD_STEPS;
  *near = TACIT_TIMES_STEPS + 1 + 2 * (size_t)recipe.scaled_steps + 1;
}

static void check_adaptive(const facts *f, size_t taken[2], size_t *moved) {
  static path p, model;
  static ways w;
  size_t count_of[3];
  count_releases(f, &count_of[0], &count_of[1], &count_of[2]);
  w = (ways){.at = {0, 0}};
  for (int run = 0; run < SOURCES + 4; run++) {
    fill(run % 3);
    walk(f, run < SOURCES ? (source_kind)run : run % 2 ? WITHIN : HONEST, &p);
    if (run == 0) model = p;
    size_t at = count_of[0];
    same_ratios(&p, 0, &model, 0, at);
    for (size_t t = 0; t < f->targets; t++)
      at = follow_target(&p, at, &model, count_of, &w, f->targets - t, taken);
    assert_int_equal(at, p.releases);
    for (size_t i = 0; i < count_of[0] + count_of[1]; i++) *moved += p.sensitivity[i] != model.sensitivity[i];
  }
}

static void every_path_costs_the_same(void **state) {
  (void)state;
  const double mus[] = {0.01, 0.3, 3, 1000}, taus[] = {0.05, 0.5, 0.9};
  static const char *const methods[] = {"median-newton", "location-scale"};
  for (size_t m = 0; m < 2; m++) {
    size_t taken[2] = {0, 0}, moved = 0;
    assert_int_equal(begin_draws(17), 0);
    for (size_t k = 0; k < 4 * 3 * 3 * 2; k++) {
      size_t kind = k / 12 % 3;
      bool sure = m && pick(2); /* of one goal */
      facts f = {methods[m],
                 kind == 2 ? 0 : FEATURES,
                 sure ? 1 : 1 + pick(TARGETS),
                 1 + 2 * pick(2),
                 kind == 1,
                 k / 36,
                 mus[k % 4],
                 taus[k / 4 % 3],
                 kind == 0 && pick(2),
                 false,
                 sure};
      check_adaptive(&f, taken, &moved);
    }
    /* both ways were gone, and mechanisms did differ between paths */
    print_message("%s: near %zu, far %zu, %zu distances differ\n", methods[m], taken[0], taken[1], moved);
    assert_true(taken[0] > 100 && taken[1] > 100 && moved > 100);
  }
}

/* Several quantiles of a target: whatever is found on the way, all of the promise is used and no more. */
static void several_quantiles_cost_the_same(void **state) {
  (void)state;
  static path p;
  static const char *const methods[] = {"median-newton", "location-scale", "noisy-gd", "bisection"};
  const double mus[] = {0.01, 0.3, 3, 1000};
  assert_int_equal(begin_draws(19), 0);
  for (size_t k = 0; k < 4 * 4 * 2; k++) {
    facts f = {methods[k / 4 % 4], FEATURES, 1, 1, k / 16, k % 2, mus[k % 4], 0.9, pick(2), true, false};
    for (int run = 0; run < SOURCES; run++) {
      fill(run % 3);
      walk(&f, (source_kind)run, &p);
    }
  }
}

/* Every other learner has one list of ratios. */
static void others_cost_the_same(void **state) {
  (void)state;
  static path p, model;
  static const char *const methods[] = {"noisy-gd",          "gradient",  "spo-gaussian",
                                        "spo-least-squares", "bisection", "follow"};
  assert_int_equal(begin_draws(18), 0);
  for (size_t k = 0; k < 48; k++) {
    const char *method = methods[k % 6];
    bool spo = !strncmp(method, "spo-", 4);
    size_t targets = spo ? 2 : k % 6 == 5 ? 1 : 1 + pick(TARGETS); /* as many as the region has coordinates */
    facts f = {method, FEATURES, targets, 1,    k / 12 % 2, k / 24, k / 6 % 2 ? 0.3 : 10,
               0.7,    false,    false,   false};
    for (int run = 0; run < SOURCES; run++) {
      fill(run % 3);
      walk(&f, (source_kind)run, &p);
      if (run == 0) model = p;
      assert_int_equal(p.releases, model.releases);
      same_ratios(&p, 0, &model, 0, p.releases);
    }
  }
}

/* A plan that gives out too much is refused before anything is released, and a share that is none is not
   even taken up. */
static void nobody_spends_more(void **state) {
  (void)state;
  const double shares[][3] = {{0.5, 0.5, 0x1p-38}, {1, 0x1p-30, 0}, {0.5, 0.75, 0.25}, {0.5, 0, 0.5},
                              {0.5, NAN, 0.5},     {0.5, -1, 1.5},  {1.5, 0, 0},       {INFINITY, 0, 0}};
  for (size_t k = 0; k < sizeof shares / sizeof *shares; k++) {
    planned_gate p;
    open_planned(&p, 1, 0.5, 1);
    tacit_status status = TACIT_OK;
    for (size_t i = 0; i < 3 && status == TACIT_OK; i++) {
      status = tacit_plan_share(&p.plan, a_count(0), shares[k][i], 1, NULL);
      if (status == TACIT_OK) status = tacit_plan_check(&p.plan, NULL);
    }
    bool none = !(shares[k][1] > 0) && shares[k][0] < 1;
    assert_int_equal(status, none ? TACIT_REFUSED : TACIT_INTERNAL);
    /* what was planned before is within the promise, or all of it is refused */
    if (none) assert_int_equal(tacit_plan_check(&p.plan, NULL), TACIT_OK);
    if (!none) assert_true(tacit_certificate_mu(p.plan.list) > 0.5);
    close_planned(&p);
  }
}

/* Many equal shares are the whole, whatever adding them up rounds to, and one more is too many; what is
   released then is what was planned. */
static void many_shares_make_one(void **state) {
  (void)state;
  const size_t parts[] = {3, 1000, 77777, 99494, 99999, 100000};
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
    planned_gate p;
    double count;
    open_planned(&p, 1, 0.5, 1);
    for (size_t i = 0; i < parts[k]; i++)
      assert_int_equal(tacit_plan_share(&p.plan, a_count(0), 1 / (double)parts[k], 1, NULL), TACIT_OK);
    assert_int_equal(tacit_plan_check(&p.plan, NULL), TACIT_OK);
    p.gate.paid = true;
    for (size_t i = 0; i < parts[k]; i++) assert_int_equal(release_count(&p, 0, &count), TACIT_OK);
    assert_int_equal(release_count(&p, 0, &count), TACIT_INTERNAL);
    const tacit_certificate *made = p.gate.certificate;
    assert_int_equal(made->releases, parts[k]);
    assert_true(tacit_certificate_mu(made) <= 0.5 && tacit_certificate_mu(made) > 0.5 * (1 - 0x1p-38));
    assert_int_equal(tacit_plan_share(&p.plan, a_count(0), 1 / (double)parts[k], 1, NULL), TACIT_OK);
    assert_int_equal(tacit_plan_check(&p.plan, NULL), TACIT_INTERNAL);
    close_planned(&p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_path_costs_the_same), cmocka_unit_test(others_cost_the_same),
      cmocka_unit_test(several_quantiles_cost_the_same), cmocka_unit_test(nobody_spends_more),
      cmocka_unit_test(many_shares_make_one)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
