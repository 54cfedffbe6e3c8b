/* The door: what was asked is checked, the rows are read once, the method chooses and plans, and the learner
   gets the task. */
#include "base/base.h"
#include "data/read.h"
#include "data/tally.h"
#include "learn/door.h"
#include "learn/ranks.h"
#include "loss/region_hash.h"
#include "method/state.h"
#include "schema/goals.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_private(const tacit_task *task) {
  return task->method->promise != TACIT_PROMISE_NOTHING;
}

static const tacit_ranks *ranks_of(const tacit_task *task) {
  return task->context ? task->context->ranks : NULL;
}

tacit_status tacit_public_rows(const tacit_schema *schema, tacit_adjacency adjacency, size_t nominal_rows,
                               const tacit_read_counts *counts, double *rows, tacit_error *error) {
  if (adjacency == TACIT_ADD_REMOVE) {
    *rows = (double)(nominal_rows ? nominal_rows : schema->nominal_rows);
    return TACIT_OK;
  }
  tacit_read_counts told = *counts; /* which rows look-ups leave out is private, and refuses nothing */
  told.rows = counts->records - counts->dropped_lag;
  TACIT_TRY(tacit_read_counts_check(&told, schema, error));
  *rows = (double)told.rows;
  return TACIT_OK;
}

static tacit_status check_rows(const tacit_task *task, tacit_error *error) {
  bool public = task->facts.adjacency == TACIT_REPLACE_ONE; /* a private number refuses nothing */
  if (!public || task->facts.rows >= (double)task->schema->columns) return TACIT_OK;
  return tacit_fail(error, TACIT_BAD_INPUT,
                    "%.0f rows are too few for %zu encoded columns; use more rows or fewer features",
                    task->facts.rows, task->schema->columns);
}

/* Private learners ask the rows, and so do those that decide without privacy; the others have them. A method
   may want them whitened by the schema's second moment as they are read. */
static tacit_status read_rows(tacit_task *task, tacit_source *source, tacit_error *error) {
  const tacit_schema *schema = task->schema;
  if (!is_private(task) && !task->options->region)
    return tacit_read_sample(source, task->table, &task->sample, &task->counts, task->context, error);
  double *root = NULL;
  tacit_cell_form form = {.bits = TACIT_CELL_BITS};
  tacit_status status = TACIT_OK;
  if (task->method->whitens && task->method->whitens(task->options)) {
    root = tacit_alloc(schema->columns * schema->columns, sizeof *root);
    status = root ? tacit_schema_whitening(schema, root, &form.bits, error) : tacit_no_memory(error);
  }
  form.whiten = root;
  form.units = task->method->whole_units && task->method->whole_units(schema, task->options);
  if (status == TACIT_OK)
    status = tacit_rows_open(source, task->table, &form, task->context, &task->rows, &task->counts, error);
  free(root);
  TACIT_TRY(tacit_ranks_agree(ranks_of(task), status, &task->counts, error));
  TACIT_TRY(tacit_ranks_tally(ranks_of(task), source, schema, error));
  return is_private(task) && !ranks_of(task) ? tacit_tally_check(source, task->table, error) : TACIT_OK;
}

static tacit_fit_counts counts_of(const tacit_read_counts *c) {
  return (tacit_fit_counts){c->records, c->rows, c->dropped_lag, c->dropped_unit};
}

/* What every private fit's certificate says: whose data, which noise, the asked guarantee. */
static tacit_status state_promise(const tacit_task *task, tacit_error *error) {
  const tacit_learn_options *o = task->options;
  tacit_certificate *c = task->fit->certificate;
  c->private = !o->seeded;
  if (o->seeded)
    snprintf(c->reason, sizeof c->reason, "the noise came from a seed, for tests and reproductions");
  c->noise = o->seeded ? TACIT_NOISE_SEEDED : TACIT_NOISE_OS;
  c->adjacency = o->adjacency;
  c->rows_per_unit = task->schema->rows_per_unit;
  c->rows = (size_t)task->facts.rows;
  c->mu = o->mu;
  snprintf(c->before, sizeof c->before, "%s", o->from ? o->from->hash : "");
  snprintf(c->period, sizeof c->period, "%s", o->period ? o->period : "");
  c->epsilon = o->mu > 0 ? 0 : o->epsilon;
  c->delta = o->mu > 0 ? 0 : o->delta;
  if (c->adjacency == TACIT_REPLACE_ONE || !o->nominal_rows) return TACIT_OK;
  return tacit_certificate_number(c, "nominal_rows", task->facts.rows, error);
}

