/* The default learner on three dishes of the restaurant, against ERM without privacy on the same splits. */
#include "base/base.h"
#include "loss/check.h"
#include "papers/dishes.h"
#include "papers/promise.h"
#include "papers/reproduce.h"
#include "papers/score.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
  DISHES = 3,
  SETS = TACIT_DISH_SETS,
  MUS = 3,
  COSTS = 4,
  TRAIN = 552,
  TEST = 184,
  SPLITS = 100,
  CELLS = DISHES * SETS,
  ROWS = CELLS * MUS * (COSTS + 1)
};
static const char *const DISH[DISHES] = {"lamb", "chicken", "koefte"};
static const char *const SET[SETS] = {"lags", "lags+weekday", "weekday"};
static const double UNDERAGE[COSTS] = {50, 70, 90, 120}, OVERAGE = 30, MU[MUS] = {0.9, 0.5, 0.3};
/* Percent above ERM to stay below, lamb; the day-level costs are for mu = 0.5. */
static const double PERCENT[SETS][MUS] = {{0.8, 1.8, 4.8}, {2.5, 5.5, 12}, {NAN, NAN, NAN}};
static const double DAY_LEVEL[COSTS] = {320, 375, 418, 474};
static const double POINT = 1; /* the other dishes may be so much above lamb */
static const double HALF = 50; /* portions: the encoded target is (demand - 50) / 50 */

static const char NOTES[] =
    "Mean cost per day on %d test days after learning from %d, h = 30, %zu random splits, the same for all "
    "dishes; standard errors over splits in parentheses.\n"
    "erm: what ERM without privacy (\"erm\") costs in the same run. tacit: method \"default\", seeded "
    "noise, public bounds: demand and lags 0 to 100, rain 0 to 40, temperature -15 to 40, holiday 0 or 1.\n"
    "Rows \"%%\": tacit's cost above ERM's, in percent, mean over the four b.\n"
    "bar: what tacit is to stay below: for lamb's percentages and its day-level costs at mu = 0.5 a "
    "number, for the other dishes' percentages lamb's own plus one.\n"
    "lags: holiday, rain, temperature, demand 7 and 14 days before. weekday: weekday levels (base Sunday). "
    "The promise is for a row. With lags a day is in three rows; with the weekday instead it is in one, so "
    "there the promise is for a day.";

/* Of one split and one dish with one set of features. */
typedef struct outcome {
  double erm[COSTS], cost[MUS][COSTS], beyond[MUS][COSTS], percent[MUS];
} outcome;
enum { STRIDE = CELLS * sizeof(outcome) / sizeof(double) };

typedef struct study {
  tacit_dish dish[CELLS];
  uint64_t seed;
  size_t repetitions;
  tacit_study_promise promise;
  double lamb[SETS][MUS]; /* its percentages */
  outcome *out;           /* repetitions x CELLS */
} study;

static double test_cost(const tacit_dish *dish, const size_t *order, double b, const tacit_rule *rule) {
  const tacit_sample *all = dish->encoded;
  double x[TACIT_DISH_ENCODED], sum = 0;
  for (size_t i = TRAIN; i < TRAIN + TEST; i++) {
    for (size_t j = 0; j < all->columns; j++) x[j] = all->x[j * all->rows + order[i]];
    sum += tacit_check_loss(b / (b + OVERAGE), all->y[order[i]] - tacit_rule_order(rule, x));
  }
  return (b + OVERAGE) * HALF * sum / TEST;
}

/* A dish's split: whose rows are learned from, and which. */
typedef struct split {
  const tacit_dish *dish;
  const size_t *order;
  tacit_study_table table; /* the training rows */
} split;

static tacit_status learn_one(const split *s, int c, double mu, uint64_t seed, double *cost, double *beyond,
                              tacit_error *error) {
  double b = UNDERAGE[c];
  tacit_fit *fit = NULL;
  TACIT_TRY(tacit_study_fit(&s->table, b / (b + OVERAGE), mu, &seed, &fit, error));
  const tacit_rule rule = tacit_study_rule(&s->table, fit);
  *cost = test_cost(s->dish, s->order, b, &rule);
  if (beyond) *beyond = tacit_study_beyond(fit, mu);
  tacit_fit_free(fit);
  return TACIT_OK;
}

static tacit_status learn_all(const split *s, tacit_stream *noise, outcome *out, tacit_error *error) {
  for (int c = 0; c < COSTS; c++) {
    TACIT_TRY(learn_one(s, c, 0, 0, &out->erm[c], NULL, error));
    for (int m = 0; m < MUS; m++)
      TACIT_TRY(
          learn_one(s, c, MU[m], tacit_stream_bits(noise), &out->cost[m][c], &out->beyond[m][c], error));
  }
  return TACIT_OK;
}

static tacit_status shuffle(const study *s, size_t r, size_t **order, tacit_error *error) {
  size_t rows = s->dish[0].rows;
  tacit_stream stream;
  TACIT_TRY(tacit_study_stream(s->seed, TACIT_FOR_SPLITS, 0, (uint32_t)r, &stream, error));
  *order = tacit_alloc(rows, sizeof **order);
  if (!*order) return tacit_no_memory(error);
  for (size_t i = 0; i < rows; i++) (*order)[i] = i;
  tacit_shuffle(&stream, rows, *order);
  return TACIT_OK;
}

