/* Scales and units: clamping, and that a decision is the same number in encoded and in the user's units. */
#include "base/bits_for_test.h"
#include "schema/schema.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h> /* needs the headers above */

static uint64_t seed = 20240611;

static inline uint64_t bits(void) {
  return bits_of(&seed);
}

static double uniform(double low, double high) {
  return low + (high - low) * (double)(bits() >> 11) * 0x1p-53;
}

static void scales_clamp_and_invert(void **state) {
  (void)state;
  const tacit_scale bounded = {.center = 5, .half = 5, .limit = 1};
  assert_true(tacit_scale_encode(&bounded, 0) == -1 && tacit_scale_encode(&bounded, 10) == 1);
  assert_true(tacit_scale_encode(&bounded, -3) == -1 && tacit_scale_encode(&bounded, 1e308) == 1);
  const tacit_scale guess = {.center = -1e99, .half = 1e-100, .limit = TACIT_SCALE_LIMIT};
  assert_true(tacit_scale_encode(&guess, DBL_MAX) == 8 && tacit_scale_encode(&guess, -DBL_MAX) == -8);
  assert_true(tacit_scale_encode(&guess, 5e-324) == 8 && isnan(tacit_scale_encode(&guess, NAN)));
  for (int i = 0; i < 1000; i++) {
    double e = uniform(-1, 1);
    assert_true(fabs(tacit_scale_encode(&bounded, tacit_scale_decode(&bounded, e)) - e) < 1e-15);
  }
}

static int write_scale(char *text, size_t size) {
  double half = pow(10, uniform(-3, 3)), center = half * uniform(-20, 20);
  if (bits() % 2) return snprintf(text, size, "\"center\": %.17g, \"scale\": %.17g", center, half);
  return snprintf(text, size, "\"min\": %.17g, \"max\": %.17g", center - half, center + half);
}

/* A schema of up to 12 random features and one or two targets. */
static tacit_schema *random_schema(void) {
  char text[8192], scale[100];
  size_t at = 0, targets = 1 + bits() % 2;
#define PUT(...) at += (size_t)snprintf(text + at, sizeof text - at, __VA_ARGS__)
  PUT("{\"target\": [");
  for (size_t t = 0; t < targets; t++) {
    write_scale(scale, sizeof scale);
    PUT("%s{\"name\": \"y%zu\", %s}", t ? ", " : "", t, scale);
  }
  PUT("], \"features\": [");
  size_t count = bits() % 13;
  for (size_t f = 0; f < count; f++) {
    if (f) PUT(", ");
    double low = uniform(-100, 100), high = low + uniform(1, 100);
    write_scale(scale, sizeof scale);
    switch (bits() % 7) {
    case 0:
      PUT("{\"name\": \"c%zu\", \"levels\": [\"p\", \"q\", \"r\"]}", f);
      break;
    case 1:
      PUT("{\"name\": \"y0\", \"lag\": %zu}", f + 1);
      break;
    case 2:
      PUT("{\"name\": \"c%zu\", \"transform\": \"spline\", \"knots\": 3, \"min\": %.17g, \"max\": %.17g}", f,
          low, high);
      break;
    case 3:
      PUT("{\"name\": \"c%zu\", \"transform\": \"fourier\", \"period\": %.17g, \"harmonics\": 2}", f,
          high - low);
      break;
    case 4:
      PUT("{\"name\": \"c%zu\", \"transform\": \"haar\", \"levels\": 2, \"min\": %.17g, \"max\": %.17g}", f,
          low, high);
      break;
    default:
      PUT("{\"name\": \"c%zu\", %s}", f, scale);
    }
  }
  PUT("]}");
  tacit_schema *schema;
  tacit_error error;
  if (tacit_schema_parse(text, at, &schema, &error) != TACIT_OK) fail_msg("%s\n%s", error.text, text);
  return schema;
}

