/* What smoothing SPO+ does to private descent (Wang and Qin, section 3.2), on problems that no constant was
   chosen on: other grids, degrees and noise than the shortest paths of shortest_path.c, a choice of one of
   several (simplex) and a direction (ball). Steps, shares, radius and noise are those of `spo fit`, in plain
   arithmetic; smoothings share rows and noise, so that their differences are paired. */
#include "base/base.h"
#include "method/shares.h"
#include "method/spo_recipe.h"
#include "papers/path_sample.h"
#include "papers/reproduce.h"
#include "papers/spo_fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEATURES = TACIT_PATH_FEATURES, P = FEATURES + 1, MOST = 24, TEST_ROWS = 1000, REPETITIONS = 30 };
/* Smoothing in spreads of a cost, and how many times as long as the learner's steps are. Smoothed gradients
   are shorter, so shorter and longer steps stand beside them. */
static const struct {
  double smoothing, steps;
} WAY[] = {{0, 1}, {0.1, 1}, {0.3, 1}, {1, 1}, {3, 1}, {0, 0.5}, {0, 2}, {1, 2}};
enum { LEARNER = sizeof WAY / sizeof *WAY, WAYS };
static const size_t ROWS[] = {150, 600};
static const double BUDGET[] = {0.5, 2};
enum { SIZES = sizeof ROWS / sizeof *ROWS, BUDGETS = sizeof BUDGET / sizeof *BUDGET };
/* centred: costs less their mean, where a decision may go against them. */
static const struct {
  const char *name, *region;
  int degree;
  double half_width, width; /* of the noise; of the region's widest coordinate */
  bool centred;
} FAMILY[] = {{"paths, 3 x 4", "{\"kind\": \"grid\", \"rows\": 3, \"columns\": 4}", 3, 0.25, 1, false},
              {"paths, 4 x 4", "{\"kind\": \"grid\", \"rows\": 4, \"columns\": 4}", 5, 0.75, 1, false},
              {"one of 8", "{\"kind\": \"simplex\", \"dimension\": 8}", 3, 0.5, 1, false},
              {"ball", "{\"kind\": \"ball\", \"dimension\": 6, \"radius\": 1}", 2, 0.5, 2, true}};
enum { FAMILIES = sizeof FAMILY / sizeof *FAMILY };
static const char *const COLUMNS[] = {"family", "n",       "mu",       "smoothing", "steps",
                                      "loss",   "loss_se", "change_%", "change_se"};
enum { TEXTS = 1, NUMBERS = sizeof COLUMNS / sizeof *COLUMNS - TEXTS };

typedef struct study {
  size_t family, rows, d;
  double mu, center, unit;
  uint64_t seed;
  tacit_region *region;
  tacit_schema *schema;
  double (*loss)[WAYS]; /* by repetition, over the mean size of the best cost */
} study;

static tacit_status draw(const study *s, const double *b, size_t rows, tacit_stream *stream,
                         tacit_spo_sample **sample, tacit_error *error) {
  double less = FAMILY[s->family].centred ? s->center : 0, w = FAMILY[s->family].half_width;
  TACIT_TRY(tacit_spo_sample_new(s->region, rows, P, sample, error));
  for (size_t i = 0; i < rows; i++) {
    double *x = (*sample)->x + i * P;
    x[0] = 1;
    for (size_t k = 1; k < P; k++) x[k] = tacit_normal(stream);
    for (size_t j = 0; j < s->d; j++) {
      double sum = 0, e = 1 + w * (2 * tacit_uniform(stream) - 1);
      for (size_t k = 0; k < FEATURES; k++) sum += b[j * FEATURES + k] * x[k + 1];
      (*sample)->c[i * s->d + j] = (pow(sum / sqrt(FEATURES) + 3, FAMILY[s->family].degree) + 1) * e - less;
    }
  }
  return tacit_spo_sample_finish(*sample, error);
}

/* One pass over the rows, by a rule and with a smoothing. */
typedef struct rows_pass {
  const tacit_spo_sample *sample;
  double smoothing;
  const double *rule;
  double *sum, *work;
} rows_pass;

/* Adds one row's product, shortened to the radius: its decision's error, in diameters, times the row. */
static tacit_status add_row(const study *s, const rows_pass *pass, size_t i, tacit_error *error) {
  const tacit_spo_sample *t = pass->sample;
  const double *x = t->x + i * P;
  double chat[MOST], u[MOST], square = 0, norm = 0, radius = TACIT_SPO_RADIUS_SHARE * tacit_spo_clip_norm(P);
  double less = FAMILY[s->family].centred ? 0 : s->center;
  for (size_t j = 0; j < s->d; j++) {
    chat[j] = less;
    for (size_t k = 0; k < P; k++) chat[j] += s->unit * pass->rule[j * P + k] * x[k];
  }
  const tacit_spo_forecast f = {t->c + i * s->d, t->best + i * s->d, chat};
  TACIT_TRY(tacit_spo_plus(s->region, pass->smoothing * s->unit, &f, pass->work, NULL, u, error));
  for (size_t j = 0; j < s->d; j++) square += u[j] * u[j];
  for (size_t k = 0; k < P; k++) norm += x[k] * x[k];
  double length = sqrt(square * norm) / (2 * s->region->diameter);
  double part = fmin(1, radius / fmax(length, 1e-300)) / (2 * s->region->diameter);
  for (size_t j = 0; j < s->d; j++)
    for (size_t k = 0; k < P; k++) pass->sum[j * P + k] += part * u[j] * x[k];
  return TACIT_OK;
}

