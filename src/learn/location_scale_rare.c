/* Levels that were too rare to learn, as far as the releases can tell: whoever orders for one of them should
   know. */
#include "learn/location_scale.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const double WITHIN = 2; /* standard deviations of a released share: less is none */
enum { NAMED = 3 };             /* so many by name */

static void TACIT_PRINTF(2, 3) add(tacit_fit *fit, const char *format, ...) {
  size_t used = strlen(fit->note);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(fit->note + used, sizeof fit->note - used, format, arguments);
  va_end(arguments);
}

/* Categories whose levels could not be told from 0 even if they were equally frequent are a matter of their
   own: what is missing there is budget. */
static bool can_be_told(const tacit_newton *newton, const tacit_feature *feature, double noise) {
  return tacit_is_level(newton, feature) && 1 / (double)(feature->width + 1) > WITHIN * noise;
}

void tacit_scaled_note_rare(const tacit_newton *newton, double noise) {
  tacit_fit *fit = newton->task->fit;
  size_t count = 0;
  for (size_t f = 0; f < newton->schema->feature_count; f++) {
    const tacit_feature *feature = &newton->schema->features[f];
    for (size_t j = feature->first; j < feature->first + feature->width; j++) {
      if (!can_be_told(newton, feature, noise) || newton->mean[j - 1] >= WITHIN * noise) continue;
      if (count++ < NAMED)
        add(fit, "%s%.60s",
            count > 1    ? ", "
            : *fit->note ? ". Too rare to learn: "
                         : "too rare to learn: ",
            newton->schema->column_names[j]);
    }
  }
  if (count > NAMED) add(fit, " and %zu more", count - NAMED);
  if (count) add(fit, " (by their released shares). An order for such a level says little");
}
