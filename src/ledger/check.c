/* Checking: the whole record from its first entry on, and policies' receipts against it. The chain finds an
   edit; receipts find what the chain cannot, a ledger that was cut or put back (proofs/ledger.md). */
#include "ledger/ledger.h"

#include <inttypes.h>
#include <string.h>

tacit_status tacit_ledger_check(tacit_ledger *ledger, tacit_error *error) {
  TACIT_TRY(tacit_ledger_home_begin(ledger, false, error));
  tacit_status status = tacit_ledger_store_check(ledger, error);
  if (status == TACIT_OK) {
    tacit_ledger_forget(ledger);
    status = tacit_ledger_read(ledger, NULL, NULL, error);
  }
  tacit_ledger_home_end(ledger);
  return status;
}

typedef struct search {
  const tacit_receipt *receipt;
  const char *schema_hash, *method;
  const tacit_cost *cost;
  char unit[TACIT_LEDGER_MEASURE_SIZE]; /* "" for any */
  bool found, same, label, spend, covers, schema, learner, unit_fits, unsaid, release, period;
} search;

/* Whether what was paid is at least what is asked, order by order; mu and divergences never pay for each
   other. */
static bool covers(const tacit_ledger_entry *entry, const tacit_cost *cost) {
  tacit_terms terms;
  if (!tacit_terms_parse(entry->kind, entry->measure, entry->amount, &terms)) return false;
  if (!terms.renyi) return cost->mu > 0 && tacit_amount_covers(terms.mu, cost->mu);
  if (cost->mu != 0 || !(entry->epsilon >= cost->epsilon) || !tacit_amount_covers(terms.delta, cost->delta))
    return false;
  for (size_t i = 0; i < TACIT_RDP_ORDERS; i++)
    if (strcmp(terms.rdp[i], "inf") != 0 && !tacit_amount_covers(terms.rdp[i], cost->rdp[i])) return false;
  return true;
}

static void look(void *user, const tacit_ledger_entry *entry) {
  search *s = user;
  if (entry->sequence != s->receipt->sequence) return;
  s->found = true;
  s->same = !strcmp(entry->hash, s->receipt->head);
  s->label = !strcmp(entry->label, s->receipt->label);
  s->spend = !strcmp(entry->kind, "spend");
  s->covers = covers(entry, s->cost);
  s->release = !strcmp(entry->commitment, s->cost->commitment);
  tacit_terms terms;
  s->period = !s->method || !tacit_terms_parse(entry->kind, entry->measure, entry->amount, &terms) ||
              !terms.period[0] || !strcmp(terms.period, s->cost->period);
  const char *unit = tacit_terms_unit(entry->measure);
  s->unsaid = !*unit;
  s->unit_fits = !s->unit[0] || !*unit || !strcmp(unit, s->unit);
  /* version 1 wrote the name that was asked for: what it paid for an evaluation it did not pay for a policy
   */
  bool evaluation = s->method && (!strcmp(entry->method, "evaluate") != !strcmp(s->method, "evaluate"));
  s->learner = !s->method || (s->unsaid ? !evaluation : !strcmp(entry->method, s->method));
  s->schema = !s->schema_hash || (entry->schema_hash && !strcmp(entry->schema_hash, s->schema_hash));
}

tacit_status tacit_ledger_check_receipt(tacit_ledger *ledger, const tacit_receipt *receipt,
                                        const char *schema_hash, double mu, tacit_error *error) {
  tacit_cost cost = {.mu = mu};
  memcpy(cost.commitment, receipt->commitment, sizeof cost.commitment);
  return tacit_ledger_check_payment(ledger, receipt, schema_hash, NULL, NULL, &cost, error);
}

tacit_status tacit_ledger_check_payment(tacit_ledger *ledger, const tacit_receipt *receipt,
                                        const char *schema_hash, const char *method, const tacit_unit *unit,
                                        const tacit_cost *cost, tacit_error *error) {
  search s = {.receipt = receipt, .schema_hash = schema_hash, .method = method, .cost = cost};
  if (unit && unit->rows_per_unit) {
    char measure[TACIT_LEDGER_MEASURE_SIZE];
    tacit_terms_measure(false, unit, measure);
    memcpy(s.unit, tacit_terms_unit(measure), strlen(tacit_terms_unit(measure)) + 1);
  }
  TACIT_TRY(tacit_ledger_each(ledger, look, &s, error));
  /* an entry of version 1 counts for what its owner said later */
  const tacit_label *label = s.unsaid ? tacit_ledger_find(ledger, receipt->label) : NULL;
  if (label && label->unit[0] && s.unit[0]) s.unit_fits = !strcmp(label->unit, s.unit);
  if (!s.found)
    return tacit_fail(error, TACIT_CHECK_FAILED,
                      "entry %" PRIu64 " is not in the ledger, which ends at %" PRIu64
                      ": it was cut, rolled back or is another ledger",
                      receipt->sequence, ledger->sequence);
  if (!s.same)
    return tacit_fail(error, TACIT_CHECK_FAILED,
                      "entry %" PRIu64
                      " is not the one that paid for it: the ledger was rolled back or rewritten, "
                      "or is another one",
                      receipt->sequence);
  if (!s.label || !s.spend)
    return tacit_fail(error, TACIT_CHECK_FAILED, "entry %" PRIu64 " is not a spending of its label",
                      receipt->sequence);
  if (!s.schema)
    return tacit_fail(error, TACIT_CHECK_FAILED, "entry %" PRIu64 " paid for a policy with another schema",
                      receipt->sequence);
  if (!s.learner)
    return tacit_fail(error, TACIT_CHECK_FAILED, "entry %" PRIu64 " paid for another kind of release",
                      receipt->sequence);
  if (!s.unit_fits)
    return tacit_fail(error, TACIT_CHECK_FAILED,
                      "entry %" PRIu64 " paid for another unit or adjacency than the policy claims",
                      receipt->sequence);
  if (!s.period)
    return tacit_fail(error, TACIT_CHECK_FAILED,
                      "entry %" PRIu64
                      " paid from another period's budget than the one that the policy names",
                      receipt->sequence);
  if (!s.release)
    return tacit_fail(error, TACIT_CHECK_FAILED,
                      "entry %" PRIu64 " paid for another release: other inputs, guarantee or noise",
                      receipt->sequence);
  if (!s.covers)
    return tacit_fail(error, TACIT_CHECK_FAILED, "entry %" PRIu64 " pays for less than its guarantee",
                      receipt->sequence);
  return TACIT_OK;
}