static tacit_status run_split(void *with, size_t r, tacit_error *error) {
  const study *s = with;
  size_t *order = NULL;
  TACIT_TRY(shuffle(s, r, &order, error));
  tacit_status status = TACIT_OK;
  for (uint32_t k = 0; k < CELLS && status == TACIT_OK; k++) {
    void *space = NULL;
    split part = {.dish = &s->dish[k], .order = order};
    tacit_stream noise;
    status = tacit_study_stream(s->seed, TACIT_FOR_NOISE, k, (uint32_t)r, &noise, error);
    if (status == TACIT_OK) status = tacit_dish_table(part.dish, TRAIN, order, &space, &part.table, error);
    if (status == TACIT_OK) status = learn_all(&part, &noise, &s->out[r * CELLS + k], error);
    free(space);
  }
  free(order);
  return status;
}

/* Per split, tacit's cost above ERM's in percent of ERM's mean cost, averaged over b. */
static void set_percents(study *s, size_t k) {
  size_t repetitions = s->repetitions;
  for (size_t r = 0; r < repetitions; r++)
    for (int m = 0; m < MUS; m++) s->out[r * CELLS + k].percent[m] = 0;
  for (int c = 0; c < COSTS; c++) {
    double erm, se;
    tacit_summarise(repetitions, &s->out[k].erm[c], STRIDE, &erm, &se);
    for (size_t r = 0; r < repetitions; r++) {
      outcome *o = &s->out[r * CELLS + k];
      for (int m = 0; m < MUS; m++) o->percent[m] += 100 * (o->cost[m][c] - o->erm[c]) / erm / COSTS;
    }
  }
}

/* The four costs and the percentage of one dish, set and mu; lamb's percentages, which come first, are kept
   for the bars of the other dishes. */
static tacit_status add_rows(study *s, size_t k, int m, tacit_report *report, tacit_error *error) {
  size_t dish = k / SETS, set = k % SETS;
  const outcome *o = &s->out[k];
  tacit_score score;
  for (int c = 0; c < COSTS; c++) {
    tacit_score_init(&score, UNDERAGE[c] / (UNDERAGE[c] + OVERAGE), MU[m], TRAIN, s->repetitions);
    snprintf(score.setting, sizeof score.setting, "%s %s b=%g", DISH[dish], SET[set], UNDERAGE[c]);
    tacit_summarise(s->repetitions, &o->erm[c], STRIDE, &score.other, &score.other_se);
    tacit_summarise(s->repetitions, &o->cost[m][c], STRIDE, &score.tacit, &score.tacit_se);
    if (dish == 0 && set == TACIT_DISH_WEEKDAY && MU[m] == 0.5) score.bar = DAY_LEVEL[c];
    TACIT_TRY(tacit_score_report_add(report, &score, error));
  }
  tacit_score_init(&score, NAN, MU[m], TRAIN, s->repetitions);
  snprintf(score.setting, sizeof score.setting, "%s %s %%", DISH[dish], SET[set]);
  tacit_summarise(s->repetitions, &o->percent[m], STRIDE, &score.tacit, &score.tacit_se);
  if (dish == 0) s->lamb[set][m] = score.tacit;
  score.bar = dish ? s->lamb[set][m] + POINT : PERCENT[set][m];
  return tacit_score_report_add(report, &score, error);
}

static tacit_status verify(study *s, tacit_error *error) {
  size_t *order = NULL;
  TACIT_TRY(shuffle(s, 0, &order, error));
  tacit_status status = TACIT_OK;
  for (size_t i = 0; i < (size_t)CELLS * MUS * COSTS && status == TACIT_OK; i++) {
    double b = UNDERAGE[i % COSTS];
    void *space = NULL;
    tacit_study_table table;
    status = tacit_dish_table(&s->dish[i / COSTS / MUS], TRAIN, order, &space, &table, error);
    if (status == TACIT_OK)
      status = tacit_study_verify(&table, b / (b + OVERAGE), MU[i / COSTS % MUS], &s->promise, error);
    free(space);
  }
  free(order);
  return status;
}

static tacit_status fill(study *s, const char *folder, const tacit_context *context, tacit_report *report,
                         tacit_error *error) {
  for (size_t k = 0; k < CELLS; k++) {
    TACIT_TRY(tacit_dish_read(folder, DISH[k / SETS], (tacit_dish_features)(k % SETS), &s->dish[k], error));
    if (s->dish[k].rows < TRAIN + TEST)
      return tacit_fail(error, TACIT_BAD_INPUT, "the restaurant data has too few rows; it should have 765");
  }
  TACIT_TRY(tacit_repeat(s->repetitions, run_split, s, tacit_part_of("restaurant", 0, 1), context, error));
  for (size_t k = 0; k < CELLS; k++) {
    set_percents(s, k);
    for (int m = 0; m < MUS; m++) {
      TACIT_TRY(add_rows(s, k, m, report, error));
      for (int c = 0; c < COSTS; c++)
        tacit_study_promise_count(&s->promise, s->repetitions, &s->out[k].beyond[m][c], STRIDE);
    }
  }
  TACIT_TRY(verify(s, error));
  tacit_report_note(report, NOTES, TEST, TRAIN, s->repetitions);
  tacit_study_promise_note(&s->promise, report);
  return TACIT_OK;
}

tacit_status tacit_reproduce_default_restaurant(const tacit_reproduce_options *options,
                                                const tacit_context *context, tacit_report **report,
                                                tacit_error *error) {
  TACIT_TRY(tacit_reproduce_needs_data(options, error));
  TACIT_TRY(tacit_score_report("default-restaurant", "erm", report, error));
  study s = {.seed = options->seed, .repetitions = tacit_repetitions(options, SPLITS)};
  s.out = tacit_alloc(s.repetitions, CELLS * sizeof *s.out);
  tacit_status status = s.out ? fill(&s, options->data, context, *report, error) : tacit_no_memory(error);
  for (size_t k = 0; k < CELLS; k++) tacit_dish_free(&s.dish[k]);
  free(s.out);
  return status;
}
