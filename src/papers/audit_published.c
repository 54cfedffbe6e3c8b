/* Two published methods whose promise is broken as published, for the audit to catch: Zhao, Zhou and Wang's
   Algorithm 1 with the line search of its experiments, and Wang and Qin's Algorithm 1. They take the place of
   the method that is audited. */
#include "base/base.h"
#include "num/normal.h"
#include "papers/zhao/published.h"
#include "study/audit.h"

#include <math.h>
#include <string.h>
#include <tacit/papers.h>

static tacit_status open_stream(const tacit_audit *audit, uint64_t seed, tacit_stream *stream,
                                tacit_error *error) {
  tacit_noise_source noise;
  if (audit->options->seeded)
    tacit_noise_source_seeded(&noise, seed);
  else
    tacit_noise_source_os(&noise);
  return tacit_stream_begin(&noise, stream, error);
}

/* The gradient's noise covers a row of any length, because gradients are clipped; the loss that the line
   search asks is not. A long row with a demand far out makes every step against it look bad, and steps
   towards it long: the policy leans to the side where the row is. */
static tacit_status run_line_search(const tacit_audit *audit, int table, uint64_t seed,
                                    tacit_audit_sight *sight, tacit_error *error) {
  static const double LONG = 1000, OUT = 1e6;
  enum { N = TACIT_AUDIT_ROWS, P = TACIT_AUDIT_COLUMNS };
  const tacit_audit_table *t = &audit->table[table];
  double x[P * N], y[N], noise[TACIT_PUBLISHED_STEPS * P], *b = sight->coefficients;
  size_t n = t->rows;
  for (size_t i = 0; i < n; i++) {
    bool canary = i == N - 1;
    x[i] = 1;
    for (size_t j = 1; j < P; j++) x[j * n + i] = canary ? LONG : t->column[j - 1][i];
    y[i] = canary ? copysign(OUT, t->column[P - 1][i]) : t->column[P - 1][i];
  }
  tacit_sample sample = {.rows = n, .columns = P, .targets = 1, .x = x, .y = y};
  tacit_published method;
  tacit_published_init(&method, 0.5, audit->options->mu, &sample);
  tacit_stream stream;
  TACIT_TRY(open_stream(audit, seed, &stream, error));
  for (size_t k = 0; k < TACIT_PUBLISHED_STEPS * P; k++) noise[k] = tacit_normal(&stream);
  tacit_stream_end(&stream);
  TACIT_TRY(tacit_published_run(&method, &sample, noise, b, error));
  sight->transcript = b[1] + b[2];
  return TACIT_OK;
}

/* The gradient of the smoothed SPO+ loss at B = 0 over the unit disc, for costs c = (y, 1) and features z:
   2 (w*(c) - w_s) z', with w*(c) = -c / |c| and w_s the projection of c / smoothing onto the disc. */
static void spo_gradient(const tacit_audit_table *t, double gradient[4]) {
  static const double SMOOTHING = 0.1;
  memset(gradient, 0, 4 * sizeof *gradient);
  for (size_t i = 0; i < t->rows; i++) {
    double c[2] = {t->column[2][i], 1}, length = hypot(c[0], c[1]);
    for (int k = 0; k < 4; k++) {
      double w_star = -c[k / 2] / length, w_smooth = c[k / 2] / fmax(SMOOTHING, length);
      gradient[k] += 2 * (w_star - w_smooth) * t->column[k % 2][i] / (double)t->rows;
    }
  }
}

/* Wang and Qin's Algorithm 1 with T = 2: a direction on the right side with probability e^e0 / (1 + e^e0),
   which is mu-GDP for Phi(mu / 2); but the step is as long as the gradient, without noise. */
static tacit_status run_exponential(const tacit_audit *audit, int table, uint64_t seed,
                                    tacit_audit_sight *sight, tacit_error *error) {
  static const double ETA = 0.1;
  double gradient[4], direction[4], length = 0, along = 0, moved = 0;
  spo_gradient(&audit->table[table], gradient);
  tacit_stream stream;
  TACIT_TRY(open_stream(audit, seed, &stream, error));
  tacit_direction(&stream, 4, direction);
  bool right_side = tacit_uniform(&stream) < tacit_normal_cdf(audit->options->mu / 2);
  tacit_stream_end(&stream);
  for (int k = 0; k < 4; k++) {
    length += gradient[k] * gradient[k];
    along += gradient[k] * direction[k];
  }
  double sign = (along >= 0) == right_side ? 1 : -1;
  for (int k = 0; k < 4; k++) {
    double b = -ETA * sqrt(length) * sign * direction[k] / 2; /* the average of B_1 = 0 and B_2 */
    moved += b * b;
    if (k < TACIT_AUDIT_COLUMNS) sight->coefficients[k] = b;
  }
  sight->transcript = sqrt(moved);
  return TACIT_OK;
}

static const struct {
  tacit_audit_method method;
  tacit_audit_fault fault;
} ATTACKS[] = {
    {{.name = "zhao-line-search",
      .run = run_line_search,
      .transcript = true,
      .coefficients = true,
      .outside = true,
      .canary = 8,
      .runs = 1000},
     {.name = "line-search",
      .about = "Zhao, Zhou and Wang, Algorithm 1 as published: steps chosen by the private loss"}},
    {{.name = "wang-exponential-descent",
      .run = run_exponential,
      .transcript = true,
      .outside = true,
      .canary = 8,
      .runs = 12000},
     {.name = "exponential-descent",
      .about = "Wang and Qin, Algorithm 1 as published: steps as long as the private gradient"}},
};
enum { COUNT = sizeof ATTACKS / sizeof *ATTACKS };

const char *tacit_audit_published_name(size_t index) {
  return index < COUNT ? ATTACKS[index].fault.name : NULL;
}
const char *tacit_audit_published_about(size_t index) {
  return index < COUNT ? ATTACKS[index].fault.about : NULL;
}

tacit_status tacit_audit_published(const tacit_audit_options *options, const tacit_context *context,
                                   tacit_audit_result *result, tacit_error *error) {
  for (size_t i = 0; i < COUNT; i++)
    if (options->plant && !strcmp(options->plant, ATTACKS[i].fault.name)) {
      tacit_audit audit = {.options = options,
                           .method = &ATTACKS[i].method,
                           .fault = &ATTACKS[i].fault,
                           .runs = ATTACKS[i].method.runs};
      return tacit_audit_attack(&audit, context, result, error);
    }
  return tacit_fail(error, TACIT_USAGE, "no published method of this name; tacit audit --help lists them");
}
