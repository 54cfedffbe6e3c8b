/* Rows in a caller's engine: the policy of one process, or a refusal, whatever the engine does, however the
   table is cut, for every private method but those that need the rows in one place; and for private
   evaluation. */
#include "engine/player.h"
#include "engine/table.h"
#include "engine/task.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* last: it needs the others */
#include <cmocka.h>

#define TARGET(name) "{\"name\": \"" name "\", \"min\": -10, \"max\": 20}"
#define LEVEL "{\"name\": \"c\", \"levels\": [\"u\", \"v\"]}"
#define KNOWN "{\"name\": \"a\", \"center\": 0, \"scale\": 1}, " LEVEL
#define WIDE "{\"name\": \"a\", \"min\": -20, \"max\": 20}, {\"name\": \"b\", \"min\": -5, \"max\": 5}"
static const char PLAIN[] = "{\"target\": " TARGET("y") ", \"features\": [" KNOWN "]}";
static const char BOUNDED[] = "{\"target\": " TARGET("y") ", \"features\": [" WIDE "]}";
static const char MIXED[] = "{\"target\": " TARGET("y") ", \"features\": [" WIDE ", " LEVEL "]}";
static const char OPEN[] =
    "{\"target\": " TARGET("y") ", \"features\": [" WIDE ", " LEVEL "], \"private\": \"target\"}";
static const char LIMITED[] =
    "{\"target\": " TARGET("y") ", \"features\": [" WIDE "], \"private\": "
                                "\"target\", \"unit\": {\"rows_per_unit\": 3, \"change\": 0.5}}";
static const char BARE[] = "{\"target\": " TARGET("y") ", \"features\": []}";
static const char TWO[] = "{\"target\": [" TARGET("y") ", " TARGET("z") "], \"features\": [" WIDE "]}";
static const char COSTS[] =
    "{\"target\": [" TARGET("y") ", " TARGET("z") ", " TARGET("w") "], \"features\": [" KNOWN "]}";
static const char WIDE_COSTS[] =
    "{\"target\": [" TARGET("y") ", " TARGET("z") ", " TARGET("w") "], \"features\": [" WIDE "]}";
static const char LAG[] = "{\"target\": " TARGET(
    "y") ", \"features\": [{\"name\": \"y\", \"lag\": 2}], \"unit\": {\"rows_per_unit\": 2}}";
static const char UNIT[] =
    "{\"target\": " TARGET("y") ", \"features\": [" WIDE
                                "], \"unit\": {\"column\": \"v\", \"rows_per_unit\": 3}}";
static const char SHORT[] =
    "{\"target\": " TARGET("y") ", \"features\": [" WIDE ", " LEVEL
                                "], \"unit\": {\"column\": \"v\", \"rows_per_unit\": 2}}";
static const char POLYTOPE[] = "{\"kind\": \"polytope\", \"A\": [[1, 1, 1], [1, 0, 0]], \"b\": [2, 1]}";

/* The certificate's one field more. */
static void assert_same_policy(const task *t, char *engine, const char *one) {
  static const char FIELD[] = "\"rows_held\": \"by the caller's engine\",";
  char *line = strstr(engine, FIELD);
  if (!t->estimate) {
    assert_non_null(line);
    char *begin = line;
    while (begin > engine && begin[-1] != '\n') begin--;
    char *end = strchr(line, '\n') + 1;
    memmove(begin, end, strlen(end) + 1);
  }
  assert_string_equal(engine, one);
}

static char *one_process(const task *t, const tacit_schema *schema) {
  tacit_source *source = columns_of(0, ROWS);
  tacit_error error = {""};
  char *text;
  int paid;
  if (learn(t, schema, source, &text, &paid, &error) != TACIT_OK) fail_msg("%s: %s", t->method, error.text);
  tacit_source_free(source);
  assert_int_equal(paid, 1);
  return text;
}

typedef tacit_part *(*opener)(const void *table, const tacit_schema *schema, size_t k, size_t count);

