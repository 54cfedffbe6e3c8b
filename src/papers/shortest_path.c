/* Elmachtoub and Grigas's shortest paths: SPO+ and least squares without privacy beside the published losses,
   then with privacy. */
#include "base/base.h"
#include "papers/path_sample.h"
#include "papers/reproduce.h"
#include "papers/spo_fit.h"
#include "study/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  TRIALS = 20,
  TEST_ROWS = 10000,
  P = TACIT_PATH_FEATURES + 1,
  PRIVATE_DEGREE = 4,
  STEPS = 100, /* of SPO+ without privacy; 400 change its loss by 0.1 % */
  MUS = 3,
  PLAIN = 3, /* methods without privacy */
  METHODS = PLAIN + 2 * MUS
};
static const double MU[MUS] = {0.5, 1, 2};

static const struct {
  const char *label, *method;
} WAYS[PLAIN + 2] = {
    {"SPO+", "spo-plus"},        {"least squares", "least-squares-exact"},   {"training mean", NULL},
    {"private SPO+", "default"}, {"private least squares", "least-squares"},
};

/* Published test losses over 50 trials: SPO+, least squares, training mean. */
typedef struct published {
  size_t rows;
  double half_width;
  int degree;
  double loss[PLAIN];
} published;
static const published PUBLISHED[] = {
    {100, 0.5, 1, {.1797, .1699, .250}},  {100, 0.5, 2, {.1274, .1142, .327}},
    {100, 0.5, 4, {.1035, .1013, .524}},  {100, 0.5, 6, {.1245, .1569, .696}},
    {100, 0.5, 8, {.1679, .2551, 1.014}}, {1000, 0, 1, {0, 0, .081}},
    {1000, 0, 2, {.0005, .0013, .197}},   {1000, 0, 4, {.0063, .0201, .389}},
    {1000, 0, 6, {.0202, .0691, .595}},   {1000, 0, 8, {.0460, .1573, .862}},
    {1000, 0.5, 1, {.1577, .1565, .249}}, {1000, 0.5, 2, {.1068, .1065, .317}},
    {1000, 0.5, 4, {.0778, .0896, .496}}, {1000, 0.5, 6, {.0833, .1293, .683}},
    {1000, 0.5, 8, {.1066, .2138, .936}},
};
enum { PUBLISHED_COUNT = sizeof PUBLISHED / sizeof *PUBLISHED };

typedef struct cell {
  published of; /* published losses are NaN where there are none */
  uint64_t seed;
  uint32_t group;
  bool private;
  const tacit_region *region;
  const tacit_schema *schema;
  double *loss;   /* trials x METHODS, normalised */
  double *beyond; /* trials: fits whose certificate, recomputed, is above mu */
} cell;

static void mean_rule(const tacit_spo_sample *s, double *rule) {
  memset(rule, 0, s->d * s->p * sizeof *rule);
  for (size_t i = 0; i < s->rows; i++)
    for (size_t j = 0; j < s->d; j++) rule[j * s->p] += s->c[i * s->d + j] / (double)s->rows;
}

static tacit_status learn(const cell *c, const tacit_spo_sample *train, int method, uint64_t seed,
                          double *rule, bool *beyond, tacit_error *error) {
  int way = method < PLAIN ? method : method < PLAIN + MUS ? PLAIN : PLAIN + 1;
  *beyond = false;
  if (!WAYS[way].method) {
    mean_rule(train, rule);
    return TACIT_OK;
  }
  tacit_learn_options options;
  tacit_learn_options_init(&options);
  options.method = WAYS[way].method;
  if (way == 0) options.spo_plus.steps = STEPS;
  if (way >= PLAIN) options.mu = MU[(method - PLAIN) % MUS];
  options.seeded = true;
  options.seed = seed;
  return tacit_spo_fit_sample(train, c->schema, &options, rule, beyond, error);
}

static tacit_status compare(const cell *c, size_t r, const tacit_spo_sample *train,
                            const tacit_spo_sample *test, tacit_stream *noise, tacit_error *error) {
  double rule[TACIT_PATH_EDGES * P];
  for (int m = 0; m < METHODS; m++) {
    double *loss = &c->loss[r * METHODS + (size_t)m], best;
    bool beyond;
    *loss = NAN;
    if (m >= PLAIN && !c->private) continue;
    TACIT_TRY(learn(c, train, m, tacit_stream_bits(noise), rule, &beyond, error));
    TACIT_TRY(tacit_spo_sample_loss(test, rule, loss, &best, error));
    *loss /= best;
    c->beyond[r] += beyond;
  }
  return TACIT_OK;
}

/* One trial: a new B, its training and test rows, all methods on them. */
static tacit_status run_trial(void *self, size_t r, tacit_error *error) {
  const cell *c = self;
  tacit_stream rows, noise;
  tacit_path_model model;
  tacit_spo_sample *train = NULL, *test = NULL;
  TACIT_TRY(tacit_study_stream(c->seed, TACIT_FOR_ROWS, c->group, (uint32_t)r, &rows, error));
  TACIT_TRY(tacit_study_stream(c->seed, TACIT_FOR_NOISE, c->group, (uint32_t)r, &noise, error));
  tacit_path_model_draw(&model, c->of.degree, c->of.half_width, &rows);
  tacit_status status = tacit_path_sample(&model, c->region, c->of.rows, &rows, &train, error);
  if (status == TACIT_OK) status = tacit_path_sample(&model, c->region, TEST_ROWS, &rows, &test, error);
  if (status == TACIT_OK) status = compare(c, r, train, test, &noise, error);
  tacit_spo_sample_free(train);
  tacit_spo_sample_free(test);
  tacit_stream_end(&rows);
  tacit_stream_end(&noise);
  return status;
}

