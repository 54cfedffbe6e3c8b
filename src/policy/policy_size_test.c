/* The size that is computed before a learner pays is never below that of the file it then writes, and not far
   above it. */
#include "method/policy_size.h"

#include "policy/policy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tacit/tacit.h>

#include <cmocka.h> /* needs the headers above */

enum { ROWS = 200, TARGETS_MOST = 40, LEVELS = 120, SLACK = 20 << 10, SLACK_VALUES = 1200 };

typedef struct shape {
  const char *method, *name; /* a target's name before its number */
  size_t targets, steps;
  bool levels, moment; /* a feature with many levels; a second moment */
  bool fine;           /* numbers that are long to write */
  const char *region;
} shape;

static char names[TARGETS_MOST + 1][200], *text;
static size_t at;

#define PUT(...) at += (size_t)sprintf(text + at, __VA_ARGS__)

static tacit_schema *schema_of(const shape *s) {
  size_t columns = s->levels ? LEVELS : 2;
  text = malloc(1 << 20);
  assert_non_null(text);
  at = 0;
  PUT("{\"target\": [");
  for (size_t t = 0; t < s->targets; t++)
    PUT("%s{\"name\": \"%s%zu\", \"center\": 0.1, \"scale\": 0.3}", t ? ", " : "", s->name, t);
  PUT("], \"features\": [{\"name\": \"x\", ");
  if (s->levels)
    for (size_t l = 0; l < LEVELS; l++) PUT("%s\"level \\\"%zu\\\"\"", l ? ", " : "\"levels\": [", l);
  PUT(s->levels ? "]}]" : "\"min\": 0, \"max\": 0.7}]");
  for (size_t i = 0; i < columns && s->moment; i++)
    for (size_t j = 0; j < columns; j++)
      PUT("%s%s", j ? ", " : i ? "], [" : ", \"second_moment\": [[", i == j ? "1.1" : "0.001");
  PUT(s->moment ? "]]}" : "}");
  tacit_schema *schema;
  tacit_error error = {""};
  if (tacit_schema_parse(text, at, &schema, &error) != TACIT_OK) fail_msg("%s", error.text);
  free(text);
  return schema;
}

static tacit_source *table_of(const tacit_schema *schema) {
  static double numbers[ROWS];
  static const char *texts[ROWS];
  static const char *columns[TARGETS_MOST + 1];
  static const double *doubles[TARGETS_MOST + 1];
  static const char *const *strings[TARGETS_MOST + 1];
  size_t targets = schema->target_count;
  tacit_source *source;
  for (size_t i = 0; i < ROWS; i++) {
    numbers[i] = (double)(i % 23) / 30;
    texts[i] = "level \"7\"";
  }
  for (size_t t = 0; t < targets; t++) {
    snprintf(names[t], sizeof names[t], "%s", schema->targets[t].name);
    columns[t] = names[t];
    doubles[t] = numbers;
    strings[t] = NULL;
  }
  columns[targets] = "x";
  bool levels = schema->columns > 2;
  doubles[targets] = levels ? NULL : numbers;
  strings[targets] = levels ? texts : NULL;
  assert_int_equal(tacit_source_columns(ROWS, targets + 1, columns, doubles, strings, &source, NULL),
                   TACIT_OK);
  return source;
}

/* Three levels down: one more release is expected to take no less than any that there is. */
static void look_at_releases(const tacit_policy *policy, size_t expected) {
  json_t *privacy = tacit_certificate_to_json(policy), *item;
  size_t i;
  json_array_foreach(json_object_get(privacy, "mechanisms"), i, item) {
    char *written = json_dumps(item, TACIT_POLICY_FLAGS);
    size_t bytes = strlen(written) + 8;
    for (const char *c = written; *c; c++) bytes += *c == '\n' ? 6 : 0;
    free(written);
    if (bytes > expected) fail_msg("a release of %zu bytes, where %zu were expected", bytes, expected);
  }
  json_decref(privacy);
}

