/* Any bytes as a region: refused, or a region of finite size whose hash is stable, and whose decisions stay
   in it as far as their coordinates can show. */
#include "loss/region.h"
#include "fuzz/target.h"
#include "loss/region_hash.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  tacit_region *region = NULL, *again = NULL;
  tacit_error error = {""};
  char hash[65], same[65];
  tacit_status status = tacit_region_parse((const char *)data, size, &region, &error);
  if (status != TACIT_OK) {
    MUST(!region && error.text[0] && status == TACIT_BAD_INPUT);
    return 0;
  }
  size_t d = tacit_region_dimension(region);
  double diameter = tacit_region_diameter(region), square = 0;
  MUST(d >= 1 && d <= 4096 && diameter >= 0 && isfinite(diameter));
  double *cost = calloc(3 * d + tacit_region_work(region) + 1, sizeof *cost), *w = cost + d, *other = w + d;
  MUST(cost);
  for (size_t j = 0; j < d; j++) cost[j] = j % 3 ? 1 : -1;
  if (tacit_region_minimise(region, cost, NULL, other + d, w, NULL, &error) == TACIT_OK) {
    for (size_t j = 0; j < d; j++) cost[j] = -cost[j];
    if (tacit_region_minimise(region, cost, NULL, other + d, other, NULL, &error) == TACIT_OK)
      for (size_t j = 0; j < d; j++) {
        MUST(isfinite(w[j]) && isfinite(other[j]));
        square += (w[j] - other[j]) * (w[j] - other[j]);
      }
    /* two decisions are no farther apart than the diameter, but for the tolerance of linear programs */
    MUST(sqrt(square) <= diameter * 1.000001 + 1e-6);
  }
  /* the worst of the best, and a nearest point; larger regions take long without a fault */
  if (d <= 24) {
    for (size_t j = 0; j < d; j++) cost[j] = j % 2 ? 1 : 0;
    for (size_t j = 0; j < d; j++) w[j] = j % 4 ? 0.3 : -7;
    if (tacit_region_minimise(region, cost, w, other + d, other, NULL, &error) == TACIT_OK)
      for (size_t j = 0; j < d; j++) MUST(isfinite(other[j]));
    if (tacit_region_project(region, w, other + d, other, &error) == TACIT_OK)
      for (size_t j = 0; j < d; j++) MUST(isfinite(other[j]));
  }
  MUST(tacit_region_hash(region, hash, &error) == TACIT_OK);
  MUST(tacit_region_parse((const char *)data, size, &again, &error) == TACIT_OK);
  MUST(tacit_region_hash(again, same, &error) == TACIT_OK && !strcmp(hash, same));
  free(cost);
  tacit_region_free(region);
  tacit_region_free(again);
  return 0;
}