static void play(const task *t, const tacit_schema *schema, opener open, size_t parts, manner as,
                 const char *one) {
  player p = {.schema = schema, .manner = as, .open = open, .table = packed};
  tacit_error error = {""};
  char *text;
  int paid;
  player_open(&p, parts);
  if (as == STRANGER) p.stranger = part_of(columns_of(11, 400), schema);
  tacit_source *source = player_source(&p, &error);
  if (!source) fail_msg("%s", error.text);
  tacit_status status = learn(t, schema, source, &text, &paid, &error);
  if (as < SILENT && status != TACIT_OK) fail_msg("%s, manner %d: %s", t->method, as, error.text);
  if (as < SILENT) assert_same_policy(t, text, one);
  if (as == SILENT) assert_int_equal(status, TACIT_INTERNAL);
  if (as == OVERLAPS || as == TWO_WORDS) assert_int_equal(status, TACIT_REFUSED);
  if (as == FAILS) assert_int_equal(status, TACIT_INTERNAL);
  if (as >= SILENT) assert_null(text);
  bool spoils = as == FLIPS || as == CUTS || as == STRANGER || as == BOASTS;
  assert_true(!spoils || p.refused > 0);
  tacit_free(text);
  tacit_source_free(source);
  player_close(&p);
}

static const task TASKS[] = {
    {.schema = PLAIN, .method = "median-newton"},
    {.schema = BOUNDED, .method = "median-newton", .add_remove = true},
    {.schema = BARE, .method = "median-newton"},
    {.schema = TWO, .method = "median-newton"},
    {.schema = PLAIN, .method = "location-scale", .high = true},
    {.schema = MIXED, .method = "location-scale", .high = true, .add_remove = true},
    {.schema = TWO, .method = "location-scale"},
    {.schema = OPEN, .method = "location-scale", .high = true},
    {.schema = LIMITED, .method = "default"},
    {.schema = TWO, .method = "bisection"},
    {.schema = MIXED, .method = "follow", .high = true},
    {.schema = TWO, .method = "noisy-gd", .steps = 6},
    {.schema = PLAIN, .method = "noisy-gd", .start = "sphere", .steps = 4},
    {.schema = PLAIN, .method = "gradient", .steps = 8},
    {.schema = COSTS, .method = "default", .region = "{\"kind\": \"simplex\", \"dimension\": 3}", .steps = 4},
    {.schema = WIDE_COSTS,
     .method = "gaussian",
     .region = "{\"kind\": \"ball\", \"dimension\": 3, \"radius\": 1}",
     .steps = 4},
    {.schema = COSTS,
     .method = "exponential",
     .region = "{\"kind\": \"simplex\", \"dimension\": 3}",
     .steps = 5},
    {.schema = COSTS, .method = "least-squares", .region = "{\"kind\": \"simplex\", \"dimension\": 3}"},
    {.schema = COSTS, .method = "gaussian", .region = POLYTOPE, .steps = 2},
    {.schema = BOUNDED, .method = "evaluate", .estimate = true},
    {.schema = BOUNDED, .method = "evaluate", .estimate = true, .add_remove = true},
    {.schema = BOUNDED, .method = "evaluate", .estimate = true, .spread = true},
};
enum { TASK_COUNT = sizeof TASKS / sizeof *TASKS };

/* Each way to cut the table, and to hold its parts. */
static void every_method_learns_what_one_process_learns(void **state) {
  (void)state;
  static const size_t cuts[] = {1, 3, 50};
  for (size_t i = 0; i < TASK_COUNT; i++) {
    tacit_schema *schema = schema_of(TASKS[i].schema);
    char *one = one_process(&TASKS[i], schema);
    pack(schema);
    for (size_t c = 0; c < 3; c++) {
      play(&TASKS[i], schema, open_columns, cuts[c], HONEST, one);
      play(&TASKS[i], schema, open_packed, cuts[c], HONEST, one);
    }
    play(&TASKS[i], schema, open_bytes, 3, HONEST, one);
    tacit_free(one);
    tacit_schema_free(schema);
  }
}

static void an_engine_gives_the_same_policy_or_none(void **state) {
  (void)state;
  for (size_t i = 0; i < TASK_COUNT; i++) {
    tacit_schema *schema = schema_of(TASKS[i].schema);
    char *one = one_process(&TASKS[i], schema);
    for (manner m = LOSES; m < MANNERS; m++) {
      bool once = TASKS[i].estimate || !strcmp(TASKS[i].method, "least-squares"); /* too few questions */
      if (once && (m == FAILS || m == LATE)) continue;
      play(&TASKS[i], schema, open_columns, 3, m, one);
    }
    play(&TASKS[i], schema, open_columns, 50, REPEATS, one);
    tacit_free(one);
    tacit_schema_free(schema);
  }
}

