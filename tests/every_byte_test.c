/* A policy that verifies has exactly the bytes that the program writes: the same values laid out in another
   way, in another order or with another spelling do not, for white space and spellings could hold a message.
   Orders can be computed from such a file all the same. */
#include "policies_for_test.h"

enum { NOISY_GD = 8 }; /* of MADE */

/* A policy with every kind of text in it: a receipt, and letters beyond ASCII. */
static char *made_text(void) {
  tacit_policy *policy = make_policy(&MADE[NOISY_GD]);
  tacit_receipt receipt = {.label = "L\u00e4mmer / \"2\"", .sequence = 7};
  memset(receipt.head, 'a', 64);
  tacit_policy_set_receipt(policy, &receipt);
  char *text = tacit_policy_text(policy);
  tacit_policy_free(policy);
  return text;
}

static bool verifies(const char *text) {
  return text_verifies(text, strlen(text), NULL);
}

static bool is_read(const char *text) {
  tacit_policy *policy;
  bool read = tacit_policy_parse(text, strlen(text), &policy, NULL) == TACIT_OK;
  tacit_policy_free(policy);
  return read;
}

/* The text with something else in place of `length` bytes; to be freed. */
static char *replaced(const char *text, size_t at, size_t length, const char *by) {
  char *copy = malloc(strlen(text) + strlen(by) + 1);
  assert_non_null(copy);
  sprintf(copy, "%.*s%s%s", (int)at, text, by, text + at + length);
  return copy;
}

static void must_fail(const char *text, const char *how) {
  if (!is_read(text)) fail_msg("%s: not even read", how);
  if (verifies(text)) fail_msg("%s verifies", how);
}

static void other_layouts_fail(void **state) {
  (void)state;
  char *text = made_text();
  json_t *json = json_loads(text, 0, NULL);
  static const size_t flags[] = {JSON_COMPACT,
                                 JSON_INDENT(0),
                                 JSON_INDENT(1),
                                 JSON_INDENT(4),
                                 JSON_INDENT(2) | JSON_SORT_KEYS,
                                 JSON_INDENT(2) | JSON_ENSURE_ASCII,
                                 JSON_INDENT(2) | JSON_ESCAPE_SLASH};
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
    char *other = json_dumps(json, flags[i] | JSON_REAL_PRECISION(17)), how[32];
    snprintf(how, sizeof how, "layout %zu", i);
    must_fail(other, how);
    free(other);
  }
  json_decref(json);
  free(text);
}

static void white_space_fails(void **state) {
  (void)state;
  char *text = made_text();
  static const char *const after[] = {"\n\n", " ", "\n ", "\r\n", "\t"};
  char *ended = replaced(text, strlen(text), 0, "\n");
  assert_true(verifies(text) && verifies(ended)); /* as a text, and as a file */
  free(ended);
  for (size_t i = 0; i < sizeof after / sizeof *after; i++) {
    char *other = replaced(text, strlen(text), 0, after[i]);
    must_fail(other, "white space at the end");
    free(other);
  }
  size_t found = 0;
  for (size_t at = 0; at < strlen(text); at++) {
    static const char *const blanks[] = {" ", "\n", "\t", "\r"};
    if (!strchr(":,{}[]", text[at]) || at % 3 || strchr("\"", text[at + 1])) continue;
    char *other = replaced(text, at + 1, 0, blanks[found++ % 4]);
    if (is_read(other)) must_fail(other, "white space");
    free(other);
  }
  assert_true(found > 50);
  free(text);
}

static bool in_text(const char *text, size_t at) {
  bool inside = false;
  for (size_t i = 0; i < at; i++) inside ^= text[i] == '"' && (i == 0 || text[i - 1] != '\\');
  return inside;
}

/* 1.5 is also 1.50, 1.5e0, 1.5E+0, and 1 is 1.0. */
static void other_spellings_of_numbers_fail(void **state) {
  (void)state;
  char *text = made_text();
  static const char *const ends[] = {"e0", "E0", "e+0", "e-0"};
  size_t found = 0, turn = 0;
  for (size_t at = 1; at < strlen(text); at++) {
    if (!strchr("0123456789-", text[at]) || text[at - 1] != ' ' || in_text(text, at)) continue;
    size_t length = strspn(text + at, "0123456789.eE+-");
    bool exponent = strcspn(text + at, "eE") < length, real = exponent || strcspn(text + at, ".") < length;
    char *other = exponent           ? replaced(text, at + strcspn(text + at, "e"), 1, "E")
                  : real && turn % 2 ? replaced(text, at + length, 0, "0")
                  : real             ? replaced(text, at + length, 0, ends[turn / 2 % 4])
                                     : replaced(text, at + length, 0, turn % 2 ? ".0" : "e0");
    turn++;
    if (verifies(other)) fail_msg("verifies with another %.*s", (int)length, text + at);
    free(other);
    found++;
  }
  assert_true(found > 60);
  free(text);
}

