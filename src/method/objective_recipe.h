/* The public rules of objective perturbation for one target: lambda and bandwidth by Chen and Chua's
   Theorem 3.6, and the two releases that follow from them. The learner follows them, and verification
   rebuilds its list from them (proofs/objective-perturbation.md). */
#ifndef TACIT_SRC_OBJECTIVE_RECIPE_H
#define TACIT_SRC_OBJECTIVE_RECIPE_H

#include "privacy/certificate.h"

enum { TACIT_LAMBDA_DIGITS = 30 /* binary digits of lambda, so that lambda theta is exact */ };
/* More rows than this are more than any machine holds. */
#define TACIT_OBJECTIVE_ROWS_MAX (UINT64_C(1) << 34)

/* The guarantees that the curves are computed for. */
#define TACIT_OBJECTIVE_EPSILON_MAX 100.0
#define TACIT_OBJECTIVE_DELTA_LEAST 1e-200
/* Whether the arithmetic is exact with this lambda of the sum. */
bool tacit_objective_holds(double lambda);

typedef struct tacit_objective_facts {
  double rows, columns;
  double epsilon, delta; /* this target's share */
  double tau, clip;      /* the quantile; B_x */
  double steepest;       /* of the kernel: tacit_objective_steepest */
  double kappa1;         /* of the kernel */
  double theta_bound;
  tacit_adjacency adjacency;
} tacit_objective_facts;

/* lambda of the sum over rows, 2 n times Chen and Chua's, and the bandwidth in encoded units: each as the
   theorem's part (1 or 2) has it, unless Chen and Chua's lambda or a bandwidth is given (not 0).
   TACIT_REFUSED for a lambda that is too small for the guarantee, with the one it takes, or outside what the
   arithmetic can hold. */
tacit_status tacit_objective_choose(const tacit_objective_facts *facts, int part, double lambda,
                                    double bandwidth, double *chosen_lambda, double *chosen_bandwidth,
                                    tacit_error *error) TACIT_CHECKED;
/* The least lambda, of the mean loss, that leaves room for noise at this bandwidth. */
double tacit_objective_lambda_least(const tacit_objective_facts *facts, double bandwidth);
/* At most TACIT_LAMBDA_DIGITS binary digits, rounded up. */
double tacit_objective_few_digits(double lambda);
/* What a bandwidth becomes that is too narrow or too wide for the arithmetic: one of these. */
#define TACIT_BANDWIDTH_LEAST 0x1p-20
#define TACIT_BANDWIDTH_MOST 0x1p20
double tacit_objective_bandwidth(double bandwidth);
/* The steepest slope of a smoothed score in its margin. */
double tacit_objective_slope(const tacit_objective_facts *facts, double bandwidth);
/* 2^bits >= theta_bound, bits >= 0. */
int tacit_objective_reach_bits(double theta_bound);
/* What the target's share of the guarantee allows: the least noise of the linear term, and the most that the
   release of the minimiser may be, mu-GDP. */
typedef struct tacit_objective_noise {
  double sigma, mu;
} tacit_objective_noise;
tacit_status tacit_objective_noise_find(const tacit_objective_facts *facts, double lambda, double bandwidth,
                                        tacit_objective_noise *noise, tacit_error *error) TACIT_CHECKED;
/* Whether both are those, without a search: a relative `tolerance` on the one side is enough, on the other it
   is not. */
bool tacit_objective_noise_is(const tacit_objective_facts *facts, double lambda, double bandwidth,
                              const tacit_objective_noise *noise, double tolerance);
/* What two releases were made with. */
tacit_objective_noise tacit_objective_noise_of(const tacit_mechanism *objective,
                                               const tacit_mechanism *minimiser);
/* What each of several targets has of epsilon, with an equal share of delta: so many thirty-seconds more than
   an equal share as all their losses together allow, where lambda and bandwidth are the theorem's. A function
   of the guarantee, the number of targets and the adjacency alone. */
tacit_status tacit_objective_share(double epsilon, double delta, size_t targets, tacit_adjacency adjacency,
                                   double *share, tacit_error *error) TACIT_CHECKED;
/* Both releases for a target, of the objective and then of the minimiser, whose clip is gamma, four times
   what the descent can always reach. */
tacit_status tacit_objective_releases(const tacit_objective_facts *facts, size_t target, double lambda,
                                      double bandwidth, const tacit_objective_noise *noise,
                                      tacit_mechanism releases[2], tacit_error *error) TACIT_CHECKED;

#endif