/* Units and lags reach over parts: settled where one table was packed, refused elsewhere. */
static void units_and_lags_need_one_table(void **state) {
  (void)state;
  const task tasks[] = {{.schema = LAG, .method = "median-newton"},
                        {.schema = UNIT, .method = "median-newton", .high = true},
                        {.schema = UNIT, .method = "noisy-gd", .steps = 3}};
  for (size_t i = 0; i < sizeof tasks / sizeof *tasks; i++) {
    tacit_schema *schema = schema_of(tasks[i].schema);
    char *one = one_process(&tasks[i], schema);
    pack(schema);
    play(&tasks[i], schema, open_packed, 1, HONEST, one);
    play(&tasks[i], schema, open_packed, 3, LOSES, one);
    play(&tasks[i], schema, open_columns, 1, HONEST, one);
    player p = {.schema = schema, .open = open_columns};
    tacit_error error = {""};
    player_open(&p, 3);
    assert_null(player_source(&p, &error));
    assert_non_null(strstr(error.text, "in one piece"));
    player_close(&p);
    tacit_free(one);
    tacit_schema_free(schema);
  }
}

/* Where every unit is in one piece of the table, pieces learn what one process learns: units that lose rows
   beyond their limit, and units that are clipped as a whole, among them. So do parts of one packed table. */
static void units_in_shards_are_whole(void **state) {
  (void)state;
  const task tasks[] = {{.schema = UNIT, .method = "location-scale", .high = true},
                        {.schema = SHORT, .method = "location-scale", .add_remove = true},
                        {.schema = UNIT, .method = "median-newton", .high = true},
                        {.schema = SHORT, .method = "noisy-gd", .steps = 3},
                        {.schema = SHORT, .method = "follow", .high = true},
                        {.schema = SHORT, .method = "evaluate", .estimate = true}};
  for (size_t i = 0; i < sizeof tasks / sizeof *tasks; i++) {
    tacit_schema *schema = schema_of(tasks[i].schema);
    char *one = one_process(&tasks[i], schema);
    assert_int_equal(strstr(one, "\"units\": \"whole\"") != NULL, i < 2);
    pack(schema);
    play(&tasks[i], schema, open_packed, 1, HONEST, one);
    play(&tasks[i], schema, open_packed, 3, FORGETS, one);
    play(&tasks[i], schema, open_bytes, 50, MERGES, one);
    play(&tasks[i], schema, open_columns, 1, LOSES, one);
    for (manner m = HONEST; m < SILENT; m++)
      if (m != STRANGER && !(tasks[i].estimate && m == LATE)) play(&tasks[i], schema, open_shard, 3, m, one);
    play(&tasks[i], schema, open_packed_shard, 3, HONEST, one);
    play(&tasks[i], schema, open_shard, 50, REPEATS, one);
    tacit_free(one);
    tacit_schema_free(schema);
  }
}

/* A part of the rows of a packed table has parts of units: who clips them as a whole says so, and spends
   nothing. */
static void whole_units_need_whole_tables(void **state) {
  (void)state;
  const task t = {.schema = UNIT, .method = "location-scale", .high = true};
  tacit_schema *schema = schema_of(t.schema);
  tacit_source *source;
  tacit_error error = {""};
  char *text;
  int paid;
  pack(schema);
  assert_int_equal(tacit_source_open_part(packed, 0, 3, &source, NULL), TACIT_OK);
  assert_int_equal(learn(&t, schema, source, &text, &paid, &error), TACIT_REFUSED);
  assert_non_null(strstr(error.text, "whose they are"));
  assert_true(!text && paid == 0);
  tacit_source_free(source);
  tacit_schema_free(schema);
}

static tacit_status source_of(const tacit_schema *schema, const tacit_part_entry *entries, size_t count) {
  const tacit_engine engine = {NULL, NULL};
  tacit_source *source;
  tacit_error error = {""};
  tacit_status status = tacit_source_engine(&engine, schema, entries, count, &source, &error);
  assert_true(status == TACIT_OK ? source != NULL : source == NULL && error.text[0]);
  if (source) tacit_source_free(source);
  return status;
}

