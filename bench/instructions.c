/* One pass of each kind over a small table, for counting instructions: instructions ROWS COLUMNS. The table
   is drawn from a fixed generator and everything runs on one thread, so that the counts repeat exactly. */
#include "data/design.h"
#include "pass/row_sum.h"
#include "pass/score_sum.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };

static double next(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(int64_t)*state * 0x1p-62;
}

static void themselves(const void *self, const tacit_block *block, size_t first, double *out) {
  for (size_t j = 0; j < *(const size_t *)self; j++)
    tacit_rows_column(block->cells + j * TACIT_BLOCK + first, 0x1p-17, 0, out + j * TACIT_ROWS);
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  size_t rows = (size_t)atof(argv[1]), columns = (size_t)atof(argv[2]);
  if (columns == 0 || columns > MOST) return 2;
  const tacit_schema schema = {.columns = columns, .target_count = 1};
  tacit_design *design, *white;
  if (tacit_design_new(&schema, NULL, 17, &design, NULL)) return 1;
  uint64_t state = 1, sum[MOST * (MOST + 1) / 2];
  double x[MOST], y, matrix[MOST * MOST], b[MOST];
  for (size_t i = 0; i < rows; i++) {
    for (size_t j = 0; j < columns; j++) x[j] = j ? next(&state) : 1;
    y = next(&state);
    if (tacit_design_add(design, x, &y, NULL)) return 1;
  }
  for (size_t k = 0; k < columns * columns; k++) matrix[k] = next(&state);
  for (size_t j = 0; j < columns; j++) b[j] = next(&state);
  const tacit_image image = {.matrix = matrix, .columns = columns, .cell_bits = 10, .narrow = true};
  if (tacit_design_transform(design, &image, 1, &white, NULL)) return 1;
  tacit_score_pass pass = {.tau = 0.7, .kernel = TACIT_KERNEL_GAUSSIAN, .bandwidth = 0.1, .coefficients = b};
  tacit_side_counts counts = {.span = 0.5, .smoothing = 0.05};
  if (tacit_score_bound_set(&pass.bound, pass.tau, 4, white->cell_bits, NULL)) return 1;
  tacit_step_sum(white, &pass, 1, sum, &counts);
  tacit_row_pass moment = {
      .map_rows = themselves, .self = &columns, .width = columns, .clip = 4, .bits = 16, .moment = true};
  if (tacit_row_sum(design, &moment, 1, sum, NULL)) return 1;
  tacit_design_free(white);
  tacit_design_free(design);
  return 0;
}
