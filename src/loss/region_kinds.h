/* What the files that make regions share: each kind's maker, reading of JSON, the projection that needs only
   the linear oracle, and path regions. */
#ifndef TACIT_SRC_REGION_KINDS_H
#define TACIT_SRC_REGION_KINDS_H

#include "loss/region.h"

enum { TACIT_REGION_DIMENSION_MAX = 4096 };
/* Of sizes in a region's file: beyond it a linear program means little. */
#define TACIT_REGION_NUMBER_MAX 1e9
/* Of costs and of points to project: their squares stay finite. */
#define TACIT_REGION_COST_MAX 1e100

/* Each fills kind, dimension, diameter, reach, work and shape from an object whose "kind" has been read, and
   leaves what it allocated in shape, also when it fails. */
tacit_status tacit_region_make_ball(tacit_region *region, const json_t *json,
                                    tacit_error *error) TACIT_CHECKED;
tacit_status tacit_region_make_box(tacit_region *region, const json_t *json,
                                   tacit_error *error) TACIT_CHECKED;
tacit_status tacit_region_make_simplex(tacit_region *region, const json_t *json,
                                       tacit_error *error) TACIT_CHECKED;
tacit_status tacit_region_make_grid(tacit_region *region, const json_t *json,
                                    tacit_error *error) TACIT_CHECKED;
tacit_status tacit_region_make_graph(tacit_region *region, const json_t *json,
                                     tacit_error *error) TACIT_CHECKED;
tacit_status tacit_region_make_polytope(tacit_region *region, const json_t *json,
                                        tacit_error *error) TACIT_CHECKED;

/* Refuses keys that are not in known ("kind, radius"). */
tacit_status tacit_region_keys(const json_t *json, const char *known, tacit_error *error) TACIT_CHECKED;
/* A whole number in [low, high]. */
tacit_status tacit_region_count(const json_t *json, const char *key, size_t low, size_t high, size_t *count,
                                tacit_error *error) TACIT_CHECKED;
/* A number in (0, TACIT_REGION_NUMBER_MAX]. */
tacit_status tacit_region_positive(const json_t *json, const char *key, double *number,
                                   tacit_error *error) TACIT_CHECKED;
/* Exactly count numbers of at most TACIT_REGION_NUMBER_MAX from an array; `where` names it. */
tacit_status tacit_region_numbers(const json_t *array, const char *where, size_t count, double *numbers,
                                  tacit_error *error) TACIT_CHECKED;

/* A directed graph, nodes 0..nodes-1; edge e goes from tail[e] to head[e]. */
typedef struct tacit_graph {
  size_t nodes, edges;
  const size_t *tail, *head;
  size_t source, sink;
} tacit_graph;

/* The paths from source to sink of a graph without cycles. Copies the arrays. */
tacit_status tacit_region_make_paths(tacit_region *region, const tacit_region_kind *kind,
                                     const tacit_graph *graph, tacit_error *error) TACIT_CHECKED;
tacit_status tacit_paths_minimise(const tacit_region *region, const double *cost, const double *against,
                                  double *work, double *w, tacit_error *error) TACIT_CHECKED;
tacit_status tacit_paths_project(const tacit_region *region, const double *point, double *work, double *w,
                                 tacit_error *error) TACIT_CHECKED;
void tacit_paths_free(tacit_region *region);

/* The nearest point of a polytope by Wolfe's method, through the kind's own minimise, which gets oracle_work.
   Needs tacit_nearest_work(d, corral) doubles; corral is the region's affine dimension, or more, plus 1. */
size_t tacit_nearest_work(size_t dimension, size_t corral);
tacit_status tacit_nearest(const tacit_region *region, const double *point, size_t corral, double *work,
                           double *oracle_work, double *w, tacit_error *error) TACIT_CHECKED;

#endif
