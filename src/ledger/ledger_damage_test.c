/* A ledger that was edited, cut, rolled back, flipped in any byte or written by somebody else is found, or
   reads exactly as before. */
#include "ledger/ledger_for_test.h"

/* Three releases under two labels; the receipts of the first and the last. */
static tacit_receipt first, last;
static void make(const char *name) {
  tacit_ledger *ledger = open_ledger(name);
  budget(ledger, "a", 1);
  budget(ledger, "b", 2);
  spend(ledger, "a", 0.25, &first);
  spend(ledger, "b", 0.5, NULL);
  spend(ledger, "a", 0.5, &last);
  tacit_ledger_close(ledger);
}

static const char DROP[] = "DROP TRIGGER keep_entries; DROP TRIGGER fix_entries;";

/* An edit by somebody who knows SQL: out of the triggers' way and back. */
static void edit(const char *name, const char *sql) {
  char text[1024];
  make(name);
  snprintf(text, sizeof text, "%s %s; %s; %s", DROP, sql, tacit_ledger_tables[2], tacit_ledger_tables[3]);
  raw(name, text);
}

static void edits_break_the_chain(void **state) {
  (void)state;
  static const struct {
    const char *sql, *found;
  } edits[] = {
      {"UPDATE entries SET amount = '1e-9' WHERE sequence = 3", "changed"},
      {"UPDATE entries SET amount = '5e0' WHERE sequence = 1", "changed"},
      {"UPDATE entries SET label = 'c' WHERE sequence = 4", "changed"},
      {"UPDATE entries SET kind = 'budget' WHERE sequence = 5", "changed"},
      {"UPDATE entries SET measure = 'rdp' WHERE sequence = 5", "changed"},
      {"UPDATE entries SET method = 'magic' WHERE sequence = 5", "changed"},
      {"UPDATE entries SET schema = 'x' WHERE sequence = 5", "changed"},
      {"UPDATE entries SET date = '' WHERE sequence = 5", "changed"},
      {"UPDATE entries SET nonce = '' WHERE sequence = 5", "changed"},
      {"UPDATE entries SET hash = previous WHERE sequence = 2", "changed"},
      {"UPDATE entries SET previous = hash WHERE sequence = 2", "changed"},
      {"UPDATE entries SET label = CAST(label AS BLOB) WHERE sequence = 2", "incomplete"},
      {"UPDATE entries SET label = 'a' || char(0) || 'b' WHERE sequence = 3", "incomplete"},
      {"UPDATE entries SET sequence = 9 WHERE sequence = 5", "missing"},
      {"DELETE FROM entries WHERE sequence = 3", "missing"},
      {"DELETE FROM entries WHERE sequence = 1", "missing"},
      {"UPDATE entries SET commitment = '' WHERE sequence = 5", "changed"},
      {"UPDATE entries SET commitment = hash WHERE sequence = 5", "changed"},
      {"UPDATE entries SET commitment = hash WHERE sequence = 2", "changed"},
      {"UPDATE entries SET commitment = CAST(commitment AS BLOB) WHERE sequence = 5", "incomplete"},
      {"ALTER TABLE entries DROP COLUMN commitment", "tables"},
      {"ALTER TABLE entries DROP COLUMN commitment; DROP TABLE home; UPDATE meta SET version = 2", "changed"},
      {"INSERT INTO entries SELECT 6, kind, label, measure, amount, method, schema, date, nonce, previous, "
       "hash, commitment "
       "FROM entries WHERE sequence = 5",
       "changed"},
      {"INSERT INTO entries SELECT 0, kind, label, measure, amount, method, schema, date, nonce, previous, "
       "hash, commitment "
       "FROM entries WHERE sequence = 1",
       "missing"},
      {"UPDATE meta SET id = '00000000000000000000000000000000'", "changed"},
      {"UPDATE meta SET id = ''", "who it is"},
      {"UPDATE meta SET format = 'other'", "who it is"},
      {"INSERT INTO meta SELECT * FROM meta", "who it is"},
      {"DELETE FROM meta", "incomplete"},
      {"UPDATE meta SET version = 0", "version"},
      {"CREATE TABLE extra (x)", "tables"},
      {"CREATE TRIGGER thief AFTER INSERT ON entries BEGIN DELETE FROM meta; END", "tables"},
      {"CREATE VIEW v AS SELECT 1", "tables"},
      {"DROP TABLE meta", "damaged"},
  };
  for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
    edit("edit.db", edits[i].sql);
    expect_refused("edit.db", TACIT_LEDGER_READ, TACIT_BAD_INPUT, edits[i].found);
    expect_refused("edit.db", TACIT_LEDGER_CREATE, TACIT_BAD_INPUT, edits[i].found);
    unlink(at("edit.db"));
  }
  make("edit.db");
  raw("edit.db", DROP);
  expect_refused("edit.db", TACIT_LEDGER_READ, TACIT_BAD_INPUT, "tables");
}

