/* E_Q[(P/Q)^alpha] - 1, the only integral there is behind a Renyi divergence.

   Poisson: P and Q have densities A and B relative to the standard normal density phi, each 1 or 1 - q + q
   R0(+-y). phi (A^alpha B^(1-alpha) - B - alpha (A - B)) is analytic in a strip about the real line, so the
   trapezoidal rule has an exponentially small error with a known bound. Fixed size: the pair is cut at loss
   0, so there the integrand, convex in the likelihood ratio, is replaced by its chords
   (proofs/sampled-gaussian.md). */
#include "privacy/sampled_rdp.h"

#include <math.h>

static const long double ROOT_2PI = 2.506628274631000502415765284811045253L;

/* ln(1 - q + q e^(s y - s^2/2)) */
static long double log_mixture(const tacit_step_curve *c, long double y) {
  long double x = c->shift * y - c->shift * c->shift / 2;
  if (x > 0.5L) return x + log1pl((1 - c->rate) * expm1l(-x)); /* q + (1-q) e^-x = 1 + (1-q)(e^-x - 1) */
  return log1pl(c->rate * expm1l(x));
}

/* ln A and ln B at y. */
static void densities(const tacit_step_curve *c, long double y, long double *a, long double *b) {
  *a = c->kind == TACIT_STEP_ADD ? 0 : log_mixture(c, y);
  *b = c->kind == TACIT_STEP_ADD ? log_mixture(c, y) : c->kind == TACIT_STEP_REPLACE ? log_mixture(c, -y) : 0;
}

/* The integrand over e^scale: B (e^(alpha l) - 1 - alpha (e^l - 1)), l = ln A/B. */
static long double integrand(const tacit_step_curve *c, long double alpha, long double y, long double scale) {
  long double a, b;
  densities(c, y, &a, &b);
  long double l = a - b, base = b - y * y / 2 - scale;
  if (fabsl(alpha * l) < 1) return expl(base) * (expm1l(alpha * l) - alpha * expm1l(l));
  return expl(base + alpha * l) - expl(base) * (1 + alpha * expm1l(l));
}

static double poisson_rdp(const tacit_step_curve *c, long double alpha) {
  /* how fast A^alpha B^(1-alpha) can grow, and beyond `reach` it is below e^-60 even so */
  long double s = c->shift, growth = (c->kind == TACIT_STEP_REMOVE ? alpha : 2 * alpha) * s;
  long double reach = growth + sqrtl(growth * growth + alpha * s * s + 120);
  /* strip: s a = x <= 1/sqrt(alpha), where |B| >= cos(x) B and cos(x)^(1-alpha) < 2 */
  long double strip = fminl(1 / (s * sqrtl(alpha)), 3), step = strip * 6.283185307L / 60;
  long half = (long)ceill(reach / step);
  long double scale = 0;
  for (long j = -half; j <= half; j += 16) {
    long double a, b, y = (long double)j * step;
    densities(c, y, &a, &b);
    scale = fmaxl(scale, alpha * a + (1 - alpha) * b - y * y / 2);
  }
  if (scale < 5000) scale = 0;
  long double sum = 0;
  for (long j = -half; j <= half; j++) sum += integrand(c, alpha, (long double)j * step, scale);
  sum *= step / ROOT_2PI;
  /* 2 e^(a^2/2) (2 E + 1 + 2 alpha) / (e^60 - 1) with a <= 3, the tails, and rounding */
  long double small = expl(-60) * 400, one = scale > 0 ? 0 : 1;
  sum += (2 * sum + (1 + 2 * alpha) * one + 2 * one) * small;
  sum += (sum * (alpha * 64 + (long double)half) + one * alpha * 256) * LDBL_EPSILON;
  long double log_moment = scale > 0 ? scale * (1 + LDBL_EPSILON) + logl(sum + 1e-300L) : log1pl(sum);
  return (double)(log_moment / (alpha - 1)) * (1 + 4 * DBL_EPSILON);
}

