/* Zhao, Zhou and Wang's linear demand with errors that depend on a feature: e = s(z1) N(0, 1), s(z) = 1 + |z|
   / 2.

     The best linear rule has the true slopes: s is even in z1, and so is what any intercept leaves; its
     intercept q solves E Phi(q / s(z1)) = tau. Given z1, x'(b - theta) is normal with
       mean m + c z1,  c = sum_k (b - theta)_k 0.5^(k-1),   variance r^2 = (b - theta)' S (b - theta) - c^2
     so the regret is one integral over z1.                                                                */
#include "num/normal.h"
#include "num/quadrature.h"
#include "study/normal_loss.h"
#include "study/zhao_model.h"

#include <math.h>
#include <stdlib.h>

enum { P = TACIT_ZHAO_COLUMNS };
static const double FAR = 9; /* beyond so many spreads: 1e-19 */
static const double TOLERANCE = 1e-11;

double tacit_zhao_hetero_spread(double z1) {
  return 1 + fabs(z1) / 2;
}

static double below(double z, const void *with) {
  return 2 * tacit_normal_pdf(z) * tacit_normal_cdf(*(const double *)with / tacit_zhao_hetero_spread(z));
}

double tacit_zhao_hetero_cdf(double e) {
  return tacit_integrate(below, &e, 0, FAR, TOLERANCE, NULL);
}

typedef struct rule {
  double tau, q, m, c, r;
} rule;

static double excess(double z, const void *with) {
  const rule *b = with;
  double s = tacit_zhao_hetero_spread(z);
  return tacit_normal_pdf(z) * (tacit_normal_loss(b->tau, -(b->m + b->c * z), hypot(s, b->r)) -
                                tacit_normal_loss(b->tau, -b->q, s));
}

double tacit_zhao_hetero_regret(double tau, double q, const double theta[TACIT_ZHAO_COLUMNS],
                                const double b[TACIT_ZHAO_COLUMNS]) {
  rule own = {.tau = tau, .q = q, .m = b[0] - theta[0]};
  double square = 0;
  for (int j = 1; j < P; j++) {
    own.c += (b[j] - theta[j]) * pow(0.5, j - 1);
    for (int k = 1; k < P; k++) square += (b[j] - theta[j]) * (b[k] - theta[k]) * pow(0.5, abs(j - k));
  }
  own.r = sqrt(fmax(square - own.c * own.c, 0));
  /* in two halves: s has a kink at 0 */
  return tacit_integrate(excess, &own, -FAR, 0, TOLERANCE, NULL) +
         tacit_integrate(excess, &own, 0, FAR, TOLERANCE, NULL);
}
