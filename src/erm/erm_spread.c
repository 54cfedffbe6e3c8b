/* The rule of the default learner without noise (loss/rule.h): q(x) = b'x + k s(x), s(x) = exp(g'x).

     c(x)   the median of y, linear in x
     g'x    the median of log |y - c(x)|, linear in x
     b, k   quantile regression of y on x and, as one column more, s(x)

   Each is smoothed ERM with a bandwidth of its own. */
#include "base/base.h"
#include "erm/erm.h"
#include "loss/rule.h"

#include <math.h>
#include <string.h>

static tacit_status fit(const tacit_sample *sample, double tau, double *b, const tacit_context *context,
                        tacit_error *error) {
  return tacit_erm_fit(sample, 0, tau, TACIT_KERNEL_GAUSSIAN, b, context, error);
}

/* out = start + factor X b */
static void combine(const tacit_sample *sample, const double *start, double factor, const double *b,
                    double *out) {
  size_t n = sample->rows;
  for (size_t i = 0; i < n; i++) out[i] = start ? start[i] : 0;
  for (size_t j = 0; j < sample->columns; j++)
    for (size_t i = 0; i < n; i++) out[i] += factor * b[j] * sample->x[j * n + i];
}

/* log |r|, held to what a rule's spreads are held to. */
static void logarithms(size_t n, double reach, double *r) {
  double low, high;
  tacit_log_spread_bounds(reach, &low, &high);
  for (size_t i = 0; i < n; i++) r[i] = fmax(low, fmin(high, log(fabs(r[i]))));
}

/* wide has X and room for one column more; y (n) and both (p + 1) are room as well. */
static tacit_status fit_all(tacit_sample *wide, double *y, double *both, const tacit_spread_fit *out,
                            const tacit_context *context, tacit_error *error) {
  size_t n = wide->rows, p = wide->columns;
  double *own = wide->y;
  TACIT_TRY(fit(wide, 0.5, out->coefficients, context, error));
  combine(wide, own, -1, out->coefficients, y);
  logarithms(n, out->reach, y);
  wide->y = y;
  TACIT_TRY(fit(wide, 0.5, out->spread, context, error));
  combine(wide, NULL, 1, out->spread, y);
  tacit_spreads(out->reach, n, y, wide->x + n * p);
  wide->y = own;
  wide->columns = p + 1;
  TACIT_TRY(fit(wide, out->tau, both, context, error));
  memcpy(out->coefficients, both, p * sizeof *both);
  out->spread[p] = both[p];
  return TACIT_OK;
}

tacit_status tacit_erm_spread(const tacit_sample *sample, size_t target, const tacit_spread_fit *out,
                              const tacit_context *context, tacit_error *error) {
  size_t n = sample->rows, p = sample->columns;
  tacit_sample wide = {.rows = n, .columns = p, .targets = 1, .y = sample->y + target * n};
  double *y = tacit_alloc_aligned(n, sizeof *y), *both = tacit_alloc(p + 1, sizeof *both);
  wide.x = tacit_alloc_aligned(n * (p + 1), sizeof *wide.x);
  tacit_status status = y && both && wide.x ? TACIT_OK : tacit_no_memory(error);
  if (status == TACIT_OK) {
    memcpy(wide.x, sample->x, n * p * sizeof *wide.x);
    status = fit_all(&wide, y, both, out, context, error);
  }
  tacit_free_wiped(wide.x, n * (p + 1) * sizeof *wide.x);
  tacit_free_wiped(both, (p + 1) * sizeof *both);
  tacit_free_wiped(y, n * sizeof *y);
  return status;
}
