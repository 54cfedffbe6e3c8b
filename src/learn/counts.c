/* Counts over one number per row, and the private quantile they give by bisection. */
#include "learn/counts.h"

#include "base/base.h"
#include "num/vmath.h"

#include <math.h>
#include <string.h>

static const double GRID = 1 << TACIT_SCORE_BITS;

uint64_t tacit_count_at_most(const double *values, size_t rows, double t) {
  uint64_t count = 0;
  for (size_t i = 0; i < rows; i++) count += values[i] <= t;
  return count << TACIT_SCORE_BITS;
}

uint64_t tacit_count_above(const double *values, size_t rows, double t) {
  uint64_t count = 0;
  for (size_t i = 0; i < rows; i++) count += values[i] > t;
  return count << TACIT_SCORE_BITS;
}

uint64_t tacit_count_within(const double *values, size_t rows, double centre, double span) {
  uint64_t count = 0;
  for (size_t i = 0; i < rows; i++) count += fabs(values[i] - centre) <= span;
  return count << TACIT_SCORE_BITS;
}

uint64_t tacit_count_smooth(const double *values, size_t rows, double t, double h) {
  enum { BLOCK = 512 };
  double u[BLOCK];
  uint64_t count = 0;
  for (size_t start = 0; start < rows; start += BLOCK) {
    size_t n = rows - start < BLOCK ? rows - start : BLOCK;
    for (size_t i = 0; i < n; i++) u[i] = (t - values[start + i]) / h;
    tacit_vphi(n, u, u);
    for (size_t i = 0; i < n; i++) {
      double v = u[i] * GRID;
      v = v > 0 ? v : 0; /* also for a NaN */
      count += (uint64_t)(v < GRID ? v : GRID);
    }
  }
  tacit_wipe(u, sizeof u);
  return count;
}

static uint64_t count(const tacit_count_rule *rule, const double *values, size_t rows) {
  switch (rule->kind) {
  case TACIT_COUNT_AT_MOST:
    return tacit_count_at_most(values, rows, rule->at);
  case TACIT_COUNT_ABOVE:
    return tacit_count_above(values, rows, rule->at);
  case TACIT_COUNT_WITHIN:
    return tacit_count_within(values, rows, rule->at, rule->span);
  default:
    return tacit_count_smooth(values, rows, rule->at, rule->span);
  }
}

void tacit_count_rows(const tacit_values *values, const tacit_count_rule *rule, size_t rules, uint64_t *sum) {
  const tacit_design *design = values->design;
  uint64_t total[TACIT_COUNT_RULES] = {0};
#pragma omp parallel num_threads(values->threads) if (design->blocks > 1)
  {
    uint64_t part[TACIT_COUNT_RULES] = {0};
    double v[TACIT_BLOCK];
#pragma omp for schedule(static)
    for (size_t b = 0; b < design->blocks; b++) {
      size_t left = design->rows - b * TACIT_BLOCK, n = left < TACIT_BLOCK ? left : TACIT_BLOCK;
      tacit_block block = tacit_design_block(design, b);
      values->make(values->self, &block, v);
      for (size_t k = 0; k < rules; k++) part[k] += count(&rule[k], v, n);
    }
#pragma omp critical
    for (size_t k = 0; k < rules; k++) total[k] += part[k];
    tacit_wipe(v, sizeof v);
    tacit_wipe(part, sizeof part);
  }
  memcpy(sum, total, rules * sizeof *sum);
}

tacit_status tacit_private_quantile(tacit_budget *budget, const tacit_values *values, double public_rows,
                                    double level, double lo, double hi, bool octaves, double share,
                                    int halvings, double *quantile, tacit_error *error) {
  double below = 0, above = 1; /* shares of rows at most lo and at most hi, as far as is known */
  for (int i = 0; i < halvings; i++) {
    double middle = (lo + hi) / 2, counted;
    tacit_count_rule rule = {TACIT_COUNT_AT_MOST, octaves ? exp2(middle) : middle, 0};
    uint64_t sum;
    tacit_count_rows(values, &rule, 1, &sum);
    TACIT_TRY(tacit_budget_count(budget, sum, share / halvings, &counted, NULL, error));
    double part = fmin(fmax(counted / public_rows, below), above);
    if (part < level)
      lo = middle, below = part;
    else
      hi = middle, above = part;
  }
  double inside = above - below;
  *quantile = lo + (hi - lo) * (inside > 1e-9 ? (level - below) / inside : 0.5);
  return TACIT_OK;
}
