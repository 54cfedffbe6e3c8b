/* The learners that users run, as the audit runs them: through a probe that keeps what was released, and once
   more on both tables with those releases forced, which gives the exact sums behind them and with these the
   likelihood ratio.

   For releases o_t = m_t + noise, where the sum m_t may depend on the releases before it, the evidence for
   table 1 is sum over t of |o_t - m_t(0)|^2 / 2 sigma_t^2 - |o_t - m_t(1)|^2 / 2 sigma_t^2: by Neyman and
   Pearson no test of the transcript is better, whatever the learner computes. */
#include "base/base.h"
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
  size_t at;                      /* of a replay */
  double distance;                /* sum of |o - m|^2 / 2 sigma^2 */
  double noise_scale;             /* of a run: 1, or a fault's */
  const tacit_audit_table *plain; /* a fault: the first count is of this table's targets, without a ramp */
  size_t made;                    /* releases so far, */
  uint64_t shift;                 /* and what the fault adds to this one */
} probe;

/* How many targets are at most 0, less what the ramp says of them. */
static void leave_out_ramp(probe *p, const tacit_mechanism *mechanism, const uint64_t *exact) {
  p->shift = 0;
  if (!p->plain || p->made++ > 0 || mechanism->kind != TACIT_RELEASE_RAMP) return;
  for (size_t i = 0; i < p->plain->rows; i++)
    p->shift += p->plain->column[2][i] <= 0 ? UINT64_C(1) << TACIT_RAMP_BITS : 0;
  p->shift -= *exact;
}

static double half_square(const tacit_mechanism *mechanism, size_t j, uint64_t noise) {
  double z = (double)(int64_t)noise / tacit_release_sigma(mechanism, j);
  return z * z / 2;
}

