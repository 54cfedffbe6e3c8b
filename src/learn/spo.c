/* The door for learners that predict for a decision's sake: checks schema, region and options once, reads the
   rows, and hands over to the method. */
#include "learn/spo.h"

#include "base/base.h"
#include "learn/ranks.h"
#include "loss/region_hash.h"
#include "loss/tuning.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tacit/solvers.h>

/* `is` goes into the certificate. */
typedef struct spo_method {
  const char *name, *is;
  tacit_status (*learn)(tacit_spo_task *task, tacit_error *error);
  enum { WITHOUT, GAUSSIAN, PAIR } promise; /* none, mu, or (epsilon, delta) */
} spo_method;
static const spo_method METHODS[] = {
    {"default", "spo-gaussian", tacit_spo_gaussian, GAUSSIAN},
    {"gaussian", "spo-gaussian", tacit_spo_gaussian, GAUSSIAN},
    {"exponential", "spo-exponential", tacit_spo_exponential, PAIR},
    {"least-squares", "spo-least-squares", tacit_spo_least_squares, GAUSSIAN},
    {"spo-plus", "spo-plus", tacit_spo_learn_plus, WITHOUT},
    {"least-squares-exact", "spo-least-squares-exact", tacit_spo_least_squares_exact, WITHOUT},
};
enum { METHOD_COUNT = sizeof METHODS / sizeof *METHODS };

/* Below this guarantee per row of a unit nothing is learned, and noise would outgrow the grid. */
static const double MU_LEAST = 1e-4;
/* Bounds of a column are taken to lie eight spreads apart. */
static const double BOUNDED_SPREAD = 0.25;

void tacit_spo_options_init(tacit_spo_options *options) {
  *options = (tacit_spo_options){.method = "default", .adjacency = TACIT_REPLACE_ONE};
}

static tacit_status find_method(const char *name, const spo_method **method, tacit_error *error) {
  for (size_t i = 0; i < METHOD_COUNT; i++)
    if (!strcmp(name, METHODS[i].name)) {
      *method = &METHODS[i];
      return TACIT_OK;
    }
  return tacit_fail(error, TACIT_USAGE,
                    "no method of this name; there are default (gaussian), exponential, least-squares and, "
                    "without privacy, spo-plus, least-squares-exact");
}

const char *tacit_spo_method(const char *name) {
  const spo_method *method = NULL;
  return find_method(name, &method, NULL) == TACIT_OK ? method->is : NULL;
}

static tacit_status check_positive(const char *name, double value, double most, tacit_error *error) {
  if (value == 0 || (value > 0 && value <= most)) return TACIT_OK;
  return tacit_fail(error, TACIT_USAGE, "%s must be above 0 and at most %g", name, most);
}

static tacit_status check_guarantee(const tacit_schema *schema, const tacit_spo_options *o, bool gaussian,
                                    tacit_error *error) {
  if (gaussian && (o->epsilon != 0 || o->delta != 0))
    return tacit_fail(error, TACIT_USAGE, "this method promises mu-GDP: give mu, not epsilon and delta");
  if (gaussian && !(o->mu > 0 && o->mu <= TACIT_MU_MAX))
    return tacit_fail(error, TACIT_USAGE, "mu must be above 0 and at most %g; 0.5 is a reasonable promise",
                      TACIT_MU_MAX);
  if (gaussian && !(o->mu / (double)schema->rows_per_unit >= MU_LEAST))
    return tacit_fail(error, TACIT_REFUSED,
                      "this guarantee leaves %.2g-GDP for each row of a unit, too little to learn anything; "
                      "use a larger mu or fewer rows per unit",
                      o->mu / (double)schema->rows_per_unit);
  if (!gaussian && o->mu != 0)
    return tacit_fail(
        error, TACIT_USAGE,
        "exponential descent releases randomised responses, which no mu describes: give epsilon "
        "and delta");
  if (!gaussian && !(o->epsilon > 0 && o->epsilon <= TACIT_EPSILON_MAX && o->delta > 0 && o->delta < 1))
    return tacit_fail(error, TACIT_USAGE, "epsilon must be above 0 and at most %g, delta above 0 and below 1",
                      TACIT_EPSILON_MAX);
  if (o->nominal_rows > TACIT_ROWS_MAX)
    return tacit_fail(error, TACIT_USAGE, "the nominal rows must be at most %llu",
                      (unsigned long long)TACIT_ROWS_MAX);
  return tacit_schema_check_promise(schema, o->adjacency == TACIT_ADD_REMOVE, o->nominal_rows, error);
}

