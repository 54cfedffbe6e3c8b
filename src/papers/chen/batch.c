/* The question of Zhao, Zhou and Wang's section 7: how the batch of noisy stochastic gradient descent must
   grow. They expect that the estimator is consistent only if m grows, and the cost of privacy negligible only
   if m^2 / n does.

     theta <- theta - eta [ (1/m) sum over the batch {Kbar((x'theta - y) / h) - tau} w + (S sigma / m) N(0, I)
   ]

   m rows without replacement, w the row on a known scale (1, x1 / 2, x2 / 3) clipped to norm B, S = max(tau,
   1 - tau) B what one row adds at most, sigma the smallest for T steps at (epsilon, delta) under replace-one.
 */
#include "loss/kernel.h"
#include "papers/chen/chen.h"
#include "privacy/sampled.h"
#include "study/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { P = TACIT_CHEN_COLUMNS, REPETITIONS = 20, LINES = 2, RULES = 5 };
static const double CLIP = 2.5, STEP = 5, BANDWIDTH = 1;
static const double UNIT[P] = {1, 2, 3};
static const size_t SIZES[] = {1000, 4000, 16000};
static const double EPSILONS[] = {1};
static const struct {
  const char *name;
  double factor, power;
} RULE[RULES] = {{"m = 25", 25, 0},
                 {"m = n^(1/3)", 1, 1.0 / 3},
                 {"m = n^(1/2)", 1, 0.5},
                 {"m = n^(2/3)", 1, 2.0 / 3},
                 {"m = n", 1, 1}};
static const char *const COLUMNS[] = {"rule",         "n",    "m",  "m2_over_n",          "steps", "sigma",
                                      "noise_sqrt_n", "risk", "se", "risk_without_noise", "times"};

typedef struct study {
  tacit_chen_problem *problem;
  size_t repetitions, rows, batch, steps;
  double epsilon, delta;
  double sigma; /* in multiples of S */
  uint64_t seed;
  double (*out)[LINES];
} study;

/* One run; sigma = 0 is without noise. The batch is the head of a shuffle that goes on. */
static void run(const study *s, const tacit_chen_rows *rows, double sigma, tacit_stream *stream,
                size_t *order, double *theta) {
  size_t n = s->rows, m = s->batch;
  double top = fmax(TACIT_CHEN_TAU, 1 - TACIT_CHEN_TAU) * CLIP, b[P] = {0};
  for (size_t i = 0; i < n; i++) order[i] = i;
  for (size_t t = 0; t < s->steps; t++) {
    double g[P] = {0};
    for (size_t k = 0; k < m; k++) {
      size_t other = k + (m < n ? tacit_stream_below(stream, n - k) : 0), i = order[other];
      order[other] = order[k];
      order[k] = i;
      const double *row = rows->x + P * i;
      double w[P], square = 0, margin = -rows->y[i];
      for (int j = 0; j < P; j++) {
        w[j] = row[j] / UNIT[j];
        square += w[j] * w[j];
        margin += w[j] * b[j];
      }
      double score = tacit_kernel_cdf(TACIT_KERNEL_GAUSSIAN, margin / BANDWIDTH) - TACIT_CHEN_TAU;
      score *= fmin(1, CLIP / sqrt(square));
      for (int j = 0; j < P; j++) g[j] += score * w[j];
    }
    for (int j = 0; j < P; j++) b[j] -= STEP / (double)m * (g[j] + top * sigma * tacit_normal(stream));
  }
  for (int j = 0; j < P; j++) theta[j] = b[j] / UNIT[j];
}

static tacit_status run_one(void *with, size_t r, tacit_error *error) {
  const study *s = with;
  tacit_chen_rows rows;
  tacit_stream draws, stream;
  double *space = NULL, theta[P];
  TACIT_TRY(tacit_study_stream(s->seed, TACIT_FOR_ROWS, 7, (uint32_t)r, &draws, error));
  TACIT_TRY(tacit_study_stream(s->seed, TACIT_FOR_NOISE, 7, (uint32_t)r, &stream, error));
  size_t *order = tacit_alloc(s->rows, sizeof *order);
  tacit_status status =
      order ? tacit_chen_table(s->problem, s->rows, &draws, &space, &rows, error) : tacit_no_memory(error);
  for (int k = 0; status == TACIT_OK && k < LINES; k++) {
    run(s, &rows, k ? 0 : s->sigma, &stream, order, theta);
    s->out[r][k] = tacit_chen_excess(s->problem, theta);
  }
  free(space);
  free(order);
  return status;
}

