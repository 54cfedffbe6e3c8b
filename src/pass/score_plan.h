/* What the files of a pass over scores share: the plan of a pass, a thread's workspace, margins and kernel
   values of a block; and rows that are not known to a point. */
#ifndef TACIT_SRC_SCORE_PLAN_H
#define TACIT_SRC_SCORE_PLAN_H

#include "pass/score_sum.h"
#include "pass/sold_block.h"

/* The slopes of the plans made at once: no more of them than one plan may have, because a thread's stack may
   be small. */
typedef struct tacit_score_slopes {
  double wide[TACIT_COLUMNS_MAX];
  float single[TACIT_COLUMNS_MAX];
} tacit_score_slopes;

/* What all blocks share. */
typedef struct tacit_score_plan {
  const tacit_design *design;
  const tacit_score_pass *pass;
  const double *slope;
  double per_target, base;
  tacit_margin margin;   /* the same */
  tacit_margin exponent; /* of the row's spread, in the forms that have one */
  tacit_side_counts *counts;
  bool single;          /* in single precision */
  tacit_sold_rule sold; /* of passes over days that sold out */
  bool scores;
} tacit_score_plan;

/* A thread's workspace and what it has summed: sum[k * columns + j] for plan k, counts for a plan alone. A
   thread's stack may be small: what is used up makes place. */
typedef struct tacit_score_room {
  uint64_t sum[TACIT_COLUMNS_MAX + 1], within, below;
  uint64_t bins[2][TACIT_UNIT_BINS]; /* units counted, or, in the first one, what they sum up to */
  union {
    struct {
      double u[TACIT_BLOCK], v[TACIT_BLOCK];
    };
    int64_t unit[TACIT_COLUMNS_MAX]; /* what one unit's scores sum up to, once they are made */
  };
  float margin[TACIT_BLOCK], phi[TACIT_BLOCK], spread[TACIT_BLOCK];
  int32_t score[TACIT_BLOCK];
  union {
    int32_t number[TACIT_BLOCK]; /* of each row, what a count adds up, until there are */
    int32_t norms[TACIT_BLOCK];  /* norms with the spread */
  };
  int16_t column[TACIT_BLOCK]; /* as a column */
  int16_t narrow[TACIT_BLOCK]; /* the scores of rows in two bytes */
} tacit_score_room;

/* Plan k of those made at once; the residual itself, and the exponent of the row's spread. */
void tacit_score_plan_set(tacit_score_plan *p, tacit_score_slopes *room, size_t k);
void tacit_score_plan_spread(tacit_score_plan *p, tacit_score_slopes *room, tacit_score_slopes *more);
/* What days that sold out count by; score_means.c. */
void tacit_score_plan_sold(tacit_score_plan *p);
/* Margins of a block, in single precision or in doubles. */
void tacit_score_plain_margins(const tacit_score_plan *p, const tacit_block *block, const tacit_block *next,
                               float *single, double *u);
/* What u is, by the form, and where days sold out (gap is not NULL) how far the rule lies from what was sold.
 */
void tacit_score_margins(const tacit_score_plan *p, const tacit_block *block, const tacit_block *next,
                         tacit_score_room *out, float *gap);
/* Kbar of what u is; of u itself nothing is left. */
void tacit_score_phi(const tacit_score_plan *p, tacit_score_room *out);
/* Phi(u / smoothing), of u in doubles or in single precision. */
void tacit_score_below_wide(const tacit_score_plan *p, tacit_score_room *out);
void tacit_score_below_single(const tacit_score_plan *p, tacit_score_room *out);
/* The counts of a block: of its rows, which are added to `within` already, or of its units; score_sum.c. */
void tacit_score_add_counts(const tacit_score_plan *p, size_t b, tacit_score_room *out);
/* Kbar in out->phi, and the counts added, of a block whose rows are not known to a point; score_means.c. */
void tacit_score_means(const tacit_score_plan *p, const tacit_block *block, const tacit_block *next, size_t b,
                       tacit_score_room *out);

/* The median of |normal|: a row's spread over its standard deviation. */
#define TACIT_SCORE_MAD 0.6745

#endif
