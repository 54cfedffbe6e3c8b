/* The table behind the Gaussian samplers: z(p) with Q(z) = p, in pieces, computed and proved at build time.

   A 63-bit tail integer k stands for p in [k, k+1) / 2^64. The octave is the number of leading zeros of the
   64-bit integer 2k+1 (the middle of that interval in units of 2^-65), the segment its next SEGMENT_BITS
   bits, and t in [-1, 1] the place in the segment. Then z = hi + (c[0] + c[1] t + ... + c[DEGREE] t^DEGREE),
   up to the error that the row states. Row layout and bound: proofs/exact-noise.md. */
#ifndef TACIT_SRC_GAUSSIAN_TABLE_H
#define TACIT_SRC_GAUSSIAN_TABLE_H

#include <stdint.h>

enum {
  TACIT_GAUSSIAN_SEGMENT_BITS = 5, /* a segment's half width is at most 1/65 of p: 6 bits gained per degree */
  TACIT_GAUSSIAN_SEGMENTS = 1 << TACIT_GAUSSIAN_SEGMENT_BITS,
  TACIT_GAUSSIAN_OCTAVES = 39, /* down to p = 2^-40, so that the tail costs nothing on average */
  TACIT_GAUSSIAN_DEGREE = 9,   /* its remainder is below 2^-64, lost in the rounding */
  TACIT_GAUSSIAN_HI_BITS = 26  /* hi times a 27-bit half of sigma is exact in a double */
};

/* What the proof claims of every row: the part of its error that does not come from the width of p's
   interval. The generator stops the build when it cannot prove this. */
#define TACIT_GAUSSIAN_ERROR 0x1p-55

typedef struct tacit_gaussian_row {
  double hi;                           /* z at the middle of the segment, to HI_BITS bits */
  double c[TACIT_GAUSSIAN_DEGREE + 1]; /* c[0] is what hi leaves of z */
  double error; /* |sigma z - computed| <= sigma error + 2^-48, for all p of k's interval */
} tacit_gaussian_row;

extern const tacit_gaussian_row tacit_gaussian_table[TACIT_GAUSSIAN_OCTAVES][TACIT_GAUSSIAN_SEGMENTS];
extern const double tacit_gaussian_proved_error; /* the largest found, <= TACIT_GAUSSIAN_ERROR */
extern const double tacit_gaussian_tail_start;   /* z(2^-40), where the table ends */

/* Where k lies: its row, or NULL below the table; t by *place. */
static inline const tacit_gaussian_row *tacit_gaussian_find(uint64_t k, double *place) {
  uint64_t middle = 2 * k + 1;
  int octave = __builtin_clzll(middle);
  if (octave >= TACIT_GAUSSIAN_OCTAVES) return 0;
  enum { REST = 63 - TACIT_GAUSSIAN_SEGMENT_BITS }; /* bits below the leading one and the segment's */
  middle <<= octave;
  int64_t from_middle = (int64_t)(middle & ((UINT64_C(1) << REST) - 1)) - (INT64_C(1) << (REST - 1));
  *place = (double)from_middle * (1.0 / (double)(INT64_C(1) << (REST - 1)));
  return &tacit_gaussian_table[octave][middle >> REST & (TACIT_GAUSSIAN_SEGMENTS - 1)];
}

/* z - hi, by Horner's rule: the order of operations is the one that the bound was proved for. */
static inline double tacit_gaussian_rest(const tacit_gaussian_row *row, double place) {
  double sum = row->c[TACIT_GAUSSIAN_DEGREE];
  for (int i = TACIT_GAUSSIAN_DEGREE - 1; i >= 0; i--) sum = row->c[i] + place * sum;
  return sum;
}

#endif