/* One row: its encoding, and the same row as a person would write it down for a check by hand. */
static void random_row(const tacit_schema *schema, double *encoded, double *plain) {
  encoded[0] = plain[0] = 1;
  for (size_t f = 0; f < schema->feature_count; f++) {
    const tacit_feature *feature = &schema->features[f];
    double *e = encoded + feature->first, *v = plain + feature->first;
    if (feature->kind == TACIT_FEATURE_CATEGORY) {
      tacit_feature_encode_level(feature, bits() % feature->level_count, e);
      memcpy(v, e, feature->width * sizeof *v);
      continue;
    }
    const tacit_scale *s = &feature->scale;
    double x =
        feature->has_scale ? s->center + 1.5 * s->limit * s->half * uniform(-1, 1) : uniform(-1000, 1000);
    tacit_feature_encode(feature, x, e);
    memcpy(v, e, feature->width * sizeof *v);
    if (feature->kind == TACIT_FEATURE_NUMBER || feature->kind == TACIT_FEATURE_LAG)
      v[0] = fmin(fmax(x, s->center - s->limit * s->half), s->center + s->limit * s->half);
  }
}

/* Relative to the sum of the absolute terms, which is what rounding can be measured against. */
static void decisions_do_not_depend_on_units(void **state) {
  (void)state;
  double beta[200] = {0}, raw[200], back[200], encoded[200] = {0}, plain[200] = {0};
  for (int trial = 0; trial < 500; trial++) {
    tacit_schema *schema = random_schema();
    assert_true(schema->columns <= 200);
    size_t target = bits() % schema->target_count;
    const tacit_scale *y = &schema->targets[target].scale;
    for (size_t j = 0; j < schema->columns; j++) beta[j] = uniform(-2, 2);
    tacit_schema_user_units(schema, target, beta, raw);
    tacit_schema_encoded_units(schema, target, raw, back);
    double reach = fabs(y->center) / y->half + 2; /* what the intercept absorbs, in encoded units */
    for (size_t f = 0; f < schema->feature_count; f++) {
      const tacit_scale *s = &schema->features[f].scale;
      if (schema->features[f].has_scale) reach += 2 * fabs(s->center) / s->half;
    }
    assert_true(fabs(back[0] - beta[0]) <= 1e-14 * reach);
    for (size_t j = 1; j < schema->columns; j++)
      assert_true(fabs(back[j] - beta[j]) <= 1e-15 * fabs(beta[j]));
    for (int row = 0; row < 20; row++) {
      random_row(schema, encoded, plain);
      double by_encoding = 0, by_hand = 0, size = fabs(y->center);
      for (size_t j = 0; j < schema->columns; j++) {
        by_encoding += beta[j] * encoded[j];
        by_hand += raw[j] * plain[j];
        size += fabs(raw[j] * plain[j]);
      }
      by_encoding = tacit_scale_decode(y, by_encoding);
      assert_true(fabs(by_encoding - by_hand) <= 1e-12 * size);
    }
    tacit_schema_free(schema);
  }
}

/* The spread itself, in the user's units, is the encoded one times the target's half. */
static void spreads_do_not_depend_on_units(void **state) {
  (void)state;
  double g[201] = {0}, raw[201], back[201], encoded[200] = {0}, plain[200] = {0};
  for (int trial = 0; trial < 500; trial++) {
    tacit_schema *schema = random_schema();
    size_t target = bits() % schema->target_count, p = schema->columns;
    double half = schema->targets[target].scale.half, absorbed = fabs(log(half)) + 2;
    for (size_t j = 0; j <= p; j++) g[j] = uniform(-2, 2);
    tacit_schema_user_spread(schema, target, g, raw);
    tacit_schema_encoded_spread(schema, target, raw, back);
    for (size_t f = 0; f < schema->feature_count; f++) {
      const tacit_scale *s = &schema->features[f].scale;
      if (schema->features[f].has_scale) absorbed += 2 * fabs(s->center) / s->half;
    }
    assert_true(fabs(back[0] - g[0]) <= 1e-14 * absorbed);
    for (size_t j = 1; j < p; j++) assert_true(fabs(back[j] - g[j]) <= 1e-15 * fabs(g[j]));
    assert_true(raw[p] == g[p] && back[p] == g[p]); /* a number of spreads is what it is */
    for (int row = 0; row < 20; row++) {
      random_row(schema, encoded, plain);
      double by_encoding = 0, by_hand = 0;
      for (size_t j = 0; j < p; j++) {
        by_encoding += g[j] * encoded[j];
        by_hand += raw[j] * plain[j];
      }
      assert_true(fabs(by_hand - (log(half) + by_encoding)) <= 1e-12 * (absorbed + 20 * (double)p));
    }
    tacit_schema_free(schema);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(scales_clamp_and_invert),
      cmocka_unit_test(decisions_do_not_depend_on_units),
      cmocka_unit_test(spreads_do_not_depend_on_units),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
