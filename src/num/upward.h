/* Sums, products and roots of doubles rounded up: never below the exact value, and equal to it where it is a
   double. For bounds that a promise rests on. Arguments are finite; an overflow gives infinity. */
#ifndef TACIT_SRC_UPWARD_H
#define TACIT_SRC_UPWARD_H

#include <math.h>

/* The rounding error of a sum is a double (Knuth's two-sum), so its sign says on which side we are. */
static inline double tacit_up_add(double a, double b) {
  double sum = a + b, part = sum - a;
  double left = (a - (sum - part)) + (b - part);
  return left > 0 ? nextafter(sum, INFINITY) : sum;
}

/* Below 1e-280 the error itself may underflow. */
static inline double tacit_up_mul(double a, double b) {
  double product = a * b;
  if (product != 0 && fabs(product) < 1e-280) return nextafter(product, INFINITY);
  if (product == 0 && a != 0 && b != 0) return 0x1p-1074;
  return fma(a, b, -product) > 0 ? nextafter(product, INFINITY) : product;
}

/* a >= 0. */
static inline double tacit_up_sqrt(double a) {
  double root = sqrt(a);
  if (a > 0 && a < 1e-280) return nextafter(root, INFINITY);
  return fma(root, root, -a) < 0 ? nextafter(root, INFINITY) : root;
}

/* a >= 0, b > 0. */
static inline double tacit_up_div(double a, double b) {
  double ratio = a / b;
  return a == 0 ? 0 : nextafter(ratio, INFINITY);
}

#endif
