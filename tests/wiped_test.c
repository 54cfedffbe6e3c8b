/* What a fit leaves behind in the process's memory: none of the rows' text and none of their numbers. Learns
   from a table with two remarkable values, frees everything, and looks through all of the heap. */
#include <tacit/tacit.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The values as text, hidden: the test itself must not be found. 61.728394506172839 and 8.6419752308641975 */
enum { MASK = 0x5a, ROWS = 4000, LENGTH = 18 };
static const unsigned char HIDDEN[2][LENGTH] = {
    {'6' ^ MASK, '1' ^ MASK, '.' ^ MASK, '7' ^ MASK, '2' ^ MASK, '8' ^ MASK, '3' ^ MASK, '9' ^ MASK,
     '4' ^ MASK, '5' ^ MASK, '0' ^ MASK, '6' ^ MASK, '1' ^ MASK, '7' ^ MASK, '2' ^ MASK, '8' ^ MASK,
     '3' ^ MASK, '9' ^ MASK},
    {'8' ^ MASK, '.' ^ MASK, '6' ^ MASK, '4' ^ MASK, '1' ^ MASK, '9' ^ MASK, '7' ^ MASK, '5' ^ MASK,
     '2' ^ MASK, '3' ^ MASK, '0' ^ MASK, '8' ^ MASK, '6' ^ MASK, '4' ^ MASK, '1' ^ MASK, '9' ^ MASK,
     '7' ^ MASK, '5' ^ MASK},
};
static unsigned char hidden_double[2][sizeof(double)];

/* How often hidden bytes are in memory from here to there. */
__attribute__((no_sanitize("address"))) static size_t
count(const unsigned char *from, const unsigned char *to, const unsigned char *hidden, size_t length) {
  size_t found = 0;
  for (; from + length <= to; from++) {
    size_t i = 0;
    while (i < length && (from[i] ^ MASK) == hidden[i]) i++;
    found += i == length;
  }
  return found;
}

/* Over the heap and whatever was mapped without a name. */
static size_t left_behind(void) {
  FILE *maps = fopen("/proc/self/maps", "r");
  char line[512];
  size_t found = 0;
  while (maps && fgets(line, sizeof line, maps)) {
    unsigned long long from, to, inode;
    char mode[8], name[256] = "";
    if (sscanf(line, "%llx-%llx %7s %*s %*s %llu %255s", &from, &to, mode, &inode, name) < 4) continue;
    if (strncmp(mode, "rw", 2) != 0 || inode || (name[0] && strcmp(name, "[heap]") != 0)) continue;
    for (int k = 0; k < 2; k++) {
      found += count((unsigned char *)from, (unsigned char *)to, HIDDEN[k], LENGTH);
      found += count((unsigned char *)from, (unsigned char *)to, hidden_double[k], sizeof(double));
    }
  }
  if (maps) fclose(maps);
  return found;
}

static void reveal(int k, char *out) {
  for (size_t i = 0; i < LENGTH; i++) out[i] = (char)(HIDDEN[k][i] ^ MASK);
}

static char *table(size_t *length) {
  char *text = malloc(ROWS * 64), *at = text;
  at += sprintf(at, "x,y\n");
  for (int i = 0; i < ROWS; i++) {
    if (i % 7 != 3) {
      at += sprintf(at, "%d,%d\n", i % 10, (i * 37) % 100);
      continue;
    }
    reveal(1, at);
    at[LENGTH] = ',';
    reveal(0, at + LENGTH + 1);
    at[2 * LENGTH + 1] = '\n';
    at += 2 * LENGTH + 2;
  }
  *length = (size_t)(at - text);
  return text;
}

static void hide_doubles(void) {
  for (int k = 0; k < 2; k++) {
    char text[LENGTH + 1] = "";
    double value;
    reveal(k, text);
    value = strtod(text, NULL);
    memcpy(hidden_double[k], &value, sizeof value);
    for (size_t i = 0; i < sizeof value; i++) hidden_double[k][i] ^= MASK;
  }
}

static void learn(const char *method, bool estimate) {
  static const char schema_text[] = "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 100}, "
                                    "\"features\": [{\"name\": \"x\", \"min\": 0, \"max\": 10}]}";
  const double quantile = 0.6, rule[] = {20, 3}, cost = 1;
  size_t length;
  char *text = table(&length);
  tacit_schema *schema;
  tacit_source *source;
  tacit_fit *fit = NULL;
  tacit_context context;
  tacit_error error = {""};
  tacit_learn_options options;
  tacit_estimate result;
  const tacit_estimate_options terms = {.coefficients = rule, .underage = &cost, .overage = &cost, .mu = 1};
  tacit_context_init(&context);
  context.threads = 1;
  tacit_learn_options_init(&options);
  options.method = method;
  options.quantiles = &quantile;
  options.quantile_count = 1;
  options.mu = strncmp(method, "erm", 3) && strcmp(method, "saa") ? 0.5 : 0;
  assert_int_equal(tacit_schema_parse(schema_text, strlen(schema_text), &schema, NULL), TACIT_OK);
  assert_int_equal(tacit_source_csv_text(text, length, &source, NULL), TACIT_OK);
  tacit_status status = estimate ? tacit_estimate_cost(schema, source, &terms, &context, &result, &error)
                                 : tacit_learn(schema, source, &options, &context, &fit, &error);
  if (status != TACIT_OK) fail_msg("%s", error.text);
  tacit_fit_free(fit);
  tacit_source_free(source);
  tacit_schema_free(schema);
  explicit_bzero(text, length);
  free(text);
}

static void nothing_of_the_rows_is_left(void **state) {
  (void)state;
  static const char *const methods[] = {"median-newton", "noisy-gd", "erm"};
  char *text;
  size_t length;
  hide_doubles();
  text = table(&length);
  assert_true(left_behind() >= 2 * (ROWS / 7)); /* it would be found */
  explicit_bzero(text, length);
  free(text);
  assert_int_equal(left_behind(), 0);
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    learn(methods[i], false);
    size_t found = left_behind();
    print_message("%s: %zu values left in memory\n", methods[i], found);
    assert_int_equal(found, 0);
  }
  learn("default", true);
  assert_int_equal(left_behind(), 0);
}

/* A sanitizer or valgrind keeps memory of its own, and freed blocks as they were. */
static bool watched(void) {
#if defined(__SANITIZE_ADDRESS__)
  return true;
#else
  const char *preload = getenv("LD_PRELOAD");
  return preload && strstr(preload, "vgpreload");
#endif
}

int main(void) {
  if (watched()) return 77;
  const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_of_the_rows_is_left)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
