/* Spending: the budget is asked and the entry appended in one transaction that is on the disk before noise is
   drawn (proofs/ledger.md). */
#include "ledger/ledger.h"

#include "privacy/gdp.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char INSERT[] =
    "INSERT INTO entries (sequence, kind, label, measure, amount, method, schema, date, nonce, "
    "previous, hash, commitment) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)";

/* A curve is upper bounds, and some order must have one. */
static tacit_status check_cost(const tacit_cost *cost, tacit_error *error) {
  bool sound = cost->mu == 0 && cost->epsilon >= 0 && cost->delta > 0 && cost->delta < 1, bounded = false;
  for (size_t i = 0; i < TACIT_RDP_ORDERS; i++) {
    sound = sound && cost->rdp[i] >= 0;
    bounded = bounded || isfinite(cost->rdp[i]);
  }
  if (!sound)
    return tacit_fail(error, TACIT_USAGE,
                      "a release that is not Gaussian must say its epsilon, delta and Renyi divergences");
  if (bounded) return TACIT_OK;
  return tacit_fail(
      error, TACIT_REFUSED,
      "this release has no bound at any Renyi order, and cannot be added to others. Nothing was "
      "spent. Ask for a smaller epsilon, or choose a Gaussian method");
}

/* What every entry must meet, checked once at the door. */
static tacit_status check_terms(const tacit_ledger *ledger, const tacit_spending *s, tacit_error *error) {
  if (!ledger->writable) return tacit_fail(error, TACIT_USAGE, "this ledger was opened for reading");
  if (!s->label || !tacit_plain_text(s->label, 1, TACIT_LABEL_MAX))
    return tacit_fail(error, TACIT_USAGE,
                      "a label has 1 to %d bytes of UTF-8 text without control or invisible characters",
                      TACIT_LABEL_MAX);
  if ((s->method && !tacit_plain_text(s->method, 0, TACIT_LABEL_MAX)) ||
      (s->date && !tacit_plain_text(s->date, 0, TACIT_LABEL_MAX)) ||
      (s->schema_hash && !tacit_plain_text(s->schema_hash, 0, TACIT_LABEL_MAX)))
    return tacit_fail(error, TACIT_USAGE, "a ledger's texts have at most %d bytes of plain text",
                      TACIT_LABEL_MAX);
  if (s->unit.column && !tacit_plain_text(s->unit.column, 1, TACIT_LEDGER_COLUMN_MAX))
    return tacit_fail(error, TACIT_USAGE, "a unit's column has 1 to %d bytes of plain text",
                      TACIT_LEDGER_COLUMN_MAX);
  if (s->commitment && *s->commitment && !tacit_is_hex(s->commitment, 64))
    return tacit_fail(error, TACIT_USAGE, "a commitment has 64 hexadecimal digits");
  if (s->cost) return check_cost(s->cost, error);
  if (s->mu >= TACIT_LEDGER_MU_MIN && s->mu <= TACIT_MU_MAX) return TACIT_OK;
  return tacit_fail(error, TACIT_USAGE, "mu must be at least %g and at most %g", TACIT_LEDGER_MU_MIN,
                    TACIT_MU_MAX);
}

static tacit_status insert(tacit_ledger *ledger, const tacit_ledger_entry *entry, tacit_error *error) {
  sqlite3_stmt *statement = NULL;
  const char *const texts[] = {entry->kind,     entry->label,       entry->measure,   entry->amount,
                               entry->method,   entry->schema_hash, entry->date,      entry->nonce,
                               entry->previous, entry->hash,        entry->commitment};
  int code = sqlite3_prepare_v2(ledger->db, INSERT, -1, &statement, NULL);
  if (code == SQLITE_OK) code = sqlite3_bind_int64(statement, 1, (sqlite3_int64)entry->sequence);
  for (int i = 0; i < 11 && code == SQLITE_OK; i++)
    code = sqlite3_bind_text(statement, i + 2, texts[i], -1, SQLITE_STATIC);
  if (code == SQLITE_OK) code = sqlite3_step(statement);
  sqlite3_finalize(statement);
  return code == SQLITE_DONE ? TACIT_OK : tacit_ledger_trouble(ledger, code, error);
}

