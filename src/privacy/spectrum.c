/* Chunk by chunk: coefficient k and its mirror image -k of a + i b are taken apart, raised, multiplied and
   put together again. In bit-reversed order the mirror image of the positions from 2^o up to 2^(o+1) is the
   same range backwards. */
#include "privacy/spectrum.h"

#include "num/clones.h"
#include "num/fft.h"

#include <float.h>
#include <math.h>

enum { CHUNK = 128, LANES = 8 };

/* How far fl(z^power) may be from the exact coefficient's power, z being within `error` of it:
   |a^p - b^p| <= p |a - b| max(|a|, |b|)^(p-1), and p - 1 roundings. */
typedef struct spoiling {
  double relative, large, small; /* relative, and more where the coefficient is large or small */
} spoiling;

static spoiling of_power(uint64_t power, double error) {
  double p = (double)power;
  if (power == 0) return (spoiling){0, 0, 0};
  double relative = expm1(p * 3 * DBL_EPSILON / 2) * 1.001;
  return (spoiling){relative, 2 * p * error * (1 + relative) * exp(2 * p * error) * 1.001,
                    p * error * exp((p - 1) * log(0.5 + error) + 1e-9) + 1e-130};
}

/* Some coefficients of one sequence. */
typedef struct some {
  double re[CHUNK], im[CHUNK];
} some;

/* At least |z|, and at most 1.09 |z|: x + (sqrt 2 - 1) y for x >= y. */
static inline __attribute__((always_inline)) double size_of(double re, double im) {
  double x = fabs(re), y = fabs(im);
  return (x > y ? x + 0.41422 * y : y + 0.41422 * x) + 1e-150;
}

static inline __attribute__((always_inline)) void times(size_t n, some *z, const some *by) {
  for (size_t i = 0; i < n; i++) {
    double re = z->re[i] * by->re[i] - z->im[i] * by->im[i];
    z->im[i] = z->re[i] * by->im[i] + z->im[i] * by->re[i];
    z->re[i] = re;
  }
}

static inline __attribute__((always_inline)) void square(size_t n, some *z) {
  for (size_t i = 0; i < n; i++) {
    double re = z->re[i] * z->re[i] - z->im[i] * z->im[i], im = 2 * z->re[i] * z->im[i];
    /* 1e-140 off; no use in subnormal numbers */
    double keep = re * re + im * im < 1e-280 ? 0 : 1;
    z->re[i] = re * keep;
    z->im[i] = im * keep;
  }
}

static inline __attribute__((always_inline)) double total(size_t n, const double *x) {
  double lane[LANES] = {0}, sum = 0;
  for (size_t i = 0; i < n; i += LANES)
    for (size_t j = 0; j < LANES; j++) lane[j] += x[i + j];
  for (size_t j = 0; j < LANES; j++) sum += lane[j];
  return sum;
}

/* What the products of one chunk cost: sums of squared errors, and of sizes. */
typedef struct cost {
  double squares[2], sizes;
} cost;

/* z = a^p times b^q, z being a^p already and b NULL where q is 0; its sizes and its errors are added up.
   spoil: of a's power and of b's. */
static inline __attribute__((always_inline)) void finish(size_t n, some *z, const some *a, const some *b,
                                                         const spoiling *spoil, double *squares,
                                                         double *sizes) {
  const spoiling of_a = spoil[0], of_b = spoil[1];
  double error[CHUNK] = {0}, size[CHUNK] = {0};
  for (size_t i = 0; i < n; i++) {
    double norm = a->re[i] * a->re[i] + a->im[i] * a->im[i], after = size_of(z->re[i], z->im[i]);
    double own = of_a.relative * after + (norm >= 0.2499 ? of_a.large * after : 0) + of_a.small;
    error[i] = own + 3 * DBL_EPSILON * after;
    size[i] = after;
  }
  if (b) {
    times(n, z, b);
    for (size_t i = 0; i < n; i++) {
      double norm = b->re[i] * b->re[i] + b->im[i] * b->im[i], after = size_of(b->re[i], b->im[i]);
      double own = of_b.relative * after + (norm >= 0.2499 ? of_b.large * after : 0) + of_b.small;
      error[i] = error[i] * (after + own) + size[i] * own + 3 * DBL_EPSILON * size[i] * after;
      size[i] = size_of(z->re[i], z->im[i]);
    }
  }
  for (size_t i = 0; i < n; i++) error[i] *= error[i];
  *squares += 2 * total(n, error); /* of k and of its mirror image */
  *sizes += 2 * total(n, size);
}

