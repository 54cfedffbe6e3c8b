/* How an accountant tries one grid after the other: each encloses the truth, so that their intervals are
   intersected (proofs/pld.md). */
#ifndef TACIT_SRC_GRIDS_H
#define TACIT_SRC_GRIDS_H

#include <stdbool.h>
#include <tacit/privacy.h>

/* After a grid that is too fine for the work space, or whose single losses are too large: less tilt, and
   every fourth time none and a wider grid. */
void tacit_grid_relax(int tries, double *tilt, double *width);
/* Whether what lies beyond a grid's reach is something beside the answer, so that the next one reaches
   further. */
bool tacit_grid_reaches(double beyond, double answer, double *reach);
void tacit_interval_meet(tacit_interval *interval, tacit_interval other);

#endif
