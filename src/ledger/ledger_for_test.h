/* What the ledger's tests share: a folder of their own, ledgers in it, raw statements and copies. */
#ifndef TACIT_SRC_LEDGER_FOR_TEST_H
#define TACIT_SRC_LEDGER_FOR_TEST_H

#include "ledger/ledger.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Of every release below, as if all were the same one. */
static const char COMMITMENT[] = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
static char folder[64];

/* In memory where there is such a place: thousands of files, and no disk to wait for. */
static inline int make_folder(void **state) {
  (void)state;
  snprintf(folder, sizeof folder, "%s/tacit-ledger-test.XXXXXX",
           access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
  return mkdtemp(folder) ? 0 : -1;
}

static inline int remove_folder(void **state) {
  (void)state;
  char command[128];
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  return system(command);
}

/* A path in the folder; four may be in use at a time. */
static inline const char *at(const char *name) {
  static char paths[4][128];
  static int next;
  char *path = paths[next++ % 4];
  snprintf(path, sizeof paths[0], "%s/%s", folder, name);
  return path;
}

static inline tacit_ledger *open_ledger(const char *name) {
  tacit_ledger *ledger;
  tacit_error error = {""};
  if (tacit_ledger_open(at(name), TACIT_LEDGER_CREATE, 1000, &ledger, &error) != TACIT_OK)
    fail_msg("%s", error.text);
  return ledger;
}

static inline tacit_status try_spend(tacit_ledger *ledger, const char *label, double mu,
                                     tacit_receipt *receipt, tacit_error *error) {
  const tacit_spending spending = {.label = label,
                                   .mu = mu,
                                   .method = "noisy-gd",
                                   .schema_hash = "abc",
                                   .date = "2027-01-02",
                                   .unit = {.rows_per_unit = 1},
                                   .commitment = COMMITMENT};
  tacit_receipt ignored;
  return tacit_ledger_spend(ledger, &spending, receipt ? receipt : &ignored, error);
}

static inline void spend(tacit_ledger *ledger, const char *label, double mu, tacit_receipt *receipt) {
  tacit_error error = {""};
  if (try_spend(ledger, label, mu, receipt, &error) != TACIT_OK) fail_msg("%s", error.text);
}

static inline void budget(tacit_ledger *ledger, const char *label, double mu) {
  tacit_error error = {""};
  if (tacit_ledger_budget(ledger, label, mu, false, NULL, &error) != TACIT_OK) fail_msg("%s", error.text);
}

/* Opening fails with this status and a text that has this in it. */
static inline void expect_refused(const char *name, tacit_ledger_mode mode, tacit_status status,
                                  const char *text) {
  tacit_ledger *ledger;
  tacit_error error = {""};
  assert_int_equal(tacit_ledger_open(at(name), mode, 0, &ledger, &error), status);
  assert_null(ledger);
  if (!strstr(error.text, text)) fail_msg("expected \"%s\" in: %s", text, error.text);
}

/* Statements from another program's hand. */
static inline void raw(const char *name, const char *sql) {
  sqlite3 *db;
  assert_int_equal(sqlite3_open(at(name), &db), SQLITE_OK);
  char *why = NULL;
  if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK) fail_msg("%s: %s", sql, why);
  sqlite3_close(db);
}

static inline size_t read_bytes(const char *name, unsigned char *bytes, size_t most) {
  FILE *file = fopen(at(name), "rb");
  assert_non_null(file);
  size_t n = fread(bytes, 1, most, file);
  fclose(file);
  return n;
}

/* A ledger from before version 3. */
static inline void make_old(const char *name, int version) {
  char sql[160];
  snprintf(sql, sizeof sql,
           "ALTER TABLE entries DROP COLUMN commitment; DROP TABLE home; PRAGMA user_version = 0; "
           "UPDATE meta SET version = %d",
           version);
  raw(name, sql);
}

static inline void write_bytes(const char *name, const unsigned char *bytes, size_t count) {
  FILE *file = fopen(at(name), "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, count, file), count);
  assert_int_equal(fclose(file), 0);
}

/* Into a file that is there, which is then the same file: what it is at home as does not change. */
static inline void copy(const char *from, const char *to) {
  static unsigned char bytes[1 << 20];
  write_bytes(to, bytes, read_bytes(from, bytes, sizeof bytes));
}

#endif
