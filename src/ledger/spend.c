/* Spending: the budget is asked and the entry appended in one transaction that is on the disk before noise is
   drawn (proofs/ledger.md). */
#include "ledger/ledger.h"

#include "privacy/gdp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char INSERT[] =
    "INSERT INTO entries (sequence, kind, label, measure, amount, method, schema, date, nonce, "
    "previous, hash) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";

/* How many bytes a UTF-8 character has that is no control character; 0 for none. Overlong forms, surrogates
   and numbers beyond Unicode are none. */
static size_t character(const unsigned char *s) {
  if (s[0] < 0x80) return s[0] >= 0x20 && s[0] != 0x7f;
  size_t more = s[0] >= 0xc2 && s[0] < 0xe0   ? 1
                : s[0] >= 0xe0 && s[0] < 0xf0 ? 2
                : s[0] >= 0xf0 && s[0] < 0xf5 ? 3
                                              : 0;
  for (size_t i = 1; i <= more; i++)
    if ((s[i] & 0xc0) != 0x80) return 0; /* a terminating NUL ends here too */
  if ((s[0] == 0xc2 && s[1] < 0xa0) || (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
      (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
    return 0;
  return more ? more + 1 : 0;
}

static bool plain_text(const char *text, size_t least) {
  size_t length = strlen(text), n;
  if (length < least || length > TACIT_LABEL_MAX) return false;
  for (size_t i = 0; i < length; i += n)
    if (!(n = character((const unsigned char *)text + i))) return false;
  return true;
}

/* What every entry must meet, checked once at the door. */
static tacit_status check_terms(const tacit_ledger *ledger, const tacit_spending *s, tacit_error *error) {
  if (!ledger->writable) return tacit_fail(error, TACIT_USAGE, "this ledger was opened for reading");
  if (!s->label || !plain_text(s->label, 1))
    return tacit_fail(error, TACIT_USAGE,
                      "a label has 1 to %d bytes of UTF-8 text without control characters", TACIT_LABEL_MAX);
  if ((s->method && !plain_text(s->method, 0)) || (s->date && !plain_text(s->date, 0)) ||
      (s->schema_hash && !plain_text(s->schema_hash, 0)))
    return tacit_fail(error, TACIT_USAGE, "a ledger's texts have at most %d bytes of plain text",
                      TACIT_LABEL_MAX);
  if (s->mu >= TACIT_LEDGER_MU_MIN && s->mu <= TACIT_MU_MAX) return TACIT_OK;
  return tacit_fail(error, TACIT_USAGE, "mu must be at least %g and at most %g", TACIT_LEDGER_MU_MIN,
                    TACIT_MU_MAX);
}

/* A number with as many digits as tell it from its neighbours. */
static const char *shown(double x, char text[32]) {
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(text, 32, "%.*g", digits, x);
    if (strtod(text, NULL) == x) break;
  }
  return text;
}

/* The filter: the sum of squares, this one included, stays within the label's budget. */
static tacit_status allow(const tacit_ledger *ledger, const tacit_spending *s, const char *amount,
                          tacit_error *error) {
  const tacit_label *label = tacit_ledger_find(ledger, s->label);
  if (!ledger->limited) return TACIT_OK;
  if (!label || !label->budget[0])
    return tacit_fail(
        error, TACIT_REFUSED,
        "label \"%s\" has no budget in the ledger %s, where others have. Nothing was spent. Give "
        "the right --label, or set a budget: tacit ledger open %s --label NAME --mu M",
        s->label, ledger->path, ledger->path);
  mpz_t sum;
  mpz_init(sum);
  bool within = tacit_amount_square(amount, sum);
  mpz_add(sum, sum, label->spent);
  within = within && mpz_cmp(sum, label->allowed) <= 0;
  mpz_clear(sum);
  if (within) return TACIT_OK;
  tacit_ledger_total total;
  char asked[32], left[32], budget[32];
  tacit_ledger_total_of(ledger, s->label, &total);
  return tacit_fail(error, TACIT_REFUSED,
                    "label \"%s\" has not enough budget: mu = %s is asked, %s is left of %s. Nothing was "
                    "spent. Ask for no more than what is left",
                    s->label, shown(s->mu, asked), shown(total.left_mu, left),
                    shown(total.budget_mu, budget));
}

static tacit_status insert(tacit_ledger *ledger, const tacit_ledger_entry *entry, tacit_error *error) {
  sqlite3_stmt *statement = NULL;
  const char *const texts[] = {entry->kind,     entry->label,       entry->measure, entry->amount,
                               entry->method,   entry->schema_hash, entry->date,    entry->nonce,
                               entry->previous, entry->hash};
  int code = sqlite3_prepare_v2(ledger->db, INSERT, -1, &statement, NULL);
  if (code == SQLITE_OK) code = sqlite3_bind_int64(statement, 1, (sqlite3_int64)entry->sequence);
  for (int i = 0; i < 10 && code == SQLITE_OK; i++)
    code = sqlite3_bind_text(statement, i + 2, texts[i], -1, SQLITE_STATIC);
  if (code == SQLITE_OK) code = sqlite3_step(statement);
  sqlite3_finalize(statement);
  return code == SQLITE_DONE ? TACIT_OK : tacit_ledger_trouble(ledger, code, error);
}

/* Appends one entry behind the head and commits; it is counted only when the commit has returned. */
static tacit_status append(tacit_ledger *ledger, const char *kind, const tacit_spending *s,
                           const char *amount, tacit_error *error) {
  char hash[TACIT_LEDGER_HASH_SIZE], previous[TACIT_LEDGER_HASH_SIZE];
  char nonce[TACIT_LEDGER_NONCE_SIZE];
  TACIT_TRY(tacit_ledger_nonce(nonce, error));
  memcpy(previous, ledger->head, sizeof previous);
  tacit_ledger_entry entry = {.sequence = ledger->sequence + 1,
                              .kind = kind,
                              .label = s->label,
                              .measure = "gdp",
                              .amount = amount,
                              .mu = s->mu,
                              .method = s->method ? s->method : "",
                              .schema_hash = s->schema_hash ? s->schema_hash : "",
                              .date = s->date ? s->date : "",
                              .nonce = nonce,
                              .previous = previous,
                              .hash = hash};
  tacit_ledger_hash(&entry, hash);
  TACIT_TRY(insert(ledger, &entry, error));
  TACIT_TRY(tacit_ledger_run(ledger, "COMMIT", error));
  return tacit_ledger_count(ledger, &entry, error);
}

/* IMMEDIATE: from here to the commit nobody else can write, so what was read still holds when it is written.
 */
static tacit_status begin(tacit_ledger *ledger, tacit_error *error) {
  TACIT_TRY(tacit_ledger_run(ledger, "BEGIN IMMEDIATE", error));
  return tacit_ledger_read(ledger, NULL, NULL, error);
}

static tacit_status end(tacit_ledger *ledger, tacit_status status) {
  if (!sqlite3_get_autocommit(ledger->db)) sqlite3_exec(ledger->db, "ROLLBACK", NULL, NULL, NULL);
  return status;
}

/* The budget that is asked for against the one in force. */
static tacit_status change_budget(tacit_ledger *ledger, const tacit_spending *s, bool change,
                                  tacit_error *error) {
  char amount[TACIT_AMOUNT_SIZE], known[32];
  tacit_amount_of(s->mu, amount);
  const tacit_label *label = tacit_ledger_find(ledger, s->label);
  if (label && !strcmp(label->budget, amount)) return TACIT_OK;
  if (label && label->budget[0] && !change)
    return tacit_fail(
        error, TACIT_REFUSED,
        "label \"%s\" has the budget mu = %s already. To change it is a decision that is recorded: "
        "--change",
        s->label, shown(tacit_amount_value(label->budget), known));
  return append(ledger, "budget", s, amount, error);
}

tacit_status tacit_ledger_budget(tacit_ledger *ledger, const char *label, double mu, bool change,
                                 const char *date, tacit_error *error) {
  const tacit_spending terms = {.label = label, .mu = mu, .date = date};
  TACIT_TRY(check_terms(ledger, &terms, error));
  tacit_status status = begin(ledger, error);
  if (status == TACIT_OK) status = change_budget(ledger, &terms, change, error);
  return end(ledger, status);
}

tacit_status tacit_ledger_spend(tacit_ledger *ledger, const tacit_spending *spending, tacit_receipt *receipt,
                                tacit_error *error) {
  char amount[TACIT_AMOUNT_SIZE];
  *receipt = (tacit_receipt){.sequence = 0};
  TACIT_TRY(check_terms(ledger, spending, error));
  tacit_amount_of(spending->mu, amount);
  tacit_status status = begin(ledger, error);
  if (status == TACIT_OK) status = allow(ledger, spending, amount, error);
  if (status == TACIT_OK) status = append(ledger, "spend", spending, amount, error);
  if (end(ledger, status) != TACIT_OK) return status;
  receipt->sequence = ledger->sequence;
  memcpy(receipt->head, ledger->head, sizeof receipt->head);
  memcpy(receipt->label, spending->label, strlen(spending->label) + 1);
  return TACIT_OK;
}

tacit_status tacit_ledger_afford(tacit_ledger *ledger, const tacit_spending *spending, tacit_error *error) {
  char amount[TACIT_AMOUNT_SIZE];
  TACIT_TRY(check_terms(ledger, spending, error));
  tacit_amount_of(spending->mu, amount);
  TACIT_TRY(tacit_ledger_refresh(ledger, error));
  return allow(ledger, spending, amount, error);
}

tacit_status tacit_ledger_pay(void *user, const tacit_cost *cost, tacit_error *error) {
  tacit_payment *payment = user;
  payment->spending.mu = cost->mu;
  return tacit_ledger_spend(payment->ledger, &payment->spending, &payment->receipt, error);
}
