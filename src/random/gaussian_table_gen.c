/* Computes the table of gaussian_table.h with MPFR, proves its error bound, and writes it as C; run by the
   build.

   Symbols (proofs/exact-noise.md): Q(z) the upper tail of the standard normal, phi its density, z(p) the
   inverse of Q; the k-th derivative of z is (-1)^k P_k(z) / phi(z)^k with P_1 = 1 and P_(k+1) = P_k' + k z
   P_k. The coefficients of P_k are not negative, so |z^(k)| grows with z, and a bound at z is a bound below
   it.

   Every bound is computed with directed rounding. Nothing here is trusted to be "accurate enough": a value
   that cannot be enclosed as tightly as claimed stops the build. */
#include "gaussian_table.h"

#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>

enum {
  PRECISION = 256,
  RADIUS = 180, /* z is enclosed to +- 2^-RADIUS: far below the last bit of any stored number */
  DEGREE = TACIT_GAUSSIAN_DEGREE
};

/* One floating-point operation errs by at most this, relatively, in whatever rounding mode the caller set. */
#define UNIT 0x1p-52

static const char *output;

static void stop(const char *reason) {
  fprintf(stderr, "gaussian_table_gen: %s\n", reason);
  remove(output);
  exit(1);
}

/* Coefficients of P_k(z) by power of z; small integers, exact in a double. */
static double derivative[DEGREE + 2][DEGREE + 2];

static void fill_derivatives(void) {
  derivative[1][0] = 1;
  for (int k = 1; k <= DEGREE; k++) {
    for (int i = 1; i <= DEGREE; i++) derivative[k + 1][i - 1] += i * derivative[k][i];
    for (int i = 0; i <= DEGREE; i++) derivative[k + 1][i + 1] += k * derivative[k][i];
  }
}

/* Q(z) rounded to the given side; scaling by 1/sqrt 2 is rounded to the side that errs the same way. */
static void tail(mpfr_t q, const mpfr_t z, mpfr_rnd_t side) {
  mpfr_rnd_t other = side == MPFR_RNDU ? MPFR_RNDD : MPFR_RNDU;
  mpfr_t x, root;
  mpfr_inits2(PRECISION, x, root, (mpfr_ptr)0);
  mpfr_sqrt_ui(root, 2, side);
  mpfr_div(x, z, root, other);
  mpfr_erfc(q, x, side);
  mpfr_div_2ui(q, q, 1, side);
  mpfr_clears(x, root, (mpfr_ptr)0);
}

/* 1 / phi(z) = sqrt(2 pi) e^(z^2 / 2), rounded to the given side; z >= 0. */
static void inverse_density(mpfr_t out, const mpfr_t z, mpfr_rnd_t side) {
  mpfr_t root;
  mpfr_init2(root, PRECISION);
  mpfr_const_pi(root, side);
  mpfr_mul_2ui(root, root, 1, side);
  mpfr_sqrt(root, root, side);
  mpfr_sqr(out, z, side);
  mpfr_div_2ui(out, out, 1, side);
  mpfr_exp(out, out, side);
  mpfr_mul(out, out, root, side);
  mpfr_clear(root);
}

/* Encloses z(p). *low carries the last solution in: p falls from call to call, so it lies to the left of the
   new one, and Newton's method on the convex Q climbs from there without overshooting. The iteration itself
   is not trusted; the enclosure is checked at the end. */
static void enclose_quantile(mpfr_t low, mpfr_t high, const mpfr_t p) {
  mpfr_t z, q, slope;
  mpfr_inits2(PRECISION, z, q, slope, (mpfr_ptr)0);
  mpfr_set(z, low, MPFR_RNDN);
  for (int i = 0; i < 60; i++) {
    tail(q, z, MPFR_RNDD);
    mpfr_sub(q, q, p, MPFR_RNDN);
    inverse_density(slope, z, MPFR_RNDN);
    mpfr_mul(q, q, slope, MPFR_RNDN);
    mpfr_add(z, z, q, MPFR_RNDN);
    if (mpfr_zero_p(q) || mpfr_get_exp(q) < -RADIUS - 10) break;
  }
  mpfr_set_ui_2exp(q, 1, -RADIUS, MPFR_RNDN);
  mpfr_sub(low, z, q, MPFR_RNDD);
  mpfr_add(high, z, q, MPFR_RNDU);
  tail(q, low, MPFR_RNDD);
  if (mpfr_cmp(q, p) <= 0) stop("no lower bound for a quantile");
  tail(q, high, MPFR_RNDU);
  if (mpfr_cmp(q, p) >= 0) stop("no upper bound for a quantile");
  mpfr_clears(z, q, slope, (mpfr_ptr)0);
}

