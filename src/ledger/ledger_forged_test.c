/* Ledgers that somebody made up, their hash chains in order: no command hangs on one, and nothing reaches a
   terminal or a sum that tacit would not have written. */
#include "ledger/ledger_for_test.h"

#define UNIT "gdp replace-one 1 rows"
#define TEN(x) x " " x " " x " " x " " x " " x " " x " " x " " x " " x
#define DIVERGENCES(x) TEN(x) " " TEN(x)

typedef struct forged {
  const char *kind, *label, *measure, *amount, *method, *date, *commitment;
} forged;

/* A ledger with this one entry, as if a program had written it. */
static void forge(const char *name, const forged *f) {
  unlink(at(name));
  tacit_ledger_close(open_ledger(name));
  tacit_ledger *ledger = open_ledger(name);
  char hash[TACIT_LEDGER_HASH_SIZE];
  tacit_ledger_entry entry = {.sequence = 1,
                              .kind = f->kind,
                              .label = f->label,
                              .measure = f->measure,
                              .amount = f->amount,
                              .method = f->method,
                              .schema_hash = "",
                              .date = f->date,
                              .nonce = "00112233445566778899aabbccddeeff",
                              .previous = ledger->start,
                              .commitment = f->commitment};
  tacit_ledger_hash(&entry, hash);
  char *sql = sqlite3_mprintf("INSERT INTO entries VALUES (1,%Q,%Q,%Q,%Q,%Q,'',%Q,%Q,%Q,%Q,%Q)", f->kind,
                              f->label, f->measure, f->amount, f->method, f->date, entry.nonce,
                              entry.previous, hash, f->commitment);
  raw(name, sql);
  sqlite3_free(sql);
  tacit_ledger_close(ledger);
}

static void what_tacit_writes_is_read(void **state) {
  (void)state;
  static const forged good[] = {
      {"budget", "a", UNIT, "1e0 1e-6", "", "", ""},
      {"budget", "caf\xc3\xa9", "gdp", "1e4", "", "2027-01-02", ""},
      {"spend", "a", "gdp add-remove 2 result column client", "5e-1", "noisy-gd", "", COMMITMENT},
      {"spend", "a", "rdp replace-one 1 rows", "inf 1e-6 " DIVERGENCES("1e-1"), "sgd", "", ""},
  };
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    forge("good.db", &good[i]);
    tacit_ledger_close(open_ledger("good.db"));
  }
}

static void what_tacit_does_not_write_is_refused(void **state) {
  (void)state;
  static char long_column[600];
  memcpy(long_column, "gdp replace-one 1 column ", 25);
  memset(long_column + 25, 'x', sizeof long_column - 26);
  const forged bad[] = {
      {"budget", "a\x1b[2J\x1b]0;x\x07", UNIT, "1e0 1e-6", "", "", ""},
      {"budget", "a\nholds  p.json was paid for\n", UNIT, "1e0 1e-6", "", "", ""},
      {"budget", "a\xff\xfe", UNIT, "1e0 1e-6", "", "", ""},
      {"budget", "a\xe2\x80\xae", UNIT, "1e0 1e-6", "", "", ""},
      {"budget", "", "gdp", "1e0", "", "", ""},
      {"budget", "a", UNIT, "1e0 1e-6", "", "\x1b[31m", ""},
      {"spend", "a", UNIT, "5e-1", "m\xff", "", ""},
      {"spend", "a", UNIT, "5e-1", "m", "", "\x1b[31m"},
      {"budget", "a", UNIT, "99999999999999999e308 1e-6", "", "", ""},
      {"spend", "a", UNIT, "99999999999999999e308", "m", "", ""},
      {"spend", "a", UNIT, "10001e0", "m", "", ""},
      {"budget", "a", UNIT, "1e0 9e300", "", "", ""},
      {"budget", "a", UNIT, "1e0 1e0", "", "", ""},
      {"budget", "a", "gdp replace-one 1 column \x1b[2J", "1e0", "", "", ""},
      {"budget", "a", long_column, "1e0", "", "", ""},
      {"spend", "a", "rdp replace-one 1 rows", "1e0 inf " DIVERGENCES("1e-1"), "m", "", ""},
      {"spend", "a", "rdp replace-one 1 rows", "1e0 1e-6 " DIVERGENCES("99999999999999999e308"), "m", "", ""},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    print_message("%zu\n", i);
    forge("bad.db", &bad[i]);
    expect_refused("bad.db", TACIT_LEDGER_READ, TACIT_BAD_INPUT,
                   "an entry has texts or numbers that tacit does not write");
  }
}

static void an_id_is_digits(void **state) {
  (void)state;
  tacit_ledger_close(open_ledger("id.db"));
  raw("id.db", "UPDATE meta SET id = char(27) || substr(id, 2)");
  expect_refused("id.db", TACIT_LEDGER_READ, TACIT_BAD_INPUT, "does not say who it is");
}

/* A view is a program, and may never end. */
static void a_view_is_not_asked(void **state) {
  (void)state;
  static const char *const names[] = {"meta", "META"};
  for (size_t i = 0; i < 2; i++) {
    char sql[300];
    unlink(at("view.db"));
    tacit_ledger_close(open_ledger("view.db"));
    snprintf(sql, sizeof sql,
             "DROP TABLE meta; CREATE VIEW %s AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 "
             "FROM c) SELECT 'tacit-ledger' AS format, count(*) AS version, 'x' AS id FROM c",
             names[i]);
    raw("view.db", sql);
    alarm(30);
    expect_refused("view.db", TACIT_LEDGER_READ, TACIT_BAD_INPUT, "it states no format version");
    alarm(0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_tacit_writes_is_read),
      cmocka_unit_test(what_tacit_does_not_write_is_refused),
      cmocka_unit_test(an_id_is_digits),
      cmocka_unit_test(a_view_is_not_asked),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
