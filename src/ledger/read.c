/* Reading the record: every entry is checked against the chain and counted exactly, from where the last
   reading ended. */
#include "ledger/ledger.h"

#include <stdlib.h>
#include <string.h>

/* All columns, which are known: before version 3 there is no commitment, and another program may add it
   while the file is open here. */
static const char SELECT[] = "SELECT * FROM entries WHERE sequence >= ?1 ORDER BY sequence";
enum { TEXTS = 11 /* beside the sequence */ };

static tacit_status broken(const tacit_ledger *ledger, const char *what, tacit_error *error) {
  (void)tacit_ledger_damaged(ledger, what, error);
  return TACIT_BAD_INPUT;
}

tacit_label *tacit_ledger_find(const tacit_ledger *ledger, const char *label) {
  return tacit_ledger_find_in(ledger, label, "");
}

void tacit_ledger_forget(tacit_ledger *ledger) {
  for (size_t i = 0; i < ledger->label_count; i++) {
    mpz_clears(ledger->labels[i].allowed, ledger->labels[i].spent, NULL);
    for (size_t k = 0; k < TACIT_RDP_ORDERS; k++) mpz_clear(ledger->labels[i].other[k]);
  }
  free(ledger->labels);
  ledger->labels = NULL;
  ledger->label_count = ledger->label_capacity = 0;
  ledger->sequence = 0;
  ledger->limited = false;
  memcpy(ledger->head, ledger->start, sizeof ledger->head);
}

static tacit_label *add_label(tacit_ledger *ledger, const char *label) {
  size_t n = ledger->label_count;
  tacit_label *list = tacit_grow(ledger->labels, &ledger->label_capacity, n + 1, sizeof *list);
  if (!list) return NULL;
  ledger->labels = list;
  ledger->label_count = n + 1;
  list[n] = (tacit_label){.delta = TACIT_LEDGER_DELTA};
  memcpy(list[n].name, label, strlen(label) + 1);
  mpz_inits(list[n].allowed, list[n].spent, NULL);
  for (size_t k = 0; k < TACIT_RDP_ORDERS; k++) mpz_init(list[n].other[k]);
  return &list[n];
}

/* Whole numbers: nothing is too small to count. */
static void add_renyi(tacit_label *label, const tacit_terms *terms) {
  mpz_t one;
  mpz_init(one);
  label->renyi = true;
  for (size_t k = 0; k < TACIT_RDP_ORDERS; k++) {
    if (tacit_amount_linear(terms->rdp[k], one))
      mpz_add(label->other[k], label->other[k], one);
    else
      label->lost[k] = true;
  }
  mpz_clear(one);
}

static void add_gaussian(tacit_ledger *ledger, tacit_label *label, const tacit_terms *terms) {
  mpz_t square;
  mpz_init(square);
  bool good = tacit_amount_square(terms->mu, square); /* the amount was parsed */
  if (good && terms->budget) {
    mpz_set(label->allowed, square);
    memcpy(label->budget, terms->mu, sizeof label->budget);
    label->delta = terms->delta[0] ? tacit_amount_value(terms->delta) : TACIT_LEDGER_DELTA;
    ledger->limited = true;
  } else if (good) {
    mpz_add(label->spent, label->spent, square);
  }
  mpz_clear(square);
}

/* Where a period's spending is counted: it has the label's own terms. NULL without memory. */
static tacit_label *add_period(tacit_ledger *ledger, const char *label, const char *period) {
  tacit_label *known = tacit_ledger_find_in(ledger, label, period);
  tacit_label *made = known ? known : add_label(ledger, label);
  if (known || !made) return known;
  const tacit_label *all = tacit_ledger_find(ledger, label); /* stands before what was just added */
  mpz_set(made->allowed, all->allowed);
  memcpy(made->budget, all->budget, sizeof made->budget);
  memcpy(made->unit, all->unit, sizeof made->unit);
  memcpy(made->per, all->per, sizeof made->per);
  memcpy(made->period, period, strlen(period) + 1);
  made->delta = all->delta;
  return made;
}

tacit_status tacit_ledger_count(tacit_ledger *ledger, const tacit_ledger_entry *entry, tacit_error *error) {
  tacit_terms terms;
  bool budget = !strcmp(entry->kind, "budget");
  if ((!budget && strcmp(entry->kind, "spend") != 0) ||
      (strncmp(entry->measure, "gdp", 3) != 0 && strncmp(entry->measure, "rdp", 3) != 0))
    return tacit_fail(error, TACIT_BAD_INPUT,
                      "the ledger %s has entries of a kind that this tacit does not know. Nothing was spent. "
                      "Use the tacit that wrote it",
                      ledger->path);
  if (!tacit_terms_parse(entry->kind, entry->measure, entry->amount, &terms))
    return broken(ledger, "an amount is no amount", error);
  if (!tacit_entry_sound(entry, &terms))
    return broken(ledger, "an entry has texts or numbers that tacit does not write", error);
  tacit_label *label = tacit_ledger_find(ledger, entry->label);
  if (!label) label = add_label(ledger, entry->label);
  if (!label) return tacit_no_memory(error);
  if (*terms.unit && label->unit[0] && strcmp(terms.unit, label->unit) != 0)
    return broken(ledger, "a label counts for two kinds of units", error);
  if (!label->unit[0]) memcpy(label->unit, terms.unit, strlen(terms.unit) + 1);
  bool settled = label->budget[0] || label->releases > 0;
  if (settled && strcmp(label->per, terms.per) != 0)
    return broken(ledger, "a label counts both for each period and for all together", error);
  memcpy(label->per, terms.per, sizeof label->per);
  tacit_label *counted = terms.period[0] ? add_period(ledger, entry->label, terms.period) : label;
  if (!counted) return tacit_no_memory(error);
  label = tacit_ledger_find(ledger, entry->label); /* the list may have moved */
  if (terms.renyi)
    add_renyi(counted, &terms);
  else
    add_gaussian(ledger, counted, &terms);
  for (size_t i = 0; budget && i < ledger->label_count; i++)
    if (&ledger->labels[i] != label && !strcmp(ledger->labels[i].name, entry->label))
      add_gaussian(ledger, &ledger->labels[i], &terms);
  if (counted != label) counted->releases++;
  if (!budget) {
    label->releases++;
    label->unsaid = label->unsaid || !*terms.unit;
  }
  ledger->sequence = entry->sequence;
  memcpy(ledger->head, entry->hash, sizeof ledger->head);
  return TACIT_OK;
}

