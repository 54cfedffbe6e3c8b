/* Stochastic gradient perturbation (C Algorithm 1, E Theorems 5 and 6), sound: exact sums, exact noise, exact
   sampling, every choice public.

     b <- Proj_{B_theta}( b - (eta / m) [ sum_{i in sample_t} { Kbar((x_i'b - d_i) / h) - tau } w_i + sigma
   g_t ] ), w_i = x_i min(1, B / ||x_i||),  g_t standard normal,  t = 1..T;   the average of all iterates is
   released

   A sample is m of n records without replacement, or each record by itself with a public probability. Which
   records were drawn is secret, and so is every iterate, although the accounting would cover their release
   (proofs/sampled-steps.md, proofs/exact-sums.md). */
#include "learn/sgd.h"

#include "base/base.h"
#include "learn/noisy_gd.h"
#include "pass/score_sum.h"

#include <math.h>
#include <stdio.h>
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

struct tacit_sgd_room {
  const tacit_sgd_plan *plan;
  const tacit_context *context;
  records data;
  double b[TACIT_COLUMNS_MAX], slope[TACIT_COLUMNS_MAX], average[TACIT_COLUMNS_MAX];
  int64_t sum[TACIT_COLUMNS_MAX];
  double kernel[KERNEL_STEPS + 2]; /* Kbar from -KERNEL_REACH bandwidths in steps of 1 / KERNEL_FINE */
};
typedef struct tacit_sgd_room descent;

static void free_records(records *r) {
  tacit_free_wiped(r->cells, (r->rows * r->columns + 1) * sizeof *r->cells);
  tacit_free_wiped(r->caps, (r->rows + 1) * sizeof *r->caps);
  tacit_free_wiped(r->targets, (r->rows + 1) * sizeof *r->targets);
  tacit_free_wiped(r->order, (r->shuffled + 1) * sizeof *r->order);
}

static tacit_status open_records(const tacit_design *design, const tacit_sgd_plan *plan, size_t slots,
                                 records *r, tacit_error *error) {
  size_t n = design->rows, p = design->columns;
  *r = (records){.rows = n, .columns = p, .slots = slots, .shuffled = plan->batch > 1 ? slots : 0};
  r->cells = tacit_alloc(n * p + 1, sizeof *r->cells);
  r->caps = tacit_alloc(n + 1, sizeof *r->caps);
  r->targets = tacit_alloc(n + 1, sizeof *r->targets);
  r->order = tacit_alloc(r->shuffled + 1, sizeof *r->order);
  return r->cells && r->caps && r->targets && r->order ? TACIT_OK : tacit_no_memory(error);
}

static tacit_status fill_records(const tacit_design *design, const tacit_sgd_plan *plan, records *r,
                                 tacit_error *error) {
  size_t p = design->columns, target = plan->mechanism.target;
  tacit_score_bound bound;
  TACIT_TRY(
      tacit_score_bound_set(&bound, plan->mechanism.level, plan->mechanism.clip, TACIT_CELL_BITS, error));
  for (size_t i = 0; i < r->shuffled; i++) r->order[i] = i;
  for (size_t i = 0; i < design->rows; i++) {
    const tacit_block *block = &design->block[i / TACIT_BLOCK];
    size_t at = i % TACIT_BLOCK;
    for (size_t j = 0; j < p; j++) r->cells[i * p + j] = block->cells[j * TACIT_BLOCK + at];
    r->targets[i] = ldexp(block->targets[target * TACIT_BLOCK + at], -TACIT_TARGET_BITS);
    /* what a score of max(tau, 1 - tau) becomes; no score exceeds it */
    r->caps[i] = (int32_t)tacit_score_cap(1, plan->mechanism.level, block->norms[at], &bound);
  }
  return TACIT_OK;
}

