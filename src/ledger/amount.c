/* Exact amounts: mu as the decimal a person writes, and sums of squares of such decimals without any
   rounding. The smallest double is near 5 10^-324, and 17 digits of it reach down to 10^-340, so squares are
   whole numbers of units of 10^-680. */
#include "ledger/amount.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <mpfr.h>

enum {
  DIGITS_MAX = 17, /* enough to tell any two doubles apart */
  EXPONENT_MIN = -340,
  EXPONENT_MAX = 308,
  SQUARE_UNIT = 680, /* squares are counted in 10^-680 */
  PRECISION = 2400   /* bits: whole numbers up to 10^720 are exact */
};

/* Splits a canonical text: 1 to 17 digits without zeros at either end, e, a whole number without leading
   zeros. */
static bool split(const char *text, uint64_t *digits, int *exponent) {
  size_t n = strspn(text, "0123456789");
  if (n < 1 || n > DIGITS_MAX || text[0] == '0' || text[n - 1] == '0' || text[n] != 'e') return false;
  *digits = 0;
  for (size_t i = 0; i < n; i++) *digits = *digits * 10 + (uint64_t)(text[i] - '0');
  const char *rest = text + n + 1;
  bool negative = *rest == '-';
  if (negative) rest++;
  size_t length = strspn(rest, "0123456789");
  if (length < 1 || length > 3 || rest[length] || (rest[0] == '0' && (length > 1 || negative))) return false;
  *exponent = 0;
  for (size_t i = 0; i < length; i++) *exponent = *exponent * 10 + (rest[i] - '0');
  if (negative) *exponent = -*exponent;
  return *exponent >= EXPONENT_MIN && *exponent <= EXPONENT_MAX;
}

/* digits 10^exponent, rounded to nearest at far more bits than a double has. */
static void set_decimal(mpfr_t x, uint64_t digits, int exponent) {
  mpfr_t power;
  mpfr_init2(power, PRECISION);
  mpfr_ui_pow_ui(power, 10, (unsigned long)(exponent < 0 ? -exponent : exponent), MPFR_RNDN); /* exact */
  mpfr_set_uj(x, digits, MPFR_RNDN);
  if (exponent < 0)
    mpfr_div(x, x, power, MPFR_RNDN);
  else
    mpfr_mul(x, x, power, MPFR_RNDN);
  mpfr_clear(power);
}

double tacit_amount_value(const char *text) {
  uint64_t digits;
  int exponent;
  if (!split(text, &digits, &exponent)) return NAN;
  mpfr_t x;
  mpfr_init2(x, PRECISION);
  set_decimal(x, digits, exponent);
  double value = mpfr_get_d(x, MPFR_RNDN);
  mpfr_clear(x);
  return value;
}

void tacit_amount_of(double mu, char text[TACIT_AMOUNT_SIZE]) {
  mpfr_t x;
  mpfr_init2(x, 53);
  mpfr_set_d(x, mu, MPFR_RNDN); /* exact */
  /* mpfr_get_str, unlike printf, knows no locale; it takes at least two digits */
  for (size_t n = 2; n <= DIGITS_MAX; n++) {
    char digits[DIGITS_MAX + 8];
    mpfr_exp_t point;
    mpfr_get_str(digits, &point, 10, n, x, MPFR_RNDN);
    size_t kept = n;
    while (kept > 1 && digits[kept - 1] == '0') kept--;
    snprintf(text, TACIT_AMOUNT_SIZE, "%.*se%d", (int)kept, digits, (int)point - (int)kept);
    if (tacit_amount_value(text) == mu) break;
  }
  mpfr_clear(x);
}

void tacit_amount_up(double x, char text[TACIT_AMOUNT_SIZE]) {
  char digits[DIGITS_MAX + 8];
  mpfr_exp_t point;
  mpfr_t exact;
  mpfr_init2(exact, 53);
  mpfr_set_d(exact, x, MPFR_RNDN); /* exact */
  mpfr_get_str(digits, &point, 10, DIGITS_MAX, exact, MPFR_RNDU);
  size_t kept = DIGITS_MAX;
  while (kept > 1 && digits[kept - 1] == '0') kept--;
  snprintf(text, TACIT_AMOUNT_SIZE, "%.*se%d", (int)kept, digits, (int)point - (int)kept);
  mpfr_clear(exact);
}

