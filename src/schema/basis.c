/* The encoded columns of one feature: the scaled number, levels as 0/1, and the bases of Zhao's section 3.1
   (docs/formats/schema.md has the formulas). Every value is within [-1, 1], a scaled number within its limit.
 */
#include "schema/fields.h"
#include "schema/parse.h"
#include "schema/schema.h"
#include "schema/wavelet.h"

#include <assert.h>
#include <math.h>
#include <sodium.h>
#include <string.h>

enum { DEGREE_MAX = 5 };

/* Knot i of the clamped vector in scaled units: degree + 1 times -1, the interior knots, degree + 1 times 1.
 */
static double knot(const tacit_feature *feature, size_t i) {
  if (i <= feature->degree) return -1;
  i -= feature->degree + 1;
  return i < feature->knot_count ? tacit_scale_encode(&feature->scale, feature->knots[i]) : 1;
}

/* The interval [knot s, knot s+1) that holds u; the last one also holds its right end. */
static size_t find_span(const tacit_feature *feature, double u) {
  size_t low = feature->degree, high = feature->degree + feature->knot_count + 1;
  while (high - low > 1) {
    size_t middle = (low + high) / 2;
    if (u >= knot(feature, middle))
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* de Boor's triangle: from the one B-spline of degree 0 that is not zero at u to the degree + 1 of full
   degree. Each step spreads a value over two neighbours by weights in [0, 1], so the values stay there and
   sum to one. */
static void encode_spline(const tacit_feature *feature, double u, double *out) {
  assert(feature->degree <= DEGREE_MAX);
  size_t span = find_span(feature, u);
  double value[DEGREE_MAX + 1] = {1};
  for (size_t d = 1; d <= feature->degree; d++) {
    double carried = 0;
    for (size_t r = 0; r < d; r++) {
      double left = knot(feature, span + r + 1 - d), right = knot(feature, span + r + 1);
      double rising = fmin(fmax((u - left) / (right - left), 0), 1);
      double share = value[r];
      value[r] = carried + (1 - rising) * share;
      carried = rising * share;
    }
    value[d] = carried;
  }
  memset(out, 0, feature->width * sizeof *out);
  /* B-spline span - degree + r is not zero; number 0 is left out, the intercept stands for it. */
  for (size_t r = 0; r <= feature->degree; r++) {
    size_t number = span - feature->degree + r;
    if (number > 0) out[number - 1] = fmin(value[r], 1);
  }
}

static void encode_polynomial(const tacit_feature *feature, double u, double *out) {
  double power = 1;
  for (size_t k = 0; k < feature->degree; k++) out[k] = power *= u;
}

/* fmod is exact, so that the phase of a huge x is its true one. */
static void encode_fourier(const tacit_feature *feature, double x, double *out) {
  static const double TWO_PI = 6.28318530717958647692;
  if (feature->has_scale) {
    double low = tacit_scale_decode(&feature->scale, -feature->scale.limit);
    double high = tacit_scale_decode(&feature->scale, feature->scale.limit);
    x = x < low ? low : x > high ? high : x;
  }
  double turns = fmod(x, feature->period) / feature->period;
  for (size_t k = 1; k <= feature->harmonics; k++) {
    double turn = (double)k * turns;
    double angle = TWO_PI * (turn - rint(turn));
    out[2 * k - 2] = sin(angle);
    out[2 * k - 1] = cos(angle);
  }
}

/* Step k of scale j is +1 on the first half of [k, k+1)/2^j, -1 on the second, and is column 2^j - 1 + k. */
static void encode_haar(const tacit_feature *feature, double u, double *out) {
  double t = (u + 1) / 2;
  memset(out, 0, feature->width * sizeof *out);
  for (size_t j = 0; j < feature->resolution; j++) {
    size_t halves = (size_t)2 << j;
    double place = t * (double)halves;
    size_t half = place > 0 ? (size_t)place : 0; /* NaN counts as the left end */
    if (half >= halves) half = halves - 1;
    out[((size_t)1 << j) - 1 + half / 2] = half % 2 ? -1 : 1;
  }
}

tacit_status tacit_feature_tabulate(tacit_feature *feature, tacit_error *error) {
  enum { DAYS = 366 };
  if (feature->part != TACIT_PART_DAY_OF_YEAR) return TACIT_OK;
  feature->days = tacit_alloc(DAYS * feature->width, sizeof *feature->days);
  if (!feature->days) return tacit_no_memory(error);
  for (size_t day = 1; day <= DAYS; day++)
    encode_fourier(feature, (double)day, feature->days + (day - 1) * feature->width);
  return TACIT_OK;
}

void tacit_feature_encode(const tacit_feature *feature, double x, double *out) {
  if (feature->part != TACIT_PART_CELL) x = tacit_feature_part(feature, x);
  switch (feature->kind) {
  case TACIT_FEATURE_NUMBER:
  case TACIT_FEATURE_LAG:
    out[0] = tacit_scale_encode(&feature->scale, x);
    break;
  case TACIT_FEATURE_SPLINE:
    encode_spline(feature, tacit_scale_encode(&feature->scale, x), out);
    break;
  case TACIT_FEATURE_POLYNOMIAL:
    encode_polynomial(feature, tacit_scale_encode(&feature->scale, x), out);
    break;
  case TACIT_FEATURE_FOURIER:
    if (feature->days)
      memcpy(out, feature->days + ((size_t)x - 1) * feature->width, feature->width * sizeof *out);
    else
      encode_fourier(feature, x, out);
    break;
  case TACIT_FEATURE_HAAR:
    encode_haar(feature, tacit_scale_encode(&feature->scale, x), out);
    break;
  case TACIT_FEATURE_WAVELET:
    tacit_wavelet_encode(feature->wavelet, (tacit_scale_encode(&feature->scale, x) + 1) / 2, out);
    break;
  case TACIT_FEATURE_CATEGORY:
    assert(feature->part != TACIT_PART_CELL); /* a text's level is found elsewhere */
    tacit_feature_encode_level(feature, (size_t)x, out);
    break;
  case TACIT_FEATURE_PRODUCT:
    assert(!"products are made of encoded columns, by tacit_schema_multiply");
    break;
  }
}

bool tacit_feature_find_level(const tacit_feature *feature, const char *text, size_t length, size_t *level) {
  char folded[TACIT_NAME_MAX];
  *level = feature->missing_level;
  if (feature->fold) {
    length = tacit_fold(text, length, folded, sizeof folded);
    if (length > sizeof folded) length = sizeof folded + 1; /* no level is so long */
    text = folded;
  }
  if (length == 0) return true;
  size_t low = 0, high = length > TACIT_NAME_MAX ? 0 : feature->level_count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    *level = feature->level_order[middle];
    const char *name = feature->keys[*level];
    size_t name_length = strlen(name);
    int order = memcmp(text, name, length < name_length ? length : name_length);
    if (order == 0 && length == name_length) return true;
    if (order < 0 || (order == 0 && length < name_length))
      high = middle;
    else
      low = middle + 1;
  }
  *level = feature->unknown_level;
  return false;
}

size_t tacit_feature_bucket(const tacit_feature *feature, const char *text, size_t length) {
  char folded[TACIT_NAME_MAX];
  unsigned char hash[crypto_hash_sha256_BYTES];
  uint64_t number = 0;
  if (feature->fold) {
    length = tacit_fold(text, length, folded, sizeof folded);
    if (length > sizeof folded) length = sizeof folded;
    text = folded;
  }
  if (length == 0) return 0;
  crypto_hash_sha256(hash, (const unsigned char *)text, length);
  for (size_t i = 0; i < sizeof number; i++) number = number << 8 | hash[i];
  return (size_t)(number % feature->level_count);
}

size_t tacit_feature_level(const tacit_feature *feature, const char *text, size_t length) {
  size_t level;
  if (feature->hashed) return tacit_feature_bucket(feature, text, length);
  (void)tacit_feature_find_level(feature, text, length, &level);
  return level;
}

void tacit_feature_encode_level(const tacit_feature *feature, size_t level, double *out) {
  assert(level < feature->level_count);
  memset(out, 0, feature->width * sizeof *out);
  if (level > 0) out[level - 1] = 1;
}
