/* The window outside which hardly any mass lies (Chernoff), one transform for each part, a power, and the way
   back. */
#include "privacy/convolve.h"

#include <stdlib.h>

/* ln of the mass that may be left outside the window on either side: more, where the window is too wide. */
static const double LOG_OUTSIDE[] = {-34, -29, -24};
enum { WINDOWS = sizeof LOG_OUTSIDE / sizeof *LOG_OUTSIDE };

/* ln of the sum of all mass times e^(lambda loss). */
static double log_moment(const tacit_convolve_part *parts, size_t count, double lambda) {
  double sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += (double)parts[i].power * tacit_measure_cumulant(parts[i].m, lambda).value;
  return sum;
}

/* Indices low..high outside which there is at most *outside mass. */
typedef struct window {
  double low, high, outside;
} window;

static window find_window(const tacit_convolve_part *parts, size_t count, double log_outside) {
  double width = parts[0].m->width, low = 0, high = 0, variance = 0;
  for (size_t i = 0; i < count; i++) {
    const tacit_measure *m = parts[i].m;
    double power = (double)parts[i].power;
    low += power * (double)m->low;
    high += power * (double)(m->low + (int64_t)m->count - 1);
    variance += power * tacit_measure_cumulant(m, 0).variance;
  }
  window w = {low, high, 0};
  if (high - low < 4096) return w; /* everything fits */
  /* For any lambda > 0 the mass above B is at most e^(ln moment(lambda) - lambda B); likewise below. For a
     normal sum lambda = sqrt(-2 log_outside)/sd is the best. */
  double best = sqrt(-2 * log_outside / fmax(variance, width * width));
  for (int side = -1; side <= 1; side += 2) {
    double narrowest = INFINITY;
    for (int halvings = -1; halvings < 30; halvings++) { /* first narrower, then wider */
      double lambda = ldexp(best, -halvings);
      double bound = (log_moment(parts, count, side * lambda) - log_outside) / lambda / width + 1;
      if (bound > narrowest && narrowest < high - low) break;
      narrowest = fmin(narrowest, bound);
    }
    if (side > 0 && narrowest < w.high) w.high = ceil(narrowest);
    if (side < 0 && -narrowest > w.low) w.low = floor(-narrowest);
  }
  /* cumulants are within 1e-10 of the exact ones; the 1 added above is more than that */
  w.outside = ((w.low > low) + (w.high < high)) * exp(log_outside) * (1 + 4 * DBL_EPSILON);
  if (w.low > w.high) w.low = w.high;
  return w;
}

typedef struct transform {
  double *re, *im;
  double error; /* of each coefficient */
  double relative, large,
      small; /* of its power: relative, and more where the coefficient is large or small */
} transform;

static void transform_free(transform *t) {
  free(t->re);
  free(t->im);
}

/* The part's masses, folded to the length of the transform: index j holds all losses j mod n. */
static tacit_status transform_part(const tacit_fft *fft, int bits, const tacit_measure *m, transform *t,
                                   tacit_error *error) {
  size_t n = (size_t)1 << bits;
  t->re = tacit_alloc_aligned(n, sizeof(double));
  t->im = tacit_alloc_aligned(n, sizeof(double));
  if (!t->re || !t->im) return tacit_no_memory(error);
  double sum = 0, folds = 2 + (double)m->count / (double)n;
  for (size_t i = 0; i < m->count; i++) {
    t->re[(size_t)(m->low + (int64_t)i) & (n - 1)] += m->mass[i];
    sum += m->mass[i];
  }
  tacit_fft_forward(fft, t->re, t->im);
  t->error = (tacit_fft_error(bits) + DBL_EPSILON * folds) * sum * (1 + DBL_EPSILON * (double)m->count);
  return TACIT_OK;
}

/* z^power by squaring; relative error below 3 * 2^-53 for each of the power - 1 factors. */
static void raise(double *re, double *im, uint64_t power) {
  double br = *re, bi = *im, r = 1, i = 0;
  for (;; power >>= 1) {
    if (power & 1) {
      double t = r * br - i * bi;
      i = r * bi + i * br;
      r = t;
    }
    if (power <= 1) break;
    double t = br * br - bi * bi;
    bi = 2 * br * bi;
    br = t;
    if (br * br + bi * bi < 1e-280) br = bi = 0; /* 1e-140 off; no use in subnormal numbers */
  }
  *re = r;
  *im = i;
}

/* How far fl(z^power) may be from the exact coefficient's power, z being within t.error of it:
   |a^p - b^p| <= p |a - b| max(|a|, |b|)^(p-1), and p - 1 roundings. */
