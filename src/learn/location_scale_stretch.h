/* Steps at the quantile that learn by level how long they should be, where noise is small; all of it is
   computed from released scores. */
#ifndef TACIT_SRC_LOCATION_SCALE_STRETCH_H
#define TACIT_SRC_LOCATION_SCALE_STRETCH_H

#include "learn/location_scale.h"

typedef struct tacit_stretch {
  const tacit_scaled *scaled;
  size_t size;                 /* d columns of the rows, and t; */
  size_t all;                  /* behind them the first level of each feature, if it is a category */
  double *factor;              /* all: how much longer steps are; 1 where it is no level */
  double *gradient, *variance; /* all: of the steps before, and of their noise */
  double *unit, *now;
  bool begun;
  bool settling; /* what is too long now would not be found out in time: steps only get shorter */
} tacit_stretch;

bool tacit_stretch_open(tacit_stretch *stretch, const tacit_scaled *scaled); /* false without memory */
void tacit_stretch_close(tacit_stretch *stretch);
/* What new scores tell, of whitened rows and t, less what the location's is of them. sigma: of their noise.
 */
void tacit_stretch_learn(tacit_stretch *stretch, const double *scores, double sigma);
/* Scores before they are turned into a step, and that step. */
void tacit_stretch_scores(tacit_stretch *stretch, double *scores);
void tacit_stretch_step(tacit_stretch *stretch, double *step);

#endif
