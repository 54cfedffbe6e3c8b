/* Memory that gives out at the 1st, 2nd, 3rd ... request of a whole fit, order, verification, ledger and
   audit: each time there is a status with a text, or the right result; never a crash, half a result or a
   promise that does not hold. Linked with --wrap for what the library itself asks for; jansson and SQLite are
   given the same failing allocator. */
#include "learn/task.h"
#include "policy/policy.h"

#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <tacit/ledger.h>
#include <tacit/study.h>
#include <unistd.h>

#include <cmocka.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);

void *__real_mmap(void *at, size_t size, int protection, int flags, int file, off_t offset);

static long requests, fail_at; /* 0: none fails */
static bool for_good;          /* all later ones fail too */

static bool fails(void) {
  long n = __atomic_add_fetch(&requests, 1, __ATOMIC_RELAXED);
  return fail_at && (n == fail_at || (for_good && n > fail_at));
}

void *__wrap_malloc(size_t size) {
  return fails() ? NULL : __real_malloc(size);
}
void *__wrap_calloc(size_t count, size_t size) {
  return fails() ? NULL : __real_calloc(count, size);
}
void *__wrap_realloc(void *old, size_t size) {
  return fails() ? NULL : __real_realloc(old, size);
}
void *__wrap_aligned_alloc(size_t alignment, size_t size) {
  return fails() ? NULL : __real_aligned_alloc(alignment, size);
}

void *__wrap_mmap(void *at, size_t size, int protection, int flags, int file, off_t offset) {
  return fails() ? MAP_FAILED : __real_mmap(at, size, protection, flags, file, offset);
}

/* jansson 2.14's reader stops the program at an assertion when its buffer cannot grow, which is not ours to
   mend: to read a text counts as one request. */
json_t *__real_json_loadb(const char *text, size_t length, size_t flags, json_error_t *error);
json_t *__wrap_json_loadb(const char *text, size_t length, size_t flags, json_error_t *error) {
  if (fails()) {
    memset(error, 0, sizeof *error);
    return NULL;
  }
  long kept_requests = requests, kept_fail_at = fail_at;
  fail_at = 0;
  json_t *json = __real_json_loadb(text, length, flags, error);
  requests = kept_requests, fail_at = kept_fail_at;
  return json;
}

/* SQLite wants to know how large a block is. */
static void *sqlite_malloc(int size) {
  size_t *block = fails() ? NULL : __real_malloc((size_t)size + 16);
  if (block) *block = (size_t)size;
  return block ? (char *)block + 16 : NULL;
}
static void sqlite_release(void *block) {
  if (block) free((char *)block - 16);
}
static int sqlite_size(void *block) {
  return block ? (int)*(size_t *)((char *)block - 16) : 0;
}
static void *sqlite_realloc(void *old, int size) {
  size_t *block = fails() ? NULL : __real_realloc((char *)old - 16, (size_t)size + 16);
  if (block) *block = (size_t)size;
  return block ? (char *)block + 16 : NULL;
}
static int round_up(int size) {
  return (size + 7) & ~7;
}
static int nothing(void *data) {
  (void)data;
  return SQLITE_OK;
}
static void nothing_either(void *data) {
  (void)data;
}

static const char SCHEMA[] =
    "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 20}, \"features\": [{\"name\": \"t\", \"min\": 0, "
    "\"max\": 9, "
    "\"missing\": 1}, {\"name\": \"d\", \"levels\": [\"x\", \"z\", \"other\"]}, {\"name\": \"t\", "
    "\"transform\": "
    "\"spline\", \"knots\": 1}], \"unit\": {\"column\": \"who\", \"rows_per_unit\": 2}}";
static char table[8192], path[64], ledger_path[64];
static char *reference; /* the policy's text when nothing fails */

/* Each returns TACIT_OK with the right result, or a status with a text. */
static const char *method;
static bool write_it, spread_it; /* to a file; as a learner of spreads would leave it */

static tacit_status fit(tacit_error *error) {
  static const double tau = 0.7;
  const tacit_goal goal = {.quantile = tau};
  tacit_schema *schema = NULL;
  tacit_source *source = NULL;
  tacit_fit *made = NULL;
  tacit_policy *policy = NULL;
  tacit_learn_options options;
  tacit_context context;
  tacit_context_init(&context);
  context.threads = 1;
  tacit_learn_options_init(&options);
  options.method = method;
  options.quantiles = &tau;
  options.quantile_count = 1;
  options.mu = 1;
  options.seeded = true;
  tacit_status status = tacit_schema_parse(SCHEMA, strlen(SCHEMA), &schema, error);
  if (status == TACIT_OK) status = tacit_source_csv_text(table, strlen(table), &source, error);
  if (status == TACIT_OK) status = tacit_learn(schema, source, &options, &context, &made, error);
  if (status == TACIT_OK && spread_it) {
    status = tacit_fit_want_spread(made, error);
    for (size_t j = 0; status == TACIT_OK && j <= made->columns; j++) made->spread[j] = -0.5;
  }
  if (status == TACIT_OK) status = tacit_policy_from_fit(schema, NULL, made, &goal, &policy, error);
  if (status == TACIT_OK && write_it) {
    unlink(path);
    status = tacit_policy_write(policy, path, error);
  }
  if (status == TACIT_OK && !write_it) {
    char *text = tacit_policy_text(policy);
    size_t same = 0; /* whole, or not at all */
    while (text && reference && text[same] && text[same] == reference[same]) same++;
    if (text && reference && strcmp(text, reference))
      fail_msg("request %ld: %.120s is not %.120s", fail_at, text + same, reference + same);
    if (!text) status = tacit_fail(error, TACIT_INTERNAL, "no text");
    if (reference)
      free(text);
    else
      reference = text;
  }
  tacit_policy_free(policy);
  tacit_fit_free(made);
  tacit_source_free(source);
  tacit_schema_free(schema);
  return status;
}

