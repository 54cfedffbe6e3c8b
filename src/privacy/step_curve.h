/* One step of the sampled Gaussian mechanism: the pair of distributions that dominates it, and the mass and
   moment that the pair has where its likelihood ratio lies in half a cell of a grid
   (proofs/sampled-gaussian.md). */
#ifndef TACIT_SRC_STEP_CURVE_H
#define TACIT_SRC_STEP_CURVE_H

#include "privacy/gaussian_mass.h"

#include <stdbool.h>
#include <stdint.h>

/* P against Q, N_m = N(m, sigma^2), in units of the clip norm; the loss is ln dP/dQ. */
typedef enum tacit_step_kind {
  TACIT_STEP_REMOVE,  /* (1 - q) N_0 + q N_1 against N_0 */
  TACIT_STEP_ADD,     /* N_0 against (1 - q) N_0 + q N_1 */
  TACIT_STEP_REPLACE, /* (1 - q) N_0 + q N_1 against (1 - q) N_0 + q N_-1 */
  TACIT_STEP_FIXED /* the pair behind h of docs/math.md, "Accounting": REMOVE above loss 0 and ADD below, both
                      with means 0 and 2, and the rest of the mass at loss 0 */
} tacit_step_kind;

typedef struct tacit_step_curve {
  tacit_step_kind kind;
  long double rate;
  long double shift;  /* the distance of the means over sigma */
  long double centre; /* e^(-shift^2/2) */
} tacit_step_curve;

void tacit_step_curve_set(tacit_step_curve *curve, tacit_step_kind kind, double rate, double sigma);

/* Where the loss is at least (at most) the given one, as a point y of the standard normal scale; +-inf
   outside the range of losses. */
typedef struct tacit_step_edge {
  tacit_tail tail[3]; /* at y - m shift for m = 0, 1, -1 */
  long double growth; /* e^loss - 1 */
} tacit_step_edge;
void tacit_step_edge_at(const tacit_step_curve *curve, long double loss, tacit_step_edge *edge);

/* The part of the pair between two edges: its mass under Q, and |P - e^near Q| for a loss `near` at the edge
   `from` or `to`. */
typedef struct tacit_step_part {
  tacit_enclosed q, moment;
} tacit_step_part;
tacit_step_part tacit_step_between(const tacit_step_curve *curve, const tacit_step_edge *from,
                                   const tacit_step_edge *to, long double near, bool near_from);

/* Mass exactly at loss 0, the same under P and Q; only fixed-size sampling has it. */
tacit_enclosed tacit_step_atom(const tacit_step_curve *curve);
/* Beyond these losses P has at most the stated mass on either side together. */
void tacit_step_range(const tacit_step_curve *curve, double reach, long double *low, long double *high,
                      long double *mass_beyond);
/* About how far one step's loss is from 0, to choose a grid. */
double tacit_step_spread(const tacit_step_curve *curve);

#endif
