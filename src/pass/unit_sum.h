/* What each unit adds to a sum, taken as a whole: its rows' integers are added exactly, and a sum longer than
   the radius is shortened to it (proofs/units.md, "Clipped as a whole"). */
#ifndef TACIT_SRC_UNIT_SUM_H
#define TACIT_SRC_UNIT_SUM_H

#include "data/design_units.h"
#include "question/question.h"

/* How units' sums are held, or told apart. */
typedef struct tacit_unit_rule {
  bool bins;
  int64_t radius;
  int64_t low, high;                 /* of a number that is held to [-low, high]; 0: to the radius */
  int64_t edge[TACIT_UNIT_BINS - 1]; /* radii, from the largest on */
  int64_t level;                     /* of a count, on the grid 2^-TACIT_SCORE_BITS */
  size_t side; /* of a symmetric matrix, whose upper triangle, by rows, the sum is; 0: a vector */
} tacit_unit_rule;
/* For a part of a question (0: scores, or all there is) whose rows reach this far. */
tacit_unit_rule tacit_unit_rule_of(const tacit_unit_parts *units, size_t part, double reach);

/* Adds a unit's sum v, which is overwritten, to `sum`, shortened; or counts it in its bin of `sum`. */
void tacit_unit_add(const tacit_unit_rule *rule, size_t width, int64_t *v, uint64_t *sum);

/* The runs of a block. */
typedef struct tacit_block_units {
  const uint16_t *end;
  size_t count;
} tacit_block_units;
tacit_block_units tacit_units_of_block(const tacit_design *design, size_t b);

/* Scores of a block's rows, in two bytes (steps of TACIT_NARROW_STEP) or in four, and perhaps a column more.
 */
typedef struct tacit_row_scores {
  const int16_t *narrow;
  const int32_t *wide;
  const int16_t *column;
} tacit_row_scores;
/* Each unit's sum of scores times cells; v is room for a column each. */
void tacit_unit_scores(const tacit_block_units *units, const tacit_unit_rule *rule, const tacit_block *block,
                       size_t columns, const tacit_row_scores *scores, int64_t *v, uint64_t *sum);
/* Each unit's sum of a number of its rows, each less the rule's level. */
void tacit_unit_numbers(const tacit_block_units *units, const tacit_unit_rule *rule, const int32_t *number,
                        uint64_t *sum);

#endif
