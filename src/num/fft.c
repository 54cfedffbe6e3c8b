/* Radix-2 transforms that need no reordering: decimation in frequency forward, in time backward, so that a
   product between them may stay in bit-reversed order. */
#include "num/fft.h"

#include "num/clones.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* roots of the stage with half length m are at [m, 2m): e^(-pi i j / m), j < m, each part rounded from a long
   double, so that |root - exact| < 2^-53. */
struct tacit_fft {
  int bits, most; /* of the transforms, and of the table */
  double *cosine, *sine;
};

/* e^(i angle) in extended precision. */
typedef struct turn {
  long double x, y;
} turn;

static turn turn_by(long double j, long double half) {
  const long double pi = 3.14159265358979323846264338327950288L;
  long double angle = pi * j / half;
  return (turn){cosl(angle), sinl(angle)};
}

enum { FINE = 64 };

static void set_roots(tacit_fft *fft) {
  size_t half = (size_t)1 << (fft->bits > 0 ? fft->bits - 1 : 0);
  double *c = fft->cosine + half, *s = fft->sine + half;
  if (half < 4) {
    static const double few[3][2] = {{1, 0}, {0, -1}, {0, 0}};
    for (size_t j = 0; j < half; j++) c[j] = few[j][0], s[j] = few[j][1];
  }
  /* an angle in [0, pi/4], then mirrored: sine and cosine are exact where they must be. Sines and cosines of
     every 64th angle and of the first 64 give the others. */
  turn fine[FINE], coarse = {1, 0};
  for (size_t j = 0; half >= 4 && j < FINE && j <= half / 4; j++)
    fine[j] = turn_by((long double)j, (long double)half);
  for (size_t j = 0; half >= 4 && j <= half / 4; j++) {
    const turn *f = &fine[j % FINE];
    if (j % FINE == 0) coarse = turn_by((long double)j, (long double)half);
    double x = (double)(coarse.x * f->x - coarse.y * f->y), y = (double)(coarse.x * f->y + coarse.y * f->x);
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

/* The passes of half lengths 4, 2 and 1 on eight numbers at a time, which stay in one vector. A factor 1 or
   -1 changes nothing but a sign. */
enum { SHORT = 8 };
typedef double eight __attribute__((vector_size(SHORT * sizeof(double))));

static const eight SIGN[3] = {
    {1, -1, 1, -1, 1, -1, 1, -1}, {1, 1, -1, -1, 1, 1, -1, -1}, {1, 1, 1, 1, -1, -1, -1, -1}};

#define LOW_HALVES_4(x) __builtin_shufflevector(x, x, 0, 1, 2, 3, 0, 1, 2, 3)
#define HIGH_HALVES_4(x) __builtin_shufflevector(x, x, 4, 5, 6, 7, 4, 5, 6, 7)
#define LOW_HALVES_2(x) __builtin_shufflevector(x, x, 0, 1, 0, 1, 4, 5, 4, 5)
#define HIGH_HALVES_2(x) __builtin_shufflevector(x, x, 2, 3, 2, 3, 6, 7, 6, 7)
#define LOW_HALVES_1(x) __builtin_shufflevector(x, x, 0, 0, 2, 2, 4, 4, 6, 6)
#define HIGH_HALVES_1(x) __builtin_shufflevector(x, x, 1, 1, 3, 3, 5, 5, 7, 7)

TACIT_CLONES static void forward_short(size_t n, const double *cosine, const double *sine, double *re,
                                       double *im) {
  const double *c = cosine + 4, *s = sine + 4, *d = cosine + 2, *t = sine + 2;
  const eight c4 = {1, 1, 1, 1, c[0], c[1], c[2], c[3]}, s4 = {0, 0, 0, 0, s[0], s[1], s[2], s[3]};
  const eight c2 = {1, 1, d[0], d[1], 1, 1, d[0], d[1]}, s2 = {0, 0, t[0], t[1], 0, 0, t[0], t[1]};
  for (size_t at = 0; at < n; at += SHORT) {
    eight r, i, x, y;
    memcpy(&r, re + at, sizeof r);
    memcpy(&i, im + at, sizeof i);
    x = LOW_HALVES_4(r) + SIGN[2] * HIGH_HALVES_4(r);
    y = LOW_HALVES_4(i) + SIGN[2] * HIGH_HALVES_4(i);
    r = x * c4 - y * s4;
    i = x * s4 + y * c4;
    x = LOW_HALVES_2(r) + SIGN[1] * HIGH_HALVES_2(r);
    y = LOW_HALVES_2(i) + SIGN[1] * HIGH_HALVES_2(i);
    r = x * c2 - y * s2;
    i = x * s2 + y * c2;
    x = LOW_HALVES_1(r) + SIGN[0] * HIGH_HALVES_1(r);
    y = LOW_HALVES_1(i) + SIGN[0] * HIGH_HALVES_1(i);
    memcpy(re + at, &x, sizeof x);
    memcpy(im + at, &y, sizeof y);
  }
}

TACIT_CLONES static void backward_short(size_t n, const double *cosine, const double *sine, double *re,
                                        double *im) {
  const double *c = cosine + 4, *s = sine + 4, *d = cosine + 2, *t = sine + 2;
  const eight c4 = {c[0], c[1], c[2], c[3], c[0], c[1], c[2], c[3]};
  const eight s4 = {s[0], s[1], s[2], s[3], s[0], s[1], s[2], s[3]};
  const eight c2 = {d[0], d[1], d[0], d[1], d[0], d[1], d[0], d[1]};
  const eight s2 = {t[0], t[1], t[0], t[1], t[0], t[1], t[0], t[1]};
  for (size_t at = 0; at < n; at += SHORT) {
    eight r, i, x, y, br, bi;
    memcpy(&r, re + at, sizeof r);
    memcpy(&i, im + at, sizeof i);
    x = LOW_HALVES_1(r) + SIGN[0] * HIGH_HALVES_1(r);
    y = LOW_HALVES_1(i) + SIGN[0] * HIGH_HALVES_1(i);
    br = HIGH_HALVES_2(x), bi = HIGH_HALVES_2(y);
    r = LOW_HALVES_2(x) + SIGN[1] * (br * c2 + bi * s2);
    i = LOW_HALVES_2(y) + SIGN[1] * (bi * c2 - br * s2);
    br = HIGH_HALVES_4(r), bi = HIGH_HALVES_4(i);
    x = LOW_HALVES_4(r) + SIGN[2] * (br * c4 + bi * s4);
    y = LOW_HALVES_4(i) + SIGN[2] * (bi * c4 - br * s4);
    memcpy(re + at, &x, sizeof x);
    memcpy(im + at, &y, sizeof y);
  }
}

void tacit_fft_forward(const tacit_fft *fft, double *re, double *im) {
  size_t n = (size_t)1 << fft->bits, m = n / 2;
  for (; m >= SHORT; m /= 2)
    for (size_t at = 0; at < n; at += 2 * m)
      forward_stage(m, fft->cosine + m, fft->sine + m, re + at, im + at, re + at + m, im + at + m);
  if (n >= SHORT) {
    forward_short(n, fft->cosine, fft->sine, re, im);
    return;
  }
  for (; m > 0; m /= 2)
    for (size_t at = 0; at < n; at += 2 * m)
      forward_block(m, fft->cosine + m, fft->sine + m, re + at, im + at, re + at + m, im + at + m);
}

void tacit_fft_backward(const tacit_fft *fft, double *re, double *im) {
  size_t n = (size_t)1 << fft->bits, m = 1;
  if (n < SHORT) {
    for (; m < n; m *= 2)
      for (size_t at = 0; at < n; at += 2 * m)
        backward_block(m, fft->cosine + m, fft->sine + m, re + at, im + at, re + at + m, im + at + m);
    return;
  }
  backward_short(n, fft->cosine, fft->sine, re, im);
  for (m = SHORT; m < n; m *= 2)
    for (size_t at = 0; at < n; at += 2 * m)
      backward_stage(m, fft->cosine + m, fft->sine + m, re + at, im + at, re + at + m, im + at + m);
}

double tacit_fft_error(int bits) {
  /* (1 + 5u)^bits - 1 < 5.001 u bits, u = 2^-53 = DBL_EPSILON / 2 */
  return 2.6 * DBL_EPSILON * bits;
}
