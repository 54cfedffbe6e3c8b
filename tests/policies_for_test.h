/* Policies of every method with many combinations of options, made by the learners with real noise, for tests
   that hold verification against all of them. */
#ifndef TACIT_TESTS_POLICIES_FOR_TEST_H
#define TACIT_TESTS_POLICIES_FOR_TEST_H

#include "learn/task.h"
#include "policy/policy.h"

#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define KNOWN_A "{\"name\": \"a\", \"center\": 0, \"scale\": 1}"
#define KNOWN_B "{\"name\": \"b\", \"center\": 0.5, \"scale\": 2}"
#define Y "{\"name\": \"y\", \"center\": 0, \"scale\": 2.5}"
#define Z "{\"name\": \"z\", \"min\": -40, \"max\": 60}"
static const char *const SCHEMAS[] = {
    /* one target on a known scale; one that is bounded, columns whose scale is not known */
    "{\"target\": " Y ", \"features\": [" KNOWN_A ", " KNOWN_B "]}",
    "{\"target\": " Z ", \"features\": [{\"name\": \"a\", \"min\": -1, \"max\": 1}, {\"name\": \"b\", "
    "\"transform\": \"spline\", \"knots\": 2, \"min\": -3, \"max\": 4}]}",
    /* two of them; units of two rows, and a public number of rows; everything else that a schema can say */
    "{\"target\": [" Y ", " Z "], \"features\": [" KNOWN_A "]}",
    "{\"target\": " Y ", \"nominal_rows\": 250, \"features\": [" KNOWN_B
    "], \"unit\": {\"rows_per_unit\": 2}}",
    "{\"features\": [" KNOWN_A "], \"target\": " Y
    ", \"clip_norm\": 1.25, \"second_moment\": [[1, 0.1], [0.1, "
    "2]], \"unit\": {\"rows_per_unit\": 1}}",
    /* far out: most demand has one value */
    "{\"target\": {\"name\": \"rare\", \"min\": 0, \"max\": 1000}, \"features\": [" KNOWN_A "]}",
    /* two costs of a decision, of known and unknown scale */
    "{\"target\": [{\"name\": \"z\", \"center\": 0, \"scale\": 3}, " Y "], \"features\": [" KNOWN_A
    "], \"clip_norm\": 3}",
    /* a category beside a column whose scale is not known */
    "{\"target\": " Z ", \"features\": [{\"name\": \"a\", \"min\": -1, \"max\": 1}, {\"name\": \"c\", "
    "\"levels\": [\"0\", \"1\", \"2\"]}]}",
    /* features are public; and targets move by a limited amount */
    "{\"target\": " Z ", \"features\": [" KNOWN_A ", " KNOWN_B "], \"private\": \"target\"}",
    "{\"target\": [" Y ", " Z "], \"features\": [" KNOWN_A
    "], \"private\": \"target\", \"unit\": {\"rows_per_unit\": 3, \"change\": 0.125}}",
};
enum { ONE, WIDE, TWO, UNITS, PUBLIC, FAR, COSTS, LEVELS, OPEN, LIMITED, MADE_ROWS = 240 };
static const char MADE_REGION[] = "{\"kind\": \"box\", \"min\": [-1, 0], \"max\": [1, 1.5]}";

/* A policy to be made. */
typedef struct made {
  int schema;
  tacit_learn_options options;
  bool spo, result_rows, several;
  double tau;
} made;