static tacit_status order_and_verify(tacit_error *error) {
  tacit_policy *policy = NULL;
  tacit_source *source = NULL;
  tacit_encoder *encoder = NULL;
  double x[16], y[1];
  bool ready, more = true;
  tacit_status status = tacit_policy_parse(reference, strlen(reference), &policy, error);
  if (status == TACIT_OK) {
    tacit_verdict verdict;
    tacit_policy_verify(policy, &verdict);
    assert_false(verdict.holds); /* its noise is seeded: no lack of memory makes it private */
    status = tacit_source_csv_text(table, strlen(table), &source, error);
  }
  if (status == TACIT_OK)
    status = tacit_encoder_new(source, tacit_policy_schema(policy), false, &encoder, error);
  while (status == TACIT_OK && more) {
    status = tacit_encoder_next(encoder, x, y, &ready, &more, error);
    if (status == TACIT_OK && more && ready) assert_true(isfinite(tacit_policy_decide(policy, 0, x)));
  }
  tacit_encoder_free(encoder);
  tacit_source_free(source);
  tacit_policy_free(policy);
  return status;
}

static tacit_status keep_a_ledger(tacit_error *error) {
  tacit_ledger *ledger = NULL;
  tacit_receipt receipt;
  const tacit_spending spending = {.label = "a",
                                   .mu = 0.5,
                                   .method = "m",
                                   .schema_hash = "h",
                                   .date = "2027-01-01",
                                   .unit = {.rows_per_unit = 1}};
  unlink(ledger_path);
  tacit_status status = tacit_ledger_open(ledger_path, TACIT_LEDGER_CREATE, 0, &ledger, error);
  if (status == TACIT_OK) status = tacit_ledger_budget(ledger, "a", 1, false, NULL, error);
  if (status == TACIT_OK) status = tacit_ledger_spend(ledger, &spending, &receipt, error);
  if (status == TACIT_OK) status = tacit_ledger_check(ledger, error);
  if (status == TACIT_OK) status = tacit_ledger_check_receipt(ledger, &receipt, "h", 0.5, error);
  tacit_ledger_close(ledger);
  /* whatever was refused, the file is whole or not there */
  long keep = fail_at;
  fail_at = 0;
  tacit_error why = {""};
  if (access(ledger_path, F_OK) == 0) {
    if (tacit_ledger_open(ledger_path, TACIT_LEDGER_READ, 0, &ledger, &why) != TACIT_OK ||
        tacit_ledger_check(ledger, &why) != TACIT_OK)
      fail_msg("request %ld: %s", keep, why.text);
    if (status == TACIT_OK) assert_int_equal(tacit_ledger_sequence(ledger), 2);
    tacit_ledger_close(ledger);
  }
  fail_at = keep;
  return status;
}

static const char COLUMNS[] =
    "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 20}, \"features\": [{\"name\": \"t\", \"hash\": 4}, "
    "{\"name\": \"d\", \"levels\": [\"X\", 2], \"fold\": true, \"other\": true}, {\"name\": \"who\", "
    "\"date\": "
    "[\"weekday\", \"day-of-year\", \"trend\"], \"start\": \"2016-01-01\", \"end\": \"2017-01-01\", "
    "\"format\": "
    "\"%Y-%m-%d\", \"holidays\": [\"2016-12-25\"], \"missing\": \"2016-01-01\"}, {\"interaction\": [\"d\", "
    "\"weekday\"]}, {\"name\": \"t\", \"flag\": true, \"missing\": false}]}";
static char *drafted; /* when nothing fails */

