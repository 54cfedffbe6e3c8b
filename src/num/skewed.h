/* Laws with a skew, in units of their own spread: (e^(gZ) - 1) / w with Z standard normal, w such that half
   of it lies within 1 of the median 0 (Tukey's g). g = 0 is the normal law; with g > 0 the upper tail is the
   longer one: g = 0.5 is close to gamma laws of shape 2, 0.7 to the exponential law. */
#ifndef TACIT_SRC_NUM_SKEWED_H
#define TACIT_SRC_NUM_SKEWED_H

#define TACIT_SKEW_MOST 1.2

typedef struct tacit_skewed {
  double g, w; /* both of one sign, |w| < 1; with g near 0, w / g alone is of use */
  double per;  /* w / g */
} tacit_skewed;

/* g is held to [-TACIT_SKEW_MOST, TACIT_SKEW_MOST], a NaN to 0. */
tacit_skewed tacit_skewed_of(double g);
/* Its tau-quantile. */
double tacit_skewed_quantile(const tacit_skewed *law, double tau);
/* The g at which the tau-quantile is `at`, or the nearest there is; 0 at the median. */
double tacit_skew_with_quantile(double tau, double at);

#endif