/* No unit may be in two pieces: a shard twice, shards of different numbers, and a record in the wrong one. */
static void shards_are_what_they_say(void **state) {
  (void)state;
  tacit_schema *schema = schema_of(SHORT), *plain = schema_of(PLAIN);
  tacit_part_entry lines[4], bad[2];
  tacit_part *part;
  tacit_error error = {""};
  for (size_t k = 0; k < 3; k++) {
    tacit_part_describe(part = open_shard(NULL, schema, k, 3), &lines[k]);
    tacit_part_free(part);
    assert_true(lines[k].shard == k && lines[k].shards == 3 && lines[k].whole == 1 && lines[k].rows > 0);
    assert_true(lines[k].dropped_unit > 0);
  }
  assert_int_equal(source_of(schema, lines, 3), TACIT_OK);
  assert_int_equal(source_of(schema, lines, 2), TACIT_OK); /* a shard may be empty */
  tacit_part_describe(part = open_shard(NULL, schema, 1, 4), &lines[3]);
  tacit_part_free(part);
  assert_int_equal(source_of(schema, lines, 4), TACIT_REFUSED);
  for (int k = 0; k < 3; k++) {
    memcpy(bad, lines, sizeof bad);
    *(k == 0 ? &bad[1].shard : k == 1 ? &bad[1].shards : &bad[1].whole) ^= 1;
    assert_int_equal(source_of(schema, bad, 2), TACIT_BAD_INPUT);
  }
  /* the same units in other words: a piece of the same shard with some of its records */
  tacit_source *source = shard_of(schema, 0, 3);
  assert_int_equal(tacit_source_shard(source, 2, 3, NULL), TACIT_OK);
  assert_int_equal(tacit_part_open(source, schema, NULL, &part, &error), TACIT_BAD_INPUT);
  assert_non_null(strstr(error.text, "another shard"));
  tacit_source_free(source);
  source = columns_of(0, 40);
  assert_int_equal(tacit_source_shard(source, 0, 1, NULL), TACIT_OK);
  tacit_part_describe(part = part_of(source, schema), &bad[0]);
  tacit_part_free(part);
  source = columns_of(40, 40);
  assert_int_equal(tacit_source_shard(source, 0, 1, NULL), TACIT_OK);
  tacit_part_describe(part = part_of(source, schema), &bad[1]);
  tacit_part_free(part);
  assert_int_equal(source_of(schema, bad, 1), TACIT_OK);
  assert_int_equal(source_of(schema, bad, 2), TACIT_REFUSED);
  /* what cannot be a shard */
  source = columns_of(0, 40);
  assert_int_equal(tacit_source_shard(source, 3, 3, NULL), TACIT_USAGE);
  assert_int_equal(tacit_source_shard(source, 0, 0, NULL), TACIT_USAGE);
  tacit_shards found;
  assert_int_equal(tacit_unit_shards(source, plain, 3, &found, NULL), TACIT_USAGE);
  assert_int_equal(tacit_unit_shards(source, schema, 0, &found, NULL), TACIT_USAGE);
  tacit_source_free(source);
  tacit_schema_free(schema);
  tacit_schema_free(plain);
}

