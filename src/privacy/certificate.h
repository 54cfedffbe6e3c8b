/* The certificate: every noisy release behind a policy, with what is needed to recompute its sensitivity and
   the guarantee of all of them together. */
#ifndef TACIT_SRC_CERTIFICATE_H
#define TACIT_SRC_CERTIFICATE_H

#include "privacy/gdp.h"
#include "question/radius.h"

typedef enum tacit_noise_kind { TACIT_NOISE_NONE, TACIT_NOISE_SEEDED, TACIT_NOISE_OS } tacit_noise_kind;

/* What is summed over rows. Every summand is an integer vector on the grid 2^-bits. */
typedef enum tacit_release_kind {
  TACIT_RELEASE_SCORES, /* score_i x_i, ||x_i|| weighted down to clip, |score_i| <= max(tau, 1 - tau) */
  TACIT_RELEASE_ROWS,   /* x_i clipped to norm clip */
  TACIT_RELEASE_MOMENT, /* x_i x_i', x_i clipped to norm clip: upper triangle, off-diagonals with noise sigma
                           / sqrt 2 */
  TACIT_RELEASE_COUNT,  /* a number in [0, 1] */
  TACIT_RELEASE_OUTER,  /* u_i x_i', norm of the product cut at clip (proofs/spo.md) */
  TACIT_RELEASE_UNITS,  /* how many units there are in each of some bins */
  TACIT_RELEASE_RAMP,   /* a ramp of `width` of the target, which moves by `change` (proofs/bounded-change.md)
                         */
  TACIT_RELEASE_SLOPED, /* the same times x_i, ||x_i|| weighted down to clip */
  /* from here on not Gaussian */
  TACIT_RELEASE_SAMPLED,   /* like scores, but summed over a sample of the rows */
  TACIT_RELEASE_OBJECTIVE, /* the minimiser of losses of rows clipped to clip, with a random linear term */
  TACIT_RELEASE_MINIMISER, /* its computed value, whose gradient has norm at most clip, with Gaussian noise */
  TACIT_RELEASE_SIGN       /* no sum: one bit of the table by randomised response; level is its epsilon0 */
} tacit_release_kind;
const char *tacit_release_name(tacit_release_kind kind);
/* Whether sensitivity / sigma is its mu: a sum over all rows with Gaussian noise. */
bool tacit_release_gaussian(tacit_release_kind kind);
bool tacit_release_by_name(const char *name, tacit_release_kind *kind);

/* Which rows a sampled release sums over. */
typedef enum tacit_sample_kind {
  TACIT_SAMPLE_ALL,
  TACIT_SAMPLE_POISSON,
  TACIT_SAMPLE_FIXED
} tacit_sample_kind;

#define TACIT_ALL_TARGETS SIZE_MAX

/* One Gaussian release, or `count` of them alike. For an objective, sensitivity is the reach of the scores
   and sigma the scale of the linear term. */
typedef struct tacit_mechanism {
  tacit_release_kind kind;
  size_t target; /* TACIT_ALL_TARGETS for one that serves all */
  size_t dimension;
  double level;       /* scores: the quantile they are of; else 0 */
  double clip;        /* in encoded units; 0 for a count */
  double unit;        /* what a unit adds is held to so many times what one row may; 0: it is not */
  int bits;           /* the release's grid is 2^-bits */
  double sensitivity; /* in units of the grid */
  double sigma;       /* in units of the grid */
  uint64_t count;
  tacit_sample_kind sample; /* of a sampled release, and its rate; else 0 */
  double rate;
  double lambda, smoothness; /* of an objective, a minimiser (lambda alone); else 0 */
  double width, change;      /* of ramps: half a window, encoded, and units of the targets' grid; else 0 */
} tacit_mechanism;

/* Of each target's epsilon, the share that pays for the minimiser not being exact; the objective has the rest
   (proofs/objective-perturbation.md, theorem 4). */
#define TACIT_MINIMISER_SHARE (1.0 / 1000)

/* How far the sum can move between neighbouring tables, in units of its grid, from kind, level, clip and
   bits, the adjacency and how many rows a unit reaches. Rounded up, below 2^53; TACIT_USAGE where it would
   not be. */
