/* Chen and Chua's demand in two features. Given x, y is normal with a known mean and spread, so the risk is
   an integral over the disc of features alone: nodes in polar coordinates, weights the features' density.

     theta* solves E x {Phi((x'theta - m(x)) / 3) - tau} = 0, m(x) = E(y | x): Newton's method.            */
#include "study/chen_model.h"

#include "num/linalg.h"
#include "num/normal.h"
#include "study/normal_loss.h"

#include <math.h>

enum { P = TACIT_CHEN_COLUMNS, RULE_MAX = TACIT_CHEN_RADII, NEWTON_MAX = 60 };
static const double SD_ERROR = 3;
static const double HALF_PI = 1.57079632679489661923;

/* Gauss-Legendre on [0, 1]: the roots of the Legendre polynomial of degree n by Newton's method. */
static void gauss(int n, double *node, double *weight) {
  for (int i = 0; i < n; i++) {
    double t = cos(2 * HALF_PI * (i + 0.75) / (n + 0.5)), slope = 1;
    for (int k = 0; k < NEWTON_MAX; k++) {
      double p = 1, before = 0;
      for (int j = 1; j <= n; j++) {
        double next = ((2 * j - 1) * t * p - (j - 1) * before) / j;
        before = p;
        p = next;
      }
      slope = n * (t * p - before) / (t * t - 1);
      t -= p / slope;
      if (fabs(p / slope) < 1e-15) break;
    }
    node[i] = (1 - t) / 2;
    weight[i] = 1 / ((1 - t * t) * slope * slope);
  }
}

static void set_nodes(tacit_chen *chen) {
  double r[RULE_MAX], r_weight[RULE_MAX], a[RULE_MAX], a_weight[RULE_MAX], sum = 0;
  size_t at = 0;
  gauss(TACIT_CHEN_RADII, r, r_weight);
  gauss(TACIT_CHEN_ANGLES, a, a_weight);
  for (int i = 0; i < TACIT_CHEN_RADII; i++)
    for (int k = 0; k < 4 * TACIT_CHEN_ANGLES; k++, at++) {
      int quadrant = k / TACIT_CHEN_ANGLES;
      double radius = chen->radius * r[i], angle = HALF_PI * (quadrant + a[k % TACIT_CHEN_ANGLES]);
      double x1 = radius * cos(angle), x2 = radius * sin(angle), u = x1 / chen->sd1, v = x2 / chen->sd2;
      chen->x1[at] = x1;
      chen->x2[at] = x2;
      chen->weight[at] = r_weight[i] * a_weight[k % TACIT_CHEN_ANGLES] * radius * exp(-(u * u + v * v) / 2);
      sum += chen->weight[at];
    }
  for (at = 0; at < TACIT_CHEN_NODES; at++) chen->weight[at] /= sum;
}

static double mean_demand(const tacit_chen *chen, double x1, double x2) {
  double mean = chen->theta[0] + chen->theta[1] * x1 + chen->theta[2] * x2;
  return chen->endogenous ? mean + x1 - x2 + fabs(x1 * x2) : mean;
}

double tacit_chen_draw(const tacit_chen *chen, tacit_stream *stream, double *x1, double *x2) {
  do {
    *x1 = chen->sd1 * tacit_normal(stream);
    *x2 = chen->sd2 * tacit_normal(stream);
  } while (hypot(*x1, *x2) > chen->radius);
  return mean_demand(chen, *x1, *x2) + SD_ERROR * tacit_normal(stream);
}

double tacit_chen_risk(const tacit_chen *chen, const double b[TACIT_CHEN_COLUMNS]) {
  return tacit_chen_risk_wide(chen, b, 0);
}

double tacit_chen_risk_wide(const tacit_chen *chen, const double b[TACIT_CHEN_COLUMNS], double variance) {
  double risk = 0, sd = sqrt(SD_ERROR * SD_ERROR + variance);
  for (size_t i = 0; i < TACIT_CHEN_NODES; i++) {
    double order = b[0] + b[1] * chen->x1[i] + b[2] * chen->x2[i];
    double over = mean_demand(chen, chen->x1[i], chen->x2[i]) - order;
    risk += chen->weight[i] * tacit_normal_loss(TACIT_CHEN_TAU, over, sd);
  }
  return risk;
}

/* Gradient and Hessian of the risk at b. */
static void derivatives(const tacit_chen *chen, const double *b, double g[P], double H[P * P]) {
  for (int j = 0; j < P; j++) g[j] = 0;
  for (int j = 0; j < P * P; j++) H[j] = 0;
  for (size_t i = 0; i < TACIT_CHEN_NODES; i++) {
    const double x[P] = {1, chen->x1[i], chen->x2[i]};
    double u = (b[0] + b[1] * x[1] + b[2] * x[2] - mean_demand(chen, x[1], x[2])) / SD_ERROR;
    double score = chen->weight[i] * (tacit_normal_cdf(u) - TACIT_CHEN_TAU);
    double curve = chen->weight[i] * tacit_normal_pdf(u) / SD_ERROR;
    for (int j = 0; j < P; j++) {
      g[j] += score * x[j];
      for (int k = 0; k < P; k++) H[j * P + k] += curve * x[j] * x[k];
    }
  }
}

/* H^-1 g as H^(-1/2) H^(-1/2) g. */
static bool newton_step(double H[P * P], const double g[P], double step[P]) {
  double half[P] = {0};
  if (!tacit_inverse_root(P, H, H)) return false;
  for (int j = 0; j < P; j++)
    for (int k = 0; k < P; k++) half[j] += H[j * P + k] * g[k];
  for (int j = 0; j < P; j++) {
    step[j] = 0;
    for (int k = 0; k < P; k++) step[j] += H[j * P + k] * half[k];
  }
  return true;
}

tacit_status tacit_chen_init(tacit_chen *chen, bool endogenous, tacit_error *error) {
  static const double theta[P] = {10, 5, -2};
  chen->endogenous = endogenous;
  for (int j = 0; j < P; j++) chen->theta[j] = theta[j];
  chen->sd1 = 2;
  chen->sd2 = 3;
  chen->radius = 10;
  return tacit_chen_solve(chen, error);
}

tacit_status tacit_chen_solve(tacit_chen *chen, tacit_error *error) {
  set_nodes(chen);
  for (int j = 0; j < P; j++) chen->best[j] = chen->theta[j];
  chen->best[0] += SD_ERROR * tacit_normal_quantile(TACIT_CHEN_TAU);
  double size = 1;
  for (int k = 0; k < NEWTON_MAX && size > 1e-12; k++) {
    double g[P], H[P * P], step[P], b[P], part = 1, risk = tacit_chen_risk(chen, chen->best);
    derivatives(chen, chen->best, g, H);
    if (!newton_step(H, g, step)) return tacit_fail(error, TACIT_INTERNAL, "a Hessian is not definite");
    do {
      for (int j = 0; j < P; j++) b[j] = chen->best[j] - part * step[j];
      part /= 2;
    } while (tacit_chen_risk(chen, b) > risk + 1e-12 && part > 1e-6);
    size = 0;
    for (int j = 0; j < P; j++) size = fmax(size, fabs(b[j] - chen->best[j]));
    for (int j = 0; j < P; j++) chen->best[j] = b[j];
  }
  chen->least = tacit_chen_risk(chen, chen->best);
  return size < 1e-9 ? TACIT_OK : tacit_fail(error, TACIT_INTERNAL, "the best order was not found");
}
