/* The shortest-path problem of Elmachtoub and Grigas (2022), section 6: edge costs on a directed 5 x 5 grid
   that depend on features through a polynomial.

     c_j = [((B x)_j / sqrt(p) + 3)^degree + 1] e_j,   x ~ N(0, I_p),   e_j uniform on [1 - wbar, 1 + wbar]
     B in {0, 1}^(d x p), fair coins;   p = 5, d = 40                                                      */
#ifndef TACIT_SRC_SHORTEST_PATH_MODEL_H
#define TACIT_SRC_SHORTEST_PATH_MODEL_H

#include "random/random.h"

#include <tacit/study.h>

enum { TACIT_PATH_FEATURES = 5, TACIT_PATH_EDGES = 40 };

typedef struct tacit_path_model {
  int degree;
  double half_width; /* wbar */
  double b[TACIT_PATH_EDGES * TACIT_PATH_FEATURES];
} tacit_path_model;

extern const char tacit_path_region[]; /* the 5 x 5 grid as JSON */

/* Draws B. */
void tacit_path_model_draw(tacit_path_model *model, int degree, double half_width, tacit_stream *stream);
/* One row: x (features) and c (edges). */
void tacit_path_row(const tacit_path_model *model, tacit_stream *stream, double *x, double *c);
/* The simulator: degree 4, wbar = 0.5, B from the stream; rows of x1..x5, c1..c40 as CSV. */
enum { TACIT_PATH_SIMULATED_ROWS = 1000 };
extern const char tacit_path_simulator_schema[];
tacit_status tacit_simulate_paths(size_t rows, tacit_stream *stream, tacit_writer writer,
                                  void *user) TACIT_CHECKED;

#endif