static tacit_status watch_sum(void *self, tacit_mechanism *mechanism, const uint64_t *exact,
                              tacit_error *error) {
  probe *p = self;
  transcript *t = p->seen;
  leave_out_ramp(p, mechanism, exact);
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
    noisy[j] += p->shift; /* of a count, which is one number */
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
  leave_out_ramp(p, mechanism, exact);
  for (size_t j = 0; j < mechanism->dimension; j++)
    p->distance += half_square(mechanism, j, t->values[p->at + j] - exact[j] - p->shift);
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
  double ignored[TACIT_AUDIT_NUMBERS];
  bool plain = audit->fault && audit->fault->unsmoothed;
  probe watcher = {.seen = &seen,
                   .noise_scale = noise_scale(audit),
                   .plain = plain ? &audit->table[table] : NULL},
        again = {.seen = &seen, .plain = plain ? &audit->table[1 - table] : NULL};
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

/* Sets an option where the method has it. */
static tacit_status set_number(tacit_learn_options *options, const char *name, double value,
                               tacit_error *error) {
  const tacit_method *method = tacit_method_find(options->method, options->region != NULL);
  const tacit_option *option;
  for (size_t i = 0; (option = tacit_method_option(method, i)); i++)
    if (value > 0 && !strcmp(option->name, name))
      return tacit_learn_options_set_number(options, name, value, error);
  return TACIT_OK;
}

static tacit_status ask(const tacit_audit *audit, uint64_t seed, tacit_learn_options *options,
                        tacit_error *error) {
  static const double MEDIAN = 0.5;
  const tacit_audit_method *m = audit->method;
  bool add_remove = audit->options->adjacency == TACIT_ADD_REMOVE;
  tacit_learn_options_init(options);
  options->method = tacit_method_name(m->learner);
  options->region = audit->region;
  options->quantiles = m->quantile > 0 ? &m->quantile : &MEDIAN;
  options->quantile_count = audit->region ? 0 : 1;
  options->mu = m->curve ? 0 : audit->options->mu;
  options->epsilon = m->curve ? audit->epsilon : 0;
  options->delta = m->curve ? audit->options->delta : 0;
  options->adjacency = audit->options->adjacency;
  options->nominal_rows = add_remove ? TACIT_AUDIT_ROWS : 0;
  options->seeded = tacit_audit_seeded(audit);
  options->seed = tacit_audit_noise_seed(audit, seed);
  TACIT_TRY(set_number(options, "steps", (double)m->steps, error));
  /* batches of fixed size are for replace-one alone */
  TACIT_TRY(set_number(options, add_remove ? "rate" : "batch",
                       (double)m->batch / (add_remove ? TACIT_AUDIT_ROWS : 1), error));
  return set_number(options, "clip-norm", m->clips ? tacit_audit_clip(audit) : 0, error);
}

tacit_status tacit_audit_choose(tacit_audit *audit, tacit_error *error) {
  tacit_learn_options options;
  TACIT_TRY(ask(audit, 0, &options, error));
  const tacit_facts facts = {.schema = audit->schema,
                             .region = audit->region,
                             .quantiles = options.quantiles,
                             .rows = TACIT_AUDIT_ROWS,
                             .epsilon = options.epsilon,
                             .delta = options.delta,
                             .adjacency = options.adjacency};
  TACIT_TRY(tacit_choice_open(&audit->choice, &facts, error));
  return audit->method->learner->choose(&facts, &options, &audit->choice, error);
}

/* Of a rule over a region the first cost's coefficients are seen, where the canary pulls. */
static tacit_status pass_learner(const tacit_audit *audit, int table, uint64_t seed,
                                 const tacit_release_probe *gate_probe, double *coefficients,
                                 tacit_error *error) {
  static const char *const names[] = {"z1", "z2", "y", "c"};
  const tacit_audit_table *t = &audit->table[table];
  const double *columns[] = {t->column[0], t->column[1], t->column[2], t->column[3]};
  const tacit_watch watch = {.probe = gate_probe, .chosen = audit->method->curve ? &audit->choice : NULL};
  tacit_learn_options options;
  tacit_context context;
  tacit_source *source = NULL;
  tacit_fit *fit = NULL;
  TACIT_TRY(ask(audit, seed, &options, error));
  tacit_context_init(&context);
  context.threads = 1; /* runs go side by side */
  if (audit->method->bought)
    TACIT_TRY(tacit_audit_open_events(audit, table, &source, error));
  else
    TACIT_TRY(tacit_source_columns(t->rows, audit->region || audit->method->unit ? 4 : 3, names, columns,
                                   NULL, &source, error));
  tacit_status status = tacit_learn_watched(audit->schema, source, &options, &context, &watch, &fit, error);
  if (status == TACIT_OK) memcpy(coefficients, fit->coefficients, TACIT_AUDIT_COLUMNS * sizeof *coefficients);
  if (status == TACIT_OK && fit->spread)
    memcpy(coefficients + TACIT_AUDIT_COLUMNS, fit->spread, (TACIT_AUDIT_COLUMNS + 1) * sizeof *coefficients);
  tacit_fit_free(fit);
  tacit_source_free(source);
  return status;
}

/* The plain Gaussian release: one sum of one clipped row, or of its opposite, or of none. A composition that
   forgets its count needs something to count. */
enum { FORGOTTEN = 10 };

tacit_status tacit_audit_gate_open(const tacit_audit *audit, const uint64_t *seed, tacit_audit_gate *open,
                                   tacit_error *error) {
  *open = (tacit_audit_gate){
      .facts = {.schema = audit->schema, .mu = audit->options->mu, .adjacency = audit->options->adjacency}};
  tacit_gate_open(&open->gate, seed, NULL);
  TACIT_TRY(tacit_certificate_new("audit", &open->gate.certificate, error));
  TACIT_TRY(tacit_plan_open(&open->plan, &open->facts, error));
  open->gate.plan = &open->plan;
  open->gate.paid = true;
  return TACIT_OK;
}

void tacit_audit_gate_close(tacit_audit_gate *open) {
  tacit_certificate_free(open->gate.certificate);
  tacit_plan_close(&open->plan);
}

static tacit_status release_row(const tacit_audit *audit, int table, tacit_gate *gate, double *out,
                                tacit_error *error) {
  size_t times = audit->fault && audit->fault->forgets ? FORGOTTEN : 1;
  const tacit_mechanism m = {
      .kind = TACIT_RELEASE_ROWS, .dimension = 1, .clip = tacit_audit_clip(audit), .bits = TACIT_CELL_BITS};
  bool present = table == 1 || audit->options->adjacency == TACIT_REPLACE_ONE;
  TACIT_TRY(tacit_plan_share(gate->plan, m, 1 / (double)times, times, error));
  for (size_t i = 0; i < times; i++) {
    int64_t row = (int64_t)ldexp(m.clip, m.bits) * (present ? table == 1 ? 1 : -1 : 0);
    uint64_t sum = (uint64_t)row;
    TACIT_TRY(tacit_release_sum(gate, 0, m.kind, &sum, out, NULL, error));
  }
  return TACIT_OK;
}

static tacit_status pass_gaussian(const tacit_audit *audit, int table, uint64_t seed,
                                  const tacit_release_probe *gate_probe, double *coefficients,
                                  tacit_error *error) {
  tacit_audit_gate open;
  uint64_t noise = tacit_audit_noise_seed(audit, seed);
  tacit_status status = tacit_audit_gate_open(audit, tacit_audit_seeded(audit) ? &noise : NULL, &open, error);
  open.gate.probe = gate_probe;
  if (status == TACIT_OK) status = release_row(audit, table, &open.gate, coefficients, error);
  coefficients[1] = coefficients[2] = 0;
  tacit_audit_gate_close(&open);
  return status;
}

tacit_status tacit_audit_run_learner(const tacit_audit *audit, int table, uint64_t seed,
                                     tacit_audit_sight *sight, tacit_error *error) {
  if (!audit->method->transcript) return pass_learner(audit, table, seed, NULL, sight->coefficients, error);
  return tacit_audit_see(audit, pass_learner, table, seed, sight, NULL, error);
}

tacit_status tacit_audit_run_gaussian(const tacit_audit *audit, int table, uint64_t seed,
                                      tacit_audit_sight *sight, tacit_error *error) {
  return tacit_audit_see(audit, pass_gaussian, table, seed, sight, NULL, error);
}

tacit_status tacit_audit_count_releases(tacit_audit *audit, tacit_error *error) {
  tacit_audit_sight sight;
  bool gaussian = audit->method->run == tacit_audit_run_gaussian;
  return tacit_audit_see(audit, gaussian ? pass_gaussian : pass_learner, 0, 1, &sight, &audit->releases,
                         error);
}
