/* Costs in tiers without privacy: each row stands there once for every kink, with the demand y + s_k and the
   weight w_k. A weighted check loss is the check loss of a row that is multiplied by its weight. */
#include "schema/tiers.h"

#include "erm/erm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double share(const tacit_tiers *tiers, size_t k) {
  return ldexp(tiers->weight[k], -TACIT_KINK_BITS);
}

/* The rows of kink k, behind those of the kinks before it. */
static void put_kink(const tacit_sample *from, size_t target, const tacit_tiers *tiers, size_t k,
                     tacit_sample *to) {
  size_t n = from->rows, first = k * n;
  double w = share(tiers, k);
  for (size_t j = 0; j < from->columns; j++)
    for (size_t i = 0; i < n; i++) to->x[j * to->rows + first + i] = w * from->x[j * n + i];
  for (size_t i = 0; i < n; i++) to->y[first + i] = w * (from->y[target * n + i] + tiers->shift[k]);
}

tacit_status tacit_erm_exact_tiers(const tacit_sample *sample, size_t target, const tacit_tiers *tiers,
                                   double *coefficients, const tacit_context *context, tacit_error *error) {
  tacit_sample *all = NULL;
  double tau = tiers->underage / (tiers->underage + tiers->overage);
  tacit_status status = tacit_sample_new(sample->columns, 1, &all, error);
  if (status == TACIT_OK) {
    all->rows = sample->rows * tiers->kinks;
    all->x = tacit_alloc_aligned(all->rows * all->columns, sizeof *all->x);
    all->y = tacit_alloc_aligned(all->rows, sizeof *all->y);
    if (!all->x || !all->y) status = tacit_no_memory(error);
  }
  for (size_t k = 0; k < tiers->kinks && status == TACIT_OK; k++) put_kink(sample, target, tiers, k, all);
  if (status == TACIT_OK) status = tacit_erm_exact(all, 0, tau, coefficients, context, error);
  tacit_sample_free(all);
  return status;
}

typedef struct weighted {
  double value;
  int64_t weight;
} weighted;

static int ascending(const void *left, const void *right) {
  double a = ((const weighted *)left)->value, b = ((const weighted *)right)->value;
  return (a > b) - (a < b);
}

tacit_status tacit_saa_tiers(const tacit_sample *sample, size_t target, const tacit_tiers *tiers,
                             double *coefficients, tacit_error *error) {
  size_t n = sample->rows, count = n * tiers->kinks, at = 0;
  double tau = tiers->underage / (tiers->underage + tiers->overage);
  if (n == 0) return tacit_fail(error, TACIT_BAD_INPUT, "there are no rows to learn from");
  weighted *sorted = tacit_alloc(count, sizeof *sorted);
  if (!sorted) return tacit_no_memory(error);
  for (size_t k = 0; k < tiers->kinks; k++)
    for (size_t i = 0; i < n; i++)
      sorted[k * n + i] = (weighted){sample->y[target * n + i] + tiers->shift[k], tiers->weight[k]};
  qsort(sorted, count, sizeof *sorted, ascending);
  /* as in saa.c: what is a rounding error above a whole weight counts as that weight */
  double asked = tau * ldexp((double)n, TACIT_KINK_BITS) * (1 - 1e-12);
  for (int64_t below = sorted[0].weight; (double)below < asked && at + 1 < count; below += sorted[at].weight)
    at++;
  memset(coefficients, 0, sample->columns * sizeof *coefficients);
  coefficients[0] = sorted[at].value;
  tacit_free_wiped(sorted, count * sizeof *sorted);
  return TACIT_OK;
}
