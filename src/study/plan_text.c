/* What a plan says in words: a recommendation, the assumptions behind its figures, and what its bounds are.
 */
#include "method/methods.h"
#include "study/plan.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const double LITTLE = 0.2;     /* percent: below it nobody asks for more rows */
static const double TOLERABLE = 2;    /* percent */
static const double WORTHWHILE = 0.3; /* of the price: what twice the rows leave, a quarter, and some noise */

const char *tacit_count_text(size_t count, char text[TACIT_COUNT_TEXT]) {
  char digits[TACIT_COUNT_TEXT];
  int length = snprintf(digits, sizeof digits, "%zu", count), at = 0;
  for (int i = 0; i < length; i++) {
    if (i && (length - i) % 3 == 0) text[at++] = ',';
    text[at++] = digits[i];
  }
  text[at] = 0;
  return text;
}

static void TACIT_PRINTF(2, 3) add(char *text, const char *format, ...) {
  size_t used = strlen(text);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text + used, TACIT_PLAN_TEXT - used, format, arguments);
  va_end(arguments);
}

/* "about 1.8 %", or what can be said of a figure that drowns in its own error. */
static const char *percent_text(const tacit_plan_row *row, char text[32]) {
  if (row->percent < 0.05)
    snprintf(text, 32, "less than 0.1 %%");
  else
    snprintf(text, 32, row->percent < 9.95 ? "about %.1f %%" : "about %.0f %%", row->percent);
  return text;
}

/* The fewest rows that make the price much smaller, else the most rows of the grid. */
static const tacit_plan_row *more_rows(const tacit_plan_result *r) {
  const tacit_plan_row *of_mu = r->rows + r->asked_mu * r->size_count;
  size_t k = r->asked_size + 1;
  while (k + 1 < r->size_count && of_mu[k].percent > WORTHWHILE * of_mu[r->asked_size].percent) k++;
  return &of_mu[k];
}

/* The smallest mu of the grid whose price at the asked rows is tolerable, as is that of every larger one. */
static const tacit_plan_row *strongest(const tacit_plan_result *r) {
  const tacit_plan_row *found = NULL;
  for (size_t m = r->mu_count; m-- > 0;) {
    const tacit_plan_row *row = &r->rows[m * r->size_count + r->asked_size];
    if (row->percent > TOLERABLE) break;
    found = row;
  }
  return found;
}

static void recommend(tacit_plan_result *r) {
  const tacit_plan_row *asked = &r->rows[r->asked_mu * r->size_count + r->asked_size];
  const tacit_plan_row *more = more_rows(r), *best = strongest(r);
  char percent[32], rows[TACIT_COUNT_TEXT], *text = r->recommendation;
  add(text, "mu = %.3g costs %s (%.3g per row) at %s rows", asked->mu, percent_text(asked, percent),
      fmax(asked->cost - asked->cost_without_privacy, 0), tacit_count_text(asked->rows, rows));
  if (asked->percent > LITTLE && more->percent < asked->percent)
    add(text, "; %s rows would bring that to %s", tacit_count_text(more->rows, rows),
        percent_text(more, percent));
  add(text, ".");
  if (asked->cost_without_privacy > asked->cost_without_features) {
    /* learning that overfits is no yardstick for privacy */
    add(text,
        " So few rows do not pay for these features even without privacy: use fewer features or more rows.");
    return;
  }
  if (!best)
    add(text, " No mu up to %.3g costs at most %.0f %% at so few rows.",
        r->rows[(r->mu_count - 1) * r->size_count].mu, TOLERABLE);
  else if (best->mu != asked->mu)
    add(text, " The strongest guarantee here that costs at most %.0f %% is mu = %.3g (%s).", TOLERABLE,
        best->mu, percent_text(best, percent));
  if (asked->cost > asked->cost_without_features)
    add(text, " At mu = %.3g the order would cost more than a constant one: use fewer features or more rows.",
        asked->mu);
}

static void explain_bounds(const tacit_plan_facts *facts, tacit_plan_result *r) {
  const tacit_plan_row *asked = &r->rows[r->asked_mu * r->size_count + r->asked_size];
  double p = (double)facts->schema->columns, n = (double)asked->rows;
  char rows[TACIT_COUNT_TEXT];
  add(r->worst_case,
      "Worst case: published noisy gradient descent on any rows that fit the schema costs at most this much "
      "more than the best linear rule (Chen and Chua, EC.25, noise calibrated to mu; a row's norm up to "
      "%.3g, "
      "the best rule's up to %.3g, as simulated). ",
      tacit_plan_row_norm(facts->schema), facts->norm);
  add(r->worst_case,
      "Zhao, Zhou and Wang's Theorem 3 gives an order of magnitude without constants: privacy ln n ((p + ln "
      "n) "
      "/ (mu n))^2 = %.2g beside learning p ln n / n = %.2g at mu = %.3g and %s rows; it asks for n well "
      "above "
      "sqrt(ln n) (p + ln n) / mu = %.0f.",
      asked->rate, p * log(n) / n, asked->mu, tacit_count_text(asked->rows, rows),
      sqrt(log(n)) * (p + log(n)) / asked->mu);
}

static char *next(tacit_plan_result *r) {
  return r->assumptions[r->assumption_count++];
}

static void assume(const tacit_plan_facts *facts, tacit_plan_result *r) {
  const tacit_schema *schema = facts->schema;
  char rows[TACIT_COUNT_TEXT], test[TACIT_COUNT_TEXT];
  add(next(r), "No row was read: everything is simulated from the schema and seed %llu.",
      (unsigned long long)facts->options->seed);
  if (schema->columns > 1)
    add(next(r),
        "Columns are independent: bounded numbers are normal around the middle with a spread of a fifth of "
        "their range, centred ones normal with their scale, levels and dates equally frequent.");
  add(next(r), "Demand is normal around %s, with a spread of a tenth of its range or half its scale%s.",
      schema->columns > 1 ? "a linear rule of the encoded columns with random slopes" : "the middle",
      schema->columns > 1 ? "; the features explain half of its variance" : "");
  if (schema->largest_lag)
    add(next(r), "Lags come from the simulated demand; the first %s rows only feed them.",
        tacit_count_text(schema->largest_lag, rows));
  add(next(r),
      "Means over %zu problems: the default learner, %s (no privacy) and a constant order (no privacy) "
      "learn "
      "from the same rows and are tested on the same %s fresh ones.",
      r->repetitions, tacit_method_erm.name, tacit_count_text(facts->test_rows, test));
  add(next(r), "A unit is %zu row%s; adjacency %s.", schema->rows_per_unit,
      schema->rows_per_unit == 1 ? "" : "s",
      facts->options->adjacency == TACIT_ADD_REMOVE ? "add-remove, the rows being the nominal ones"
                                                    : "replace-one");
  bool extrapolated = false;
  for (size_t k = 0; k < r->size_count; k++) extrapolated = extrapolated || r->rows[k].extrapolated;
  if (extrapolated)
    add(next(r),
        "At most %s rows are simulated; beyond them the price of privacy falls with the square of the rows.",
        tacit_count_text(facts->most_rows, rows));
  add(next(r), "Real rows differ: bounds much wider than the data make privacy dearer.");
}

void tacit_plan_describe(const tacit_plan_facts *facts, tacit_plan_result *result) {
  recommend(result);
  explain_bounds(facts, result);
  assume(facts, result);
}