static void fill_kernel(descent *d) {
  for (int k = 0; k <= KERNEL_STEPS; k++)
    d->kernel[k] = tacit_kernel_cdf(d->plan->kernel, (double)k / KERNEL_FINE - KERNEL_REACH);
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
  uint64_t m = d->plan->batch, n = d->data.slots, *order = d->data.order;
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

/* Every record tosses a coin of probability threshold / 2^32: two coins a word. */
static void add_poisson(descent *d, tacit_stream *stream, double per_h, double tau, double inverse_tau_bar) {
  uint64_t threshold = d->plan->threshold, word = 0;
  for (size_t i = 0; i < d->data.rows; i++) {
    word = i % 2 ? word >> 32 : tacit_stream_bits(stream);
    if ((word & UINT32_MAX) < threshold) add_record(d, i, per_h, tau, inverse_tau_bar);
  }
}

static tacit_status descend(descent *d, const tacit_release *gate, double *coefficients, tacit_error *error) {
  const tacit_sgd_plan *plan = d->plan;
  size_t p = d->data.columns;
  uint64_t T = plan->sampled.steps, told = 1 + T / 1000;
  double tau = plan->mechanism.level, inverse_tau_bar = 1 / fmax(tau, 1 - tau), per_h = 1 / plan->bandwidth;
  double per_cell = ldexp(per_h, -TACIT_CELL_BITS),
         eta = ldexp(plan->step_size / plan->size, -plan->mechanism.bits);
  tacit_stream stream;
  TACIT_TRY(tacit_release_run_begin(gate, &plan->mechanism, &stream, error));
  tacit_status status = TACIT_OK;
  for (uint64_t t = 0; t < T; t++) {
    if (t % told == 0) status = tacit_step(d->context, "learning", (double)t / (double)T, error);
    for (size_t j = 0; j < p; j++) {
      d->slope[j] = d->b[j] * per_cell;
      d->sum[j] = 0;
    }
    if (plan->batch)
      add_batch(d, &stream, per_h, tau, inverse_tau_bar);
    else
      add_poisson(d, &stream, per_h, tau, inverse_tau_bar);
    if (status == TACIT_OK) status = tacit_release_run_step(gate, &plan->mechanism, &stream, d->sum, error);
    if (status != TACIT_OK) break;
    for (size_t j = 0; j < p; j++) d->b[j] -= eta * (double)d->sum[j];
    tacit_project(d->b, p, plan->theta_bound);
    for (size_t j = 0; j < p; j++) d->average[j] += d->b[j];
  }
  tacit_stream_end(&stream);
  for (size_t j = 0; j < p; j++) coefficients[j] = d->average[j] / (double)T;
  return status;
}

/* All targets' runs as they will be made, to be freed also after a failure: together they are at most the
   asked guarantee. */
static tacit_status plan_all(const tacit_sgd_plan *plans, size_t count, const tacit_learn_options *options,
                             tacit_certificate **planned, tacit_error *error) {
  TACIT_TRY(tacit_certificate_new("plan", planned, error));
  (*planned)->adjacency = options->adjacency;
  for (size_t t = 0; t < count; t++) TACIT_TRY(tacit_certificate_add(*planned, &plans[t].mechanism, error));
  return tacit_learn_check_pair(options, *planned, error);
}

static tacit_status record(const tacit_schema *schema, const tacit_learn_options *options, double rows,
                           const tacit_sgd_plan *plans, tacit_certificate *c, tacit_error *error) {
  const tacit_sgd_plan *first = &plans[0];
  TACIT_TRY(tacit_learn_promise(schema, options, rows, c, error));
  TACIT_TRY(tacit_certificate_number(c, "steps", (double)first->sampled.steps, error));
  TACIT_TRY(tacit_certificate_number(c, "clip_norm", first->mechanism.clip, error));
  if (first->batch)
    TACIT_TRY(tacit_certificate_number(c, "batch", (double)first->batch, error));
  else
    TACIT_TRY(tacit_certificate_number(c, "rate", first->sampled.rate, error));
  TACIT_TRY(tacit_certificate_number(c, "theta_bound", first->theta_bound, error));
  TACIT_TRY(tacit_certificate_text(c, "kernel", tacit_kernel_facts(first->kernel)->name, error));
  for (size_t t = 0; t < schema->target_count; t++) {
    char name[2][40] = {"step_size", "bandwidth"};
    if (schema->target_count > 1) {
      snprintf(name[0], sizeof name[0], "step_size[%zu]", t + 1);
      snprintf(name[1], sizeof name[1], "bandwidth[%zu]", t + 1);
    }
    TACIT_TRY(tacit_certificate_number(c, name[0], plans[t].step_size, error));
    TACIT_TRY(
        tacit_certificate_number(c, name[1], plans[t].bandwidth * schema->targets[t].scale.half, error));
  }
  return TACIT_OK;
}

tacit_status tacit_sgd_room_new(const tacit_design *design, const tacit_sgd_plan *plan, double rows,
                                tacit_sgd_room **room, tacit_error *error) {
  *room = tacit_alloc_aligned(1, sizeof **room);
  if (!*room) return tacit_no_memory(error);
  /* under add-remove samples are Poisson and slots are not used */
  return open_records(design, plan, (size_t)rows, &(*room)->data, error);
}

void tacit_sgd_room_free(tacit_sgd_room *room) {
  if (room) free_records(&room->data);
  tacit_free_wiped(room, sizeof *room);
}

tacit_status tacit_sgd_run_in(tacit_sgd_room *d, const tacit_design *design, const tacit_sgd_plan *plan,
                              const tacit_context *context, const tacit_release *gate, double *coefficients,
                              tacit_error *error) {
  d->plan = plan;
  d->context = context;
  memset(d->b, 0, sizeof d->b);
  memset(d->average, 0, sizeof d->average);
  fill_kernel(d);
  TACIT_TRY(fill_records(design, plan, &d->data, error));
  return descend(d, gate, coefficients, error);
}

tacit_status tacit_sgd_run(const tacit_design *design, const tacit_sgd_plan *plan, double rows,
                           const tacit_context *context, const tacit_release *gate, double *coefficients,
                           tacit_error *error) {
  tacit_sgd_room *room = NULL;
  tacit_status status = tacit_sgd_room_new(design, plan, rows, &room, error);
  if (status == TACIT_OK) status = tacit_sgd_run_in(room, design, plan, context, gate, coefficients, error);
  tacit_sgd_room_free(room);
  return status;
}

tacit_status tacit_learn_sgd(const tacit_schema *schema, tacit_source *source,
                             const tacit_learn_options *options, const tacit_context *context, tacit_fit *fit,
                             tacit_error *error) {
  tacit_design *design = NULL;
  tacit_noise_source noise;
  tacit_certificate *planned = NULL;
  double rows = 0;
  tacit_learn_noise(options, &noise);
  TACIT_TRY(tacit_sgd_check(schema, options, error));
  size_t targets = schema->target_count;
  tacit_sgd_plan *plans = tacit_alloc(targets, sizeof *plans);
  if (!plans) return tacit_no_memory(error);
  tacit_status status = tacit_design_new(schema, NULL, TACIT_CELL_BITS, &design, error);
  if (status == TACIT_OK)
    status =
        tacit_encode_source(source, schema, true, tacit_design_add, design, &fit->counts, context, error);
  if (status == TACIT_OK) status = tacit_learn_rows(schema, options, &fit->counts, &rows, error);
  for (size_t t = 0; t < targets && status == TACIT_OK; t++)
    status = tacit_sgd_plan_target(schema, options, rows, t, &plans[t], fit->note, error);
  if (status == TACIT_OK) status = plan_all(plans, targets, options, &planned, error);
  if (status == TACIT_OK) status = record(schema, options, rows, plans, fit->certificate, error);
  tacit_sgd_room *room = NULL;
  if (status == TACIT_OK) status = tacit_sgd_room_new(design, &plans[0], rows, &room, error);
  if (status == TACIT_OK) status = tacit_learn_spend(schema, options, fit->certificate, planned, error);
  tacit_release gate = {&noise, fit->certificate, fit->probe};
  for (size_t t = 0; t < targets && status == TACIT_OK; t++)
    status = tacit_sgd_run_in(room, design, &plans[t], context, &gate, fit->coefficients + t * fit->columns,
                              error);
  tacit_sgd_room_free(room);
  tacit_certificate_free(planned);
  tacit_design_free(design);
  free(plans);
  return status;
}
