/* A ledger that is read as something else keeps its locks. To close a file drops all locks that a process has
   on it: whoever opened and closed the ledger as a table, a policy, a schema or a key, in one thread, let
   another program write it in the middle of a spending in another thread (proofs/ledger.md, Claim 2). */
#include "base/locked_for_test.h"
#include "base/reading.h"
#include "base/temporary.h"
#include "ledger/ledger_for_test.h"
#include "source/duckdb_source.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <tacit/tacit.h>

/* As a spending in another thread would. */
static int lock(const char *path) {
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  int file = open(path, O_RDWR | O_CLOEXEC);
  assert_true(file >= 0 && fcntl(file, F_SETLK, &whole) == 0 && is_locked(path));
  return file;
}

static size_t descriptors(void) {
  size_t count = 0;
  DIR *list = opendir("/proc/self/fd");
  while (list && readdir(list)) count++;
  if (list) closedir(list);
  return count;
}

static tacit_status as_table(const char *path, tacit_error *error) {
  tacit_source *source = NULL;
  tacit_status status = tacit_source_open(path, &source, error);
  tacit_source_free(source);
  return status;
}
static tacit_status as_csv(const char *path, tacit_error *error) {
  tacit_source *source = NULL;
  tacit_status status = tacit_source_csv(path, &source, error);
  tacit_source_free(source);
  return status;
}
static tacit_status as_file_for_duckdb(const char *path, tacit_error *error) {
  tacit_source *source = NULL;
  tacit_status status = tacit_source_duckdb_file(path, &source, error);
  tacit_source_free(source);
  return status;
}
static tacit_status as_database(const char *path, tacit_error *error) {
  tacit_source *source = NULL;
  tacit_status status = tacit_source_sql(path, "SELECT sequence FROM entries", false, &source, error);
  tacit_source_free(source);
  return status;
}
static tacit_status as_file_of_a_query(const char *path, tacit_error *error) {
  tacit_source *source = NULL;
  char query[200];
  snprintf(query, sizeof query, "SELECT a FROM '%s'", path);
  tacit_status status = tacit_source_sql(NULL, query, false, &source, error);
  tacit_source_free(source);
  return status;
}
static tacit_status as_policy(const char *path, tacit_error *error) {
  tacit_policy *policy = NULL;
  tacit_status status = tacit_policy_read(path, &policy, error);
  tacit_policy_free(policy);
  return status;
}
static tacit_status as_schema(const char *path, tacit_error *error) {
  tacit_schema *schema = NULL;
  tacit_status status = tacit_schema_read(path, &schema, error);
  tacit_schema_free(schema);
  return status;
}
static tacit_status as_region(const char *path, tacit_error *error) {
  tacit_region *region = NULL;
  tacit_status status = tacit_region_read(path, &region, error);
  tacit_region_free(region);
  return status;
}
static tacit_status as_secret_key(const char *path, tacit_error *error) {
  tacit_secret_key *key = NULL;
  tacit_status status = tacit_secret_key_read(path, &key, error);
  tacit_secret_key_free(key);
  return status;
}
static tacit_status as_public_key(const char *path, tacit_error *error) {
  char key[TACIT_KEY_TEXT];
  return tacit_public_key_read(path, key, error);
}
static tacit_status as_library(const char *path, tacit_error *error) {
  const char *before = getenv("TACIT_DUCKDB");
  char *kept = before ? strdup(before) : NULL;
  setenv("TACIT_DUCKDB", path, 1);
  tacit_status status = as_database("/nowhere.duckdb", error);
  if (kept)
    setenv("TACIT_DUCKDB", kept, 1);
  else
    unsetenv("TACIT_DUCKDB");
  free(kept);
  return status;
}

/* With the table that as_database asks for. */
static bool make_database(const char *path) {
  tacit_duckdb *duckdb;
  tacit_answer answer;
  char attach[160];
  snprintf(attach, sizeof attach, "ATTACH '%s' AS made", path);
  if (tacit_duckdb_open(NULL, &duckdb, NULL) != TACIT_OK) return false;
  const char *const statements[] = {attach, "CREATE TABLE made.entries AS SELECT 1 AS sequence",
                                    "DETACH made"};
  for (size_t i = 0; i < 3; i++) {
    assert_int_equal(tacit_duckdb_ask(duckdb, statements[i], NULL, &answer, NULL, NULL), TACIT_OK);
    tacit_answer_free(&answer);
  }
  tacit_duckdb_close(duckdb);
  return true;
}

