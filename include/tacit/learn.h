/* Learning: a schema, rows and a budget go in; coefficients and a certificate come out. */
#ifndef TACIT_LEARN_H
#define TACIT_LEARN_H

#include <tacit/data.h>
#include <tacit/method.h>

TACIT_BEGIN

/* Reads the source to its end and learns: orders, or, over a region, decisions, whose costs are the targets
   in the order of the region's coordinates: the rule predicts c = centre + B x and minimises over the region.
   Refusals come before any noise is drawn: TACIT_USAGE for an option
   out of its range, TACIT_BAD_INPUT for rows that do not fit the schema, TACIT_REFUSED where the schema lacks
   a public fact that the promise needs. */
TACIT_API tacit_status tacit_learn(const tacit_schema *schema, tacit_source *source,
                                   const tacit_learn_options *options, const tacit_context *context,
                                   tacit_fit **fit, tacit_error *error) TACIT_CHECKED;

/* What a rule costs on private rows, released with noise (proofs/private-evaluation.md). The rule must be
   public or itself private: coefficients in the user's own units, targets x columns, and its spread, if it
   has one, as tacit_policy_log_spread and, last, tacit_policy_spreads give it. An order beyond the
   target's bounds is cut to them, a row's cost to a public bound. */
typedef struct tacit_estimate_options {
  const double *coefficients;
  const double *spread;             /* NULL: the rule is linear; else targets x (columns + 1) */
  const double *underage, *overage; /* one of each for each target, above 0 */
  double bound;                     /* of a row's cost; 0 or more than the schema implies: the schema's */
  double mu;                        /* the guarantee, shared by all targets: each gets mu / sqrt(targets) */
  tacit_adjacency adjacency;
  size_t nominal_rows;
  tacit_status (*spend)(void *user, const tacit_cost *cost, tacit_error *error); /* as for learning */
  void *spend_user;
  bool seeded; /* reproducible noise: then it is not private */
  uint64_t seed;
} tacit_estimate_options;

/* One target's figures; money per row. */
typedef struct tacit_estimate {
  double mean_cost, standard_error; /* of the noise alone, which is public */
  double bound;                     /* of a row's cost */
  double mu;                        /* spent on this target */
  double sensitivity, sigma;        /* of the released sum, in units of bound */
  int grid_bits;                    /* its grid is bound 2^-grid_bits */
  double rows;                      /* the public number that divides it */
} tacit_estimate;

/* estimates has one entry for each target. Errors as for learning; nothing is drawn before spend returned. */
TACIT_API tacit_status tacit_estimate_cost(const tacit_schema *schema, tacit_source *source,
                                           const tacit_estimate_options *options,
                                           const tacit_context *context, tacit_estimate *estimates,
                                           tacit_error *error) TACIT_CHECKED;

TACIT_END

#endif
