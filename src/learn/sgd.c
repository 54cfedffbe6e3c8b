/* Stochastic gradient perturbation (Chen and Chua's Algorithm 1), sound: exact sums, exact noise, exact
   sampling, every choice public.

     b <- Proj_{B_theta}( b - (eta / m) [ sum_{i in sample_t} { Kbar((x_i'b - d_i) / h) - tau } w_i + sigma
   g_t ] ), w_i = x_i min(1, B / ||x_i||),  g_t standard normal,  t = 1..T;   the average of all iterates is
   released

   A sample is m of n records without replacement, or each record by itself with a public probability. Which
   records were drawn is secret, and so is every iterate, although the accounting would cover their release
   (proofs/sampled-steps.md, proofs/exact-sums.md). */
#include "method/sgd.h"

#include "base/base.h"
#include "learn/learners.h"
#include "pass/score_block.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Kbar by a table, linear between its points: within 2e-5 of it, several times as fast, and privacy does not
   depend on its value. */
enum { KERNEL_REACH = 32, KERNEL_FINE = 32, KERNEL_STEPS = 2 * KERNEL_REACH * KERNEL_FINE };

/* The rows as a step wants them: one after the other. */
typedef struct records {
  size_t rows, columns, slots; /* slots: the public number of records; those beyond rows are zero */
  int32_t *cells;              /* rows x columns */
  int32_t *caps;               /* the largest score of each, weight min(1, B / ||x||) included */
  double *targets;             /* in encoded units */
  size_t shuffled;             /* entries of order: slots for batches of more than one, else none */
  uint64_t *order;
} records;

/* One target's run; secret, but for the average at its end. */
typedef struct descent {
  tacit_task *task;
  size_t target;
  records data;
  double b[TACIT_COLUMNS_MAX], slope[TACIT_COLUMNS_MAX], average[TACIT_COLUMNS_MAX];
  int64_t sum[TACIT_COLUMNS_MAX];
  double kernel[KERNEL_STEPS + 2]; /* Kbar from -KERNEL_REACH bandwidths in steps of 1 / KERNEL_FINE */
} descent;

static void free_records(records *r) {
  tacit_free_wiped(r->cells, (r->rows * r->columns + 1) * sizeof *r->cells);
  tacit_free_wiped(r->caps, (r->rows + 1) * sizeof *r->caps);
  tacit_free_wiped(r->targets, (r->rows + 1) * sizeof *r->targets);
  tacit_free_wiped(r->order, (r->shuffled + 1) * sizeof *r->order);
}

static const tacit_design *design_of(const tacit_task *task) {
  return task->rows.own->design;
}

/* Under add-remove samples are Poisson and slots are not used. */
static tacit_status open_records(const tacit_task *task, records *r, tacit_error *error) {
  size_t n = design_of(task)->rows, p = design_of(task)->columns, slots = (size_t)task->facts.rows;
  *r = (records){.rows = n, .columns = p, .slots = slots, .shuffled = task->choice.batch > 1 ? slots : 0};
  r->cells = tacit_alloc(n * p + 1, sizeof *r->cells);
  r->caps = tacit_alloc(n + 1, sizeof *r->caps);
  r->targets = tacit_alloc(n + 1, sizeof *r->targets);
  r->order = tacit_alloc(r->shuffled + 1, sizeof *r->order);
  return r->cells && r->caps && r->targets && r->order ? TACIT_OK : tacit_no_memory(error);
}

static tacit_status fill_records(const tacit_task *task, size_t target, records *r, tacit_error *error) {
  const tacit_design *design = design_of(task);
  size_t p = design->columns;
  double level = task->facts.quantiles[target];
  tacit_score_bound bound;
  TACIT_TRY(tacit_score_bound_set(&bound, level, task->choice.clip_norm, TACIT_CELL_BITS, error));
  for (size_t i = 0; i < r->shuffled; i++) r->order[i] = i;
  for (size_t i = 0; i < design->rows; i++) {
    const tacit_block *block = &design->stored.block[i / TACIT_BLOCK];
    size_t at = i % TACIT_BLOCK;
    for (size_t j = 0; j < p; j++) r->cells[i * p + j] = block->cells[j * TACIT_BLOCK + at];
    r->targets[i] =
        ldexp(block->targets[tacit_task_column(task, target) * TACIT_BLOCK + at], -TACIT_TARGET_BITS);
    /* what a score of max(tau, 1 - tau) becomes; no score exceeds it */
    r->caps[i] = (int32_t)tacit_score_cap(1, level, block->norms[at], &bound);
  }
  return TACIT_OK;
}

static void fill_kernel(descent *d) {
  for (int k = 0; k <= KERNEL_STEPS; k++)
    d->kernel[k] = tacit_kernel_cdf(d->task->choice.kernel, (double)k / KERNEL_FINE - KERNEL_REACH);
  d->kernel[KERNEL_STEPS + 1] = d->kernel[KERNEL_STEPS];
}

