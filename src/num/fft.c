/* Radix-2 transforms that need no reordering: decimation in frequency forward, in time backward, so that a
   product between them may stay in bit-reversed order. */
#include "num/fft.h"

#include "num/clones.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* roots of the stage with half length m are at [m, 2m): e^(-pi i j / m), j < m, each part rounded from a long
   double, so that |root - exact| < 2^-53. */
struct tacit_fft {
  int bits, most; /* of the transforms, and of the table */
  double *cosine, *sine;
};

static void set_roots(tacit_fft *fft) {
  const long double pi = 3.14159265358979323846264338327950288L;
  size_t half = (size_t)1 << (fft->bits > 0 ? fft->bits - 1 : 0);
  double *c = fft->cosine + half, *s = fft->sine + half;
  if (half < 4) {
    static const double few[3][2] = {{1, 0}, {0, -1}, {0, 0}};
    for (size_t j = 0; j < half; j++) c[j] = few[j][0], s[j] = few[j][1];
  }
  /* an angle in [0, pi/4], then mirrored: sine and cosine are exact where they must be */
  for (size_t j = 0; half >= 4 && j <= half / 4; j++) {
    long double angle = pi * (long double)j / (long double)half;
    double x = (double)cosl(angle), y = (double)sinl(angle);
    c[j] = x, s[j] = -y;
    c[half / 2 - j] = y, s[half / 2 - j] = -x;
    c[half / 2 + j] = -y, s[half / 2 + j] = -x;
    if (j > 0) c[half - j] = -x, s[half - j] = -y;
  }
  for (size_t m = half / 2; m > 0; m /= 2)
    for (size_t j = 0; j < m; j++) {
      fft->cosine[m + j] = fft->cosine[2 * m + 2 * j];
      fft->sine[m + j] = fft->sine[2 * m + 2 * j];
    }
}

tacit_fft *tacit_fft_new(int bits) {
  if (bits < 0 || bits > TACIT_FFT_BITS_MAX) return NULL;
  tacit_fft *fft = tacit_alloc(1, sizeof *fft);
  if (!fft) return NULL;
  size_t n = (size_t)1 << (bits > 0 ? bits : 1);
  fft->bits = fft->most = bits;
  fft->cosine = tacit_alloc_aligned(n, sizeof(double));
  fft->sine = tacit_alloc_aligned(n, sizeof(double));
  if (!fft->cosine || !fft->sine) {
    tacit_fft_free(fft);
    return NULL;
  }
  set_roots(fft);
  return fft;
}

void tacit_fft_free(tacit_fft *fft) {
  if (!fft) return;
  free(fft->cosine);
  free(fft->sine);
  free(fft);
}

/* (a, b) becomes (a + b, (a - b) w). */
static inline __attribute__((always_inline)) void forward_block(size_t m, const double *restrict c,
                                                                const double *restrict s, double *restrict ar,
                                                                double *restrict ai, double *restrict br,
                                                                double *restrict bi) {
  for (size_t j = 0; j < m; j++) {
    double dr = ar[j] - br[j], di = ai[j] - bi[j];
    ar[j] += br[j];
    ai[j] += bi[j];
    br[j] = dr * c[j] - di * s[j];
    bi[j] = dr * s[j] + di * c[j];
  }
}

/* (a, b) becomes (a + b w*, a - b w*). */
static inline __attribute__((always_inline)) void backward_block(size_t m, const double *restrict c,
                                                                 const double *restrict s,
                                                                 double *restrict ar, double *restrict ai,
                                                                 double *restrict br, double *restrict bi) {
  for (size_t j = 0; j < m; j++) {
    double tr = br[j] * c[j] + bi[j] * s[j], ti = bi[j] * c[j] - br[j] * s[j];
    br[j] = ar[j] - tr;
    bi[j] = ai[j] - ti;
    ar[j] += tr;
    ai[j] += ti;
  }
}

TACIT_CLONES static void forward_stage(size_t m, const double *c, const double *s, double *ar, double *ai,
                                       double *br, double *bi) {
  forward_block(m, c, s, ar, ai, br, bi);
}

TACIT_CLONES static void backward_stage(size_t m, const double *c, const double *s, double *ar, double *ai,
                                        double *br, double *bi) {
  backward_block(m, c, s, ar, ai, br, bi);
}

bool tacit_fft_shorten(tacit_fft *fft, int bits) {
  if (bits < 0 || bits > fft->most || (bits == 0) != (fft->most == 0)) return false;
  fft->bits = bits;
  return true;
}

int tacit_fft_bits(const tacit_fft *fft) {
  return fft->bits;
}

/* Short butterflies: several of them in one call. */
enum { SHORT = 8 };

void tacit_fft_forward(const tacit_fft *fft, double *re, double *im) {
  size_t n = (size_t)1 << fft->bits, m = n / 2;
  for (; m >= SHORT; m /= 2)
    for (size_t at = 0; at < n; at += 2 * m)
      forward_stage(m, fft->cosine + m, fft->sine + m, re + at, im + at, re + at + m, im + at + m);
  for (; m > 0; m /= 2)
    for (size_t at = 0; at < n; at += 2 * m)
      forward_block(m, fft->cosine + m, fft->sine + m, re + at, im + at, re + at + m, im + at + m);
}

void tacit_fft_backward(const tacit_fft *fft, double *re, double *im) {
  size_t n = (size_t)1 << fft->bits, m = 1;
  for (; m < n && m < SHORT; m *= 2)
    for (size_t at = 0; at < n; at += 2 * m)
      backward_block(m, fft->cosine + m, fft->sine + m, re + at, im + at, re + at + m, im + at + m);
  for (; m < n; m *= 2)
    for (size_t at = 0; at < n; at += 2 * m)
      backward_stage(m, fft->cosine + m, fft->sine + m, re + at, im + at, re + at + m, im + at + m);
}

double tacit_fft_error(int bits) {
  /* (1 + 5u)^bits - 1 < 5.001 u bits, u = 2^-53 = DBL_EPSILON / 2 */
  return 2.6 * DBL_EPSILON * bits;
}