static const made MADE[] = {
    {.schema = ONE, .options = {.method = "median-newton"}},
    {.schema = WIDE, .options = {.method = "median-newton"}, .tau = 0.9},
    {.schema = TWO, .options = {.method = "median-newton"}},
    {.schema = UNITS, .options = {.method = "median-newton", .adjacency = TACIT_ADD_REMOVE}},
    {.schema = ONE, .options = {.method = "median-newton", .mu = 0.05}},
    {.schema = ONE, .options = {.method = "median-newton", .mu = 5}, .tau = 0.5},
    {.schema = ONE,
     .options = {.method = "median-newton", .adjacency = TACIT_ADD_REMOVE, .nominal_rows = 300},
     .result_rows = true},
    {.schema = FAR, .options = {.method = "median-newton", .mu = 8}, .tau = 0.97},
    {.schema = ONE, .options = {.method = "noisy-gd", .noisy_gd = {.steps = 4}}},
    {.schema = TWO, .options = {.method = "noisy-gd", .noisy_gd = {.steps = 3}}},
    {.schema = TWO,
     .options = {.method = "noisy-gd", .noisy_gd = {.preset = "zhao", .start = "sphere"}},
     .tau = 0.8},
    {.schema = TWO,
     .options = {.method = "noisy-gd",
                 .noisy_gd = {.steps = 2, .step_size = 0.3, .bandwidth = 0.7, .kernel = "uniform"}}},
    {.schema = PUBLIC,
     .options = {.method = "noisy-gd", .noisy_gd = {.whiten = true, .growth = 1, .steps = 9, .average = 2}}},
    {.schema = UNITS,
     .options = {.method = "noisy-gd",
                 .noisy_gd = {.growth = 0.8, .steps = 3, .kernel = "laplacian", .clip_norm = 0.5}}},
    {.schema = UNITS,
     .options = {.method = "noisy-gd",
                 .adjacency = TACIT_ADD_REMOVE,
                 .nominal_rows = 111,
                 .noisy_gd = {.steps = 2}}},
    {.schema = ONE, .options = {.method = "gradient"}},
    {.schema = TWO,
     .options = {.method = "gradient",
                 .gradient = {.steps = 50, .theta_bound = 3, .kernel = "epanechnikov"}}},
    {.schema = TWO, .options = {.method = "gradient", .gradient = {.steps = 7}}},
    {.schema = TWO, .options = {.method = "gradient", .gradient = {.steps = 7, .bandwidth = 0.25}}},
    {.schema = ONE,
     .options = {.method = "gradient", .gradient = {.steps = 1, .clip_norm = 1e-5, .theta_bound = 1e4}}},
    {.schema = ONE, .options = {.method = "objective"}},
    {.schema = TWO, .options = {.method = "objective"}},
    {.schema = TWO,
     .options = {.method = "objective", .objective = {.preset = "part-2", .kernel = "triangular"}}},
    {.schema = TWO, .options = {.method = "objective", .objective = {.bandwidth = 1, .theta_bound = 1}}},
    {.schema = TWO, .options = {.method = "objective", .objective = {.lambda = 0.5}}},
    {.schema = TWO,
     .options = {.method = "objective",
                 .objective = {.lambda = 0.5, .bandwidth = 1e9, .kernel = "gaussian"}}},
    {.schema = ONE,
     .options = {.method = "objective",
                 .adjacency = TACIT_ADD_REMOVE,
                 .nominal_rows = 200,
                 .objective = {.clip_norm = 2}}},
    {.schema = ONE, .options = {.method = "sgd", .sgd = {.steps = 25}}},
    {.schema = TWO, .options = {.method = "sgd", .sgd = {.steps = 20, .batch = 7, .kernel = "logistic"}}},
    {.schema = TWO, .options = {.method = "sgd", .sgd = {.steps = 20, .rate = 0.05, .theta_bound = 2}}},
    {.schema = TWO,
     .options = {.method = "sgd", .sgd = {.steps = 5, .rate = 0.3, .step_size = 0.1, .bandwidth = 2}}},
    {.schema = ONE,
     .options = {.method = "sgd",
                 .adjacency = TACIT_ADD_REMOVE,
                 .nominal_rows = 240,
                 .sgd = {.steps = 30, .rate = 1}}},
    {.schema = COSTS, .options = {.method = "default"}, .spo = true},
    {.schema = TWO,
     .options = {.method = "gaussian",
                 .spo_gaussian = {.steps = 3, .growth = 1, .clip_norm = 2, .average = 1}},
     .spo = true},
    {.schema = COSTS,
     .options = {.method = "gaussian", .spo_gaussian = {.steps = 5, .step_size = 0.2, .growth = 1.5}},
     .spo = true},
    {.schema = COSTS,
     .options = {.method = "gaussian",
                 .adjacency = TACIT_ADD_REMOVE,
                 .nominal_rows = 99,
                 .spo_gaussian = {.steps = 4}},
     .spo = true},
    {.schema = COSTS, .options = {.method = "least-squares"}, .spo = true},
    {.schema = TWO,
     .options = {.method = "least-squares", .adjacency = TACIT_ADD_REMOVE, .nominal_rows = 99},
     .spo = true},
    {.schema = COSTS, .options = {.method = "exponential"}, .spo = true},
    {.schema = TWO,
     .options = {.method = "exponential", .spo_exponential = {.steps = 3, .average = 3, .step_size = 0.25}},
     .spo = true},
    {.schema = ONE, .options = {.method = "follow"}},
    {.schema = LEVELS, .options = {.method = "follow", .mu = 2}, .tau = 0.5},
    {.schema = UNITS, .options = {.method = "follow", .adjacency = TACIT_ADD_REMOVE}, .tau = 0.9},
    /* these two have several quantiles of one target, the median and that */
    {.schema = LEVELS, .options = {.method = "location-scale", .mu = 2}, .tau = 0.9, .several = true},
    {.schema = ONE, .options = {.method = "noisy-gd", .noisy_gd = {.steps = 4}}, .tau = 0.8, .several = true},
    /* these two say how sure they are */
    {.schema = LEVELS, .options = {.method = "location-scale", .location_scale = {true}}, .tau = 0.5},
    {.schema = ONE, .options = {.method = "location-scale", .mu = 2, .location_scale = {true}}, .tau = 0.9},
    {.schema = ONE, .options = {.method = "location-scale"}, .tau = 0.9},
    {.schema = LEVELS, .options = {.method = "location-scale"}, .tau = 0.9},
    {.schema = TWO, .options = {.method = "location-scale"}, .tau = 0.05},
    {.schema = UNITS, .options = {.method = "location-scale", .adjacency = TACIT_ADD_REMOVE}, .tau = 0.8},
    {.schema = ONE, .options = {.method = "location-scale", .mu = 5}, .tau = 0.5},
    {.schema = WIDE,
     .options = {.method = "location-scale", .adjacency = TACIT_ADD_REMOVE, .nominal_rows = 300},
     .result_rows = true},
    {.schema = FAR, .options = {.method = "location-scale", .mu = 8}, .tau = 0.97},
    {.schema = LEVELS, .options = {.method = "location-scale", .mu = 0.05}, .tau = 0.9},
    {.schema = OPEN, .options = {.method = "location-scale", .mu = 2}, .tau = 0.9},
    {.schema = OPEN, .options = {.method = "bounded-change"}, .tau = 0.9},
    {.schema = LIMITED, .options = {.method = "bounded-change"}},
    {.schema = ONE, .options = {.method = "bisection"}},
    {.schema = TWO, .options = {.method = "bisection", .mu = 3}, .tau = 0.9},
    {.schema = UNITS, .options = {.method = "bisection", .adjacency = TACIT_ADD_REMOVE}},
};
enum { MADE_COUNT = sizeof MADE / sizeof *MADE };

