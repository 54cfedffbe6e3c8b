/* Exact amounts: mu as the decimal a person writes, and sums of squares of such decimals without any
   rounding.

   A double mu stands for the shortest decimal, of two digits or more before zeros are dropped, that reads
   back as the same double, so that 0.3 and 0.4 fill a
   budget of 0.5 exactly. That decimal may lie below the double by a relative 2^-53; releases keep a larger
   margin than that (proofs/ledger.md, "Rounding"). */
#ifndef TACIT_SRC_LEDGER_AMOUNT_H
#define TACIT_SRC_LEDGER_AMOUNT_H

#include "base/base.h"

#include <gmp.h>

enum { TACIT_AMOUNT_SIZE = 32 }; /* at most 17 digits, e, a sign and three digits */

/* The decimal of a positive finite double as "digits e exponent" without a point: 0.25 is 25e-2. */
void tacit_amount_of(double mu, char text[TACIT_AMOUNT_SIZE]);
/* Its square in units of 10^-680, which is exact for every double; false for a text that is not canonical. */
bool tacit_amount_square(const char *text, mpz_t square) TACIT_CHECKED;
/* The double nearest to a canonical text. */
double tacit_amount_value(const char *text);

/* A decimal of 17 digits that is not below x > 0. */
void tacit_amount_up(double x, char text[TACIT_AMOUNT_SIZE]);
/* The decimal itself in units of 10^-680. */
bool tacit_amount_linear(const char *text, mpz_t value) TACIT_CHECKED;
/* floor(x 10^680) for a finite x >= 0. */
void tacit_amount_floor(double x, mpz_t value);

/* The smallest double whose decimal has at least this square; 0 for 0. */
double tacit_amount_root_up(const mpz_t square);
/* The largest double whose decimal has at most this square; 0 when there is none above 0. */
double tacit_amount_root_down(const mpz_t square);
/* Whether a decimal is at least the double x, compared exactly. */
bool tacit_amount_covers(const char *text, double x);

#endif
