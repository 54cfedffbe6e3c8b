/* Noisy smoothed gradient descent (Zhao's Algorithm 1): recipes of numbers that depend on the schema, the
   quantile and the public number of rows alone. */
#include "base/base.h"
#include "loss/check.h"
#include "loss/tuning.h"
#include "method/descent.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The recipe for features on a known scale: shares of the budget that grow, an average over the last
   iterates. Early steps only have to come near; the last ones decide. */
enum { STEPS = 30, AVERAGE = 10 };
static const double GROWTH = 1.15;

static const char *const PRESETS[] = {"zhao", NULL}, *const STARTS[] = {"zero", "sphere", NULL};
#define AT(field) TACIT_OPTION_AT(noisy_gd.field)
static const tacit_option_field OPTIONS[] = {
    {{"preset", TACIT_OPTION_WORD, "NAME", "zhao: the choices of Zhao's Theorem 2"}, AT(preset), 0, PRESETS},
    TACIT_STEPS_OPTION(AT(steps), TACIT_STEPS_MAX),
    TACIT_STEP_SIZE_OPTION(AT(step_size)),
    {{"growth", TACIT_OPTION_NUMBER, "G", "growth of the budget's share from step to step"},
     AT(growth),
     0,
     NULL},
    {{"average", TACIT_OPTION_COUNT, "K", "average the last K iterates; 1: the last alone"},
     AT(average),
     0,
     NULL},
    TACIT_CLIP_NORM_OPTION(AT(clip_norm), 0),
    TACIT_BANDWIDTH_OPTION(AT(bandwidth)),
    TACIT_KERNEL_OPTION(AT(kernel), "gaussian"),
    {{"start", TACIT_OPTION_WORD, "S", "zero (default) or sphere"}, AT(start), 0, STARTS},
    {{"whiten", TACIT_OPTION_FLAG, NULL, "whiten rows by the schema's second_moment"}, AT(whiten), 0, NULL},
};

static const tacit_input INPUTS[] = {
    {"steps", TACIT_INPUT_WHOLE, TACIT_AT(steps), .least = 1, .most = TACIT_STEPS_MAX},
    {"clip_norm", TACIT_INPUT_NUMBER, TACIT_AT(clip_norm), TACIT_POSITIVE},
    {"growth", TACIT_INPUT_NUMBER, TACIT_AT(growth), TACIT_POSITIVE},
    {"average", TACIT_INPUT_WHOLE, TACIT_AT(average), .least = 1, .most = TACIT_STEPS_MAX},
    {.name = "kernel", .kind = TACIT_INPUT_KERNEL, .at = TACIT_AT(kernel)},
    {"start", TACIT_INPUT_WORD, TACIT_AT(sphere), .words = {"zero", "sphere"}},
    {"whiten", TACIT_INPUT_WORD, TACIT_AT(whiten), .words = {"no", "yes"}, .old_name = "update",
     .old_words = {"Z eq. (7)", "Z eq. (6)"}},
    {"step_size", TACIT_INPUT_EACH, TACIT_AT(step_size), TACIT_POSITIVE},
    {"bandwidth", TACIT_INPUT_UNITS, TACIT_AT(bandwidth), TACIT_POSITIVE}};

/* clip_norm's default: 2 at five columns (Zhao's section 6), and as the norm of a row grows with the columns.
 */
static double default_clip_norm(size_t columns) {
  return 2 * sqrt((double)columns / 5);
}

/* The grid of its rows: the encoded rows', or that of rows whitened by the schema's second moment. */
static tacit_status cell_bits(const tacit_facts *facts, bool whiten, int *bits, tacit_error *error) {
  *bits = TACIT_CELL_BITS;
  if (!whiten) return TACIT_OK;
  size_t p = facts->schema->columns;
  double *root = tacit_alloc(p * p, sizeof *root);
  if (!root) return tacit_no_memory(error);
  tacit_status status = tacit_schema_whitening(facts->schema, root, bits, error);
  free(root);
  return status;
}

static tacit_status check(const tacit_facts *facts, const tacit_learn_options *options, tacit_error *error) {
  int bits;
  TACIT_TRY(tacit_check_bandwidth(facts, options->noisy_gd.bandwidth, error));
  TACIT_TRY(tacit_check_step_size(options->noisy_gd.step_size, error));
  return cell_bits(facts, options->noisy_gd.whiten, &bits, error);
}

static bool whitens(const tacit_learn_options *options) {
  return options->noisy_gd.whiten;
}

/* Of theory: Zhao's eq. (8), constants 1; else what section 6.1 uses. */
static double default_bandwidth(const tacit_facts *facts, size_t target, bool theory) {
  if (theory) return tacit_theory_bandwidth(facts->rows, (double)facts->schema->columns);
  return tacit_default_bandwidth(facts->quantiles[target], facts->rows, (double)facts->schema->columns);
}

static double default_step(const tacit_facts *facts, size_t target, bool theory) {
  bool bounded = facts->schema->targets[target].bounded;
  return theory ? tacit_theory_step(facts->quantiles[target], bounded) : tacit_default_step(bounded);
}

/* Eq. (8)'s last condition, n >= sqrt T (p + ln n) / (mu f_l), with its constant 1 and the density that the
   step assumes: a public guess, like the step itself. */
