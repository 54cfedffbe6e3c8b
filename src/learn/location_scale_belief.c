/* How far steps are believed, beyond their gain: where two of them show that more is unknown than was
 * thought.
 */
#include "learn/location_scale.h"

#include <math.h>
#include <string.h>

static const double SURE = 2; /* standard deviations of what noise makes of the product of two steps */
static const double MOST = 4; /* variances grow at most so many times in a step */
static const double OUT = 3;  /* standard deviations: a number by itself */

void tacit_surprised(tacit_surprise *surprise, double *V, const double *u, const double *v,
                     const double *gamma) {
  double seen = 0, expected = 0, noise = 0, *before = surprise->before;
  for (size_t k = 0; surprise->begun && k < surprise->d; k++) {
    seen += u[k] * before[k]; /* noise has mean zero in it */
    expected += gamma[k] * gamma[k] * V[k];
    noise += v[k] * v[k];
  }
  double more = (seen - SURE * sqrt(noise)) / fmax(expected, 1e-300);
  for (size_t k = 0; more > 1 && k < surprise->d; k++) V[k] *= fmin(more, MOST);
  memcpy(before, u, surprise->d * sizeof *before);
  surprise->begun = true;
}

double tacit_number_step(double *V, double u, double v, double before) {
  if (u * before > 0 && fmin(u * u, before * before) > OUT * OUT * (*V + v)) *V = u * before;
  return tacit_newton_gain(V, v, 1, 1) * u;
}