static tacit_status check(const tacit_schema *schema, const tacit_region *region, const tacit_spo_options *o,
                          const spo_method *method, tacit_error *error) {
  if (region->dimension != schema->target_count)
    return tacit_fail(
        error, TACIT_BAD_INPUT,
        "the region's decisions have %zu coordinates, but the schema has %zu cost column%s (its "
        "targets): there must be one for each coordinate, in their order",
        region->dimension, schema->target_count, schema->target_count == 1 ? "" : "s");
  if (!(region->diameter > 0 && isfinite(region->diameter)))
    return tacit_fail(error, TACIT_BAD_INPUT, "the region has a single point: there is nothing to decide");
  TACIT_TRY(check_positive("the step size", o->step_size, TACIT_STEP_SIZE_MAX, error));
  TACIT_TRY(check_positive("the growth", o->growth, TACIT_GROWTH_MAX, error));
  TACIT_TRY(check_positive("the clip norm", o->clip_norm, TACIT_REGION_CLIP_MAX, error));
  if (o->steps > TACIT_SPO_STEPS_MAX)
    return tacit_fail(error, TACIT_USAGE, "at most %d steps", TACIT_SPO_STEPS_MAX);
  for (size_t t = 0; t < schema->target_count; t++)
    for (size_t f = 0; f < schema->feature_count; f++)
      if (schema->features[f].has_scale &&
          schema->targets[t].scale.half / schema->features[f].scale.half > 1e150)
        return tacit_fail(
            error, TACIT_REFUSED,
            "the ranges of cost \"%.60s\" and column \"%.60s\" are too far apart; use other units",
            schema->targets[t].name, schema->features[f].name);
  return method->promise ? check_guarantee(schema, o, method->promise == GAUSSIAN, error) : TACIT_OK;
}

/* One public unit for all costs, so that coordinates can be compared: the root mean square of their declared
   spreads. */
static double cost_unit(const tacit_schema *schema) {
  double largest = 0, square = 0;
  for (size_t t = 0; t < schema->target_count; t++) largest = fmax(largest, schema->targets[t].scale.half);
  for (size_t t = 0; t < schema->target_count; t++) {
    const tacit_target *target = &schema->targets[t];
    double spread = target->scale.half / largest * (target->bounded ? BOUNDED_SPREAD : 1);
    square += spread * spread;
  }
  return largest * sqrt(square / (double)schema->target_count);
}

/* The width of the widest coordinate of a decision. */
static tacit_status region_width(const tacit_region *region, double *width, tacit_error *error) {
  size_t d = region->dimension;
  double *cost = tacit_alloc(2 * d + region->work, sizeof *cost);
  if (!cost) return tacit_no_memory(error);
  tacit_status status = TACIT_OK;
  *width = 0;
  for (size_t j = 0; j < d && status == TACIT_OK; j++) {
    double least = 0, most = 0;
    cost[j] = 1;
    status = tacit_region_minimise(region, cost, NULL, cost + 2 * d, cost + d, &least, error);
    cost[j] = -1;
    if (status == TACIT_OK)
      status = tacit_region_minimise(region, cost, NULL, cost + 2 * d, cost + d, &most, error);
    cost[j] = 0;
    *width = fmax(*width, -most - least);
  }
  free(cost);
  if (status == TACIT_OK && !(*width > 0 && isfinite(*width)))
    return tacit_fail(error, TACIT_BAD_INPUT, "the region has a single point: there is nothing to decide");
  return status;
}

tacit_status tacit_spo_sum(const tacit_spo_task *task, const double *rule, double radius, uint64_t *sum,
                           tacit_error *error) {
  tacit_question question = {
      .kind = TACIT_QUESTION_DECISIONS,
      .image = task->whitening ? &task->white : NULL,
      .last_image = true,
      .decisions = {.region = task->region, .unit = task->unit, .radius = radius, .rule = rule}};
  memcpy(question.decisions.region_hash, task->fit->certificate->region_hash,
         sizeof question.decisions.region_hash);
  return tacit_rows_ask(task->asked, &question, sum, error);
}

void tacit_spo_finish(const tacit_spo_task *task, const double *rule) {
  size_t p = task->schema->columns;
  for (size_t t = 0; t < task->schema->target_count; t++)
    for (size_t j = 0; j < p; j++) {
      double sum = task->whitening ? 0 : rule[t * p + j];
      for (size_t k = 0; task->whitening && k < p; k++) sum += rule[t * p + k] * task->whitening[k * p + j];
      task->fit->coefficients[t * p + j] = sum * (task->unit / task->schema->targets[t].scale.half);
    }
}