static void triggers_stop_a_slip_of_the_hand(void **state) {
  (void)state;
  make("slip.db");
  sqlite3 *db;
  assert_int_equal(sqlite3_open(at("slip.db"), &db), SQLITE_OK);
  assert_int_not_equal(sqlite3_exec(db, "DELETE FROM entries", NULL, NULL, NULL), SQLITE_OK);
  assert_int_not_equal(sqlite3_exec(db, "UPDATE entries SET amount = '1e-9'", NULL, NULL, NULL), SQLITE_OK);
  sqlite3_close(db);
}

static void other_files_are_refused(void **state) {
  (void)state;
  write_bytes("text.db", (const unsigned char *)"this is no database, but it is long enough to be one", 52);
  expect_refused("text.db", TACIT_LEDGER_CREATE, TACIT_BAD_INPUT, "not an SQLite database");
  write_bytes("empty.db", (const unsigned char *)"", 0);
  expect_refused("empty.db", TACIT_LEDGER_CREATE, TACIT_BAD_INPUT, "cut to nothing");
  raw("other.db", "CREATE TABLE x (y)");
  expect_refused("other.db", TACIT_LEDGER_CREATE, TACIT_BAD_INPUT, "no tacit ledger");
  expect_refused("missing.db", TACIT_LEDGER_READ, TACIT_BAD_INPUT, "ledger open");
  expect_refused("missing.db", TACIT_LEDGER_WRITE, TACIT_BAD_INPUT, "ledger open");
  expect_refused("no/such/folder.db", TACIT_LEDGER_CREATE, TACIT_BAD_INPUT, "folder");
  expect_refused("", TACIT_LEDGER_CREATE, TACIT_BAD_INPUT, "no file");
  make("newer.db");
  raw("newer.db", "UPDATE meta SET version = 4");
  expect_refused("newer.db", TACIT_LEDGER_CREATE, TACIT_BAD_INPUT, "newer tacit (format version 4");
  write_bytes("stale.db-journal", (const unsigned char *)"x", 1);
  expect_refused("stale.db", TACIT_LEDGER_CREATE, TACIT_BAD_INPUT, "journal");
  tacit_ledger *ledger;
  assert_int_equal(tacit_ledger_open("", TACIT_LEDGER_CREATE, 0, &ledger, NULL), TACIT_USAGE);
}

/* The policies know what a ledger that was put back has forgotten. */
static void receipts_find_a_rollback(void **state) {
  (void)state;
  tacit_error error;
  tacit_receipt kept, other;
  make("now.db");
  copy("now.db", "then.db");
  tacit_ledger *ledger = open_ledger("now.db");
  spend(ledger, "a", 0.125, &kept);
  assert_int_equal(tacit_ledger_check_receipt(ledger, &kept, NULL, 0.125, NULL), TACIT_OK);
  assert_int_equal(tacit_ledger_check_receipt(ledger, &first, NULL, 0.25, NULL), TACIT_OK);
  assert_int_equal(tacit_ledger_check_receipt(ledger, &last, NULL, 0.5, NULL), TACIT_OK);
  assert_int_equal(tacit_ledger_check_receipt(ledger, &last, NULL, 0.50001, &error), TACIT_CHECK_FAILED);
  assert_non_null(strstr(error.text, "pays for less"));
  other = kept;
  strcpy(other.label, "b");
  assert_int_equal(tacit_ledger_check_receipt(ledger, &other, NULL, 0.125, NULL), TACIT_CHECK_FAILED);
  tacit_ledger_close(ledger);
  copy("then.db", "now.db"); /* rolled back: the chain is whole, the receipt is not in it */
  ledger = open_ledger("now.db");
  assert_int_equal(tacit_ledger_check(ledger, NULL), TACIT_OK);
  assert_int_equal(tacit_ledger_check_receipt(ledger, &last, NULL, 0.5, NULL), TACIT_OK);
  assert_int_equal(tacit_ledger_check_receipt(ledger, &kept, NULL, 0.125, &error), TACIT_CHECK_FAILED);
  assert_non_null(strstr(error.text, "rolled back"));
  spend(ledger, "a", 0.125, &other); /* the same spent anew is another entry */
  assert_int_equal(other.sequence, kept.sequence);
  assert_int_equal(tacit_ledger_check_receipt(ledger, &kept, NULL, 0.125, &error), TACIT_CHECK_FAILED);
  assert_non_null(strstr(error.text, "not the one that paid"));
  tacit_ledger_close(ledger);
  make("twin.db"); /* the same entries in another ledger are other entries */
  tacit_receipt twin = last;
  make("third.db");
  ledger = open_ledger("third.db");
  assert_int_equal(tacit_ledger_check_receipt(ledger, &last, NULL, 0.5, NULL), TACIT_OK);
  assert_int_equal(tacit_ledger_check_receipt(ledger, &twin, NULL, 0.5, NULL), TACIT_CHECK_FAILED);
  tacit_ledger_close(ledger);
  edit("cut.db", "DELETE FROM entries WHERE sequence = 5");
  ledger = open_ledger("cut.db");
  assert_int_equal(tacit_ledger_check_receipt(ledger, &last, NULL, 0.5, NULL), TACIT_CHECK_FAILED);
  assert_int_equal(tacit_ledger_check_receipt(ledger, &first, NULL, 0.25, NULL), TACIT_OK);
  tacit_ledger_close(ledger);
}