/* n coefficients at re[0..], im[0..] whose mirror images are at back[-0..]. */
TACIT_CLONES static void multiply_chunk(const tacit_spectrum *s, size_t n, size_t at, size_t mirror,
                                        const spoiling *spoil, cost *sum) {
  some a, b, base, z[2];
  double *re = s->re + at, *im = s->im + at, *back_re = s->re + mirror, *back_im = s->im + mirror;
  for (size_t i = 0; i < n; i++) {
    double yr = *(back_re - i), yi = *(back_im - i);
    a.re[i] = (re[i] + yr) / 2;
    a.im[i] = (im[i] - yi) / 2;
    b.re[i] = (im[i] + yi) / 2;
    b.im[i] = (yr - re[i]) / 2;
  }
  for (size_t i = 0; i < n; i++) {
    base.re[i] = a.re[i], base.im[i] = a.im[i];
    z[0].re[i] = z[1].re[i] = 1;
    z[0].im[i] = z[1].im[i] = 0;
  }
  uint64_t p = s->power[0][0], q = s->products > 1 ? s->power[1][0] : 0;
  for (; p | q; p >>= 1, q >>= 1) {
    if (p & 1) times(n, &z[0], &base);
    if (q & 1) times(n, &z[1], &base);
    if (p > 1 || q > 1) square(n, &base);
  }
  for (size_t j = 0; j < s->products; j++)
    finish(n, &z[j], &a, s->power[j][1] > 0 ? &b : NULL, spoil + 2 * j, &sum->squares[j], &sum->sizes);
  if (s->products < 2)
    for (size_t i = 0; i < n; i++) z[1].re[i] = z[1].im[i] = 0;
  for (size_t i = 0; i < n; i++) {
    re[i] = z[0].re[i] - z[1].im[i];
    im[i] = z[0].im[i] + z[1].re[i];
    *(back_re - i) = z[0].re[i] + z[1].im[i];
    *(back_im - i) = z[1].re[i] - z[0].im[i];
  }
}

void tacit_spectrum_multiply(tacit_spectrum *s, double off[2]) {
  spoiling spoil[4];
  for (size_t j = 0; j < 2; j++)
    for (size_t i = 0; i < 2; i++) spoil[2 * j + i] = of_power(s->power[j][i], s->error[i]);
  size_t n = (size_t)1 << s->bits;
  cost all = {{0, 0}, 0};
  multiply_chunk(s, 1, 0, 0, spoil, &all);
  if (n > 1) multiply_chunk(s, 1, 1, 1, spoil, &all);
  for (size_t octave = 2; octave < n; octave *= 2)
    for (size_t at = 0; at < octave / 2; at += CHUNK) {
      size_t few = octave / 2 - at < CHUNK ? octave / 2 - at : CHUNK;
      multiply_chunk(s, few, octave + at, 2 * octave - 1 - at, spoil, &all);
    }
  /* sum |x| <= sqrt n ||x||_2 = ||X||_2 for the coefficients' errors; n times the error of each output back;
     putting two products together rounds once more */
  for (size_t j = 0; j < s->products; j++)
    off[j] = (sqrt(all.squares[j]) + (tacit_fft_error(s->bits) + DBL_EPSILON) * all.sizes) *
             (1 + DBL_EPSILON * (double)n);
}
