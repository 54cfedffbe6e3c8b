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
   target's bounds is cut to them, as demand is, and a row's cost to a bound: a public one, or one that a few
   noisy counts find, so that few rows cost more. */
typedef struct tacit_estimate_options {
  const double *coefficients;
  const double *spread;             /* NULL: the rule is linear; else targets x (columns + 1) */
  const double *underage, *overage; /* one of each for each target, above 0 */
  double bound; /* a public one of a row's cost, where it is less than the schema's; 0: it is to be found */
  double mu;    /* the guarantee, shared by all targets: each gets mu / sqrt(targets) */
  tacit_adjacency adjacency;
  size_t nominal_rows;
  tacit_status (*spend)(void *user, const tacit_cost *cost, tacit_error *error); /* as for learning */
  void *spend_user;
  bool seeded; /* reproducible noise: then it is not private */
  uint64_t seed;
} tacit_estimate_options;

/* Releases of one kind, each a count or a sum on the grid 2^-grid_bits of its unit. */
typedef struct tacit_estimate_release {
  const char *what;              /* "rows", "bound", "cost" or "cut"; static */
  uint64_t count;                /* how many of them */
  double sensitivity, sigma, mu; /* of each */
} tacit_estimate_release;

/* A released number and the interval that covers the true one in 95 of 100 releases, whatever the rows. */
typedef struct tacit_estimate_figure {
  double value, low, high;
} tacit_estimate_figure;

/* One target's figures; money per row. */
enum { TACIT_ESTIMATE_RELEASES = 4 };
typedef struct tacit_estimate {
  tacit_estimate_figure cost; /* mean of the rows' costs, each cut to the bound; between 0 and the bound */
  tacit_estimate_figure cut;  /* share of the rows that cost more than the bound */
  double standard_error;      /* of the mean cost, of the noise alone */
  double bound;               /* of a row's cost */
  bool bound_found;           /* by noisy counts; else it is public */
  bool rows_public;           /* else their number is a noisy count */
  double rows;                /* the number that divides */
  double mu;                  /* spent on this target */
  int grid_bits;
  tacit_estimate_release releases[TACIT_ESTIMATE_RELEASES]; /* in the order in which they were made */
  size_t release_count;
} tacit_estimate;

/* estimates has one entry for each target. Errors as for learning; nothing is drawn before spend returned. */
TACIT_API tacit_status tacit_estimate_cost(const tacit_schema *schema, tacit_source *source,
                                           const tacit_estimate_options *options,
                                           const tacit_context *context, tacit_estimate *estimates,
                                           tacit_error *error) TACIT_CHECKED;

TACIT_END

#endif
