/* The grid shortest path: from the north-west corner of rows x columns crossings to the south-east one, moves
   to the right and down only. docs/formats/region.md gives the order of its edges. */
#include "loss/region_kinds.h"

#include <stdlib.h>

tacit_status tacit_region_make_grid(tacit_region *region, const json_t *json, tacit_error *error) {
  static const tacit_region_kind kind = {"grid", tacit_paths_minimise, tacit_paths_project, tacit_paths_free};
  size_t rows, columns;
  TACIT_TRY(tacit_region_keys(json, "kind, rows, columns", error));
  TACIT_TRY(tacit_region_count(json, "rows", 2, TACIT_REGION_DIMENSION_MAX / 2, &rows, error));
  TACIT_TRY(tacit_region_count(json, "columns", 2, TACIT_REGION_DIMENSION_MAX / 2, &columns, error));
  size_t edges = rows * (columns - 1) + (rows - 1) * columns, at = 0;
  if (edges > TACIT_REGION_DIMENSION_MAX)
    return tacit_fail(error, TACIT_BAD_INPUT, "the grid has %zu edges; at most %d are supported", edges,
                      TACIT_REGION_DIMENSION_MAX);
  size_t *tail = tacit_alloc(2 * edges, sizeof *tail), *head = tail + edges;
  if (!tail) return tacit_no_memory(error);
  for (size_t i = 0; i < rows; i++) { /* the row's edges to the right, then those down from it */
    for (size_t j = 0; j + 1 < columns; j++, at++) {
      tail[at] = i * columns + j;
      head[at] = tail[at] + 1;
    }
    for (size_t j = 0; i + 1 < rows && j < columns; j++, at++) {
      tail[at] = i * columns + j;
      head[at] = tail[at] + columns;
    }
  }
  const tacit_graph graph = {rows * columns, edges, tail, head, 0, rows * columns - 1};
  tacit_status status = tacit_region_make_paths(region, &kind, &graph, error);
  free(tail);
  return status;
}
