/* Any lines as entries of a ledger whose chain fits: whoever forges a ledger can compute the hashes, so what
   an entry says must be read without trust. A line is kind, label, measure, amount and method, each with a
   tab behind it. Refused, or counted: then a spending is taken or refused, and all of it still checks. */
#include "fuzz/target.h"
#include "ledger/ledger.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIELDS = 5, ENTRIES_MAX = 20 };
static char path[64], empty[1 << 16]; /* the bytes of a ledger without entries */
static size_t empty_size;

static void remove_all(void) {
  static const char *const ends[] = {"", "-journal", "-wal", "-shm"};
  char name[96];
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    snprintf(name, sizeof name, "%s%s", path, ends[i]);
    unlink(name);
  }
}

static void begin(void) {
  snprintf(path, sizeof path, "%s/tacit-fuzz-entries.%ld", access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm",
           (long)getpid());
  atexit(remove_all);
  remove_all();
  MUST(tacit_ledger_create(path, NULL) == TACIT_OK);
  FILE *file = fopen(path, "rb");
  MUST(file && (empty_size = fread(empty, 1, sizeof empty, file)) > 0 && empty_size < sizeof empty);
  fclose(file);
}

static void insert(sqlite3 *db, const tacit_ledger_entry *e) {
  static const char sql[] = "INSERT INTO entries VALUES (?1, ?2, ?3, ?4, ?5, ?6, '', '', ?7, ?8, ?9, '')";
  const char *const texts[] = {e->kind,   e->label, e->measure,  e->amount,
                               e->method, e->nonce, e->previous, e->hash};
  sqlite3_stmt *row;
  MUST(sqlite3_prepare_v2(db, sql, -1, &row, NULL) == SQLITE_OK);
  sqlite3_bind_int64(row, 1, (sqlite3_int64)e->sequence);
  for (int i = 0; i < 8; i++) sqlite3_bind_text(row, i + 2, texts[i], -1, SQLITE_STATIC);
  MUST(sqlite3_step(row) == SQLITE_DONE && sqlite3_finalize(row) == SQLITE_OK);
}

/* The lines as entries, each chained to the one before. */
static void forge(char *text) {
  sqlite3 *db;
  sqlite3_stmt *row;
  char previous[TACIT_LEDGER_HASH_SIZE], hash[TACIT_LEDGER_HASH_SIZE];
  FILE *file = fopen(path, "wb");
  MUST(file && fwrite(empty, 1, empty_size, file) == empty_size && fclose(file) == 0);
  MUST(sqlite3_open(path, &db) == SQLITE_OK);
  MUST(sqlite3_exec(db, "PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF; BEGIN", NULL, NULL, NULL) ==
       SQLITE_OK);
  MUST(sqlite3_prepare_v2(db, "SELECT id FROM meta", -1, &row, NULL) == SQLITE_OK);
  MUST(sqlite3_step(row) == SQLITE_ROW);
  tacit_ledger_start_hash((const char *)sqlite3_column_text(row, 0), previous);
  sqlite3_finalize(row);
  for (uint64_t sequence = 1; *text && sequence <= ENTRIES_MAX; sequence++) {
    char *next = text + strcspn(text, "\n"), none[] = "", *field[FIELDS];
    if (*next) *next++ = 0;
    for (int i = 0; i < FIELDS; i++) {
      field[i] = text ? text : none;
      text = strchr(field[i], '\t');
      if (text) *text++ = 0;
    }
    const tacit_ledger_entry entry = {.sequence = sequence,
                                      .kind = field[0],
                                      .label = field[1],
                                      .measure = field[2],
                                      .amount = field[3],
                                      .method = field[4],
                                      .schema_hash = "",
                                      .date = "",
                                      .nonce = "0123456789abcdef0123456789abcdef",
                                      .previous = previous,
                                      .hash = hash};
    tacit_ledger_hash(&entry, hash);
    insert(db, &entry);
    memcpy(previous, hash, sizeof previous);
    text = next;
  }
  MUST(sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK && sqlite3_close(db) == SQLITE_OK);
}

static void look(void *user, const tacit_ledger_entry *entry) {
  size_t *count = user;
  MUST(entry->sequence == ++*count && entry->mu >= 0 && entry->epsilon >= 0 && entry->delta >= 0);
}

static void spend(tacit_ledger *ledger, tacit_error *error) {
  tacit_receipt receipt;
  tacit_cost cost = {.epsilon = 0.5, .delta = 1e-9};
  for (size_t k = 0; k < TACIT_RDP_ORDERS; k++) cost.rdp[k] = 0.01 * (double)(k + 1);
  for (int renyi = 0; renyi < 2; renyi++) {
    const tacit_spending spending = {.label = "a",
                                     .mu = renyi ? 0 : 0.25,
                                     .unit = {TACIT_REPLACE_ONE, 1, NULL},
                                     .cost = renyi ? &cost : NULL};
    tacit_status status = tacit_ledger_spend(ledger, &spending, &receipt, error);
    MUST(status == TACIT_OK || (status == TACIT_REFUSED && error->text[0]));
    if (status != TACIT_OK) continue;
    tacit_ledger_total total;
    MUST(tacit_ledger_total_of(ledger, "a", &total) && total.spent_mu >= 0.25 * !renyi);
    MUST(!total.limited || total.renyi || total.spent_mu <= total.budget_mu * (1 + 1e-12));
    MUST(!total.limited || !total.renyi || total.spent_epsilon <= total.budget_epsilon * (1 + 1e-12));
    MUST(tacit_ledger_check(ledger, error) == TACIT_OK);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  tacit_ledger *ledger = NULL;
  tacit_error error = {""};
  if (!path[0]) begin();
  char *text = calloc(size + 1, 1);
  MUST(text);
  if (size) memcpy(text, data, size);
  forge(text);
  free(text);
  tacit_status status = tacit_ledger_open(path, TACIT_LEDGER_WRITE, 0, &ledger, &error);
  if (status != TACIT_OK) {
    MUST(!ledger && error.text[0] && status == TACIT_BAD_INPUT);
    return 0;
  }
  MUST(tacit_ledger_check(ledger, &error) == TACIT_OK);
  size_t count = 0;
  MUST(tacit_ledger_each(ledger, look, &count, &error) == TACIT_OK);
  for (size_t i = 0; i < tacit_ledger_labels(ledger); i++) {
    tacit_ledger_total total = tacit_ledger_total_at(ledger, i);
    MUST(total.label && total.spent_mu >= 0 && total.left_mu >= 0 && !isnan(total.budget_mu));
    MUST(!total.renyi || (total.spent_epsilon >= 0 && total.budget_epsilon >= 0));
  }
  spend(ledger, &error);
  tacit_ledger_close(ledger);
  return 0;
}
