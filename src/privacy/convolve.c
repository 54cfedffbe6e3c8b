/* The window outside which hardly any mass lies (Chernoff), one transform for each part, a power, and the way
   back. */
#include "privacy/convolve.h"

#include "privacy/spectrum.h"

#include <stdlib.h>

/* More mass may be left outside the window where it would be too wide. */
static const double WIDER[] = {0, 5, 10};
enum { WINDOWS = sizeof WIDER / sizeof *WIDER, FITS = 2048 };

/* ln of the sum of all mass times e^(lambda loss). */
static double log_moment(const tacit_convolve_part *parts, const tacit_points *points, size_t count,
                         double lambda) {
  double sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += (double)parts[i].power * tacit_points_cumulant(&points[i], lambda).value;
  return sum;
}

/* Indices low..high outside which there is at most *outside mass. */
typedef struct window {
  double low, high, outside;
} window;

/* The end that the lambdas about `best` give for one side, the narrowest. */
static double thorough_end(const tacit_convolve_part *parts, const tacit_points *points, size_t count,
                           double log_outside, double best, int side, double most) {
  double width = parts[0].m->width, narrowest = INFINITY;
  for (int halvings = -1; halvings < 30; halvings++) { /* first narrower, then wider */
    double lambda = ldexp(best, -halvings);
    double bound = (log_moment(parts, points, count, side * lambda) - log_outside) / lambda / width + 1;
    if (bound > narrowest && narrowest < most) break;
    narrowest = fmin(narrowest, bound);
  }
  return narrowest;
}

/* How far the mass reaches above 0 and below it, in cells. */
typedef struct ends {
  double above, below;
} ends;

static tacit_status thorough_ends(const tacit_convolve_part *parts, size_t count, double log_outside,
                                  double best, double most, ends *to, tacit_error *error) {
  tacit_points points[TACIT_CONVOLVE_PARTS] = {{0, NULL, NULL}, {0, NULL, NULL}};
  tacit_status status = TACIT_OK;
  for (size_t i = 0; i < count && status == TACIT_OK; i++)
    status = tacit_points_of(parts[i].m, &points[i], error);
  if (status == TACIT_OK) {
    to->above = thorough_end(parts, points, count, log_outside, best, +1, most);
    to->below = thorough_end(parts, points, count, log_outside, best, -1, most);
  }
  for (size_t i = 0; i < TACIT_CONVOLVE_PARTS; i++) tacit_points_free(&points[i]);
  return status;
}

/* For any lambda > 0 the mass above B is at most e^(ln moment(lambda) - lambda B); likewise below. For a
   normal sum lambda = sqrt(-2 log_outside)/sd is the best, and is the only one tried if its window needs no
   longer a transform than a normal sum would. */
static tacit_status find_window(const tacit_convolve_part *parts, size_t count, double log_outside, window *w,
                                tacit_error *error) {
  double width = parts[0].m->width, low = 0, high = 0, variance = 0;
  for (size_t i = 0; i < count; i++) {
    const tacit_measure *m = parts[i].m;
    double power = (double)parts[i].power;
    low += power * (double)m->low;
    high += power * (double)(m->low + (int64_t)m->count - 1);
    variance += power * tacit_measure_variance(m);
  }
  *w = (window){low, high, 0};
  if (high - low < FITS) return TACIT_OK; /* everything fits */
  double spread = sqrt(fmax(variance, width * width)), best = sqrt(-2 * log_outside) / spread;
  ends to = {0, 0};
  for (size_t i = 0; i < count; i++) {
    double up, down;
    tacit_measure_log_moments(parts[i].m, best, &up, &down);
    to.above += (double)parts[i].power * up;
    to.below += (double)parts[i].power * down;
  }
  to.above = (to.above - log_outside) / best / width + 1;
  to.below = (to.below - log_outside) / best / width + 1;
  double normal = 2 * sqrt(-2 * log_outside) * spread / width + 3;
  double both = to.above + to.below;
  if (!(both < normal * 1.1 || ceil(log2(both + 3)) <= ceil(log2(normal))))
    TACIT_TRY(thorough_ends(parts, count, log_outside, best, high - low, &to, error));
  if (to.above < w->high) w->high = ceil(to.above);
  if (-to.below > w->low) w->low = floor(-to.below);
  /* cumulants are within 1e-10 of the exact ones; the 1 added above is more than that */
  w->outside = ((w->low > low) + (w->high < high)) * exp(log_outside) * (1 + 4 * DBL_EPSILON);
  if (w->low > w->high) w->low = w->high;
  return TACIT_OK;
}

/* Both sequences, folded to the length of the transform: index j holds all losses j mod n. */
static void fold(const tacit_measure *m, size_t n, double scale, double *to) {
  for (size_t i = 0; i < m->count;) {
    size_t at = (size_t)(m->low + (int64_t)i) & (n - 1), few = n - at < m->count - i ? n - at : m->count - i;
    for (size_t j = 0; j < few; j++) to[at + j] += m->mass[i + j] * scale;
    i += few;
  }
}

/* How far the first and the second sequence's coefficients may be off: the transform's error is relative to
   both sums together, and taking the two apart rounds once. So the second comes with a power of two that
   makes the sums alike. Returns that exponent. */
