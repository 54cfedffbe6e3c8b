/* Chen and Chua's four problems. With d = 51 the errors depend at most on the second and third coordinate,
   and the demand is linear in the others, so theta* has the demand's own coefficients there and a risk needs
   no more than the two-dimensional integral of chen_model.c: beyond them an order's error is normal. */
#include "study/chen_problem.h"

#include "base/base.h"

#include <math.h>

enum { P = TACIT_CHEN_COLUMNS };

/* Chen and Chua's appendix C: theta evenly spaced on [-2, 5], y = 10 + theta'x + e, x_1 = 1, the other x_j
   normal with the variance 1 / sqrt(50). Chen and Chua's ball of radius 10 around the features is 14 standard
   deviations of their norm away; the integral's disc, 9 of one feature's. */
static void set_wide(tacit_chen_problem *p) {
  for (int j = 0; j < TACIT_CHEN_WIDE; j++) p->theta[j] = -2 + 7.0 * j / (TACIT_CHEN_WIDE - 1);
  p->theta[0] += 10;
  p->feature_sd = sqrt(1 / sqrt(50));
  for (int j = 0; j < P; j++) p->law.theta[j] = p->theta[j];
  p->law.sd1 = p->law.sd2 = p->feature_sd;
  p->law.radius = 9 * p->feature_sd;
}

tacit_status tacit_chen_problem_init(tacit_chen_problem *problem, size_t columns, bool endogenous,
                                     tacit_error *error) {
  if (columns != P && columns != TACIT_CHEN_WIDE)
    return tacit_fail(error, TACIT_USAGE, "Chen and Chua's problems have 3 or 51 columns");
  problem->columns = columns;
  problem->law.endogenous = endogenous;
  if (columns == TACIT_CHEN_WIDE) {
    set_wide(problem);
    TACIT_TRY(tacit_chen_solve(&problem->law, error));
  } else {
    TACIT_TRY(tacit_chen_init(&problem->law, endogenous, error));
    for (int j = 0; j < P; j++) problem->theta[j] = problem->law.theta[j];
  }
  double square = 0;
  for (size_t j = 0; j < columns; j++) {
    problem->best[j] = j < P ? problem->law.best[j] : problem->theta[j];
    square += problem->best[j] * problem->best[j];
  }
  problem->bound_x = sqrt(101);
  problem->bound_theta = 2 * sqrt(square);
  return TACIT_OK;
}

double tacit_chen_problem_draw(const tacit_chen_problem *problem, tacit_stream *stream, double *x) {
  x[0] = 1;
  double y = tacit_chen_draw(&problem->law, stream, &x[1], &x[2]);
  for (size_t j = P; j < problem->columns; j++) {
    x[j] = problem->feature_sd * tacit_normal(stream);
    y += problem->theta[j] * x[j];
  }
  return y;
}

double tacit_chen_excess(const tacit_chen_problem *problem, const double *b) {
  double variance = 0;
  for (size_t j = P; j < problem->columns; j++) {
    double off = problem->feature_sd * (b[j] - problem->best[j]);
    variance += off * off;
  }
  return tacit_chen_risk_wide(&problem->law, b, variance) / problem->law.least - 1;
}

double tacit_chen_distance(const tacit_chen_problem *problem, const double *b) {
  double square = 0, size = 0;
  for (size_t j = 0; j < problem->columns; j++) {
    square += (b[j] - problem->best[j]) * (b[j] - problem->best[j]);
    size += problem->best[j] * problem->best[j];
  }
  return sqrt(square / size);
}
