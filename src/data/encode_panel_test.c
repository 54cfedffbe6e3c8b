/* Look-ups by key: what a row finds, wherever it stands in the table; records that share a key; times that
   cannot be read. */
#include "data/panel_for_test.h"

static void refuses(const char *csv, const char *json, const char *words) {
  seen s;
  tacit_error error = {""};
  assert_int_equal(see_csv(csv, json, true, &s, &error), TACIT_BAD_INPUT);
  if (!strstr(error.text, words)) fail_msg("%s, not %s", error.text, words);
  assert_null(strstr(error.text, "SECRET"));
}

#define LAGS "'features': [{'name': 'y', 'lag': 1, 'missing': 5}, {'name': 'y', 'lag': 7, 'missing': 5}]"
#define BY_SHOP "'panel': {'by': 'shop', 'time': 'day'}"
static const char shops[] = "{" TARGET ", " LAGS ", " BY_SHOP "}";

/* A lag's column: demand on a scale from -1 to 1, 0 where nothing was found. */
static void has_lags(const seen *s, size_t record, double one, double seven) {
  assert_true(s->ready[record]);
  if (s->row[record][1] != one || s->row[record][2] != seven)
    fail_msg("record %zu: %g, %g", record, s->row[record][1], s->row[record][2]);
}

static void a_lag_is_found_by_its_key(void **state) {
  (void)state;
  seen s;
  encodes("shop,day,y\n"
          "b,2024-01-08,10\n" /* the day before is below, in another shop's company */
          "a,2024-01-08,0\n"
          "a,2024-01-01,1\n"
          "b,2024-01-07,2\n"
          "a,2024-01-07,3\n"
          "a,2023-12-31,4\n"
          "b,2024-01-03,9\n",
          shops, &s);
  assert_int_equal(s.records, 7);
  assert_true(s.number[0] == 1 && s.number[6] == 7);
  assert_int_equal(s.counts.rows, 7);
  assert_int_equal(s.counts.dropped_lag + s.counts.dropped_unit, 0);
  has_lags(&s, 0, -0.6, 0);
  has_lags(&s, 1, -0.4, -0.8);
  has_lags(&s, 2, -0.2, 0);
  has_lags(&s, 3, 0, 0);
  has_lags(&s, 4, 0, -0.2);
  has_lags(&s, 5, 0, 0);
  has_lags(&s, 6, 0, 0);
  assert_true(s.row[0][3] == 1 && s.row[6][3] == 0.8); /* targets are their own */
}

/* Cell by cell and byte by byte: no two of these groups are one. */
static void groups_are_told_apart(void **state) {
  (void)state;
  static const char json[] = "{" TARGET ", " LAGS ", 'panel': {'by': ['a', 'b'], 'time': 't', "
                             "'every': 'number'}}";
  seen s;
  encodes("a,b,t,y\nx,yz,1,1\nxy,z,2,2\nx,yz,2,3\nX,yz,2,4\n,xyz,2,5\n,xyz,3,6\nx,yz ,2,7\n", json, &s);
  has_lags(&s, 1, 0, 0);
  has_lags(&s, 2, -0.8, 0);
  has_lags(&s, 3, 0, 0);
  has_lags(&s, 4, 0, 0);
  has_lags(&s, 5, 0, 0); /* 5 is the middle of the scale */
  has_lags(&s, 6, 0, 0);
}

static void without_missing_a_row_is_left_out(void **state) {
  (void)state;
  static const char json[] = "{" TARGET ", 'features': [{'name': 'y', 'lag': 1}], " BY_SHOP "}";
  static const char csv[] = "shop,day,y\na,2024-01-01,1\na,2024-01-02,2\nb,2024-01-02,3\n";
  seen s;
  tacit_error error = {""};
  encodes(csv, json, &s);
  assert_true(!s.ready[0] && s.ready[1] && !s.ready[2] && s.row[1][1] == -0.8);
  assert_int_equal(s.counts.rows, 1);
  assert_int_equal(s.counts.dropped_unit, 2); /* their number is private: */
  assert_int_equal(s.counts.dropped_lag, 0);  /* these are taken from the public number of rows */
  assert_int_equal(see_csv(csv, json, false, &s, &error), TACIT_OK);
  assert_true(!s.ready[0] && s.ready[1] && !s.ready[2]);
}