static tacit_status add_rows(const cell *c, size_t trials, tacit_report *report, tacit_error *error) {
  double plain = 0, se;
  tacit_summarise(trials, c->loss, METHODS, &plain, &se);
  for (size_t m = 0; m < METHODS; m++) {
    if (m >= PLAIN && !c->private) break;
    double mean, paper = m < PLAIN ? c->of.loss[m] : NAN;
    size_t way = m < PLAIN ? m : m < PLAIN + MUS ? PLAIN : PLAIN + 1;
    tacit_summarise(trials, c->loss + m, METHODS, &mean, &se);
    const double numbers[] = {(double)c->of.rows,
                              c->of.degree,
                              c->of.half_width,
                              m < PLAIN ? NAN : MU[(m - PLAIN) % MUS],
                              paper,
                              mean,
                              se,
                              paper > 0 ? 100 * (mean / paper - 1) : NAN,
                              m > 0 && plain > 0 ? 100 * (mean / plain - 1) : NAN};
    TACIT_TRY(tacit_report_add(report, &WAYS[way].label, numbers, error));
  }
  return TACIT_OK;
}

/* The published cells with these rows, and the private degree, which may have none. */
static bool choose(size_t index, const size_t *sizes, size_t size_count, cell *c) {
  if (index < PUBLISHED_COUNT) {
    c->of = PUBLISHED[index];
    for (size_t k = 0; k < size_count; k++)
      if (sizes[k] == c->of.rows) return true;
    return false;
  }
  c->of = (published){sizes[index - PUBLISHED_COUNT], 0.5, PRIVATE_DEGREE, {NAN, NAN, NAN}};
  for (size_t k = 0; k < PUBLISHED_COUNT; k++)
    if (PUBLISHED[k].rows == c->of.rows) return false;
  return true;
}

static tacit_status run(const tacit_reproduce_options *o, const tacit_context *context, cell *c,
                        size_t trials, tacit_report *report, tacit_error *error) {
  static const size_t standard[] = {100, 1000, 10000};
  const size_t *sizes = o->rows ? o->rows : standard;
  size_t size_count = o->rows ? o->row_count : 3, all = PUBLISHED_COUNT + size_count, fits = 0, beyond = 0;
  for (size_t k = 0; k < all; k++) {
    if (!choose(k, sizes, size_count, c)) continue;
    c->group = (uint32_t)k;
    c->private = c->of.degree == PRIVATE_DEGREE && c->of.half_width > 0;
    tacit_schema *schema;
    TACIT_TRY(tacit_path_schema(c->of.degree, c->of.half_width, &schema, error));
    c->schema = schema;
    memset(c->beyond, 0, trials * sizeof *c->beyond);
    tacit_status status =
        tacit_repeat(trials, run_trial, c, tacit_part_of("shortest paths", k, all), context, error);
    tacit_schema_free(schema);
    TACIT_TRY(status);
    TACIT_TRY(add_rows(c, trials, report, error));
    for (size_t r = 0; r < trials; r++) beyond += (size_t)c->beyond[r];
    if (c->private) fits += trials * 2 * MUS;
  }
  tacit_report_note(
      report,
      "Mean test SPO loss over mean best cost, %zu trials, %d test rows each (Elmachtoub and Grigas 2022, "
      "section 6: 5 x 5 grid, 40 edges, 5 features). published: theirs, over 50 trials.\n"
      "SPO+, least squares: `tacit spo fit --method spo-plus` (%d steps) and `least-squares-exact`, "
      "without privacy. All methods of a trial see the same rows.\n"
      "private SPO+: `--method default`, Gaussian descent on SPO+, mu-GDP under replace-one. private least "
      "squares: `--method least-squares`, private prediction, then optimisation. Their constants were "
      "fixed on degrees 2, 6 and 8; only degree 4 is shown with privacy. Schema: features have center 0 "
      "and scale 1, costs the generator's mean and spread with two digits.\n"
      "promise: %zu of %zu private fits have a certificate whose guarantee, recomputed, is above mu. Noise "
      "is seeded here.",
      trials, TEST_ROWS, STEPS, beyond, fits);
  return TACIT_OK;
}

tacit_status tacit_reproduce_shortest_path(const tacit_reproduce_options *o, const tacit_context *context,
                                           tacit_report **report, tacit_error *error) {
  static const char *const columns[] = {"method", "n",  "degree",           "wbar",       "mu", "published",
                                        "tacit",  "se", "over_published_%", "over_SPO+_%"};
  size_t trials = tacit_repetitions(o, TRIALS);
  TACIT_TRY(tacit_report_new("spo-shortest-path", 1, 9, columns, report, error));
  tacit_region *region;
  TACIT_TRY(tacit_region_parse(tacit_path_region, strlen(tacit_path_region), &region, error));
  cell c = {.seed = o->seed, .region = region, .loss = tacit_alloc(trials * (METHODS + 1), sizeof *c.loss)};
  tacit_status status = c.loss ? TACIT_OK : tacit_no_memory(error);
  c.beyond = c.loss + trials * METHODS;
  if (status == TACIT_OK) status = run(o, context, &c, trials, *report, error);
  free(c.loss);
  tacit_region_free(region);
  return status;
}
