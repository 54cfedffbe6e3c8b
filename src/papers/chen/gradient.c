/* The published methods that step, in plain doubles. NOTHING HERE IS PRIVATE TO THE LAST BIT.

     SGP, EmpSGD  theta_1 = 0; theta_(t+1) = theta_t - eta (score(x'theta_t - y) x + N(0, sigma^2 I)) for one
                  row drawn with replacement; the average of n^2 iterates (Chen and Chua, Algorithm 1). The
   score is Kbar(. / h) - tau, without smoothing 1{. >= 0} - tau Moreau SGD   batches of m rows drawn with
   replacement, the gradient of the Moreau envelope, projection to
                  ||theta|| <= B_theta, the average of T iterates (Bassily et al. 2019, Algorithm 1)
     Phased-SGD   one pass over n / 2^k fresh rows in phase k at the step eta / 4^k, the average, then
                  N(0, sigma_k^2 I), sigma_k = 4 L eta_k sqrt(ln(1/delta)) / epsilon (Bassily et al. 2021)

   The envelope of l(.; x, y) in theta with parameter beta is that of the check loss in x'theta with the
   parameter ||x||^2 / beta, since moving along x alone changes the loss. */
#include "loss/envelope.h"
#include "papers/chen/methods.h"

#include "base/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static inline double product(size_t d, const double *a, const double *b) {
  double sum = 0;
  for (size_t j = 0; j < d; j++) sum += a[j] * b[j];
  return sum;
}

/* Kbar(m / h) of the logistic kernel; h = 0 is the indicator. Far out the exponential would change nothing.
 */
static inline double logistic(double m, double h) {
  if (m > 36 * h) return 1;
  return m < -36 * h ? 0 : 1 / (1 + exp(-m / h));
}

static inline void descend(size_t d, const tacit_chen_setting *s, const tacit_chen_constants *c,
                           const tacit_chen_rows *rows, tacit_stream *stream, double *theta, double *sum) {
  const double eta = c->step, noise = c->step * c->sigma, h = c->bandwidth;
  for (size_t t = 1;; t++) {
    for (size_t j = 0; j < d; j++) sum[j] += theta[j];
    if (t == c->steps) return;
    size_t i = tacit_stream_below(stream, rows->rows);
    const double *x = rows->x + i * d;
    double m = product(d, x, theta) - rows->y[i];
    double score =
        s->kernel == TACIT_KERNEL_LOGISTIC || h == 0 ? logistic(m, h) : tacit_kernel_cdf(s->kernel, m / h);
    score = eta * (score - s->tau);
    for (size_t j = 0; j < d; j++) theta[j] -= score * x[j] + noise * tacit_normal(stream);
  }
}

static void run_single(const tacit_chen_setting *s, const tacit_chen_constants *c,
                       const tacit_chen_rows *rows, tacit_stream *stream, double *theta, double *sum) {
  if (rows->columns == 3) /* its loops unrolled */
    descend(3, s, c, rows, stream, theta, sum);
  else
    descend(rows->columns, s, c, rows, stream, theta, sum);
  for (size_t j = 0; j < rows->columns; j++) theta[j] = sum[j] / (double)c->steps;
}

static void project(size_t d, double bound, double *theta) {
  double size = sqrt(product(d, theta, theta));
  if (size > bound)
    for (size_t j = 0; j < d; j++) theta[j] *= bound / size;
}

/* Adds the envelope's gradient at row i to g. c->bandwidth is 1 / beta. */
static void add_envelope(const tacit_chen_setting *s, const tacit_chen_constants *c,
                         const tacit_chen_rows *rows, size_t i, const double *theta, double *g) {
  size_t d = rows->columns;
  const double *x = rows->x + i * d;
  double gamma = product(d, x, x) * c->bandwidth;
  double slope = tacit_moreau_slope(s->tau, gamma, rows->y[i] - product(d, x, theta));
  for (size_t j = 0; j < d; j++) g[j] -= slope * x[j];
}