/* Of records with one key the first is learned from and found; who orders is served nonetheless. */
static void the_first_of_a_key_counts(void **state) {
  (void)state;
  static const char csv[] =
      "shop,day,y\na,2024-01-02,8\na,2024-01-01,1\na,2024-01-01,9\na,2024-01-02,SECRET\n"
      "a,2024-01-02 10:00,10\n";
  seen s;
  tacit_error error = {""};
  encodes(csv, shops, &s); /* what stands in a record that is left out does not matter */
  assert_int_equal(s.counts.rows, 2);
  assert_int_equal(s.counts.dropped_unit, 3);
  has_lags(&s, 0, -0.8, 0);
  has_lags(&s, 1, 0, 0);
  assert_false(s.ready[2] || s.ready[3] || s.ready[4]);
  assert_int_equal(see_csv(csv, shops, false, &s, &error), TACIT_OK);
  for (size_t i = 0; i < 5; i++) has_lags(&s, i, i == 1 || i == 2 ? 0 : -0.8, 0);
  static const char unique[] =
      "{" TARGET ", " LAGS ", 'panel': {'by': 'shop', 'time': 'day', 'unique': true}}";
  refuses(csv, unique, "record 3 has the group and time of an earlier one");
}

static void a_time_that_cannot_be_read(void **state) {
  (void)state;
  static const char csv[] = "shop,day,y\na,2024-01-01,1\na,SECRET,2\na,2024-01-02,3\na,,4\n";
  static const char may[] = "{" TARGET ", " LAGS ", 'panel': {'by': 'shop', 'time': 'day', 'missing': true}}";
  static const char number[] =
      "{" TARGET ", " LAGS ", 'panel': {'by': 'shop', 'time': 'day', 'every': 'number'}}";
  seen s;
  encodes(csv, may, &s);
  assert_int_equal(s.counts.rows, 4); /* two records without a key are not each other's twins */
  has_lags(&s, 1, 0, 0);
  has_lags(&s, 2, -0.8, 0);
  refuses(csv, shops, "record 2, column \"day\", the time of \"panel\": not a date like 2024-01-31");
  refuses("shop,day,y\na,7,1\n", shops, "\"every\": \"number\" where times are whole numbers");
  refuses("shop,day,y\na,7.5,1\n", number, "not a whole number");
  refuses("shop,day,y\na,,1\n", number, "the cell is empty");
  refuses("shop,y\na,1\n", shops, "the table has no column \"day\"");
  refuses("shop,day,y\n1.23e+16,2024-01-01,1\n", shops, "a group's name that is a number with an exponent");
}

static void order_gives_the_lines_back(void **state) {
  (void)state;
  static const char csv[] = "shop,day,y\na,2024-01-02,\n\"a\",2024-01-01,1\n";
  static const char *const lines[] = {"a,2024-01-02,", "\"a\",2024-01-01,1"};
  tacit_schema *schema = schema_of(shops);
  tacit_source *source;
  tacit_encoder *encoder;
  tacit_error error = {""};
  double x[3], y[1];
  bool ready, more;
  assert_int_equal(tacit_source_csv_text(csv, strlen(csv), &source, &error), TACIT_OK);
  assert_int_equal(tacit_encoder_new(source, schema, false, &encoder, &error), TACIT_OK);
  for (size_t i = 0; i < 2; i++) {
    size_t length;
    assert_int_equal(tacit_encoder_next(encoder, x, y, &ready, &more, &error), TACIT_OK);
    const char *text = tacit_source_text(source, &length);
    assert_true(ready && more && x[1] == (i ? 0 : -0.8) && isnan(y[0]) == !i);
    assert_int_equal(length, strlen(lines[i]));
    assert_memory_equal(text, lines[i], length);
  }
  assert_int_equal(tacit_encoder_next(encoder, x, y, &ready, &more, &error), TACIT_OK);
  assert_false(more);
  tacit_encoder_free(encoder);
  assert_null(source->text.raw);
  tacit_source_free(source);
  tacit_schema_free(schema);
}

