/* How far one row's part of an answer can reach, in integers. The pass that computes an answer holds every
   row to this radius, and the certificate takes sensitivities from the same functions (proofs/exact-sums.md).
 */
#ifndef TACIT_SRC_RADIUS_H
#define TACIT_SRC_RADIUS_H

#include <tacit/base.h>

enum { TACIT_SCORE_BITS = 16 /* a score is an integer multiple of 2^-16 */ };
#define TACIT_EXACT 0x1p53 /* integers below this are exact in a double */

/* Of a vector that is clipped to a norm and rounded on the grid 2^-bits: floor(clip 2^bits), in grid units.
 */
double tacit_clip_radius(double clip, int bits);
/* Of the products of such a vector with itself, on the grid 2^-(2 bits): its square. */
double tacit_moment_radius(double clip, int bits);
/* Of a number in [0, 1] on the grid 2^-bits. */
double tacit_count_radius(int bits);

/* What all rows of a unit add together may be held to `clip` times one row's reach: floor(clip reach), in the
   same units. Norms of units are told apart by half octaves below `most` times that reach: of
   TACIT_UNIT_BINS the first has those above the first edge, the last those not above the last. */
enum { TACIT_UNIT_BINS = 14 };
double tacit_unit_radius(double reach, double clip);
double tacit_unit_edge(double most, int bin);
/* A number of a unit may be held to [-low, high] instead, which leans: `lean` is low of low + high. Neither
   is beyond the radius where units come and go; where they are replaced both together are no more than two
   radii. Whole numbers (proofs/units.md, "Clipped as a whole"). */
typedef struct tacit_unit_ends {
  double low, high;
} tacit_unit_ends;
tacit_unit_ends tacit_unit_leaning(double radius, double lean, bool leaving);

/* A ramp: how much of a row counts as below, as its target moves through a window of so many units of the
   targets' grid to both sides. Whole numbers throughout: a target that moves by `change` units moves the ramp
   by at most `steps` of 2^-24 (proofs/bounded-change.md). */
enum {
  TACIT_RAMP_BITS = 24,   /* a ramp is an integer multiple of 2^-24, from 0 to 1 */
  TACIT_RAMP_LONGEST = 16 /* a row longer than so many clip norms counts for nothing in its scores */
};
typedef struct tacit_ramp_bound {
  int64_t half;  /* of the window, in units of the targets' grid */
  int64_t steps; /* that one row's ramp moves, at most 2^24 */
} tacit_ramp_bound;
/* TACIT_USAGE for a window that is empty or wider than any target's range, or a change below 0. */
tacit_status tacit_ramp_bound_set(tacit_ramp_bound *bound, double width, double change,
                                  tacit_error *error) TACIT_CHECKED;
/* How far one row's ramp times a row that is clipped to `clip` moves, on the grid 2^-(24 + cell_bits). */
double tacit_ramp_radius(const tacit_ramp_bound *bound, double clip, int cell_bits);

/* Of a score times a row, in integers. Units of the grid: 2^-cell_bits for clip, 2^-16 for score, both
   together for radius. */
typedef struct tacit_score_bound {
  int64_t score;  /* the largest |score|: ceil(max(tau, 1 - tau) 2^16) */
  int64_t clip;   /* floor(clip_norm 2^cell_bits) */
  int64_t radius; /* score * clip, below 2^53 */
} tacit_score_bound;
/* TACIT_USAGE when tau is not in (0, 1) or the clip norm does not fit the grid. */
tacit_status tacit_score_bound_set(tacit_score_bound *bound, double tau, double clip_norm, int cell_bits,
                                   tacit_error *error) TACIT_CHECKED;

#endif
