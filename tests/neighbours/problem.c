/* Random problems: a method and its options over a random schema. */
#include "neighbours/neighbours.h"

#include "loss/regions_for_test.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

const char *const method_names[METHODS] = {
    "median-newton", "location-scale", "follow",       "bisection",     "noisy-gd",        "gradient",
    "sgd",           "objective",      "spo gaussian", "spo least-sq.", "spo exponential", "evaluate --mu",
    "bounded-change"};

/* How often of 64 each is drawn where any may be. */
static const size_t OFTEN[METHODS] = {8, 10, 4, 2, 7, 4, 2, 3, 5, 5, 3, 5, 6};

static method any_method(tacit_stream *draw) {
  size_t at = pick(draw, 64), m = 0;
  while (at >= OFTEN[m]) at -= OFTEN[m++];
  return (method)m;
}

/* 10^-down .. 10^up */
static double magnitude(tacit_stream *draw, double down, double up) {
  return pow(10, (up + down) * tacit_uniform(draw) - down);
}

static const char *any_kernel(tacit_stream *draw) {
  return pick(draw, 2) ? NULL : tacit_kernel_facts((tacit_kernel)pick(draw, TACIT_KERNELS))->name;
}

/* By name, so that methods which have the same option are asked alike. */
static void set(tacit_learn_options *o, const char *name, double number) {
  if (tacit_learn_options_set_number(o, name, number, NULL) != TACIT_OK) abort();
}
static void set_word(tacit_learn_options *o, const char *name, const char *word) {
  if (tacit_learn_options_set_word(o, name, word, NULL) != TACIT_OK) abort();
}

static void ask_descent(problem *p, tacit_learn_options *o) {
  tacit_stream *draw = &p->draw;
  const tacit_scale *scale = &p->schema->targets[0].scale;
  const char *kernel = any_kernel(draw);
  if (kernel) set_word(o, "kernel", kernel);
  if (one_in(draw, 3)) set(o, "bandwidth", scale->half * magnitude(draw, 4, 1));
  if (one_in(draw, 3)) set(o, "clip-norm", magnitude(draw, 1.5, 1.5));
  if (p->method == BY_OBJECTIVE) return;
  set(o, "steps", 1 + (double)pick(draw, 12));
  if (one_in(draw, 4)) set(o, "step-size", magnitude(draw, 2, 3));
}

static void ask_noisy_gd(problem *p, tacit_noisy_gd_options *o, bool whiten) {
  tacit_stream *draw = &p->draw;
  o->whiten = whiten;
  if (one_in(draw, 3)) o->growth = magnitude(draw, 0.5, 0.5);
  if (one_in(draw, 3)) o->average = 1 + pick(draw, 15);
  if (one_in(draw, 3)) o->start = "sphere";
  if (!one_in(draw, 4)) return;
  o->preset = "zhao";
  if (pick(draw, 2)) o->steps = 0;
}

static void ask_pair(problem *p, double *epsilon, double *delta) {
  *epsilon = magnitude(&p->draw, 0.5, 1.2);
  *delta = magnitude(&p->draw, 6, -3);
}

static void ask_sgd(problem *p, tacit_sgd_options *o) {
  tacit_stream *draw = &p->draw;
  o->steps = 4 + pick(draw, 30);
  if (p->adjacency == TACIT_ADD_REMOVE || pick(draw, 2))
    o->rate = one_in(draw, 6) ? 1 : 0.05 + 0.9 * tacit_uniform(draw);
  else if (!one_in(draw, 4))
    o->batch = 1 + pick(draw, p->records);
}

static void ask_objective(problem *p, tacit_objective_options *o) {
  tacit_stream *draw = &p->draw;
  if (one_in(draw, 3)) o->preset = "part-2";
  if (one_in(draw, 4)) o->lambda = magnitude(draw, 2, 1);
}

