/* Rounds columns of decimal fractions to doubles, in steps that the compiler turns into vectors.

   The value is v = w / t with a whole w < 10^19 and t = +-10^k, k <= 22, which is a double. Let u = 2^-53.
   w = top * 10^16 + middle * 10^8 + last: each term is a double (48, 46 and 27 bits), and two Fast2Sums, each
   with the larger term first or 0, give w = w1 + w2 exactly, |w2| <= 2u w1. q is w1 times the rounded 1 / t:
   |q t - w1| <= 2.1 u w1. With q = qh + ql and t = th + tl, the high parts of 26 bits and the low ones below
   2^-25 of the whole, r = w1 - q t is summed from four products, of which the first three are exact. The
   first difference is exact, too (Sterbenz). It, and all that is left or subtracted after it, is below 2^-23
   w1: three rounded differences and one rounded product are wrong by less than 2^-74 w1 together. c, which is
   r + w2 times the rounded 1 / t, is below 5u |q| and lacks at most 2^-73 |q| from v - q, its own roundings
   (below 2^-100 |q|) included. So v lies between q + (c - d) and q + (c + d) for d = 2^-70 |q|, also with the
   roundings of c - d and c + d; rounding is monotone; where both ends round to the same double, v does, too.
   Where they do not, which one number in some ten thousand meets by chance and ties always do, integers
   decide. Nothing here overflows or underflows: t <= 10^22, and w is 0 or at least 1. */
#include "source/decimals.h"

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

enum { LANES = 8, EIGHT = 100000000 };
typedef double lanes __attribute__((vector_size(LANES * sizeof(double))));
typedef uint64_t words __attribute__((vector_size(LANES * sizeof(uint64_t))));

typedef int32_t narrow __attribute__((vector_size(LANES * sizeof(int32_t))));

/* A NaN where the bounds do not agree; returns whether there is one. */
TACIT_CLONES static bool round_most(const tacit_decimals *decimals, size_t count, double *out) {
  const uint64_t lower = 0xFFFFFFFF, two52 = 0x4330000000000000;
  const uint64_t high26 = ~(uint64_t)0 << 27, sign = (uint64_t)1 << 63;
  words open = {0};
  for (size_t i = 0; i < count; i += LANES) {
    words low;
    narrow top;
    lanes t;
    memcpy(&low, decimals->low + i, sizeof low);
    memcpy(&top, decimals->top + i, sizeof top);
    memcpy(&t, decimals->ten + i, sizeof t);
    /* each half of low as the last bits of 2^52 */
    lanes middle = ((lanes)((low & lower) | two52) - 0x1p52) * 1e8;
    lanes last = (lanes)((low >> 32) | two52) - 0x1p52;
    lanes first = __builtin_convertvector(top, lanes) * 1e16;
    lanes sum = first + middle, w1 = sum + last;
    lanes w2 = (middle - (sum - first)) + (last - (w1 - sum));
    lanes inverse = 1 / t, q = w1 * inverse;
    lanes qh = (lanes)((words)q & high26), ql = q - qh;
    lanes th = (lanes)((words)t & high26), tl = t - th;
    lanes r = (((w1 - qh * th) - qh * tl) - ql * th) - ql * tl;
    lanes c = (r + w2) * inverse;
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

static double round_exactly(const tacit_decimals *decimals, size_t i) {
  double ten = decimals->ten[i];
  uint64_t low = decimals->low[i], middle = low & 0xFFFFFFFF, last = low >> 32;
  int k = 0;
  while (tacit_tens[k] < fabs(ten)) k++;
  double value = tacit_decimal_exact(((uint64_t)decimals->top[i] * EIGHT + middle) * EIGHT + last, k);
  return ten < 0 ? -value : value;
}

void tacit_decimals_round(const tacit_decimals *decimals, size_t count, double *out) {
  if (!round_most(decimals, count, out)) return;
  for (size_t i = 0; i < count; i++) {
    if (!isnan(out[i])) continue;
    if (isnan(decimals->ten[i]))
      memcpy(&out[i], &decimals->low[i], sizeof out[i]);
    else
      out[i] = round_exactly(decimals, i);
  }
}