tacit_status tacit_mechanism_sensitivity(const tacit_mechanism *mechanism, tacit_adjacency adjacency,
                                         size_t rows_per_unit, double *sensitivity,
                                         tacit_error *error) TACIT_CHECKED;

/* A public input of the learner, by name: a number, or a text when text[0] is not 0. */
typedef struct tacit_setting {
  char name[24];
  double number;
  char text[24];
} tacit_setting;

struct tacit_certificate {
  int format; /* of the file that it stands in: 1, or 2, which new ones have (docs/formats/policy.md) */
  char method[24];
  bool private; /* false: `reason` says why */
  char reason[96];
  tacit_adjacency adjacency;
  size_t rows_per_unit;
  bool result_rows; /* a row is one of a query's result, not a record (proofs/sql.md) */
  bool engine_rows; /* a caller's engine held the rows, and answered for them */
  size_t
      rows;  /* public: the number of rows under replace-one, nominal_rows under add-remove; 0: not stated */
  double mu; /* the guarantee of all mechanisms together; 0 where it is not Gaussian: then */
  double epsilon, delta; /* it is this pair; both 0 where it is Gaussian */
  tacit_noise_kind noise;
  char region_hash[65];              /* of the decisions' region; empty: there is none */
  char before[65];                   /* the hash of the policy that it goes on from; empty: none */
  char period[TACIT_PERIOD_MAX + 1]; /* that the records are of, as is asserted; empty: not said */
  tacit_receipt receipt;             /* of the ledger that paid; sequence 0: none */
  uint64_t releases;                 /* how many there are, all counts together */
  tacit_mechanism *mechanisms;
  size_t mechanism_count, mechanism_capacity;
  tacit_setting *settings;
  size_t setting_count, setting_capacity;
};

/* A copy with its own lists. */
tacit_status tacit_certificate_copy(const tacit_certificate *from, tacit_certificate **to,
                                    tacit_error *error) TACIT_CHECKED;
tacit_status tacit_certificate_new(const char *method, tacit_certificate **certificate,
                                   tacit_error *error) TACIT_CHECKED;
void tacit_certificate_free(tacit_certificate *certificate);
/* Adds a release; one like the last is counted instead of listed again. */
tacit_status tacit_certificate_add(tacit_certificate *certificate, const tacit_mechanism *mechanism,
                                   tacit_error *error) TACIT_CHECKED;
tacit_status tacit_certificate_number(tacit_certificate *certificate, const char *name, double number,
                                      tacit_error *error) TACIT_CHECKED;
tacit_status tacit_certificate_text(tacit_certificate *certificate, const char *name, const char *text,
                                    tacit_error *error) TACIT_CHECKED;

/* Whether this can name a period: letters, digits, points, lines and underscores, 1 to TACIT_PERIOD_MAX. */
bool tacit_period_sound(const char *period);

/* A public input by its name; NULL when it is not there. */
const tacit_setting *tacit_certificate_find(const tacit_certificate *certificate, const char *name);

/* sqrt(sum of count (sensitivity / sigma)^2) over the mechanisms, rounded up; +inf for a sigma that is not a
   positive number, and for kinds that are not Gaussian. */
double tacit_certificate_mu(const tacit_certificate *certificate);

/* A delta that all mechanisms together have at epsilon, rounded up; +inf when they are known to give none.
   For certificates that promise (epsilon, delta): epsilon is shared equally by the targets; pair.c. */
double tacit_certificate_delta(const tacit_certificate *certificate, double epsilon);
/* A sampled release as its accountant takes it; pair.c. */
tacit_sampled tacit_mechanism_sampled(const tacit_mechanism *mechanism, tacit_adjacency adjacency);

/* Upper bounds on the Renyi divergences of all mechanisms together at tacit_rdp_orders, for a ledger;
   curve.c. TACIT_USAGE for a mechanism that has none. */
tacit_status tacit_certificate_rdp(const tacit_certificate *certificate, double rdp[TACIT_RDP_ORDERS],
                                   tacit_error *error) TACIT_CHECKED;
/* Learners pay for their divergences times this: a library whose logarithms round otherwise, which recomputes
   them from the policy, must not find more than was paid. */
#define TACIT_RDP_HEADROOM (1 + 0x1p-30)

#endif