/* The learner's descent, smoothed; rule in the sample's own units. */
static tacit_status descend(const study *s, const tacit_spo_sample *t, int way, tacit_stream *noise,
                            double *work, double *rule, tacit_error *error) {
  double b[MOST * P] = {0}, sum[MOST * P], share[TACIT_SPO_STEPS], weight = 0;
  double radius = TACIT_SPO_RADIUS_SHARE * tacit_spo_clip_norm(P), n = (double)t->rows;
  double clarity = tacit_spo_clarity(n, P, s->d, radius, s->mu);
  double step =
      WAY[way].steps * tacit_spo_step_size(clarity) * 2 * s->region->diameter / FAMILY[s->family].width / n;
  tacit_growing_shares(TACIT_SPO_STEPS, tacit_spo_growth(clarity), share);
  memset(rule, 0, s->d * P * sizeof *rule);
  for (int m = 0; m < TACIT_SPO_STEPS; m++) {
    memset(sum, 0, sizeof sum);
    const rows_pass pass = {t, WAY[way].smoothing, b, sum, work};
    for (size_t i = 0; i < t->rows; i++) TACIT_TRY(add_row(s, &pass, i, error));
    double sigma = tacit_share_sigma(2 * radius, s->mu, share[m]);
    bool last = m + TACIT_SPO_AVERAGE >= TACIT_SPO_STEPS;
    for (size_t k = 0; k < s->d * P; k++) {
      b[k] -= step * (sum[k] + sigma * tacit_normal(noise));
      if (last) rule[k] += share[m] * b[k];
    }
    if (last) weight += share[m];
  }
  for (size_t k = 0; k < s->d * P; k++) rule[k] *= s->unit / weight;
  for (size_t j = 0; j < s->d; j++) rule[j * P] += FAMILY[s->family].centred ? 0 : s->center;
  return TACIT_OK;
}

static tacit_status learner(const study *s, const tacit_spo_sample *t, uint64_t seed, double *rule,
                            tacit_error *error) {
  tacit_learn_options options;
  tacit_learn_options_init(&options);
  options.method = "spo-gaussian";
  options.mu = s->mu;
  options.seeded = true;
  options.seed = seed;
  return tacit_spo_fit_sample(t, s->schema, &options, rule, NULL, error);
}

static tacit_status compare(const study *s, size_t r, const tacit_spo_sample *train,
                            const tacit_spo_sample *test, tacit_error *error) {
  double rule[MOST * P], loss, best, size = 0;
  double *work = tacit_alloc(tacit_spo_work(s->region), sizeof *work);
  tacit_status status = work ? TACIT_OK : tacit_no_memory(error);
  for (size_t i = 0; i < test->rows; i++) size += fabs(test->best_cost[i]) / (double)test->rows;
  for (int way = 0; way < WAYS && status == TACIT_OK; way++) {
    tacit_stream noise;
    status = tacit_study_stream(s->seed, TACIT_FOR_NOISE, (uint32_t)s->rows, (uint32_t)r, &noise, error);
    if (status != TACIT_OK) break;
    status = way == LEARNER ? learner(s, train, tacit_stream_bits(&noise), rule, error)
                            : descend(s, train, way, &noise, work, rule, error);
    tacit_stream_end(&noise);
    if (status == TACIT_OK) status = tacit_spo_sample_loss(test, rule, &loss, &best, error);
    s->loss[r][way] = loss / size;
  }
  free(work);
  return status;
}

static tacit_status run_one(void *with, size_t r, tacit_error *error) {
  const study *s = with;
  tacit_stream stream;
  double b[MOST * FEATURES];
  tacit_spo_sample *train = NULL, *test = NULL;
  uint32_t group = (uint32_t)(1000 * (s->family + 1) + s->rows);
  TACIT_TRY(tacit_study_stream(s->seed, TACIT_FOR_ROWS, group, (uint32_t)r, &stream, error));
  for (size_t k = 0; k < s->d * FEATURES; k++) b[k] = (double)(tacit_stream_bits(&stream) >> 63);
  tacit_status status = draw(s, b, s->rows, &stream, &train, error);
  if (status == TACIT_OK) status = draw(s, b, TEST_ROWS, &stream, &test, error);
  if (status == TACIT_OK) status = compare(s, r, train, test, error);
  tacit_spo_sample_free(train);
  tacit_spo_sample_free(test);
  tacit_stream_end(&stream);
  return status;
}