/* A draft, a check, and the records that meet a condition as rows. */
static tacit_status look_at_columns(tacit_error *error) {
  tacit_schema *schema = NULL;
  tacit_source *source = NULL, *records = NULL;
  tacit_design *design = NULL;
  tacit_read_counts counts;
  tacit_cell_counts cells[16];
  size_t count;
  char *draft = NULL;
  tacit_status status = tacit_schema_parse(COLUMNS, strlen(COLUMNS), &schema, error);
  if (status == TACIT_OK) status = tacit_source_csv_text(table, strlen(table), &source, error);
  if (status == TACIT_OK) status = tacit_schema_draft(source, &draft, error);
  if (status == TACIT_OK && drafted) assert_string_equal(draft, drafted);
  if (status == TACIT_OK && !drafted) drafted = draft, draft = NULL;
  if (status == TACIT_OK) status = tacit_schema_check_table(schema, source, cells, &count, NULL, error);
  if (status == TACIT_OK) assert_true(count == 60 && cells[1].unlisted == 30);
  if (status == TACIT_OK) status = tacit_source_csv_text(table, strlen(table), &records, error);
  tacit_source_free(source);
  source = NULL;
  if (status == TACIT_OK) status = tacit_source_where(records, "y > 3 AND d = 'z'", &source, error);
  if (status == TACIT_OK) status = tacit_read_design(source, schema, NULL, &design, &counts, NULL, error);
  if (status == TACIT_OK) assert_int_equal(counts.rows, 24);
  free(draft);
  tacit_design_free(design);
  tacit_source_free(source);
  tacit_schema_free(schema);
  return status;
}

static tacit_status audit(tacit_error *error) {
  tacit_audit_options options;
  tacit_audit_result result;
  tacit_context context;
  tacit_context_init(&context);
  context.threads = 1;
  tacit_audit_options_init(&options);
  options.method = "gaussian";
  options.runs = 100;
  options.seeded = true;
  return tacit_audit_learner(&options, &context, &result, error);
}

static void every_request(tacit_status (*work)(tacit_error *), const char *what, long most) {
  tacit_error error = {""};
  requests = fail_at = 0;
  assert_int_equal(work(&error), TACIT_OK);
  long all = requests, refused = 0, tried = 0;
  long stride = all > most ? all / most + 1 : 1;
  if (getenv("TACIT_QUICK")) stride *= 20;
  if (getenv("TACIT_EVERY")) stride = 1; /* scripts/test-long */
  for (int round = 0; round < 2; round++)
    for (long k = 1; k <= all; k += stride, tried++) {
      requests = 0, fail_at = k, for_good = round == 1;
      error.text[0] = 0;
      tacit_status status = work(&error);
      fail_at = 0;
      if (status != TACIT_OK && !error.text[0]) fail_msg("%s, request %ld: no reason is given", what, k);
      refused += status != TACIT_OK;
    }
  print_message("%s: %ld requests for memory, %ld failures tried, %ld refused, the others survived\n", what,
                all, tried, refused);
  assert_true(refused > tried / 4);
}

static void a_fit(void **state) {
  (void)state;
  method = "noisy-gd", write_it = false, reference = NULL;
  tacit_error error;
  assert_int_equal(fit(&error), TACIT_OK);
  every_request(fit, "noisy-gd to a policy's text", 600);
  every_request(order_and_verify, "order and verify", 120);
  write_it = true;
  every_request(fit, "noisy-gd to a file", 60);
  free(reference);
  method = "default", write_it = false, reference = NULL;
  assert_int_equal(fit(&error), TACIT_OK);
  every_request(fit, "default to a policy's text", 250);
  every_request(order_and_verify, "order and verify of it", 60);
  free(reference);
  method = "bisection", spread_it = true, reference = NULL;
  assert_int_equal(fit(&error), TACIT_OK);
  assert_non_null(strstr(reference, "linear-with-spread"));
  every_request(fit, "a spread to a policy's text", 250);
  every_request(order_and_verify, "order and verify with a spread", 120);
  free(reference);
}

static void a_ledger(void **state) {
  (void)state;
  every_request(keep_a_ledger, "a ledger made, spent from and checked", 400);
}

static void columns_of_all_kinds(void **state) {
  (void)state;
  every_request(look_at_columns, "a draft, a check and a condition", 600);
  free(drafted);
}

static void an_audit(void **state) {
  (void)state;
  every_request(audit, "an audit", 150);
}

static int set_up(void **state) {
  (void)state;
  static const sqlite3_mem_methods methods = {sqlite_malloc, sqlite_release, sqlite_realloc, sqlite_size,
                                              round_up,      nothing,        nothing_either, NULL};
  json_set_alloc_funcs(__wrap_malloc, free);
  if (sqlite3_config(SQLITE_CONFIG_MALLOC, &methods) != SQLITE_OK) return -1;
  size_t used = (size_t)snprintf(table, sizeof table, "who,t,d,y\n");
  for (int i = 0; i < 60; i++)
    used += (size_t)snprintf(table + used, sizeof table - used, "p%d,%d,%s,%d\n", i / 3, i % 10,
                             i % 2 ? "z" : "\"x\"", i % 20);
  snprintf(path, sizeof path, "/tmp/tacit-allocation.%ld.json", (long)getpid());
  snprintf(ledger_path, sizeof ledger_path, "%s/tacit-allocation.%ld.db",
           access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm", (long)getpid());
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  unlink(path);
  unlink(ledger_path);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_fit),
      cmocka_unit_test(a_ledger),
      cmocka_unit_test(columns_of_all_kinds),
      cmocka_unit_test(an_audit),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
