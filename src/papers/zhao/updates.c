/* Zhao, Zhou and Wang's Table 1 with either update and either start: eq. (7), which is what a user without
   Sigma runs, or eq. (6), which whitens by the true Sigma; from 0, or from a random point of the unit sphere.

   Eq. (6) is eq. (7) in the coordinates Sigma^(1/2) b, with rows Sigma^(-1/2) x. */
#include "num/linalg.h"
#include "papers/zhao/published.h"
#include "papers/zhao/trials.h"

#include "base/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { P = TACIT_ZHAO_COLUMNS, WAYS = 4, REPETITIONS = 300 };
static const char *const COLUMNS[] = {"errors",        "mu",         "paper",        "eq7",
                                      "eq7_se",        "eq6",        "eq6_se",       "eq7_sphere",
                                      "eq7_sphere_se", "eq6_sphere", "eq6_sphere_se"};
enum { TEXTS = 1, NUMBERS = sizeof COLUMNS / sizeof *COLUMNS - TEXTS };
static const double TAU = 0.5;

typedef struct study {
  tacit_zhao_cell cell;
  uint64_t seed;
  double root[P * P]; /* Sigma^(-1/2) */
  double (*out)[WAYS * TACIT_STEP_SIZES];
} study;

static bool set_root(double root[P * P]) {
  for (int j = 0; j < P; j++)
    for (int k = 0; k < P; k++) root[j * P + k] = j && k ? pow(0.5, abs(j - k)) : j == k ? 1 : 0;
  return tacit_inverse_root(P, root, root);
}

static void whiten(const double root[P * P], tacit_sample *sample) {
  for (size_t i = 0; i < sample->rows; i++) {
    double x[P];
    for (int j = 0; j < P; j++) x[j] = sample->x[(size_t)j * sample->rows + i];
    for (int j = 0; j < P; j++) {
      double sum = 0;
      for (int k = 0; k < P; k++) sum += root[j * P + k] * x[k];
      sample->x[(size_t)j * sample->rows + i] = sum;
    }
  }
}

/* One update at all steps from both starts; the rows are whitened where `six` says so. */
static tacit_status run_update(const study *s, const tacit_sample *sample, bool six, const double *g,
                               const double start[P], double *out, tacit_error *error) {
  tacit_published method;
  tacit_published_init(&method, TAU, s->cell.mu, sample);
  for (int sphere = 0; sphere < 2; sphere++)
    for (int k = 0; k < TACIT_STEP_SIZES; k++) {
      double b[P], own[P];
      method.step = k + 1;
      method.start = sphere ? start : NULL;
      TACIT_TRY(tacit_published_run(&method, sample, g, b, error));
      memcpy(own, b, sizeof own);
      for (int i = 0; six && i < P; i++) {
        own[i] = 0;
        for (int j = 0; j < P; j++) own[i] += s->root[i * P + j] * b[j];
      }
      out[(2 * sphere + six) * TACIT_STEP_SIZES + k] = tacit_zhao_regret(s->cell.law, TAU, own);
    }
  return TACIT_OK;
}

static tacit_status run_one(void *with, size_t r, tacit_error *error) {
  const study *s = with;
  tacit_sample *sample = NULL;
  tacit_stream stream;
  double g[TACIT_PUBLISHED_STEPS * P], start[P], square = 0;
  TACIT_TRY(tacit_study_stream(s->seed, TACIT_FOR_ROWS, s->cell.law, (uint32_t)r, &stream, error));
  TACIT_TRY(tacit_zhao_sample(&stream, s->cell.law, s->cell.rows, &sample, error));
  tacit_status status =
      tacit_study_stream(s->seed, TACIT_FOR_NOISE, s->cell.law, (uint32_t)r, &stream, error);
  for (size_t k = 0; k < TACIT_PUBLISHED_STEPS * P; k++) g[k] = tacit_normal(&stream);
  for (int j = 0; j < P; j++) {
    start[j] = tacit_normal(&stream);
    square += start[j] * start[j];
  }
  for (int j = 0; j < P; j++) start[j] /= sqrt(square);
  if (status == TACIT_OK) status = run_update(s, sample, false, g, start, s->out[r], error);
  whiten(s->root, sample);
  if (status == TACIT_OK) status = run_update(s, sample, true, g, start, s->out[r], error);
  tacit_sample_free(sample);
  return status;
}

static tacit_status add_row(const study *s, size_t repetitions, tacit_report *report, tacit_error *error) {
  const char *label = tacit_zhao_label(s->cell.law);
  tacit_zhao_row row;
  tacit_zhao_trial none = {.beyond = 0};
  tacit_zhao_summarise(&s->cell, 1, &none, &row); /* for the paper's figure */
  double line[NUMBERS] = {s->cell.mu > 0 ? s->cell.mu : NAN, row.paper};
  for (int w = 0; w < WAYS; w++) {
    double best = INFINITY, best_se = 0, mean, se;
    for (int k = 0; k < TACIT_STEP_SIZES; k++) {
      tacit_summarise(repetitions, &s->out[0][w * TACIT_STEP_SIZES + k], WAYS * TACIT_STEP_SIZES, &mean, &se);
      if (mean < best) best = mean, best_se = se;
    }
    line[2 + 2 * w] = best;
    line[3 + 2 * w] = best_se;
  }
  return tacit_report_add(report, &label, line, error);
}

static tacit_status fill(study *s, size_t repetitions, const tacit_context *context, tacit_report *report,
                         tacit_error *error) {
  size_t at = 0, cells = TACIT_ZHAO_LAWS * TACIT_ZHAO_MUS;
  for (int law = 0; law < TACIT_ZHAO_LAWS; law++)
    for (int m = 0; m < TACIT_ZHAO_MUS; m++, at++) {
      s->cell = (tacit_zhao_cell){(tacit_zhao_law)law, TAU, tacit_zhao_mus[m], TACIT_ZHAO_ROWS, false};
      TACIT_TRY(tacit_repeat(repetitions, run_one, s, tacit_part_of(tacit_zhao_label(s->cell.law), at, cells),
                             context, error));
      TACIT_TRY(add_row(s, repetitions, report, error));
    }
  tacit_report_note(
      report,
      "Algorithm 1 as in zhao-table1 (n = 400, T = 10, B = 2, tau = 0.5, %zu repetitions), each figure "
      "at its best fixed step of 1, 2, 3, 4. eq6 knows the true second moment of the features; in "
      "eq7 rows are used as they are. The start is 0 or, in the last columns, a random point of the "
      "unit sphere.",
      repetitions);
  return TACIT_OK;
}

tacit_status tacit_reproduce_zhao_updates(const tacit_reproduce_options *options,
                                          const tacit_context *context, tacit_report **report,
                                          tacit_error *error) {
  size_t repetitions = tacit_repetitions(options, REPETITIONS);
  study s = {.seed = options->seed};
  s.out = tacit_alloc(repetitions, sizeof *s.out);
  if (!s.out) return tacit_no_memory(error);
  tacit_status status = set_root(s.root) ? TACIT_OK : tacit_no_memory(error);
  if (status == TACIT_OK) status = tacit_report_new("zhao-updates", TEXTS, NUMBERS, COLUMNS, report, error);
  if (status == TACIT_OK) status = fill(&s, repetitions, context, *report, error);
  free(s.out);
  return status;
}
