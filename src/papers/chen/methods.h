/* Chen and Chua's methods and its comparators exactly as published, for comparison: ordinary floating-point
   noise, no certificate, no promise. What each paper claims for its own, and whether its argument carries the
   claim, is text beside the method. */
#ifndef TACIT_SRC_PAPERS_CHEN_METHODS_H
#define TACIT_SRC_PAPERS_CHEN_METHODS_H

#include "loss/kernel.h"
#include "random/random.h"

typedef enum tacit_chen_method {
  TACIT_CHEN_RIDGE,                       /* without privacy */
  TACIT_CHEN_OP,                          /* Chen and Chua's Algorithm 2, Theorem 3.6 part 1 */
  TACIT_CHEN_SGP,                         /* Chen and Chua's Algorithm 1, DP-SGD */
  TACIT_CHEN_EMPIRICAL,                   /* the same without smoothing: EmpSGD */
  TACIT_CHEN_MOREAU,                      /* Bassily et al. 2019, Theorem 4.4, Algorithm 1 */
  TACIT_CHEN_PHASED_ERM,                  /* Feldman et al. 2020, Theorem 4.8, Algorithm 3 */
  TACIT_CHEN_PHASED_SGD,                  /* Bassily et al. 2021, Theorem 5, Algorithm 4 */
  TACIT_CHEN_SEVEN,                       /* those are Chen and Chua's seven */
  TACIT_CHEN_OP_PART2 = TACIT_CHEN_SEVEN, /* Chen and Chua's Theorem 3.6 part 2 */
  TACIT_CHEN_OP_COMPANION,                /* E: ln(1/delta) in place of ln(2/delta), projected */
  TACIT_CHEN_GP, /* the companion's Theorems 3 and 4, gradient perturbation, n steps */
  TACIT_CHEN_METHODS
} tacit_chen_method;

typedef struct tacit_chen_facts {
  const char *name, *label;
  const char *claim; /* of whose theorem */
  const char *adjacency;
  const char *verdict; /* whether the published argument carries it */
} tacit_chen_facts;
const tacit_chen_facts *tacit_chen_method_facts(tacit_chen_method method);

/* What is public: the quantile, the guarantee asked for, and the bounds. */
typedef struct tacit_chen_setting {
  double tau, epsilon, delta, bound_x, bound_theta;
  tacit_kernel kernel;
} tacit_chen_setting;

typedef struct tacit_chen_rows {
  size_t rows, columns;
  const double *x; /* row by row, ||x_i|| <= bound_x */
  const double *y;
} tacit_chen_rows;

/* The published constants. */
typedef struct tacit_chen_constants {
  double lipschitz;         /* L = max(tau, 1 - tau) B_x */
  double sigma;             /* of the method's noise */
  double lambda, bandwidth; /* OP and ridge: lambda ||theta||^2; SGP: bandwidth alone */
  double step;              /* eta */
  size_t steps, batch;
} tacit_chen_constants;
void tacit_chen_set_constants(tacit_chen_method method, const tacit_chen_setting *setting, size_t rows,
                              size_t columns, tacit_chen_constants *constants);

/* Leaves the method's answer in theta. The noise is the stream's. */
tacit_status tacit_chen_run(tacit_chen_method method, const tacit_chen_setting *setting,
                            const tacit_chen_rows *rows, tacit_stream *stream, double *theta,
                            tacit_error *error) TACIT_CHECKED;

/* Files of their own. */
tacit_status tacit_chen_run_objective(tacit_chen_method method, const tacit_chen_setting *setting,
                                      const tacit_chen_rows *rows, tacit_stream *stream, double *theta,
                                      tacit_error *error) TACIT_CHECKED;
tacit_status tacit_chen_run_gradient(tacit_chen_method method, const tacit_chen_setting *setting,
                                     const tacit_chen_rows *rows, tacit_stream *stream, double *theta,
                                     tacit_error *error) TACIT_CHECKED;

/* argmin (1/n) sum l_h(theta; x_i, y_i) + weight ||theta - centre||^2 + linear'theta; centre and linear may
   be NULL for 0. theta is the start and the answer. */
typedef struct tacit_chen_goal {
  double tau, bandwidth, weight;
  tacit_kernel kernel;
  const double *centre, *linear;
} tacit_chen_goal;
tacit_status tacit_chen_minimise(const tacit_chen_goal *goal, const tacit_chen_rows *rows, double *theta,
                                 tacit_error *error) TACIT_CHECKED;

#endif