/* |z^(k)| h^k / k! rounded to the given side, from a z that errs to that side. */
static void taylor_term(mpfr_t out, int k, const mpfr_t z, const mpfr_t h, mpfr_rnd_t side) {
  mpfr_t factor;
  mpfr_init2(factor, PRECISION);
  mpfr_set_ui(out, 0, MPFR_RNDN);
  for (int i = DEGREE + 1; i >= 0; i--) {
    mpfr_mul(out, out, z, side);
    mpfr_add_d(out, out, derivative[k][i], side);
  }
  inverse_density(factor, z, side);
  mpfr_mul(factor, factor, h, side);
  mpfr_pow_ui(factor, factor, (unsigned)k, side);
  mpfr_mul(out, out, factor, side);
  for (unsigned i = 2; i <= (unsigned)k; i++) mpfr_div_ui(out, out, i, side);
  mpfr_clear(factor);
}

/* An upper bound of |x - y| for every y in [low, high]. */
static void distance(mpfr_t out, double x, const mpfr_t low, const mpfr_t high) {
  mpfr_t other;
  mpfr_init2(other, PRECISION);
  mpfr_sub_d(out, low, x, MPFR_RNDA);
  mpfr_sub_d(other, high, x, MPFR_RNDA);
  mpfr_abs(out, out, MPFR_RNDN);
  mpfr_abs(other, other, MPFR_RNDN);
  mpfr_max(out, out, other, MPFR_RNDU);
  mpfr_clear(other);
}

/* hi and c, and how far each stored coefficient is from the true one. */
static void fill_row(tacit_gaussian_row *row, mpfr_t *coefficient_error, const mpfr_t low, const mpfr_t high,
                     const mpfr_t h) {
  mpfr_t hi, a, b;
  mpfr_init2(hi, TACIT_GAUSSIAN_HI_BITS);
  mpfr_inits2(PRECISION, a, b, (mpfr_ptr)0);
  mpfr_set(hi, low, MPFR_RNDN);
  row->hi = mpfr_get_d(hi, MPFR_RNDN);
  mpfr_sub(a, low, hi, MPFR_RNDD);
  mpfr_sub(b, high, hi, MPFR_RNDU);
  row->c[0] = mpfr_get_d(a, MPFR_RNDN);
  distance(coefficient_error[0], row->c[0], a, b);
  for (int k = 1; k <= DEGREE; k++) {
    taylor_term(a, k, low, h, MPFR_RNDD);
    taylor_term(b, k, high, h, MPFR_RNDU);
    double size = mpfr_get_d(b, MPFR_RNDN);
    distance(coefficient_error[k], size, a, b);
    row->c[k] = k % 2 ? -size : size;
  }
  mpfr_clears(hi, a, b, (mpfr_ptr)0);
}

/* sum += x factor, upward. */
static void add_scaled(mpfr_t sum, const mpfr_t x, double factor) {
  mpfr_t product;
  mpfr_init2(product, PRECISION);
  mpfr_mul_d(product, x, factor, MPFR_RNDU);
  mpfr_add(sum, sum, product, MPFR_RNDU);
  mpfr_clear(product);
}

/* Bounds what Horner's rule and the sampler's three later operations add (the proof's section "Rounding"). */
static void rounding_error(mpfr_t error, const tacit_gaussian_row *row, mpfr_t *coefficient_error) {
  mpfr_t size, c; /* size: of the partial sum so far */
  mpfr_inits2(PRECISION, size, c, (mpfr_ptr)0);
  mpfr_set_d(size, row->c[DEGREE], MPFR_RNDN);
  mpfr_abs(size, size, MPFR_RNDN);
  mpfr_set(error, coefficient_error[DEGREE], MPFR_RNDU);
  for (int i = DEGREE - 1; i >= 0; i--) {
    mpfr_set_d(c, row->c[i], MPFR_RNDN);
    mpfr_abs(c, c, MPFR_RNDN);
    mpfr_add(error, error, coefficient_error[i], MPFR_RNDU);
    add_scaled(error, size, 2 * UNIT);           /* t was rounded, and so is the product */
    mpfr_mul_d(size, size, 1 + UNIT, MPFR_RNDU); /* the product */
    mpfr_add(c, c, size, MPFR_RNDU);
    add_scaled(error, c, UNIT); /* the sum */
    mpfr_mul_d(size, c, 1 + UNIT, MPFR_RNDU);
  }
  add_scaled(error, size, UNIT); /* sigma * rest */
  mpfr_mul_d(size, size, 1 + UNIT, MPFR_RNDU);
  mpfr_set_d(c, row->hi * 0x1p-26, MPFR_RNDU); /* the low half of sigma times hi, over sigma */
  mpfr_add(size, size, c, MPFR_RNDU);
  add_scaled(error, size, UNIT); /* adding these two */
  mpfr_mul_d(size, size, 1 + UNIT, MPFR_RNDU);
  add_scaled(error, size,
             UNIT); /* adding the fraction of the high half; the fraction's own part is absolute */
  mpfr_clears(size, c, (mpfr_ptr)0);
}