static void a_manifest_has_every_part_once(void **state) {
  (void)state;
  tacit_schema *schema = schema_of(PLAIN), *other = schema_of(BOUNDED);
  tacit_part_entry whole[1], three[4], bad[4];
  pack(schema);
  tacit_error error = {""};
  assert_int_equal(tacit_manifest_packed(packed, schema, 1, whole, &error), TACIT_OK);
  assert_int_equal(tacit_manifest_packed(packed, schema, 3, three, &error), TACIT_OK);
  assert_int_equal(tacit_manifest_packed(packed, other, 3, bad, &error), TACIT_BAD_INPUT);
  for (size_t k = 0; k < 3; k++) { /* what the parts themselves say */
    tacit_part_entry said;
    tacit_part *part = open_packed(packed, schema, k, 3);
    tacit_part_describe(part, &said);
    assert_memory_equal(&said, &three[k], sizeof said);
    tacit_part_free(part);
  }
  assert_int_equal(source_of(schema, three, 3), TACIT_OK);
  assert_int_equal(source_of(schema, whole, 1), TACIT_OK);
  assert_int_equal(source_of(schema, three, 2), TACIT_REFUSED); /* the last is missing */
  assert_int_equal(source_of(schema, three + 1, 2), TACIT_REFUSED);
  three[3] = three[1]; /* one twice */
  assert_int_equal(source_of(schema, three, 4), TACIT_REFUSED);
  three[3] = whole[0]; /* all of it, and parts */
  assert_int_equal(source_of(schema, three, 4), TACIT_REFUSED);
  assert_int_equal(source_of(other, three, 3), TACIT_BAD_INPUT);
  for (size_t k = 0; k < 3; k++) { /* a line that was changed */
    memcpy(bad, three, sizeof bad);
    *(k == 0 ? &bad[1].rows : k == 1 ? &bad[1].first : &bad[1].dropped_unit) += 1;
    assert_int_equal(source_of(schema, bad, 3), TACIT_BAD_INPUT);
  }
  tacit_part *one = part_of(columns_of(0, 900), schema), *again = part_of(columns_of(0, 900), schema);
  tacit_part_describe(one, &bad[0]);
  tacit_part_describe(again, &bad[1]);
  assert_int_equal(source_of(schema, bad, 1), TACIT_OK);
  assert_int_equal(source_of(schema, bad, 2), TACIT_REFUSED); /* the same rows */
  tacit_part_free(one);
  tacit_part_free(again);
  one = part_of(columns_of(0, ROWS), schema); /* the packed rows, as they were before */
  tacit_part_describe(one, &three[3]);
  assert_int_equal(source_of(schema, three, 4), TACIT_REFUSED);
  assert_int_equal(source_of(schema, three + 3, 1), TACIT_OK);
  assert_memory_equal(three[3].table, whole[0].table, sizeof whole[0].table);
  tacit_part_free(one);
  tacit_schema_free(schema);
  tacit_schema_free(other);
}

/* Before anything is asked or paid. */
static void methods_that_need_the_rows_say_so(void **state) {
  (void)state;
  const task tasks[] = {
      {.method = "sgd"},
      {.method = "objective"},
      {.method = "erm"},
      {.method = "saa"},
      {.method = "spo-plus", .region = "{\"kind\": \"ball\", \"dimension\": 1, \"radius\": 1}"}};
  tacit_schema *schema = schema_of(PLAIN);
  for (size_t i = 0; i < sizeof tasks / sizeof *tasks; i++) {
    player p = {.schema = schema, .open = open_columns};
    tacit_error error = {""};
    char *text;
    int paid;
    player_open(&p, 2);
    tacit_source *source = player_source(&p, &error);
    assert_int_equal(learn(&tasks[i], schema, source, &text, &paid, &error), TACIT_USAGE);
    assert_non_null(strstr(error.text, "rows in one place"));
    assert_true(paid == 0 && p.asked == 0);
    tacit_source_free(source);
    player_close(&p);
  }
  tacit_schema_free(schema);
}

/* Bytes that are no request, or one for other rows, get no reply. */
static void a_part_answers_questions_for_its_rows_only(void **state) {
  (void)state;
  tacit_schema *schema = schema_of(PLAIN);
  tacit_part *part = part_of(columns_of(0, 100), schema);
  void *reply = &reply;
  size_t length = 1;
  tacit_error error = {""};
  assert_int_equal(tacit_part_answer(part, "nothing", 7, &reply, &length, &error), TACIT_BAD_INPUT);
  assert_true(!reply && !length && error.text[0]);
  tacit_part_free(part);
  tacit_schema_free(schema);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_method_learns_what_one_process_learns),
      cmocka_unit_test(an_engine_gives_the_same_policy_or_none),
      cmocka_unit_test(units_and_lags_need_one_table),
      cmocka_unit_test(units_in_shards_are_whole),
      cmocka_unit_test(whole_units_need_whole_tables),
      cmocka_unit_test(shards_are_what_they_say),
      cmocka_unit_test(a_manifest_has_every_part_once),
      cmocka_unit_test(methods_that_need_the_rows_say_so),
      cmocka_unit_test(a_part_answers_questions_for_its_rows_only),
  };
  return cmocka_run_group_tests(tests, table_make, table_remove);
}
