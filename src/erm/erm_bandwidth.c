/* The bandwidth of smoothed ERM, from the residuals of a rough fit.

     h = s max(1/20, sqrt(tau (1 - tau)) ((p + log n) / n)^0.4)

     n, p   rows, columns
     s      spread of the residuals: their median distance from their median, over that of a normal

   The rule is conquer's (He, Pan, Tan and Zhou 2023) in units of s: bounds of the target may be a hundred
   times as far apart as demand scatters, and smoothing over them would no more be a quantile. */
#include "base/base.h"
#include "erm/erm.h"
#include "erm/smooth_block.h"
#include "loss/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  SOME = 4000, /* rows are enough to see a spread, */
  SOME_PER_COLUMN = 50,
  TURNS = 4, /* towards it where wild rows hide it at first */
  WIDER = 8, /* times that a bandwidth is made wider where a fit does not settle */
};
static const double LEAST = 0.05, MAD = 0.6745;
static const double WILD = 4;      /* times too wide a bandwidth of a rough fit may be */
static const double FINEST = 2e-6; /* of max |y|: finer ones rounding does not let settle */

static int by_value(const void *a, const void *b) {
  double u = *(const double *)a, v = *(const double *)b;
  return u < v ? -1 : u > v;
}

static double middle(size_t n, double *values) {
  qsort(values, n, sizeof *values, by_value);
  return values[n / 2];
}

static double spread_of(const tacit_sample *s, const double *b, double *r) {
  size_t n = s->rows;
  memcpy(r, s->y, n * sizeof *r);
  for (size_t j = 0; j < s->columns; j++)
    for (size_t i = 0; i < n; i++) r[i] -= s->x[j * n + i] * b[j];
  double centre = middle(n, r);
  for (size_t i = 0; i < n; i++) r[i] = fabs(r[i] - centre);
  return middle(n, r) / MAD;
}

/* Row k of every so many, another one each time: rows may come in weeks. */
static size_t row_of(size_t k, size_t every) {
  return k * every + (size_t)((k * UINT64_C(0x9e3779b97f4a7c15)) >> 32) % every;
}

/* A part of the rows, with one target. */
static tacit_status some_rows(const tacit_sample *whole, size_t target, tacit_sample *some,
                              tacit_error *error) {
  size_t n = whole->rows, p = whole->columns, least = SOME_PER_COLUMN * p > SOME ? SOME_PER_COLUMN * p : SOME;
  size_t every = n > least ? n / least : 1, rows = n / every;
  *some = (tacit_sample){.rows = rows, .columns = p, .targets = 1};
  some->x = tacit_alloc(rows * p, sizeof *some->x);
  some->y = tacit_alloc(rows, sizeof *some->y);
  if (!some->x || !some->y) return tacit_no_memory(error);
  for (size_t k = 0; k < rows; k++) {
    size_t i = row_of(k, every);
    some->y[k] = whole->y[target * n + i];
    for (size_t j = 0; j < p; j++) some->x[j * rows + k] = whole->x[j * n + i];
  }
  return TACIT_OK;
}

static void discard(tacit_sample *some) {
  if (some->x) tacit_free_wiped(some->x, some->rows * some->columns * sizeof *some->x);
  if (some->y) tacit_free_wiped(some->y, some->rows * sizeof *some->y);
}

/* The residuals' spread s, or 0 where they have none: r has room for them and for a fit. */
static tacit_status find_spread(const tacit_sample *some, const tacit_erm_loss *loss, double share, double *r,
                                double *s, const tacit_context *context, tacit_error *error) {
  tacit_erm_loss rough = {loss->tau, loss->kernel, 0};
  double *b = r + some->rows;
  *s = 0;
  for (int turn = 0; turn < TURNS; turn++) {
    tacit_status status = tacit_erm_rough(some, 0, &rough, share, b, context, error);
    if (status == TACIT_INTERNAL) return TACIT_OK; /* all of them lie on the fit */
    TACIT_TRY(status);
    *s = spread_of(some, b, r);
    if (rough.h <= WILD * share * *s || !(*s > 0)) break;
    rough.h = share * *s;
  }
  return TACIT_OK;
}

tacit_status tacit_erm_bandwidth(const tacit_sample *sample, size_t target, tacit_erm_loss *loss,
                                 const tacit_context *context, tacit_error *error) {
  size_t n = sample->rows, p = sample->columns;
  double share = fmax(LEAST, tacit_default_bandwidth(loss->tau, (double)n, (double)p)), s = 0;
  double height = tacit_smooth_largest(n, sample->y + target * n);
  tacit_sample some = {0};
  tacit_status status = some_rows(sample, target, &some, error);
  double *r = tacit_alloc(some.rows + p, sizeof *r);
  if (status == TACIT_OK)
    status = r ? find_spread(&some, loss, share, r, &s, context, error) : tacit_no_memory(error);
  loss->h = fmax(share * s, FINEST * (height > 0 ? height : 1));
  tacit_free_wiped(r, (some.rows + p) * sizeof *r);
  discard(&some);
  return status;
}

tacit_status tacit_erm_fit(const tacit_sample *sample, size_t target, double tau, tacit_kernel kernel,
                           double *coefficients, const tacit_context *context, tacit_error *error) {
  tacit_erm_loss loss = {tau, kernel, 0};
  TACIT_TRY(tacit_erm_bandwidth(sample, target, &loss, context, error));
  tacit_status status = tacit_erm_smooth(sample, target, &loss, coefficients, context, error);
  for (int k = 0; k < WIDER && status == TACIT_INTERNAL; k++) {
    loss.h *= 4;
    status = tacit_erm_smooth(sample, target, &loss, coefficients, context, error);
  }
  return status;
}
