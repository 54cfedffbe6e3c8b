/* How blocks lie in memory: for those who make designs. */
#ifndef TACIT_SRC_DESIGN_INNER_H
#define TACIT_SRC_DESIGN_INNER_H

#include "data/design.h"

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

tacit_status tacit_design_make(size_t inputs, size_t columns, size_t targets, const double *matrix,
                               int cell_bits, tacit_design **design, tacit_error *error) TACIT_CHECKED;

#endif
