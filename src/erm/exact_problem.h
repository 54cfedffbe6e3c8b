/* What exact ERM's ways to a fit share: the rows in the program, a start, and the proof. */
#ifndef TACIT_SRC_EXACT_PROBLEM_H
#define TACIT_SRC_EXACT_PROBLEM_H

#include "erm/erm.h"
#include "erm/exact_sums.h"

enum {
  TACIT_EXACT_WIDE = 200,  /* columns from which on an interior point is faster than the simplex method */
  TACIT_EXACT_ROUNDS = 12, /* with rows near the fit; then all of them enter */
};

typedef struct tacit_exact_problem {
  tacit_exact_rows rows;
  const double *x, *y;
  size_t n, p;
  double tau, height; /* height: max |y| */
  double *width;      /* p: max |x_j| */
  double *balance;    /* p: X'a */
  double *rough;      /* p: the smoothed fit */
  const double *base; /* the same or zeros: the program is about y less X base, from where it starts, */
  double *zeros;      /* p */
  double scale;       /* in these units */
  size_t basic;       /* rows that the fit interpolates: a corner has p, if that is the rank */
  double *a, *r;      /* n each */
  double loss, size;  /* of r; the sum of |y| */
  size_t *kept, m;    /* the rows in the program, n at most; a of the others is fixed */
  const tacit_context *context;
} tacit_exact_problem;

/* r for b, and its loss. */
void tacit_exact_set_residuals(tacit_exact_problem *q, const double *b);
/* Whether the fit with residuals r is optimal over all rows, a being the proof. */
bool tacit_exact_is_optimal(const tacit_exact_problem *q);
/* Rows within `near` of the fit with residuals r are kept; the others' a is what their sign says. */
void tacit_exact_keep_near(tacit_exact_problem *q, double near);
/* More rows after a program that did not do: where it had no solution those that are four times as far from
   the rough fit, else those whose residual, now in r, has another sign than their fixed a. False: there are
   none. */
bool tacit_exact_keep_more(tacit_exact_problem *q, bool feasible, double *near);

/* A smoothed fit to start from, in b and q->rough: share is its bandwidth in spreads, and their size is 0
   where there is no good one. */
double tacit_exact_share(const tacit_exact_problem *q);
tacit_status tacit_exact_rough(tacit_exact_problem *q, const tacit_sample *sample, size_t target,
                               double share, double *size, double *b, tacit_error *error) TACIT_CHECKED;
/* How far rows may be from it for their signs to be in doubt. */
double tacit_exact_near(const tacit_exact_problem *q, double share, double size);

/* Many columns: an interior point, over the rows near a smoothed fit where they are few enough;
   exact_wide.c. */
tacit_status tacit_exact_solve_wide(tacit_exact_problem *q, const tacit_sample *sample, size_t target,
                                    double *b, bool *proved, tacit_error *error) TACIT_CHECKED;

#endif
