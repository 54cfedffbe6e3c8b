/* tacit's own learners on Chen and Chua's problems, as a user would call them. */
#include "papers/chen/learner.h"

#include "base/base.h"
#include "method/fit.h"
#include "study/chen_simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An encoded feature is x / scale, the encoded target (y - 10) / 50. */
static const double TARGET_CENTRE = 10, TARGET_HALF = 50;

static double scale_of(size_t columns, size_t j) {
  if (columns == TACIT_CHEN_WIDE) return 0.376; /* 50^(-1/4), to three digits */
  return j == 1 ? 2 : 3;
}

tacit_status tacit_chen_learner_init(tacit_chen_learner *learner, const tacit_chen_problem *problem,
                                     const char *method, double mu, tacit_error *error) {
  *learner = (tacit_chen_learner){.method = method, .mu = mu, .columns = problem->columns};
  bool wide = problem->columns == TACIT_CHEN_WIDE;
  const char *text = tacit_chen_schema(wide);
  for (size_t j = 1; j < problem->columns; j++)
    snprintf(learner->names[j - 1], sizeof *learner->names, "x%zu", wide ? j + 1 : j);
  snprintf(learner->names[problem->columns - 1], sizeof *learner->names, "y");
  return tacit_schema_parse(text, strlen(text), &learner->schema, error);
}

void tacit_chen_learner_clear(tacit_chen_learner *learner) {
  tacit_schema_free(learner->schema);
  learner->schema = NULL;
}

static tacit_status learn(const tacit_chen_learner *l, size_t rows, const double *space, uint64_t seed,
                          tacit_fit **fit, tacit_error *error) {
  const char *names[TACIT_CHEN_WIDE];
  const double *values[TACIT_CHEN_WIDE];
  static const double tau = TACIT_CHEN_TAU;
  tacit_source *source = NULL;
  tacit_context context; /* repetitions run side by side, each on one thread */
  tacit_learn_options options;
  tacit_learn_options_init(&options);
  options.method = l->method;
  options.quantiles = &tau;
  options.quantile_count = 1;
  const tacit_method *method = tacit_method_find(l->method, false);
  if (method && tacit_method_promise(method) == TACIT_PROMISE_GAUSSIAN) {
    options.mu = l->mu;
  } else {
    options.epsilon = l->epsilon;
    options.delta = l->delta;
  }
  if (!strcmp(l->method, "sgd")) { /* Chen and Chua's Algorithm 1: one record a step, n^2 steps */
    options.sgd.batch = 1;
    options.sgd.steps = rows * rows;
  }
  options.seeded = true;
  options.seed = seed;
  tacit_context_init(&context);
  context.threads = 1;
  for (size_t j = 0; j < l->columns; j++) {
    names[j] = l->names[j];
    values[j] = space + j * rows;
  }
  TACIT_TRY(tacit_source_columns(rows, l->columns, names, values, NULL, &source, error));
  tacit_status status = tacit_learn(l->schema, source, &options, &context, fit, error);
  tacit_source_free(source);
  return status;
}

void tacit_chen_learner_columns(const tacit_chen_rows *rows, double *space) {
  size_t n = rows->rows, d = rows->columns;
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 1; j < d; j++) space[(j - 1) * n + i] = rows->x[i * d + j];
    space[(d - 1) * n + i] = rows->y[i];
  }
}

tacit_status tacit_chen_learner_learn(const tacit_chen_learner *l, size_t rows, const double *space,
                                      uint64_t seed, double *theta, tacit_error *error) {
  tacit_fit *fit = NULL;
  TACIT_TRY(learn(l, rows, space, seed, &fit, error));
  const tacit_rule rule = tacit_fit_rule(fit, 0, 1);
  if (!tacit_rule_is_linear(&rule)) {
    tacit_fit_free(fit);
    return tacit_fail(error, TACIT_USAGE, "the risk is computed for linear rules; learn without a spread");
  }
  const double *b = rule.coefficients;
  theta[0] = TARGET_CENTRE + TARGET_HALF * b[0];
  for (size_t j = 1; j < l->columns; j++) theta[j] = TARGET_HALF * b[j] / scale_of(l->columns, j);
  tacit_fit_free(fit);
  return TACIT_OK;
}

tacit_status tacit_chen_learner_run(const tacit_chen_learner *l, const tacit_chen_rows *rows, uint64_t seed,
                                    double *theta, tacit_error *error) {
  double *space = tacit_alloc(rows->rows * l->columns, sizeof *space);
  if (!space) return tacit_no_memory(error);
  tacit_chen_learner_columns(rows, space);
  tacit_status status = tacit_chen_learner_learn(l, rows->rows, space, seed, theta, error);
  free(space);
  return status;
}
