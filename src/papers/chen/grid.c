/* What the studies of Chen and Chua share: which sizes and guarantees to run, and one repetition's rows. */
#include "papers/chen/chen.h"

#include <stdlib.h>

tacit_chen_grid tacit_chen_grid_of(const tacit_reproduce_options *o, const size_t *rows, size_t row_count,
                                   const double *epsilons, size_t epsilon_count) {
  bool their_rows = o->rows && o->row_count, their_epsilons = o->epsilons && o->epsilon_count;
  return (tacit_chen_grid){.rows = their_rows ? o->rows : rows,
                           .row_count = their_rows ? o->row_count : row_count,
                           .epsilons = their_epsilons ? o->epsilons : epsilons,
                           .epsilon_count = their_epsilons ? o->epsilon_count : epsilon_count,
                           .delta = o->delta > 0 ? o->delta : TACIT_CHEN_DELTA};
}

tacit_status tacit_chen_table(const tacit_chen_problem *problem, size_t rows, tacit_stream *stream,
                              double **space, tacit_chen_rows *table, tacit_error *error) {
  size_t d = problem->columns;
  double *x = *space = tacit_alloc(rows * (d + 1), sizeof *x);
  if (!x) return tacit_no_memory(error);
  double *y = x + rows * d;
  for (size_t i = 0; i < rows; i++) y[i] = tacit_chen_problem_draw(problem, stream, x + i * d);
  *table = (tacit_chen_rows){rows, d, x, y};
  return TACIT_OK;
}
