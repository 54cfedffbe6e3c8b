/* Panels and sums of the next periods: one record's odd cell, whatever stands in it, changes no row but those
   that look the record up. */
#include "data/panel_for_test.h"

enum { GROUPS = 2, DAYS = 12, RECORDS = GROUPS * DAYS, ODD_DAY = 6, ODD_RECORD = ODD_DAY * GROUPS };

/* Two shops, day after day; one cell of the first shop's seventh day is another one. */
static void write_table(char *csv, size_t size, int column, const char *odd) {
  size_t at = (size_t)snprintf(csv, size, "shop,day,y\n");
  for (int i = 0; i < RECORDS; i++) {
    char cells[3][40];
    snprintf(cells[0], sizeof cells[0], "%s", i % GROUPS ? "b" : "a");
    snprintf(cells[1], sizeof cells[1], "2024-01-%02d", i / GROUPS + 1);
    snprintf(cells[2], sizeof cells[2], "%d", i * 7 % 10);
    if (i == ODD_RECORD && odd) snprintf(cells[column], sizeof cells[column], "%s", odd);
    at += (size_t)snprintf(csv + at, size - at, "%s,%s,%s\n", cells[0], cells[1], cells[2]);
  }
}

/* Rows of its shop that look the record up: so many days before and behind. */
static bool may_change(int record, int before, int behind) {
  int day = record / GROUPS;
  return record % GROUPS == 0 && day >= ODD_DAY - before && day <= ODD_DAY + behind;
}

static void expect_others_as_they_were(const char *json, int before, int behind) {
  static const char *const ODD[] = {"",    "2024-02-31", "24:00", "TRUE ", "1e309", "\"x, \"\"y\"\"\"",
                                    "nan", "-1e300",     "½",     "c",     "007",   "\"two\nlines\""};
  char csv[2048];
  seen plain, other;
  write_table(csv, sizeof csv, 0, NULL);
  encodes(csv, json, &plain);
  assert_int_equal(plain.records, RECORDS);
  for (int column = 0; column < 3; column++)
    for (size_t k = 0; k < sizeof ODD / sizeof *ODD; k++) {
      write_table(csv, sizeof csv, column, ODD[k]);
      encodes(csv, json, &other);
      assert_int_equal(other.records, RECORDS);
      for (int i = 0; i < RECORDS; i++) {
        if (may_change(i, before, behind)) continue;
        if (plain.ready[i] != other.ready[i] ||
            memcmp(plain.row[i], other.row[i], (plain.columns + 1) * sizeof(double)) != 0)
          fail_msg("\"%s\" in column %d changes record %d", ODD[k], column, i + 1);
      }
    }
}

static void an_odd_cell_changes_who_looks_it_up_alone(void **state) {
  (void)state;
#define WITH_MISSING "'target': {'name': 'y', 'min': 0, 'max': 10, 'missing': 1"
#define PANEL "'panel': {'by': 'shop', 'time': 'day', 'missing': true}}"
  expect_others_as_they_were("{" WITH_MISSING
                             "}, 'features': [{'name': 'y', 'lag': 1, 'missing': 5}, {'name': "
                             "'y', 'lag': 3, 'missing': 5}], " PANEL,
                             0, 3);
  expect_others_as_they_were("{" WITH_MISSING
                             ", 'sum_of_next': 3}, 'features': [{'name': 'shop', 'levels': ['a', "
                             "'b']}], " PANEL,
                             2, 0);
  expect_others_as_they_were("{" WITH_MISSING
                             ", 'sum_of_next': 2}, 'features': [{'name': 'y', 'lag': 1, 'min': 0, "
                             "'max': 10, 'missing': 5}, {'name': 'shop', 'hash': 4}], " PANEL,
                             1, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(an_odd_cell_changes_who_looks_it_up_alone)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
