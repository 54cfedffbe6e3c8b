/* Closed forms for pairs (epsilon, delta) together, beside what the accountant finds. */
#include "privacy/bundle.h"

/* With s = sum of epsilon^2: sums of both; advanced composition (Dwork, Rothblum and Vadhan, for unlike
   epsilons); Wang and Qin's Lemma 3, 3 s/2 + sqrt(6 s ln(1/delta)), which zCDP's s/2 + sqrt(2 s ln(1/delta))
   proves for unlike ones too. What the pairs' own deltas leave of delta is the slack of the last two. */
tacit_status tacit_bundle_closed_forms(const tacit_bundle *bundle, double delta, tacit_pair_bounds *out,
                                       tacit_error *error) {
  tacit_grouped grouped;
  double sum = 0, squares = 0, drift = 0, deltas = 0;
  TACIT_TRY(tacit_bundle_group(bundle, &grouped, error));
  if (!(delta > 0 && delta < 1)) return tacit_fail(error, TACIT_USAGE, "delta must be above 0 and below 1");
  for (size_t i = 0; i < bundle->count; i++) {
    const tacit_bundled *p = &bundle->releases[i];
    double n = (double)p->times;
    if (p->kind != TACIT_BUNDLED_PAIR || p->chance < 1)
      return tacit_fail(error, TACIT_USAGE, "closed forms are for pairs of epsilon and delta alone");
    sum += n * p->epsilon;
    squares += n * p->epsilon * p->epsilon;
    drift += n * p->epsilon * expm1(p->epsilon);
    deltas += n * p->delta;
  }
  const double up = 1 + 64 * DBL_EPSILON;
  double slack = (delta - deltas * up) * (1 - DBL_EPSILON);
  *out = (tacit_pair_bounds){INFINITY, INFINITY, INFINITY};
  if (slack >= 0) out->sum = sum * up;
  if (!(slack > 0)) return TACIT_OK;
  out->advanced = fmin(sqrt(-2 * squares * log(slack)) + drift, sum) * up;
  out->wang_qin = (1.5 * squares + sqrt(-6 * squares * log(slack))) * up;
  return TACIT_OK;
}
