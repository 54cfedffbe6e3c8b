/* What a plan says in words: a recommendation, the assumptions behind its figures, and what its bounds are.
 */
#include "method/recipe.h"
#include "privacy/gdp.h"
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

/* "between 0.4 and 3.1 %" */
static const char *range_text(const tacit_plan_row *row, char text[64]) {
  if (row->high < 9.95)
    snprintf(text, 64, "between %.1f and %.1f %%", row->low, row->high);
  else
    snprintf(text, 64, "between %.0f and %.0f %%", row->low, row->high);
  return text;
}

static const char *percent_text(double percent, char text[32]) {
  if (percent < 0.05)
    snprintf(text, 32, "less than 0.1 %%");
  else
    snprintf(text, 32, percent < 9.95 ? "%.1f %%" : "%.0f %%", percent);
  return text;
}

/* The fewest rows that make the price much smaller, else the most rows there are. */
static const tacit_plan_row *more_rows(const tacit_plan_result *r) {
  size_t k = r->asked_size + 1;
  while (k + 1 < r->size_count && r->by_rows[k].middle > WORTHWHILE * r->by_rows[r->asked_size].middle) k++;
  return &r->by_rows[k];
}

/* The smallest mu whose price at the asked rows is tolerable, as is that of every larger one. */
static const tacit_plan_row *strongest(const tacit_plan_result *r) {
  const tacit_plan_row *found = NULL;
  for (size_t m = r->mu_count; m-- > 0 && r->by_mu[m].middle <= TOLERABLE;) found = &r->by_mu[m];
  return found;
}

static size_t dearest(const tacit_plan_row *row) {
  size_t most = 0;
  for (size_t k = 1; k < TACIT_PLAN_CASES; k++)
    if (row->percent[k] > row->percent[most]) most = k;
  return most;
}

/* In how many cases a constant order, learned without privacy, costs less than this share more. */
static size_t no_use(const tacit_plan_result *r, const tacit_plan_row *row) {
  size_t count = 0;
  for (size_t k = 0; k < TACIT_PLAN_CASES; k++) {
    const tacit_plan_demand_case *c = &r->cases[k];
    double percent = row ? row->percent[k] : 0;
    count += c->cost_without_features < c->cost_without_privacy * (1 + percent / 100);
  }
  return count;
}

static void recommend(tacit_plan_result *r) {
  const tacit_plan_row *asked = &r->by_mu[r->asked_mu], *more = more_rows(r), *best = strongest(r);
  char range[64], percent[32], rows[TACIT_COUNT_TEXT], *text = r->recommendation;
  add(text,
      "At %s rows mu = %.3g costs %s more than the same learner without noise for most tables, %s in the "
      "middle",
      tacit_count_text(asked->rows, rows), asked->mu, range_text(asked, range),
      percent_text(asked->middle, percent));
  if (asked->middle > LITTLE && more->middle < asked->middle)
    add(text, "; %s rows would bring that to %s", tacit_count_text(more->rows, rows),
        percent_text(more->middle, percent));
  add(text, ".");
  if (asked->middle > LITTLE)
    add(text, " The costliest kind of demand is \"%s\": %s.", r->cases[dearest(asked)].name,
        r->cases[dearest(asked)].about);
  if (2 * no_use(r, NULL) > TACIT_PLAN_CASES) { /* learning that overfits is no yardstick for privacy */
    add(text,
        " So few rows do not pay for these features even without privacy: use fewer features or more rows.");
    return;
  }
  if (!best)
    add(text, " No mu up to %.3g costs at most %.0f %% in the middle at so few rows.",
        r->by_mu[r->mu_count - 1].mu, TOLERABLE);
  else if (best->mu != asked->mu)
    add(text, " The strongest guarantee here that costs at most %.0f %% in the middle is mu = %.3g.",
        TOLERABLE, best->mu);
  if (2 * no_use(r, asked) > TACIT_PLAN_CASES)
    add(text, " At mu = %.3g the order would cost more than a constant one: use fewer features or more rows.",
        asked->mu);
}

