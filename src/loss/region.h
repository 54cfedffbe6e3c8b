/* Decision regions: compact convex sets over which a linear cost is minimised. */
#ifndef TACIT_SRC_REGION_H
#define TACIT_SRC_REGION_H

#include "base/base.h"

#include <tacit/region.h>

#include <jansson.h>
#include <stdatomic.h>

/* What a kind of region must be able to do; region.c calls these after checking arguments. */
typedef struct tacit_region_kind {
  const char *name; /* "ball", "box", "simplex", "grid", "polytope" */
  /* w in argmin of cost'w over the region; among several, the one that `against` (may be NULL) makes worst:
     the largest against'w. */
  tacit_status (*minimise)(const tacit_region *region, const double *cost, const double *against,
                           double *work, double *w, tacit_error *error);
  /* The nearest point of the region. */
  tacit_status (*project)(const tacit_region *region, const double *point, double *work, double *w,
                          tacit_error *error);
  void (*free)(tacit_region *region);
} tacit_region_kind;

struct tacit_region {
  const tacit_region_kind *kind;
  size_t dimension;
  double diameter;       /* an upper bound on ||w - w'||, rounded up (proofs/regions.md) */
  double reach;          /* an upper bound on ||w||, rounded up */
  size_t work;           /* doubles of workspace that minimise and project need; one per thread */
  void *shape;           /* the kind's own */
  json_t *json;          /* canonical form, for policies and hashes */
  atomic_size_t sharers; /* how many hold it besides the first */
};

/* The same region for another holder, who frees it too: a region never changes, and measuring a polytope
   again takes as long as reading it. */
tacit_region *tacit_region_share(const tacit_region *region);

#endif