static const struct {
  const char *what;
  tacit_status (*read)(const char *path, tacit_error *error);
  bool says; /* in so many words; where DuckDB is not there, that is said instead */
} ways[] = {{"table", as_table, true},
            {"CSV", as_csv, true},
            {"file for DuckDB", as_file_for_duckdb, true},
            {"database", as_database, false},
            {"a query's file", as_file_of_a_query, true},
            {"policy", as_policy, true},
            {"schema", as_schema, true},
            {"region", as_region, true},
            {"secret key", as_secret_key, true},
            {"public key", as_public_key, true},
            {"library", as_library, false},
            {"output", tacit_policy_check_path, false}};

static void every_reader_leaves_it_alone(void **state) {
  (void)state;
  enum { ROUNDS = 20 };
  static const char *const names[] = {"L.db", "L.json", "L.ndjson", "L.parquet", "L.csv"};
  tacit_ledger_close(open_ledger("L.db"));
  for (size_t i = 1; i < sizeof names / sizeof *names; i++)
    assert_int_equal(symlink("L.db", at(names[i])), 0);
  int held = lock(at("L.db"));
  size_t before = descriptors();
  for (size_t round = 0; round < ROUNDS; round++)
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
      for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        tacit_error error = {""};
        tacit_status status = ways[w].read(at(names[i]), &error);
        if (status == TACIT_OK || (ways[w].says && !strstr(error.text, "is a ledger")))
          fail_msg("%s read as %s: %d %s", names[i], ways[w].what, status, error.text);
        if (round == 0 && !is_locked(at("L.db")))
          fail_msg("%s read as %s: the locks are gone", names[i], ways[w].what);
      }
  assert_true(is_locked(at("L.db")) && tacit_ledger_at(at("L.db")));
  assert_in_range(descriptors(), before, before + 1); /* one for the ledger, not one for each reading */
  close(held);
}

/* DuckDB knows more spellings of a path than the system does: what was looked at must be what it opens. */
static void no_other_spelling_leads_to_it(void **state) {
  (void)state;
  static const char *const before[] = {
      "file://", "file:", "file://localhost", "duckdb:", "sqlite:", "file:~/../", "~/..", "~"};
  char home[80], path[200];
  const char *own = getenv("HOME");
  char *kept = own ? strdup(own) : NULL;
  tacit_ledger_close(open_ledger("spelled.db"));
  int held = lock(at("spelled.db"));
  snprintf(home, sizeof home, "%s", folder);
  setenv("HOME", home, 1);
  for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
      tacit_error error = {""};
      snprintf(path, sizeof path, "%s%s", before[i],
               before[i][0] == '~' && !before[i][1] ? "/spelled.db" : at("spelled.db"));
      if (ways[w].read(path, &error) == TACIT_OK) fail_msg("%s read as %s", path, ways[w].what);
      if (!is_locked(at("spelled.db"))) fail_msg("%s read as %s: the locks are gone", path, ways[w].what);
    }
  if (kept)
    setenv("HOME", kept, 1);
  else
    unsetenv("HOME");
  free(kept);
  close(held);
}

/* Nor is one that has the name of what DuckDB writes beside a database. */
static void a_ledger_beside_a_database(void **state) {
  (void)state;
  static const char *const ends[] = {".wal", ".wal.checkpoint", ".wal.recovery"};
  tacit_error error = {""};
  char database[128], name[160];
  snprintf(database, sizeof database, "%s", at("beside.duckdb"));
  if (!make_database(database)) skip(); /* without DuckDB there is nothing to see */
  assert_int_equal(as_database(database, &error), TACIT_OK);
  tacit_ledger_close(open_ledger("beside.db"));
  int held = lock(at("beside.db"));
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    snprintf(name, sizeof name, "%s%s", database, ends[i]);
    assert_int_equal(symlink("beside.db", name), 0);
    tacit_status status = as_database(database, &error);
    if (status == TACIT_OK || !strstr(error.text, "is a ledger") || !is_locked(at("beside.db")))
      fail_msg("%s: %d %s", ends[i], status, error.text);
    unlink(name);
  }
  close(held);
}

/* Nor is another ledger that has a journal's name opened and closed as one. */
static void a_ledger_with_a_journals_name(void **state) {
  (void)state;
  tacit_ledger_close(open_ledger("one.db"));
  tacit_ledger_close(open_ledger("two.db"));
  assert_int_equal(rename(at("two.db"), at("one.db-journal")), 0);
  int held = lock(at("one.db-journal"));
  expect_refused("one.db", TACIT_LEDGER_READ, TACIT_REFUSED, "cannot be read");
  assert_true(is_locked(at("one.db-journal")));
  close(held);
}

/* Looking for temporary files that killed programs left: another program may give one of them, which by then
   is a ledger, its own name while it is looked at. */