/* Appends one entry behind the head and commits; it is counted only when the commit has returned. */
static tacit_status append(tacit_ledger *ledger, const char *kind, const tacit_spending *s,
                           const tacit_entry_texts *texts, tacit_error *error) {
  char hash[TACIT_LEDGER_HASH_SIZE], previous[TACIT_LEDGER_HASH_SIZE];
  char nonce[TACIT_LEDGER_NONCE_SIZE];
  TACIT_TRY(tacit_ledger_nonce(nonce, error));
  memcpy(previous, ledger->head, sizeof previous);
  tacit_ledger_entry entry = {.sequence = ledger->sequence + 1,
                              .kind = kind,
                              .label = s->label,
                              .measure = texts->measure,
                              .amount = texts->amount,
                              .mu = s->mu,
                              .method = s->method ? s->method : "",
                              .schema_hash = s->schema_hash ? s->schema_hash : "",
                              .date = s->date ? s->date : "",
                              .nonce = nonce,
                              .previous = previous,
                              .hash = hash,
                              .commitment = s->commitment ? s->commitment : ""};
  tacit_terms terms; /* what nobody could read must not be written */
  if (!tacit_terms_parse(kind, texts->measure, texts->amount, &terms) || !tacit_entry_sound(&entry, &terms))
    return tacit_fail(error, TACIT_USAGE, "the amount is out of range");
  tacit_ledger_hash(&entry, hash);
  TACIT_TRY(tacit_ledger_store_upgrade(ledger, error));
  TACIT_TRY(tacit_ledger_home_keep(ledger, error));
  TACIT_TRY(insert(ledger, &entry, error));
  TACIT_TRY(tacit_ledger_commit(ledger, error));
  return tacit_ledger_count(ledger, &entry, error);
}

/* For writing: from here to the commit nobody else can write, so that what was read still holds then. */
static tacit_status begin(tacit_ledger *ledger, tacit_error *error) {
  TACIT_TRY(tacit_ledger_home_begin(ledger, true, error));
  TACIT_TRY(tacit_ledger_store_version(ledger, error));
  if (!ledger->at_home) return tacit_ledger_home_away(ledger, error);
  return tacit_ledger_read(ledger, NULL, NULL, error);
}

/* The budget that is asked for against the one in force. */
static tacit_status change_budget(tacit_ledger *ledger, const tacit_ledger_terms *t, const tacit_spending *s,
                                  tacit_error *error) {
  char delta[TACIT_AMOUNT_SIZE], mu[TACIT_AMOUNT_SIZE], known[32];
  tacit_entry_texts texts;
  const tacit_label *label = tacit_ledger_find(ledger, s->label);
  /* a budget that names no delta keeps the one that is in force */
  double kept = t->delta > 0 ? t->delta : label ? label->delta : TACIT_LEDGER_DELTA;
  TACIT_TRY(tacit_period_settle(label, t->per ? t->per : "", error));
  const char *per = t->per ? t->per : label ? label->per : ""; /* and the same for what it counts for */
  tacit_terms_measure(false, &s->unit, texts.measure);
  if (*per) tacit_period_put(per, NULL, texts.measure);
  tacit_amount_of(s->mu, mu);
  tacit_amount_of(kept, delta);
  snprintf(texts.amount, sizeof texts.amount, "%s %s", mu, delta);
  const char *unit = tacit_terms_unit(texts.measure);
  TACIT_TRY(tacit_terms_allow(label, unit, error));
  bool same = label && !strcmp(label->budget, mu) && label->delta == kept;
  if (same && (!*unit || label->unit[0])) return TACIT_OK;
  if (label && label->budget[0] && !same && !t->change)
    return tacit_fail(
        error, TACIT_REFUSED,
        "label \"%s\" has the budget mu = %s already. To change it is a decision that is recorded: "
        "--change",
        s->label, tacit_ledger_shown(tacit_amount_value(label->budget), known));
  TACIT_TRY(append(ledger, "budget", s, &texts, error));
  return tacit_ledger_home_settle(ledger, error);
}

