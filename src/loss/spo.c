/* SPO, SPO+ and smoothed SPO+ (Wang and Qin's section 3). */
#include "loss/spo.h"

#include "loss/region_kinds.h"

#include <math.h>

size_t tacit_spo_work(const tacit_region *region) {
  return tacit_region_work(region) + 2 * region->dimension;
}

tacit_status tacit_spo_loss(const tacit_region *region, const double *c, double best_cost, const double *chat,
                            double *work, double *loss, tacit_error *error) {
  double *w = work, sum = 0;
  size_t d = region->dimension;
  TACIT_TRY(tacit_region_minimise(region, chat, c, work + 2 * d, w, NULL, error));
  for (size_t j = 0; j < d; j++) sum += c[j] * w[j];
  *loss = sum - best_cost;
  return TACIT_OK;
}

/* w_s: where the maximum over the region is attained. A prediction so far off that the point to project
   leaves the range is pulled back: there the projection is a vertex of the side it came from. */
static tacit_status attain(const tacit_region *region, double smoothing, const tacit_spo_forecast *forecast,
                           double *turned, double *work, double *w, tacit_error *error) {
  const double *c = forecast->c, *chat = forecast->chat;
  size_t d = region->dimension;
  if (smoothing > 0) {
    for (size_t j = 0; j < d; j++)
      turned[j] = fmin(fmax((c[j] - 2 * chat[j]) / smoothing, -TACIT_REGION_COST_MAX), TACIT_REGION_COST_MAX);
    return tacit_region_project(region, turned, work, w, error);
  }
  for (size_t j = 0; j < d; j++) turned[j] = 2 * chat[j] - c[j];
  return tacit_region_minimise(region, turned, NULL, work, w, NULL, error);
}

tacit_status tacit_spo_plus(const tacit_region *region, double smoothing, const tacit_spo_forecast *forecast,
                            double *work, double *loss, double *gradient, tacit_error *error) {
  const double *c = forecast->c, *best = forecast->best, *chat = forecast->chat;
  size_t d = region->dimension;
  double *w = work, *turned = w + d;
  TACIT_TRY(attain(region, smoothing, forecast, turned, turned + d, w, error));
  if (loss) { /* (c - 2 chat)'(w - best): the terms that do not depend on w cancel in exact arithmetic */
    double sum = 0, square = 0;
    for (size_t j = 0; j < d; j++) {
      sum += (c[j] - 2 * chat[j]) * (w[j] - best[j]);
      square += w[j] * w[j];
    }
    *loss = sum - smoothing / 2 * square;
  }
  if (gradient)
    for (size_t j = 0; j < d; j++) gradient[j] = 2 * (best[j] - w[j]);
  return TACIT_OK;
}