/* A choice that somebody else keeps, with a radius and a way of its own to find. */
static void borrow(tacit_choice *choice, const tacit_choice *from) {
  tacit_choice own = *choice;
  *choice = *from;
  choice->numbers = own.numbers;
  choice->way = own.way;
  choice->radius = own.radius;
  choice->clip = own.clip;
  choice->unit = own.unit;
  choice->spread = own.spread;
}

static tacit_status settle_private(tacit_task *task, const tacit_choice *chosen, tacit_error *error) {
  const tacit_method *m = task->method;
  const tacit_learn_options *o = task->options;
  TACIT_TRY(tacit_public_rows(task->schema, o->adjacency, o->nominal_rows, &task->counts, &task->facts.rows,
                              error));
  TACIT_TRY(check_rows(task, error));
  TACIT_TRY(state_promise(task, error));
  TACIT_TRY(tacit_choice_open(&task->choice, &task->facts, error));
  if (chosen)
    borrow(&task->choice, chosen);
  else
    TACIT_TRY(m->choose(&task->facts, task->options, &task->choice, error));
  TACIT_TRY(tacit_choice_state(&task->choice, &task->facts, m->inputs, m->input_count, task->fit->certificate,
                               error));
  TACIT_TRY(tacit_plan_open(&task->plan, &task->facts, error));
  TACIT_TRY(m->plan(&task->facts, &task->choice, &task->plan, error));
  if (!chosen) TACIT_TRY(tacit_plan_check(&task->plan, error));
  snprintf(task->fit->note, sizeof task->fit->note, "%s", task->choice.note);
  tacit_gate_open(&task->gate, task->options->seeded ? &task->options->seed : NULL, ranks_of(task));
  task->gate.plan = &task->plan;
  task->gate.certificate = task->fit->certificate;
  return TACIT_OK;
}

/* A learner without privacy has no promise, and says so. */
static tacit_status settle_public(tacit_task *task, tacit_error *error) {
  tacit_fit *fit = task->fit;
  tacit_certificate *c = fit->certificate;
  TACIT_TRY(tacit_read_counts_check(&task->counts, task->schema, error));
  task->facts.rows = (double)task->counts.rows;
  c->private = false;
  c->noise = TACIT_NOISE_NONE;
  const char *name = task->method->alias ? task->method->alias : task->method->name;
  snprintf(c->reason, sizeof c->reason,
           task->options->region ? "%s learns without noise" : "%s computes from the rows without noise",
           name);
  if (task->options->region) return TACIT_OK;
  c->rows = task->counts.rows;
  c->rows_per_unit = task->schema->rows_per_unit;
  return TACIT_OK;
}

double *tacit_task_coefficients(const tacit_task *task, size_t target) {
  return task->fit->coefficients + target * task->fit->columns;
}

double *tacit_task_spread(const tacit_task *task, size_t target) {
  return task->fit->spread + target * (task->fit->columns + 1);
}

static tacit_status make_fit(tacit_task *task, const tacit_source *source, tacit_error *error) {
  tacit_fit *fit = task->fit;
  fit->columns = task->schema->columns;
  fit->targets = task->schema->target_count;
  fit->coefficients = tacit_alloc(fit->targets * fit->columns, sizeof(double));
  if (!fit->coefficients) return tacit_no_memory(error);
  TACIT_TRY(tacit_certificate_new(task->method->name, &fit->certificate, error));
  fit->certificate->result_rows = source->origin.rows_are == TACIT_ROW_RESULT;
  fit->certificate->engine_rows = source->engine != NULL;
  if (!task->options->region) return TACIT_OK;
  return tacit_region_hash(task->options->region, fit->certificate->region_hash, error);
}