typedef struct bounds {
  mpfr_t largest; /* error without the interval's width, over all rows so far */
  mpfr_t edge;    /* upper bound of z at the end of the rows so far */
} bounds;

static void make_row(tacit_gaussian_row *row, int octave, int segment, mpfr_t low, bounds *all) {
  mpfr_t p, h, high, edge_low, error, remainder;
  mpfr_t coefficient_error[DEGREE + 1];
  mpfr_inits2(PRECISION, p, h, high, edge_low, error, remainder, (mpfr_ptr)0);
  for (int i = 0; i <= DEGREE; i++) mpfr_init2(coefficient_error[i], PRECISION);

  /* The octave starts at 2^-(octave+2); the segment's middle is 2 segment + 1 half widths h above. */
  mpfr_set_ui_2exp(h, 1, -octave - 2 - TACIT_GAUSSIAN_SEGMENT_BITS - 1, MPFR_RNDN);
  mpfr_mul_ui(p, h, 2 * TACIT_GAUSSIAN_SEGMENTS + 2 * (unsigned)segment + 1, MPFR_RNDN);
  enclose_quantile(low, high, p);
  fill_row(row, coefficient_error, low, high, h);

  /* Lagrange's remainder and the slope are largest at the segment's smaller p. */
  mpfr_sub(p, p, h, MPFR_RNDN);
  mpfr_set(edge_low, low, MPFR_RNDN);
  enclose_quantile(edge_low, all->edge, p);
  taylor_term(remainder, DEGREE + 1, all->edge, h, MPFR_RNDU);
  rounding_error(error, row, coefficient_error);
  mpfr_add(error, error, remainder, MPFR_RNDU);
  mpfr_max(all->largest, all->largest, error, MPFR_RNDU);

  /* p is within 2^-65 of the middle of k's interval. */
  inverse_density(remainder, all->edge, MPFR_RNDU);
  mpfr_mul_2si(remainder, remainder, -65, MPFR_RNDU);
  mpfr_add(error, error, remainder, MPFR_RNDU);
  mpfr_mul_d(error, error, 1 + 0x1p-40, MPFR_RNDU); /* the sampler's own sigma * error rounds, too */
  row->error = mpfr_get_d(error, MPFR_RNDU);

  for (int i = 0; i <= DEGREE; i++) mpfr_clear(coefficient_error[i]);
  mpfr_clears(p, h, high, edge_low, error, remainder, (mpfr_ptr)0);
}

static void print_row(FILE *file, const tacit_gaussian_row *row) {
  fprintf(file, "{%a, {", row->hi);
  for (int k = 0; k <= DEGREE; k++) fprintf(file, "%s%a", k ? ", " : "", row->c[k]);
  fprintf(file, "}, %a},\n", row->error);
}

int main(int count, char **arguments) {
  if (count != 2) {
    fprintf(stderr, "usage: gaussian_table_gen OUTPUT\n");
    return 2;
  }
  output = arguments[1];
  FILE *file = fopen(output, "w");
  if (!file) stop("the output file cannot be written");
  fill_derivatives();

  bounds all;
  mpfr_t low;
  mpfr_inits2(PRECISION, all.largest, all.edge, low, (mpfr_ptr)0);
  mpfr_set_ui(all.largest, 0, MPFR_RNDN);
  mpfr_set_ui(low, 0, MPFR_RNDN);
  fprintf(file, "/* Written by gaussian_table_gen.c; proofs/exact-noise.md says what is proved of it. */\n");
  fprintf(file, "const tacit_gaussian_row tacit_gaussian_table[%d][%d] = {\n", TACIT_GAUSSIAN_OCTAVES,
          TACIT_GAUSSIAN_SEGMENTS);
  for (int octave = 0; octave < TACIT_GAUSSIAN_OCTAVES; octave++) {
    tacit_gaussian_row rows[TACIT_GAUSSIAN_SEGMENTS];
    /* Downwards, for enclose_quantile. */
    for (int segment = TACIT_GAUSSIAN_SEGMENTS - 1; segment >= 0; segment--)
      make_row(&rows[segment], octave, segment, low, &all);
    fprintf(file, "{\n");
    for (int segment = 0; segment < TACIT_GAUSSIAN_SEGMENTS; segment++) print_row(file, &rows[segment]);
    fprintf(file, "},\n");
  }
  if (mpfr_cmp_d(all.largest, TACIT_GAUSSIAN_ERROR) > 0)
    stop("the error bound is larger than gaussian_table.h claims");
  fprintf(file, "};\nconst double tacit_gaussian_proved_error = %a;\n", mpfr_get_d(all.largest, MPFR_RNDU));
  fprintf(file, "const double tacit_gaussian_tail_start = %a;\n", mpfr_get_d(all.edge, MPFR_RNDN));
  mpfr_clears(all.largest, all.edge, low, (mpfr_ptr)0);
  mpfr_free_cache();
  if (fclose(file)) stop("the output file cannot be written");
  return 0;
}
