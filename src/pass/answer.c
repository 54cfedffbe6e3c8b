/* Answers questions from rows in this process: finds the rows that the question is about, and passes over
 * them. */
#include "pass/answer.h"

#include "base/base.h"
#include "pass/decision_sum.h"
#include "pass/score_sum.h"

#include <stdlib.h>
#include <string.h>

tacit_status tacit_answerer_new(const tacit_schema *schema, tacit_design *design,
                                const tacit_context *context, tacit_answerer **answerer, tacit_error *error) {
  *answerer = tacit_alloc(1, sizeof **answerer);
  if (!*answerer) {
    tacit_design_free(design);
    return tacit_no_memory(error);
  }
  tacit_answerer *self = *answerer;
  self->schema = schema;
  self->design = design;
  self->threads = tacit_threads_for(context, design->rows * design->columns);
  self->all_threads = tacit_threads(context);
  self->facts = (tacit_row_facts){design->columns, design->targets, design->cell_bits, ""};
  memcpy(self->facts.schema, tacit_schema_hash(schema), sizeof self->facts.schema);
  return TACIT_OK;
}

static void forget_image(tacit_answerer *self) {
  tacit_design_free(self->image);
  self->image = NULL;
}

static void forget_best(tacit_answerer *self) {
  if (self->best) tacit_free_wiped(self->best, self->best_bytes);
  self->best = NULL;
}

void tacit_answerer_free(tacit_answerer *self) {
  if (!self) return;
  forget_image(self);
  forget_best(self);
  tacit_design_free(self->design);
  free(self);
}

size_t tacit_answerer_rest(const tacit_answerer *self) {
  size_t image = self->image ? tacit_design_rest(self->image) : 0;
  return tacit_design_rest(self->design) + image + (self->best ? self->best_bytes : 0);
}

/* A table in a file may be larger than memory: its image is made anew in each pass, unless there are so many
   columns that this takes far longer than the pass, and memory for them. Others take the place of the rows,
   once nobody needs those. */
static tacit_status make_image(tacit_answerer *self, const tacit_row_image *seen, bool last,
                               tacit_error *error) {
  enum { MANY = 32, ROOM = 256 << 20 };
  const tacit_image image = {
      .matrix = seen->matrix, .columns = seen->columns, .cell_bits = seen->cell_bits, .narrow = seen->narrow};
  size_t cell = seen->narrow ? sizeof(int16_t) : sizeof(int32_t);
  size_t bytes = self->design->rows * (seen->columns * cell + (1 + self->design->targets) * sizeof(int32_t));
  forget_image(self);
  memcpy(self->image_hash, seen->hash, TACIT_HASH);
  if (self->design->file.map && (seen->columns <= MANY || bytes > ROOM))
    return tacit_design_view(self->design, &image, self->all_threads, &self->image, error);
  if (self->design->file.map || !last || seen->columns > self->design->columns)
    return tacit_design_transform(self->design, &image, self->threads, &self->image, error);
  self->turned = true;
  return tacit_design_turn(self->design, &image, self->threads, error);
}

/* The rows that a question is about. */
static tacit_status find_rows(tacit_answerer *self, const tacit_question *question, const tacit_design **rows,
                              tacit_error *error) {
  const tacit_row_image *image = question->image;
  bool known = image && (self->image || self->turned) && !memcmp(self->image_hash, image->hash, TACIT_HASH);
  if (self->turned && !known)
    return tacit_fail(error, TACIT_INTERNAL, "a question about rows that have made place for their image");
  if (image && !known) TACIT_TRY(make_image(self, image, question->last_image, error));
  *rows = image && !self->turned ? self->image : self->design;
  return TACIT_OK;
}

/* The counts behind the scores: a number each, or a unit's bins. */
static void give_counts(const tacit_side_counts *counts, bool bins, uint64_t *beside) {
  beside[0] = counts->within;
  beside[1] = counts->below;
  if (bins) memcpy(beside, counts->bins, sizeof counts->bins);
}

