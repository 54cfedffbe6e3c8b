/* Rounds columns of decimal fractions to doubles, in steps that the compiler turns into vectors.

   The value is v = w / t with a whole w < 2^64 and t = +-10^k, k <= 22, which is a double. Let u = 2^-53.
   w = w1 + w2 exactly, both doubles, |w2| <= u w1 (Fast2Sum of the halves of w). q = RN(w1 / t), so that
   |q t - w1| <= u |q t|. With q = qh + ql and t = th + tl, the high parts of 26 bits and the low ones below
   2^-25 of the whole, r = w1 - q t is summed from four products. The first three are exact. All that is
   subtracted, and what is left each time, is below 2^-23 w1 after the first step, which is exact itself
   (Sterbenz): three rounded differences and one rounded product are wrong by less than 2^-74 w1 together.
   c = (r + w2) / t then lacks at most 2^-73 |q| from v - q, the roundings of the sum and the quotient (each
   below 2^-104 |q|) included. So v lies between q + (c - d) and q + (c + d) for d = 2^-70 |q|, also with the
   roundings of c - d and c + d; rounding is monotone; where both ends round to the same double, v does, too.
   Where they do not, which one number in some ten thousand meets by chance and ties always do, integers
   decide. Nothing here overflows or underflows: t <= 10^22, and w is 0 or at least 1. */
#include "data/decimals.h"

#include "num/clones.h"

#include <math.h>
#include <string.h>

// clang-format off
const double tacit_tens[2 * TACIT_TEN_MINUS] = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    -1e0,  -1e1,  -1e2,  -1e3,  -1e4,  -1e5,  -1e6,  -1e7,  -1e8,  -1e9,  -1e10, -1e11, -1e12, -1e13, -1e14,
    -1e15, -1e16, -1e17, -1e18, -1e19, -1e20, -1e21, -1e22};
// clang-format on

enum { LANES = 8 };
typedef double lanes __attribute__((vector_size(LANES * sizeof(double))));
typedef uint64_t words __attribute__((vector_size(LANES * sizeof(uint64_t))));

/* A NaN where the bounds do not agree; returns whether there is one. */
TACIT_CLONES static bool round_most(const uint64_t *digits, const double *ten, size_t count, double *out) {
  const uint64_t low = 0xFFFFFFFF, two52 = 0x4330000000000000, two84 = 0x4530000000000000;
  const uint64_t high26 = ~(uint64_t)0 << 27, sign = (uint64_t)1 << 63;
  words open = {0};
  for (size_t i = 0; i < count; i += LANES) {
    words w;
    lanes t;
    memcpy(&w, digits + i, sizeof w);
    memcpy(&t, ten + i, sizeof t);
    /* each half of w as the last bits of 2^52 and of 2^84 */
    lanes below = (lanes)((w & low) | two52) - 0x1p52;
    lanes above = (lanes)((w >> 32) | two84) - 0x1p84;
    lanes w1 = above + below;
    lanes w2 = (above - w1) + below;
    lanes q = w1 / t;
    lanes qh = (lanes)((words)q & high26), ql = q - qh;
    lanes th = (lanes)((words)t & high26), tl = t - th;
    lanes r = (((w1 - qh * th) - qh * tl) - ql * th) - ql * tl;
    lanes c = (r + w2) / t;
    lanes d = (lanes)((words)q & ~sign) * 0x1p-70;
    lanes from = q + (c - d), to = q + (c + d);
    words differ = ~(words)(from == to);
    open |= differ;
    from = (lanes)((words)from | differ); /* all ones: a NaN */
    memcpy(out + i, &from, sizeof from);
  }
  uint64_t any = 0;
  for (size_t k = 0; k < LANES; k++) any |= open[k];
  return any;
}

static double round_exactly(uint64_t digits, double ten) {
  int k = 0;
  while (tacit_tens[k] < fabs(ten)) k++;
  double value = tacit_decimal_exact(digits, k);
  return ten < 0 ? -value : value;
}

void tacit_decimals_round(const uint64_t *digits, const double *ten, size_t count, double *out) {
  if (!round_most(digits, ten, count, out)) return;
  for (size_t i = 0; i < count; i++) {
    if (!isnan(out[i])) continue;
    if (isnan(ten[i]))
      memcpy(&out[i], &digits[i], sizeof out[i]);
    else
      out[i] = round_exactly(digits[i], ten[i]);
  }
}
