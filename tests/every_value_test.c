/* Every byte of a policy is computed again, held to a range, or refused. Policies of every method are taken
   apart: each value is replaced by others of its type and of other types, or left out; each object gets one
   more key, each list one more entry; the text is laid out and spelt in other ways. None verifies but what
   `may_verify` lists: the only places of a policy that verification cannot know (docs/formats/policy.md,
   "What it cannot know"). */
#include "policies_for_test.h"

#include <unistd.h>

#include <tacit/sign.h>

/* Of MADE, the last three by bisection; before them those by location-scale, the first four with a spread and
   the last two without a release at their quantile; before these two that say how sure they are, and two of
   several quantiles. */
enum {
  NO_SLOPES = 4,
  NOISY_GD = 8,
  BISECTION = MADE_COUNT - 3,
  LAST = MADE_COUNT - 1,
  SCALED = BISECTION - 8,
  SURE = SCALED - 2,
  SEVERAL = SURE - 2,
  NO_SCORES = BISECTION - 2
};

typedef struct walk {
  json_t *root;
  size_t made;      /* which policy */
  bool derived_too; /* what is written from the guarantee alone is walked once for all policies */
  size_t turn;
  long tried, verified;
} walk;

static bool ends(const char *path, const char *end) {
  size_t n = strlen(path), m = strlen(end);
  return n >= m && !strcmp(path + n - m, end);
}

/* Below /privacy/inputs: options that nothing else follows from, within their ranges. */
static bool option_may_be(const char *path, const json_t *value) {
  static const char *const options[] = {"/average", "/step_size", "/bandwidth", "/theta_bound"};
  for (size_t i = 0; i < 4; i++)
    if (ends(path, options[i])) return json_is_real(value) && json_real_value(value) > 0;
  return (ends(path, "/kernel") && !strcmp(json_string_value(value), "uniform")) ||
         (ends(path, "/start") && !strcmp(json_string_value(value), "sphere")) ||
         (ends(path, "/rule") && !strcmp(json_string_value(value), "C Thm 3.6(2)"));
}

/* value is NULL where it was left out. */
static bool may_verify(const walk *w, const char *path, const json_t *value) {
  if (!strcmp(path, "/signature")) return value == NULL; /* nobody signed it then */
  if (json_object_get(w->root, "signature") || !value) return false;
  /* what is released: verification cannot know what the noise was */
  if (!strncmp(path, "/coefficients/", 14) || !strncmp(path, "/spread/", 8)) return json_is_real(value);
  /* how sure it is: any covariances, in their place */
  if (!strncmp(path, "/uncertainty", 12)) return true;
  /* what the next policy goes on from: likewise */
  if (!strncmp(path, "/state", 6)) return true;
  /* the public number of rows, where nothing else follows from it */
  if (!strcmp(path, "/privacy/rows")) return json_is_integer(value);
  /* the quantile, where no release is made for it: slopes were not bought or it lies far out, and the rest
   * are counts */
  if ((w->made == NO_SLOPES || w->made >= NO_SCORES) && ends(path, "/quantile")) return json_is_real(value);
  if (!strncmp(path, "/privacy/inputs/", 16)) return option_may_be(path, value);
  /* only the ledger knows its entries */
  if (!strcmp(path, "/privacy/ledger")) return json_is_null(value);
  if (!strncmp(path, "/privacy/ledger/", 16)) return json_is_string(value) || json_is_integer(value);
  /* versions of this program */
  return !strcmp(path, "/tacit") && ends(json_string_value(value), "9.0.17");
}

/* json_incref'ed values are put in and taken out again without disturbing the order of keys. */
static void judge(walk *w, const char *path, const json_t *value, const char *how) {
  w->tried++;
  if (!json_verifies(w->root, NULL)) return;
  w->verified++;
  if (!may_verify(w, path, value)) fail_msg("policy %zu verifies with %s %s", w->made, path, how);
}

static json_t *another_number(const json_t *value, size_t turn) {
  static const double factors[] = {1 + 1e-5, 0.5, -1, 0, 1 - 1e-5, 1e12};
  if (json_is_real(value)) return json_real(json_real_value(value) * factors[turn % 6]);
  return json_integer(json_integer_value(value) + (turn % 2 ? 1 : -1));
}

static json_t *another_text(const json_t *value, size_t turn) {
  static const char *const words[] = {"uniform", "sphere", "C Thm 3.6(2)", "9.0.17", "1.0.0 Jane", "",
                                      "*",       "y",      "add-remove",   "01.0.0"};
  char text[2048];
  if (turn % 3 == 0) return json_string(words[turn / 3 % 10]);
  snprintf(text, sizeof text, turn % 3 == 1 ? "%s " : "x%s", json_string_value(value));
  return json_string(text);
}

/* One of the same type. */
static json_t *another(const json_t *value, size_t turn) {
  if (json_is_number(value)) return another_number(value, turn);
  if (json_is_string(value)) return another_text(value, turn);
  if (json_is_boolean(value)) return json_boolean(!json_is_true(value));
  if (json_is_object(value)) return json_object();
  return json_is_array(value) ? json_array() : json_true();
}