/* Where spreads are learned: neither near the median nor so far out that the rule is linear after all. */
static double outer_quantile(tacit_stream *draw) {
  static const double levels[] = {0.8, 0.9, 0.95, 0.98};
  double tau = pick(draw, 2) ? levels[pick(draw, 4)] : 0.8 + 0.19 * tacit_uniform(draw);
  return pick(draw, 3) ? tau : 1 - tau;
}

/* A spread is learned from as many rows, or as much mu, as features need. */
static void ask_for_spread(problem *p) {
  static const double ENOUGH = 12; /* rows times mu for each feature (method/recipe.c) */
  bool told = p->adjacency == TACIT_ADD_REMOVE;
  size_t nominal = p->learn.nominal_rows ? p->learn.nominal_rows : p->schema->nominal_rows;
  double rows = (double)(told ? nominal : p->records), owned = (double)p->schema->rows_per_unit;
  double least = ENOUGH * (double)(p->schema->columns - 1) * owned * sqrt((double)p->targets) / rows;
  double more = 1 + 2 * tacit_uniform(&p->draw);
  if (p->learn.mu < least) p->learn.mu = fmin(1000, more * least);
}

/* Slopes are learned, and no spread: between the least that buys the one and the least that buys the other.
 */
static void ask_for_slopes(problem *p) {
  double d = (double)(p->schema->columns - 1), owned = (double)p->schema->rows_per_unit;
  double rows = (double)p->records, least = 20 + 2 * d, most = 12 * d;
  p->quantiles[0] = outer_quantile(&p->draw);
  p->learn.location_scale.intervals = false;
  p->learn.nominal_rows = p->adjacency == TACIT_ADD_REMOVE ? p->records : 0;
  p->learn.mu = (least + (0.99 - 0.5 * tacit_uniform(&p->draw)) * (most - least)) * pow(owned, 0.75) / rows;
}

/* Two or three quantiles of one target, ascending, the median among them or not. */
static void ask_several(problem *p) {
  double first = 0.05 + 0.5 * tacit_uniform(&p->draw);
  p->quantiles[0] = one_in(&p->draw, 2) ? 0.5 : first;
  p->quantiles[1] = 0.7 + 0.25 * tacit_uniform(&p->draw);
  p->quantiles[2] = 0.96 + 0.03 * tacit_uniform(&p->draw);
  p->learn.quantile_count = 2 + pick(&p->draw, 2);
  p->learn.location_scale.intervals = false; /* these are for one goal */
}

/* Any state at all: it is public. */
static void ask_follow(problem *p) {
  tacit_stream *draw = &p->draw;
  tacit_start *start = &p->start;
  if (p->quantiles[0] < 0.001 || p->quantiles[0] > 0.999) p->quantiles[0] = 0.95;
  if (one_in(draw, 3)) return;
  if (tacit_state_new(p->schema->columns, &start->state, NULL) != TACIT_OK) abort();
  for (size_t j = 0; j < p->schema->columns; j++) {
    start->state->centre[j] = tacit_normal(draw) * magnitude(draw, 3, 1);
    start->state->covariance[tacit_triangle(j) + j] = magnitude(draw, 6, 2);
  }
  start->state->spread = magnitude(draw, 4, 1);
  start->state->spread_variance = tacit_uniform(draw);
  for (size_t k = 0; k < 2; k++) start->state->tail[k] = tacit_normal(draw) * start->state->spread;
  for (size_t k = 0; k < 2; k++) start->state->tail_variance[k] = magnitude(draw, 4, 0);
  start->quantile = p->quantiles[0];
  memset(start->hash, 'a', sizeof start->hash - 1);
  memcpy(start->schema, p->schema->hash, sizeof start->schema);
  p->learn.from = start;
}

