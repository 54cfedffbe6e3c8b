/* Ten awkward problems for a learner.

     known scales   z ~ N(0, I),  y = 20 + z1 + z2 + z3 + z4 + 2 N(0, 1)
     bounded        t ~ N(0.1, 0.3^2), l ~ N(-0.3, 0.2^2), w = 1 on 2 days of 7, r = 1 on 1 of 20, rest U(-1,
   1), y = floor(24 exp(0.3 t + 0.5 (l + 0.3) + 0.25 w + 0.3 r + 0.2 N(0, 1)))                    */
#include "papers/stress_problems.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* n and mu are such that slopes are learned in every problem that has them: n mu >= 20 + 2 d. */
const tacit_stress tacit_stresses[TACIT_STRESSES] = {
    {"p = 1", TACIT_STRESS_PLAIN, 0, 500, 0.75, 0.5},
    {"p = 200", TACIT_STRESS_PLAIN, 199, 2000, 0.75, 0.5},
    {"tau = 0.99", TACIT_STRESS_PLAIN, 4, 500, 0.99, 0.5},
    {"collinear columns", TACIT_STRESS_COLLINEAR, 6, 500, 0.75, 0.5},
    {"constant column", TACIT_STRESS_CONSTANT, 5, 500, 0.75, 0.5},
    {"bounds x 100", TACIT_STRESS_WIDE, 4, 500, 0.75, 0.5},
    {"demand 0 or 1", TACIT_STRESS_BINARY, 4, 500, 0.75, 0.5},
    {"heavy tails", TACIT_STRESS_HEAVY, 4, 500, 0.75, 0.5},
    {"n = 50", TACIT_STRESS_PLAIN, 4, 50, 0.75, 1},
    {"mu = 0.05", TACIT_STRESS_PLAIN, 4, 1000, 0.75, 0.05},
};
enum { SIGNAL = 4 }; /* features that matter */

static void set_bounds(tacit_stress_problem *p) {
  p->low = p->known ? -20 : 0;
  p->high = p->known ? 60 : 100;
  if (p->stress->shape == TACIT_STRESS_BINARY) p->low = 0, p->high = 1;
  if (p->stress->shape == TACIT_STRESS_HEAVY) p->low = -500, p->high = 500;
  if (p->stress->shape == TACIT_STRESS_WIDE) p->low *= 100, p->high *= 100;
}

static tacit_status make_schema(tacit_stress_problem *p, size_t features, tacit_schema **schema,
                                tacit_error *error) {
  char text[TACIT_STRESS_FEATURES * 56 + 128];
  double reach = p->stress->shape == TACIT_STRESS_WIDE ? 100 : 1;
  int used = snprintf(text, sizeof text,
                      "{\"target\": {\"name\": \"y\", \"min\": %.0f, \"max\": %.0f}, \"features\": [", p->low,
                      p->high);
  for (size_t j = 0; j < features; j++) {
    const char *comma = j ? "," : "", *name = p->name[j];
    if (p->known)
      used += snprintf(text + used, sizeof text - (size_t)used,
                       "%s{\"name\": \"%s\", \"center\": 0, \"scale\": 1}", comma, name);
    else
      used += snprintf(text + used, sizeof text - (size_t)used,
                       "%s{\"name\": \"%s\", \"min\": %.0f, \"max\": %.0f}", comma, name, -reach, reach);
  }
  used += snprintf(text + used, sizeof text - (size_t)used, "]}");
  return tacit_schema_parse(text, (size_t)used, schema, error);
}

tacit_status tacit_stress_open(const tacit_stress *stress, bool known, tacit_stress_problem *problem,
                               tacit_error *error) {
  *problem = (tacit_stress_problem){.stress = stress, .known = known, .features = stress->features};
  for (size_t j = 0; j < problem->features; j++) {
    snprintf(problem->name[j], sizeof problem->name[j], "x%u", (unsigned)j + 1);
    problem->names[j] = problem->name[j];
  }
  problem->names[problem->features] = "y";
  set_bounds(problem);
  TACIT_TRY(make_schema(problem, problem->features, &problem->with, error));
  return make_schema(problem, 0, &problem->without, error);
}

void tacit_stress_close(tacit_stress_problem *problem) {
  tacit_schema_free(problem->with);
  tacit_schema_free(problem->without);
}

static double draw_known(tacit_stress_shape shape, size_t features, tacit_stream *stream, double *x) {
  double sum = 0;
  for (size_t j = 0; j < features; j++) x[j] = tacit_normal(stream);
  for (size_t j = 0; j < SIGNAL && j < features; j++) sum += x[j];
  double e = shape == TACIT_STRESS_HEAVY ? tacit_student(stream, 1) : tacit_normal(stream);
  return shape == TACIT_STRESS_BINARY ? sum + 2 * e > 0 : 20 + sum + 2 * e;
}

static double draw_bounded(tacit_stress_shape shape, size_t features, tacit_stream *stream, double *x) {
  double s[SIGNAL] = {0.1 + 0.3 * tacit_normal(stream), -0.3 + 0.2 * tacit_normal(stream),
                      tacit_uniform(stream) < 2.0 / 7, tacit_uniform(stream) < 0.05};
  for (size_t j = 0; j < features; j++)
    x[j] = fmax(-1, fmin(1, j < SIGNAL ? s[j] : 2 * tacit_uniform(stream) - 1));
  double e = shape == TACIT_STRESS_HEAVY ? tacit_student(stream, 1) : tacit_normal(stream);
  double log_mean = 0.3 * s[0] + 0.5 * (s[1] + 0.3) + 0.25 * s[2] + 0.3 * s[3];
  if (shape == TACIT_STRESS_BINARY) return 1.5 * s[0] + 2 * (s[1] + 0.3) + e > 0;
  return shape == TACIT_STRESS_HEAVY ? 20 + 4 * s[0] + 2 * e : floor(24 * exp(log_mean + 0.2 * e));
}

tacit_status tacit_stress_draw(const tacit_stress_problem *problem, tacit_stream *stream, size_t rows,
                               double **space, const double **values, tacit_study_table *table,
                               tacit_error *error) {
  size_t d = problem->features;
  tacit_stress_shape shape = problem->stress->shape;
  double x[TACIT_STRESS_FEATURES] = {0}, *out = *space = tacit_alloc((d + 1) * rows, sizeof *out);
  if (!out) return tacit_no_memory(error);
  for (size_t i = 0; i < rows; i++) {
    double y = (problem->known ? draw_known : draw_bounded)(shape, d, stream, x);
    if (shape == TACIT_STRESS_COLLINEAR) x[SIGNAL] = x[0], x[SIGNAL + 1] = x[0] + x[1];
    if (shape == TACIT_STRESS_CONSTANT) x[SIGNAL] = 0.5;
    for (size_t j = 0; j < d; j++) out[j * rows + i] = x[j];
    out[d * rows + i] = y;
  }
  for (size_t j = 0; j <= d; j++) values[j] = out + j * rows;
  *table = (tacit_study_table){problem->with, rows, d + 1, problem->names, values, NULL};
  return TACIT_OK;
}
