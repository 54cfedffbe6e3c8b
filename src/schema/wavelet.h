/* Daubechies' wavelets, periodised on a column's bounds (docs/formats/schema.md has the definition). */
#ifndef TACIT_SRC_WAVELET_H
#define TACIT_SRC_WAVELET_H

#include "schema/schema.h"

enum {
  TACIT_WAVELET_STEPS = 1024, /* points of the table for each unit */
  TACIT_WAVELET_LEVELS = 7
};

typedef enum tacit_wavelet_filter {
  TACIT_WAVELET_D4,
  TACIT_WAVELET_D8,
  TACIT_WAVELET_FILTERS
} tacit_wavelet_filter;
extern const char *const tacit_wavelet_names[TACIT_WAVELET_FILTERS + 1]; /* up to NULL */

struct tacit_wavelet {
  tacit_wavelet_filter filter;
  size_t levels, support;              /* the wavelet is 0 outside [0, support] */
  double *value;                       /* support * TACIT_WAVELET_STEPS + 1: of the wavelet */
  double length[TACIT_WAVELET_LEVELS]; /* of a level's columns together, at most */
};

/* How smooth what it is good for is: its vanishing moments. */
size_t tacit_wavelet_moments(tacit_wavelet_filter filter);
/* To be freed; NULL without memory. */
tacit_wavelet *tacit_wavelet_new(tacit_wavelet_filter filter, size_t levels);
void tacit_wavelet_free(tacit_wavelet *wavelet);
/* psi_jk at t in [0, 1], periodised; not yet divided by its level's length. */
double tacit_wavelet_at(const tacit_wavelet *wavelet, size_t j, size_t k, double t);
/* The columns of t: 2^levels - 1 numbers. */
void tacit_wavelet_encode(const tacit_wavelet *wavelet, double t, double *out);

#endif
