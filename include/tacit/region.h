/* Regions of decisions: compact convex sets over which a linear cost is minimised. */
#ifndef TACIT_REGION_H
#define TACIT_REGION_H

#include <tacit/base.h>

TACIT_BEGIN

/* A compact convex set of decisions; docs/formats/region.md. Safe to use from several threads, each with its
   own workspace. */
typedef struct tacit_region tacit_region;

/* Reads a region from a file or JSON text. TACIT_BAD_INPUT for one that is malformed, empty, unbounded or, a
   polytope, without interior. *region is the caller's. */
TACIT_API tacit_status tacit_region_read(const char *path, tacit_region **region,
                                         tacit_error *error) TACIT_CHECKED;
TACIT_API tacit_status tacit_region_parse(const char *json, size_t length, tacit_region **region,
                                          tacit_error *error) TACIT_CHECKED;
TACIT_API void tacit_region_free(tacit_region *region); /* NULL is fine */

TACIT_API size_t tacit_region_dimension(const tacit_region *region);
TACIT_API double tacit_region_diameter(const tacit_region *region); /* an upper bound, rounded up */
/* How many doubles of workspace the calls below need. */
TACIT_API size_t tacit_region_work(const tacit_region *region);

/* w minimises cost'w over the region; *value (may be NULL) gets cost'w. Costs must be finite. Among several
   minimisers it is the one with the largest against'w, or, with against NULL, a fixed one. */
TACIT_API tacit_status tacit_region_minimise(const tacit_region *region, const double *cost,
                                             const double *against, double *work, double *w, double *value,
                                             tacit_error *error) TACIT_CHECKED;
/* w is the point of the region nearest to `point`. */
TACIT_API tacit_status tacit_region_project(const tacit_region *region, const double *point, double *work,
                                            double *w, tacit_error *error) TACIT_CHECKED;

TACIT_END

#endif
