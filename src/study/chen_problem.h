/* Chen and Chua's four problems, d = 3 or 51 with exogenous or endogenous errors: rows, the best linear
   order, and how far another is from it. */
#ifndef TACIT_SRC_CHEN_PROBLEM_H
#define TACIT_SRC_CHEN_PROBLEM_H

#include "study/chen_model.h"

enum { TACIT_CHEN_WIDE = 51 }; /* d of Chen and Chua's appendix C */

typedef struct tacit_chen_problem {
  size_t columns;                                       /* d, the intercept among them */
  tacit_chen law;                                       /* of the intercept and the first two features */
  double theta[TACIT_CHEN_WIDE], best[TACIT_CHEN_WIDE]; /* of the demand, and theta* */
  double feature_sd;                                    /* of the features beyond those two */
  double bound_x, bound_theta; /* Chen and Chua's B_x, here sqrt(101), and B_theta = 2 ||theta*|| */
} tacit_chen_problem;

/* columns is 3 or 51. */
tacit_status tacit_chen_problem_init(tacit_chen_problem *problem, size_t columns, bool endogenous,
                                     tacit_error *error) TACIT_CHECKED;
/* One row, x with `columns` entries, the first 1; returns the demand. */
double tacit_chen_problem_draw(const tacit_chen_problem *problem, tacit_stream *stream, double *x);
/* (risk(b) - risk(theta*)) / risk(theta*), the risks exact to about 1e-9. */
double tacit_chen_excess(const tacit_chen_problem *problem, const double *b);
/* ||b - theta*|| / ||theta*|| */
double tacit_chen_distance(const tacit_chen_problem *problem, const double *b);

#endif
