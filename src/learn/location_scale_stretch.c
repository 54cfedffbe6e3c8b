/* Steps that learn by level how long they should be. The computed curvature takes every level to have normal
   residuals of its spread; where one has two kinds of rows, many spreads apart, hardly any of them lie
   between the kinds, and steps of that length do not arrive. Two gradients of a level tell: where the second
   is still r of the first, the step should have been 1 / (1 - r) times as long.

   With G the gradients of the columns' slopes and of each category's first level, and P the inverse of the
   curvature as it is known otherwise, a step is F^(1/2) P F^(1/2) G, F a diagonal of factors: downhill,
   whatever they are. */
#include "learn/location_scale_stretch.h"

#include "base/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SURE = 2;                   /* standard deviations of a gradient's noise */
static const double LONGER = 2, SHORTER = 0.02; /* from one step to the next, at most */
static const double LONGEST = 100, SHORTEST = 0.003;
static const double TOGETHER = 4; /* gradients that look alike are averaged, as if over so many at most */

bool tacit_stretch_open(tacit_stretch *stretch, const tacit_scaled *scaled) {
  size_t size = scaled->newton.d + 1, all = size + scaled->newton.schema->feature_count;
  *stretch = (tacit_stretch){.scaled = scaled, .size = size, .all = all};
  stretch->factor = tacit_alloc(5 * all, sizeof(double));
  if (!stretch->factor) return false;
  stretch->gradient = stretch->factor + all;
  stretch->variance = stretch->gradient + all;
  stretch->unit = stretch->variance + all;
  stretch->now = stretch->unit + all;
  for (size_t j = 0; j < all; j++) stretch->factor[j] = 1;
  return true;
}

void tacit_stretch_close(tacit_stretch *stretch) {
  free(stretch->factor);
}

/* A category's columns, from first to last - 1; none of another feature. */
static void levels_of(const tacit_stretch *stretch, size_t f, size_t *first, size_t *last) {
  const tacit_newton *newton = &stretch->scaled->newton;
  const tacit_feature *feature = &newton->schema->features[f];
  *first = *last = feature->first - 1;
  if (tacit_is_level(newton, feature)) *last += feature->width;
}

/* From scores of whitened rows to gradients of columns. Their weighed mean is taken out of the scores, so
   that a category's first level has minus the sum of the others. */
static void to_columns(const tacit_stretch *stretch, const double *scores, double *out) {
  const tacit_newton *newton = &stretch->scaled->newton;
  size_t d = newton->d;
  for (size_t j = 0; j < d; j++) {
    out[j] = 0;
    for (size_t k = 0; k < d; k++) out[j] += stretch->scaled->back[j * d + k] * scores[k];
  }
  out[d] = scores[d];
  for (size_t f = 0; f + stretch->size < stretch->all; f++) {
    size_t first, last;
    levels_of(stretch, f, &first, &last);
    out[stretch->size + f] = 0;
    for (size_t j = first; j < last; j++) out[stretch->size + f] -= out[j];
  }
}

/* The variances of levels' gradients where scores have noise of variance 1; 0: it is no level. */
static void find_units(tacit_stretch *stretch) {
  const tacit_newton *newton = &stretch->scaled->newton;
  size_t d = newton->d;
  for (size_t f = 0; f + stretch->size < stretch->all; f++) {
    size_t first, last;
    levels_of(stretch, f, &first, &last);
    for (size_t k = 0; k < d; k++) {
      double sum = 0;
      for (size_t j = first; j < last; j++) {
        double part = stretch->scaled->back[j * d + k];
        stretch->unit[j] += part * part;
        sum += part;
      }
      stretch->unit[stretch->size + f] += sum * sum;
    }
  }
}

/* Level j has a gradient g now, with this variance of its noise. */
static void learn_one(tacit_stretch *stretch, size_t j, double g, double v) {
  double *before = &stretch->gradient[j], *variance = &stretch->variance[j], change = g - *before;
  if (stretch->begun && *before * *before > SURE * SURE * *variance) {
    bool grows = *before * change >= 0;
    double longer = grows ? LONGER : fmax(SHORTER, fmin(LONGER, -*before / change));
    if (stretch->settling) longer = fmin(1, longer);
    stretch->factor[j] = fmax(SHORTEST, fmin(LONGEST, stretch->factor[j] * longer));
  }
  if (!stretch->begun || change * change > SURE * SURE * (v + *variance)) {
    *before = g;
    *variance = v;
  } else {
    *before += *variance / (*variance + v) * change;
    *variance = fmax(*variance * v / (*variance + v), v / TOGETHER);
  }
}

void tacit_stretch_learn(tacit_stretch *stretch, const double *scores, double sigma) {
  if (!stretch->begun) find_units(stretch);
  to_columns(stretch, scores, stretch->now);
  for (size_t j = 0; j < stretch->all; j++)
    if (stretch->unit[j] > 0) learn_one(stretch, j, stretch->now[j], sigma * sigma * stretch->unit[j]);
  stretch->begun = true;
}

void tacit_stretch_scores(tacit_stretch *stretch, double *scores) {
  const tacit_newton *newton = &stretch->scaled->newton;
  size_t d = newton->d;
  double *c = stretch->now;
  to_columns(stretch, scores, c);
  for (size_t j = 0; j < stretch->all; j++) c[j] *= sqrt(stretch->factor[j]);
  for (size_t f = 0; f + stretch->size < stretch->all; f++) {
    size_t first, last;
    levels_of(stretch, f, &first, &last);
    double sum = c[stretch->size + f];
    for (size_t j = first; j < last; j++) sum += c[j];
    for (size_t j = first; j < last; j++) c[j] -= newton->mean[j] * sum;
  }
  for (size_t k = 0; k < d; k++) {
    scores[k] = 0;
    for (size_t j = 0; j < d; j++) scores[k] += newton->W[j * d + k] * c[j];
  }
  scores[d] = c[d];
}

/* A level's own slope is its column's less the category's mean, which is what the first one has, too. */
void tacit_stretch_step(tacit_stretch *stretch, double *step) {
  const tacit_newton *newton = &stretch->scaled->newton;
  const double *factor = stretch->factor;
  size_t d = newton->d;
  double *c = stretch->now;
  for (size_t j = 0; j < d; j++) {
    c[j] = 0;
    for (size_t k = 0; k < d; k++) c[j] += newton->W[j * d + k] * step[k];
  }
  for (size_t f = 0; f + stretch->size < stretch->all; f++) {
    size_t first, last;
    double mean = 0;
    levels_of(stretch, f, &first, &last);
    for (size_t j = first; j < last; j++) mean += newton->mean[j] * c[j];
    for (size_t j = first; j < last; j++)
      c[j] = (c[j] - mean) * sqrt(factor[j]) + mean * sqrt(factor[stretch->size + f]);
  }
  for (size_t k = 0; k < d; k++) {
    step[k] = 0;
    for (size_t j = 0; j < d; j++) step[k] += stretch->scaled->back[j * d + k] * c[j];
  }
}
