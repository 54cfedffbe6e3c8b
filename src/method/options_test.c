/* Every option of every method by its name: it is set where the struct has it and nowhere else, a fit holds
   to it, and what is out of range or another method's is refused with what would do. */
#include "loss/tuning.h"
#include "method/method.h"
#include "method/options_for_test.h"
#include "method/spo_recipe.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tacit/learn.h>

#include <cmocka.h>

/* Written out once more, beside the methods' own tables. */
typedef struct known {
  const char *method, *name;
  tacit_option_kind kind;
  size_t at;
  double most; /* 0: any */
  const char *words;
} known;
#define COUNT(method, name, field, most)                                                                     \
  { method, name, TACIT_OPTION_COUNT, offsetof(tacit_learn_options, field), most, NULL }
#define NUMBER(method, name, field, most)                                                                    \
  { method, name, TACIT_OPTION_NUMBER, offsetof(tacit_learn_options, field), most, NULL }
#define WORD(method, name, field, words)                                                                     \
  { method, name, TACIT_OPTION_WORD, offsetof(tacit_learn_options, field), 0, words }
#define KERNELS "gaussian, laplacian, logistic, uniform, epanechnikov, triangular"
static const known KNOWN[] = {
    WORD("noisy-gd", "preset", noisy_gd.preset, "zhao"),
    COUNT("noisy-gd", "steps", noisy_gd.steps, TACIT_STEPS_MAX),
    NUMBER("noisy-gd", "step-size", noisy_gd.step_size, TACIT_STEP_SIZE_MAX),
    NUMBER("noisy-gd", "growth", noisy_gd.growth, 0),
    COUNT("noisy-gd", "average", noisy_gd.average, 0),
    NUMBER("noisy-gd", "clip-norm", noisy_gd.clip_norm, 0),
    NUMBER("noisy-gd", "bandwidth", noisy_gd.bandwidth, 0),
    WORD("noisy-gd", "kernel", noisy_gd.kernel, KERNELS),
    WORD("noisy-gd", "start", noisy_gd.start, "zero, sphere"),
    {"noisy-gd", "whiten", TACIT_OPTION_FLAG, offsetof(tacit_learn_options, noisy_gd.whiten), 0, NULL},
    COUNT("gradient", "steps", gradient.steps, TACIT_STEPS_MAX),
    NUMBER("gradient", "step-size", gradient.step_size, TACIT_STEP_SIZE_MAX),
    NUMBER("gradient", "clip-norm", gradient.clip_norm, 0),
    NUMBER("gradient", "bandwidth", gradient.bandwidth, 0),
    WORD("gradient", "kernel", gradient.kernel, KERNELS),
    NUMBER("gradient", "theta-bound", gradient.theta_bound, TACIT_THETA_BOUND_MAX),
    WORD("objective", "preset", objective.preset, "part-1, part-2"),
    NUMBER("objective", "clip-norm", objective.clip_norm, 0),
    NUMBER("objective", "bandwidth", objective.bandwidth, 0),
    WORD("objective", "kernel", objective.kernel, KERNELS),
    NUMBER("objective", "lambda", objective.lambda, 0),
    NUMBER("objective", "theta-bound", objective.theta_bound, TACIT_THETA_BOUND_MAX),
    COUNT("sgd", "steps", sgd.steps, TACIT_VISITS_MAX),
    NUMBER("sgd", "step-size", sgd.step_size, TACIT_STEP_SIZE_MAX),
    NUMBER("sgd", "clip-norm", sgd.clip_norm, 0),
    NUMBER("sgd", "bandwidth", sgd.bandwidth, 0),
    WORD("sgd", "kernel", sgd.kernel, KERNELS),
    NUMBER("sgd", "theta-bound", sgd.theta_bound, TACIT_THETA_BOUND_MAX),
    COUNT("sgd", "batch", sgd.batch, TACIT_VISITS_MAX),
    NUMBER("sgd", "rate", sgd.rate, 1),
    {"location-scale", "intervals", TACIT_OPTION_FLAG,
     offsetof(tacit_learn_options, location_scale.intervals), 0, NULL},
    NUMBER("erm", "bandwidth", erm.bandwidth, 0),
    WORD("erm", "kernel", erm.kernel, KERNELS),
    COUNT("spo-gaussian", "steps", spo_gaussian.steps, TACIT_SPO_STEPS_MAX),
    NUMBER("spo-gaussian", "step-size", spo_gaussian.step_size, TACIT_STEP_SIZE_MAX),
    NUMBER("spo-gaussian", "growth", spo_gaussian.growth, TACIT_GROWTH_MAX),
    COUNT("spo-gaussian", "average", spo_gaussian.average, 0),
    NUMBER("spo-gaussian", "clip-norm", spo_gaussian.clip_norm, TACIT_REGION_CLIP_MAX),
    COUNT("spo-exponential", "steps", spo_exponential.steps, TACIT_SPO_STEPS_MAX),
    NUMBER("spo-exponential", "step-size", spo_exponential.step_size, TACIT_STEP_SIZE_MAX),
    COUNT("spo-exponential", "average", spo_exponential.average, 0),
    COUNT("spo-plus", "steps", spo_plus.steps, TACIT_SPO_STEPS_MAX),
    NUMBER("spo-plus", "step-size", spo_plus.step_size, TACIT_STEP_SIZE_MAX),
};
enum { KNOWN_COUNT = sizeof KNOWN / sizeof *KNOWN };

