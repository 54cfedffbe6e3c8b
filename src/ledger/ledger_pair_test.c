/* Both journals of a finished spending come back, one after the other, and nobody is killed: whatever a
   program does with the ledger while the later one is there, the earlier one undoes nothing
   (proofs/ledger.md, Claim 7). */
#include "ledger/journals_for_test.h"

enum { OPERATIONS_MAX = 100 };

static char *numbered(long number) {
  static char name[32];
  snprintf(name, sizeof name, "saved.%ld", number);
  return name;
}

static void save_each(void) {
  if (operations < OPERATIONS_MAX) copy_file("a.db-journal", numbered(operations));
  meanwhile_at = operations + 1;
}

static uint32_t count_of(const char *name) {
  unsigned char bytes[28];
  assert_int_equal(read_bytes(name, bytes, sizeof bytes), sizeof bytes);
  return tacit_number_at(bytes + 24);
}

/* Spends nearly all of it, with the journals of its two commits copied as "earlier" and "later", when they
   were whole. What the count is in the end. */
static uint32_t spend_and_save(void) {
  for (long i = 0; i < OPERATIONS_MAX; i++) unlink(at(numbered(i)));
  forget();
  fresh("a.db");
  uint32_t before = count_of("a.db");
  tacit_ledger *ledger = open_ledger("a.db");
  operations = 0;
  meanwhile_at = 1;
  meanwhile = save_each;
  spend(ledger, "a", MUCH, NULL);
  meanwhile = NULL;
  tacit_ledger_close(ledger);
  int found[2] = {0};
  for (long i = 0; i < OPERATIONS_MAX; i++) {
    tacit_journal journal;
    if (!put_back(numbered(i))) continue;
    assert_true(tacit_journal_read(at("a.db"), &journal));
    if (!journal.hot || !journal.known) continue;
    assert_true(journal.count == before || journal.count == before + 1);
    found[journal.count - before]++;
    copy_file("a.db-journal", journal.count == before ? "earlier" : "later");
  }
  unlink(at("a.db-journal"));
  assert_true(found[0] && found[1]);
  assert_int_equal(count_of("a.db"), before + 2);
  return before + 2;
}

static void nothing(void *user, const tacit_ledger_entry *entry) {
  (void)user;
  (void)entry;
}

/* All that a program can do with a ledger that it has open, but a spending that is paid. */
enum { WAYS = 8 };
static tacit_status do_something(tacit_ledger *ledger, int way) {
  const tacit_spending more = {.label = "a", .mu = MUCH, .unit = {.rows_per_unit = 1}};
  const tacit_receipt receipt = {.sequence = 2, .label = "a"};
  switch (way) {
  case 0:
    return tacit_ledger_check(ledger, NULL);
  case 1:
    return tacit_ledger_budget(ledger, "a", 1, false, NULL, NULL); /* which it has */
  case 2:
    return tacit_ledger_budget(ledger, "a", 2, false, NULL, NULL);
  case 3:
    return tacit_ledger_refresh(ledger, NULL);
  case 4:
    return tacit_ledger_afford(ledger, &more, NULL);
  case 5:
    return try_spend(ledger, "a", MUCH, NULL, NULL);
  case 6:
    return tacit_ledger_each(ledger, nothing, NULL, NULL);
  default:
    return tacit_ledger_check_receipt(ledger, &receipt, NULL, MUCH, NULL);
  }
}

static void whatever_is_done_meanwhile(void **state) {
  (void)state;
  for (int way = 0; way < WAYS; way++)
    for (int reads = 0; reads < 2; reads++) {
      tacit_ledger *ledger;
      uint32_t count = spend_and_save();
      assert_int_equal(
          tacit_ledger_open(at("a.db"), reads ? TACIT_LEDGER_READ : TACIT_LEDGER_WRITE, 0, &ledger, NULL),
          TACIT_OK);
      assert_true(put_back("later"));
      (void)!do_something(ledger, way);
      tacit_ledger_close(ledger);
      if (count_of("a.db") < count) fail_msg("way %d: the count has fallen", way);
      assert_true(put_back("earlier"));
      at_most_once("two journals", way, 1 + spends_anyhow("a.db"));
      unlink(at("a.db-journal"));
      one_in_the_end("a.db", 1);
    }
}

static long unlocks, put_at;
static void put_earlier(void) {
  if (++unlocks == put_at && access(at("a.db-journal"), F_OK) != 0) put_back("earlier");
}

