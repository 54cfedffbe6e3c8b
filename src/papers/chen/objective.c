/* The published methods that minimise, in plain doubles. NOTHING HERE IS PRIVATE TO THE LAST BIT.

     ridge        argmin L(theta) + lambda ||theta||^2                                   (Chen and Chua,
   section 5) OP           argmin L_h(theta) + lambda ||theta||^2 + b'theta / n, b ~ N(0, sigma^2 I)  (Chen
   and Chua, Algorithm 2) Phased-ERM   n_i = n / 2^i fresh rows in phase i, eta_i = eta / 4^i, theta_i =
   argmin L(theta) + ||theta - theta_(i-1)||^2 / (eta_i n_i) + N(0, sigma_i^2 I), sigma_i = 4 L eta_i
   sqrt(ln(1/delta)) / epsilon                (Feldman et al. Algorithm 3)

   Where the loss is not smooth its minimiser is approached through bandwidths that fall to 1e-3 of a unit of
   demand. Such a smoothed loss is within 0.0007 of the loss itself. */
#include "papers/chen/methods.h"

#include "base/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double FIRST_BANDWIDTH = 4.1, LAST_BANDWIDTH = 1e-3;

/* Without smoothing: each minimiser is the start of the next. */
static tacit_status minimise_sharp(tacit_chen_goal goal, const tacit_chen_rows *rows, double *theta,
                                   tacit_error *error) {
  for (goal.bandwidth = FIRST_BANDWIDTH; goal.bandwidth > LAST_BANDWIDTH; goal.bandwidth /= 4)
    TACIT_TRY(tacit_chen_minimise(&goal, rows, theta, error));
  return TACIT_OK;
}

/* linear: sigma g / n, drawn. */
static tacit_status run_op(tacit_chen_method method, const tacit_chen_setting *s,
                           const tacit_chen_constants *c, const tacit_chen_rows *rows, const double *linear,
                           double *theta, tacit_error *error) {
  size_t d = rows->columns;
  const tacit_chen_goal goal = {s->tau, c->bandwidth, c->lambda, s->kernel, NULL, linear};
  TACIT_TRY(tacit_chen_minimise(&goal, rows, theta, error));
  if (method != TACIT_CHEN_OP_COMPANION) return TACIT_OK;
  double square = 0; /* the companion projects to ||theta|| <= B_theta */
  for (size_t j = 0; j < d; j++) square += theta[j] * theta[j];
  double shrink = fmin(1, s->bound_theta / sqrt(square));
  for (size_t j = 0; j < d; j++) theta[j] *= shrink;
  return TACIT_OK;
}

static tacit_status run_phases(const tacit_chen_setting *s, const tacit_chen_constants *c,
                               const tacit_chen_rows *rows, tacit_stream *stream, double *theta,
                               double *centre, tacit_error *error) {
  size_t d = rows->columns, used = 0;
  double eta = c->step;
  for (size_t left = rows->rows / 2; left > 0; left /= 2) {
    eta /= 4;
    const tacit_chen_rows part = {left, d, rows->x + used * d, rows->y + used};
    const tacit_chen_goal goal = {s->tau, 0, 1 / (eta * (double)left), s->kernel, centre, NULL};
    memcpy(centre, theta, d * sizeof *theta);
    TACIT_TRY(minimise_sharp(goal, &part, theta, error));
    double sigma = 4 * c->lipschitz * eta * sqrt(log(1 / s->delta)) / s->epsilon;
    for (size_t j = 0; j < d; j++) theta[j] += sigma * tacit_normal(stream);
    used += left;
  }
  return TACIT_OK;
}

tacit_status tacit_chen_run_objective(tacit_chen_method method, const tacit_chen_setting *setting,
                                      const tacit_chen_rows *rows, tacit_stream *stream, double *theta,
                                      tacit_error *error) {
  tacit_chen_constants c;
  tacit_chen_set_constants(method, setting, rows->rows, rows->columns, &c);
  double *space = tacit_alloc(rows->columns, sizeof *space);
  if (!space) return tacit_no_memory(error);
  memset(theta, 0, rows->columns * sizeof *theta);
  tacit_status status;
  if (method == TACIT_CHEN_RIDGE) {
    const tacit_chen_goal goal = {setting->tau, 0, c.lambda, setting->kernel, NULL, NULL};
    status = minimise_sharp(goal, rows, theta, error);
  } else if (method == TACIT_CHEN_PHASED_ERM) {
    status = run_phases(setting, &c, rows, stream, theta, space, error);
  } else {
    for (size_t j = 0; j < rows->columns; j++) space[j] = c.sigma * tacit_normal(stream) / (double)rows->rows;
    status = run_op(method, setting, &c, rows, space, theta, error);
  }
  free(space);
  return status;
}
