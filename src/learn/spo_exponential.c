/* Exponential descent on the SPO+ loss in its sound form (W Algorithm 1; MATH section 2).

   Each step draws a direction v uniformly on the unit sphere and releases one bit: whether the loss rises
   along v, told truly with probability e^eps0 / (1 + e^eps0). The rule then moves a public length along v or
   against it. As published the step's length was the gradient's norm, released without noise; here it is
   public, and all steps together are exactly as private as as many randomised responses
   (proofs/spo.md, proofs/randomised-response.md). A response costs the same however many rows there are, so
   more rows do not help: Gaussian descent is better but for few coefficients and large epsilon. */
#include "base/base.h"
#include "learn/ranks.h"
#include "learn/spo.h"
#include "privacy/randomised_response.h"

#include <math.h>
#include <stdlib.h>

__extension__ typedef __int128 wide;

enum { DIRECTION_BITS = 20 }; /* v is rounded to this grid, so that its product with the sum is exact */

typedef struct descent {
  tacit_spo_task *task;
  tacit_release gate;
  size_t steps, average, cells;
  double step_size, epsilon0;
  double *rule, *mean, *direction;
  uint64_t *sum;
} descent;

/* Of T steps with bias tanh(eps0 / 2) the walk's drift stands sqrt(T) tanh(eps0 / 2) above its own spread:
   the T for which that is largest, from the guarantee alone. */
static tacit_status choose_steps(descent *d, tacit_error *error) {
  const tacit_spo_options *o = d->task->options;
  d->steps = o->steps;
  if (d->steps) return tacit_response_calibrate(o->epsilon, o->delta, d->steps, &d->epsilon0, error);
  double best = 0;
  for (size_t steps = TACIT_SPO_RESPONSES_LEAST; steps <= TACIT_SPO_RESPONSES_MOST; steps *= 2) {
    double epsilon0;
    TACIT_TRY(tacit_response_calibrate(o->epsilon, o->delta, steps, &epsilon0, error));
    double clear = sqrt((double)steps) * tanh(epsilon0 / 2);
    if (clear <= best) continue;
    best = clear;
    d->steps = steps;
    d->epsilon0 = epsilon0;
  }
  return TACIT_OK;
}

static tacit_status choose(descent *d, tacit_error *error) {
  const tacit_spo_options *o = d->task->options;
  if (o->growth != 0 || o->clip_norm != 0)
    return tacit_fail(
        error, TACIT_USAGE,
        "growth and clip norm are options of gaussian descent; exponential has steps, step size "
        "and average");
  TACIT_TRY(choose_steps(d, error));
  d->average = o->average ? o->average : d->steps / 4 + 1;
  if (d->average > d->steps) d->average = d->steps;
  /* a walk that is told nothing ends about one spread from its start */
  d->step_size = o->step_size > 0 ? o->step_size : 1 / sqrt((double)d->steps);
  return TACIT_OK;
}

static tacit_status record(const descent *d, tacit_error *error) {
  tacit_certificate *c = d->task->fit->certificate;
  TACIT_TRY(tacit_certificate_number(c, "steps", (double)d->steps, error));
  TACIT_TRY(tacit_certificate_number(c, "step_size", d->step_size, error));
  return tacit_certificate_number(c, "average", (double)d->average, error);
}

/* One response, or all of them. */
static tacit_mechanism response_of(const descent *d, uint64_t count) {
  return (tacit_mechanism){.kind = TACIT_RELEASE_SIGN,
                           .target = TACIT_ALL_TARGETS,
                           .dimension = 1,
                           .level = d->epsilon0,
                           .sensitivity = 1,
                           .count = count};
}

static tacit_status spend(const descent *d, tacit_error *error) {
  const tacit_mechanism all = response_of(d, d->steps);
  tacit_certificate *planned;
  TACIT_TRY(tacit_certificate_new("plan", &planned, error));
  tacit_status status = tacit_certificate_add(planned, &all, error);
  if (status == TACIT_OK) status = tacit_spo_spend(d->task, planned, error);
  tacit_certificate_free(planned);
  return status;
}

/* Whether the sum has a product of at least zero with v, in integers; sign(0) = +1. */
static bool rises(const descent *d) {
  wide product = 0;
  for (size_t k = 0; k < d->cells; k++)
    product += (wide)llround(ldexp(d->direction[k], DIRECTION_BITS)) * (int64_t)d->sum[k];
  return product >= 0;
}

static tacit_status draw(descent *d, tacit_error *error) {
  tacit_stream stream;
  TACIT_TRY(tacit_stream_begin(d->gate.noise, &stream, error));
  tacit_direction(&stream, d->cells, d->direction);
  tacit_stream_end(&stream);
  return TACIT_OK;
}

/* One rank draws for all. */
static tacit_status draw_direction(descent *d, tacit_error *error) {
  const tacit_ranks *ranks = d->gate.noise->ranks;
  tacit_status status = tacit_ranks_first(ranks) ? draw(d, error) : TACIT_OK;
  return tacit_ranks_share(ranks, status, d->direction, d->cells * sizeof *d->direction, error);
}

static tacit_status descend(descent *d, tacit_error *error) {
  const tacit_spo_task *task = d->task;
  /* no row reaches this: a response needs no bound on rows */
  double radius = 1 + TACIT_SCALE_LIMIT * sqrt((double)task->schema->columns);
  const tacit_mechanism response = response_of(d, 1);
  for (size_t t = 0; t < d->steps; t++) {
    bool up;
    TACIT_TRY(tacit_step(task->context, "learning", (double)t / (double)d->steps, error));
    TACIT_TRY(tacit_spo_sum(task, d->rule, radius, d->sum, error));
    TACIT_TRY(draw_direction(d, error));
    TACIT_TRY(tacit_release_sign(&d->gate, &response, rises(d), &up, error));
    double length = up ? -d->step_size : d->step_size;
    for (size_t k = 0; k < d->cells; k++) d->rule[k] += length * d->direction[k];
    for (size_t k = 0; k < d->cells && t + d->average >= d->steps; k++) d->mean[k] += d->rule[k];
  }
  for (size_t k = 0; k < d->cells; k++) d->mean[k] /= (double)d->average;
  tacit_spo_finish(task, d->mean);
  return TACIT_OK;
}

static tacit_status run(descent *d, tacit_error *error) {
  TACIT_TRY(choose(d, error));
  d->rule = tacit_alloc(3 * d->cells, sizeof(double));
  d->sum = tacit_alloc(d->cells, sizeof(uint64_t));
  if (!d->rule || !d->sum) return tacit_no_memory(error);
  d->mean = d->rule + d->cells;
  d->direction = d->mean + d->cells;
  TACIT_TRY(record(d, error));
  TACIT_TRY(spend(d, error));
  return descend(d, error);
}

tacit_status tacit_spo_exponential(tacit_spo_task *task, tacit_error *error) {
  tacit_noise_source noise;
  tacit_learn_noise(&task->promise, &noise);
  noise.ranks = task->context ? task->context->ranks : NULL;
  descent d = {.task = task,
               .gate = {&noise, task->fit->certificate, task->fit->probe},
               .cells = task->region->dimension * task->schema->columns};
  tacit_status status = run(&d, error);
  free(d.rule);
  if (d.sum) tacit_free_wiped(d.sum, d.cells * sizeof(uint64_t));
  return status;
}
