/* The public choices of noisy gradient descent, made before any row is looked at. */
#ifndef TACIT_SRC_NOISY_GD_H
#define TACIT_SRC_NOISY_GD_H

#include "learn/learn.h"

typedef struct tacit_noisy_gd {
  size_t steps, average;
  double growth, clip_norm;
  bool sphere;
  tacit_kernel kernel;
  double *whiten; /* Sigma^(-1/2), columns x columns, or NULL for Z eq. (7) */
  int cell_bits;
  double bound; /* gradient perturbation: B_theta, which every iterate is projected to; 0 for Z's algorithm */
} tacit_noisy_gd;

/* Everything but the step size and the bandwidth, which depend on the (public) number of rows and the target.
   The number of steps of Z's preset depends on the rows too: rows is 0 until it is known. */
tacit_status tacit_noisy_gd_choose(tacit_noisy_gd *choice, const tacit_schema *schema,
                                   const tacit_learn_options *options, tacit_error *error) TACIT_CHECKED;
void tacit_noisy_gd_choose_rows(tacit_noisy_gd *choice, const tacit_schema *schema,
                                const tacit_learn_options *options, double rows);
double tacit_noisy_gd_step_size(const tacit_schema *schema, size_t target,
                                const tacit_learn_options *options);
/* Gradient perturbation (E Theorems 3 and 4): equal steps, all of them averaged and projected. The number of
   steps is 0 until the public number of rows is known. */
tacit_status tacit_gradient_choose(tacit_noisy_gd *choice, const tacit_schema *schema,
                                   const tacit_learn_options *options, tacit_error *error) TACIT_CHECKED;
tacit_status tacit_gradient_choose_rows(tacit_noisy_gd *choice, const tacit_learn_options *options,
                                        double rows, tacit_error *error) TACIT_CHECKED;
/* E Theorem 4's step size and bandwidth, both in encoded units, unless the options give them. sigma is the
   noise of one coordinate of the mean gradient. */
void tacit_gradient_tune(const tacit_noisy_gd *choice, const tacit_schema *schema, size_t target,
                         const tacit_learn_options *options, double rows, double sigma, double *step_size,
                         double *bandwidth);
/* note (240 bytes) gets a condition of E Theorem 4 that does not hold. */
void tacit_gradient_note(const tacit_noisy_gd *choice, const tacit_learn_options *options, double rows,
                         char *note);
/* theta projected to |theta| <= bound. */
void tacit_project(double *theta, size_t columns, double bound);
/* B_theta when nobody gives one. */
double tacit_theta_bound(const tacit_schema *schema, size_t target, const tacit_learn_options *options);

#endif
