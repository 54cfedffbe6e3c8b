/* Policies are read without trusting them: every value of a file replaced by every kind of value, taken out,
   or written twice; deep, huge and cut files. None crashes, and none verifies but the file itself. */
#include "method/policy_size.h"
#include "policy/policy_for_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char SCHEMA[] =
    "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 100}, \"features\": ["
    "{\"name\": \"t\", \"min\": -15, \"max\": 40}, {\"name\": \"z\", \"center\": 3, \"scale\": 0.5}]}";
enum { P = 3 };

static json_t *make(void) {
  static const double coefficients[P] = {0.1, -0.3, 0.07};
  const tacit_goal goal = {0.6, 3, 2};
  tacit_receipt receipt = {"lamb", 3, "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", ""};
  tacit_schema *schema;
  tacit_policy *policy;
  tacit_certificate *c = noisy_gd_certificate(P, 0.5);
  assert_int_equal(tacit_schema_parse(SCHEMA, strlen(SCHEMA), &schema, NULL), TACIT_OK);
  assert_int_equal(tacit_policy_new(schema, coefficients, c, &goal, &policy, NULL), TACIT_OK);
  assert_int_equal(tacit_policy_commitment(policy, receipt.commitment, NULL), TACIT_OK);
  tacit_policy_set_receipt(policy, &receipt);
  char *text = tacit_policy_text(policy);
  json_t *json = json_loads(text, 0, NULL);
  assert_non_null(json);
  free(text);
  tacit_policy_free(policy);
  tacit_certificate_free(c);
  tacit_schema_free(schema);
  return json;
}

static long read_ok, refused, verified;

/* Whether a file with this text is read and verifies. */
static bool verifies_text(const char *text, size_t length) {
  tacit_policy *policy;
  tacit_verdict verdict = {.holds = false};
  tacit_error error = {""};
  tacit_status status = tacit_policy_parse(text, length, &policy, &error);
  if (status == TACIT_OK) {
    tacit_policy_verify(policy, &verdict);
    read_ok++;
  } else {
    assert_true(status == TACIT_BAD_INPUT || status == TACIT_REFUSED);
    assert_true(error.text[0] && !policy);
    refused++;
  }
  tacit_policy_free(policy);
  verified += verdict.holds;
  return verdict.holds;
}

/* The same for values laid out as tacit does: only what they are can be wrong. */
static bool verifies(const json_t *root) {
  char *text = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
  assert_non_null(text);
  bool holds = verifies_text(text, strlen(text));
  free(text);
  return holds;
}

static const char *const OTHERS[] = {"null",  "true",  "0",  "-1", "9007199254740993",
                                     "1e308", "\"x\"", "[]", "{}", "{\"a\": [null]}"};

/* Fewer under slow tools. */
static size_t others(void) {
  return getenv("TACIT_QUICK") ? 3 : sizeof OTHERS / sizeof *OTHERS;
}

/* Coefficients may be any numbers (another rule is another policy), an option that has no limit any above 0,
   a receipt's label any text, and there may be no receipt. */
static bool may_verify(const char *path, const json_t *value) {
  return (strstr(path, "/coefficients/") && json_is_real(value)) ||
         (!strcmp(path, "/privacy/inputs/bandwidth") && json_real_value(value) > 0) ||
         (!strcmp(path, "/privacy/ledger/label") && json_is_string(value)) ||
         (!strcmp(path, "/privacy/ledger") && json_is_null(value));
}