bool tacit_amount_linear(const char *text, mpz_t value) {
  uint64_t digits;
  int exponent;
  if (!split(text, &digits, &exponent)) return false;
  mpz_t factor;
  mpz_init(factor);
  int power = SQUARE_UNIT + exponent;
  mpz_ui_pow_ui(value, 10, (unsigned long)power);
  mpz_import(factor, 1, 1, sizeof digits, 0, 0, &digits);
  mpz_mul(value, value, factor);
  mpz_clear(factor);
  return true;
}

void tacit_amount_floor(double x, mpz_t value) {
  mpfr_t exact;
  mpfr_init2(exact, PRECISION + 1200); /* 53 bits times 10^680, 2260 bits */
  mpfr_ui_pow_ui(exact, 10, SQUARE_UNIT, MPFR_RNDN);
  mpfr_mul_d(exact, exact, x, MPFR_RNDN); /* exact */
  mpfr_get_z(value, exact, MPFR_RNDD);
  mpfr_clear(exact);
}

bool tacit_amount_square(const char *text, mpz_t square) {
  uint64_t digits;
  int exponent;
  if (!split(text, &digits, &exponent)) return false;
  mpz_t factor;
  mpz_init(factor);
  int power = SQUARE_UNIT + 2 * exponent;
  mpz_ui_pow_ui(square, 10, (unsigned long)power);
  mpz_import(factor, 1, 1, sizeof digits, 0, 0, &digits);
  mpz_mul(square, square, factor);
  mpz_mul(square, square, factor);
  mpz_clear(factor);
  return true;
}

/* The sign of (decimal of x)^2 - square. */
static int compare(double x, const mpz_t square) {
  char text[TACIT_AMOUNT_SIZE];
  mpz_t own;
  if (x == 0) return -mpz_sgn(square);
  mpz_init(own);
  tacit_amount_of(x, text);
  int order = tacit_amount_square(text, own) ? mpz_cmp(own, square) : 1;
  mpz_clear(own);
  return order;
}

/* A double next to the root: the callers step from it to the exact boundary. */
static double near_root(const mpz_t square) {
  mpfr_t x, unit;
  mpfr_inits2(PRECISION, x, unit, (mpfr_ptr)0);
  mpfr_set_z(x, square, MPFR_RNDN);
  mpfr_ui_pow_ui(unit, 10, SQUARE_UNIT, MPFR_RNDN);
  mpfr_div(x, x, unit, MPFR_RNDN);
  mpfr_sqrt(x, x, MPFR_RNDN);
  double root = mpfr_get_d(x, MPFR_RNDN);
  mpfr_clears(x, unit, (mpfr_ptr)0);
  return root;
}

double tacit_amount_root_up(const mpz_t square) {
  double x = near_root(square);
  while (compare(x, square) < 0) x = nextafter(x, INFINITY);
  while (x > 0 && compare(nextafter(x, 0), square) >= 0) x = nextafter(x, 0);
  return x;
}

double tacit_amount_root_down(const mpz_t square) {
  if (mpz_sgn(square) <= 0) return 0;
  double x = near_root(square);
  while (x > 0 && compare(x, square) > 0) x = nextafter(x, 0);
  while (compare(nextafter(x, INFINITY), square) <= 0) x = nextafter(x, INFINITY);
  return x;
}

bool tacit_amount_covers(const char *text, double x) {
  uint64_t digits;
  int exponent;
  if (!split(text, &digits, &exponent) || !isfinite(x)) return false;
  /* digits 10^exponent >= x, both sides as whole numbers times powers of two and ten */
  mpfr_t ours, theirs, factor;
  mpfr_inits2(PRECISION, ours, theirs, factor, (mpfr_ptr)0);
  mpfr_ui_pow_ui(theirs, 10, (unsigned long)(exponent < 0 ? -exponent : 0), MPFR_RNDN);
  mpfr_mul_d(theirs, theirs, x, MPFR_RNDN); /* exact: 1130 + 53 bits */
  mpfr_ui_pow_ui(ours, 10, (unsigned long)(exponent > 0 ? exponent : 0), MPFR_RNDN);
  mpfr_set_uj(factor, digits, MPFR_RNDN);
  mpfr_mul(ours, ours, factor, MPFR_RNDN); /* exact likewise */
  bool covers = mpfr_cmp(ours, theirs) >= 0;
  mpfr_clears(ours, theirs, factor, (mpfr_ptr)0);
  return covers;
}