/* Columns in memory and a condition see the same as the file does. */
static void every_source_looks_up(void **state) {
  (void)state;
  static const char json[] =
      "{" TARGET ", " LAGS ", 'panel': {'by': 'shop', 'time': 'day', 'every': 'number'}}";
  static const char *const names[] = {"shop", "day", "y"};
  static const double shop[] = {1, 2, 1, 2, -0.0, 0}, day[] = {8, 8, 7, 1, 1, 2}, y[] = {1, 2, 3, 4, 6, 7};
  const double *const columns[] = {shop, day, y};
  seen memory, chosen;
  tacit_source *source, *records;
  tacit_error error = {""};
  assert_int_equal(tacit_source_columns(6, 3, names, columns, NULL, &source, &error), TACIT_OK);
  assert_int_equal(see(source, json, true, &memory, &error), TACIT_OK);
  has_lags(&memory, 0, -0.4, 0);
  has_lags(&memory, 1, 0, -0.2);
  has_lags(&memory, 5, 0.2, 0); /* 0 and -0 are one number */
  static const char csv[] = "shop,day,y\n3,7,9\n1,8,1\n2,8,2\n1,7,3\n2,1,4\n0,1,6\n0,2,7\n";
  assert_int_equal(tacit_source_csv_text(csv, strlen(csv), &records, &error), TACIT_OK);
  assert_int_equal(tacit_source_where(records, "shop < 3", &source, &error), TACIT_OK);
  tacit_schema *schema = schema_of(json);
  assert_int_equal(tacit_source_check_lags(source, schema, &error), TACIT_OK);
  source->origin.unordered = true; /* as what DuckDB computes, which decides which record comes first */
  assert_int_equal(tacit_source_check_lags(source, schema, &error), TACIT_REFUSED);
  schema->panel.unique = true;
  assert_int_equal(tacit_source_check_lags(source, schema, &error), TACIT_OK);
  source->origin.unordered = false;
  tacit_schema_free(schema);
  assert_int_equal(see(source, json, true, &chosen, &error), TACIT_OK);
  assert_int_equal(chosen.records, memory.records);
  assert_true(chosen.number[0] == 2 && chosen.number[5] == 7);
  for (size_t i = 0; i < 6; i++) assert_memory_equal(chosen.row[i], memory.row[i], 4 * sizeof(double));
}

#define SUMS(missing) "'target': {'name': 'y', 'min': 0, 'max': 20, 'sum_of_next': 3" missing "}"

static void a_target_is_the_sum_of_the_next(void **state) {
  (void)state;
  static const char with[] = "{" SUMS(", 'missing': 1") ", 'features': [{'name': 'y', 'lag': 1, 'min': 0, "
                                                        "'max': 10, 'missing': 5}], " BY_SHOP "}";
  static const char without[] = "{" SUMS("") ", 'features': [], " BY_SHOP "}";
  static const char csv[] = "shop,day,y\na,2024-01-03,4\na,2024-01-01,1\nb,2024-01-02,19\na,2024-01-02,3\n"
                            "a,2024-01-04,9\na,2024-01-02,20\na,2024-01-05,1e308\na,2024-01-06,1e308\n";
  seen s;
  tacit_error error = {""};
  encodes(csv, with, &s);
  assert_int_equal(s.counts.rows, 7);
  assert_true(s.row[1][2] == -0.2 && s.row[3][2] == 0.6);  /* 1 + 3 + 4, 3 + 4 + 9 */
  assert_true(s.row[2][2] == 1 && s.row[4][2] == 1);       /* 19 + 1 + 1, and what is beyond all numbers */
  assert_true(s.row[3][1] == -0.8 && s.row[0][1] == -0.4); /* a lag is of one period, by its own bounds */
  encodes(csv, without, &s);                               /* three periods, or none */
  assert_int_equal(s.counts.rows, 4);
  assert_int_equal(s.counts.dropped_unit, 4);
  assert_true(s.ready[0] && s.ready[1] && !s.ready[2] && s.ready[3] && s.ready[4] && !s.ready[6]);
  refuses("shop,day,y\na,2024-01-03,SECRET\n", without, "not a number");
  assert_int_equal(see_csv(csv, without, false, &s, &error), TACIT_OK); /* an order needs no future */
  for (size_t i = 0; i < 8; i++) assert_true(s.ready[i] && isnan(s.row[i][1]) == (i == 2 || i >= 6));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_lag_is_found_by_its_key),
      cmocka_unit_test(groups_are_told_apart),
      cmocka_unit_test(without_missing_a_row_is_left_out),
      cmocka_unit_test(the_first_of_a_key_counts),
      cmocka_unit_test(a_time_that_cannot_be_read),
      cmocka_unit_test(order_gives_the_lines_back),
      cmocka_unit_test(every_source_looks_up),
      cmocka_unit_test(a_target_is_the_sum_of_the_next),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
