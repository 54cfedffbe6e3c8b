/* A journal that comes back undoes nothing when it was cut, cannot be read, has no mark, or is played back
   while somebody reads (proofs/ledger.md, Claim 7). */
#include "ledger/journals_for_test.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/stat.h>

/* The linker puts this between the library and the system (cmake/rooms.cmake); SQLite calls its own. */
int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);

static bool no_descriptor; /* for journals */
int __wrap_open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  if (!no_descriptor || !strstr(path, "-journal")) return __real_open(path, flags, mode);
  errno = EMFILE;
  return -1;
}

/* Three spendings, the first of them copied at an operation as "saved", and all of it as "origin". False:
   there was no such operation any more. */
static bool spend_three(long operation) {
  forget();
  fresh("a.db");
  tacit_ledger *ledger = open_ledger("a.db");
  bool reached = spend_while_saved(ledger, 0.1, operation, "saved");
  spend(ledger, "a", 0.1, NULL);
  spend(ledger, "a", 0.1, NULL);
  tacit_ledger_close(ledger);
  copy("a.db", "origin");
  return reached;
}

/* Whoever may look at the ledger sees all three. True: somebody may. */
static bool sees_three(const char *trick, size_t length) {
  tacit_ledger *ledger;
  tacit_ledger_total total;
  if (tacit_ledger_open(at("a.db"), TACIT_LEDGER_READ, 0, &ledger, NULL) != TACIT_OK) return false;
  assert_true(tacit_ledger_total_of(ledger, "a", &total));
  if (total.releases != 3)
    fail_msg("%s at %zu bytes: %llu spendings of 3 are left", trick, length,
             (unsigned long long)total.releases);
  tacit_ledger_close(ledger);
  return true;
}

/* A journal that was not copied to its end: page 1, by which its age is known, may be what is missing. */
static void a_journal_that_is_cut_cannot_undo(void **state) {
  (void)state;
  static unsigned char bytes[1 << 16];
  long cuts = 0, refused = 0;
  for (long operation = 1; spend_three(operation); operation++) {
    size_t length = access(at("saved"), F_OK) ? 0 : read_bytes("saved", bytes, sizeof bytes);
    assert_true(length < sizeof bytes);
    for (size_t cut = 0; cut <= length; cut += cut < 600 || length - cut < 5000 ? 7 : 41, cuts++) {
      write_bytes("a.db-journal", bytes, cut);
      bool hot = cut && bytes[0], seen = sees_three("a journal that is cut", cut);
      if (seen == hot) fail_msg("at %zu of %zu bytes: hot %d, looked at %d", cut, length, hot, seen);
      refused += !seen;
      unlink(at("a.db-journal"));
      copy("origin", "a.db");
    }
  }
  print_message("%ld cut journals, %ld of them refused\n", cuts, refused);
  assert_true(refused > 1000);
}

/* Nor one with a byte changed in its header, or in the numbers of its pages, by which page 1 is found. */
static void a_journal_with_a_changed_byte_cannot_undo(void **state) {
  (void)state;
  static const unsigned char VALUES[] = {0, 1, 2, 255};
  enum { HEADER = 28 };
  static unsigned char bytes[1 << 16];
  long changes = 0, refused = 0;
  assert_true(spend_three(when_whole()));
  size_t length = read_bytes("saved", bytes, sizeof bytes), record = 8 + tacit_number_at(bytes + 24);
  size_t first = tacit_number_at(bytes + 20);
  for (size_t place = 0; place + 4 < length; place++) {
    if (place >= HEADER && (place < first || (place - first) % record >= 4)) continue;
    for (size_t i = 0; i < sizeof VALUES; i++, changes++) {
      unsigned char kept = bytes[place];
      bytes[place] = VALUES[i];
      write_bytes("a.db-journal", bytes, length);
      bytes[place] = kept;
      refused += !sees_three("a journal with a changed byte", place);
      unlink(at("a.db-journal"));
      copy("origin", "a.db");
    }
  }
  print_message("%ld changed journals, %ld of them refused\n", changes, refused);
  assert_true(refused > 100);
}