/* The default learner has two rules, and what noise costs jumps where it goes from one to the other. */
static void name_rule(const tacit_planner *p, tacit_plan_result *r) {
  const tacit_plan_options *o = p->options;
  if (o->region || o->goal_count == 0 || p->method != tacit_method_find("default", false)) return;
  double tau = o->goals[0].quantile;
  if (o->goal_count == 1 && tacit_recipe_is_outer(tau))
    add(r->rule,
        "At quantile %.3g the order is a linear form plus a spread that differs from row to row, as far as "
        "rows "
        "and mu buy one; nearer to the median than 0.8 (or 0.2) it is a linear form alone, of another price.",
        tau);
  else if (o->goal_count == 1)
    add(r->rule,
        "At quantile %.3g the order is a linear form; from 0.8 up (or 0.2 down) it has a spread that differs "
        "from row to row beside it, which costs another price, perhaps a lower one.",
        tau);
}

static void explain_bounds(const tacit_planner *planner, double norm, tacit_plan_result *r) {
  const tacit_plan_row *asked = &r->by_mu[r->asked_mu];
  double p = (double)planner->schema->columns, n = (double)asked->rows;
  char rows[TACIT_COUNT_TEXT];
  add(r->worst_case,
      "Worst case: published noisy gradient descent on any rows that fit the schema costs at most this much "
      "more than the best linear rule (Chen and Chua, EC.25, noise calibrated to mu; a row's norm up to "
      "%.3g, "
      "the best rule's up to %.3g, as simulated). ",
      tacit_plan_row_norm(planner->schema), norm);
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

static void assume(const tacit_planner *p, tacit_plan_result *r) {
  const tacit_schema *schema = p->schema;
  char rows[TACIT_COUNT_TEXT], test[TACIT_COUNT_TEXT];
  add(next(r), "No row was read: everything is simulated from the schema and seed %llu.",
      (unsigned long long)p->options->seed);
  char *cases = next(r);
  add(cases, "%d kinds of demand, %zu problems of each:", TACIT_PLAN_CASES, r->repetitions);
  for (size_t k = 0; k < TACIT_PLAN_CASES; k++)
    add(cases, " %s%s", r->cases[k].about, k + 1 < TACIT_PLAN_CASES ? ";" : ".");
  if (schema->columns > 1)
    add(next(r),
        "Bounded numbers are normal around the middle with a spread of a fifth of their range, centred "
        "ones normal with their scale, dates equally frequent; slopes are random.");
  add(next(r),
      "Demand fills a seventh of its bounds, or 0.7 scales, by one standard deviation in the first "
      "kind and half of that in the others; where bounds start at 0 effects multiply in the others, and "
      "typical demand is a twentieth of the bound.");
  if (schema->largest_lag)
    add(next(r), "Lags come from the simulated demand; the first %s rows only feed them.",
        tacit_count_text(schema->largest_lag, rows));
  add(next(r),
      "The price is what %s costs more than itself at mu = %g, or at %g where that is cheaper, learned from "
      "the same rows, on %s fresh ones: what noise costs, not what a better model would save.",
      tacit_method_name(p->method), TACIT_MU_MAX, TACIT_PLAN_LITTLE, tacit_count_text(p->test_rows, test));
  add(next(r), "A unit is %zu row%s%s; adjacency %s.", schema->rows_per_unit,
      schema->rows_per_unit == 1 ? "" : "s",
      schema->change > 0
          ? ", whose targets it moves by the schema's \"change\" at most, features being public"
      : schema->features_public ? ", of which the target is private and features are public"
                                : "",
      p->options->adjacency == TACIT_ADD_REMOVE ? "add-remove, the rows being the nominal ones"
                                                : "replace-one");
  if (r->by_rows[r->size_count - 1].simulated < r->by_rows[r->size_count - 1].rows)
    add(next(r),
        "At most %s rows are simulated; they stand for more rows at a smaller mu, as what noise does "
        "depends on their product.",
        tacit_count_text(p->cap, rows));
}

void tacit_plan_describe(const tacit_planner *planner, double norm, tacit_plan_result *result) {
  recommend(result);
  name_rule(planner, result);
  if (!planner->options->region) explain_bounds(planner, norm, result);
  assume(planner, result);
}