static void write_condition(const tacit_facts *facts, tacit_choice *choice) {
  double p = (double)facts->schema->columns, most = 0, density = 0;
  for (size_t t = 0; t < facts->schema->target_count; t++) {
    double f_l = tacit_theory_density(facts->quantiles[t], facts->schema->targets[t].bounded);
    double rows = sqrt((double)choice->steps) * (p + log(facts->rows)) / (tacit_facts_mu(facts) * f_l);
    if (rows > most) most = rows, density = f_l;
  }
  snprintf(
      choice->note, sizeof choice->note,
      "Zhao's Theorem 2 asks for %.0f rows or more (sqrt T (p + ln n) / (mu f_l), f_l assumed to be %.2g in "
      "encoded units), which %s%s",
      ceil(most), density, facts->rows >= most ? "is met" : "is not met",
      facts->rows >= most ? "." : "; the privacy guarantee holds all the same.");
}

/* Nothing holds coefficients back: what the noise of all steps adds up to may be more than a target can be.
 */
static tacit_status write_note(const tacit_facts *facts, tacit_choice *choice, tacit_error *error) {
  TACIT_TRY(tacit_descent_noise(facts, choice, error));
  for (size_t t = 0; t < facts->schema->target_count; t++) {
    double noise = choice->step_size[t] * choice->sigma[t] * sqrt((double)choice->steps);
    if (noise > tacit_scale_reach(&facts->schema->targets[t].scale))
      snprintf(
          choice->note, sizeof choice->note,
          "the noise of the steps alone moves coefficients by more than the range of the target: with so "
          "few rows this guarantee teaches nothing. Use a larger mu, more rows or the default method");
  }
  return TACIT_OK;
}

static tacit_status choose(const tacit_facts *facts, const tacit_learn_options *options, tacit_choice *choice,
                           tacit_error *error) {
  const tacit_noisy_gd_options *o = &options->noisy_gd;
  const tacit_schema *schema = facts->schema;
  bool zhao = tacit_is_given(o->preset);
  double log_rows = log(fmax(facts->rows, 2)); /* Zhao's eq. (8), constants 1 */
  choice->sphere = tacit_is_given(o->start) && !strcmp(o->start, "sphere");
  choice->whiten = o->whiten;
  choice->kernel = tacit_kernel_named(o->kernel, TACIT_KERNEL_GAUSSIAN);
  choice->steps = o->steps ? o->steps : zhao ? (size_t)ceil(log_rows) : STEPS;
  choice->growth = o->growth > 0 ? o->growth : zhao ? 1 : GROWTH;
  choice->average = o->average ? o->average : zhao ? 1 : AVERAGE;
  if (choice->average > choice->steps) choice->average = choice->steps;
  double rule = zhao ? sqrt((double)schema->columns + log_rows) : default_clip_norm(schema->columns);
  choice->clip_norm = tacit_clip_norm_of(o->clip_norm, schema, rule);
  for (size_t t = 0; t < schema->target_count; t++) {
    choice->step_size[t] = o->step_size > 0 ? o->step_size : default_step(facts, t, zhao);
    choice->bandwidth[t] =
        o->bandwidth > 0 ? o->bandwidth / schema->targets[t].scale.half : default_bandwidth(facts, t, zhao);
  }
  TACIT_TRY(write_note(facts, choice, error));
  if (zhao && facts->rows > 1 && !choice->note[0]) write_condition(facts, choice);
  return TACIT_OK;
}

static tacit_status plan(const tacit_facts *facts, const tacit_choice *choice, tacit_release_plan *plan,
                         tacit_error *error) {
  int bits;
  TACIT_TRY(cell_bits(facts, choice->whiten, &bits, error));
  return tacit_plan_descent(facts, choice, bits, plan, error);
}

static bool steps_follow(const tacit_facts *facts, const tacit_choice *choice, bool theory) {
  for (size_t t = 0; t < facts->schema->target_count; t++)
    if (!tacit_near(choice->step_size[t], default_step(facts, t, theory), TACIT_NEAR)) return false;
  return true;
}

static bool bandwidths_follow(const tacit_facts *facts, const tacit_choice *choice, bool theory) {
  for (size_t t = 0; t < facts->schema->target_count; t++)
    if (!tacit_near(choice->bandwidth[t], default_bandwidth(facts, t, theory), TACIT_NEAR)) return false;
  return true;
}

static bool possible(const tacit_facts *facts, const tacit_choice *choice, const char **wrong) {
  return tacit_fits(choice->average <= choice->steps, "average", wrong) &&
         tacit_fits(tacit_step_is_given(facts, choice) || steps_follow(facts, choice, false) ||
                        steps_follow(facts, choice, true),
                    "step_size", wrong) &&
         tacit_fits(tacit_bandwidth_is_given(facts, choice) || bandwidths_follow(facts, choice, false) ||
                        bandwidths_follow(facts, choice, true),
                    "bandwidth", wrong);
}

const tacit_method tacit_method_noisy_gd = {
    .name = "noisy-gd",
    .about = "noisy smoothed gradient descent, as Zhao publishes it, made sound",
    .tiers = true,
    .promise = TACIT_PROMISE_GAUSSIAN,
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof *OPTIONS,
    .inputs = INPUTS,
    .input_count = sizeof INPUTS / sizeof *INPUTS,
    .check = check,
    .whitens = whitens,
    .choose = choose,
    .plan = plan,
    .possible = possible,
};
