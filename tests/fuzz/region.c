/* Any bytes as a region: refused, or a region that is written and read again as itself, whose decisions and
   nearest points are finite and lie within its stated reach and diameter. */
#include "loss/region.h"
#include "fuzz/target.h"
#include "loss/region_hash.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL = 48 }; /* beyond it a projection takes long, and shows nothing new */

/* With an answer that could not be found there is a text. Only linear programs may fail: those of a polytope
   whose numbers are too far apart. */
static bool answered(const tacit_region *region, tacit_status status, const tacit_error *error) {
  if (status == TACIT_OK) return true;
  MUST(!strcmp(region->kind->name, "polytope") && status == TACIT_INTERNAL && error->text[0]);
  return false;
}

static double apart(size_t d, const double *v, const double *w) {
  double sum = 0;
  for (size_t j = 0; j < d; j++) sum += (v[j] - w[j]) * (v[j] - w[j]);
  return sqrt(sum);
}

/* Costs from -2 to 2 with many ties; `against` says which of the best is the worst. */
static void decide(const tacit_region *region) {
  size_t d = tacit_region_dimension(region);
  double *w = calloc(5 * d + tacit_region_work(region), sizeof *w), value, other;
  MUST(w);
  double *v = w + d, *cost = v + d, *against = cost + d, *origin = against + d, *work = origin + d;
  tacit_error error = {""};
  for (size_t j = 0; j < d; j++) {
    cost[j] = (double)(7 * j % 5) - 2;
    against[j] = (double)(3 * j % 4) - 1;
  }
  /* A linear program's answer may leave its polytope by what CLP tolerates. */
  double slack = (strcmp(region->kind->name, "polytope") ? 1e-9 : 1e-6) * region->reach;
  if (answered(region, tacit_region_minimise(region, cost, NULL, work, w, &value, &error), &error) &&
      answered(region, tacit_region_minimise(region, cost, against, work, v, &other, &error), &error)) {
    for (size_t j = 0; j < d; j++) MUST(isfinite(w[j]) && isfinite(v[j]));
    MUST(apart(d, v, w) <= region->diameter + slack);
    MUST(isfinite(value) && isfinite(other));
    if (strcmp(region->kind->name, "polytope") != 0)
      MUST(fabs(value - other) <= 1e-8 * (1 + (double)d) * region->reach);
  }
  if (answered(region, tacit_region_project(region, cost, work, v, &error), &error)) {
    for (size_t j = 0; j < d; j++) MUST(isfinite(v[j]));
    MUST(apart(d, v, origin) <= region->reach + slack);
  }
  free(w);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  tacit_region *region = NULL, *again = NULL;
  tacit_error error = {""};
  tacit_status status = tacit_region_parse((const char *)data, size, &region, &error);
  if (status != TACIT_OK) {
    MUST(!region && error.text[0] && status == TACIT_BAD_INPUT);
    return 0;
  }
  MUST(tacit_region_dimension(region) >= 1 && region->diameter > 0 && region->reach > 0);
  MUST(isfinite(region->diameter) && isfinite(region->reach) && region->diameter <= 2.001 * region->reach);
  if (tacit_region_dimension(region) <= SMALL) decide(region);
  char *text; /* as a policy has it */
  MUST(tacit_region_text(region, &text, &error) == TACIT_OK);
  MUST(tacit_region_parse(text, strlen(text), &again, &error) == TACIT_OK);
  free(text);
  MUST(again->diameter == region->diameter && again->dimension == region->dimension);
  tacit_region_free(again);
  tacit_region_free(region);
  return 0;
}
