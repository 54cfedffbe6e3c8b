/* The filter: which releases a label's budget covers, whatever the earlier ones showed (proofs/ledger.md). */
#include "ledger/ledger.h"

#include <stdio.h>
#include <stdlib.h>

/* A number with as many digits as tell it from its neighbours. */
const char *tacit_ledger_shown(double x, char text[32]) {
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(text, 32, "%.*g", digits, x);
    if (strtod(text, NULL) == x) break;
  }
  return text;
}

static tacit_status not_enough(const tacit_ledger *ledger, const tacit_spending *s, tacit_error *error) {
  tacit_ledger_total total;
  char asked[32], left[32], budget[32], delta[32];
  if (!s->period || !tacit_ledger_total_in(ledger, s->label, s->period, &total))
    tacit_ledger_total_of(ledger, s->label, &total);
  if (!s->cost)
    return tacit_fail(error, TACIT_REFUSED,
                      "label \"%s\" has not enough budget: mu = %s is asked, %s is left of %s. Nothing was "
                      "spent. Ask for no more than what is left",
                      s->label, tacit_ledger_shown(s->mu, asked), tacit_ledger_shown(total.left_mu, left),
                      tacit_ledger_shown(total.budget_mu, budget));
  return tacit_fail(error, TACIT_REFUSED,
                    "label \"%s\" has not enough budget: epsilon = %s at delta = %s is asked of mu = %s, of "
                    "which a Gaussian release may take %s. Nothing was spent. Ask for less",
                    s->label, tacit_ledger_shown(s->cost->epsilon, asked),
                    tacit_ledger_shown(s->cost->delta, delta), tacit_ledger_shown(total.budget_mu, budget),
                    tacit_ledger_shown(total.left_mu, left));
}

/* The filter: the sum of squares, this one included, stays within the label's budget; with a release that is
   not Gaussian, the Renyi divergences do at some order. */
static bool within(const tacit_label *label, const tacit_terms *terms) {
  mpz_t sum;
  mpz_init(sum);
  bool fits = terms->renyi || tacit_amount_square(terms->mu, sum);
  if (terms->renyi || label->renyi) {
    fits = fits && tacit_renyi_within(label, sum, terms->renyi ? terms : NULL);
  } else {
    mpz_add(sum, sum, label->spent);
    fits = fits && mpz_cmp(sum, label->allowed) <= 0;
  }
  mpz_clear(sum);
  return fits;
}

/* An entry of version 1 did not say whose data it protects; nobody but the owner knows. */
static tacit_status unsaid(const tacit_ledger *ledger, const char *label, tacit_error *error) {
  return tacit_fail(
      error, TACIT_REFUSED,
      "label \"%s\" has releases of an earlier tacit, which did not record their unit and "
      "adjacency. Nothing was spent. Say what they were: tacit ledger open %s --label NAME --mu M "
      "--adjacency A --rows-per-unit K",
      label, ledger->path);
}

tacit_status tacit_ledger_allow(const tacit_ledger *ledger, const tacit_spending *s,
                                const tacit_entry_texts *texts, tacit_error *error) {
  const tacit_label *label = tacit_ledger_find(ledger, s->label);
  tacit_terms terms;
  if (!s->unit.rows_per_unit)
    return tacit_fail(error, TACIT_USAGE, "a spending must say its unit: rows_per_unit, 1 or more");
  if (!tacit_terms_parse("spend", texts->measure, texts->amount, &terms))
    return tacit_fail(error, TACIT_USAGE, "the amount is out of range");
  if (label && label->unsaid && !label->unit[0]) return unsaid(ledger, s->label, error);
  TACIT_TRY(tacit_terms_allow(label, terms.unit, error));
  TACIT_TRY(tacit_period_allow(label, s->period, error));
  if (terms.period[0] && tacit_ledger_find_in(ledger, s->label, terms.period))
    label = tacit_ledger_find_in(ledger, s->label, terms.period); /* a new one has all of the budget */
  if (label && (terms.renyi || label->renyi) && !tacit_renyi_possible(label, terms.renyi ? &terms : NULL))
    return tacit_fail(error, TACIT_REFUSED,
                      "label \"%s\" has no Renyi order left at which its releases and this one are bounded. "
                      "Nothing was spent. Use another --label, whose budget then comes on top",
                      s->label);
  if (!ledger->limited) return TACIT_OK;
  if (!label || !label->budget[0])
    return tacit_fail(
        error, TACIT_REFUSED,
        "label \"%s\" has no budget in the ledger %s, where others have. Nothing was spent. Give "
        "the right --label, or set a budget: tacit ledger open %s --label %s --mu M",
        s->label, ledger->path, ledger->path, s->label);
  return within(label, &terms) ? TACIT_OK : not_enough(ledger, s, error);
}
