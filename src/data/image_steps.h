/* What a block of rows becomes by a public matrix, on a grid of its own; for design_map.c. */
#ifndef TACIT_SRC_IMAGE_STEPS_H
#define TACIT_SRC_IMAGE_STEPS_H

#include "data/design.h"

enum {
  TACIT_PAIR_INPUTS = 64
}; /* from so many columns on, rows in two bytes are made by products in pairs */

/* The matrix in steps of the new grid for steps of the old one. */
typedef struct tacit_steps {
  size_t inputs, columns;
  float *strip;    /* some columns at a time: [strip][input][column]; or, in pairs, */
  int16_t *whole;  /* [column][input], with the first input, which is the intercept, left out, */
  size_t stride;   /* so far apart; */
  size_t *length;  /* of some columns at a time: so many inputs count, behind them all is zero; */
  float *factor;   /* [column]: what one is worth; */
  float *constant; /* [column]: of the first input */
  double reach;    /* how long a row of two bytes may be for no sum to leave 32 bits */
} tacit_steps;

/* image->matrix from rows of `inputs` columns; bits: how much finer the new grid is. Free it also after a
   failure. */
tacit_status tacit_steps_set(tacit_steps *steps, const tacit_image *image, size_t inputs, int bits,
                             tacit_error *error) TACIT_CHECKED;
void tacit_steps_free(tacit_steps *steps);
/* The memory that one thread needs. */
size_t tacit_steps_room(const tacit_steps *steps);
/* The rows of one block. A row's image depends on that row alone. */
void tacit_steps_map(const tacit_steps *steps, void *room, const tacit_block *from,
                     const tacit_design *design, const tacit_block *to);

/* Its ways; image_pairs.c. */
tacit_status tacit_pairs_set(tacit_steps *steps, const tacit_image *image, int bits,
                             tacit_error *error) TACIT_CHECKED;
size_t tacit_pairs_room(const tacit_steps *steps);
void tacit_pairs_map(const tacit_steps *steps, void *room, const tacit_block *from, const tacit_block *to,
                     float square[TACIT_BLOCK]);

/* Clamped and rounded to nearest. The limit is an argument because the compiler fails to vectorise
   comparisons with constants. */
static inline int32_t tacit_on_grid(float value, float limit) {
  value = value > -limit ? value : -limit;
  value = value < limit ? value : limit;
  return (int32_t)(value + (value > 0 ? 0.5f : -0.5f));
}

#endif
