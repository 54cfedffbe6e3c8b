/* Releases that are not Gaussian: a filter over Renyi orders (proofs/ledger.md, Claim 4). A label with budget
   B and delta keeps, once such a release is in it, the promise (epsilon, delta): epsilon is the one of B-GDP
   at delta / 2, and the rest of delta is divided evenly over the orders. A release is allowed when at some
   order a, S(a) <= epsilon - c(a), where S(a) is the sum of all Renyi divergences, and
     c(a) = (ln(orders / (delta / 2)) - ln a + (a - 1) ln(1 - 1/a)) / (a - 1).
   Sums are whole numbers of 10^-680 / 8: an order is a multiple of 1/4, and a Gaussian release has a mu^2/2.
 */
#include "ledger/ledger.h"

#include <math.h>

#include <mpfr.h>

enum { PRECISION = 128 };

/* c at an order, rounded up. Every term is rounded outward by far more than its error. */
static double conversion(double order, double delta) {
  mpfr_t sum, term;
  mpfr_inits2(PRECISION, sum, term, (mpfr_ptr)0);
  mpfr_set_d(term, delta, MPFR_RNDD); /* exact */
  mpfr_ui_div(sum, 2 * TACIT_RDP_ORDERS, term, MPFR_RNDU);
  mpfr_log(sum, sum, MPFR_RNDU);
  mpfr_set_d(term, order, MPFR_RNDD); /* exact */
  mpfr_log(term, term, MPFR_RNDD);
  mpfr_sub(sum, sum, term, MPFR_RNDU);
  mpfr_div_d(sum, sum, order - 1, MPFR_RNDU); /* order - 1 is exact; a negative sum rounds toward zero, up */
  mpfr_set_d(term, 1, MPFR_RNDD);
  mpfr_div_d(term, term, order, MPFR_RNDD);
  mpfr_ui_sub(term, 1, term, MPFR_RNDU);
  mpfr_log(term, term, MPFR_RNDU);
  mpfr_add(sum, sum, term, MPFR_RNDU);
  double c = mpfr_get_d(sum, MPFR_RNDU);
  mpfr_clears(sum, term, (mpfr_ptr)0);
  mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE); /* of this thread, which may end */
  return c;
}

/* 8 S at an order in units of 10^-680, with one more release; false when there is no bound. */
static bool sum_at(const tacit_label *label, size_t i, const mpz_t square, const tacit_terms *more,
                   mpz_t sum) {
  mpz_t one;
  bool known = !label->lost[i];
  mpz_init(one);
  mpz_set(sum, label->spent);
  if (square) mpz_add(sum, sum, square);
  mpz_mul_ui(sum, sum, (unsigned long)(4 * tacit_rdp_orders[i]));
  if (more) known = known && tacit_amount_linear(more->rdp[i], one);
  mpz_add(one, one, label->other[i]);
  mpz_addmul_ui(sum, one, 8);
  mpz_clear(one);
  return known;
}

double tacit_renyi_budget(const tacit_label *label) {
  double epsilon;
  if (!label->budget[0]) return 0;
  if (tacit_gdp_epsilon(tacit_amount_value(label->budget), label->delta / 2, &epsilon, NULL) != TACIT_OK)
    return 0;
  return epsilon;
}

/* 8 times what an order has, in units of 10^-680, rounded down; negative for none. */
static void room_at(size_t i, double epsilon, double delta, mpz_t room) {
  double c = conversion(tacit_rdp_orders[i], delta);
  /* below the exact difference, whichever way the subtraction rounds */
  double left = nextafter(epsilon - c, -INFINITY);
  mpz_set_si(room, -1);
  if (left < 0) return;
  tacit_amount_floor(left, room);
  mpz_mul_ui(room, room, 8);
}

bool tacit_renyi_within(const tacit_label *label, const mpz_t square, const tacit_terms *more) {
  mpz_t sum, room;
  bool within = false;
  double epsilon = tacit_renyi_budget(label);
  mpz_inits(sum, room, NULL);
  for (size_t i = 0; i < TACIT_RDP_ORDERS && !within; i++) {
    room_at(i, epsilon, label->delta, room);
    within = sum_at(label, i, square, more, sum) && mpz_cmp(sum, room) <= 0;
  }
  mpz_clears(sum, room, NULL);
  return within;
}

bool tacit_renyi_possible(const tacit_label *label, const tacit_terms *more) {
  mpz_t sum;
  bool possible = false;
  mpz_init(sum);
  for (size_t i = 0; i < TACIT_RDP_ORDERS; i++) possible = possible || sum_at(label, i, NULL, more, sum);
  mpz_clear(sum);
  return possible;
}

double tacit_renyi_spent(const tacit_label *label) {
  mpz_t sum;
  mpfr_t epsilon, unit;
  double least = INFINITY;
  mpz_init(sum);
  mpfr_inits2(2 * PRECISION, epsilon, unit, (mpfr_ptr)0);
  mpfr_ui_pow_ui(unit, 10, 680, MPFR_RNDD);
  for (size_t i = 0; i < TACIT_RDP_ORDERS; i++) {
    if (!sum_at(label, i, NULL, NULL, sum)) continue;
    mpfr_set_z(epsilon, sum, MPFR_RNDU);
    mpfr_div_ui(epsilon, epsilon, 8, MPFR_RNDU);
    mpfr_div(epsilon, epsilon, unit, MPFR_RNDU);
    mpfr_add_d(epsilon, epsilon, conversion(tacit_rdp_orders[i], label->delta), MPFR_RNDU);
    least = fmin(least, fmax(mpfr_get_d(epsilon, MPFR_RNDU), 0));
  }
  mpfr_clears(epsilon, unit, (mpfr_ptr)0);
  mpz_clear(sum);
  return least;
}

double tacit_renyi_left(const tacit_label *label) {
  mpz_t sum, room;
  double most = 0, epsilon = tacit_renyi_budget(label);
  mpz_inits(sum, room, NULL);
  for (size_t i = 0; i < TACIT_RDP_ORDERS; i++) {
    room_at(i, epsilon, label->delta, room);
    if (!sum_at(label, i, NULL, NULL, sum)) continue;
    mpz_sub(room, room, sum);
    if (mpz_sgn(room) <= 0) continue;
    mpz_fdiv_q_ui(room, room, (unsigned long)(4 * tacit_rdp_orders[i]));
    most = fmax(most, tacit_amount_root_down(room));
  }
  mpz_clears(sum, room, NULL);
  return most;
}