static void run_moreau(const tacit_chen_setting *s, const tacit_chen_constants *c,
                       const tacit_chen_rows *rows, tacit_stream *stream, double *theta, double *sum,
                       double *g) {
  size_t d = rows->columns;
  for (size_t t = 1; t <= c->steps; t++) {
    memset(g, 0, d * sizeof *g);
    for (size_t k = 0; k < c->batch; k++)
      add_envelope(s, c, rows, tacit_stream_below(stream, rows->rows), theta, g);
    for (size_t j = 0; j < d; j++) {
      sum[j] += theta[j];
      theta[j] -= c->step * (g[j] / (double)c->batch + c->sigma * tacit_normal(stream));
    }
    project(d, s->bound_theta, theta);
  }
  for (size_t j = 0; j < d; j++) theta[j] = sum[j] / (double)c->steps;
}

/* The mean gradient of all rows in every step, projected, all iterates averaged. */
static void run_full(const tacit_chen_setting *s, const tacit_chen_constants *c, const tacit_chen_rows *rows,
                     tacit_stream *stream, double *theta, double *sum, double *g) {
  size_t d = rows->columns;
  for (size_t t = 1; t <= c->steps; t++) {
    memset(g, 0, d * sizeof *g);
    for (size_t i = 0; i < rows->rows; i++) {
      const double *x = rows->x + i * d;
      double m = product(d, x, theta) - rows->y[i], h = c->bandwidth;
      double score = s->kernel == TACIT_KERNEL_LOGISTIC ? logistic(m, h) : tacit_kernel_cdf(s->kernel, m / h);
      for (size_t j = 0; j < d; j++) g[j] += (score - s->tau) * x[j];
    }
    for (size_t j = 0; j < d; j++) {
      sum[j] += theta[j];
      theta[j] -= c->step * (g[j] / (double)rows->rows + c->sigma * tacit_normal(stream));
    }
    project(d, s->bound_theta, theta);
  }
  for (size_t j = 0; j < d; j++) theta[j] = sum[j] / (double)c->steps;
}

static void run_phases(const tacit_chen_setting *s, const tacit_chen_constants *c,
                       const tacit_chen_rows *rows, tacit_stream *stream, double *theta, double *sum,
                       double *g) {
  size_t d = rows->columns, used = 0;
  double eta = c->step;
  for (size_t left = rows->rows / 2; left > 0; left /= 2) {
    eta /= 4;
    memset(sum, 0, d * sizeof *sum);
    for (size_t i = used; i < used + left; i++) {
      memset(g, 0, d * sizeof *g);
      add_envelope(s, c, rows, i, theta, g);
      for (size_t j = 0; j < d; j++) {
        sum[j] += theta[j];
        theta[j] -= eta * g[j];
      }
      project(d, s->bound_theta, theta);
    }
    double sigma = 4 * c->lipschitz * eta * sqrt(log(1 / s->delta)) / s->epsilon;
    for (size_t j = 0; j < d; j++) theta[j] = sum[j] / (double)left + sigma * tacit_normal(stream);
    used += left;
  }
}

tacit_status tacit_chen_run_gradient(tacit_chen_method method, const tacit_chen_setting *setting,
                                     const tacit_chen_rows *rows, tacit_stream *stream, double *theta,
                                     tacit_error *error) {
  size_t d = rows->columns;
  tacit_chen_constants c;
  tacit_chen_set_constants(method, setting, rows->rows, d, &c);
  double *sum = tacit_alloc(2 * d, sizeof *sum);
  if (!sum) return tacit_no_memory(error);
  memset(sum, 0, d * sizeof *sum);
  memset(theta, 0, d * sizeof *theta);
  if (method == TACIT_CHEN_MOREAU)
    run_moreau(setting, &c, rows, stream, theta, sum, sum + d);
  else if (method == TACIT_CHEN_GP)
    run_full(setting, &c, rows, stream, theta, sum, sum + d);
  else if (method == TACIT_CHEN_PHASED_SGD)
    run_phases(setting, &c, rows, stream, theta, sum, sum + d);
  else
    run_single(setting, &c, rows, stream, theta, sum);
  free(sum);
  return TACIT_OK;
}