/* "steps" is also "\u0073teps". */
static void other_spellings_of_texts_fail(void **state) {
  (void)state;
  char *text = made_text();
  size_t found = 0;
  for (size_t at = 1; at + 1 < strlen(text); at++) {
    char escape[8];
    bool opens =
        text[at] == '"' && text[at - 1] == ' ' && !in_text(text, at) && (unsigned char)text[at + 1] < 128;
    if (!opens || strchr("\\\"", text[at + 1])) continue;
    snprintf(escape, sizeof escape, found % 2 ? "\\u%04x" : "\\u%04X", (unsigned)text[at + 1]);
    char *other = replaced(text, at + 1, 1, escape);
    must_fail(other, escape);
    free(other);
    found++;
  }
  assert_true(found > 80);
  free(text);
}

/* Each object's last key first. Only schema and region keep the order of their own files. */
static long turn_keys(json_t *root, json_t *at) {
  long tried = 0;
  json_t *value;
  const char *key, *last = NULL;
  size_t i;
  if (json_is_array(at)) json_array_foreach(at, i, value) tried += turn_keys(root, value);
  if (json_object_size(at) > 1) {
    json_t *whole = json_copy(at);
    json_object_foreach(whole, key, value) last = key;
    json_object_clear(at);
    json_object_set(at, last, json_object_get(whole, last));
    json_object_update_missing(at, whole);
    if (json_verifies(root, NULL)) fail_msg("verifies with \"%s\" first", last);
    json_object_clear(at);
    json_object_update(at, whole);
    json_decref(whole);
    tried++;
  }
  json_object_foreach(at, key, value) {
    bool own = !strcmp(key, "schema") || !strcmp(key, "region");
    if (!own) tried += turn_keys(root, value);
  }
  return tried;
}

static void other_orders_fail(void **state) {
  (void)state;
  long tried = 0;
  static const size_t taken[] = {1, 9, 24, 28, 33, 39};
  for (size_t i = 0; i < sizeof taken / sizeof *taken; i += made_step()) {
    json_t *root = made_json(taken[i]);
    tried += turn_keys(root, root);
    assert_true(json_verifies(root, NULL));
    json_decref(root);
  }
  assert_true(tried > (made_step() == 1 ? 60 : 8));
}

/* The version is three numbers and nothing else. */
static void writers_are_versions(void **state) {
  (void)state;
  static const struct {
    const char *json;
    bool holds;
  } writers[] = {
      {"\"0.1.0\"", true},       {"\"12.345.6\"", true}, {"\"999.999.999\"", true},
      {"\"1.0\"", false},        {"\"1.0.0.0\"", false}, {"\"01.0.0\"", false},
      {"\"1.0.0-Jane\"", false}, {"\"1.0.0 \"", false},  {"\"1000.0.0\"", false},
      {"\"1..0\"", false},       {"\"\"", false},        {"1", false},
      {"null", false},           {"[\"0.1.0\"]", false}, {"{\"rows\": \"the whole table\"}", false}};
  json_t *root = made_json(NOISY_GD);
  for (size_t i = 0; i < sizeof writers / sizeof *writers; i++) {
    json_object_set_new(root, "tacit", json_loads(writers[i].json, JSON_DECODE_ANY, NULL));
    if (json_verifies(root, NULL) != writers[i].holds) fail_msg("tacit: %s", writers[i].json);
  }
  json_decref(root);
}

/* What verification prints cannot draw on a terminal. */
static void control_characters_are_refused(void **state) {
  (void)state;
  static const char *const keys[] = {"method", "reason"}, *const texts[] = {"\x1b[2K", "a\nb", "\x7f",
                                                                            "\xc2\x9b"};
  for (size_t i = 0; i < 2; i++)
    for (size_t k = 0; k < 4; k++) {
      json_t *root = made_json(NOISY_GD);
      json_object_set_new(json_object_get(root, "privacy"), keys[i], json_string(texts[k]));
      char *text = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
      assert_false(is_read(text));
      free(text);
      json_decref(root);
    }
  char *text = made_text(), *label = strstr(text, "L\u00e4mmer");
  char *other = replaced(text, (size_t)(label - text), 1, "\\u001b");
  assert_false(is_read(other));
  free(other);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(other_layouts_fail),
      cmocka_unit_test(white_space_fails),
      cmocka_unit_test(other_spellings_of_numbers_fail),
      cmocka_unit_test(other_spellings_of_texts_fail),
      cmocka_unit_test(other_orders_fail),
      cmocka_unit_test(writers_are_versions),
      cmocka_unit_test(control_characters_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
