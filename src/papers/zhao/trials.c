/* One cell of Zhao, Zhou and Wang's synthetic experiments: every method on the same samples, repetition by
 * repetition. */
#include "papers/zhao/trials.h"

#include "papers/zhao/published.h"

#include <math.h>
#include <string.h>
#include <tacit/schema.h>

enum { P = TACIT_ZHAO_COLUMNS };
const double tacit_zhao_taus[TACIT_ZHAO_TAUS] = {0.25, 0.5, 0.75};
const double tacit_zhao_mus[TACIT_ZHAO_MUS] = {0, 0.9, 0.5, 0.3};

/* Zhao, Zhou and Wang's Table 1: mean and standard deviation over 300 repetitions; its tau is not stated. */
static const double PAPER[TACIT_ZHAO_LAWS][TACIT_ZHAO_MUS][2] = {
    {{0.004, 0.002}, {0.009, 0.006}, {0.017, 0.011}, {0.038, 0.026}},
    {{0.012, 0.003}, {0.017, 0.006}, {0.027, 0.012}, {0.052, 0.034}},
    {{0.006, 0.003}, {0.010, 0.005}, {0.019, 0.011}, {0.040, 0.026}},
};

static const char *const SIMULATOR[TACIT_ZHAO_HETERO + 1] = {"zhao-normal", "zhao-t3", "zhao-mixture",
                                                             "zhao-normal"};
static const char *const NAMES[P] = {"z1", "z2", "z3", "z4", "demand"};
static const double TARGET_SCALE = 2; /* as in the simulators' schema, whose centre is 0 */

typedef struct trials {
  const tacit_zhao_cell *cell;
  const tacit_schema *schema;
  uint64_t seed;
  double best[P];
  tacit_zhao_trial *out;
} trials;

static void score(const trials *self, size_t r, int method, const double *b) {
  double square = 0;
  for (int j = 0; j < P; j++) square += (b[j] - self->best[j]) * (b[j] - self->best[j]);
  self->out[r].regret[method] = tacit_zhao_regret(self->cell->law, self->cell->tau, b);
  self->out[r].distance[method] = sqrt(square);
}

/* The columns as a user would hand them over; the encoded ones are the rows themselves, the target halved. */
static tacit_study_table as_table(const tacit_schema *schema, const tacit_sample *sample,
                                  const double *values[P]) {
  for (size_t j = 1; j < P; j++) values[j - 1] = sample->x + j * sample->rows;
  values[P - 1] = sample->y;
  return (tacit_study_table){schema, sample->rows, P, NAMES, values, NULL};
}

static tacit_status learn(const trials *self, const tacit_sample *sample, uint64_t seed, double b[P],
                          double *beyond, tacit_error *error) {
  const double *values[P];
  tacit_study_table table = as_table(self->schema, sample, values);
  TACIT_TRY(tacit_study_learn(&table, self->cell->tau, self->cell->mu, seed, b, beyond, error));
  for (int j = 0; j < P; j++) b[j] *= TARGET_SCALE;
  return TACIT_OK;
}

static tacit_status run_methods(const trials *self, const tacit_sample *sample, size_t r,
                                tacit_stream *stream, tacit_error *error) {
  double g[TACIT_PUBLISHED_STEPS * P], b[P];
  for (size_t k = 0; k < TACIT_PUBLISHED_STEPS * P; k++) g[k] = tacit_normal(stream);
  tacit_published method;
  tacit_published_init(&method, self->cell->tau, self->cell->mu, sample);
  for (int k = 0; k < TACIT_STEP_SIZES; k++) {
    method.step = k + 1;
    TACIT_TRY(tacit_published_run(&method, sample, g, b, error));
    score(self, r, k, b);
  }
  method.step = 0;
  self->out[r].regret[TACIT_TRY_SEARCH] = self->out[r].distance[TACIT_TRY_SEARCH] = NAN;
  if (self->cell->search) {
    TACIT_TRY(tacit_published_run(&method, sample, g, b, error));
    score(self, r, TACIT_TRY_SEARCH, b);
  }
  TACIT_TRY(learn(self, sample, tacit_stream_bits(stream), b, &self->out[r].beyond, error));
  score(self, r, TACIT_TRY_TACIT, b);
  return TACIT_OK;
}