tacit_status tacit_ledger_set(tacit_ledger *ledger, const tacit_ledger_terms *terms, tacit_error *error) {
  const tacit_spending as = {
      .label = terms->label, .mu = terms->mu, .date = terms->date, .unit = terms->unit};
  TACIT_TRY(check_terms(ledger, &as, error));
  if (terms->delta != 0 && !(terms->delta >= TACIT_LEDGER_MU_MIN && terms->delta < 1))
    return tacit_fail(error, TACIT_USAGE, "delta must be above 0 and below 1");
  tacit_status status = begin(ledger, error);
  if (status == TACIT_OK) status = change_budget(ledger, terms, &as, error);
  tacit_ledger_home_end(ledger);
  return status;
}

tacit_status tacit_ledger_budget(tacit_ledger *ledger, const char *label, double mu, bool change,
                                 const char *date, tacit_error *error) {
  const tacit_ledger_terms terms = {.label = label, .mu = mu, .change = change, .date = date};
  return tacit_ledger_set(ledger, &terms, error);
}

/* A label that has a budget for each period has it in its entries; its name is looked at before it is used.
 */
static void write_texts(const tacit_ledger *ledger, const tacit_spending *s, tacit_entry_texts *texts) {
  const tacit_label *label = tacit_ledger_find(ledger, s->label);
  bool named = label && label->per[0] && s->period && tacit_period_of(label->per, s->period);
  tacit_terms_measure(s->cost != NULL, &s->unit, texts->measure);
  if (named) tacit_period_put(label->per, s->period, texts->measure);
  if (s->cost)
    tacit_terms_amount(s->cost, texts->amount);
  else
    tacit_amount_of(s->mu, texts->amount);
}

tacit_status tacit_ledger_spend(tacit_ledger *ledger, const tacit_spending *spending, tacit_receipt *receipt,
                                tacit_error *error) {
  tacit_entry_texts texts;
  *receipt = (tacit_receipt){.sequence = 0};
  TACIT_TRY(check_terms(ledger, spending, error));
  tacit_status status = begin(ledger, error);
  write_texts(ledger, spending, &texts);
  if (status == TACIT_OK) status = tacit_ledger_allow(ledger, spending, &texts, error);
  if (status == TACIT_OK) status = append(ledger, "spend", spending, &texts, error);
  /* settling reads on, to where others have spent meanwhile */
  uint64_t sequence = ledger->sequence;
  memcpy(receipt->head, ledger->head, sizeof receipt->head);
  if (status == TACIT_OK) status = tacit_ledger_home_settle(ledger, error);
  tacit_ledger_home_end(ledger);
  if (status != TACIT_OK) {
    *receipt = (tacit_receipt){.sequence = 0};
    return status;
  }
  receipt->sequence = sequence;
  memcpy(receipt->label, spending->label, strlen(spending->label) + 1);
  if (spending->commitment && *spending->commitment)
    memcpy(receipt->commitment, spending->commitment, sizeof receipt->commitment);
  return TACIT_OK;
}

tacit_status tacit_ledger_afford(tacit_ledger *ledger, const tacit_spending *spending, tacit_error *error) {
  tacit_entry_texts texts;
  TACIT_TRY(check_terms(ledger, spending, error));
  TACIT_TRY(tacit_ledger_refresh(ledger, error));
  write_texts(ledger, spending, &texts);
  return tacit_ledger_allow(ledger, spending, &texts, error);
}

tacit_status tacit_ledger_pay(void *user, const tacit_cost *cost, tacit_error *error) {
  tacit_payment *payment = user;
  payment->spending.mu = cost->mu;
  payment->spending.cost = cost->mu == 0 ? cost : NULL;
  payment->spending.commitment = cost->commitment;
  if (cost->period[0]) payment->spending.period = cost->period;
  tacit_status status = tacit_ledger_spend(payment->ledger, &payment->spending, &payment->receipt, error);
  payment->spending.cost = NULL; /* the learner's own, both */
  payment->spending.commitment = NULL;
  if (cost->period[0]) payment->spending.period = NULL;
  return status;
}
