/* The learners that users run, as the audit runs them: through a probe that keeps what was released, and once
   more on both tables with those releases forced, which gives the exact sums behind them and with these the
   likelihood ratio.

   For releases o_t = m_t + noise, where the sum m_t may depend on the releases before it, the evidence for
   table 1 is sum over t of |o_t - m_t(0)|^2 / 2 sigma_t^2 - |o_t - m_t(1)|^2 / 2 sigma_t^2: by Neyman and
   Pearson no test of the transcript is better, whatever the learner computes. */
#include "base/base.h"
#include "learn/budget.h"
#include "learn/learn.h"
#include "study/audit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Everything released in one run. */
typedef struct transcript {
  uint64_t *values;
  size_t count, capacity, releases;
} transcript;

/* What stands at the gate: watching a run, or replaying one. */
typedef struct probe {
  transcript *seen;
  size_t at;          /* of a replay */
  double distance;    /* sum of |o - m|^2 / 2 sigma^2 */
  double noise_scale; /* of a run: 1, or a fault's */
} probe;

static double half_square(const tacit_mechanism *mechanism, size_t j, uint64_t noise) {
  double z = (double)(int64_t)noise / tacit_release_sigma(mechanism, j);
  return z * z / 2;
}

static tacit_status watch_sum(void *self, tacit_mechanism *mechanism, const uint64_t *exact,
                              tacit_error *error) {
  const probe *p = self;
  transcript *t = p->seen;
  uint64_t *values = tacit_grow(t->values, &t->capacity, t->count + mechanism->dimension, sizeof *values);
  if (!values) return tacit_no_memory(error);
  t->values = values;
  memcpy(values + t->count, exact, mechanism->dimension * sizeof *values);
  mechanism->sigma *= p->noise_scale;
  return TACIT_OK;
}

static tacit_status watch_noise(void *self, const tacit_mechanism *mechanism, uint64_t *noisy,
                                tacit_stream *stream, tacit_error *error) {
  (void)stream;
  (void)error;
  probe *p = self;
  transcript *t = p->seen;
  for (size_t j = 0; j < mechanism->dimension; j++) {
    uint64_t *value = &t->values[t->count++];
    p->distance += half_square(mechanism, j, noisy[j] - *value);
    *value = noisy[j];
  }
  t->releases++;
  return TACIT_OK;
}

static tacit_status replay_sum(void *self, tacit_mechanism *mechanism, const uint64_t *exact,
                               tacit_error *error) {
  probe *p = self;
  const transcript *t = p->seen;
  if (t->count - p->at < mechanism->dimension)
    return tacit_fail(error, TACIT_INTERNAL,
                      "a learner released something else when its releases were forced");
  for (size_t j = 0; j < mechanism->dimension; j++)
    p->distance += half_square(mechanism, j, t->values[p->at + j] - exact[j]);
  return TACIT_OK;
}

static tacit_status replay_noise(void *self, const tacit_mechanism *mechanism, uint64_t *noisy,
                                 tacit_stream *stream, tacit_error *error) {
  (void)stream;
  (void)error;
  probe *p = self;
  memcpy(noisy, p->seen->values + p->at, mechanism->dimension * sizeof *noisy);
  p->at += mechanism->dimension;
  return TACIT_OK;
}

/* A fault may use the same noise in every run. */
uint64_t tacit_audit_noise_seed(const tacit_audit *audit, uint64_t seed) {
  return audit->fault && audit->fault->constant ? audit->options->seed : seed;
}

bool tacit_audit_seeded(const tacit_audit *audit) {
  return audit->options->seeded || (audit->fault && audit->fault->constant);
}

static const double CLIP = 2, UNCLIPPED = 16; /* a norm above that of every row */

double tacit_audit_clip(const tacit_audit *audit) {
  return audit->fault && audit->fault->unclipped ? UNCLIPPED : CLIP;
}

static double noise_scale(const tacit_audit *audit) {
  const tacit_audit_fault *f = audit->fault;
  if (!f) return 1;
  double scale = f->noise;
  if (f->forgets) scale /= sqrt((double)(audit->releases ? audit->releases : 1));
  if (f->unclipped) scale *= CLIP / UNCLIPPED;
  return scale;
}

tacit_status tacit_audit_see(const tacit_audit *audit, tacit_audit_pass run, int table, uint64_t seed,
                             tacit_audit_sight *sight, size_t *releases, tacit_error *error) {
  transcript seen = {0};
  double ignored[TACIT_AUDIT_COLUMNS];
  probe watcher = {.seen = &seen, .noise_scale = noise_scale(audit)}, again = {.seen = &seen};
  tacit_status status = run(audit, table, seed, &(tacit_release_probe){watch_sum, watch_noise, &watcher},
                            sight->coefficients, error);
  if (status == TACIT_OK)
    status =
        run(audit, 1 - table, seed, &(tacit_release_probe){replay_sum, replay_noise, &again}, ignored, error);
  sight->transcript = (again.distance - watcher.distance) * (table ? 1 : -1);
  if (releases) *releases = seen.releases;
  free(seen.values);
  return status;
}