static void look(const shape *s) {
  static double quantiles[TARGETS_MOST];
  static tacit_goal goals[TARGETS_MOST];
  tacit_error error = {""};
  tacit_learn_options options;
  tacit_schema *schema = schema_of(s);
  tacit_source *source = table_of(schema);
  tacit_region *region = NULL;
  tacit_fit *fit;
  tacit_policy *policy;
  tacit_json_size bound, real = {0};
  if (s->region) assert_int_equal(tacit_region_parse(s->region, strlen(s->region), &region, NULL), TACIT_OK);
  for (size_t t = 0; t < s->targets; t++) {
    goals[t] = (tacit_goal){.underage = s->fine ? 1.1e-12 : 0.7, .overage = 0.2};
    quantiles[t] = goals[t].quantile = goals[t].underage / (goals[t].underage + goals[t].overage);
  }
  tacit_learn_options_init(&options);
  options.method = s->method;
  options.region = region;
  options.quantiles = region ? NULL : quantiles;
  options.quantile_count = region ? 0 : s->targets;
  const tacit_method *method = tacit_method_find(s->method, region != NULL);
  if (tacit_method_promise(method) == TACIT_PROMISE_GAUSSIAN) {
    options.mu = 3;
  } else {
    options.epsilon = 30;
    options.delta = 1e-3;
  }
  if (!strcmp(s->method, "noisy-gd")) {
    options.noisy_gd.steps = s->steps;
    options.noisy_gd.clip_norm = s->fine ? 1.2345678901234567e-5 : 0;
    options.noisy_gd.growth = 1.0001; /* every release has a noise of its own */
  }
  if (!strcmp(s->method, "objective")) options.objective.clip_norm = s->fine ? 1.2345678901234567e-2 : 0;
  if (tacit_learn(schema, source, &options, NULL, &fit, &error) != TACIT_OK)
    fail_msg("%s: %s", s->method, error.text);
  assert_int_equal(tacit_policy_from_fit(schema, region, fit, goals, &policy, NULL), TACIT_OK);
  char *file = tacit_policy_text(policy);
  tacit_json_count(&real, file, strlen(file));
  const tacit_facts facts = {.schema = schema, .region = region};
  const tacit_certificate *c = tacit_fit_certificate(fit);
  assert_int_equal(tacit_policy_size(method, &facts, c, c->mechanism_count, &bound, NULL), TACIT_OK);
  if (bound.bytes < real.bytes || bound.values < real.values)
    fail_msg("%s: %zu bytes and %zu values were expected, it has %zu and %zu", s->method, bound.bytes,
             bound.values, real.bytes, real.values);
  if (!method->on_the_way) {
    tacit_json_size next;
    assert_int_equal(tacit_policy_size(method, &facts, c, c->mechanism_count + 1, &next, NULL), TACIT_OK);
    look_at_releases(policy, next.bytes - bound.bytes);
    assert_true(bound.bytes <= 2 * real.bytes + SLACK);
    assert_true(bound.values <= 2 * real.values + SLACK_VALUES);
  }
  tacit_free(file);
  tacit_policy_free(policy);
  tacit_fit_free(fit);
  tacit_region_free(region);
  tacit_source_free(source);
  tacit_schema_free(schema);
}

static void a_file_is_never_larger_than_was_expected(void **state) {
  (void)state;
  static const char LONG[] =
      "a name with \\\"quotes\\\", and, commas, of some length, all of which count, as "
      "they are written, ";
  static const shape SHAPES[] = {
      {.method = "default", .name = "y", .targets = 1},
      {.method = "default", .name = LONG, .targets = 5},
      {.method = "bisection", .name = LONG, .targets = TARGETS_MOST},
      {.method = "bisection", .name = "y", .targets = 2, .levels = true, .moment = true},
      {.method = "noisy-gd", .name = "y", .targets = 1, .steps = 300, .fine = true},
      {.method = "noisy-gd", .name = LONG, .targets = TARGETS_MOST, .steps = 50, .levels = true},
      {.method = "gradient", .name = "y", .targets = 12},
      {.method = "objective", .name = "y", .targets = 12},
      {.method = "objective", .name = LONG, .targets = 1, .fine = true},
      {.method = "spo-gaussian",
       .name = "y",
       .targets = 2,
       .moment = true,
       .region = "{\"kind\": \"polytope\", \"A\": [[1, 0.1], [0.3, 1]], \"b\": [0.7, 1]}"},
      {.method = "spo-least-squares",
       .name = "y",
       .targets = 2,
       .region = "{\"kind\": \"ball\", \"dimension\": 2, \"radius\": 0.1}"},
  };
  for (size_t i = 0; i < sizeof SHAPES / sizeof *SHAPES; i++) look(&SHAPES[i]);
}

static void bytes_and_values_have_texts_of_their_own(void **state) {
  (void)state;
  tacit_error error;
  tacit_json_size size = {.bytes = TACIT_POLICY_BYTES_MAX - 1, .values = TACIT_POLICY_VALUES_MAX};
  assert_int_equal(tacit_policy_size_check(&size, &error), TACIT_OK);
  size.values++;
  assert_int_equal(tacit_policy_size_check(&size, &error), TACIT_REFUSED);
  assert_non_null(strstr(error.text, "more values"));
  size.bytes++;
  assert_int_equal(tacit_policy_size_check(&size, &error), TACIT_REFUSED);
  assert_non_null(strstr(error.text, "larger than"));
}

/* Commas are counted by the reader as they are here. */
static void a_reader_says_which_limit_it_was(void **state) {
  (void)state;
  tacit_policy *policy;
  tacit_error error;
  size_t length = (size_t)TACIT_POLICY_VALUES_MAX + 1;
  char *many = malloc(length);
  assert_non_null(many);
  memset(many, ',', length);
  assert_int_equal(tacit_policy_parse(many, length, &policy, &error), TACIT_BAD_INPUT);
  assert_non_null(strstr(error.text, "more than 8388608 values"));
  assert_int_equal(tacit_policy_parse(many, length - 1, &policy, &error), TACIT_BAD_INPUT);
  assert_non_null(strstr(error.text, "not JSON"));
  free(many);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_file_is_never_larger_than_was_expected),
      cmocka_unit_test(bytes_and_values_have_texts_of_their_own),
      cmocka_unit_test(a_reader_says_which_limit_it_was),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
