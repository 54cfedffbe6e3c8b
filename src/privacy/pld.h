/* Privacy-loss distributions: many equal steps together, by Fourier transforms of exponentially tilted
   measures, with every error inside the result (proofs/pld.md). */
#ifndef TACIT_SRC_PLD_H
#define TACIT_SRC_PLD_H

#include "num/fft.h"
#include "privacy/measure.h"

/* All steps together, tilted: mass was e^(theta loss - log_scale) times the P-mass, and within `off` of it in
   sum of absolute values. */
typedef struct tacit_pld {
  tacit_side side;
  tacit_measure sum; /* each mass with all above it, weighted; see pld.c */
  double *ahead;     /* owned */
  double theta;
  long double log_scale;
  double off;
  double beyond; /* P-mass that is nowhere in `sum`; an upper bound counts it as an infinite loss */
} tacit_pld;

/* How often a step is taken, the P-mass that its measure leaves out, and the tilt and side of the result. */
typedef struct tacit_composition {
  uint64_t steps;
  double beyond, theta;
  tacit_side side;
  int bits_max; /* no transform has more than 2^bits_max points */
} tacit_composition;

/* The tilted measure of all steps before its masses are summed up: how far it is from the exact one, in sum
   of absolute values, a bound on the mass of either, and what it was scaled by. */
typedef struct tacit_power {
  tacit_measure m;
  double off, bound;
  long double log_scale;
} tacit_power;
/* As tacit_pld_compose_with, without the summing up; of->beyond is not read. Free out->m. */
tacit_status tacit_pld_power(tacit_measure *step, const tacit_composition *of, tacit_fft **roots,
                             tacit_power *out, tacit_error *error) TACIT_CHECKED;
/* The distribution that the power is of, which is given away; all P-mass outside it is `beyond`. */
tacit_status tacit_pld_from(tacit_power *power, double theta, tacit_side side, double beyond, tacit_pld *out,
                            tacit_error *error) TACIT_CHECKED;

/* All steps of the composition, from the measure of one, which is tilted in place and given away.
   TACIT_REFUSED where a transform would need more points than it may have. */
tacit_status tacit_pld_compose(tacit_measure *step, const tacit_composition *of, tacit_pld *out,
                               tacit_error *error) TACIT_CHECKED;
/* The same; *roots, NULL at first, is kept for the next call. */
tacit_status tacit_pld_compose_with(tacit_measure *step, const tacit_composition *of, tacit_fft **roots,
                                    tacit_pld *out, tacit_error *error) TACIT_CHECKED;
/* How often the grid is made wider on the way to so many steps. */
size_t tacit_pld_levels(uint64_t steps);
void tacit_pld_free(tacit_pld *pld);

/* A bound on delta(epsilon) from the pld's side, for any epsilon >= 0; tight near the epsilon it was tilted
   for. */
double tacit_pld_delta(const tacit_pld *pld, double epsilon);

#endif