tacit_status tacit_spo_spend(const tacit_spo_task *task, const tacit_certificate *planned,
                             tacit_error *error) {
  const tacit_ranks *ranks = task->context ? task->context->ranks : NULL;
  return tacit_ranks_spend(ranks, task->schema, &task->promise, task->fit->certificate, planned, error);
}

/* What is public about the rows; a learner without privacy has no promise, and says so. */
static tacit_status settle(tacit_spo_task *task, const spo_method *method, tacit_error *error) {
  const tacit_spo_options *o = task->options;
  tacit_fit *fit = task->fit;
  task->promise = (tacit_learn_options){.mu = o->mu,
                                        .epsilon = o->epsilon,
                                        .delta = o->delta,
                                        .adjacency = o->adjacency,
                                        .nominal_rows = o->nominal_rows,
                                        .spend = o->spend,
                                        .spend_user = o->spend_user,
                                        .seeded = o->seeded,
                                        .seed = o->seed};
  if (method->promise) {
    TACIT_TRY(tacit_learn_rows(task->schema, &task->promise, &fit->counts, &task->rows, error));
    return tacit_learn_promise(task->schema, &task->promise, task->rows, fit->certificate, error);
  }
  snprintf(fit->certificate->reason, sizeof fit->certificate->reason, "%s learns without noise", o->method);
  task->rows = (double)fit->counts.rows;
  return tacit_read_counts_check(&fit->counts, task->schema, error);
}

static tacit_status learn(tacit_spo_task *task, tacit_source *source, const spo_method *method,
                          tacit_error *error) {
  tacit_fit *fit = task->fit;
  fit->columns = task->schema->columns;
  fit->targets = task->schema->target_count;
  fit->coefficients = tacit_alloc(fit->targets * fit->columns, sizeof(double));
  if (!fit->coefficients) return tacit_no_memory(error);
  TACIT_TRY(tacit_certificate_new(method->is, &fit->certificate, error));
  fit->certificate->engine_rows = source->engine != NULL;
  TACIT_TRY(tacit_region_hash(task->region, fit->certificate->region_hash, error));
  task->unit = cost_unit(task->schema);
  TACIT_TRY(region_width(task->region, &task->width, error));
  tacit_status status = tacit_rows_open(source, task->schema, NULL, TACIT_CELL_BITS, task->context,
                                        task->asked, &fit->counts, error);
  TACIT_TRY(tacit_ranks_agree(task->context ? task->context->ranks : NULL, status, &fit->counts, error));
  TACIT_TRY(settle(task, method, error));
  return method->learn(task, error);
}

tacit_status tacit_spo_learn(const tacit_schema *schema, tacit_source *source, const tacit_region *region,
                             const tacit_spo_options *options, const tacit_context *context, tacit_fit **fit,
                             tacit_error *error) {
  return tacit_spo_learn_probed(schema, source, region, options, context, NULL, fit, error);
}

tacit_status tacit_spo_learn_probed(const tacit_schema *schema, tacit_source *source,
                                    const tacit_region *region, const tacit_spo_options *options,
                                    const tacit_context *context, const tacit_release_probe *probe,
                                    tacit_fit **fit, tacit_error *error) {
  *fit = NULL;
  TACIT_TRY(tacit_load_solvers(error)); /* not after the budget is spent */
  const spo_method *method = NULL;
  TACIT_TRY(find_method(options->method, &method, error));
  TACIT_TRY(check(schema, region, options, method, error));
  if (method->promise)
    TACIT_TRY(
        tacit_source_check_promise(source, schema, options->adjacency == TACIT_ADD_REMOVE, false, error));
  TACIT_TRY(tacit_ranks_check_table(context ? context->ranks : NULL, schema, source, method->promise, error));
  tacit_fit *made = tacit_alloc(1, sizeof *made);
  if (!made) return tacit_no_memory(error);
  made->probe = probe;
  tacit_rows asked = {.own = NULL};
  tacit_spo_task task = {.schema = schema,
                         .region = region,
                         .options = options,
                         .context = context,
                         .asked = &asked,
                         .fit = made};
  tacit_status status = learn(&task, source, method, error);
  tacit_rows_close(&asked);
  free(task.whitening);
  if (status != TACIT_OK) {
    tacit_fit_free(made);
    return status;
  }
  if (probe) {
    made->certificate->private = false;
    snprintf(made->certificate->reason, sizeof made->certificate->reason,
             "the audit watched or spoiled its releases");
  }
  *fit = made;
  return TACIT_OK;
}
