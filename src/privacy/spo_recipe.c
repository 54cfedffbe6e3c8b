/* The public rules of the learners that predict for a decision's sake. Constants were chosen by simulation on
   shortest-path problems of degrees 1, 2, 6 and 8; those of degree 4 score them (docs/spo.md). */
#include "privacy/spo_recipe.h"

#include <math.h>

double tacit_spo_clip_norm(size_t columns) {
  return 3 * sqrt((double)columns / 6);
}

double tacit_spo_step_size(double rows, size_t columns, size_t dimension, double radius, double mu_per_row) {
  /* how far the signal of one release with the whole budget stands above its noise's length */
  double clear = rows * mu_per_row / (radius * sqrt((double)columns * (double)dimension));
  return 0.8 * fmin(1, fmax(0.05, clear / 100));
}

void tacit_spo_shares(size_t steps, double growth, double *share) {
  double sum = 0, log_growth = log(growth), last = (double)steps - 1;
  for (size_t t = 0; t < steps; t++) { /* at most 1 for any growth and number of steps */
    double power = log_growth >= 0 ? (double)t - last : (double)t;
    sum += share[t] = exp(power * log_growth);
  }
  for (size_t t = 0; t < steps; t++) share[t] /= sum;
}

tacit_spo_moment tacit_spo_moment_choose(size_t columns, size_t dimension) {
  tacit_spo_moment moment = {.stretch = sqrt((double)dimension / (double)columns),
                             .clip = sqrt(1.5 * (double)dimension)};
  moment.bits = TACIT_SPO_MOMENT_REACH - (int)ceil(log2(moment.clip));
  return moment;
}