static tacit_status answer_scores(const tacit_answerer *self, const tacit_design *design,
                                  const tacit_question *asked, uint64_t *answer, tacit_error *error) {
  int threads = self->threads;
  const tacit_scores_question *question = &asked->scores;
  const tacit_unit_parts *units = &asked->units;
  bool bins = units->whole && units->most > 0;
  tacit_unit_rule rule[TACIT_UNIT_PARTS];
  tacit_score_pass *passes = tacit_alloc(question->count, sizeof *passes);
  tacit_status status = passes ? TACIT_OK : tacit_no_memory(error);
  for (size_t k = 0; k < question->count && status == TACIT_OK; k++) {
    const tacit_score_part *part = &question->parts[k];
    passes[k] = (tacit_score_pass){.target = part->target,
                                   .tau = part->tau,
                                   .kernel = part->kernel,
                                   .bandwidth = part->bandwidth,
                                   .coefficients = part->coefficients,
                                   .offset = part->offset,
                                   .form = part->form,
                                   .spread = part->spread,
                                   .tiers = self->schema->targets[part->target].tiers,
                                   .sold = self->schema->targets[part->target].sold_column != NULL};
    if (question->scores)
      status = tacit_score_bound_set(&passes[k].bound, part->tau, part->clip_norm, design->cell_bits, error);
  }
  if (status == TACIT_OK && units->whole) {
    rule[0] = tacit_unit_rule_of(units, 0, (double)passes->bound.radius);
    for (size_t i = 1; i < TACIT_UNIT_PARTS; i++)
      rule[i] = tacit_unit_rule_of(units, i, tacit_count_radius(TACIT_SCORE_BITS));
    passes->units = rule;
  }
  if (status == TACIT_OK && (question->sides || units->whole || passes->form != TACIT_FORM_LINEAR)) {
    tacit_side_counts counts = {.span = question->span, .smoothing = question->smoothing};
    size_t scores = bins ? TACIT_UNIT_BINS : tacit_score_columns(question->parts, design->columns);
    uint64_t *beside = answer + (question->scores ? scores : 0);
    tacit_step_sum(design, passes, threads, question->scores ? answer : NULL,
                   question->sides ? &counts : NULL);
    if (question->sides) give_counts(&counts, bins, beside);
    tacit_wipe(&counts, sizeof counts);
  } else if (status == TACIT_OK) {
    tacit_score_sums(design, passes, question->count, threads, answer);
  }
  free(passes);
  return status;
}

/* The best decisions are the same for every image: rows keep their costs. */
static tacit_status answer_decisions(tacit_answerer *self, const tacit_design *design,
                                     const tacit_decisions_question *question, uint64_t *answer,
                                     tacit_error *error) {
  int threads = self->all_threads; /* a decision takes longer than to wake a thread */
  tacit_decision_pass pass = {.schema = self->schema, .region = question->region, .unit = question->unit};
  if (!self->best || memcmp(self->region_hash, question->region_hash, sizeof self->region_hash) != 0) {
    forget_best(self);
    self->best_bytes = design->rows * question->region->dimension * sizeof(double);
    self->best = tacit_alloc(design->rows * question->region->dimension, sizeof(double));
    if (!self->best) return tacit_no_memory(error);
    memcpy(self->region_hash, question->region_hash, sizeof self->region_hash);
    tacit_status status = tacit_decision_best(design, &pass, threads, self->best, error);
    if (status != TACIT_OK) forget_best(self);
    TACIT_TRY(status);
  }
  pass.best = self->best;
  return tacit_decision_sum(design, &pass, question->rule, question->radius, threads, answer, error);
}

tacit_status tacit_answer(tacit_answerer *self, const tacit_question *question, uint64_t *answer,
                          tacit_error *error) {
  const tacit_design *design = NULL;
  TACIT_TRY(tacit_question_check(question, &self->facts, error));
  if (question->units.whole && !self->design->units)
    return tacit_fail(error, TACIT_USAGE,
                      "units can be asked about as a whole only where their rows lie together");
  TACIT_TRY(find_rows(self, question, &design, error));
  switch (question->kind) {
  case TACIT_QUESTION_COUNT:
    tacit_answer_count(design, self->schema, question, self->threads, answer);
    break;
  case TACIT_QUESTION_ROWS:
    return tacit_answer_rows(design, self->schema, question, self->threads, answer, error);
  case TACIT_QUESTION_SCORES:
    return answer_scores(self, design, question, answer, error);
  case TACIT_QUESTION_DECISIONS:
    return answer_decisions(self, design, &question->decisions, answer, error);
  case TACIT_QUESTION_COSTS:
  case TACIT_QUESTION_DEARER:
    tacit_answer_costs(design, self->schema, question, self->threads, answer);
    break;
  case TACIT_QUESTION_FEATURES:
    return tacit_answer_features(design, &question->features, self->all_threads, answer, error);
  case TACIT_QUESTION_RAMPS:
    return tacit_answer_ramps(design, &question->ramps, self->threads, answer, error);
  case TACIT_QUESTION_KINDS:
    break;
  }
  return TACIT_OK;
}