static int set_errors(const tacit_measure *const in[2], tacit_spectrum *s) {
  double sums = 0, folds = 0, n = ldexp(1, s->bits), most = 0;
  int exponent[2] = {0, 0};
  for (size_t i = 0; i < 2 && in[i]; i++) {
    double sum = tacit_measure_total(in[i]);
    if (sum > 0 && sum < INFINITY) (void)frexp(sum, &exponent[i]);
    sums += ldexp(sum, i ? exponent[0] - exponent[1] : 0);
    folds = fmax(folds, 2 + (double)in[i]->count / n);
    most = fmax(most, (double)in[i]->count);
  }
  double error = (tacit_fft_error(s->bits) + DBL_EPSILON * (1 + folds)) * sums * (1 + DBL_EPSILON * most);
  s->error[0] = s->error[1] = error;
  return in[1] ? exponent[0] - exponent[1] : 0;
}

static tacit_status read_window(const double *from, int bits, int exponent, window w, double width,
                                tacit_measure *out, tacit_error *error) {
  size_t n = (size_t)1 << bits;
  out->width = width;
  out->low = (int64_t)w.low;
  out->count = (size_t)(w.high - w.low) + 1;
  out->mass = tacit_alloc(out->count, sizeof *out->mass);
  if (!out->mass) return tacit_no_memory(error);
  const double scale = ldexp(1, -bits - exponent);
  for (size_t i = 0; i < out->count;) { /* a negative mass is only rounding: 0 is nearer to the truth */
    size_t at = (size_t)(out->low + (int64_t)i) & (n - 1),
           few = n - at < out->count - i ? n - at : out->count - i;
    for (size_t j = 0; j < few; j++) out->mass[i + j] = from[at + j] > 0 ? from[at + j] * scale : 0;
    i += few;
  }
  return TACIT_OK;
}

/* Roots for this length: a longer table holds those of shorter ones. */
static tacit_status prepare(tacit_fft **roots, tacit_spectrum *s, tacit_error *error) {
  if (!*roots || !tacit_fft_shorten(*roots, s->bits)) {
    tacit_fft_free(*roots);
    *roots = tacit_fft_new(s->bits);
  }
  size_t n = (size_t)1 << s->bits;
  s->re = tacit_alloc_aligned(n, sizeof(double));
  s->im = tacit_alloc_aligned(n, sizeof(double));
  return *roots && s->re && s->im ? TACIT_OK : tacit_no_memory(error);
}

static tacit_status transform(const tacit_measure *const in[2], tacit_spectrum *s, const window *w,
                              tacit_product *out, tacit_fft **roots, tacit_error *error) {
  TACIT_TRY(prepare(roots, s, error));
  size_t n = (size_t)1 << s->bits, count = s->products;
  int exponent = set_errors(in, s);
  fold(in[0], n, 1, s->re);
  if (in[1]) fold(in[1], n, ldexp(1, exponent), s->im);
  tacit_fft_forward(*roots, s->re, s->im);
  double off[2] = {0, 0};
  tacit_spectrum_multiply(s, off);
  tacit_fft_backward(*roots, s->re, s->im);
  for (size_t i = 0; i < count; i++) {
    int scaled = s->power[i][1] ? exponent : 0;
    TACIT_TRY(read_window(i ? s->im : s->re, s->bits, scaled, w[i], in[0]->width, &out[i].out, error));
    out[i].off += ldexp(off[i], -scaled);
  }
  return TACIT_OK;
}

tacit_status tacit_convolve_products(const tacit_measure *const in[2], tacit_product *products, size_t count,
                                     double log_outside, int bits_max, tacit_fft **roots,
                                     tacit_error *error) {
  if (count < 1 || count > 2) return tacit_fail(error, TACIT_INTERNAL, "a product of no parts");
  tacit_spectrum s = {.bits = 0, .products = count};
  window w[2] = {{0, 0, 0}, {0, 0, 0}};
  for (size_t i = 0; i < count; i++) {
    tacit_convolve_part parts[2] = {{in[0], products[i].power[0]}, {in[1], products[i].power[1]}};
    size_t both = in[1] && products[i].power[1] ? 2 : 1;
    int bits = bits_max + 1;
    for (size_t j = 0; j < WINDOWS && bits > bits_max; j++) {
      TACIT_TRY(find_window(parts, both, log_outside + WIDER[j], &w[i], error));
      bits = 0;
      while (bits <= bits_max && ldexp(1, bits) < w[i].high - w[i].low + 1) bits++;
    }
    if (bits > bits_max || !(fabs(w[i].low) < 0x1p48))
      return tacit_fail(error, TACIT_REFUSED, "the privacy losses need too fine a grid");
    if (bits > s.bits) s.bits = bits;
    s.power[i][0] = parts[0].power;
    s.power[i][1] = both > 1 ? parts[1].power : 0;
    products[i].out.mass = NULL;
    products[i].off = 2 * w[i].outside; /* what is outside is missing there and will be folded in */
  }
  tacit_status status = transform(in, &s, w, products, roots, error);
  free(s.re);
  free(s.im);
  for (size_t i = 0; i < count && status != TACIT_OK; i++) tacit_measure_free(&products[i].out);
  return status;
}

tacit_status tacit_convolve(const tacit_convolve_part *parts, size_t count, int bits_max, tacit_fft **roots,
                            tacit_measure *out, double *off, tacit_error *error) {
  if (count < 1 || count > TACIT_CONVOLVE_PARTS)
    return tacit_fail(error, TACIT_INTERNAL, "a product of no parts");
  const tacit_measure *in[2] = {parts[0].m, count > 1 ? parts[1].m : NULL};
  tacit_product product = {.power = {parts[0].power, count > 1 ? parts[1].power : 0}};
  out->mass = NULL;
  TACIT_TRY(tacit_convolve_products(in, &product, 1, -34, bits_max, roots, error));
  *out = product.out;
  *off = product.off;
  return TACIT_OK;
}