static tacit_status run_cell(study *s, size_t rule, tacit_part part, const tacit_context *context,
                             tacit_report *report, tacit_error *error) {
  double n = (double)s->rows, mean[LINES], se[LINES];
  s->batch = (size_t)fmin(n, ceil(RULE[rule].factor * pow(n, RULE[rule].power) - 1e-9));
  s->steps = (size_t)ceil(6 * log(n));
  double m = (double)s->batch;
  const tacit_sampled sampled = {0, fmin(1, nextafter(m / n, 2)), s->steps, TACIT_SAMPLING_FIXED,
                                 TACIT_REPLACE_ONE};
  TACIT_TRY(tacit_sampled_sigma(&sampled, s->epsilon, s->delta, &s->sigma, error));
  TACIT_TRY(tacit_repeat(s->repetitions, run_one, s, part, context, error));
  for (int k = 0; k < LINES; k++) tacit_summarise(s->repetitions, &s->out[0][k], LINES, &mean[k], &se[k]);
  const double line[] = {n,       m,     m * m / n, (double)s->steps, s->sigma, s->sigma / m * sqrt(n),
                         mean[0], se[0], mean[1],   mean[0] / mean[1]};
  return tacit_report_add(report, &RULE[rule].name, line, error);
}

static tacit_status run_all(study *s, const tacit_reproduce_options *options, const tacit_context *context,
                            tacit_report *report, tacit_error *error) {
  const tacit_chen_grid g = tacit_chen_grid_of(options, SIZES, sizeof SIZES / sizeof *SIZES, EPSILONS, 1);
  s->epsilon = g.epsilons[0];
  s->delta = g.delta;
  for (size_t at = 0; at < RULES * g.row_count; at++) {
    size_t rule = at / g.row_count;
    s->rows = g.rows[at % g.row_count];
    TACIT_TRY(
        run_cell(s, rule, tacit_part_of(RULE[rule].name, at, RULES * g.row_count), context, report, error));
  }
  tacit_report_note(report,
                    "How the batch m must grow (Zhao, Zhou and Wang, section 7): T = 6 ln n steps of size "
                    "%g on Chen and Chua's demand with d = 3, batches without replacement, the noise the "
                    "smallest for (%g, %g) under replace-one by exact accounting, %zu repetitions; in "
                    "floating point, no certificate. noise_sqrt_n is a step's noise over the sampling "
                    "error's order 1 / sqrt(n): they expect privacy to cost nothing in the limit where it "
                    "falls, which needs m^2 / n to grow, and consistency where sigma / m falls, which "
                    "needs m to grow. risk is the relative excess risk; times, how much larger than the "
                    "same descent's without noise, whose batches err by themselves. Consistency is a "
                    "statement about limits that no table proves.",
                    STEP, s->epsilon, s->delta, s->repetitions);
  return TACIT_OK;
}

tacit_status tacit_reproduce_chen_batch(const tacit_reproduce_options *options, const tacit_context *context,
                                        tacit_report **report, tacit_error *error) {
  study s = {.repetitions = tacit_repetitions(options, REPETITIONS), .seed = options->seed};
  s.problem = tacit_alloc(1, sizeof *s.problem);
  s.out = tacit_alloc(s.repetitions, sizeof *s.out);
  tacit_status status = s.problem && s.out ? TACIT_OK : tacit_no_memory(error);
  if (status == TACIT_OK) status = tacit_chen_problem_init(s.problem, P, options->endogenous, error);
  if (status == TACIT_OK)
    status = tacit_report_new("chen-batch", 1, sizeof COLUMNS / sizeof *COLUMNS - 1, COLUMNS, report, error);
  if (status == TACIT_OK) status = run_all(&s, options, context, *report, error);
  free(s.problem);
  free(s.out);
  return status;
}
