/* One element of the vector exp, Phi and normal density: straight-line code with selects instead of branches
   and no library calls, for loops that the compiler vectorises. Every function is correct for NaN and
   infinities.

   Coefficients and split constants come from bench/vmath_coefficients.py. */
#ifndef TACIT_SRC_VMATH_CORE_H
#define TACIT_SRC_VMATH_CORE_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#define TACIT_INLINE static inline __attribute__((always_inline))

TACIT_INLINE uint64_t tacit_core_bits(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

TACIT_INLINE double tacit_core_double(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* min(a, limit) for a >= 0, NaN stays. Such doubles order like their bits, so the top bit of a difference
   says which is larger. All in integers, because GCC turns a conditional expression with a constant arm into
   a jump, and the baseline has no selection between 64-bit integers. */
TACIT_INLINE double tacit_core_at_most(double a, double limit) {
  uint64_t over = tacit_core_bits(limit) - tacit_core_bits(a);
  uint64_t nan = tacit_core_bits((double)INFINITY) - tacit_core_bits(a);
  uint64_t mask = UINT64_C(0) - ((over & ~nan) >> 63);
  return tacit_core_double((tacit_core_bits(limit) & mask) | (tacit_core_bits(a) & ~mask));
}

/* 0 where the sign bit of x is set, 1 elsewhere. */
TACIT_INLINE double tacit_core_step(double x) {
  return tacit_core_double(tacit_core_bits(1.0) & ((tacit_core_bits(x) >> 63) - 1));
}

/* Adding 1.5 * 2^52 rounds a small number to an integer, which then stands in the low bits of the sum. */
#define TACIT_CORE_ROUND 0x1.8p52

/* 2^k for an integer k in [-1022, 1023]: k plus the exponent's bias 1023, shifted to the exponent's place. */
TACIT_INLINE double tacit_core_power(double k) {
  return tacit_core_double(tacit_core_bits(k + (TACIT_CORE_ROUND + 1023)) << 52);
}

/* m * 2^k for m near 1 and |k| <= 2044. Two factors reach below and above the range of one; the first product
   is exact, so subnormal results are rounded once. */
TACIT_INLINE double tacit_core_scale(double m, double k) {
  double half = (0.5 * k + TACIT_CORE_ROUND) - TACIT_CORE_ROUND;
  return m * tacit_core_power(half) * tacit_core_power(k - half);
}

/* (e^r - 1 - r) / r^2 for |r| <= ln(2) / 2, to 1.6e-17 of e^r. */
TACIT_INLINE double tacit_core_exp_rest(double r) {
  double q = 0x1.af389eea54156p-26;
  q = q * r + 0x1.28917c9f3a495p-22;
  q = q * r + 0x1.71de0db2eb873p-19;
  q = q * r + 0x1.a019b914881bap-16;
  q = q * r + 0x1.a01a01a7c2f2cp-13;
  q = q * r + 0x1.6c16c17889f3cp-10;
  q = q * r + 0x1.11111111109b5p-7;
  q = q * r + 0x1.5555555553d68p-5;
  q = q * r + 0x1.5555555555556p-3;
  q = q * r + 0x1.0000000000001p-1;
  return q;
}

/* e^(high + low) = 2^k (1 + p). */
typedef struct tacit_core_exponential {
  double k, p;
} tacit_core_exponential;

/* For |high| < 1100 and |low| < 1e-4. ln 2 is split into a multiple of 2^-42 and a rest: k times the former
   is exact, and so is its difference from high; what the sum r loses is kept in `lost`. */
TACIT_INLINE tacit_core_exponential tacit_core_exp_parts(double high, double low) {
  tacit_core_exponential e;
  e.k = (high * 0x1.71547652b82fep+0 + TACIT_CORE_ROUND) - TACIT_CORE_ROUND; /* high / ln 2, rounded */
  double r_high = high - e.k * 0x1.62e42fefa38p-1;
  double r_low = low - e.k * 0x1.ef35793c7673p-45;
  double r = r_high + r_low;
  double lost = r_low - (r - r_high);
  e.p = r + (lost + r * r * tacit_core_exp_rest(r));
  return e;
}

/* Beyond it Phi(-|x|) and the density are zero in doubles. */
#define TACIT_CORE_REACH 39.0

/* e^(-a^2/2) for 0 <= a < 40. The square is split, because rounding it would cost a^2/2 units in the last
   place: `head` keeps the leading 26 bits of a and has an exact square, the rest is small. */
TACIT_INLINE tacit_core_exponential tacit_core_gaussian(double a) {
  double head = tacit_core_double(tacit_core_bits(a) & ~((UINT64_C(1) << 27) - 1));
  return tacit_core_exp_parts(-0.5 * head * head, -0.5 * (a - head) * (a + head));
}

TACIT_INLINE double tacit_core_exp(double x) {
  double a = tacit_core_at_most(fabs(x), 746.0); /* e^746 overflows, e^-746 underflows to zero */
  tacit_core_exponential e = tacit_core_exp_parts(copysign(a, x), 0.0);
  return tacit_core_scale(1.0 + e.p, e.k);
}

/* Phi(-a) = e^(-a^2/2) m(t) / (a + 1) with t = (a - 6) / (a + 6). m lies between 0.40 and 0.53, so that
   neither t's error nor the polynomial's matters much; m comes as its leading coefficient plus the rest. */
TACIT_INLINE double tacit_core_mills(double t) {
  double t2 = t * t;
  double even = 0x1.ae6e822ff7eeap-30;
  even = even * t2 + -0x1.0c9e45582ff18p-26;
  even = even * t2 + 0x1.1c4611dc98730p-23;
  even = even * t2 + -0x1.0c548efc57493p-20;
  even = even * t2 + 0x1.281cd0bbdd031p-18;
  even = even * t2 + 0x1.3d0bea8c9f8d3p-15;
  even = even * t2 + -0x1.c79a7d466341cp-11;
  even = even * t2 + -0x1.ceac1d87e5ab2p-8;
  even = even * t2 + -0x1.43da9f73a07dcp-6;
  even = even * t2 + -0x1.08766e432cdc2p-6;
  even = even * t2 + 0x1.46229bd016ff7p-5;
  double odd = 0x1.931f41976d8adp-29;
  odd = odd * t2 + -0x1.57961a67cbf6ep-26;
  odd = odd * t2 + -0x1.ff3b70739e381p-32;
  odd = odd * t2 + 0x1.ded84ae764c37p-20;
  odd = odd * t2 + -0x1.ba2301d06b70cp-16;
  odd = odd * t2 + 0x1.f52d0b2bc0873p-14;
  odd = odd * t2 + 0x1.80c840e15006bp-9;
  odd = odd * t2 + 0x1.b212c02878ec4p-7;
  odd = odd * t2 + 0x1.7227accaeb27dp-6;
  odd = odd * t2 + -0x1.1e9d4130ecaedp-8;
  odd = odd * t2 + -0x1.5c438de6f0fe7p-4;
  return t * odd + t2 * even;
}
#define TACIT_CORE_MILLS_0 0x1.d0568f5d76666p-2

TACIT_INLINE double tacit_core_phi(double x) {
  double a = tacit_core_at_most(fabs(x), TACIT_CORE_REACH);
  tacit_core_exponential e = tacit_core_gaussian(a);
  /* a + 1 = s + s_lost exactly, and 1 / (s + s_lost) = (1 - s_lost / s) / s up to second order. */
  double s = a + 1.0;
  double s_lost = a - (s - 1.0);
  double inverse = 1.0 / (s * (a + 6.0)); /* one division for both 1 / (a + 6) and a rough 1 / s */
  /* t = 2 a / (a + 6) - 1: of the ways to write it the most exact for small a, where m is steep. */
  double rest = tacit_core_mills(2.0 * (a * s * inverse) - 1.0);
  double m = TACIT_CORE_MILLS_0 + rest;
  double lost = rest - (m - TACIT_CORE_MILLS_0) - m * s_lost * ((a + 6.0) * inverse);
  double product = m + (m * e.p + lost * (1.0 + e.p));
  double tail = tacit_core_scale(product / s, e.k);
  double upper = tacit_core_step(x);
  return upper + (1.0 - 2.0 * upper) * tail;
}

TACIT_INLINE double tacit_core_density(double x) {
  tacit_core_exponential e = tacit_core_gaussian(tacit_core_at_most(fabs(x), TACIT_CORE_REACH));
  const double top = 0x1.9884533d43651p-2; /* 1 / sqrt(2 pi) */
  return tacit_core_scale(top + top * e.p, e.k);
}

#endif