static tacit_learn_options options_of(const char *method) {
  tacit_learn_options options;
  memset(&options, 0, sizeof options); /* padding too: bytes are compared */
  tacit_learn_options_init(&options);
  options.method = method;
  options.region = tacit_method_find(method, false) ? NULL : region;
  return options;
}

static const known *find_known(const char *method, const char *name) {
  for (size_t i = 0; i < KNOWN_COUNT; i++)
    if (!strcmp(KNOWN[i].method, method) && !strcmp(KNOWN[i].name, name)) return &KNOWN[i];
  return NULL;
}

static size_t size_of(tacit_option_kind kind) {
  return kind == TACIT_OPTION_FLAG    ? sizeof(bool)
         : kind == TACIT_OPTION_COUNT ? sizeof(size_t)
         : kind == TACIT_OPTION_WORD  ? sizeof(char *)
                                      : sizeof(double);
}

/* Nothing but the option's own place differs from what there was. */
static void only_there(const known *k, const tacit_learn_options *before, const tacit_learn_options *after) {
  size_t end = k->at + size_of(k->kind);
  assert_memory_equal(before, after, k->at);
  assert_memory_equal((const char *)before + end, (const char *)after + end, sizeof *after - end);
}

static void every_option_is_known(void **state) {
  (void)state;
  const tacit_method *m;
  size_t options = 0;
  for (size_t i = 0; (m = tacit_method_at(i)); i++)
    for (size_t k = 0; tacit_method_option(m, k); k++, options++) {
      const tacit_option *o = tacit_method_option(m, k);
      const known *as = find_known(tacit_method_name(m), o->name);
      if (!as) fail_msg("%s of %s is not in this test's table", o->name, tacit_method_name(m));
      assert_int_equal(o->kind, as->kind);
      assert_true(o->about && *o->about && !o->value == (o->kind == TACIT_OPTION_FLAG));
    }
  assert_int_equal(options, KNOWN_COUNT);
}

static void each_is_set_in_its_place_alone(void **state) {
  (void)state;
  for (const known *k = KNOWN; k < KNOWN + KNOWN_COUNT; k++) {
    const tacit_learn_options before = options_of(k->method);
    tacit_learn_options options = before;
    const char *at = (const char *)&options + k->at;
    char words[200], *word, *rest = words;
    if (k->kind == TACIT_OPTION_WORD) {
      strcpy(words, k->words);
      while ((word = strtok_r(rest, ", ", &rest))) {
        assert_int_equal(tacit_learn_options_set_word(&options, k->name, word, NULL), TACIT_OK);
        assert_string_equal(*(const char *const *)at, word);
        assert_true(*(const char *const *)at != word); /* the caller's text may go */
      }
    } else if (k->kind == TACIT_OPTION_FLAG) {
      assert_int_equal(tacit_learn_options_set_number(&options, k->name, 1, NULL), TACIT_OK);
      assert_true(*(const bool *)at);
    } else {
      const double values[] = {1, k->kind == TACIT_OPTION_COUNT ? 7 : 0.37, k->most > 0 ? k->most : 1e9};
      for (int i = 0; i < 3; i++) {
        assert_int_equal(tacit_learn_options_set_number(&options, k->name, values[i], NULL), TACIT_OK);
        assert_true(values[i] ==
                    (k->kind == TACIT_OPTION_COUNT ? (double)*(const size_t *)at : *(const double *)at));
      }
    }
    only_there(k, &before, &options);
    const tacit_method *method = tacit_method_find(k->method, options.region != NULL);
    assert_int_equal(tacit_method_check_options(method, &options, NULL), TACIT_OK);
  }
}