static inline double kernel_at(const descent *d, double u) {
  if (!(u > -KERNEL_REACH)) return 0;
  if (!(u < KERNEL_REACH)) return 1;
  double at = (u + KERNEL_REACH) * KERNEL_FINE;
  int k = (int)at;
  return d->kernel[k] + (at - k) * (d->kernel[k + 1] - d->kernel[k]);
}

/* One record's integer score times its row, added to the sum: norm at most the radius, whatever u is. */
static inline void add_record(descent *d, size_t i, double per_h, double tau, double inverse_tau_bar) {
  size_t p = d->data.columns;
  if (i >= d->data.rows) return;
  const int32_t *x = d->data.cells + i * p;
  double u = -d->data.targets[i] * per_h, cap = d->data.caps[i];
  for (size_t j = 0; j < p; j++) u += d->slope[j] * (double)x[j];
  double v = (kernel_at(d, u) - tau) * (cap * inverse_tau_bar);
  v = v < cap ? v : cap; /* a NaN becomes cap, and is dropped below */
  v = v > -cap ? v : -cap;
  int64_t score = u == u ? (int64_t)v : 0;
  for (size_t j = 0; j < p; j++) d->sum[j] += score * x[j];
}

/* m distinct slots, uniformly: the first m of a shuffle of whatever order there is. */
static void add_batch(descent *d, tacit_stream *stream, double per_h, double tau, double inverse_tau_bar) {
  uint64_t m = d->task->choice.batch, n = d->data.slots, *order = d->data.order;
  if (m == 1) {
    add_record(d, tacit_stream_below(stream, n), per_h, tau, inverse_tau_bar);
    return;
  }
  for (uint64_t k = 0; k < m; k++) {
    uint64_t at = k + tacit_stream_below(stream, n - k), drawn = order[at];
    order[at] = order[k];
    order[k] = drawn;
    add_record(d, drawn, per_h, tau, inverse_tau_bar);
  }
}

/* Every record tosses a coin of probability threshold / 2^32, the rate: two coins a word. */
static void add_poisson(descent *d, tacit_stream *stream, double per_h, double tau, double inverse_tau_bar) {
  uint64_t threshold = (uint64_t)ldexp(d->task->choice.rate, 32), word = 0;
  for (size_t i = 0; i < d->data.rows; i++) {
    word = i % 2 ? word >> 32 : tacit_stream_bits(stream);
    if ((word & UINT32_MAX) < threshold) add_record(d, i, per_h, tau, inverse_tau_bar);
  }
}

static tacit_status descend(descent *d, double *coefficients, tacit_error *error) {
  const tacit_choice *choice = &d->task->choice;
  size_t p = d->data.columns;
  tacit_mechanism run;
  tacit_stream stream;
  TACIT_TRY(tacit_release_run_begin(&d->task->gate, d->target, &run, &stream, error));
  uint64_t T = run.count, told = 1 + T / 1000;
  double tau = run.level, inverse_tau_bar = 1 / fmax(tau, 1 - tau), per_h = 1 / choice->bandwidth[d->target];
  double per_cell = ldexp(per_h, -TACIT_CELL_BITS), size = tacit_sgd_size(&d->task->facts, choice),
         eta = ldexp(choice->step_size[d->target] / size, -run.bits);
  tacit_status status = TACIT_OK;
  for (uint64_t t = 0; t < T; t++) {
    if (t % told == 0) status = tacit_progress(d->task->context, "learning", (double)t / (double)T, error);
    for (size_t j = 0; j < p; j++) {
      d->slope[j] = d->b[j] * per_cell;
      d->sum[j] = 0;
    }
    if (choice->batch)
      add_batch(d, &stream, per_h, tau, inverse_tau_bar);
    else
      add_poisson(d, &stream, per_h, tau, inverse_tau_bar);
    if (status == TACIT_OK) status = tacit_release_run_step(&d->task->gate, &run, &stream, d->sum, error);
    if (status != TACIT_OK) break;
    for (size_t j = 0; j < p; j++) d->b[j] -= eta * (double)d->sum[j];
    tacit_project(d->b, p, choice->theta[d->target]);
    for (size_t j = 0; j < p; j++) d->average[j] += d->b[j];
  }
  tacit_stream_end(&stream);
  for (size_t j = 0; j < p; j++) coefficients[j] = d->average[j] / (double)T;
  return status;
}

static tacit_status learn_target(descent *d, size_t target, tacit_error *error) {
  d->target = target;
  memset(d->b, 0, sizeof d->b);
  memset(d->average, 0, sizeof d->average);
  TACIT_TRY(fill_records(d->task, target, &d->data, error));
  return descend(d, tacit_task_coefficients(d->task, target), error);
}

tacit_status tacit_learn_sgd(tacit_task *task, tacit_error *error) {
  descent *d = tacit_alloc_aligned(1, sizeof *d);
  if (!d) return tacit_no_memory(error);
  d->task = task;
  fill_kernel(d);
  tacit_status status = open_records(task, &d->data, error);
  if (status == TACIT_OK) status = tacit_task_pay(task, error);
  for (size_t t = 0; t < task->schema->target_count && status == TACIT_OK; t++)
    status = learn_target(d, t, error);
  free_records(&d->data);
  tacit_free_wiped(d, sizeof *d);
  return status;
}