/* The earlier one comes while the later one's reader still reads: SQLite would find it the next time that it
   takes a lock, and that is looked for first, too. */
static void while_the_first_is_played_back(void **state) {
  (void)state;
  enum { UNLOCKS = 8 };
  long put = 0;
  for (int way = -1; way < WAYS; way++)
    for (put_at = 1; put_at <= UNLOCKS; put_at++) {
      tacit_ledger *ledger = NULL;
      spend_and_save();
      if (way >= 0) ledger = open_ledger("a.db");
      assert_true(put_back("later"));
      unlocks = 0;
      at_unlock = put_earlier;
      if (way < 0)
        (void)!tacit_ledger_open(at("a.db"), TACIT_LEDGER_READ, 0, &ledger, NULL);
      else
        (void)!do_something(ledger, way);
      at_unlock = NULL;
      put += unlocks >= put_at;
      tacit_ledger_close(ledger);
      at_most_once("a journal in the middle", put_at, 1 + spends_anyhow("a.db"));
      unlink(at("a.db-journal"));
      one_in_the_end("a.db", 1);
    }
  print_message("an earlier journal was put there at %ld points\n", put);
  assert_true(put > 15);
}

static void put_beside_the_moved(void) {
  if (++unlocks == put_at && access(at("b.db-journal"), F_OK) != 0) copy_file("earlier", "b.db-journal");
}

/* Beside a ledger that is moved no journal is believed, whenever it comes. */
static void while_it_is_moved(void **state) {
  (void)state;
  enum { UNLOCKS = 8 };
  long put = 0;
  for (put_at = 1; put_at <= UNLOCKS; put_at++) {
    tacit_ledger *ledger;
    spend_and_save();
    assert_int_equal(rename(at("a.db"), at("b.db")), 0);
    unlocks = 0;
    at_unlock = put_beside_the_moved;
    (void)!tacit_ledger_open(at("b.db"), TACIT_LEDGER_MOVE, 0, &ledger, NULL);
    at_unlock = NULL;
    put += unlocks >= put_at;
    tacit_ledger_close(ledger);
    unlink(at("b.db-journal"));
    assert_int_equal(tacit_ledger_open(at("b.db"), TACIT_LEDGER_MOVE, 0, &ledger, NULL), TACIT_OK);
    tacit_ledger_close(ledger);
    one_in_the_end("b.db", 1);
  }
  assert_true(put > 3);
}

/* Another program plays the later one back, and makes no change: whoever has seen the count still knows. */
static void a_count_that_was_seen(void **state) {
  (void)state;
  tacit_error error = {""};
  uint32_t count = spend_and_save();
  tacit_ledger *ledger = open_ledger("a.db");
  assert_true(put_back("later"));
  raw("a.db", "SELECT count(*) FROM entries");
  assert_int_equal(count_of("a.db"), count - 1);
  assert_true(put_back("earlier"));
  assert_int_equal(tacit_ledger_refresh(ledger, &error), TACIT_REFUSED);
  assert_non_null(strstr(error.text, "from before its last entries"));
  assert_int_equal(unlink(at("a.db-journal")), 0);
  assert_int_equal(tacit_ledger_refresh(ledger, NULL), TACIT_OK);
  assert_int_equal(count_of("a.db"), count);
  tacit_ledger_close(ledger);
  one_in_the_end("a.db", 1);
}

/* No journal takes the count back by two. */
static void a_file_that_was_put_back(void **state) {
  (void)state;
  tacit_error error = {""};
  forget();
  fresh("a.db");
  copy("a.db", "origin");
  raw("a.db", "PRAGMA application_id = 0x74636c67");
  raw("a.db", "PRAGMA application_id = 0x74636c67");
  tacit_ledger *ledger = open_ledger("a.db");
  copy("origin", "a.db");
  assert_int_equal(tacit_ledger_refresh(ledger, &error), TACIT_BAD_INPUT);
  assert_non_null(strstr(error.text, "put back while it was open"));
  tacit_ledger_close(ledger);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(whatever_is_done_meanwhile), cmocka_unit_test(while_the_first_is_played_back),
      cmocka_unit_test(while_it_is_moved),          cmocka_unit_test(a_count_that_was_seen),
      cmocka_unit_test(a_file_that_was_put_back),
  };
  return cmocka_run_group_tests(tests, set_up, remove_folder);
}
