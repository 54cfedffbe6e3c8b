/* The linear demand of Zhao, Zhou and Wang's section 6.1: rows, quantiles, and exact regrets.

     d = x'theta* + e,  x = (1, z),  z ~ N(0, S),  S_jk = 0.5^|j-k|
     v = x'(b - theta*) ~ N(m, s^2),  m = b_0 - theta_0,  s^2 = (b - theta)' S (b - theta) over the slopes
     regret(b) = E rho_tau(e - v) - E rho_tau(e - Q_e(tau))                                                 */
#include "study/zhao_model.h"

#include "num/normal.h"
#include "num/quadrature.h"
#include "study/normal_loss.h"

#include <math.h>
#include <stdlib.h>

enum { P = TACIT_ZHAO_COLUMNS };
static const double THETA[P] = {1.5, 1, -2.5, -1.5, 3};
static const double PI = 3.14159265358979323846;

/* A law is a mixture of centred normals, or t3 when it has no parts. */
static const struct {
  const char *label;
  int parts;
  double weight[2], sd[2];
} LAWS[TACIT_ZHAO_HETERO + 1] = {
    {"N(0,1)", 1, {1}, {1}},
    {"t3", 0, {0}, {0}},
    {"0.9N(0,1)+0.1N(0,100)", 2, {0.9, 0.1}, {1, 10}},
    {"N(0,1)(1+|z1|/2)", 1, {1}, {1}},
};

const char *tacit_zhao_label(tacit_zhao_law law) {
  return LAWS[law].label;
}

static double draw_error(tacit_stream *stream, tacit_zhao_law law) {
  if (LAWS[law].parts == 0) return tacit_student(stream, 3);
  int part = LAWS[law].parts > 1 && tacit_uniform(stream) > LAWS[law].weight[0];
  return LAWS[law].sd[part] * tacit_normal(stream);
}

double tacit_zhao_draw(tacit_stream *stream, tacit_zhao_law law, double x[TACIT_ZHAO_COLUMNS]) {
  double d = THETA[0];
  x[0] = 1;
  for (int j = 1; j < P; j++) { /* an autoregression of order one has just this covariance */
    double fresh = tacit_normal(stream);
    x[j] = j == 1 ? fresh : 0.5 * x[j - 1] + sqrt(0.75) * fresh;
    d += THETA[j] * x[j];
  }
  return d + (law == TACIT_ZHAO_HETERO ? tacit_zhao_hetero_spread(x[1]) : 1) * draw_error(stream, law);
}

tacit_status tacit_zhao_sample(tacit_stream *stream, tacit_zhao_law law, size_t rows, tacit_sample **sample,
                               tacit_error *error) {
  TACIT_TRY(tacit_sample_new(P, 1, sample, error));
  tacit_status status = TACIT_OK;
  for (size_t i = 0; i < rows && status == TACIT_OK; i++) {
    double x[P], d = tacit_zhao_draw(stream, law, x);
    status = tacit_sample_add(*sample, x, &d, error);
  }
  if (status == TACIT_OK) status = tacit_sample_finish(*sample, error);
  if (status == TACIT_OK) return TACIT_OK;
  tacit_sample_free(*sample);
  *sample = NULL;
  return status;
}

static double t3_pdf(double e) {
  return 6 * sqrt(3) / (PI * (3 + e * e) * (3 + e * e));
}

static double t3_cdf(double e) {
  double u = e / sqrt(3);
  return 0.5 + (u / (1 + u * u) + atan(u)) / PI;
}

double tacit_zhao_cdf(tacit_zhao_law law, double e) {
  if (LAWS[law].parts == 0) return t3_cdf(e);
  if (law == TACIT_ZHAO_HETERO) return tacit_zhao_hetero_cdf(e);
  double sum = 0;
  for (int k = 0; k < LAWS[law].parts; k++)
    sum += LAWS[law].weight[k] * tacit_normal_cdf(e / LAWS[law].sd[k]);
  return sum;
}

/* Bisection until the bracket cannot be halved any more. */
double tacit_zhao_quantile(tacit_zhao_law law, double tau) {
  double low = -1e6, high = 1e6;
  for (;;) {
    double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) return middle;
    if (tacit_zhao_cdf(law, middle) < tau)
      low = middle;
    else
      high = middle;
  }
}

void tacit_zhao_best(tacit_zhao_law law, double tau, double best[TACIT_ZHAO_COLUMNS]) {
  for (int j = 0; j < P; j++) best[j] = THETA[j];
  best[0] += tacit_zhao_quantile(law, tau);
}

/* E rho_tau(e - v) for a fixed v and e ~ t3: the integral of e f(e) up to v is -(3 + v^2) f(v) / 2. */
static double t3_loss(double tau, double v) {
  return -tau * v + v * t3_cdf(v) + 0.5 * (3 + v * v) * t3_pdf(v);
}

/* E rho_tau(e - v) for v ~ N(m, s^2) and a mixture of normals e. */
static double mixture_loss(tacit_zhao_law law, double tau, double m, double s) {
  double sum = 0;
  for (int k = 0; k < LAWS[law].parts; k++)
    sum += LAWS[law].weight[k] * tacit_normal_loss(tau, -m, hypot(s, LAWS[law].sd[k]));
  return sum;
}

typedef struct shift {
  double tau, m, s, least; /* least: the best policy's loss */
} shift;

static double weighted_excess(double z, const void *with) {
  const shift *v = with;
  return tacit_normal_pdf(z) * (t3_loss(v->tau, v->m + v->s * z) - v->least);
}

double tacit_zhao_regret(tacit_zhao_law law, double tau, const double b[TACIT_ZHAO_COLUMNS]) {
  double m = b[0] - THETA[0], square = 0, q = tacit_zhao_quantile(law, tau);
  if (law == TACIT_ZHAO_HETERO) return tacit_zhao_hetero_regret(tau, q, THETA, b);
  for (int j = 1; j < P; j++)
    for (int k = 1; k < P; k++) square += (b[j] - THETA[j]) * (b[k] - THETA[k]) * pow(0.5, abs(j - k));
  double s = sqrt(fmax(square, 0));
  if (LAWS[law].parts > 0) return mixture_loss(law, tau, m, s) - mixture_loss(law, tau, q, 0);
  shift v = {tau, m, s, t3_loss(tau, q)};
  return tacit_integrate(weighted_excess, &v, -9, 9, 1e-10, NULL); /* beyond 9 spreads: 1e-19 */
}