static void refused(const known *k, double number, const char *text) {
  const tacit_learn_options before = options_of(k->method);
  tacit_learn_options options = before;
  tacit_error error = {""};
  assert_int_equal(tacit_learn_options_set_number(&options, k->name, number, &error), TACIT_USAGE);
  if (!strstr(error.text, k->name) || !strstr(error.text, text))
    fail_msg("%s, %s = %g: \"%s\"", k->method, k->name, number, error.text);
  assert_memory_equal(&before, &options, sizeof options);
}

/* The same number, written into the struct: 0 stands for the default there. */
static void refused_in_the_struct(const known *k, double number, const char *text) {
  tacit_learn_options options = options_of(k->method);
  tacit_error error = {""};
  if (k->kind == TACIT_OPTION_COUNT && (number < 1 || number != floor(number) || !(number < 0x1p63))) return;
  if (number == 0) return;
  if (k->kind == TACIT_OPTION_COUNT)
    *(size_t *)((char *)&options + k->at) = (size_t)number;
  else
    *(double *)((char *)&options + k->at) = number;
  const tacit_method *method = tacit_method_find(k->method, options.region != NULL);
  assert_int_equal(tacit_method_check_options(method, &options, &error), TACIT_USAGE);
  if (!strstr(error.text, k->name) || !strstr(error.text, text))
    fail_msg("%s, %s = %g: \"%s\"", k->method, k->name, number, error.text);
}

static void out_of_range_is_refused(void **state) {
  (void)state;
  for (const known *k = KNOWN; k < KNOWN + KNOWN_COUNT; k++) {
    bool count = k->kind == TACIT_OPTION_COUNT;
    if (k->kind == TACIT_OPTION_WORD || k->kind == TACIT_OPTION_FLAG) continue;
    const double beyond = count ? k->most + 1 : nextafter(k->most, INFINITY);
    const double wrong[] = {0, -1, NAN, INFINITY, -INFINITY, k->most > 0 ? beyond : -0.5};
    const char *text = count ? "must be a whole number above 0" : "must be a number above 0";
    char most[40];
    snprintf(most, sizeof most, "and at most %.15g", k->most);
    for (int i = 0; i < 6; i++) {
      refused(k, wrong[i], text);
      refused_in_the_struct(k, wrong[i], text);
      if (k->most > 0) refused(k, wrong[i], most);
    }
    if (count) refused(k, 1.5, text);
  }
}

static void words_are_listed(void **state) {
  (void)state;
  static const char *const wrong[] = {"", "magic", "Gaussian", "zha", "zhao ", "part-3"};
  for (const known *k = KNOWN; k < KNOWN + KNOWN_COUNT; k++) {
    const tacit_learn_options before = options_of(k->method);
    tacit_learn_options options = before;
    tacit_error error = {""};
    bool word = k->kind == TACIT_OPTION_WORD;
    for (int i = 0; i < 6; i++) {
      assert_int_equal(tacit_learn_options_set_word(&options, k->name, wrong[i], &error), TACIT_USAGE);
      if (!strstr(error.text, k->name) || !strstr(error.text, word ? k->words : "a number, not a word"))
        fail_msg("%s, %s: \"%s\"", k->method, k->name, error.text);
    }
    assert_memory_equal(&before, &options, sizeof options);
    if (!word) continue;
    refused(k, 1, k->words); /* a number for a word */
    *(const char **)((char *)&options + k->at) = "magic";
    const tacit_method *method = tacit_method_find(k->method, options.region != NULL);
    assert_int_equal(tacit_method_check_options(method, &options, &error), TACIT_USAGE);
    assert_non_null(strstr(error.text, k->words));
  }
}

