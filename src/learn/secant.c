/* The BFGS update, for changes that stand out from the noise. */
#include "learn/secant.h"

#include "base/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SURE = 6;       /* standard deviations by which a change must stand out */
static const double LEAST = 0.05;   /* of the guessed curvature: no direction is believed to be flatter */
static const double STRAIGHT = 0.3; /* cosine between both changes: with less of it H would grow wildly */

void tacit_secant_begin(tacit_secant *secant) {
  size_t d = secant->d;
  secant->begun = false;
  memset(secant->H, 0, d * d * sizeof *secant->H);
  for (size_t k = 0; k < d; k++) secant->H[k * d + k] = 1;
}

bool tacit_secant_open(tacit_secant *secant, size_t d) {
  *secant = (tacit_secant){.d = d, .H = tacit_alloc(d * (d + 4), sizeof(double))};
  if (!secant->H) return false;
  secant->x = secant->H + d * d;
  secant->u = secant->x + d;
  secant->dx = secant->u + d;
  secant->du = secant->dx + d;
  tacit_secant_begin(secant);
  return true;
}

void tacit_secant_close(tacit_secant *secant) {
  free(secant->H);
  *secant = (tacit_secant){0};
}

static double dot(size_t d, const double *a, const double *b) {
  double sum = 0;
  for (size_t k = 0; k < d; k++) sum += a[k] * b[k];
  return sum;
}

void tacit_secant_turn(const tacit_secant *secant, const double *u, double *out) {
  for (size_t j = 0; j < secant->d; j++) out[j] = dot(secant->d, secant->H + j * secant->d, u);
}

/* H := (I - dx du' / c) H (I - du dx' / c) + dx dx' / c with c = dx'du > 0, so that H du = dx. */
static void update(tacit_secant *secant, double c) {
  size_t d = secant->d;
  const double *dx = secant->dx, *du = secant->du;
  double *Hdu = secant->u; /* free until the new step is kept */
  tacit_secant_turn(secant, du, Hdu);
  double both = (1 + dot(d, du, Hdu) / c) / c;
  for (size_t j = 0; j < d; j++)
    for (size_t k = 0; k < d; k++)
      secant->H[j * d + k] += both * dx[j] * dx[k] - (dx[j] * Hdu[k] + Hdu[j] * dx[k]) / c;
}

void tacit_secant_learn(tacit_secant *secant, const double *x, const double *u, double noise, double level) {
  size_t d = secant->d;
  for (size_t k = 0; k < d; k++) {
    secant->dx[k] = x[k] - secant->x[k];
    secant->du[k] = u[k] - secant->u[k];
  }
  double c = dot(d, secant->dx, secant->du), square = dot(d, secant->dx, secant->dx);
  double length = sqrt(square), both = hypot(noise, secant->noise);
  bool seen = c > SURE * both * length && c > LEAST * square &&
              c > STRAIGHT * length * sqrt(dot(d, secant->du, secant->du));
  if (secant->begun && level != secant->level) tacit_secant_begin(secant);
  if (secant->begun && level == secant->level && seen) update(secant, c);
  for (size_t k = 0; k < d; k++) secant->x[k] = x[k], secant->u[k] = u[k];
  secant->noise = noise;
  secant->level = level;
  secant->begun = true;
}