/* One of another type: the nearest there is, or any. */
static json_t *of_another_type(const json_t *value, size_t turn) {
  static const char *const others[] = {"null", "\"x\"", "1", "[]", "0.5", "{}", "true"};
  if (turn % 3 == 0 && json_is_integer(value)) return json_real((double)json_integer_value(value));
  if (turn % 3 == 0 && json_is_real(value)) return json_integer((json_int_t)json_real_value(value));
  for (;; turn++) {
    json_t *other = json_loads(others[turn % 7], JSON_DECODE_ANY, NULL);
    if (json_typeof(other) != json_typeof(value)) return other;
    json_decref(other);
  }
}

static void walk_below(walk *w, json_t *at, const char *path);

/* A value in its place, which `put` fills: an entry of a list, or of an object. */
static void try_others(walk *w, json_t *at, const char *key, size_t index, const char *path) {
  json_t *value = json_incref(key ? json_object_get(at, key) : json_array_get(at, index));
  for (int type = 0; type < 2; type++) {
    json_t *other = type ? of_another_type(value, w->turn++) : another(value, w->turn++);
    if (!json_equal(other, value)) {
      if (key)
        json_object_set(at, key, other);
      else
        json_array_set(at, index, other);
      char *text = json_dumps(other, JSON_ENCODE_ANY);
      judge(w, path, other, text);
      free(text);
    }
    json_decref(other);
  }
  if (key)
    json_object_set(at, key, value);
  else
    json_array_set(at, index, value);
  walk_below(w, value, path);
  json_decref(value);
}

/* Without a key; with one more, before the others or after them. */
static void try_keys(walk *w, json_t *at, const char *path) {
  json_t *whole = json_copy(at), *value;
  const char *key, *more[] = {"note", "rows", "seed"};
  char below[512];
  json_object_foreach(whole, key, value) {
    json_object_del(at, key);
    snprintf(below, sizeof below, "%s/%s", path, key);
    judge(w, below, NULL, "left out");
    json_object_clear(at);
    json_object_update(at, whole);
  }
  const char *extra = more[w->turn++ % 3];
  if (!json_object_get(at, extra)) {
    json_object_set_new(at, extra, w->turn % 2 ? json_string("Jane earns 5000") : json_integer(5000));
    snprintf(below, sizeof below, "%s/%s", path, extra);
    judge(w, below, NULL, "added");
    json_object_del(at, extra);
  }
  json_decref(whole);
}

static void try_entries(walk *w, json_t *at, const char *path) {
  size_t n = json_array_size(at);
  char below[512];
  snprintf(below, sizeof below, "%s/%zu", path, n);
  json_array_append_new(at, n ? json_deep_copy(json_array_get(at, n - 1)) : json_integer(5000));
  judge(w, below, NULL, "one more");
  json_array_remove(at, n);
  for (size_t i = 0; i + 1 < n; i += n / 3 + 1) { /* two neighbours change places */
    json_t *first = json_incref(json_array_get(at, i)), *second = json_incref(json_array_get(at, i + 1));
    if (!json_equal(first, second)) {
      json_array_set(at, i, second);
      json_array_set(at, i + 1, first);
      bool released = !strncmp(path, "/uncertainty/", 13); /* numbers in each other's place */
      judge(w, path, released ? at : NULL, "in another order");
      json_array_set(at, i, first);
      json_array_set(at, i + 1, second);
    }
    json_decref(first);
    json_decref(second);
  }
  if (!n) return;
  json_t *last = json_incref(json_array_get(at, n - 1));
  json_array_remove(at, n - 1);
  judge(w, below, NULL, "one less");
  json_array_append_new(at, last);
}

static void walk_below(walk *w, json_t *at, const char *path) {
  bool derived = !strcmp(path, "/privacy/attacker") || !strcmp(path, "/privacy/guarantee/as_epsilon_delta");
  char below[512];
  if (derived && !w->derived_too) return;
  if (json_is_object(at)) {
    json_t *whole = json_copy(at), *value;
    const char *key;
    try_keys(w, at, path);
    json_object_foreach(whole, key, value) {
      snprintf(below, sizeof below, "%s/%s", path, key);
      try_others(w, at, key, 0, below);
    }
    json_decref(whole);
  }
  if (!json_is_array(at)) return;
  try_entries(w, at, path);
  size_t n = json_array_size(at), step = n > 6 ? n / 3 : 1; /* some of a long list */
  for (size_t i = 0; i < n; i += step) {
    snprintf(below, sizeof below, "%s/%zu", path, i);
    try_others(w, at, NULL, i, below);
  }
}

static long tried, verified;

static void take_apart(json_t *root, size_t i, bool derived_too) {
  walk w = {.root = root, .made = i, .derived_too = derived_too, .turn = i};
  char why[512];
  if (!json_verifies(root, why)) fail_msg("policy %zu: %s", i, why);
  walk_below(&w, root, "");
  assert_true(json_verifies(root, NULL)); /* as it was */
  tried += w.tried;
  verified += w.verified;
}

