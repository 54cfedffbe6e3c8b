/* Privacy arithmetic alone: Gaussian differential privacy and its conversions. No data, no noise.
   Every result is rounded to the safe side: losses and noise up, allowances down. */
#ifndef TACIT_PRIVACY_H
#define TACIT_PRIVACY_H

#include <tacit/schema.h>

TACIT_BEGIN

/* The list of all noisy releases behind a policy, with everything needed to recompute their guarantee. */
typedef struct tacit_certificate tacit_certificate;

/* Where a ledger recorded the spending behind a policy: the entry's number and its hash, which was the
   chain's head just then; and which release the entry paid for (tacit_cost). sequence 0: nowhere. */
enum { TACIT_LABEL_MAX = 100, TACIT_PERIOD_MAX = 24 };
typedef struct tacit_receipt {
  char label[TACIT_LABEL_MAX + 1];
  uint64_t sequence;
  char head[65];       /* 64 hexadecimal digits */
  char commitment[65]; /* likewise; "" for an entry that has none */
} tacit_receipt;

/* What a release costs a ledger. A Gaussian one says mu. One that is not Gaussian has mu = 0 and says the
   (epsilon, delta) it promises, for the reader, and upper bounds on its Renyi divergences in both directions
   at the orders tacit_rdp_orders, which is what adds up over releases chosen adaptively. The commitment says
   which release it is: a hash of everything public that is fixed before its noise is drawn
   (docs/formats/ledger.md). */
enum { TACIT_RDP_ORDERS = 20 };
TACIT_API extern const double tacit_rdp_orders[TACIT_RDP_ORDERS]; /* ascending, each above 1 */
typedef struct tacit_cost {
  double mu;
  double epsilon, delta;
  double rdp[TACIT_RDP_ORDERS];      /* +inf where an order has no bound */
  char commitment[65];               /* 64 hexadecimal digits; "" for none */
  char period[TACIT_PERIOD_MAX + 1]; /* which the records are of; "": not said */
} tacit_cost;

/* Encloses a number that is computed with rounding, truncation and discretisation. */
typedef struct tacit_interval {
  double lower, upper;
} tacit_interval;

/* Objective perturbation: the minimiser of sum_i l(theta; z_i) + (lambda/2) |theta|^2 + b'theta, b normal
   with variance sigma^2 in each coordinate, for losses l(theta; z) = f_z(x'theta), each convex,
   lipschitz-Lipschitz and smoothness-smooth in theta; lambda is public (proofs/objective-perturbation.md). */
typedef struct tacit_objective {
  double lipschitz, smoothness, lambda, sigma;
  tacit_adjacency adjacency;
} tacit_objective;

/* `upper` is the privacy curve that is proved for all such losses, `lower` what linear losses of that slope
   have, so that no smaller curve can be proved. TACIT_USAGE for arguments outside their ranges. */
TACIT_API tacit_status tacit_objective_delta(const tacit_objective *objective, double epsilon,
                                             tacit_interval *delta, tacit_error *error) TACIT_CHECKED;
TACIT_API tacit_status tacit_objective_epsilon(const tacit_objective *objective, double delta,
                                               tacit_interval *epsilon, tacit_error *error) TACIT_CHECKED;
/* The smallest sigma for (epsilon, delta) with this lambda; objective->sigma is not read. TACIT_REFUSED where
   lambda is too small for any noise, with the lambda it takes. */
TACIT_API tacit_status tacit_objective_sigma(const tacit_objective *objective, double epsilon, double delta,
                                             double *sigma, tacit_error *error) TACIT_CHECKED;
/* The smallest lambda for (epsilon, delta) with this sigma; objective->lambda is not read. TACIT_REFUSED
   where sigma is too small for any lambda. */
TACIT_API tacit_status tacit_objective_lambda(const tacit_objective *objective, double epsilon, double delta,
                                              double *lambda, tacit_error *error) TACIT_CHECKED;
/* Upper bounds on the Renyi divergences at tacit_rdp_orders, both directions. */
TACIT_API tacit_status tacit_objective_rdp(const tacit_objective *objective, double rdp[TACIT_RDP_ORDERS],
                                           tacit_error *error) TACIT_CHECKED;

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

/* The sampled Gaussian mechanism, many times: each step draws a sample of the rows, sums one vector of norm
   at most 1 for each sampled row, and adds Gaussian noise (proofs/sampled-gaussian.md). */
typedef enum tacit_sampling {
  TACIT_SAMPLING_POISSON, /* every row by itself, with probability rate */
  TACIT_SAMPLING_FIXED    /* `batch` of `rows` rows without replacement; replace-one alone */
} tacit_sampling;