/* By name with all that the method has, and in the struct, where a method does not look at the others'. */
static void anothers_option_is_refused(void **state) {
  (void)state;
  const tacit_method *m;
  size_t tried = 0;
  for (size_t i = 0; (m = tacit_method_at(i)); i++)
    for (const known *k = KNOWN; k < KNOWN + KNOWN_COUNT; k++) {
      const char *name = tacit_method_name(m);
      const tacit_learn_options before = options_of(name);
      tacit_learn_options options = before;
      tacit_error error = {""};
      char expected[80];
      if (!strcmp(k->method, name)) continue;
      snprintf(expected, sizeof expected, "method %s has no option %s; it has ", name, k->name);
      if (!find_known(name, k->name)) {
        assert_int_equal(tacit_learn_options_set_number(&options, k->name, 1, &error), TACIT_USAGE);
        assert_non_null(strstr(error.text, expected));
        const tacit_option *o;
        for (size_t n = 0; (o = tacit_method_option(m, n)); n++) assert_non_null(strstr(error.text, o->name));
        if (!tacit_method_option(m, 0)) assert_non_null(strstr(error.text, "it has none"));
        assert_int_equal(tacit_learn_options_set_word(&options, k->name, "zhao", &error), TACIT_USAGE);
        assert_non_null(strstr(error.text, expected));
        assert_memory_equal(&before, &options, sizeof options);
      }
      memcpy((char *)&options + k->at, &(const char *){"zero"}, size_of(k->kind)); /* anything but 0 */
      if (k->kind == TACIT_OPTION_FLAG) *(bool *)((char *)&options + k->at) = true;
      assert_int_equal(tacit_method_check_options(m, &options, &error), TACIT_USAGE);
      if (find_known(name, k->name))
        snprintf(expected, sizeof expected, "%s of method %s is given, but", k->name, k->method);
      if (!strstr(error.text, expected)) fail_msg("\"%s\" does not say \"%s\"", error.text, expected);
      tried++;
    }
  size_t methods = 0;
  while (tacit_method_at(methods)) methods++;
  assert_int_equal(tried, KNOWN_COUNT * (methods - 1));
}

static void an_unknown_method_is_named_with_those_there_are(void **state) {
  (void)state;
  static const char *const names[] = {"magic", "", NULL};
  for (int i = 0; i < 3; i++)
    for (int over = 0; over < 2; over++) {
      tacit_learn_options options = options_of("default");
      tacit_error error = {""};
      options.method = names[i];
      options.region = over ? region : NULL;
      assert_int_equal(tacit_learn_options_set_number(&options, "steps", 1, &error), TACIT_USAGE);
      assert_non_null(strstr(error.text, "no method of this name"));
      assert_non_null(strstr(error.text, over ? "exponential" : "noisy-gd"));
      assert_null(strstr(error.text, over ? "noisy-gd" : "exponential"));
    }
}

/* Older programs have a shorter struct: what lies behind it is not theirs. */
static void a_shorter_struct_is_not_written_beyond(void **state) {
  (void)state;
  tacit_learn_options options;
  memset(&options, 0x5a, sizeof options);
  size_t shorter = offsetof(tacit_learn_options, spo_gaussian);
  tacit_learn_options_init_sized(&options, shorter);
  assert_int_equal(options.size, shorter);
  assert_true(options.sgd.steps == 0 && !options.sgd.kernel && options.noisy_gd.step_size == 0);
  for (size_t i = shorter; i < sizeof options; i++) assert_int_equal(((const char *)&options)[i], 0x5a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_option_is_known),
      cmocka_unit_test(each_is_set_in_its_place_alone),
      cmocka_unit_test(out_of_range_is_refused),
      cmocka_unit_test(words_are_listed),
      cmocka_unit_test(anothers_option_is_refused),
      cmocka_unit_test(an_unknown_method_is_named_with_those_there_are),
      cmocka_unit_test(a_shorter_struct_is_not_written_beyond),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
