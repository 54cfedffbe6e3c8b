/* Unlike releases together: every part of a list as a measure of privacy losses on one grid, and the product
   of all of them (proofs/pld.md, "Unlike releases"). */
#ifndef TACIT_SRC_BUNDLE_H
#define TACIT_SRC_BUNDLE_H

#include "privacy/pld.h"

#include <tacit/privacy.h>

/* Losses of a single part on the list are held to this: more promises nothing, and no grid could hold it. */
#define TACIT_BUNDLE_MU_MAX 20.0
#define TACIT_BUNDLE_EPSILON_MAX 100.0
#define TACIT_BUNDLE_TIMES_MAX UINT64_C(100000000)
enum { TACIT_BUNDLE_MAX = 64 };

/* Releases of which one is made, `times` times: a part and its alternatives. */
typedef struct tacit_group {
  const tacit_bundled *part;
  size_t count;
  uint64_t times;
} tacit_group;

/* The list in groups, checked. All Gaussian releases that are made for certain are one group, `gaussian`,
   whose mu is that of all of them. */
typedef struct tacit_grouped {
  tacit_group group[TACIT_BUNDLE_MAX + 1];
  size_t count;
  tacit_bundled gaussian;
  tacit_adjacency adjacency;
  bool only_gaussian;
} tacit_grouped;
tacit_status tacit_bundle_group(const tacit_bundle *bundle, tacit_grouped *grouped,
                                tacit_error *error) TACIT_CHECKED;

/* Of add-remove there are two where rows are sampled; else one, which is its own mirror image. */
size_t tacit_grouped_directions(const tacit_grouped *grouped);
/* About the variance of one such release's loss, to choose a grid. */
double tacit_group_variance(const tacit_group *group, tacit_adjacency adjacency);

/* One release of a group on a grid, from both sides. P-mass with an infinite loss is apart: what the release
   itself has, and `beyond`, what the grid left out, which an upper bound alone counts. */
typedef struct tacit_group_step {
  tacit_measure lower, upper;
  double infinite, beyond;
} tacit_group_step;
void tacit_group_step_free(tacit_group_step *step);
/* TACIT_REFUSED where the grid would need too many cells. */
typedef struct tacit_group_grid {
  double width, reach;
  size_t direction; /* 0 or 1 */
  tacit_adjacency adjacency;
} tacit_group_grid;
tacit_status tacit_group_measure(const tacit_group *group, const tacit_group_grid *grid,
                                 tacit_group_step *step, tacit_error *error) TACIT_CHECKED;

/* The measures of single kinds of part; bundle_pair.c. Pairs: the losses +-epsilon, all but delta of the
   mass. Objective perturbation: its loss is never above that of the measure, which is an upper bound alone.
 */
tacit_status tacit_pair_measure(const tacit_bundled *part, double width, tacit_group_step *step,
                                tacit_error *error) TACIT_CHECKED;
tacit_status tacit_objective_measure(const tacit_bundled *part, const tacit_group_grid *grid,
                                     tacit_group_step *step, tacit_error *error) TACIT_CHECKED;
enum { TACIT_BUNDLE_CELLS_MAX = 1 << 19 };

/* All releases together in one direction, as a distribution on one side. */
typedef struct tacit_bundle_grid {
  double width, reach, theta;
  size_t direction;
} tacit_bundle_grid;
typedef struct tacit_bundle_sum {
  tacit_pld pld;
  double infinite; /* P-mass with an infinite loss, from the side */
  double beyond;   /* what the grid left out of it */
} tacit_bundle_sum;
void tacit_bundle_sum_free(tacit_bundle_sum *sum);
tacit_status tacit_bundle_compose(const tacit_grouped *grouped, const tacit_bundle_grid *grid,
                                  tacit_side side, tacit_fft **roots, tacit_bundle_sum *sum,
                                  tacit_error *error) TACIT_CHECKED;
/* delta at epsilon >= 0, a bound from the sum's side. */
double tacit_bundle_sum_delta(const tacit_bundle_sum *sum, double epsilon);
/* A width to begin with, and the tilt for delta at an epsilon (wants_epsilon false) or the other way round.
 */
double tacit_bundle_width(const tacit_grouped *grouped);
typedef struct tacit_bundle_aim {
  bool wants_epsilon;
  double given;
} tacit_bundle_aim;
tacit_status tacit_bundle_tilt(const tacit_grouped *grouped, const tacit_bundle_grid *grid,
                               const tacit_bundle_aim *aim, double *theta, tacit_error *error) TACIT_CHECKED;

#endif