/* Every value below `at`, in its place in root. */
static void replace_all(const json_t *root, json_t *at, const char *path) {
  enum { KEYS_MAX = 32 };
  char names[KEYS_MAX][64], below[256];
  const char *key;
  json_t *value;
  size_t keys = 0;
  json_object_foreach(at, key, value) {
    assert_true(keys < KEYS_MAX);
    snprintf(names[keys++], sizeof names[0], "%s", key);
  }
  for (size_t n = 0; n < keys; n++) {
    const char *name = names[n];
    snprintf(below, sizeof below, "%s/%s", path, name);
    value = json_incref(json_object_get(at, name));
    for (size_t i = 0; i < others(); i++) {
      json_t *other = json_loads(OTHERS[i], JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
      json_object_set(at, name, other);
      if (verifies(root) && !json_equal(other, value) && !may_verify(below, other))
        fail_msg("%s = %s verifies", below, OTHERS[i]);
      json_decref(other);
    }
    json_object_set_new(at, name, value);
    json_t *whole = json_copy(at);
    json_object_del(at, name);
    /* policies of earlier programs have no commitment; an entry that has one does not pay for them */
    if (verifies(root) && strcmp(below, "/privacy/ledger/commitment") != 0)
      fail_msg("verifies without %s", below);
    json_object_clear(at);
    json_object_update(at, whole); /* the keys in their order */
    json_decref(whole);
    replace_all(root, json_object_get(at, name), below);
  }
  for (size_t i = 0; i < json_array_size(at); i++) {
    snprintf(below, sizeof below, "%s/%zu", path, i);
    value = json_incref(json_array_get(at, i));
    for (size_t k = 0; k < others(); k++) {
      json_t *other = json_loads(OTHERS[k], JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
      json_array_set(at, i, other);
      if (verifies(root) && !json_equal(other, value)) fail_msg("%s = %s verifies", below, OTHERS[k]);
      json_decref(other);
    }
    json_array_append(at, value); /* once more at the end */
    if (verifies(root)) fail_msg("%s twice verifies", below);
    json_array_remove(at, json_array_size(at) - 1);
    json_array_set_new(at, i, value);
    replace_all(root, json_array_get(at, i), below);
  }
}

static void no_value_can_be_another(void **state) {
  (void)state;
  json_t *root = make();
  assert_true(verifies(root));
  replace_all(root, root, "");
  assert_true(verifies(root));
  print_message("%ld files read, %ld refused, %ld verified (the same file, other coefficients or receipts)\n",
                read_ok, refused, verified);
  assert_true(read_ok + refused > (getenv("TACIT_QUICK") ? 300 : 1000));
  json_decref(root);
}

static void keys_twice_are_refused(void **state) {
  (void)state;
  json_t *root = make();
  char *text = json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
  size_t length = strlen(text), found = 0;
  for (char *line = strchr(text, '\n'); line; line = strchr(line + 1, '\n')) {
    /* a line with a whole pair, said again */
    size_t n = strcspn(line + 1, "\n") + 1;
    if (!memchr(line, ':', n) || line[n - 1] == '{' || line[n - 1] == '[') continue;
    char *twice = malloc(length + n + 3);
    size_t before = (size_t)(line - text);
    memcpy(twice, text, before);
    memcpy(twice + before, line, n);
    size_t at = before + n;
    if (twice[at - 1] != ',') twice[at++] = ',';
    memcpy(twice + at, line, length - before);
    at += length - before;
    assert_false(verifies_text(twice, at));
    free(twice);
    found++;
  }
  assert_true(found > 30);
  free(text);
  json_decref(root);
}

static void deep_and_cut_files_are_refused(void **state) {
  (void)state;
  enum { DEEP = 200000 };
  char *deep = malloc(DEEP);
  memset(deep, '[', DEEP);
  assert_false(verifies_text(deep, DEEP));
  for (size_t i = 0; i + 5 <= DEEP; i += 5) memcpy(deep + i, "{\"a\":", 5);
  assert_false(verifies_text(deep, DEEP));
  free(deep);
  json_t *root = make(), *nested = json_true();
  char *text = json_dumps(root, JSON_REAL_PRECISION(17));
  for (size_t n = 0; n < strlen(text); n += 7) assert_false(verifies_text(text, n));
  free(text);
  for (int i = 0; i < 2000; i++) nested = json_pack("[o]", nested); /* what jansson still reads */
  json_object_set_new(root, "schema", nested);
  assert_false(verifies(root));
  json_decref(root);
}

static void huge_files_are_refused(void **state) {
  (void)state;
  char path[] = "/tmp/tacit-hostile-test.XXXXXX";
  tacit_policy *policy;
  tacit_error error;
  int file = mkstemp(path);
  assert_true(file >= 0);
  /* a hole: it takes no space, and its first byte is no JSON */
  assert_int_equal(ftruncate(file, (off_t)1 << 40), 0);
  assert_int_equal(tacit_policy_read(path, &policy, &error), TACIT_BAD_INPUT);
  close(file);
  unlink(path);
  assert_int_equal(tacit_policy_read("/", &policy, &error), TACIT_BAD_INPUT);
  assert_non_null(strstr(error.text, "folder"));
  if (access("/dev/zero", R_OK) == 0)
    assert_int_equal(tacit_policy_read("/dev/zero", &policy, &error), TACIT_BAD_INPUT);
  assert_int_equal(tacit_policy_parse("", (size_t)TACIT_POLICY_BYTES_MAX + 1, &policy, &error),
                   TACIT_BAD_INPUT);
  assert_non_null(strstr(error.text, "larger than"));
}

/* Sampled sums with a thousand different scales would take a thousand privacy curves; no method lists them.
 */
static void a_long_list_does_not_keep_verify_busy(void **state) {
  (void)state;
  json_t *json = make(), *privacy = json_object_get(json, "privacy"),
         *list = json_object_get(privacy, "mechanisms");
  json_t *one = json_incref(json_array_get(list, 0));
  json_array_clear(list);
  for (int i = 0; i < 3000; i++) {
    json_t *other = json_deep_copy(one);
    json_object_set_new(other, "release", json_string("sampled scores"));
    json_object_set_new(other, "sampling", json_string("poisson"));
    json_object_set_new(other, "rate", json_real(0.01));
    json_object_set_new(other, "sigma", json_real(5 + 0.001 * i));
    json_object_set_new(other, "count", json_integer(1000));
    json_array_append_new(list, other);
  }
  json_object_set_new(privacy, "method", json_string("sgd"));
  json_object_set_new(privacy, "releases", json_integer(3000000));
  json_object_set_new(
      privacy, "guarantee",
      json_pack("{s:s, s:f, s:f}", "kind", "(epsilon, delta)", "epsilon", 1.0, "delta", 1e-5));
  char *text = json_dumps(json, JSON_REAL_PRECISION(17));
  long before = read_ok;
  clock_t start = clock();
  assert_false(verifies_text(text, strlen(text)));
  assert_true(read_ok == before + 1 && (double)(clock() - start) / CLOCKS_PER_SEC < 10);
  free(text);
  json_decref(one);
  json_decref(json);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_long_list_does_not_keep_verify_busy),
      cmocka_unit_test(no_value_can_be_another),
      cmocka_unit_test(keys_twice_are_refused),
      cmocka_unit_test(deep_and_cut_files_are_refused),
      cmocka_unit_test(huge_files_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