/* ln of A^alpha + A^(1-alpha) - 1 - A = (A^alpha - 1)(1 - A^(1-alpha)), what both sides of loss 0 add. */
static long double log_both_sides(long double alpha, long double a) {
  return alpha * a + logl(-expm1l(-alpha * a)) + logl(-expm1l((1 - alpha) * a));
}

/* Both sides at ln A = a, times a mass q, over e^scale. */
static long double weighted(long double alpha, long double a, long double q, long double scale) {
  if (scale > 0 || alpha * a > 1e4L) return a > 0 ? expl(log_both_sides(alpha, a) + logl(q) - scale) : 0;
  return q * expm1l(alpha * a) * -expm1l((1 - alpha) * a);
}

static double fixed_rdp(const tacit_step_curve *c, long double alpha) {
  long double s = c->shift, growth = alpha * s, end = growth + sqrtl(growth * growth + 120) + s;
  long double step = fminl(0.05L, 0.05L / growth), sum = 0, scale = 0;
  long cells = (long)ceill((end - s / 2) / step);
  for (long j = 1; j < cells; j += 16) {
    long double y = s / 2 + (long double)j * step;
    scale = fmaxl(scale, log_both_sides(alpha, log_mixture(c, y)) - y * y / 2);
  }
  if (scale < 5000) scale = 0;
  tacit_tail zero = tacit_tail_at(s / 2, 0), one = tacit_tail_at(s / 2, s);
  long double ratio = 1, before = 0;
  for (long j = 1; j <= cells; j++) {
    long double y = s / 2 + (long double)j * step;
    tacit_tail next_zero = tacit_tail_at(y, 0), next_one = tacit_tail_at(y, s);
    tacit_enclosed m0 = tacit_between(zero, next_zero), m1 = tacit_between(one, next_one);
    long double next_ratio = expl(s * y - s * s / 2), after = log_mixture(c, y), q = m0.value + m0.error;
    /* where the mean of R0 lies between the two ends, from above: the chord rises */
    long double share =
        ((m1.value + m1.error) / (m0.value > m0.error ? m0.value - m0.error : m0.value) - ratio) /
        (next_ratio - ratio);
    share = share >= 0 && share <= 1 ? share : 1;
    if (q > 0) {
      long double top = weighted(alpha, after, q, scale), bottom = weighted(alpha, before, q, scale);
      sum += bottom + share * (top - bottom);
    }
    zero = next_zero, one = next_one, ratio = next_ratio, before = after;
    /* ln A rises by at most s for each unit of y, so what is left is below A^alpha times a Gaussian integral
     */
    if (scale > 0 || j % 16 || y < growth) continue;
    long double rest =
        expl(alpha * after - growth * y + growth * growth / 2) * tacit_tail_at(y, growth).mass.value;
    if (rest < sum * 1e-12L) {
      sum += rest * 1.001L;
      break;
    }
  }
  sum = sum * (1 + 1e-9L) + expl(-55) * (scale > 0 ? 0 : 1);
  long double log_moment = scale > 0 ? scale * (1 + LDBL_EPSILON) + logl(sum + 1e-300L) : log1pl(sum);
  return (double)(log_moment / (alpha - 1)) * (1 + 4 * DBL_EPSILON);
}

double tacit_step_rdp(const tacit_step_curve *curve, double alpha) {
  double s = (double)curve->shift, far = curve->kind == TACIT_STEP_REPLACE ? 2 * s : s;
  double whole = alpha * far * far / 2 * (1 + 1e-12); /* without sampling; sampling never costs more */
  /* beyond it masses at the integrand's peak, near alpha s, run out of a long double's range */
  static const double FAR = 130;
  if (alpha * s > FAR) return whole;
  double sampled = curve->kind == TACIT_STEP_FIXED ? fixed_rdp(curve, alpha) : poisson_rdp(curve, alpha);
  return sampled < whole ? sampled : whole;
}