static tacit_status pass_learner(const tacit_audit *audit, int table, uint64_t seed,
                                 const tacit_release_probe *gate_probe, double *coefficients,
                                 tacit_error *error) {
  static const char *const names[] = {"z1", "z2", "y"};
  static const double MEDIAN = 0.5;
  const tacit_audit_table *t = &audit->table[table];
  const double *columns[] = {t->column[0], t->column[1], t->column[2]};
  tacit_learn_options options;
  tacit_learn_options_init(&options);
  options.method = audit->method->name;
  options.quantiles = &MEDIAN;
  options.quantile_count = 1;
  options.mu = audit->options->mu;
  options.steps = audit->method->steps;
  options.adjacency = audit->options->adjacency;
  options.nominal_rows = audit->options->adjacency == TACIT_ADD_REMOVE ? TACIT_AUDIT_ROWS : 0;
  options.seeded = tacit_audit_seeded(audit);
  options.seed = tacit_audit_noise_seed(audit, seed);
  if (audit->method->clips) options.clip_norm = tacit_audit_clip(audit);
  tacit_context context;
  tacit_context_init(&context);
  context.threads = 1; /* runs go side by side */
  tacit_source *source = NULL;
  tacit_fit *fit = NULL;
  TACIT_TRY(tacit_source_columns(t->rows, 3, names, columns, NULL, &source, error));
  tacit_status status =
      tacit_learn_probed(audit->schema, source, &options, &context, gate_probe, &fit, error);
  if (status == TACIT_OK) memcpy(coefficients, fit->coefficients, TACIT_AUDIT_COLUMNS * sizeof *coefficients);
  tacit_fit_free(fit);
  tacit_source_free(source);
  return status;
}

/* The plain Gaussian release: one sum of one clipped row, or of its opposite, or of none. A composition that
   forgets its count needs something to count. */
enum { FORGOTTEN = 10 };

static tacit_status pass_gaussian(const tacit_audit *audit, int table, uint64_t seed,
                                  const tacit_release_probe *gate_probe, double *coefficients,
                                  tacit_error *error) {
  tacit_certificate *certificate;
  tacit_noise_source noise;
  if (tacit_audit_seeded(audit))
    tacit_noise_source_seeded(&noise, tacit_audit_noise_seed(audit, seed));
  else
    tacit_noise_source_os(&noise);
  bool present = table == 1 || audit->options->adjacency == TACIT_REPLACE_ONE;
  TACIT_TRY(tacit_certificate_new("audit", &certificate, error));
  tacit_budget budget = {.gate = {&noise, certificate, gate_probe},
                         .mu = audit->options->mu,
                         .adjacency = audit->options->adjacency,
                         .rows_per_unit = 1};
  tacit_mechanism m = {
      .kind = TACIT_RELEASE_ROWS, .dimension = 1, .clip = tacit_audit_clip(audit), .bits = TACIT_CELL_BITS};
  size_t times = audit->fault && audit->fault->forgets ? FORGOTTEN : 1;
  tacit_status status = TACIT_OK;
  for (size_t i = 0; i < times && status == TACIT_OK; i++) {
    int64_t row = (int64_t)ldexp(m.clip, m.bits) * (present ? table == 1 ? 1 : -1 : 0);
    uint64_t sum = (uint64_t)row;
    status = tacit_budget_release(&budget, m, 1 / (double)times, &sum, coefficients, NULL, error);
  }
  coefficients[1] = coefficients[2] = 0;
  tacit_certificate_free(certificate);
  return status;
}

tacit_status tacit_audit_run_learner(const tacit_audit *audit, int table, uint64_t seed,
                                     tacit_audit_sight *sight, tacit_error *error) {
  return tacit_audit_see(audit, pass_learner, table, seed, sight, NULL, error);
}

tacit_status tacit_audit_run_gaussian(const tacit_audit *audit, int table, uint64_t seed,
                                      tacit_audit_sight *sight, tacit_error *error) {
  return tacit_audit_see(audit, pass_gaussian, table, seed, sight, NULL, error);
}

tacit_status tacit_audit_count_releases(tacit_audit *audit, tacit_error *error) {
  tacit_audit_sight sight;
  bool gaussian = audit->method->run == tacit_audit_run_gaussian;
  tacit_audit_pass pass = gaussian ? pass_gaussian : audit->method->spo ? tacit_audit_pass_spo : pass_learner;
  return tacit_audit_see(audit, pass, 0, 1, &sight, &audit->releases, error);
}
