/* Decides round(sigma z) by comparing the tail probability p of z with those of half integers.

   z < (m + 1/2) / sigma  if and only if  p > Q((m + 1/2) / sigma), where Q(x) = erfc(x / sqrt 2) / 2.
   p is known as an interval of the bits drawn so far, Q as an interval from directed rounding. While the two
   overlap, 64 more bits are drawn (proofs/exact-noise.md). */
#include "random/gaussian_hard.h"

#include <gmp.h>
#include <limits.h>
#include <mpfr.h>

_Static_assert(ULONG_MAX == UINT64_MAX, "GMP's unsigned long must hold the answer");

enum {
  WORD = 64,
  GUARD = 64 /* Q to so many bits more than p has: an overlap then says that p needs bits, not Q */
};

typedef struct tail_interval {
  tacit_stream *stream;
  long bits;        /* drawn so far */
  mpfr_t low, high; /* p lies between; exact, high - low = 2^-bits */
} tail_interval;

static void wipe_real(mpfr_t x) {
  tacit_wipe(mpfr_custom_get_significand(x), mpfr_custom_get_size(mpfr_get_prec(x)));
  mpfr_clear(x);
}

static void wipe_integer(mpz_t x) {
  size_t limbs = mpz_size(x);
  if (limbs) tacit_wipe(mpz_limbs_modify(x, (mp_size_t)limbs), limbs * sizeof(mp_limb_t));
  mpz_clear(x);
}

static void interval_set_high(tail_interval *p) {
  mpfr_t width;
  mpfr_init2(width, 2);
  mpfr_set_ui_2exp(width, 1, -p->bits, MPFR_RNDN);
  mpfr_add(p->high, p->low, width, MPFR_RNDN); /* exact: p has bits for it */
  mpfr_clear(width);
}

static void interval_begin(tail_interval *p, tacit_stream *stream, uint64_t tail) {
  p->stream = stream;
  p->bits = WORD;
  mpfr_inits2(p->bits, p->low, p->high, (mpfr_ptr)0);
  mpfr_set_ui_2exp(p->low, tail, -p->bits, MPFR_RNDN);
  interval_set_high(p);
}

static void interval_refine(tail_interval *p) {
  mpfr_t more;
  mpfr_init2(more, WORD);
  p->bits += WORD;
  mpfr_prec_round(p->low, p->bits, MPFR_RNDN);
  mpfr_set_prec(p->high, p->bits);
  mpfr_set_ui_2exp(more, tacit_stream_bits(p->stream), -p->bits, MPFR_RNDN);
  mpfr_add(p->low, p->low, more, MPFR_RNDN);
  interval_set_high(p);
  wipe_real(more);
}

static void interval_end(tail_interval *p) {
  wipe_real(p->low);
  wipe_real(p->high);
}

/* Q((m + 1/2) / sigma) = erfc((2m + 1) / (sigma sqrt 8)) / 2, rounded to the given side; m >= 0. */
static void boundary_tail(mpfr_t q, const mpz_t m, double sigma, mpfr_rnd_t side) {
  /* erfc falls: for a result too large, its argument must be too small, and the divisor too large. */
  mpfr_rnd_t other = side == MPFR_RNDU ? MPFR_RNDD : MPFR_RNDU;
  mpfr_t x, divisor;
  mpz_t odd;
  mpfr_inits2(mpfr_get_prec(q), x, divisor, (mpfr_ptr)0);
  mpz_init(odd);
  mpz_mul_2exp(odd, m, 1);
  mpz_add_ui(odd, odd, 1);
  mpfr_set_z(x, odd, other);
  mpfr_sqrt_ui(divisor, 8, side);
  mpfr_mul_d(divisor, divisor, sigma, side);
  mpfr_div(x, x, divisor, other);
  mpfr_erfc(q, x, side);
  mpfr_div_2ui(q, q, 1, side);
  wipe_integer(odd);
  wipe_real(x);
  mpfr_clear(divisor);
}

/* z < (m + 1/2) / sigma. The two are equal with probability 0. */
static bool below_boundary(tail_interval *p, const mpz_t m, double sigma) {
  mpfr_t q;
  mpfr_init2(q, p->bits + GUARD);
  bool below, above;
  for (;;) {
    boundary_tail(q, m, sigma, MPFR_RNDU);
    below = mpfr_cmp(p->low, q) >= 0;
    boundary_tail(q, m, sigma, MPFR_RNDD);
    above = mpfr_cmp(p->high, q) <= 0;
    if (below || above) break;
    interval_refine(p);
    mpfr_set_prec(q, p->bits + GUARD);
  }
  wipe_real(q);
  return below;
}

/* Raises upper until it is a bound; every failure raises lower. */
static void find_bracket(tail_interval *p, double sigma, mpz_t lower, mpz_t upper) {
  mpz_set_ui(lower, 0);
  mpz_set_ui(upper, 1);
  while (!below_boundary(p, upper, sigma)) {
    mpz_add_ui(lower, upper, 1);
    mpz_mul_2exp(upper, upper, 1);
  }
}

uint64_t tacit_gaussian_hard(tacit_stream *stream, uint64_t tail, double sigma,
                             const tacit_bracket *bracket) {
  tail_interval p;
  mpz_t lower, upper, middle;
  interval_begin(&p, stream, tail);
  mpz_inits(lower, upper, middle, (mpz_ptr)0);
  if (bracket) {
    mpz_set_si(lower, bracket->lower);
    mpz_set_si(upper, bracket->upper);
  } else {
    find_bracket(&p, sigma, lower, upper);
  }
  while (mpz_cmp(lower, upper) < 0) {
    mpz_add(middle, lower, upper);
    mpz_fdiv_q_2exp(middle, middle, 1);
    if (below_boundary(&p, middle, sigma))
      mpz_set(upper, middle);
    else
      mpz_add_ui(lower, middle, 1);
  }
  uint64_t answer = mpz_get_ui(lower); /* the lowest 64 bits */
  interval_end(&p);
  wipe_integer(lower);
  wipe_integer(upper);
  wipe_integer(middle);
  /* MPFR keeps constants and spare numbers per thread; a thread that ends would leak them. */
  mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE);
  return answer;
}