static void a_temporary_file_that_is_a_ledger(void **state) {
  (void)state;
  char name[160], *made;
  tacit_ledger_close(open_ledger("t.db"));
  snprintf(name, sizeof name, "%s", at("u.db.77-0" TACIT_TEMPORARY_END));
  assert_int_equal(rename(at("t.db"), name), 0);
  int holder = open(name, O_RDONLY | O_CLOEXEC); /* its maker, who lives */
  assert_true(holder >= 0 && flock(holder, LOCK_EX) == 0);
  int held = lock(name), file = tacit_temporary_beside(at("u.db"), 0600, &made);
  assert_true(file >= 0 && access(name, F_OK) == 0 && is_locked(name));
  size_t before = descriptors();
  for (int i = 0; i < 5; i++) { /* one stays open for it, not one for each file that is written */
    char *another;
    int more = tacit_temporary_beside(at("u.db"), 0600, &another);
    assert_true(more >= 0 && is_locked(name));
    unlink(another);
    free(another);
    close(more);
  }
  assert_int_equal(descriptors(), before);
  unlink(made);
  free(made);
  close(file);
  close(held);
  close(holder);
}

/* What is no ledger is read as before, and closed; a descriptor that was closed by somebody else and belongs
   to another file now keeps nobody from seeing a ledger. */
static void descriptors_are_asked_who_they_are(void **state) {
  (void)state;
  write_bytes("plain", (const unsigned char *)"a,b\n1,2\n", 8);
  size_t before = descriptors();
  for (int i = 0; i < 5; i++) assert_false(tacit_reading_is_ledger(at("plain")));
  assert_int_equal(descriptors(), before);
  int file = tacit_reading_open(at("plain"), 0);
  assert_true(file >= 0);
  close(file);
  tacit_ledger_close(open_ledger("d.db"));
  file = open(at("plain"), O_RDONLY | O_CLOEXEC); /* the number that the ledger will have */
  close(file);
  assert_true(tacit_reading_is_ledger(at("d.db")));
  assert_int_equal(close(file), 0);
  assert_int_equal(open(at("plain"), O_RDONLY | O_CLOEXEC), file);
  assert_true(tacit_reading_is_ledger(at("d.db")));
  assert_false(tacit_reading_is_ledger(at("plain")));
  close(file);
}

/* What cannot be opened to be looked at may be a ledger: nobody is given it, and nothing is written over it.
 */
static void without_descriptors_anything_may_be_one(void **state) {
  (void)state;
  struct rlimit before, none;
  char *real = NULL;
  tacit_ledger_close(open_ledger("n.db"));
  write_bytes("other", (const unsigned char *)"a,b\n1,2\n", 8);
  int held = lock(at("n.db")), next = open("/dev/null", O_RDONLY | O_CLOEXEC);
  close(next);
  assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
  none = before;
  none.rlim_cur = (rlim_t)next; /* no number is left */
  assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
  tacit_status status = tacit_reading_real(at("n.db"), &real, NULL);
  bool is = tacit_is_ledger_file(at("n.db")), other = tacit_is_ledger_file(at("other")),
       nothing = tacit_is_ledger_file(at("nothing"));
  assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
  assert_int_equal(status, TACIT_BAD_INPUT);
  assert_null(real);
  assert_true(is && other && !nothing);
  assert_false(tacit_is_ledger_file(at("other")));
  assert_true(is_locked(at("n.db")));
  close(held);
}

/* What cannot be read costs one descriptor, not one for each attempt. */
static void what_cannot_be_read_is_kept_once(void **state) {
  (void)state;
  if (tacit_reading_open("/proc/self/mem", 0) != -1 || errno != EIO) skip();
  size_t before = descriptors();
  for (int i = 0; i < 5; i++) assert_true(tacit_reading_open("/proc/self/mem", 0) < 0);
  assert_int_equal(descriptors(), before);
}

/* Nor is a key written where a journal goes. */
static void no_key_takes_a_journals_place(void **state) {
  (void)state;
  char text[TACIT_KEY_TEXT];
  tacit_ledger_close(open_ledger("k.db"));
  assert_int_equal(tacit_keys_make(at("k.db-journal"), at("k.public"), text, NULL), TACIT_REFUSED);
  assert_int_not_equal(access(at("k.db-journal"), F_OK), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_reader_leaves_it_alone),
      cmocka_unit_test(no_other_spelling_leads_to_it),
      cmocka_unit_test(a_ledger_beside_a_database),
      cmocka_unit_test(a_ledger_with_a_journals_name),
      cmocka_unit_test(a_temporary_file_that_is_a_ledger),
      cmocka_unit_test(descriptors_are_asked_who_they_are),
      cmocka_unit_test(without_descriptors_anything_may_be_one),
      cmocka_unit_test(what_cannot_be_read_is_kept_once),
      cmocka_unit_test(no_key_takes_a_journals_place),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