typedef struct tacit_sampled {
  double sigma; /* in multiples of the norm one row's vector is clipped to */
  double rate;  /* Poisson: the public rate; fixed size: batch / rows, rounded up */
  uint64_t steps;
  tacit_sampling sampling;
  tacit_adjacency adjacency;
} tacit_sampled;

/* The privacy curve of all steps together, both directions, enclosed. TACIT_USAGE for arguments out of their
   ranges and for fixed-size sampling under add-remove; TACIT_INTERNAL without memory. */
TACIT_API tacit_status tacit_sampled_delta(const tacit_sampled *sampled, double epsilon,
                                           tacit_interval *delta, tacit_error *error) TACIT_CHECKED;
TACIT_API tacit_status tacit_sampled_epsilon(const tacit_sampled *sampled, double delta,
                                             tacit_interval *epsilon, tacit_error *error) TACIT_CHECKED;
/* The smallest sigma whose upper delta at epsilon is at most delta; sampled->sigma is not read. */
TACIT_API tacit_status tacit_sampled_sigma(const tacit_sampled *sampled, double epsilon, double delta,
                                           double *sigma, tacit_error *error) TACIT_CHECKED;
/* The same with a lower bound: below sigma->lower no noise meets it. */
TACIT_API tacit_status tacit_sampled_sigma_bounds(const tacit_sampled *sampled, double epsilon, double delta,
                                                  tacit_interval *sigma, tacit_error *error) TACIT_CHECKED;
/* Upper bounds on the Renyi divergences of all steps at tacit_rdp_orders, for a ledger. */
TACIT_API tacit_status tacit_sampled_rdp(const tacit_sampled *sampled, double rdp[TACIT_RDP_ORDERS],
                                         tacit_error *error) TACIT_CHECKED;

TACIT_API tacit_status tacit_sampled_rdp_at(const tacit_sampled *sampled, double order, double *rdp,
                                            tacit_error *error) TACIT_CHECKED;

/* The epsilon that other accountants give the same steps at delta, for comparison. */
typedef struct tacit_accountants {
  double rdp;      /* Renyi divergences at the best order: a guarantee, rounded up */
  double zcdp;     /* zero-concentrated, blind to sampling: a guarantee, rounded up */
  double moments;  /* rate sqrt(8 T ln(1/delta)) / sigma, as published: no guarantee of its own */
  double advanced; /* rate sqrt(64 T ln(2.5 T/delta) ln(2/delta)) / sigma, as published: likewise */
} tacit_accountants;
TACIT_API tacit_status tacit_sampled_compare(const tacit_sampled *sampled, double delta,
                                             tacit_accountants *out, tacit_error *error) TACIT_CHECKED;

/* The noise a paper prescribes by a closed form, beside what exact accounting needs, in units of one record's
   largest gradient L; arrays by adjacency. */
enum { TACIT_CLOSED_FORMS = 5 };
typedef struct tacit_closed_form {
  const char *name, *formula;
  double sigma;              /* as published */
  double exact_sigma[2];     /* the smallest for the same (epsilon, delta) */
  double ratio[2];           /* sigma / exact_sigma */
  double certified_delta[2]; /* of the published one, at epsilon */
} tacit_closed_form;
/* Objective perturbation with lambda as published (half of epsilon for the determinants), as in C and as in
   E; gradient perturbation with rows^2 steps, by moments and by advanced composition; stochastic gradient
   perturbation with rows^2 steps of one record (under add-remove: of Poisson samples at the rate 1/rows). */
TACIT_API tacit_status tacit_closed_forms(double epsilon, double delta, uint64_t rows,
                                          tacit_closed_form forms[TACIT_CLOSED_FORMS],
                                          tacit_error *error) TACIT_CHECKED;

/* Releases of unlike kinds together: what each may be, decided before the first of them; how a release is
   asked for may depend on the answers before it (proofs/pld.md, "Unlike releases"). */
typedef enum tacit_bundled_kind {
  TACIT_BUNDLED_GAUSSIAN, /* mu-GDP */
  TACIT_BUNDLED_PAIR,     /* (epsilon, delta); delta = 0: pure, such as a randomised response */
  TACIT_BUNDLED_SAMPLED,  /* one step on a sample of the rows: sigma, rate, sampling as in tacit_sampled */
  TACIT_BUNDLED_OBJECTIVE /* a loss of at most offset + reach |N| + reach^2/2, N standard normal */
} tacit_bundled_kind;