static tacit_status carry_out(tacit_task *task, tacit_source *source, const tacit_watch *watch,
                              tacit_error *error) {
  tacit_learner learner = tacit_learner_of(task->method);
  if (!learner) return tacit_fail(error, TACIT_INTERNAL, "this method has no learner");
  TACIT_TRY(make_fit(task, source, error));
  TACIT_TRY(read_rows(task, source, error));
  task->fit->counts = counts_of(&task->counts);
  TACIT_TRY(is_private(task) ? settle_private(task, watch ? watch->chosen : NULL, error)
                             : settle_public(task, error));
  task->gate.probe = watch ? watch->probe : NULL;
  TACIT_TRY(learner(task, error));
  if (!watch) return TACIT_OK;
  task->fit->certificate->private = false;
  snprintf(task->fit->certificate->reason, sizeof task->fit->certificate->reason,
           "the audit watched or spoiled its releases");
  return TACIT_OK;
}

/* What can be refused before a row is read, on all ranks; and that they ask the same. */
static tacit_status check_together(const tacit_task *task, const tacit_source *source, tacit_error *error) {
  const tacit_learn_options *o = task->options;
  char hash[TACIT_RANKS_HASH] = "", region[65] = "";
  tacit_status status = tacit_door_check(task->method, &task->facts, o, source, task->context, error);
  if (!ranks_of(task)) return status;
  if (status == TACIT_OK && o->region) status = tacit_region_hash(o->region, region, error);
  const tacit_ranks_asked asked = {.schema = task->schema,
                                   .source = source,
                                   .method = task->method->name,
                                   .region = region,
                                   .adjacency = o->adjacency,
                                   .nominal_rows = o->nominal_rows,
                                   .mu = o->mu,
                                   .epsilon = o->epsilon,
                                   .delta = o->delta,
                                   .goals = o->quantiles,
                                   .goal_count = o->region ? 0 : o->quantile_count};
  if (status == TACIT_OK) tacit_ranks_hash(&asked, hash);
  return tacit_ranks_same(ranks_of(task), status, hash, error);
}

static tacit_status learn(tacit_task *task, tacit_source *source, const tacit_watch *watch, tacit_fit **fit,
                          tacit_error *error) {
  TACIT_TRY(check_together(task, source, error));
  task->fit = tacit_alloc(1, sizeof *task->fit);
  if (!task->fit) return tacit_no_memory(error);
  tacit_status status = carry_out(task, source, watch, error);
  tacit_rows_close(&task->rows);
  tacit_sample_free(task->sample);
  tacit_plan_close(&task->plan);
  tacit_choice_close(&task->choice);
  if (status == TACIT_OK)
    *fit = task->fit;
  else
    tacit_fit_free(task->fit);
  return status;
}

tacit_status tacit_learn_watched(const tacit_schema *schema, tacit_source *source,
                                 const tacit_learn_options *options, const tacit_context *context,
                                 const tacit_watch *watch, tacit_fit **fit, tacit_error *error) {
  tacit_learn_options known = {.size = sizeof known}; /* a caller's struct may be an older, shorter one */
  memcpy(&known, options, options->size < sizeof known ? options->size : sizeof known);
  bool region = known.region != NULL;
  const tacit_method *method = tacit_method_for(known.method, region, schema);
  tacit_goals goals;
  *fit = NULL;
  if (!method) return tacit_method_unknown(region, error);
  TACIT_TRY(tacit_goals_open(schema, known.quantiles, region ? 0 : known.quantile_count, &goals, error));
  tacit_task task = {.method = method,
                     .table = schema,
                     .schema = &goals.schema,
                     .options = &known,
                     .context = context,
                     .facts = {.schema = &goals.schema,
                               .region = known.region,
                               .quantiles = known.quantiles,
                               .mu = known.mu,
                               .epsilon = known.epsilon,
                               .delta = known.delta,
                               .adjacency = known.adjacency}};
  tacit_status status = learn(&task, source, watch, fit, error);
  tacit_goals_close(&goals);
  return status;
}

tacit_status tacit_learn(const tacit_schema *schema, tacit_source *source, const tacit_learn_options *options,
                         const tacit_context *context, tacit_fit **fit, tacit_error *error) {
  return tacit_learn_watched(schema, source, options, context, NULL, fit, error);
}