static tacit_status take_sample(const tacit_zhao_cell *cell, uint64_t seed, size_t r, tacit_sample **sample,
                                tacit_error *error) {
  tacit_stream stream;
  TACIT_TRY(tacit_study_stream(seed, TACIT_FOR_ROWS, cell->law, (uint32_t)r, &stream, error));
  return tacit_zhao_sample(&stream, cell->law, cell->rows, sample, error);
}

static tacit_status run_one(void *with, size_t r, tacit_error *error) {
  const trials *self = with;
  tacit_sample *sample = NULL;
  tacit_stream stream;
  TACIT_TRY(take_sample(self->cell, self->seed, r, &sample, error));
  tacit_status status =
      tacit_study_stream(self->seed, TACIT_FOR_NOISE, self->cell->law, (uint32_t)r, &stream, error);
  if (status == TACIT_OK) status = run_methods(self, sample, r, &stream, error);
  tacit_sample_free(sample);
  return status;
}

static tacit_status read_schema(tacit_zhao_law law, tacit_schema **schema, tacit_error *error) {
  const char *json = tacit_simulator_schema(SIMULATOR[law]);
  return tacit_schema_parse(json, strlen(json), schema, error);
}

tacit_status tacit_zhao_run(const tacit_zhao_cell *cell, uint64_t seed, size_t repetitions,
                            tacit_zhao_trial *out, tacit_part part, const tacit_context *context,
                            tacit_error *error) {
  tacit_schema *schema = NULL;
  TACIT_TRY(read_schema(cell->law, &schema, error));
  trials self = {.cell = cell, .schema = schema, .seed = seed, .out = out};
  tacit_zhao_best(cell->law, cell->tau, self.best);
  tacit_status status = tacit_repeat(repetitions, run_one, &self, part, context, error);
  tacit_schema_free(schema);
  return status;
}

tacit_status tacit_zhao_verify(const tacit_zhao_cell *cell, uint64_t seed, tacit_study_promise *promise,
                               tacit_error *error) {
  tacit_schema *schema = NULL;
  tacit_sample *sample = NULL;
  const double *values[P];
  TACIT_TRY(read_schema(cell->law, &schema, error));
  tacit_status status = take_sample(cell, seed, 0, &sample, error);
  if (status == TACIT_OK) {
    tacit_study_table table = as_table(schema, sample, values);
    status = tacit_study_verify(&table, cell->tau, cell->mu, promise, error);
  }
  tacit_sample_free(sample);
  tacit_schema_free(schema);
  return status;
}

void tacit_zhao_summarise(const tacit_zhao_cell *cell, size_t repetitions, const tacit_zhao_trial *in,
                          tacit_zhao_row *row) {
  const size_t stride = sizeof *in / sizeof(double);
  tacit_zhao_row_init(row, tacit_zhao_label(cell->law), cell->tau, cell->mu, cell->rows, repetitions);
  for (int m = 0; m < TACIT_ZHAO_MUS && cell->law < TACIT_ZHAO_LAWS && cell->rows == TACIT_ZHAO_ROWS; m++)
    if (tacit_zhao_mus[m] == cell->mu) {
      row->paper = PAPER[cell->law][m][0];
      row->paper_sd = PAPER[cell->law][m][1];
    }
  tacit_zhao_row_steps(row, in->regret, stride);
  tacit_summarise(repetitions, &in->regret[TACIT_TRY_SEARCH], stride, &row->line_search,
                  &row->line_search_se);
  tacit_summarise(repetitions, &in->regret[TACIT_TRY_TACIT], stride, &row->tacit, &row->tacit_se);
}