static void ask_learn(problem *p, bool whiten) {
  static const double levels[] = {0.5, 0.5, 0.01, 0.3, 0.7, 0.95, 1 - 0x1p-20, 0x1p-30};
  tacit_learn_options *o = &p->learn;
  o->method = method_names[p->method];
  for (size_t t = 0; t < p->targets; t++)
    p->quantiles[t] = one_in(&p->draw, 3) ? tacit_uniform(&p->draw) : levels[pick(&p->draw, 8)];
  for (size_t t = 0; t < p->targets && p->method == BY_LOCATION_SCALE; t++)
    if (pick(&p->draw, 4)) p->quantiles[t] = outer_quantile(&p->draw);
  for (size_t t = 0; t < p->targets && p->tiers; t++) {
    double under, over;
    tacit_schema_target_costs(p->schema, t, &under, &over);
    p->quantiles[t] = under / (under + over);
  }
  o->quantiles = p->quantiles;
  o->quantile_count = p->targets;
  o->adjacency = p->adjacency;
  if (p->method == BY_SGD || p->method == BY_OBJECTIVE)
    ask_pair(p, &o->epsilon, &o->delta);
  else
    o->mu = magnitude(&p->draw, 0.7, 1.3);
  if (p->method == BY_LOCATION_SCALE)
    o->location_scale.intervals = pick(&p->draw, 2) && p->targets == 1 && !p->tiers && !p->stocked;
  if (p->method > BY_BISECTION && p->method != BY_BOUNDED_CHANGE) ask_descent(p, o);
  if (p->method == BY_FOLLOW) ask_follow(p);
  if (p->method == BY_NOISY_GD) ask_noisy_gd(p, &o->noisy_gd, whiten);
  if (p->method == BY_SGD) ask_sgd(p, &o->sgd);
  if (p->method == BY_OBJECTIVE) ask_objective(p, &o->objective);
  bool bound = p->method == BY_SGD || p->method == BY_OBJECTIVE || p->method == BY_GRADIENT;
  if (bound && one_in(&p->draw, 3)) set(o, "theta-bound", magnitude(&p->draw, 1, 2));
}

static void ask_spo(problem *p) {
  static const char *const names[] = {"gaussian", "least-squares", "exponential"};
  tacit_stream *draw = &p->draw;
  tacit_learn_options *o = &p->learn;
  o->method = names[p->method - BY_SPO_GAUSSIAN];
  o->region = p->region;
  o->adjacency = p->adjacency;
  if (p->method == BY_SPO_EXPONENTIAL)
    ask_pair(p, &o->epsilon, &o->delta);
  else
    o->mu = magnitude(draw, 0.7, 1.3);
  if (p->method == BY_SPO_LEAST_SQUARES) return;
  set(o, "steps", 1 + (double)pick(draw, 10));
  if (one_in(draw, 3)) set(o, "step-size", magnitude(draw, 2, 2));
  if (one_in(draw, 3)) set(o, "average", 1 + (double)pick(draw, 12));
  if (p->method == BY_SPO_EXPONENTIAL) return;
  if (one_in(draw, 3)) set(o, "growth", magnitude(draw, 0.5, 0.5));
  if (one_in(draw, 3)) set(o, "clip-norm", magnitude(draw, 1.5, 1.5));
}

static double *any_numbers(tacit_stream *draw, size_t count) {
  static const double odd[] = {0, 1e300, -1e300, INFINITY, NAN};
  double *numbers = calloc(count, sizeof *numbers);
  for (size_t j = 0; j < count; j++)
    numbers[j] = one_in(draw, 20) ? odd[pick(draw, 5)] : tacit_normal(draw) * magnitude(draw, 2, 2);
  return numbers;
}

/* Any rule at all, with a spread or without: it is public. */
static void ask_estimate(problem *p) {
  tacit_stream *draw = &p->draw;
  p->rule = any_numbers(draw, p->targets * p->schema->columns);
  if (one_in(draw, 2)) p->spread = any_numbers(draw, p->targets * (p->schema->columns + 1));
  for (size_t t = 0; t < p->targets; t++)
    for (size_t k = 0; k < 2; k++) p->costs[k][t] = magnitude(draw, 1, 1);
  p->estimate = (tacit_estimate_options){.coefficients = p->rule,
                                         .spread = p->spread,
                                         .underage = p->costs[0],
                                         .overage = p->costs[1],
                                         .bound = one_in(draw, 3) ? magnitude(draw, 3, 3) : 0,
                                         .mu = magnitude(draw, 2, 1),
                                         .adjacency = p->adjacency};
}

