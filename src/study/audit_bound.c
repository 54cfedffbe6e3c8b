/* From how well two tables are told apart to a lower bound on the guarantee.

   A mu-GDP mechanism lets no test have Phi^-1(true positives) - Phi^-1(false positives) above mu (Dong, Roth,
   Su); an (epsilon, delta) one lets none have P1(guess) > e^epsilon P0(guess) + delta. Both chances are
   bounded by Clopper and Pearson, each with half of alpha. The threshold is chosen on runs that are not
   counted. */
#include "base/base.h"
#include "num/beta.h"
#include "num/normal.h"
#include "study/audit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t tacit_audit_trained(size_t runs) {
  enum { MOST = 20000 };
  return runs / 5 < MOST ? runs / 5 : MOST;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* What a bound would be for these shares of right and false alarms in n runs each. */
typedef double (*worth)(double hits, double alarms, double n, double alpha, double delta);

/* A quick stand-in for Clopper-Pearson while a threshold is sought (Wilson). */
static double wilson(double p, double n, double z, int side) {
  double centre = p + z * z / (2 * n), reach = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  return (centre + side * reach) / (1 + z * z / n);
}

static double mu_worth(double hits, double alarms, double n, double alpha, double delta) {
  (void)delta;
  double z = -tacit_normal_quantile(alpha / 2);
  return tacit_normal_quantile(wilson(hits, n, z, -1)) - tacit_normal_quantile(wilson(alarms, n, z, +1));
}

static double epsilon_worth(double hits, double alarms, double n, double alpha, double delta) {
  double z = -tacit_normal_quantile(alpha / 2);
  return log(fmax(wilson(hits, n, z, -1) - delta, 1e-300) / wilson(alarms, n, z, +1));
}

/* A guess: "the second table" where the statistic is above (below) the threshold. `swapped` looks for the
   first table instead, which is as good a test of the same promise. */
typedef struct guess {
  double threshold, value;
  bool above, swapped;
} guess;

/* What makes a guess better than another: what it proves with confidence 1 - alpha, for this delta. */
typedef struct yardstick {
  worth value_of;
  double alpha, delta;
} yardstick;

/* The best guess on the training runs: all midpoints between neighbouring values, both sides, both tables. A
   guess is worth what it would prove with these runs alone, so that luck in a tail is not mistaken for a good
   test. */
static tacit_status choose(size_t trained, const double *on_0, const double *on_1, const yardstick *by,
                           guess *best, tacit_error *error) {
  double *sorted = tacit_alloc(2 * trained, sizeof *sorted);
  if (!sorted) return tacit_no_memory(error);
  double *a = sorted, *b = sorted + trained, n = (double)trained, share = 1 / n;
  memcpy(a, on_0, trained * sizeof *a);
  memcpy(b, on_1, trained * sizeof *b);
  qsort(a, trained, sizeof *a, compare);
  qsort(b, trained, sizeof *b, compare);
  *best = (guess){.value = -INFINITY};
  size_t i = 0, j = 0; /* values of each table at or below the threshold */
  while (i < trained || j < trained) {
    double x = i < trained && (j == trained || a[i] <= b[j]) ? a[i] : b[j];
    while (i < trained && a[i] == x) i++;
    while (j < trained && b[j] == x) j++;
    double next = fmin(i < trained ? a[i] : INFINITY, j < trained ? b[j] : INFINITY);
    if (!isfinite(next)) break;
    double below_0 = (double)i * share, below_1 = (double)j * share;
    const double hits[4] = {1 - below_1, below_1, below_0, 1 - below_0};
    const double alarms[4] = {1 - below_0, below_0, below_1, 1 - below_1};
    for (int k = 0; k < 4; k++) {
      double value = by->value_of(hits[k], alarms[k], n, by->alpha, by->delta);
      if (value > best->value) *best = (guess){x + (next - x) / 2, value, k == 0 || k == 3, k >= 2};
    }
  }
  free(sorted);
  return TACIT_OK;
}

static double share_guessed(size_t from, size_t to, const double *values, const guess *g) {
  size_t count = 0;
  for (size_t r = from; r < to; r++)
    count += g->above ? values[r] > g->threshold : !(values[r] > g->threshold);
  return (double)count;
}

static void count(size_t trained, size_t runs, const double *on_0, const double *on_1, const guess *g,
                  double alpha, tacit_audit_counts *counts) {
  double n = (double)(runs - trained);
  double hits = share_guessed(trained, runs, g->swapped ? on_0 : on_1, g);
  double alarms = share_guessed(trained, runs, g->swapped ? on_1 : on_0, g);
  *counts = (tacit_audit_counts){.trained = (double)trained,
                                 .tested = n,
                                 .threshold = g->threshold,
                                 .above = g->above,
                                 .true_positive_lower = tacit_chance_lower(hits, n, alpha / 2),
                                 .false_positive_upper = tacit_chance_upper(alarms, n, alpha / 2)};
}

tacit_status tacit_audit_mu_lower(size_t runs, const double *on_0, const double *on_1, double alpha,
                                  double *mu, tacit_audit_counts *counts, tacit_error *error) {
  size_t trained = tacit_audit_trained(runs);
  const yardstick by = {mu_worth, alpha, 0};
  guess g;
  *mu = 0;
  TACIT_TRY(choose(trained, on_0, on_1, &by, &g, error));
  count(trained, runs, on_0, on_1, &g, alpha, counts);
  if (counts->true_positive_lower > 0 && counts->false_positive_upper < 1)
    *mu = fmax(0, tacit_normal_quantile(counts->true_positive_lower) -
                      tacit_normal_quantile(counts->false_positive_upper));
  return TACIT_OK;
}

tacit_status tacit_audit_epsilon_lower(size_t runs, const double *on_0, const double *on_1, double delta,
                                       double alpha, double *epsilon, tacit_error *error) {
  size_t trained = tacit_audit_trained(runs);
  tacit_audit_counts counts;
  const yardstick by = {epsilon_worth, alpha, delta};
  guess g;
  *epsilon = 0;
  TACIT_TRY(choose(trained, on_0, on_1, &by, &g, error));
  count(trained, runs, on_0, on_1, &g, alpha, &counts);
  double left = counts.true_positive_lower - delta;
  if (left > 0) *epsilon = fmax(0, log(left / counts.false_positive_upper));
  return TACIT_OK;
}
