/* tacit audit: runs a method many times on two neighbouring tables, and bounds its guarantee by how well what
   was released tells them apart. */
#include "study/audit.h"

#include "base/base.h"
#include "num/linalg.h"
#include "privacy/gdp.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double ALPHA = 0.001; /* a bound is false with at most this probability */
enum { RUNS_LEAST = 100, RUNS_MOST = 10000000 };

/* A learner is called as its method is, but for the default. */
static const char *name_of(const tacit_audit_method *method) {
  return method->name ? method->name : method->learner ? method->learner->name : NULL;
}

const char *tacit_audit_method_name(size_t index) {
  return name_of(&tacit_audit_methods[index]);
}
const char *tacit_audit_fault_name(size_t index) {
  return tacit_audit_faults[index].name;
}
const char *tacit_audit_fault_about(size_t index) {
  return tacit_audit_faults[index].about;
}

void tacit_audit_options_init(tacit_audit_options *options) {
  *options = (tacit_audit_options){
      .method = "default", .mu = 1, .delta = 1e-5, .adjacency = TACIT_REPLACE_ONE, .seed = 1};
}

static bool leaves_out_clipping(const tacit_audit_method *method) {
  return method->clips;
}

static bool has_units(const tacit_audit_method *method) {
  return method->unit > 0;
}

static bool has_noisy_sums(const tacit_audit_method *method) {
  return method->transcript;
}

static bool counts_by_ramps(const tacit_audit_method *method) {
  return method->change > 0 && !method->bought;
}

static bool adds_up_events(const tacit_audit_method *method) {
  return method->bought > 0;
}

static tacit_status refuse(const char *why, bool (*instead)(const tacit_audit_method *method),
                           tacit_error *error) {
  char list[240] = "";
  for (const tacit_audit_method *m = tacit_audit_methods; m->run; m++) {
    size_t at = strlen(list);
    if (instead(m)) snprintf(list + at, sizeof list - at, "%s%s", at ? ", " : "", name_of(m));
  }
  return tacit_fail(error, TACIT_USAGE, "%s: %s", why, list);
}

static tacit_status find(tacit_audit *audit, tacit_error *error) {
  const tacit_audit_options *o = audit->options;
  while (audit->method->run && strcmp(o->method, name_of(audit->method))) audit->method++;
  if (!audit->method->run)
    return tacit_fail(error, TACIT_USAGE, "no method of this name; tacit audit --help lists them");
  for (size_t i = 0; o->plant && *o->plant && tacit_audit_faults[i].name; i++)
    if (!strcmp(o->plant, tacit_audit_faults[i].name)) audit->fault = &tacit_audit_faults[i];
  if (o->plant && *o->plant && !audit->fault)
    return tacit_fail(error, TACIT_USAGE, "no fault of this name; tacit audit --help lists them");
  if (audit->fault && audit->fault->unclipped && !audit->method->clips)
    return refuse("this method has no clip norm that could be left out; plant this fault into one of",
                  leaves_out_clipping, error);
  if (audit->fault && audit->fault->scattered && !audit->method->unit)
    return refuse("this method's canary is one record; plant this fault into one of", has_units, error);
  if (audit->fault && audit->fault->unsmoothed && !counts_by_ramps(audit->method))
    return refuse("this method counts without ramps; plant this fault into", counts_by_ramps, error);
  if (audit->fault && (audit->fault->any_rows || audit->fault->any_amount) && !adds_up_events(audit->method))
    return refuse("this method is not attacked through events; plant this fault into", adds_up_events, error);
  if (audit->fault && !audit->method->transcript)
    return refuse("faults are planted into methods whose every release is a noisy sum", has_noisy_sums,
                  error);
  return TACIT_OK;
}

/* A fault as small as noise scaled by 0.8 takes more runs to be caught than a look at a promise that holds.
 */
enum { PLANTED_RUNS = 12000 };

/* The plain release is quick, and as many runs are made as show nine tenths of a small mu. */
static size_t default_runs(const tacit_audit *audit) {
  if (audit->method->run != tacit_audit_run_gaussian)
    return audit->fault && audit->method->runs < PLANTED_RUNS ? PLANTED_RUNS : audit->method->runs;
  double mu = audit->options->mu;
  return (size_t)((double)audit->method->runs / fmin(1, fmax(0.07, mu * mu)));
}