static void a_ledger_replaced_while_open_is_found(void **state) {
  (void)state;
  make("open.db");
  tacit_ledger *ledger = open_ledger("open.db");
  char text[256];
  snprintf(text, sizeof text, "%s DELETE FROM entries WHERE sequence = 5", DROP);
  raw("open.db", text);
  assert_int_equal(try_spend(ledger, "a", 0.1, NULL, NULL), TACIT_BAD_INPUT);
  tacit_ledger_close(ledger);
}

/* Opens a changed copy: refused, or every figure is as it was, and one more spending makes it one more. */
static bool opens_unchanged(const char *name, const char *head) {
  tacit_ledger *ledger;
  tacit_ledger_total a, b;
  if (tacit_ledger_open(at(name), TACIT_LEDGER_WRITE, 0, &ledger, NULL) != TACIT_OK) return false;
  assert_string_equal(tacit_ledger_head(ledger), head);
  assert_true(tacit_ledger_total_of(ledger, "a", &a) && tacit_ledger_total_of(ledger, "b", &b));
  assert_true(a.releases == 2 && b.releases == 1 && a.budget_mu == 1 && b.budget_mu == 2 &&
              b.spent_mu == 0.5);
  if (try_spend(ledger, "b", 1, NULL, NULL) == TACIT_OK) {
    assert_int_equal(tacit_ledger_check(ledger, NULL), TACIT_OK);
    assert_int_equal(tacit_ledger_sequence(ledger), 6);
  }
  tacit_ledger_close(ledger);
  return true;
}

static void every_flipped_byte_is_found_or_harmless(void **state) {
  (void)state;
  static unsigned char bytes[1 << 16];
  static const unsigned char masks[] = {0xff, 0x01, 0x20, 0x80};
  make("flipped.db");
  size_t n = read_bytes("flipped.db", bytes, sizeof bytes), refused = 0, harmless = 0;
  for (size_t i = 0; i < n; i++) {
    unsigned char mask = bytes[i] ? masks[i % 4] : 0xff;
    bytes[i] ^= mask;
    write_bytes("flipped.db", bytes, n);
    bytes[i] ^= mask;
    unlink(at("flipped.db-journal"));
    if (opens_unchanged("flipped.db", last.head))
      harmless++;
    else
      refused++;
  }
  print_message("flipped bytes: %zu refused, %zu harmless\n", refused, harmless);
  assert_true(refused + harmless == n && refused > 1500);
}

static void every_cut_is_found(void **state) {
  (void)state;
  static unsigned char bytes[1 << 16];
  make("cut2.db");
  size_t n = read_bytes("cut2.db", bytes, sizeof bytes), cuts = 0;
  for (size_t length = 0; length < n; length += length % 512 ? 97 : 1, cuts++) {
    write_bytes("cut2.db", bytes, length);
    assert_false(opens_unchanged("cut2.db", last.head));
  }
  print_message("cuts: %zu, all found\n", cuts);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(edits_break_the_chain),
      cmocka_unit_test(triggers_stop_a_slip_of_the_hand),
      cmocka_unit_test(other_files_are_refused),
      cmocka_unit_test(receipts_find_a_rollback),
      cmocka_unit_test(a_ledger_replaced_while_open_is_found),
      cmocka_unit_test(every_flipped_byte_is_found_or_harmless),
      cmocka_unit_test(every_cut_is_found),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
