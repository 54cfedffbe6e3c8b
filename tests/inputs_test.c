/* A certificate's inputs are a closed list: whatever a learner writes there with any legal options verifies,
   and no other name, type, word, order or number out of range does. */
#include "policies_for_test.h"

static json_t *inputs_of(json_t *root) {
  return json_object_get(json_object_get(root, "privacy"), "inputs");
}

static void what_learners_write_verifies(void **state) {
  (void)state;
  for (size_t i = 0; i < MADE_COUNT; i += made_step()) {
    char why[512];
    json_t *root = made_json(i);
    if (!json_verifies(root, why)) fail_msg("%zu: %s", i, why);
    json_decref(root);
  }
}

static void must_fail(const json_t *root, size_t i, const char *how, const char *name) {
  if (json_verifies(root, NULL)) fail_msg("%zu (%s): %s %s verifies", i, MADE[i].options.method, how, name);
}

/* The inputs again in another order, or without one; NULL keys end the list. */
static void set_inputs(json_t *root, const json_t *from, const char *const *keys, size_t count) {
  json_t *other = json_object();
  for (size_t k = 0; k < count; k++)
    if (keys[k]) json_object_set(other, keys[k], json_object_get(from, keys[k]));
  json_object_set_new(json_object_get(root, "privacy"), "inputs", other);
}

static void no_other_names(void **state) {
  (void)state;
  static const char *const names[] = {"richest", "nominal_rows", "steps[1]", "batch", "step_size[3]"};
  for (size_t i = 0; i < MADE_COUNT; i += made_step()) {
    json_t *root = made_json(i), *inputs = inputs_of(root);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
      if (json_object_get(inputs, names[k])) continue;
      json_object_set_new(inputs, names[k],
                          (i + k) % 2 ? json_string("a name and an income") : json_real(MADE_ROWS));
      must_fail(root, i, "the input", names[k]);
      json_object_del(inputs, names[k]);
    }
    assert_true(json_verifies(root, NULL));
    json_decref(root);
  }
}

static void none_missing_and_none_elsewhere(void **state) {
  (void)state;
  for (size_t i = 0; i < MADE_COUNT; i += made_step()) {
    json_t *root = made_json(i), *before = json_deep_copy(inputs_of(root)), *value;
    const char *keys[32], *key;
    size_t count = 0;
    json_object_foreach(before, key, value) keys[count++] = key;
    for (size_t k = 0; k < count; k++) {
      const char *was = keys[k];
      keys[k] = NULL;
      set_inputs(root, before, keys, count);
      must_fail(root, i, "without", was);
      keys[k] = was;
      if (k + 1 == count) continue;
      keys[k] = keys[k + 1], keys[k + 1] = was;
      set_inputs(root, before, keys, count);
      must_fail(root, i, "in another order", was);
      keys[k + 1] = keys[k], keys[k] = was;
    }
    json_decref(before);
    json_decref(root);
  }
}

static bool is_counted(const char *name) {
  return !strcmp(name, "steps") || !strcmp(name, "average") || !strcmp(name, "batch") ||
         !strcmp(name, "features") || !strcmp(name, "nominal_rows");
}

/* What no option can be and no rule gives, whatever the input: two numbers and two words for each. */
static void no_other_values(void **state) {
  (void)state;
  static const double numbers[] = {-0.0, -1, -1e-300};
  static const char *const words[] = {"mean of the rows", "Gaussian", "", "zero ", "Z eq. (8)", "1.0"};
  for (size_t i = 0; i < MADE_COUNT; i += made_step()) {
    json_t *root = made_json(i), *before = json_deep_copy(inputs_of(root)), *inputs = inputs_of(root), *value;
    const char *key;
    size_t n = i;
    json_object_foreach(before, key, value) {
      double number = json_number_value(value);
      n++;
      json_object_set_new(inputs, key, json_real(numbers[n % 3]));
      must_fail(root, i, "a number below 0 for", key);
      json_object_set_new(inputs, key, is_counted(key) ? json_real(number - 0.5) : json_integer(1));
      must_fail(root, i, "half of one, or a whole one, for", key);
      for (size_t k = 0; k < 2; k++) {
        json_object_set_new(inputs, key, json_string(words[(n + 3 * k) % 6]));
        must_fail(root, i, words[(n + 3 * k) % 6], key);
      }
      json_object_set(inputs, key, value);
    }
    assert_true(json_verifies(root, NULL));
    json_decref(before);
    json_decref(root);
  }
}

/* Beyond the limits of the options. */
static void no_values_out_of_range(void **state) {
  (void)state;
  static const struct {
    const char *name;
    double number;
  } far[] = {{"steps", 1e13},     {"average", 1e6 + 1}, {"theta_bound", 10001}, {"clip_norm", 1e9},
             {"step_size", 1e15}, {"rate", 1.5},        {"rate", 0.3},          {"batch", MADE_ROWS + 1},
             {"features", 3000},  {"growth", -1e-5},    {"bandwidth", 0},       {"clip_norm", 1e-9}};
  int tried = 0;
  for (size_t i = 0; i < MADE_COUNT; i += made_step()) {
    json_t *root = made_json(i), *inputs = inputs_of(root), *value;
    for (size_t k = 0; k < sizeof far / sizeof *far; k++) {
      if (!(value = json_incref(json_object_get(inputs, far[k].name)))) continue;
      json_object_set_new(inputs, far[k].name, json_real(far[k].number));
      must_fail(root, i, "another number for", far[k].name);
      json_object_set_new(inputs, far[k].name, value);
      tried++;
    }
    json_decref(root);
  }
  if (made_step() == 1) assert_true(tried > 100);
}

/* With several targets an option is the same for all, and a rule gives each its own. */
static void targets_do_not_differ_by_themselves(void **state) {
  (void)state;
  int tried = 0;
  for (size_t i = 0; i < MADE_COUNT; i += made_step()) {
    json_t *root = made_json(i), *inputs = inputs_of(root), *value;
    static const char *const names[] = {"step_size[1]", "bandwidth[2]"};
    for (size_t k = 0; k < 2; k++) {
      if (!(value = json_incref(json_object_get(inputs, names[k])))) continue;
      json_object_set_new(inputs, names[k], json_real(json_real_value(value) * (1 + 1e-9)));
      must_fail(root, i, "another", names[k]);
      json_object_set_new(inputs, names[k], value);
      tried++;
    }
    json_decref(root);
  }
  if (made_step() == 1) assert_true(tried > 15);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_learners_write_verifies),
                                     cmocka_unit_test(no_other_names),
                                     cmocka_unit_test(none_missing_and_none_elsewhere),
                                     cmocka_unit_test(no_other_values),
                                     cmocka_unit_test(no_values_out_of_range),
                                     cmocka_unit_test(targets_do_not_differ_by_themselves)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