static tacit_status check(tacit_audit *audit, tacit_error *error) {
  const tacit_audit_options *o = audit->options;
  if (!(o->mu > 0 && o->mu <= 10))
    return tacit_fail(error, TACIT_USAGE, "mu must be above 0 and at most 10: more promises next to nothing");
  if (!(o->delta > 0 && o->delta < 1))
    return tacit_fail(error, TACIT_USAGE, "delta must be above 0 and below 1");
  if (o->runs) audit->runs = o->runs;
  if (audit->runs < RUNS_LEAST || audit->runs > RUNS_MOST)
    return tacit_fail(error, TACIT_USAGE, "runs must be from %d to %d", RUNS_LEAST, RUNS_MOST);
  return TACIT_OK;
}

/* A seed of its own for every run on every table. */
static uint64_t seed_of(uint64_t seed, int table, size_t run) {
  uint64_t z = seed + 0x9e3779b97f4a7c15u * (2 * (uint64_t)run + (uint64_t)table + 1);
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

/* sights holds, for each way to look (the transcript, then each coefficient) and each table, `runs` numbers.
 */
static double *view(const tacit_audit *audit, size_t way, int table) {
  return audit->sights + (2 * way + (size_t)table) * audit->runs;
}

static size_t numbers_of(const tacit_audit *audit) {
  return audit->method->spread ? TACIT_AUDIT_NUMBERS : TACIT_AUDIT_COLUMNS;
}

static tacit_status run_once(const tacit_audit *audit, int table, size_t run, tacit_error *error) {
  tacit_audit_sight sight = {0};
  TACIT_TRY(audit->method->run(audit, table, seed_of(audit->options->seed, table, run), &sight, error));
  view(audit, 0, table)[run] = sight.transcript;
  for (size_t j = 0; j < numbers_of(audit); j++) view(audit, 1 + j, table)[run] = sight.coefficients[j];
  return TACIT_OK;
}

/* Several runs on both tables; a single one may be shorter than its bookkeeping. */
enum { TOGETHER = 25 };
static tacit_status run_several(void *self, size_t part, tacit_error *error) {
  const tacit_audit *audit = self;
  for (size_t run = part * TOGETHER; run < audit->runs && run < (part + 1) * TOGETHER; run++)
    for (int table = 0; table < 2; table++) TACIT_TRY(run_once(audit, table, run, error));
  return TACIT_OK;
}

/* Fisher's discriminant of the coefficients, from the training runs: S^-1 (mean on table 1 - mean on table
   0). It replaces the first coefficient. */
static void discriminate(const tacit_audit *audit) {
  enum { MOST = TACIT_AUDIT_NUMBERS };
  size_t P = numbers_of(audit);
  size_t trained = tacit_audit_trained(audit->runs);
  double mean[2][MOST] = {{0}}, S[MOST * MOST] = {0}, apart[MOST], part[MOST] = {0}, direction[MOST] = {0};
  for (int k = 0; k < 2; k++)
    for (size_t j = 0; j < P; j++)
      for (size_t r = 0; r < trained; r++) mean[k][j] += view(audit, 1 + j, k)[r] / (double)trained;
  for (int k = 0; k < 2; k++)
    for (size_t r = 0; r < trained; r++)
      for (size_t i = 0; i < P; i++)
        for (size_t j = 0; j < P; j++)
          S[i * P + j] += (view(audit, 1 + i, k)[r] - mean[k][i]) * (view(audit, 1 + j, k)[r] - mean[k][j]);
  double trace = 0;
  for (size_t j = 0; j < P; j++) trace += S[j * (P + 1)];
  for (size_t j = 0; j < P; j++) {
    apart[j] = mean[1][j] - mean[0][j];
    direction[j] = apart[j];
    S[j * (P + 1)] += 1e-9 * trace;
  }
  if (trace > 0 && tacit_inverse_root(P, S, S)) {
    memset(direction, 0, sizeof direction);
    for (size_t i = 0; i < P; i++)
      for (size_t j = 0; j < P; j++) part[i] += S[i * P + j] * apart[j];
    for (size_t i = 0; i < P; i++)
      for (size_t j = 0; j < P; j++) direction[i] += S[i * P + j] * part[j];
  }
  for (int k = 0; k < 2; k++)
    for (size_t r = 0; r < audit->runs; r++) {
      double value = 0;
      for (size_t j = 0; j < P; j++) value += direction[j] * view(audit, 1 + j, k)[r];
      view(audit, 1, k)[r] = value;
    }
}

static tacit_status bound(const tacit_audit *audit, tacit_audit_result *result, tacit_error *error) {
  const bool has[2] = {audit->method->transcript, audit->method->coefficients};
  double *lower[2] = {&result->mu_lower_transcript, &result->mu_lower_coefficients};
  double alpha = ALPHA / (has[0] + has[1]); /* the best of two bounds is as sure as both together */
  tacit_audit_counts counts;
  for (size_t way = 0; way < 2; way++) {
    if (!has[way]) continue;
    const double *on_0 = view(audit, way, 0), *on_1 = view(audit, way, 1);
    TACIT_TRY(tacit_audit_mu_lower(audit->runs, on_0, on_1, alpha, lower[way], &counts, error));
    result->mu_lower = fmax(result->mu_lower, *lower[way]);
    for (size_t d = 0; d < TACIT_AUDIT_DELTAS; d++) {
      double epsilon;
      TACIT_TRY(tacit_audit_epsilon_lower(audit->runs, on_0, on_1, result->epsilon[d].delta, alpha, &epsilon,
                                          error));
      result->epsilon[d].lower = fmax(result->epsilon[d].lower, epsilon);
    }
  }
  return TACIT_OK;
}

static tacit_status promise(const tacit_audit *audit, tacit_audit_result *result, tacit_error *error) {
  const tacit_audit_options *o = audit->options;
  const double deltas[TACIT_AUDIT_DELTAS] = {o->delta, 1e-3, 1e-2};
  *result = (tacit_audit_result){.confidence = 1 - ALPHA,
                                 .mu_promised = audit->method->curve ? NAN : o->mu,
                                 .mu_lower_transcript = NAN,
                                 .mu_lower_coefficients = NAN,
                                 .runs = audit->runs,
                                 .trained = tacit_audit_trained(audit->runs)};
  snprintf(result->method, sizeof result->method, "%s", name_of(audit->method));
  snprintf(result->plant, sizeof result->plant, "%s", audit->fault ? audit->fault->name : "");
  for (size_t d = 0; d < TACIT_AUDIT_DELTAS; d++) {
    result->epsilon[d].delta = deltas[d];
    result->epsilon[d].promised = NAN;
    if (audit->method->curve && d > 0) continue;
    if (o->epsilon > 0 && audit->method->curve)
      result->epsilon[d].promised = o->epsilon;
    else
      TACIT_TRY(tacit_gdp_epsilon(o->mu, deltas[d], &result->epsilon[d].promised, error));
  }
  return TACIT_OK;
}

static tacit_status run_all(tacit_audit *audit, const tacit_context *context, tacit_audit_result *result,
                            tacit_error *error) {
  TACIT_TRY(tacit_audit_make_tables(audit, error));
  if (audit->method->curve)
    TACIT_TRY(tacit_audit_choose(audit, error));
  else if (!audit->method->outside && !audit->method->curve)
    TACIT_TRY(tacit_audit_count_releases(audit, error));
  result->releases = audit->releases;
  if (audit->options->one_run) return tacit_audit_one_run(audit, result, error);
  audit->sights = tacit_alloc(2 * (1 + TACIT_AUDIT_NUMBERS) * audit->runs, sizeof *audit->sights);
  if (!audit->sights) return tacit_no_memory(error);
  TACIT_TRY(tacit_repeat((audit->runs + TOGETHER - 1) / TOGETHER, run_several, audit,
                         tacit_part_of("attacking", 0, 1), context, error));
  if (audit->method->coefficients) discriminate(audit);
  return bound(audit, result, error);
}

tacit_status tacit_audit_attack(tacit_audit *audit, const tacit_context *context, tacit_audit_result *result,
                                tacit_error *error) {
  TACIT_TRY(check(audit, error));
  TACIT_TRY(promise(audit, result, error));
  audit->epsilon = result->epsilon[0].promised;
  tacit_status status = run_all(audit, context, result, error);
  tacit_audit_free_events(audit);
  tacit_schema_free(audit->schema);
  tacit_region_free(audit->region);
  tacit_choice_close(&audit->choice);
  free(audit->sights);
  TACIT_TRY(status);
  /* One bound decides, so that an alarm is as sure as that bound: each epsilon at another delta would be one
     more chance of a false one, and shows nothing that mu does not. */
  result->caught = audit->method->curve ? result->epsilon[0].lower > result->epsilon[0].promised
                                        : result->mu_lower > result->mu_promised;
  return TACIT_OK;
}

tacit_status tacit_audit_learner(const tacit_audit_options *options, const tacit_context *context,
                                 tacit_audit_result *result, tacit_error *error) {
  tacit_audit audit = {.options = options, .method = tacit_audit_methods};
  TACIT_TRY(find(&audit, error));
  audit.runs = default_runs(&audit);
  return tacit_audit_attack(&audit, context, result, error);
}
