/* Steps from one grid of an accountant to the next. */
#include "privacy/grids.h"

#include <math.h>

static const double LESS_TILT = 0.6, WIDER = 4;                    /* times */
static const double NEGLIGIBLE = 1e-5, FURTHER = 6, FURTHEST = 36; /* standard deviations */

void tacit_grid_relax(int tries, double *tilt, double *width) {
  bool less_tilt = tries % 4 != 3;
  *tilt = less_tilt ? *tilt * LESS_TILT : 1;
  if (!less_tilt) *width *= WIDER;
}

bool tacit_grid_reaches(double beyond, double answer, double *reach) {
  if (!(beyond > NEGLIGIBLE * answer && *reach < FURTHEST)) return false;
  *reach += FURTHER;
  return true;
}

void tacit_interval_meet(tacit_interval *interval, tacit_interval other) {
  interval->lower = fmax(interval->lower, other.lower);
  interval->upper = fmin(interval->upper, other.upper);
}