static tacit_source *made_table(void) {
  static double a[MADE_ROWS], b[MADE_ROWS], y[MADE_ROWS], z[MADE_ROWS], rare[MADE_ROWS], c[MADE_ROWS];
  static const char *const names[] = {"a", "b", "y", "z", "rare", "c"};
  static const double *const columns[] = {a, b, y, z, rare, c};
  tacit_source *source;
  for (int i = 0; i < MADE_ROWS; i++) {
    a[i] = sin(i), b[i] = cos(3.0 * i), y[i] = a[i] + b[i] / 2 + sin(7.0 * i), z[i] = 10 * y[i];
    rare[i] = i % 10 ? 0 : 900, c[i] = i * 7 % 10 % 3;
  }
  assert_int_equal(tacit_source_columns(MADE_ROWS, 6, names, columns, NULL, &source, NULL), TACIT_OK);
  return source;
}

/* The guarantee is mu = 0.8 or as asked, or (2, 1e-5). */
static tacit_learn_options made_options(const made *m, const tacit_region *region) {
  tacit_learn_options options = m->options;
  options.size = sizeof options;
  options.region = region;
  bool pair = tacit_method_promise(tacit_method_find(options.method, region)) == TACIT_PROMISE_PAIR;
  if (!pair && options.mu == 0) options.mu = 0.8;
  if (pair) options.epsilon = 2, options.delta = 1e-5;
  return options;
}

