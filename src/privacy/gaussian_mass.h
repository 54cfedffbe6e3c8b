/* Masses of intervals under the standard normal distribution in extended precision, with error bounds. */
#ifndef TACIT_SRC_GAUSSIAN_MASS_H
#define TACIT_SRC_GAUSSIAN_MASS_H

#include <float.h>
#include <math.h>

/* A number and how far from the truth it may be. */
typedef struct tacit_enclosed {
  long double value, error;
} tacit_enclosed;

/* u: half a unit in the last place of 1. expl, expm1l, logl, log1pl and erfcl are assumed to be within 16 of
   them of the truth (their authors state 5; gaussian_mass_test.c looks for worse). */
#define TACIT_LIBM_ERROR (16 * (LDBL_EPSILON / 2))

/* The smaller tail at z = y - shift: P(N > z) for z >= 0 and P(N < z) below. `away` bounds what rounding y
   - shift, and the rounding of shift itself, may have changed. */
typedef struct tacit_tail {
  long double z;
  tacit_enclosed mass;
} tacit_tail;

static inline tacit_tail tacit_tail_at(long double y, long double shift) {
  tacit_tail t = {.z = y - shift};
  long double z = fabsl(t.z);
  t.mass.value = erfcl(z * 0.707106781186547524400844362104849039L) / 2;
  /* the tail falls by the hazard rate, at most z + 1, for each unit z moves; dividing by sqrt 2 moves it by
     two units in the last place of z */
  long double away = (LDBL_EPSILON / 2) * (2 * z + 2 * (fabsl(y) + fabsl(shift)));
  t.mass.error = t.mass.value * (TACIT_LIBM_ERROR + 1.01L * (z + 1) * away);
  if (!(z < 1e4L)) t.mass = (tacit_enclosed){0, 0}; /* infinity: exactly nothing */
  return t;
}

/* P(a < N < b) for two tails with a.z <= b.z. */
static inline tacit_enclosed tacit_between(tacit_tail a, tacit_tail b) {
  long double error = (a.mass.error + b.mass.error) * (1 + 8 * LDBL_EPSILON), value;
  if (a.z >= 0)
    value = a.mass.value - b.mass.value;
  else if (b.z <= 0)
    value = b.mass.value - a.mass.value;
  else {
    value = 1 - a.mass.value - b.mass.value;
    error += LDBL_EPSILON;
  }
  if (value < 0) value = 0;
  return (tacit_enclosed){value, error + value * LDBL_EPSILON};
}

#endif