static void choose_region(problem *p) {
  const char *json;
  do json = REGIONS[pick(&p->draw, REGIONS_COUNT)];
  while (strstr(json, "polytope") && !one_in(&p->draw, 3)); /* linear programs take their time */
  if (tacit_region_parse(json, strlen(json), &p->region, NULL) != TACIT_OK) abort();
  p->targets = tacit_region_dimension(p->region);
}

/* How many records, and where they come from. */
static void choose_table(problem *p) {
  tacit_stream *draw = &p->draw;
  bool slow = p->method == BY_SGD || p->method == BY_OBJECTIVE || p->region;
  size_t columns = p->schema->columns;
  p->records = (p->adjacency == TACIT_ADD_REMOVE && one_in(draw, 8)) ? 1 + pick(draw, 3)
                                                                     : columns + 2 + pick(draw, 60);
  if (one_in(draw, 4)) p->records += pick(draw, 200) / (slow ? 4 : 1);
  if (!slow && one_in(draw, 25)) p->records = 1000 + pick(draw, 1800); /* several blocks */
  if (p->method == BY_LOCATION_SCALE) p->records += pick(draw, 200);
  if (p->leaning) p->records = 150 + pick(draw, 200);
  p->records += p->schema->largest_lag;
  p->threads = (int)pick(draw, 3) + 1;
}

static void choose_origin(problem *p) {
  tacit_stream *draw = &p->draw;
  bool whole = tacit_schema_needs_all(p->schema);
  bool packs = !p->leaning && (p->method <= BY_GRADIENT || p->method == BY_BOUNDED_CHANGE) &&
               !p->learn.noisy_gd.whiten;
  p->origin = packs && one_in(draw, 8) ? FROM_PACK : pick(draw, 3) ? FROM_COLUMNS : FROM_CSV;
  bool parts = !p->leaning && (p->method <= BY_NOISY_GD || p->method == BY_BOUNDED_CHANGE) &&
               (p->origin == FROM_PACK || !whole);
  p->ranks = parts && one_in(draw, 5) ? 2 + pick(draw, RANKS_MOST - 1) : 1;
  if (p->origin != FROM_PACK) return;
  if (p->ranks > 1 && pick(draw, 2)) p->records = 1100 + pick(draw, 2000); /* parts are of whole blocks */
  snprintf(p->file, sizeof p->file, "/tmp/tacit-neighbours.XXXXXX");
  int file = mkstemp(p->file);
  if (file < 0) abort();
  close(file);
}

static void choose_noise(problem *p) {
  size_t nominal = p->adjacency == TACIT_ADD_REMOVE ? 1 + pick(&p->draw, 2 * p->records + 2) : 0;
  if (p->schema->nominal_rows && pick(&p->draw, 2)) nominal = 0;
  p->learn.nominal_rows = p->estimate.nominal_rows = nominal;
  p->learn.seeded = p->estimate.seeded = true;
  p->learn.seed = p->estimate.seed = tacit_stream_bits(&p->draw);
}

/* What must be refused, in words that are the same for both tables. */
static void ask_too_much(problem *p) {
  tacit_stream *draw = &p->draw;
  switch (pick(draw, 4)) {
  case 0:
    p->learn.mu *= 1e-7;
    p->estimate.mu *= 1e-12;
    p->learn.objective.lambda *= 1e-6;
    break;
  case 1:
    if (p->adjacency == TACIT_REPLACE_ONE) p->records = pick(draw, p->schema->columns);
    break;
  case 2:
    p->learn.nominal_rows = p->estimate.nominal_rows = 0;
    break;
  default:
    if (p->learn.sgd.batch) p->learn.sgd.batch = p->records + 1;
    if (p->learn.noisy_gd.growth > 0) p->learn.noisy_gd.growth = 1e6;
    if (p->learn.spo_gaussian.growth > 0) p->learn.spo_gaussian.growth = 1e6;
    if (p->learn.gradient.theta_bound > 0) p->learn.gradient.theta_bound = 1e5;
    if (p->learn.objective.theta_bound > 0) p->learn.objective.theta_bound = 1e5;
    if (p->learn.sgd.theta_bound > 0) p->learn.sgd.theta_bound = 1e5;
  }
}

