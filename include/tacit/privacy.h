/* Privacy arithmetic alone: Gaussian differential privacy and its conversions. No data, no noise.
   Every result is rounded to the safe side: losses and noise up, allowances down. */
#ifndef TACIT_PRIVACY_H
#define TACIT_PRIVACY_H

#include <tacit/base.h>

/* What a neighbouring table is. */
typedef enum tacit_adjacency {
  TACIT_REPLACE_ONE, /* one unit's rows are replaced; the number of rows is public */
  TACIT_ADD_REMOVE   /* one unit's rows are added or removed; the number of rows is private */
} tacit_adjacency;

/* The list of all noisy releases behind a policy, with everything needed to recompute their guarantee. */
typedef struct tacit_certificate tacit_certificate;

/* Where a ledger recorded the spending behind a policy: the entry's number and its hash, which was the
   chain's head just then. sequence 0: nowhere. */
enum { TACIT_LABEL_MAX = 100 };
typedef struct tacit_receipt {
  char label[TACIT_LABEL_MAX + 1];
  uint64_t sequence;
  char head[65]; /* 64 hexadecimal digits */
} tacit_receipt;

/* What a release costs a ledger. A Gaussian one says mu. One that is not Gaussian has mu = 0 and says the
   (epsilon, delta) it promises, for the reader, and upper bounds on its Renyi divergences in both directions
   at the orders tacit_rdp_orders, which is what adds up over releases chosen adaptively. */
enum { TACIT_RDP_ORDERS = 20 };
TACIT_API extern const double tacit_rdp_orders[TACIT_RDP_ORDERS]; /* ascending, each above 1 */
typedef struct tacit_cost {
  double mu;
  double epsilon, delta;
  double rdp[TACIT_RDP_ORDERS]; /* +inf where an order has no bound */
} tacit_cost;

/* Encloses a number that is computed with rounding, truncation and discretisation. */
typedef struct tacit_interval {
  double lower, upper;
} tacit_interval;

/* mu-GDP as (epsilon, delta): the smallest delta at epsilon >= 0, the smallest epsilon at delta in (0, 1),
   the largest mu that (epsilon, delta) allows. TACIT_USAGE for arguments outside their ranges. */
TACIT_API tacit_status tacit_gdp_delta(double mu, double epsilon, double *delta,
                                       tacit_error *error) TACIT_CHECKED;
TACIT_API tacit_status tacit_gdp_epsilon(double mu, double delta, double *epsilon,
                                         tacit_error *error) TACIT_CHECKED;
TACIT_API tacit_status tacit_gdp_mu(double epsilon, double delta, double *mu,
                                    tacit_error *error) TACIT_CHECKED;

/* sqrt(sum of mu_i^2), rounded up: releases may be chosen adaptively (proofs/composition.md). */
TACIT_API tacit_status tacit_gdp_compose(size_t n, const double *mu, double *total,
                                         tacit_error *error) TACIT_CHECKED;
/* The smallest noise for `steps` releases of the given sensitivity within mu: sensitivity sqrt(steps) / mu.
 */
TACIT_API tacit_status tacit_gdp_sigma(double mu, double sensitivity, uint64_t steps, double *sigma,
                                       tacit_error *error) TACIT_CHECKED;

/* What somebody may come to believe. Before seeing the release they give the truth about one unit's data,
   against one alternative, the probability prior[i]; but for a chance of except[k] they give it at most
   at_most[i][k] afterwards. From bounds on P(privacy loss > x), which delta(x) is not (proofs/beliefs.md).
   Rounded up. */
enum { TACIT_PRIORS = 3, TACIT_EXCEPTIONS = 3 };
typedef struct tacit_beliefs {
  double prior[TACIT_PRIORS], except[TACIT_EXCEPTIONS];
  double at_most[TACIT_PRIORS][TACIT_EXCEPTIONS];
} tacit_beliefs;
/* For mu-GDP; or, with mu = 0, for (epsilon, delta). TACIT_USAGE for arguments outside their ranges. */
TACIT_API tacit_status tacit_beliefs_from(double mu, double epsilon, double delta, tacit_beliefs *beliefs,
                                          tacit_error *error) TACIT_CHECKED;

#endif
