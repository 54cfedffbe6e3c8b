/* The public rules of `follow`: how often it asks, what each release may cost, and how long a row's part may
   be. From schema, quantile and whether there is a policy to go on from; the learner keeps to them, and
   verification makes them again. */
#ifndef TACIT_SRC_FOLLOW_H
#define TACIT_SRC_FOLLOW_H

#include "method/plan.h"

enum {
  TACIT_FOLLOW_STEPS = 5,
  TACIT_FOLLOW_TAIL_STEPS = 3,
  TACIT_FOLLOW_COUNTS =
      7,                /* halvings for the centre, and as many for the spread, where nothing came before */
  TACIT_FOLLOW_TAIL = 2 /* columns: one for all rows, and the median */
};

typedef struct tacit_follow_recipe {
  size_t columns;
  bool first;                                   /* nothing came before */
  bool tail;                                    /* the quantile is not the median */
  double start_count;                           /* shares of mu^2: of each count at the start, */
  double mean;                                  /* of the rows' mean, */
  double count;                                 /* of each step's count, */
  double scores[TACIT_FOLLOW_STEPS], tail_step; /* of its scores, and of each step at the quantile */
  double mean_clip, score_clip, tail_clip;
} tacit_follow_recipe;

void tacit_follow_rules(const tacit_facts *facts, bool from, tacit_follow_recipe *recipe);

/* What is taken to be known of a column before its rows are seen: its mean, how far that may be off, and how
   far rows scatter around it. A level's mean says its scatter. */
typedef struct tacit_column_prior {
  double mean, variance, scatter, reach;
  size_t levels; /* of its category, with the base; 0: a number */
} tacit_column_prior;
tacit_column_prior tacit_follow_prior(const tacit_feature *feature);

#endif