problem *problem_new(uint64_t seed_of, method only) {
  problem *p = calloc(1, sizeof *p);
  tacit_noise_source source;
  tacit_noise_source_seeded(&source, seed_of);
  if (!p || tacit_stream_begin(&source, &p->draw, NULL) != TACIT_OK) abort();
  p->seed = seed_of;
  tacit_learn_options_init(&p->learn);
  p->method = any_method(&p->draw);
  if (only < METHODS) p->method = only;
  p->adjacency = pick(&p->draw, 2) ? TACIT_ADD_REMOVE : TACIT_REPLACE_ONE;
  p->targets = pick(&p->draw, 4) ? 1 : 2 + pick(&p->draw, 2);
  if (p->method == BY_BOUNDED_CHANGE) p->adjacency = TACIT_REPLACE_ONE;
  p->more = p->times = 1;
  bool spo = p->method >= BY_SPO_GAUSSIAN && p->method <= BY_SPO_EXPONENTIAL;
  if (p->method == BY_FOLLOW) p->targets = 1;
  if (spo) choose_region(p);
  p->known = (p->method == BY_LOCATION_SCALE || p->method == BY_FOLLOW) && one_in(&p->draw, 4);
  p->panelled = seed_of >= PANELS && p->method != BY_BOUNDED_CHANGE;
  p->panelled = p->panelled && seed_of < EVENTS;
  p->sold = seed_of >= EVENTS;
  if (p->panelled) p->known = false;
  p->leaning = seed_of >= LEANING && seed_of < STOCKS && p->method == BY_LOCATION_SCALE;
  if (p->leaning) p->targets = 1;
  bool asks = p->method <= BY_GRADIENT || p->method == BY_EVALUATE; /* methods that take them */
  p->tiers = asks && seed_of % 4 == 1 && !p->sold && !p->leaning;
  bool stocks = (seed_of % 4 == 2 || (seed_of >= STOCKS && !p->tiers)) && seed_of % 3;
  p->stocked = p->method <= BY_LOCATION_SCALE && stocks && !p->panelled && !p->sold && !p->leaning;
  if (p->panelled && p->method == BY_SGD)
    p->adjacency = TACIT_REPLACE_ONE; /* a unit's rows are in the middle */
  if (p->sold) p->adjacency = TACIT_REPLACE_ONE, p->targets = 1;
  bool whiten = p->method == BY_NOISY_GD && one_in(&p->draw, 4);
  problem_schema(p, whiten);
  choose_table(p);
  if (spo)
    ask_spo(p);
  else if (p->method == BY_EVALUATE)
    ask_estimate(p);
  else
    ask_learn(p, whiten);
  choose_origin(p);
  if (p->sold) events_columns(p);
  choose_noise(p);
  if (p->leaning)
    ask_for_slopes(p);
  else if (p->method == BY_LOCATION_SCALE && pick(&p->draw, 5))
    ask_for_spread(p);
  if (!p->leaning && one_in(&p->draw, 20)) ask_too_much(p);
  p->whole = one_in(&p->draw, 10);
  bool adaptive =
      p->method == BY_LOCATION_SCALE || p->method == BY_MEDIAN_NEWTON || p->method == BY_BOUNDED_CHANGE;
  if (p->targets == 1 && !p->tiers && !p->leaning && (adaptive || p->method == BY_BISECTION) &&
      one_in(&p->draw, 3))
    ask_several(p);
  return p;
}

void problem_free(problem *p) {
  if (p->file[0]) unlink(p->file);
  tacit_schema_free(p->schema);
  tacit_region_free(p->region);
  tacit_stream_end(&p->draw);
  tacit_state_free(p->start.state);
  free(p->rule);
  free(p->spread);
  tacit_schema_free(p->reading);
  free(p->events);
  free(p->calendar);
  free(p);
}
