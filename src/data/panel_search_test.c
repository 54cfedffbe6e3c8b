/* Look-ups by key: no replaced or removed record changes more rows than are counted. */
#include "data/panel_for_test.h"

static uint64_t stream = 20260611;

static size_t pick(size_t n) { /* splitmix64 */
  uint64_t z = stream += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (size_t)((z ^ (z >> 31)) % n);
}

typedef struct record {
  size_t shop, time, y;
} record;

static record draw_record(bool spread) {
  return (record){pick(2), spread ? pick(40) : pick(6), pick(1000)};
}

static void see_records(const record *records, size_t count, const char *json, seen *s) {
  char csv[4096];
  size_t at = (size_t)snprintf(csv, sizeof csv, "shop,t,y\n");
  for (size_t i = 0; i < count; i++) /* time 0 cannot be read */
    at += (size_t)snprintf(csv + at, sizeof csv - at, records[i].time ? "%zu,%zu,%zu\n" : "%zu,,%zu\n",
                           records[i].shop, records[i].time ? records[i].time : records[i].y, records[i].y);
  tacit_error error = {""};
  tacit_status status = see_csv(csv, json, true, s, &error);
  if (status) s->records = 0; /* refused: two records have one key */
}

/* How many rows differ, in parts of a row that is removed: one that is replaced counts twice. */
typedef struct change {
  size_t parts, more, fewer; /* the largest changes of a count, up and down */
} change;

static void compare_rows(const seen *a, size_t i, const seen *b, size_t j, change *c) {
  const double *x = a->row[i], *y = b->row[j];
  size_t width = (a->columns + 1) * sizeof *x;
  if (a->ready[i] == b->ready[j] && (!a->ready[i] || !memcmp(x, y, width))) return;
  c->parts += a->ready[i] + b->ready[j];
  c->more += b->ready[j];
  c->fewer += a->ready[i];
}

/* The largest of many pairs of tables, against what is stated: replace-one, then add-remove. */
static void search(const char *json, bool tight) {
  enum { COUNT = 14, PAIRS = 3000 };
  size_t most[2] = {0, 0}, counted[2] = {0, 0};
  tacit_schema *schema = schema_of(json);
  size_t reach = tacit_schema_reach(schema);
  tacit_schema_free(schema);
  for (size_t k = 0; k < PAIRS; k++) {
    record records[COUNT], others[COUNT];
    seen one, two;
    size_t at = pick(COUNT), remove = k % 2;
    for (size_t i = 0; i < COUNT; i++) records[i] = draw_record(false);
    memcpy(others, records, sizeof others);
    if (remove)
      memmove(others + at, others + at + 1, (COUNT - at - 1) * sizeof *others);
    else
      others[at] = draw_record(false);
    see_records(records, COUNT, json, &one);
    see_records(others, COUNT - remove, json, &two);
    if (!one.records || !two.records) continue;
    change c = {0};
    for (size_t i = 0; i < COUNT; i++)
      if (!remove || i != at) compare_rows(&one, i, &two, i - (remove && i > at), &c);
    if (remove) {
      c.parts += one.ready[at];
      c.fewer += one.ready[at];
    }
    if (c.parts > most[remove]) most[remove] = c.parts;
    size_t count = c.more > c.fewer ? c.more : c.fewer;
    if (count > counted[remove]) counted[remove] = count;
  }
  printf("reach %zu: replaced %zu of %zu parts, a count by %zu; removed %zu of %zu, a count by %zu\n", reach,
         most[0], 2 * reach, counted[0], most[1], reach, counted[1]);
  assert_true(most[0] <= 2 * reach && counted[0] <= reach);
  assert_true(most[1] <= reach && counted[1] <= reach);
  if (tight) assert_true(most[0] == 2 * reach && most[1] == reach);
}

/* By hand: record 1 is first at its key and at the one that it is moved to, each of which another record has
   too and a third one looks at. Four rows change with it: its own, the two that look, and one that comes for
   one that goes. */
static void a_record_that_is_moved_between_shared_keys(void **state) {
  (void)state;
  static const char json[] = "{" TARGET ", 'features': [{'name': 'y', 'lag': 1, 'missing': 5}], 'panel': "
                             "{'time': 't', 'every': 'number'}}";
  static const char rest[] = "10,2\n11,3\n20,4\n21,6\n30,7\n";
  static const bool before[] = {true, false, true, true, true, true},
                    after[] = {true, true, true, false, true, true};
  char csv[100];
  seen one, two;
  snprintf(csv, sizeof csv, "t,y\n10,0\n%s", rest);
  encodes(csv, json, &one);
  snprintf(csv, sizeof csv, "t,y\n20,10\n%s", rest);
  encodes(csv, json, &two);
  assert_memory_equal(one.ready, before, sizeof before);
  assert_memory_equal(two.ready, after, sizeof after);
  assert_true(one.row[2][1] == -1 && two.row[2][1] == -0.6); /* 11 finds what is left at 10, */
  assert_true(one.row[4][1] == -0.2 && two.row[4][1] == 1);  /* and 21 what came to 20 */
  assert_true(one.row[5][1] == 0 && two.row[5][1] == 0);
  tacit_schema *schema = schema_of(json);
  assert_int_equal(tacit_schema_reach(schema), 4);
  tacit_schema_free(schema);
}

#define NUMBERS "'panel': {'by': 'shop', 'time': 't', 'every': 'number', 'missing': true"
#define WIDE "'target': {'name': 'y', 'min': 0, 'max': 1000}"

static void no_record_changes_more_rows_than_stated(void **state) {
  (void)state;
  search("{" WIDE ", 'features': [{'name': 'y', 'lag': 1, 'missing': 5}], " NUMBERS "}}", true);
  search("{" WIDE ", 'features': [{'name': 'y', 'lag': 2}], " NUMBERS "}}", false);
  search("{" WIDE ", 'features': [{'name': 'y', 'lag': 1, 'missing': 5}, {'name': 'y', 'lag': 3, "
         "'missing': 7}], " NUMBERS "}}",
         true);
#define SUM "'target': {'name': 'y', 'min': 0, 'max': 2000, 'sum_of_next': 3"
  search("{" SUM ", 'missing': 5}, 'features': [], " NUMBERS "}}", true);
  search("{" SUM "}, 'features': [], " NUMBERS "}}", false);
  search("{" SUM ", 'missing': 5}, 'features': [{'name': 'y', 'lag': 1, 'min': 0, 'max': 1000}], " NUMBERS
         "}}",
         false);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_record_that_is_moved_between_shared_keys),
      cmocka_unit_test(no_record_changes_more_rows_than_stated),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
