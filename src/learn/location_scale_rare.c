/* Levels that were too rare to learn, as far as the releases can tell: their coefficients are mostly noise.
   Whoever orders for one of them should know, and it gets no coefficient beyond those of the other levels. */
#include "learn/location_scale.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* In standard deviations of a released share: less may be none, and is named; less is more likely none, and
   is held where levels that are equally frequent would not be taken for it. */
static const double WITHIN = 2, HELD = 1, CLEAR = 6;
enum {
  NAMED = 3,  /* so many by name */
  LEARNED = 3 /* so many levels show what is usual */
};

static void TACIT_PRINTF(2, 3) add(tacit_fit *fit, const char *format, ...) {
  size_t used = strlen(fit->note);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(fit->note + used, sizeof fit->note - used, format, arguments);
  va_end(arguments);
}

/* Categories whose levels could not be told from 0 even if they were equally frequent are a matter of their
   own: what is missing there is budget. */
static bool can_be_told(const tacit_feature *feature, double noise, double deviations) {
  return 1 / (double)(feature->width + 1) > deviations * noise;
}

/* Of a level's name and the note so far. */
static void name(tacit_fit *fit, size_t count, const char *level) {
  if (count > NAMED) return;
  add(fit, "%s%.60s",
      count > 1    ? ", "
      : *fit->note ? ". Too rare to be told from noise at this guarantee: "
                   : "too rare to be told from noise at this guarantee: ",
      level);
}

void tacit_scaled_mark_rare(tacit_scaled *scaled, double noise) {
  const tacit_newton *newton = &scaled->newton;
  const tacit_schema *schema = newton->schema;
  tacit_fit *fit = newton->task->fit;
  size_t count = 0;
  for (size_t f = 0; f < schema->feature_count; f++) {
    const tacit_feature *feature = &schema->features[f];
    double first = 1, of_first = noise * sqrt((double)feature->width); /* a difference from all others */
    if (!tacit_is_level(newton, feature) || !can_be_told(feature, noise, WITHIN)) continue;
    for (size_t j = feature->first; j < feature->first + feature->width; j++) {
      first -= newton->mean[j - 1];
      if (newton->mean[j - 1] >= WITHIN * noise) continue;
      scaled->rare[j - 1] = can_be_told(feature, noise, CLEAR) && newton->mean[j - 1] < HELD * noise;
      name(fit, ++count, schema->column_names[j]);
    }
    scaled->rare[newton->d + f] = can_be_told(feature, of_first, CLEAR) && first < HELD * of_first;
  }
  if (count > NAMED) add(fit, " and %zu more", count - NAMED);
  if (count) add(fit, ". An order for such a level is little more than a guess");
}

static double within(double value, double least, double most) {
  return fmax(least, fmin(most, value));
}

/* The first level's coefficient is 0: what it may not be, all others and the intercept take over. */
static void hold(const tacit_scaled *scaled, size_t f, double *coefficients) {
  const tacit_feature *feature = &scaled->newton.schema->features[f];
  size_t begin = feature->first, end = begin + feature->width;
  bool first = scaled->rare[scaled->newton.d + f];
  double least = first ? INFINITY : 0, most = first ? -INFINITY : 0;
  size_t learned = first ? 0 : 1;
  for (size_t j = begin; j < end; j++) {
    if (scaled->rare[j - 1]) continue;
    least = fmin(least, coefficients[j]);
    most = fmax(most, coefficients[j]);
    learned++;
  }
  if (learned < LEARNED) return;
  double shift = within(0, least, most);
  for (size_t j = begin; j < end; j++) {
    if (scaled->rare[j - 1]) coefficients[j] = within(coefficients[j], least, most);
    coefficients[j] -= shift;
  }
  coefficients[0] += shift;
}

void tacit_scaled_hold_rare(const tacit_scaled *scaled, double *coefficients) {
  for (size_t f = 0; f < scaled->newton.schema->feature_count; f++)
    if (tacit_is_level(&scaled->newton, &scaled->newton.schema->features[f])) hold(scaled, f, coefficients);
}
