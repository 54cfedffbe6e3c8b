/* Repetitions on Wang and Qin's problem: the published algorithms and tacit's own, all on the same rows. */
#include "papers/wang/trials.h"

#include "base/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FRESH = 10000, D = TACIT_WANG_D };

static const char REGION[] = "{\"kind\": \"ball\", \"dimension\": 3, \"radius\": 1}";
static const char SCHEMA[] =
    "{\"target\": [{\"name\": \"c1\", \"center\": 0, \"scale\": 1}, {\"name\": \"c2\", \"center\": 0, "
    "\"scale\": 1}, {\"name\": \"c3\", \"center\": 0, \"scale\": 1}], \"features\": [{\"name\": \"x1\", "
    "\"center\": 0, \"scale\": 1}, {\"name\": \"x2\", \"center\": 0, \"scale\": 1}, {\"name\": \"x3\", "
    "\"center\": 0, \"scale\": 1}]}";

struct tacit_wang_study {
  uint64_t seed;
  tacit_region *region;
  tacit_schema *schema;
  tacit_wang_rows *fresh;
  tacit_spo_sample *fresh_sample; /* the same rows */
  const tacit_wang_cell *cell;    /* of the run under way */
  double *loss, *beyond;          /* repetitions each */
};

void tacit_wang_study_free(tacit_wang_study *s) {
  if (!s) return;
  tacit_spo_sample_free(s->fresh_sample);
  tacit_wang_rows_free(s->fresh);
  tacit_schema_free(s->schema);
  tacit_region_free(s->region);
  free(s);
}

/* The rows as the real learners take them. */
static tacit_status as_sample(const tacit_region *region, const tacit_wang_rows *rows,
                              tacit_spo_sample **sample, tacit_error *error) {
  TACIT_TRY(tacit_spo_sample_new(region, rows->rows, D + 1, sample, error));
  for (size_t i = 0; i < rows->rows; i++) {
    double *x = (*sample)->x + i * (D + 1), *c = (*sample)->c + i * D;
    x[0] = 1;
    for (size_t j = 0; j < D; j++) {
      x[j + 1] = rows->x[j * rows->padded + i];
      c[j] = rows->c[j * rows->padded + i];
    }
  }
  return tacit_spo_sample_finish(*sample, error);
}

static tacit_status draw(uint64_t seed, tacit_purpose purpose, size_t count, size_t repetition,
                         tacit_wang_rows **rows, tacit_error *error) {
  tacit_stream stream;
  TACIT_TRY(tacit_wang_rows_new(count, rows, error));
  tacit_status status =
      tacit_study_stream(seed, purpose, (uint32_t)(count % 65536), (uint32_t)repetition, &stream, error);
  if (status != TACIT_OK) return status; /* the caller frees what was made */
  tacit_wang_rows_draw(*rows, &stream);
  tacit_stream_end(&stream);
  return TACIT_OK;
}

tacit_status tacit_wang_study_new(uint64_t seed, tacit_wang_study **study, tacit_error *error) {
  tacit_wang_study *s = *study = tacit_alloc(1, sizeof *s);
  if (!s) return tacit_no_memory(error);
  s->seed = seed;
  tacit_status status = tacit_region_parse(REGION, strlen(REGION), &s->region, error);
  if (status == TACIT_OK) status = tacit_schema_parse(SCHEMA, strlen(SCHEMA), &s->schema, error);
  if (status == TACIT_OK) status = draw(seed, TACIT_FOR_SPLITS, FRESH, 0, &s->fresh, error);
  if (status == TACIT_OK) status = as_sample(s->region, s->fresh, &s->fresh_sample, error);
  if (status == TACIT_OK) return TACIT_OK;
  tacit_wang_study_free(s);
  *study = NULL;
  return status;
}

static void run_published(const tacit_wang_study *s, const tacit_wang_rows *rows, tacit_stream *noise,
                          double *loss) {
  const tacit_wang_cell *cell = s->cell;
  static const tacit_wang_kind kinds[] = {TACIT_WANG_PLAIN, TACIT_WANG_EXPONENTIAL, TACIT_WANG_EXPONENTIAL,
                                          TACIT_WANG_GAUSSIAN};
  tacit_wang method;
  double rule[TACIT_WANG_CELLS];
  tacit_wang_init(&method, kinds[cell->way], rows->rows, cell->epsilon, cell->delta,
                  cell->way == TACIT_WANG_WAY_EVERY);
  tacit_wang_run(&method, rows, noise, rule);
  *loss = tacit_wang_loss(s->fresh, rule);
}

static tacit_status run_tacit(const tacit_wang_study *s, const tacit_wang_rows *rows, tacit_stream *noise,
                              double *loss, bool *beyond, tacit_error *error) {
  bool sound = s->cell->way == TACIT_WANG_WAY_SOUND;
  tacit_learn_options options;
  tacit_learn_options_init(&options);
  options.method = sound ? "exponential" : "default";
  if (sound) {
    options.epsilon = s->cell->epsilon;
    options.delta = s->cell->delta;
  } else {
    options.mu = s->cell->mu;
  }
  options.seeded = true;
  options.seed = tacit_stream_bits(noise);
  tacit_spo_sample *sample = NULL;
  double rule[D * (D + 1)], best;
  tacit_status status = as_sample(s->region, rows, &sample, error);
  if (status == TACIT_OK) status = tacit_spo_fit_sample(sample, s->schema, &options, rule, beyond, error);
  if (status == TACIT_OK) status = tacit_spo_sample_loss(s->fresh_sample, rule, loss, &best, error);
  tacit_spo_sample_free(sample);
  return status;
}

static tacit_status run_repetition(void *self, size_t r, tacit_error *error) {
  const tacit_wang_study *s = self;
  tacit_wang_rows *rows = NULL;
  tacit_stream noise;
  bool beyond = false;
  tacit_status status = draw(s->seed, TACIT_FOR_ROWS, s->cell->rows, r, &rows, error);
  if (status == TACIT_OK)
    status = tacit_study_stream(s->seed, TACIT_FOR_NOISE, (uint32_t)(s->cell->rows % 65536), (uint32_t)r,
                                &noise, error);
  if (status == TACIT_OK) {
    if (s->cell->way < TACIT_WANG_WAY_SOUND)
      run_published(s, rows, &noise, &s->loss[r]);
    else
      status = run_tacit(s, rows, &noise, &s->loss[r], &beyond, error);
    tacit_stream_end(&noise);
  }
  s->beyond[r] = beyond;
  tacit_wang_rows_free(rows);
  return status;
}

tacit_status tacit_wang_study_run(tacit_wang_study *s, const tacit_wang_cell *cell, size_t repetitions,
                                  tacit_part part, const tacit_context *context, tacit_wang_result *result,
                                  tacit_error *error) {
  s->loss = tacit_alloc(2 * repetitions, sizeof *s->loss);
  if (!s->loss) return tacit_no_memory(error);
  s->beyond = s->loss + repetitions;
  s->cell = cell;
  *result = (tacit_wang_result){0};
  tacit_status status = tacit_repeat(repetitions, run_repetition, s, part, context, error);
  if (status == TACIT_OK) {
    double se;
    tacit_summarise(repetitions, s->loss, 1, &result->mean, &se);
    result->variance = se * se * (double)repetitions;
    for (size_t r = 0; r < repetitions; r++) result->beyond += s->beyond[r] != 0;
  }
  free(s->loss);
  s->loss = NULL;
  return status;
}