static tacit_policy *make_order(const made *m, const tacit_schema *schema, tacit_source *source,
                                tacit_error *error) {
  tacit_learn_options options = made_options(m, NULL);
  double tau = m->tau > 0 ? m->tau : 0.7, taus[] = {tau, 0.4};
  tacit_goal goals[] = {{.quantile = tau}, {.quantile = 0.4, .underage = 2, .overage = 3}};
  if (m->several) {
    taus[0] = goals[0].quantile = 0.5;
    taus[1] = tau;
    goals[1] = (tacit_goal){.quantile = tau};
  }
  tacit_fit *fit;
  tacit_policy *policy = NULL;
  options.quantiles = taus;
  options.quantile_count = m->several ? 2 : tacit_schema_targets(schema);
  if (tacit_learn(schema, source, &options, NULL, &fit, error) != TACIT_OK) return NULL;
  fit->certificate->result_rows = m->result_rows;
  if (tacit_policy_from_fit(schema, NULL, fit, goals, &policy, error) != TACIT_OK) policy = NULL;
  tacit_fit_free(fit);
  return policy;
}

static tacit_policy *make_decision(const made *m, const tacit_schema *schema, tacit_source *source,
                                   tacit_error *error) {
  tacit_region *region;
  tacit_fit *fit;
  tacit_policy *policy = NULL;
  assert_int_equal(tacit_region_parse(MADE_REGION, strlen(MADE_REGION), &region, NULL), TACIT_OK);
  const tacit_learn_options options = made_options(m, region);
  if (tacit_learn(schema, source, &options, NULL, &fit, error) == TACIT_OK) {
    assert_int_equal(tacit_spo_policy_new(schema, region, fit->coefficients, fit->certificate, &policy, NULL),
                     TACIT_OK);
    tacit_fit_free(fit);
  }
  tacit_region_free(region);
  return policy;
}

/* To be freed by the caller. */
static tacit_policy *make_policy(const made *m) {
  tacit_error error = {""};
  tacit_schema *schema;
  if (tacit_schema_parse(SCHEMAS[m->schema], strlen(SCHEMAS[m->schema]), &schema, &error) != TACIT_OK)
    fail_msg("%s", error.text);
  tacit_source *source = made_table();
  tacit_policy *policy =
      m->spo ? make_decision(m, schema, source, &error) : make_order(m, schema, source, &error);
  if (!policy) fail_msg("%s %d: %s", m->options.method, (int)(m - MADE), error.text);
  tacit_source_free(source);
  tacit_schema_free(schema);
  return policy;
}

static json_t *policy_json(const tacit_policy *policy) {
  char *text = tacit_policy_text(policy);
  json_t *json = json_loads(text, 0, NULL);
  assert_non_null(json);
  free(text);
  return json;
}

/* The same as JSON, made once; a copy, to be freed by the caller. */
static json_t *made_json(size_t i) {
  static json_t *made_before[MADE_COUNT];
  if (!made_before[i]) {
    tacit_policy *policy = make_policy(&MADE[i]);
    made_before[i] = policy_json(policy);
    tacit_policy_free(policy);
  }
  return json_deep_copy(made_before[i]);
}

/* Fewer under slow tools. */
static size_t made_step(void) {
  return getenv("TACIT_QUICK") ? 9 : 1;
}

/* Whether a text is read as a policy and verifies; *why (may be NULL) gets the first check that fails. */
static bool text_verifies(const char *text, size_t length, char *why) {
  tacit_policy *policy;
  tacit_verdict verdict = {.holds = false};
  tacit_error error = {""};
  if (why) *why = 0;
  if (tacit_policy_parse(text, length, &policy, &error) == TACIT_OK) tacit_policy_verify(policy, &verdict);
  if (why) strcpy(why, error.text);
  for (size_t i = verdict.count; why && i > 0; i--)
    if (!verdict.checks[i - 1].holds) strcpy(why, verdict.checks[i - 1].text);
  tacit_policy_free(policy);
  return verdict.holds;
}

/* A file with these values, laid out as tacit lays it out. */
static bool json_verifies(const json_t *root, char *why) {
  char *text = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
  assert_non_null(text);
  bool holds = text_verifies(text, strlen(text), why);
  free(text);
  return holds;
}

#endif
