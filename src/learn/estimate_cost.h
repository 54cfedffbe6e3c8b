/* The private evaluation, as its files share it (proofs/private-evaluation.md). */
#ifndef TACIT_SRC_ESTIMATE_COST_H
#define TACIT_SRC_ESTIMATE_COST_H

#include "learn/task.h"

/* What is released of each target, in this order, and its shares of the target's mu^2. A share of 0: not at
   all. */
typedef struct tacit_estimate_shares {
  double rows;  /* how many rows there are, where that is not public */
  double bound; /* TACIT_BOUND_COUNTS counts of rows beyond some cost, where the bound is to be found */
  double cost;  /* the sum of costs */
  double cut;   /* how many rows cost more than the bound */
} tacit_estimate_shares;
enum { TACIT_BOUND_COUNTS = 5 };

typedef struct tacit_estimate_pass {
  const tacit_schema *schema;
  const tacit_estimate_options *options;
  const tacit_ranks *ranks;
  tacit_facts facts;
  tacit_estimate_shares share;
  tacit_release_plan plan;
  tacit_gate gate;
  tacit_rows rows;
  tacit_certificate *made;
  double *b;     /* targets x columns, encoded */
  double *g;     /* targets x (columns + 1), encoded; NULL: the rule is linear */
  double *bound; /* of a row's cost, by target: the largest one, and then the one that is found */
  double *at;    /* the bounds of the question that is asked */
  uint64_t *sum; /* its exact answers, and what was released of them */
} tacit_estimate_pass;

/* The largest cost that bounds on demand and order leave, or the caller's smaller one. */
double tacit_estimate_largest(const tacit_estimate_pass *pass, size_t target);
void tacit_estimate_share(tacit_estimate_pass *pass);
tacit_status tacit_estimate_plan(tacit_estimate_pass *pass, tacit_error *error) TACIT_CHECKED;
/* Carries out the plan, which is paid for. */
tacit_status tacit_estimate_release_all(tacit_estimate_pass *pass, tacit_estimate *estimates,
                                        tacit_error *error) TACIT_CHECKED;

/* A noisy sum over a number of rows, `rows`, that is known (rows_sigma 0) or itself noisy: the quotient, held
   to [0, most], with the interval that covers the quotient of the true ones in 95 of 100 cases. */
typedef struct tacit_noisy_ratio {
  double sum, sum_sigma, rows, rows_sigma, most;
} tacit_noisy_ratio;
tacit_estimate_figure tacit_ratio_interval(const tacit_noisy_ratio *ratio);

#endif
