/* What was asked by name is what the fit's certificate states: every option of every private method, each by
   itself. */
#include "learn/task.h"
#include "method/options_for_test.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N = 120 };
/* An option, its value as a number or a word, and the input that states it; `as` where the words differ. */
typedef struct wish {
  const char *method, *name, *word;
  double number;
  const char *input, *as;
} wish;

static const wish WISHES[] = {
    {"location-scale", "intervals", NULL, 1, "intervals", "yes"},
    {"noisy-gd", "preset", "zhao", 0, "steps", NULL}, /* the theorem's: ln rows */
    {"noisy-gd", "steps", NULL, 7, "steps", NULL},
    {"noisy-gd", "step-size", NULL, 0.3, "step_size", NULL},
    {"noisy-gd", "growth", NULL, 1.4, "growth", NULL},
    {"noisy-gd", "average", NULL, 3, "average", NULL},
    {"noisy-gd", "clip-norm", NULL, 1.25, "clip_norm", NULL},
    {"noisy-gd", "bandwidth", NULL, 0.75, "bandwidth", NULL},
    {"noisy-gd", "kernel", "uniform", 0, "kernel", "uniform"},
    {"noisy-gd", "start", "sphere", 0, "start", "sphere"},
    {"noisy-gd", "whiten", NULL, 1, "whiten", "yes"},
    {"gradient", "steps", NULL, 7, "steps", NULL},
    {"gradient", "step-size", NULL, 0.3, "step_size", NULL},
    {"gradient", "clip-norm", NULL, 1.25, "clip_norm", NULL},
    {"gradient", "bandwidth", NULL, 0.75, "bandwidth", NULL},
    {"gradient", "kernel", "triangular", 0, "kernel", "triangular"},
    {"gradient", "theta-bound", NULL, 2.5, "theta_bound", NULL},
    {"objective", "preset", "part-2", 0, "preset", "part-2"},
    {"objective", "clip-norm", NULL, 1.25, "clip_norm", NULL},
    {"objective", "bandwidth", NULL, 0.75, "bandwidth", NULL},
    {"objective", "kernel", "gaussian", 0, "kernel", "gaussian"},
    {"objective", "lambda", NULL, 0.5, NULL, NULL}, /* of its release: 2 rows lambda */
    {"objective", "theta-bound", NULL, 2.5, "theta_bound", NULL},
    {"sgd", "steps", NULL, 7, "steps", NULL},
    {"sgd", "step-size", NULL, 0.3, "step_size", NULL},
    {"sgd", "clip-norm", NULL, 1.25, "clip_norm", NULL},
    {"sgd", "bandwidth", NULL, 0.75, "bandwidth", NULL},
    {"sgd", "kernel", "laplacian", 0, "kernel", "laplacian"},
    {"sgd", "theta-bound", NULL, 2.5, "theta_bound", NULL},
    {"sgd", "batch", NULL, 5, "batch", NULL},
    {"sgd", "rate", NULL, 0.125, "rate", NULL},
    {"spo-gaussian", "steps", NULL, 7, "steps", NULL},
    {"spo-gaussian", "step-size", NULL, 0.3, "step_size", NULL},
    {"spo-gaussian", "growth", NULL, 1.4, "growth", NULL},
    {"spo-gaussian", "average", NULL, 3, "average", NULL},
    {"spo-gaussian", "clip-norm", NULL, 1.25, "clip_norm", NULL},
    {"spo-exponential", "steps", NULL, 7, "steps", NULL},
    {"spo-exponential", "step-size", NULL, 0.3, "step_size", NULL},
    {"spo-exponential", "average", NULL, 3, "average", NULL},
};
enum { WISH_COUNT = sizeof WISHES / sizeof *WISHES };

/* A fit with this option alone, or (name NULL) with none; sgd in few steps unless they are what is asked. */
static tacit_fit *fit_of(const wish *w, bool asked) {
  static const double tau = 0.7;
  static const char *const names[] = {"a", "y"};
  static double a[N], y[N];
  const double *const columns[] = {a, y};
  bool over = !tacit_method_find(w->method, false);
  tacit_error error = {""};
  tacit_learn_options options;
  tacit_source *source;
  tacit_fit *fit;
  for (int i = 0; i < N; i++) a[i] = sin(i), y[i] = a[i] + cos(3.0 * i);
  tacit_learn_options_init(&options);
  options.method = w->method;
  options.region = over ? region : NULL;
  options.quantiles = over ? NULL : &tau;
  options.quantile_count = over ? 0 : 1;
  bool pair = tacit_method_promise(tacit_method_find(w->method, over)) == TACIT_PROMISE_PAIR;
  if (pair)
    options.epsilon = 2, options.delta = 1e-5;
  else
    options.mu = 1;
  options.seeded = true;
  if (!strcmp(w->method, "sgd")) options.sgd.steps = 20;
  tacit_status status = TACIT_OK;
  if (asked)
    status = w->word ? tacit_learn_options_set_word(&options, w->name, w->word, &error)
                     : tacit_learn_options_set_number(&options, w->name, w->number, &error);
  assert_int_equal(tacit_source_columns(N, 2, names, columns, NULL, &source, NULL), TACIT_OK);
  if (status == TACIT_OK) status = tacit_learn(schema, source, &options, NULL, &fit, &error);
  if (status != TACIT_OK) fail_msg("%s, %s: %s", w->method, w->name, error.text);
  tacit_source_free(source);
  return fit;
}

static const tacit_setting *setting_of(const tacit_fit *fit, const char *name) {
  for (size_t i = 0; i < fit->certificate->setting_count; i++)
    if (!strcmp(fit->certificate->settings[i].name, name)) return &fit->certificate->settings[i];
  return NULL;
}

static bool states(const wish *w, const tacit_fit *fit) {
  if (!w->input) return fabs(fit->certificate->mechanisms[0].lambda / (2 * N * w->number) - 1) < 0x1p-28;
  const tacit_setting *s = setting_of(fit, w->input);
  if (w->as) return s && !strcmp(s->text, w->as);
  double number = w->word ? ceil(log(N)) : w->number; /* the only word that a number states is zhao's */
  return s && s->number == number;
}

static void what_is_asked_is_stated(void **state) {
  (void)state;
  for (const wish *w = WISHES; w < WISHES + WISH_COUNT; w++) {
    tacit_fit *with = fit_of(w, true), *without = fit_of(w, false);
    if (!states(w, with)) fail_msg("%s, %s: not what was asked", w->method, w->name);
    if (states(w, without)) fail_msg("%s, %s: the default, so that nothing is shown", w->method, w->name);
    tacit_fit_free(with);
    tacit_fit_free(without);
  }
}

/* None is left out. */
static void every_option_of_a_private_method_is_asked(void **state) {
  (void)state;
  const tacit_method *m;
  size_t options = 0;
  for (size_t i = 0; (m = tacit_method_at(i)); i++)
    for (size_t k = 0; tacit_method_promise(m) && tacit_method_option(m, k); k++, options++) {
      size_t at = 0;
      while (at < WISH_COUNT && (strcmp(WISHES[at].method, tacit_method_name(m)) ||
                                 strcmp(WISHES[at].name, tacit_method_option(m, k)->name)))
        at++;
      if (at == WISH_COUNT) fail_msg("%s of %s", tacit_method_option(m, k)->name, tacit_method_name(m));
    }
  assert_int_equal(options, WISH_COUNT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_asked_is_stated),
      cmocka_unit_test(every_option_of_a_private_method_is_asked),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
