/* What design.c and design_map.c share. */
#ifndef TACIT_SRC_DESIGN_INNER_H
#define TACIT_SRC_DESIGN_INNER_H

#include "data/design.h"

#include <math.h>

static inline size_t tacit_cells_bytes(const tacit_design *design) {
  return design->columns * TACIT_BLOCK * (design->narrow ? sizeof(int16_t) : sizeof(int32_t));
}

static inline size_t tacit_block_bytes(const tacit_design *design) {
  return tacit_cells_bytes(design) + (1 + design->targets) * TACIT_BLOCK * sizeof(int32_t);
}

/* A block's lanes in its memory: cells, then norms, then targets. */
static inline tacit_block tacit_block_in(const tacit_design *design, void *memory) {
  int32_t *norms = (int32_t *)((char *)memory + tacit_cells_bytes(design));
  return (tacit_block){.cells = design->narrow ? NULL : memory,
                       .narrow = design->narrow ? memory : NULL,
                       .norms = norms,
                       .targets = norms + TACIT_BLOCK};
}

/* The smallest whole root with root^2 >= square, for whole squares below 2^52: all whole numbers here are
   exact, and so are the comparisons. A root rounded to nearest and cut is the root's floor, or already its
   ceiling. */
static inline int32_t tacit_root_ceiling(double square) {
  double root = (double)(int32_t)sqrt(square);
  return (int32_t)root + (root * root < square);
}

tacit_status tacit_design_make(size_t inputs, size_t columns, size_t targets, const double *matrix,
                               int cell_bits, tacit_design **design, tacit_error *error) TACIT_CHECKED;

#endif