static void no_value_can_be_another(void **state) {
  (void)state;
  static const size_t taken[] = {1,          NO_SLOPES,
                                 6,          9,
                                 10,         12,
                                 13,         16,
                                 18,         24,
                                 26,         28,
                                 31,         32,
                                 33,         36,
                                 39,         SCALED,
                                 SCALED + 1, SCALED + 2,
                                 NO_SCORES,  NO_SCORES + 1,
                                 SURE,       SURE + 1,
                                 SEVERAL,    SEVERAL + 1,
                                 LAST};
  for (size_t k = 0; k < sizeof taken / sizeof *taken; k += made_step()) {
    json_t *root = made_json(taken[k]);
    take_apart(root, taken[k], k == 0);
    json_decref(root);
  }
  print_message("%ld changes tried, %ld verify: coefficients, rows and options\n", tried, verified);
  assert_true(tried > (made_step() == 1 ? 4000 : 300));
}

/* The noise of Gaussian releases follows but for its last digits, in which powers differ between systems. */
static void no_noise_can_differ(void **state) {
  (void)state;
  static const size_t taken[] = {0,      1,          2,          3,          NO_SLOPES, 7,  NOISY_GD,
                                 9,      12,         15,         32,         33,        36, LAST,
                                 SCALED, SCALED + 1, SCALED + 2, SCALED + 3, NO_SCORES};
  for (size_t k = 0; k < sizeof taken / sizeof *taken; k += made_step()) {
    json_t *root = made_json(taken[k]), *m;
    size_t i, n = 0;
    json_array_foreach(json_object_get(json_object_get(root, "privacy"), "mechanisms"), i, m) {
      double sigma = json_real_value(json_object_get(m, "sigma"));
      if (i > 5 && i % 9) continue; /* some of a long list */
      json_object_set_new(m, "sigma", json_real(sigma * (n++ % 2 ? 1 - 1e-13 : 1 + 1e-13)));
      if (json_verifies(root, NULL)) fail_msg("policy %zu verifies with another sigma %zu", taken[k], i);
      json_object_set_new(m, "sigma", json_real(sigma));
    }
    json_decref(root);
  }
}

/* Nor can an entry become two that differ in the last digit of their noise. */
static void no_entry_can_be_split(void **state) {
  (void)state;
  static const size_t taken[] = {0, NO_SLOPES, 12, 15, 16, BISECTION + 1};
  for (size_t k = 0; k < sizeof taken / sizeof *taken; k++) {
    json_t *root = made_json(taken[k]),
           *list = json_object_get(json_object_get(root, "privacy"), "mechanisms");
    size_t n = json_array_size(list), split = 0;
    for (size_t i = 0; i < n; i++) {
      json_t *first = json_array_get(list, i), *second = json_deep_copy(first);
      json_int_t count = json_integer_value(json_object_get(first, "count"));
      double sigma = json_real_value(json_object_get(first, "sigma"));
      if (count > 1) {
        json_object_set_new(first, "count", json_integer(count - 1));
        json_object_set_new(second, "count", json_integer(1));
        json_object_set_new(second, "sigma", json_real(nextafter(sigma, INFINITY)));
        json_array_insert(list, i + 1, second);
        if (json_verifies(root, NULL)) fail_msg("policy %zu verifies with entry %zu split", taken[k], i);
        json_array_remove(list, i + 1);
        json_object_set_new(first, "count", json_integer(count));
        split++;
      }
      json_decref(second);
    }
    assert_true(split > 0 && json_verifies(root, NULL));
    json_decref(root);
  }
}

static tacit_policy *with_receipt(size_t i) {
  tacit_policy *policy = make_policy(&MADE[i]);
  tacit_receipt receipt = {.label = "L\u00e4mmer", .sequence = 7};
  memset(receipt.head, 'a', 64);
  tacit_policy_set_receipt(policy, &receipt);
  return policy;
}

static void nor_in_receipts_and_signatures(void **state) {
  (void)state;
  char folder[] = "/tmp/tacit-every-value.XXXXXX", secret[64], public[64], text[TACIT_KEY_TEXT];
  tacit_secret_key *key;
  assert_non_null(mkdtemp(folder));
  snprintf(secret, sizeof secret, "%s/secret", folder);
  snprintf(public, sizeof public, "%s/public", folder);
  assert_int_equal(tacit_keys_make(secret, public, text, NULL), TACIT_OK);
  assert_int_equal(tacit_secret_key_read(secret, &key, NULL), TACIT_OK);
  for (int signs = 0; signs < 2; signs++) {
    tacit_policy *policy = with_receipt(NOISY_GD);
    if (signs) assert_int_equal(tacit_policy_sign(policy, key, NULL), TACIT_OK);
    json_t *root = policy_json(policy);
    take_apart(root, NOISY_GD, false);
    json_decref(root);
    tacit_policy_free(policy);
  }
  tacit_secret_key_free(key);
  unlink(secret);
  unlink(public);
  rmdir(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_value_can_be_another), cmocka_unit_test(no_noise_can_differ),
      cmocka_unit_test(no_entry_can_be_split), cmocka_unit_test(nor_in_receipts_and_signatures)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