/* Nor one that cannot be opened when its age is asked for, and can when SQLite does. */
static void a_journal_that_cannot_be_read_cannot_undo(void **state) {
  (void)state;
  long refused = 0;
  for (long operation = 1; spend_three(operation); operation++) {
    if (!put_back("saved")) continue;
    no_descriptor = true;
    refused += !sees_three("a journal that cannot be read", 0);
    expect_refused("a.db", TACIT_LEDGER_WRITE, TACIT_REFUSED, "cannot be read");
    no_descriptor = false;
  }
  assert_true(refused > 5);
}

static uint32_t count_of(const char *name) {
  unsigned char bytes[28];
  assert_int_equal(read_bytes(name, bytes, sizeof bytes), sizeof bytes);
  return tacit_number_at(bytes + 24);
}

/* A number in page 1 as "saved" has it, at a place that SQLite's sum over the page does not cover. */
static void set_in_page_one(size_t place, uint32_t number) {
  static unsigned char bytes[1 << 16];
  size_t length = read_bytes("saved", bytes, sizeof bytes), at_byte = tacit_number_at(bytes + 20);
  while (at_byte + 100 < length && tacit_number_at(bytes + at_byte) != 1)
    at_byte += 8 + tacit_number_at(bytes + 24);
  assert_true(at_byte + 100 < length);
  for (size_t i = 0; i < 4; i++)
    bytes[at_byte + 4 + place + i] = (unsigned char)(number >> 8 * (3 - i) & 0xff);
  write_bytes("saved", bytes, length);
}

/* The journal of another database, which has no mark and happens to have a count that fits. */
static void a_journal_without_a_mark(void **state) {
  (void)state;
  enum { COUNT_AT = 24, MARK_AT = 60, APPLICATION_AT = 68 };
  static const struct {
    uint32_t less, application;
    bool fits; /* it could be that of the entry that first writes a mark */
  } cases[] = {{0, 0, false},
               {1, 0, false},
               {0, TACIT_LEDGER_APPLICATION, false},
               {1, TACIT_LEDGER_APPLICATION, true}};
  long whole = when_whole();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    assert_true(spend_three(whole));
    set_in_page_one(MARK_AT, 0);
    set_in_page_one(COUNT_AT, count_of("a.db") - cases[i].less);
    set_in_page_one(APPLICATION_AT, cases[i].application);
    assert_true(put_back("saved"));
    if (cases[i].fits)
      look_once();
    else
      expect_refused("a.db", TACIT_LEDGER_READ, TACIT_REFUSED, "of another ledger");
    assert_int_equal(access(at("a.db-journal"), F_OK) == 0, !cases[i].fits); /* played back, or not */
  }
}

static sqlite3 *reader;
static void read_along(void) {
  assert_int_equal(sqlite3_open(at("a.db"), &reader), SQLITE_OK);
  sqlite3_exec(reader, "BEGIN; SELECT count(*) FROM entries", NULL, NULL, NULL);
}

/* Whoever plays back the journal of the last change makes one more; somebody who reads just then keeps it
   from being made, and the journal of the change before must not look needed to the next one. */
static void a_reader_keeps_no_change_from_being_made(void **state) {
  (void)state;
  enum { COUNT_AT = 24, OPERATIONS = 20 };
  long whole = when_whole(), busy = 0;
  for (long operation = 1; operation <= OPERATIONS; operation++) {
    tacit_ledger *ledger = NULL;
    assert_true(spend_three(whole));
    uint32_t before = count_of("a.db");
    set_in_page_one(COUNT_AT, before - 1);
    assert_true(put_back("saved"));
    operations = 0;
    meanwhile_at = operation;
    meanwhile = read_along;
    tacit_status status = tacit_ledger_open(at("a.db"), TACIT_LEDGER_READ, 0, &ledger, NULL);
    meanwhile = NULL;
    meanwhile_at = 1;
    tacit_ledger_close(ledger);
    sqlite3_close(reader);
    reader = NULL;
    busy += status != TACIT_OK;
    if (status == TACIT_OK && count_of("a.db") < before)
      fail_msg("at operation %ld: opened, and its count went back", operation);
  }
  assert_true(busy > 0 && busy < OPERATIONS);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_journal_that_is_cut_cannot_undo),
      cmocka_unit_test(a_journal_with_a_changed_byte_cannot_undo),
      cmocka_unit_test(a_journal_that_cannot_be_read_cannot_undo),
      cmocka_unit_test(a_journal_without_a_mark),
      cmocka_unit_test(a_reader_keeps_no_change_from_being_made),
  };
  return cmocka_run_group_tests(tests, set_up, remove_folder);
}
