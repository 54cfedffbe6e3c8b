/* A quantile that lies many spreads out, as where most demand has one value: steps in units of the spread
   cannot reach it. One count finds that out, and bisection on a logarithmic scale then takes the place, and
   the budget, of the steps at the quantile. */
#include "base/base.h"
#include "learn/counts.h"
#include "learn/median_newton.h"

#include <math.h>

static const double FAR = 8;  /* spreads from the median: no normal residual gets there */
static const double SURE = 3; /* the count must say so by this many standard deviations of its noise */

/* How far out each residual lies on tau's side of the median. */
static void distances(const void *self, const tacit_block *block, double *values) {
  const tacit_newton *newton = self;
  double side = newton->tau < 0.5 ? -1 : 1;
  tacit_residuals(newton->white, block, newton->target, newton->x, newton->s, values);
  for (size_t i = 0; i < TACIT_BLOCK; i++) values[i] = side * (values[i] - newton->a);
}

tacit_status tacit_newton_tail(tacit_newton *newton, bool *far, tacit_error *error) {
  const tacit_recipe_shares *share = &newton->recipe.share;
  double side = newton->tau < 0.5 ? -1 : 1, level = fmax(newton->tau, 1 - newton->tau);
  double edge = log2(FAR * newton->s), top = log2(2 * newton->range), count, sigma, log_distance;
  tacit_values distance = {newton->white, distances, newton, newton->threads};
  uint64_t beyond = tacit_count_above(&distance, exp2(edge));
  TACIT_TRY(tacit_budget_count(&newton->budget, beyond, share->tail, &count, &sigma, error));
  *far = edge < top && count - (1 - level) * newton->n > SURE * sigma;
  if (!*far) return TACIT_OK;
  TACIT_TRY(tacit_private_quantile(&newton->budget, &distance, newton->n, level, edge, top, true,
                                   share->quantile + share->last, TACIT_TAIL_COUNTS, &log_distance, error));
  newton->a += side * exp2(log_distance);
  return TACIT_OK;
}
