/* Objective perturbation in exact arithmetic: integer rows, a kernel that is a table of integers, and the
   minimiser with a certified gradient (proofs/objective-perturbation.md, "The computed minimiser"). */
#ifndef TACIT_SRC_LEARN_OBJECTIVE_H
#define TACIT_SRC_LEARN_OBJECTIVE_H

#include "data/design.h"
#include "loss/kernel.h"
#include "method/objective_recipe.h"

__extension__ typedef __int128 tacit_int128;

enum {
  TACIT_TABLE_STEPS = 4096, /* of 1/64 bandwidth each, from -32 to 32 */
  TACIT_TABLE_BITS = 32,    /* K's values are integers on 2^-32 */
  TACIT_EXACT_SCORE_BITS = 60,
  TACIT_THETA_BITS = 66, /* theta's grid is 2^-66, and |theta_j| <= 2^24 */
  TACIT_THETA_MOST = 24,
  TACIT_GRADIENT_BITS = TACIT_CELL_BITS + TACIT_EXACT_SCORE_BITS
};

/* The smoothed score as a piecewise linear function: Kbar at -32, -32 + 1/64, ..., 32 bandwidths. */
typedef struct tacit_kernel_table {
  int64_t value[TACIT_TABLE_STEPS + 1];
} tacit_kernel_table;
/* False when a slope exceeds sup K + 2^-20, which is what the smoothness counts with. */
bool tacit_kernel_table_fill(tacit_kernel_table *table, tacit_kernel kernel);

/* Rows clipped to a norm, row-major, with one target. */
typedef struct tacit_clipped_rows {
  size_t rows, columns;
  int32_t *cells;
  int32_t *targets;
} tacit_clipped_rows;
/* Room for the design's rows: memory is taken before anything is spent. */
tacit_status tacit_clipped_rows_new(const tacit_design *design, tacit_clipped_rows *rows,
                                    tacit_error *error) TACIT_CHECKED;
/* Clips every row to floor(clip 2^17) in integers; a row that cannot be is zero. */
void tacit_clipped_rows_fill(const tacit_design *design, size_t target, double clip,
                             tacit_clipped_rows *rows);
void tacit_clipped_rows_free(tacit_clipped_rows *rows); /* wiped first */

/* sum_i l(theta; z_i) + (lambda/2) |theta|^2 + b'theta. */
typedef struct tacit_perturbed {
  const tacit_clipped_rows *rows;
  const tacit_kernel_table *table;
  double tau;
  double bandwidth;
  double lambda;         /* at most TACIT_LAMBDA_DIGITS digits, at least 2^-6 */
  double steepest;       /* sup K / bandwidth: the largest second derivative of a loss in its margin */
  double smoothness;     /* steepest clip^2: of one row's loss in theta */
  double slack;          /* bound on the rounding of all scores together, times the rows' norms */
  const int64_t *linear; /* b, on the grid 2^-linear_bits */
  int linear_bits;
  int threads;
} tacit_perturbed;

/* The solver's memory, for rows of this shape; wiped when it is freed. NULL when there is none. */
typedef struct tacit_solver_room {
  size_t bytes;
  char *memory;
} tacit_solver_room;
tacit_status tacit_solver_room_new(const tacit_clipped_rows *rows, int threads, tacit_solver_room *room,
                                   tacit_error *error) TACIT_CHECKED;
void tacit_solver_room_free(tacit_solver_room *room);

/* theta with a gradient of norm at most gamma; how many gradients it took in *passes (may be NULL). It fails
   only when the context cancels, if gamma >= 2 M sqrt(columns) 2^-66 + slack, M = rows smoothness + lambda.
   The room must be for the problem's rows and threads. */
tacit_status tacit_perturbed_solve(const tacit_perturbed *problem, double gamma,
                                   const tacit_solver_room *room, const tacit_context *context,
                                   tacit_int128 *theta, size_t *passes, tacit_error *error) TACIT_CHECKED;

#endif
