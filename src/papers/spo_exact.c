/* SPO+ empirical risk minimisation as a linear program (Elmachtoub and Grigas's reformulation; Wang and Qin's
   appendix), over paths through a grid, through Clp.

     SPO+ of a row = max_w (c - 2 chat)'w + 2 chat'w*(c) - z*(c)
     max_w (c - 2 chat)'w = - max { pi_source : pi_u - pi_v <= 2 chat_e - c_e on every edge e = (u, v),
   pi_sink = 0 }

   by duality of shortest paths, so that all rows together are

     minimise over B, pi   mean of  -pi_source + 2 w*(c)'B x   subject to   pi_u - pi_v - 2 (B x)_e <= -c_e,

   which is bounded, since the loss is never negative. */
#include "papers/spo_exact.h"

#include "base/base.h"
#include "num/solvers.h"
#include "study/shortest_path_model.h"

#include <float.h>
#include <stdlib.h>
#include <tacit/solvers.h>

enum { SIDE = 5, NODES = SIDE * SIDE, SINK = NODES - 1, EDGES = TACIT_PATH_EDGES };

/* The order of edges of docs/formats/region.md. */
static void set_edges(int tail[EDGES], int head[EDGES]) {
  int at = 0;
  for (int i = 0; i < SIDE; i++) {
    for (int j = 0; j + 1 < SIDE; j++, at++) tail[at] = i * SIDE + j, head[at] = tail[at] + 1;
    for (int j = 0; i + 1 < SIDE && j < SIDE; j++, at++) tail[at] = i * SIDE + j, head[at] = tail[at] + SIDE;
  }
}

/* Column by column: B, then the potentials of every row's nodes but the sink. */
typedef struct program {
  int columns, rows, entries;
  int *start, *index;
  double *value, *lower, *upper, *cost, *row_lower, *row_upper;
} program;

static void free_program(program *p) {
  free(p->start);
  free(p->index);
  free(p->value);
  free(p->lower);
}

static tacit_status make_room(const tacit_spo_sample *s, program *p, tacit_error *error) {
  size_t n = s->rows, columns = s->d * s->p + n * SINK, rows = n * EDGES, entries = n * EDGES * (s->p + 2);
  *p = (program){.columns = (int)columns, .rows = (int)rows};
  p->start = tacit_alloc(columns + 1, sizeof *p->start);
  p->index = tacit_alloc(entries, sizeof *p->index);
  p->value = tacit_alloc(entries, sizeof *p->value);
  p->lower = tacit_alloc(3 * columns + 2 * rows, sizeof *p->lower);
  if (!p->start || !p->index || !p->value || !p->lower) return tacit_no_memory(error);
  p->upper = p->lower + columns;
  p->cost = p->upper + columns;
  p->row_lower = p->cost + columns;
  p->row_upper = p->row_lower + rows;
  for (size_t k = 0; k < columns; k++) p->lower[k] = -DBL_MAX, p->upper[k] = DBL_MAX;
  return TACIT_OK;
}

static void add_entry(program *p, size_t row, double value) {
  p->index[p->entries] = (int)row;
  p->value[p->entries++] = value;
}

static void fill(const tacit_spo_sample *s, program *p) {
  int tail[EDGES], head[EDGES], column = 0;
  double n = (double)s->rows;
  set_edges(tail, head);
  for (size_t e = 0; e < EDGES; e++)
    for (size_t k = 0; k < s->p; k++, column++) {
      p->start[column] = p->entries;
      for (size_t i = 0; i < s->rows; i++) {
        add_entry(p, i * EDGES + e, -2 * s->x[i * s->p + k]);
        p->cost[column] += 2 * s->best[i * EDGES + e] * s->x[i * s->p + k] / n;
      }
    }
  for (size_t i = 0; i < s->rows; i++)
    for (int v = 0; v < SINK; v++, column++) {
      p->start[column] = p->entries;
      p->cost[column] = v == 0 ? -1 / n : 0;
      for (size_t e = 0; e < EDGES; e++)
        if (tail[e] == v || head[e] == v) add_entry(p, i * EDGES + e, tail[e] == v ? 1 : -1);
    }
  p->start[column] = p->entries;
  for (size_t i = 0; i < s->rows * EDGES; i++) p->row_lower[i] = -DBL_MAX, p->row_upper[i] = -s->c[i];
}

tacit_status tacit_spo_exact(const tacit_spo_sample *s, double *rule, tacit_error *error) {
  program p = {.entries = 0};
  if (s->d != EDGES || s->rows > 1000)
    return tacit_fail(error, TACIT_USAGE, "the linear program is for the 5 x 5 grid and at most 1000 rows");
  TACIT_TRY(tacit_load_solvers(error));
  tacit_status status = make_room(s, &p, error);
  Clp_Simplex *model = status == TACIT_OK ? Clp_newModel() : NULL;
  if (status == TACIT_OK && !model) status = tacit_no_memory(error);
  if (status == TACIT_OK) {
    fill(s, &p);
    Clp_setLogLevel(model, 0);
    Clp_setPrimalTolerance(model, 1e-9);
    Clp_setDualTolerance(model, 1e-9);
    Clp_loadProblem(model, p.columns, p.rows, p.start, p.index, p.value, p.lower, p.upper, p.cost,
                    p.row_lower, p.row_upper);
    (void)Clp_dual(model, 0);
    if (Clp_status(model) != 0) (void)Clp_primal(model, 0);
    if (Clp_status(model) != 0)
      status = tacit_fail(error, TACIT_INTERNAL, "the linear program was not solved");
  }
  for (size_t k = 0; status == TACIT_OK && k < s->d * s->p; k++) rule[k] = Clp_getColSolution(model)[k];
  if (model) Clp_deleteModel(model);
  free_program(&p);
  return status;
}