/* A column's text, NULL when it is none or holds a NUL. */
static const char *text_at(sqlite3_stmt *row, int column) {
  if (sqlite3_column_type(row, column) != SQLITE_TEXT) return NULL;
  const char *text = (const char *)sqlite3_column_text(row, column);
  return text && strlen(text) == (size_t)sqlite3_column_bytes(row, column) ? text : NULL;
}

/* One row as an entry that follows the head, with its hash recomputed. */
static tacit_status take(tacit_ledger *ledger, sqlite3_stmt *row, tacit_ledger_entry *entry,
                         tacit_error *error) {
  const char *texts[TEXTS];
  bool old = sqlite3_column_count(row) == TEXTS;
  for (int i = 0; i < TEXTS; i++) {
    texts[i] = old && i == TEXTS - 1 ? "" : text_at(row, i + 1);
    if (!texts[i]) return broken(ledger, "an entry is incomplete", error);
  }
  *entry = (tacit_ledger_entry){.sequence = (uint64_t)sqlite3_column_int64(row, 0),
                                .kind = texts[0],
                                .label = texts[1],
                                .measure = texts[2],
                                .amount = texts[3],
                                .method = texts[4],
                                .schema_hash = texts[5],
                                .date = texts[6],
                                .nonce = texts[7],
                                .previous = texts[8],
                                .hash = texts[9],
                                .commitment = texts[10]};
  tacit_terms terms;
  if (tacit_terms_parse(entry->kind, entry->measure, entry->amount, &terms)) {
    entry->mu = terms.renyi ? 0 : tacit_amount_value(terms.mu);
    entry->epsilon = terms.epsilon;
    entry->delta = terms.delta[0] ? tacit_amount_value(terms.delta) : 0;
  }
  char hash[TACIT_LEDGER_HASH_SIZE];
  tacit_ledger_hash(entry, hash);
  if (entry->sequence != ledger->sequence + 1)
    return broken(ledger, "an entry is missing or out of its place", error);
  if (strcmp(entry->previous, ledger->head) != 0 || strcmp(entry->hash, hash) != 0)
    return broken(ledger, "an entry was changed: its hash does not fit the chain", error);
  return TACIT_OK;
}

/* The entry that the last reading ended with must still be there. */
static tacit_status resume(const tacit_ledger *ledger, sqlite3_stmt *row, tacit_error *error) {
  const char *hash = text_at(row, 10);
  if ((uint64_t)sqlite3_column_int64(row, 0) == ledger->sequence && hash && !strcmp(hash, ledger->head))
    return TACIT_OK;
  return broken(ledger, "it was replaced while it was open", error);
}

/* One row: where the last reading ended, or the next entry. */
static tacit_status step(tacit_ledger *ledger, sqlite3_stmt *row, bool *resumed,
                         void (*visit)(void *, const tacit_ledger_entry *), void *user, tacit_error *error) {
  tacit_ledger_entry entry = {.sequence = 0};
  if (!*resumed) {
    *resumed = true;
    return resume(ledger, row, error);
  }
  TACIT_TRY(take(ledger, row, &entry, error));
  TACIT_TRY(tacit_ledger_count(ledger, &entry, error));
  if (visit) visit(user, &entry);
  return TACIT_OK;
}

static tacit_status read_on(tacit_ledger *ledger, void (*visit)(void *, const tacit_ledger_entry *),
                            void *user, tacit_error *error) {
  sqlite3_stmt *row = NULL;
  tacit_status status = TACIT_OK;
  bool resumed = ledger->sequence == 0;
  int code = sqlite3_prepare_v2(ledger->db, SELECT, -1, &row, NULL);
  if (code == SQLITE_OK) code = sqlite3_bind_int64(row, 1, (sqlite3_int64)ledger->sequence);
  if (code == SQLITE_OK)
    while (status == TACIT_OK && (code = sqlite3_step(row)) == SQLITE_ROW)
      status = step(ledger, row, &resumed, visit, user, error);
  sqlite3_finalize(row);
  if (status != TACIT_OK) return status;
  if (code != SQLITE_DONE) return tacit_ledger_trouble(ledger, code, error);
  return resumed ? TACIT_OK : broken(ledger, "it was cut while it was open", error);
}

tacit_status tacit_ledger_read(tacit_ledger *ledger, void (*visit)(void *, const tacit_ledger_entry *),
                               void *user, tacit_error *error) {
  if (!sqlite3_get_autocommit(ledger->db)) return read_on(ledger, visit, user, error);
  TACIT_TRY(tacit_ledger_home_begin(ledger, false, error));
  tacit_status status = read_on(ledger, visit, user, error);
  tacit_ledger_home_end(ledger);
  return status;
}
