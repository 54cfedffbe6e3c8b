/* The public rules of the learners that predict for a decision's sake. Constants were chosen by simulation on
   shortest-path problems of degrees 2, 6 and 8; those of degree 4 score them (docs/spo.md). The length of a
   step was halved by problems drawn for `reproduce spo-smoothing-private` (docs/reproductions-spo.md). */
#include "method/spo_recipe.h"

#include <math.h>

double tacit_spo_clip_norm(size_t columns) {
  return 3 * sqrt((double)columns / 6);
}

double tacit_spo_clarity(double rows, size_t columns, size_t dimension, double radius, double mu_per_row) {
  return rows * mu_per_row / (radius * sqrt((double)columns * (double)dimension));
}

double tacit_spo_step_size(double clarity) {
  return 0.4 * fmin(1, fmax(0.01, clarity / 100));
}

double tacit_spo_growth(double clarity) {
  return 1 + 0.08 * fmin(1, fmax(0, (clarity - 10) / 30));
}

double tacit_spo_row_clip(size_t columns) {
  return sqrt((double)columns); /* bounded columns lie in [-1, 1] */
}

int tacit_spo_row_bits(size_t columns) {
  return TACIT_SPO_MOMENT_REACH - (int)ceil(log2(tacit_spo_row_clip(columns)));
}

tacit_spo_moment tacit_spo_moment_choose(size_t columns, size_t dimension) {
  tacit_spo_moment moment = {.stretch = sqrt((double)dimension / (double)columns),
                             .clip = sqrt(1.5 * (double)dimension)};
  moment.bits = TACIT_SPO_MOMENT_REACH - (int)ceil(log2(moment.clip));
  return moment;
}
