/* What a guarantee means for beliefs: how large the privacy loss gets but for a small probability, and what
   Bayes' rule makes of it (proofs/beliefs.md). Everything in multi-precision arithmetic with directed
   rounding: the same digits on every machine, so that a file's table can be written again and compared. */
#include "privacy/gdp.h"

#include <math.h>

#include <mpfr.h>

enum { PRECISION = 128 };

static const double PRIOR[TACIT_PRIORS] = {0.01, 0.1, 0.5};
static const double EXCEPT[TACIT_EXCEPTIONS] = {0.05, 0.01, 0.001};
/* Just below the normal quantiles of these (the test encloses them). */
static const double QUANTILE[TACIT_EXCEPTIONS] = {-1.644853626951473, -2.3263478740408417,
                                                  -3.090232306167814};

/* x with P(loss > x) <= q for every mu-GDP release: ln q - ln Phi(Phi^-1(q) - mu), rounded up. */
static void gdp_loss(mpfr_t loss, double mu, size_t k) {
  mpfr_t tail, root;
  mpfr_inits2(PRECISION, tail, root, (mpfr_ptr)0);
  mpfr_set_d(tail, mu, MPFR_RNDU);
  mpfr_sub_d(tail, tail, QUANTILE[k], MPFR_RNDU); /* positive, rounded up: its upper tail is rounded down */
  mpfr_set_ui(root, 2, MPFR_RNDD);
  mpfr_sqrt(root, root, MPFR_RNDD);
  mpfr_div(tail, tail, root, MPFR_RNDU);
  mpfr_erfc(tail, tail, MPFR_RNDD);
  mpfr_div_2ui(tail, tail, 1, MPFR_RNDD);
  mpfr_log(tail, tail, MPFR_RNDD);
  mpfr_set_d(loss, EXCEPT[k], MPFR_RNDU);
  mpfr_log(loss, loss, MPFR_RNDU);
  mpfr_sub(loss, loss, tail, MPFR_RNDU);
  mpfr_clears(tail, root, (mpfr_ptr)0);
}

/* The same for (epsilon, delta): epsilon - ln(1 - delta / q); +inf where q <= delta. */
static void pair_loss(mpfr_t loss, double epsilon, double delta, double q) {
  mpfr_set_inf(loss, +1);
  if (q <= delta) return;
  mpfr_set_d(loss, delta, MPFR_RNDU);
  mpfr_div_d(loss, loss, q, MPFR_RNDU);
  mpfr_neg(loss, loss, MPFR_RNDN);
  mpfr_log1p(loss, loss, MPFR_RNDD);
  mpfr_d_sub(loss, epsilon, loss, MPFR_RNDU);
}

/* prior e^x / (1 - prior + prior e^x) = 1 / (1 + (1 - prior) / prior e^-x), rounded up. */
static double posterior(double prior, const mpfr_t loss) {
  mpfr_t odds, factor;
  mpfr_inits2(PRECISION, odds, factor, (mpfr_ptr)0);
  mpfr_neg(odds, loss, MPFR_RNDN);
  mpfr_exp(odds, odds, MPFR_RNDD);
  mpfr_set_ui(factor, 1, MPFR_RNDN);
  mpfr_sub_d(factor, factor, prior, MPFR_RNDD);
  mpfr_div_d(factor, factor, prior, MPFR_RNDD);
  mpfr_mul(odds, odds, factor, MPFR_RNDD);
  mpfr_add_ui(odds, odds, 1, MPFR_RNDD);
  mpfr_ui_div(odds, 1, odds, MPFR_RNDU);
  double belief = mpfr_get_d(odds, MPFR_RNDU);
  mpfr_clears(odds, factor, (mpfr_ptr)0);
  return belief;
}

tacit_status tacit_beliefs_from(double mu, double epsilon, double delta, tacit_beliefs *beliefs,
                                tacit_error *error) {
  bool pair = mu == 0 && epsilon >= 0 && epsilon <= TACIT_EPSILON_MAX && delta >= 0 && delta < 1;
  if (!pair && !(mu > 0 && mu <= TACIT_MU_MAX))
    return tacit_fail(error, TACIT_USAGE, "give mu above 0, or epsilon and delta");
  mpfr_t loss;
  mpfr_init2(loss, PRECISION);
  for (size_t k = 0; k < TACIT_EXCEPTIONS; k++) {
    beliefs->except[k] = EXCEPT[k];
    if (pair)
      pair_loss(loss, epsilon, delta, EXCEPT[k]);
    else
      gdp_loss(loss, mu, k);
    for (size_t i = 0; i < TACIT_PRIORS; i++) {
      beliefs->prior[i] = PRIOR[i];
      beliefs->at_most[i][k] = posterior(PRIOR[i], loss);
    }
  }
  mpfr_clear(loss);
  mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE); /* of this thread, which may end */
  return TACIT_OK;
}