static tacit_status add_lines(const study *s, size_t repetitions, tacit_report *report, tacit_error *error) {
  double plain, se;
  double *change = tacit_alloc(repetitions, sizeof *change);
  if (!change) return tacit_no_memory(error);
  tacit_summarise(repetitions, &s->loss[0][0], WAYS, &plain, &se);
  tacit_status status = TACIT_OK;
  for (int way = 0; way < WAYS && status == TACIT_OK; way++) {
    char label[40];
    const char *texts[] = {label};
    double mean, mean_se, more, more_se;
    snprintf(label, sizeof label, "%s%s", FAMILY[s->family].name, way == LEARNER ? ", spo fit" : "");
    for (size_t r = 0; r < repetitions; r++) change[r] = 100 * (s->loss[r][way] - s->loss[r][0]) / plain;
    tacit_summarise(repetitions, &s->loss[0][way], WAYS, &mean, &mean_se);
    tacit_summarise(repetitions, change, 1, &more, &more_se);
    bool own = way == LEARNER;
    const double line[NUMBERS] = {(double)s->rows,
                                  s->mu,
                                  own ? (double)NAN : WAY[way].smoothing,
                                  own ? 1 : WAY[way].steps,
                                  mean,
                                  mean_se,
                                  more,
                                  more_se};
    status = tacit_report_add(report, texts, line, error);
  }
  free(change);
  return status;
}

/* The schema that a user would write, costs and features with centre and scale. */
static tacit_status open_family(study *s, size_t family, tacit_error *error) {
  enum { ROOM = 8192 };
  char text[ROOM];
  size_t used = 0;
  s->family = family;
  TACIT_TRY(tacit_region_parse(FAMILY[family].region, strlen(FAMILY[family].region), &s->region, error));
  s->d = s->region->dimension;
  tacit_path_spread(FAMILY[family].degree, FAMILY[family].half_width, &s->center, &s->unit);
  for (size_t j = 0; j < s->d + FEATURES; j++) {
    bool cost = j < s->d;
    used += (size_t)snprintf(text + used, ROOM - used,
                             "%s{\"name\": \"%c%zu\", \"center\": %.17g, \"scale\": %.17g}",
                             j == 0      ? "{\"target\": ["
                             : j == s->d ? "], \"features\": ["
                                         : ", ",
                             cost ? 'c' : 'x', cost ? j + 1 : j - s->d + 1,
                             cost && !FAMILY[family].centred ? s->center : 0, cost ? s->unit : 1);
  }
  used += (size_t)snprintf(text + used, ROOM - used, "]}");
  return tacit_schema_parse(text, used, &s->schema, error);
}

static void close_family(study *s) {
  tacit_schema_free(s->schema);
  tacit_region_free(s->region);
  s->schema = NULL;
  s->region = NULL;
}

static tacit_status run_family(study *s, size_t family, const tacit_reproduce_options *options,
                               size_t repetitions, const tacit_context *context, tacit_report *report,
                               tacit_error *error) {
  const size_t *rows = options->row_count ? options->rows : ROWS;
  size_t sizes = options->row_count ? options->row_count : SIZES, cells = sizes * BUDGETS;
  TACIT_TRY(open_family(s, family, error));
  for (size_t c = 0; c < cells; c++) {
    s->rows = rows[c / BUDGETS];
    s->mu = BUDGET[c % BUDGETS];
    tacit_part part = tacit_part_of("smoothing", family * cells + c, FAMILIES * cells);
    TACIT_TRY(tacit_repeat(repetitions, run_one, s, part, context, error));
    TACIT_TRY(add_lines(s, repetitions, report, error));
  }
  return TACIT_OK;
}

tacit_status tacit_reproduce_spo_blind(const tacit_reproduce_options *options, const tacit_context *context,
                                       tacit_report **report, tacit_error *error) {
  size_t repetitions = tacit_repetitions(options, REPETITIONS);
  study s = {.seed = options->seed};
  s.loss = tacit_alloc(repetitions, sizeof *s.loss);
  tacit_status status = s.loss ? TACIT_OK : tacit_no_memory(error);
  if (status == TACIT_OK)
    status = tacit_report_new("spo-smoothing-private", TEXTS, NUMBERS, COLUMNS, report, error);
  for (size_t f = 0; f < FAMILIES && status == TACIT_OK; f++) {
    status = run_family(&s, f, options, repetitions, context, *report, error);
    close_family(&s);
  }
  if (status == TACIT_OK)
    tacit_report_note(
        *report,
        "Private descent on SPO+ smoothed by so many spreads of a cost, %zu repetitions: SPO loss on %d new "
        "rows "
        "over the mean size of the best cost, and its change against the same descent without smoothing, on "
        "the "
        "same rows with the same noise. steps: their length over that of spo fit. Shares, radius and noise "
        "are "
        "those of spo fit, in plain arithmetic without a certificate; the lines \"spo fit\" are the learner "
        "itself, with noise of its own (seeded).",
        repetitions, (int)TEST_ROWS);
  free(s.loss);
  return status;
}