static void set_power(transform *t, uint64_t power) {
  double p = (double)power;
  t->relative = expm1(p * 3 * DBL_EPSILON / 2) * 1.001;
  t->large = 2 * p * t->error * (1 + t->relative) * exp(2 * p * t->error) * 1.001;
  t->small = p * t->error * exp((p - 1) * log(0.5 + t->error) + 1e-9) + 1e-130;
}

static double size_of(double re, double im) {
  return sqrt(re * re + im * im) * (1 + 2 * DBL_EPSILON) + 1e-150;
}

/* Multiplies all transforms, raised to their powers, into the first; returns a bound on the sum of |out -
   exact| that the errors of the coefficients and of the way back will cause. */
static double multiply(const tacit_convolve_part *parts, transform *t, size_t count, int bits) {
  size_t n = (size_t)1 << bits;
  double squares = 0, sizes = 0;
  for (size_t i = 0; i < count; i++) set_power(&t[i], parts[i].power);
  for (size_t k = 0; k < n; k++) {
    double re = 1, im = 0, size = 1, error = 0;
    for (size_t i = 0; i < count; i++) {
      double zr = t[i].re[k], zi = t[i].im[k], before = size_of(zr, zi);
      if (before < 0.01 && parts[i].power >= 70)
        zr = zi = 0; /* below 1e-140 */
      else
        raise(&zr, &zi, parts[i].power);
      double after = size_of(zr, zi);
      double own = t[i].relative * after + (before >= 0.5 ? t[i].large * after : 0) + t[i].small;
      error = error * (after + own) + size * own + 3 * DBL_EPSILON * size * after;
      double product = re * zr - im * zi;
      im = re * zi + im * zr;
      re = product;
      size = size_of(re, im);
    }
    t[0].re[k] = re;
    t[0].im[k] = im;
    squares += error * error;
    sizes += size;
  }
  /* sum |x| <= sqrt n ||x||_2 = ||X||_2 for the coefficients' errors; n times the error of each output back
   */
  return (sqrt(squares) + tacit_fft_error(bits) * sizes) * (1 + DBL_EPSILON * (double)n);
}

static tacit_status read_window(const transform *t, int bits, window w, tacit_measure *out,
                                tacit_error *error) {
  size_t n = (size_t)1 << bits;
  out->low = (int64_t)w.low;
  out->count = (size_t)(w.high - w.low) + 1;
  out->mass = tacit_alloc(out->count, sizeof *out->mass);
  if (!out->mass) return tacit_no_memory(error);
  const double scale = ldexp(1, -bits);
  for (size_t i = 0; i < out->count; i++) /* a negative mass is only rounding: 0 is nearer to the truth */
    out->mass[i] = fmax(0, t->re[(size_t)(out->low + (int64_t)i) & (n - 1)] * scale);
  return TACIT_OK;
}

tacit_status tacit_convolve(const tacit_convolve_part *parts, size_t count, int bits_max, tacit_fft **roots,
                            tacit_measure *out, double *off, tacit_error *error) {
  if (count < 1 || count > TACIT_CONVOLVE_PARTS)
    return tacit_fail(error, TACIT_INTERNAL, "a product of no parts");
  out->width = parts[0].m->width;
  out->mass = NULL;
  int bits = bits_max + 1;
  window w = {0, 0, 0};
  for (int i = 0; i < WINDOWS && bits > bits_max; i++) {
    w = find_window(parts, count, LOG_OUTSIDE[i]);
    bits = 0;
    while (bits <= bits_max && ldexp(1, bits) < w.high - w.low + 1) bits++;
  }
  if (bits > bits_max || !(fabs(w.low) < 0x1p48))
    return tacit_fail(error, TACIT_REFUSED, "the privacy losses need too fine a grid");
  if (!*roots || tacit_fft_bits(*roots) != bits) {
    tacit_fft_free(*roots);
    *roots = tacit_fft_new(bits);
  }
  tacit_fft *fft = *roots;
  transform t[TACIT_CONVOLVE_PARTS] = {{.re = NULL}};
  tacit_status status = fft ? TACIT_OK : tacit_no_memory(error);
  for (size_t i = 0; i < count && status == TACIT_OK; i++)
    status = transform_part(fft, bits, parts[i].m, &t[i], error);
  if (status == TACIT_OK) {
    double rounding = multiply(parts, t, count, bits);
    tacit_fft_backward(fft, t[0].re, t[0].im);
    status = read_window(t, bits, w, out, error);
    *off = rounding + 2 * w.outside; /* what is outside is missing there and was folded in */
  }
  for (size_t i = 0; i < TACIT_CONVOLVE_PARTS; i++) transform_free(&t[i]);
  return status;
}