typedef struct tacit_bundled {
  tacit_bundled_kind kind;
  double mu;
  double epsilon, delta;
  double sigma, rate;
  tacit_sampling sampling;
  double offset, reach;
  uint64_t times;   /* how often it is made; of a mixture, what its first part says */
  double chance;    /* 1, or the public chance that just this release is made; it is seen whether it was */
  bool alternative; /* to the part before it: of both, at most one is made */
} tacit_bundled;
/* Times 1, chance 1, everything else nothing. */
TACIT_API void tacit_bundled_init(tacit_bundled *part, tacit_bundled_kind kind);

typedef struct tacit_bundle {
  const tacit_bundled *releases;
  size_t count;
  tacit_adjacency adjacency; /* of sampled steps */
} tacit_bundle;

/* The privacy curve of all parts together, enclosed; of an objective part the lower bound knows nothing.
   TACIT_USAGE for parts outside their ranges. An epsilon that no number is (delta is too small for what the
   pairs' own deltas add up to) is infinite. */
TACIT_API tacit_status tacit_bundle_delta(const tacit_bundle *bundle, double epsilon, tacit_interval *delta,
                                          tacit_error *error) TACIT_CHECKED;
TACIT_API tacit_status tacit_bundle_epsilon(const tacit_bundle *bundle, double delta, tacit_interval *epsilon,
                                            tacit_error *error) TACIT_CHECKED;
/* The epsilon at delta that closed forms give pairs, for comparison: their sums, advanced composition, Wang
   and Qin's Lemma 3. TACIT_USAGE for other parts; infinite where the pairs' deltas leave nothing. */
typedef struct tacit_pair_bounds {
  double sum, advanced, wang_qin;
} tacit_pair_bounds;
TACIT_API tacit_status tacit_bundle_closed_forms(const tacit_bundle *bundle, double delta,
                                                 tacit_pair_bounds *out, tacit_error *error) TACIT_CHECKED;

/* Trade-off functions: the power that no test of one table against a neighbour has more of, at a level in
   (0, 1): 1 - f(level), rounded up. */
TACIT_API tacit_status tacit_gdp_power(double mu, double level, double *power,
                                       tacit_error *error) TACIT_CHECKED;
TACIT_API tacit_status tacit_pair_power(double epsilon, double delta, double level, double *power,
                                        tacit_error *error) TACIT_CHECKED;
TACIT_API tacit_status tacit_bundle_power(const tacit_bundle *bundle, size_t count, const double *level,
                                          double *power, tacit_error *error) TACIT_CHECKED;

/* From Renyi divergences at n orders, each above 1, to (epsilon, delta): the best order counts; rounded up.
 */
TACIT_API tacit_status tacit_rdp_epsilon(size_t n, const double *orders, const double *rdp, double delta,
                                         double *epsilon, tacit_error *error) TACIT_CHECKED;
TACIT_API tacit_status tacit_rdp_delta(size_t n, const double *orders, const double *rdp, double epsilon,
                                       double *delta, tacit_error *error) TACIT_CHECKED;

/* Zero-concentrated differential privacy: rho of `steps` Gaussian releases, and its epsilon at delta, both
   rounded up. rho of several releases adds up. */
TACIT_API tacit_status tacit_zcdp_rho(double sensitivity, double sigma, uint64_t steps, double *rho,
                                      tacit_error *error) TACIT_CHECKED;
TACIT_API tacit_status tacit_zcdp_epsilon(double rho, double delta, double *epsilon,
                                          tacit_error *error) TACIT_CHECKED;

/* `steps` releases, each (epsilon, delta), together (Dwork, Rothblum and Vadhan): the total for a chosen
   slack in delta, rounded up. */
TACIT_API tacit_status tacit_advanced_composition(double epsilon, double delta, uint64_t steps, double slack,
                                                  double *total_epsilon, double *total_delta,
                                                  tacit_error *error) TACIT_CHECKED;
/* Standard deviations that the papers give in closed form for noise on a mean of `rows` gradients of norm at
   most `lipschitz`, `steps` times: sqrt(8 T L^2 ln(1/delta)) / (n epsilon) by the moments accountant and
   sqrt(64 T L^2 ln(2.5 T/delta) ln(2/delta)) / (n epsilon) by advanced composition (the companion's EC.1.5).
   For comparison: exact accounting never needs them. Arguments are not checked. */
TACIT_API double tacit_published_moments_noise(double lipschitz, double rows, double steps, double epsilon,
                                               double delta);
TACIT_API double tacit_published_advanced_noise(double lipschitz, double rows, double steps, double epsilon,
                                                double delta);

TACIT_END

#endif
