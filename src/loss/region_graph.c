/* Paths from a source to a sink of a directed graph without cycles: the convex hull of their 0/1 vectors, one
   coordinate for each edge. A cost is minimised by a dynamic program over the nodes in topological order. */
#include "loss/region_kinds.h"
#include "num/upward.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

enum { NODES_MAX = TACIT_REGION_DIMENSION_MAX + 1 };

/* Only edges on some path from source to sink are kept in the order; the others are never used. */
typedef struct paths {
  size_t nodes, count; /* count: edges that are in the order */
  size_t source, sink;
  size_t corral; /* affine dimension + 1, or more */
  size_t longest;
  size_t *tail, *head, *order; /* edges in each; order: by the topological position of the tail */
} paths;

/* Forward: distance[v] = cheapest way from the source to v, from[v] = its last edge. Unreached: infinity. */
static void forward(const paths *g, const double *cost, double *distance, double *from) {
  for (size_t v = 0; v < g->nodes; v++) distance[v] = INFINITY;
  distance[g->source] = 0;
  for (size_t i = 0; i < g->count; i++) {
    size_t e = g->order[i];
    double way = distance[g->tail[e]] + cost[e];
    if (way < distance[g->head[e]]) {
      distance[g->head[e]] = way;
      from[g->head[e]] = (double)e;
    }
  }
}

static void backward(const paths *g, const double *cost, double *rest) {
  for (size_t v = 0; v < g->nodes; v++) rest[v] = INFINITY;
  rest[g->sink] = 0;
  for (size_t i = g->count; i-- > 0;) {
    size_t e = g->order[i];
    rest[g->tail[e]] = fmin(rest[g->tail[e]], cost[e] + rest[g->head[e]]);
  }
}

static void read_path(const paths *g, size_t dimension, const double *from, double *w) {
  memset(w, 0, dimension * sizeof *w);
  for (size_t v = g->sink; v != g->source;) {
    size_t e = (size_t)from[v];
    w[e] = 1;
    v = g->tail[e];
  }
}

/* Among the edges that lie on a cheapest path, those that make `against` largest. Sums of the same costs in
   another order differ by rounding, so a path counts as cheapest within that rounding. */
static void worst_of_the_best(const paths *g, const double *cost, const double *against, double *work) {
  double *distance = work, *from = distance + g->nodes, *rest = from + g->nodes, *worst = rest + g->nodes;
  double most = 0;
  backward(g, cost, rest);
  for (size_t i = 0; i < g->count; i++) most = fmax(most, fabs(cost[g->order[i]]));
  double length = (double)g->longest;
  double limit = distance[g->sink] + 4 * length * length * DBL_EPSILON * most;
  for (size_t v = 0; v < g->nodes; v++) worst[v] = -INFINITY;
  worst[g->source] = 0;
  for (size_t i = 0; i < g->count; i++) {
    size_t e = g->order[i], v = g->head[e];
    if (distance[g->tail[e]] + cost[e] + rest[v] > limit) continue;
    double way = worst[g->tail[e]] + against[e];
    if (way > worst[v]) {
      worst[v] = way;
      from[v] = (double)e;
    }
  }
}

tacit_status tacit_paths_minimise(const tacit_region *region, const double *cost, const double *against,
                                  double *work, double *w, tacit_error *error) {
  (void)error;
  const paths *g = region->shape;
  forward(g, cost, work, work + g->nodes);
  if (against) worst_of_the_best(g, cost, against, work);
  read_path(g, region->dimension, work + g->nodes, w);
  return TACIT_OK;
}

tacit_status tacit_paths_project(const tacit_region *region, const double *point, double *work, double *w,
                                 tacit_error *error) {
  const paths *g = region->shape;
  return tacit_nearest(region, point, g->corral, work + 4 * g->nodes, work, w, error);
}

void tacit_paths_free(tacit_region *region) {
  paths *g = region->shape;
  if (!g) return;
  free(g->tail);
  free(g);
}

/* Lists of the edges that leave a node: first[v], then next[e] of each, up to `edges`, which is none. */
typedef struct leaving {
  size_t edges, *first, *next;
} leaving;

/* Kahn's order of the nodes into `sorted`; how many there are of them. Fewer than all: there is a cycle.
   Makes the lists. */
static size_t sort_nodes(const paths *g, const leaving *lists, size_t *sorted, size_t *waiting) {
  size_t done = 0, ready = 0, edges = lists->edges, *first = lists->first, *next = lists->next;
  for (size_t v = 0; v < g->nodes; v++) first[v] = edges;
  for (size_t e = edges; e-- > 0;) {
    waiting[g->head[e]]++;
    next[e] = first[g->tail[e]];
    first[g->tail[e]] = e;
  }
  for (size_t v = 0; v < g->nodes; v++)
    if (waiting[v] == 0) sorted[ready++] = v;
  for (; done < ready; done++)
    for (size_t e = first[sorted[done]]; e < edges; e = next[e])
      if (--waiting[g->head[e]] == 0) sorted[ready++] = g->head[e];
  return done;
}

/* The edges that lie on a path from source to sink, by their tail's place; the longest path's length; and a
   bound on the affine dimension: flows on m edges that are conserved at all but two of k nodes. */
static void keep_useful(paths *g, const leaving *lists, const size_t *sorted, bool *reached, bool *leads,
                        size_t *length) {
  const size_t edges = lists->edges, *first = lists->first, *next = lists->next;
  reached[g->source] = leads[g->sink] = true;
  for (size_t i = 0; i < g->nodes; i++)
    for (size_t e = first[sorted[i]]; e < edges; e = next[e])
      if (reached[sorted[i]]) reached[g->head[e]] = true;
  for (size_t i = g->nodes; i-- > 0;)
    for (size_t e = first[sorted[i]]; e < edges; e = next[e])
      if (leads[g->head[e]]) leads[sorted[i]] = true;
  size_t useful = 0;
  for (size_t i = 0; i < g->nodes; i++) {
    size_t v = sorted[i];
    if (!reached[v] || !leads[v]) continue;
    useful++;
    for (size_t e = first[v]; e < edges; e = next[e]) {
      size_t u = g->head[e];
      if (!leads[u] || v == g->sink) continue;
      g->order[g->count++] = e;
      if (length[v] + 1 > length[u]) length[u] = length[v] + 1;
    }
  }
  g->longest = length[g->sink];
  g->corral = g->count + 3 - (useful < g->count + 1 ? useful : g->count + 1);
}

static tacit_status settle(paths *g, size_t edges, tacit_error *error) {
  size_t n = g->nodes;
  size_t *space = tacit_alloc(4 * n + edges, sizeof *space);
  bool *marks = tacit_alloc(2 * n, sizeof *marks);
  tacit_status status = space && marks ? TACIT_OK : tacit_no_memory(error);
  if (status == TACIT_OK) {
    size_t *sorted = space, *waiting = sorted + n, *length = waiting + n;
    const leaving lists = {edges, length + n, length + 2 * n};
    if (sort_nodes(g, &lists, sorted, waiting) < n)
      status = tacit_fail(error, TACIT_BAD_INPUT,
                          "the graph has a cycle: a path region needs a directed graph without one");
    else
      keep_useful(g, &lists, sorted, marks, marks + n, length);
  }
  if (status == TACIT_OK && g->count == 0)
    status = tacit_fail(error, TACIT_BAD_INPUT,
                        "the region is empty: no path leads from \"source\" to \"sink\" of the graph");
  free(space);
  free(marks);
  return status;
}

tacit_status tacit_region_make_paths(tacit_region *region, const tacit_region_kind *kind,
                                     const tacit_graph *graph, tacit_error *error) {
  const size_t edges = graph->edges;
  paths *g = tacit_alloc(1, sizeof *g);
  if (!g) return tacit_no_memory(error);
  *region = (tacit_region){.kind = kind, .dimension = edges, .shape = g};
  *g = (paths){.nodes = graph->nodes, .source = graph->source, .sink = graph->sink};
  g->tail = tacit_alloc(3 * edges, sizeof *g->tail);
  if (!g->tail) return tacit_no_memory(error);
  g->head = g->tail + edges;
  g->order = g->head + edges;
  memcpy(g->tail, graph->tail, edges * sizeof *g->tail);
  memcpy(g->head, graph->head, edges * sizeof *g->head);
  TACIT_TRY(settle(g, edges, error));
  size_t apart = g->count < 2 * g->longest ? g->count : 2 * g->longest;
  region->diameter = tacit_up_sqrt((double)apart); /* proofs/regions.md */
  region->reach = tacit_up_sqrt((double)g->longest);
  region->work = 4 * g->nodes + tacit_nearest_work(edges, g->corral);
  return TACIT_OK;
}

static tacit_status read_edges(const json_t *list, size_t nodes, size_t *tail, size_t *head,
                               tacit_error *error) {
  for (size_t e = 0; e < json_array_size(list); e++) {
    const json_t *pair = json_array_get(list, e);
    const json_t *ends[2] = {json_array_get(pair, 0), json_array_get(pair, 1)};
    size_t node[2];
    if (json_array_size(pair) != 2)
      return tacit_fail(error, TACIT_BAD_INPUT, "\"edges\"[%zu] of the graph must be two nodes, [from, to]",
                        e);
    for (int k = 0; k < 2; k++) {
      json_int_t number = json_is_integer(ends[k]) ? json_integer_value(ends[k]) : 0;
      if (number < 1 || (uint64_t)number > nodes)
        return tacit_fail(error, TACIT_BAD_INPUT,
                          "\"edges\"[%zu] of the graph must join nodes numbered 1 to %zu", e, nodes);
      node[k] = (size_t)number - 1;
    }
    tail[e] = node[0];
    head[e] = node[1];
  }
  return TACIT_OK;
}

tacit_status tacit_region_make_graph(tacit_region *region, const json_t *json, tacit_error *error) {
  static const tacit_region_kind kind = {"graph", tacit_paths_minimise, tacit_paths_project,
                                         tacit_paths_free};
  size_t nodes, source, sink;
  TACIT_TRY(tacit_region_keys(json, "kind, nodes, edges, source, sink", error));
  TACIT_TRY(tacit_region_count(json, "nodes", 2, NODES_MAX, &nodes, error));
  TACIT_TRY(tacit_region_count(json, "source", 1, nodes, &source, error));
  TACIT_TRY(tacit_region_count(json, "sink", 1, nodes, &sink, error));
  if (source == sink)
    return tacit_fail(error, TACIT_BAD_INPUT, "\"source\" and \"sink\" of the graph must be different nodes");
  const json_t *list = json_object_get(json, "edges");
  size_t edges = json_array_size(list);
  if (edges < 1 || edges > TACIT_REGION_DIMENSION_MAX)
    return tacit_fail(error, TACIT_BAD_INPUT,
                      "\"edges\" of the graph must be an array of 1 to %d pairs of nodes, [from, to]",
                      TACIT_REGION_DIMENSION_MAX);
  size_t *ends = tacit_alloc(2 * edges, sizeof *ends);
  if (!ends) return tacit_no_memory(error);
  tacit_status status = read_edges(list, nodes, ends, ends + edges, error);
  const tacit_graph graph = {nodes, edges, ends, ends + edges, source - 1, sink - 1};
  if (status == TACIT_OK) status = tacit_region_make_paths(region, &kind, &graph, error);
  free(ends);
  return status;
}
