/* The methods: what each one promises and needs, the options it has, and what a fit is asked for. */
#ifndef TACIT_METHOD_H
#define TACIT_METHOD_H

#include <tacit/privacy.h>
#include <tacit/region.h>
#include <tacit/schema.h>

TACIT_BEGIN

/* Each method's own options. 0, "" and NULL mean "the method's default". */
typedef struct tacit_noisy_gd_options {
  const char *preset; /* "zhao": the choices of Zhao's Theorem 2 where the options below are not given */
  size_t steps;
  double step_size; /* in units of the encoded target */
  double growth;    /* each step's share of mu^2 is this times the last one's */
  size_t average;   /* the last so many iterates are averaged by their shares; 1: the last one alone */
  double clip_norm;
  double bandwidth;   /* in the target's own units */
  const char *kernel; /* "gaussian", "laplacian", "logistic", "uniform", "epanechnikov" or "triangular" */
  const char *start;  /* "zero", or "sphere": a random point of the unit sphere */
  bool whiten;        /* rows are whitened by the schema's second_moment */
} tacit_noisy_gd_options;

typedef struct tacit_gradient_options {
  size_t steps;
  double step_size, clip_norm, bandwidth;
  const char *kernel;
  double theta_bound; /* norm that coefficients are projected to, in units of the encoded target */
} tacit_gradient_options;

typedef struct tacit_objective_options {
  const char *preset; /* "part-1" or "part-2" of Chen and Chua's Theorem 3.6 */
  double clip_norm, bandwidth;
  const char *kernel;
  double lambda; /* of the mean loss; of the sum over rows it is 2 rows lambda */
  double theta_bound;
} tacit_objective_options;

typedef struct tacit_sgd_options {
  size_t steps;
  double step_size, clip_norm, bandwidth;
  const char *kernel;
  double theta_bound;
  size_t batch; /* records of a step, drawn without replacement */
  double rate;  /* each record by itself with this probability, instead of a batch of fixed size */
} tacit_sgd_options;

typedef struct tacit_location_scale_options {
  bool intervals; /* the policy says how sure its rule is; a part of the budget pays for it
                     (docs/intervals.md) */
} tacit_location_scale_options;

typedef struct tacit_erm_options {
  double bandwidth; /* in the target's own units; 0: from the residuals */
  const char *kernel;
} tacit_erm_options;

/* Over a region. Step sizes are in spreads of the costs, for a decision whose widest coordinate has width 1.
 */
typedef struct tacit_spo_gaussian_options {
  size_t steps;
  double step_size, growth;
  size_t average;
  double clip_norm;
} tacit_spo_gaussian_options;

typedef struct tacit_spo_exponential_options {
  size_t steps;
  double step_size;
  size_t average;
} tacit_spo_exponential_options;

typedef struct tacit_spo_plus_options {
  size_t steps;
  double step_size;
} tacit_spo_plus_options;

/* A policy that a fit goes on from, made by tacit_policy_start. */
typedef struct tacit_start tacit_start;
TACIT_API void tacit_start_free(tacit_start *start);

/* What a fit is asked for. tacit_learn_options_init sets every default, and the size, by which a library that
   knows more options than its caller sees which of them are there. */
typedef struct tacit_learn_options {
  size_t size;
  const char *method; /* a name from the list below; "default" is the best one there is */
  const tacit_region
      *region;             /* of decisions: the targets are then their costs; NULL: each target is ordered */
  const double *quantiles; /* one for each of the schema's targets, or several ascending ones where it has one
                              target, each in (0, 1); none over a region */
  size_t quantile_count;
  double mu;             /* the guarantee, shared by all targets: each gets mu / sqrt(targets) */
  double epsilon, delta; /* instead of mu, for methods whose promise is a pair */
  tacit_adjacency adjacency;
  size_t nominal_rows; /* under add-remove, in place of the schema's */
  /* Called once, after every refusal and before the first noise bit is drawn, with what is about to be spent:
     a ledger makes it durable here. Anything but TACIT_OK ends the fit with that status. May be NULL. */
  tacit_status (*spend)(void *user, const tacit_cost *cost, tacit_error *error);
  void *spend_user;
  bool seeded; /* reproducible noise: the certificate then says that it is not private */
  uint64_t seed;
  /* of the method that is named; any of another method is refused */
  tacit_noisy_gd_options noisy_gd;
  tacit_gradient_options gradient;
  tacit_objective_options objective;
  tacit_sgd_options sgd;
  tacit_erm_options erm;
  tacit_spo_gaussian_options spo_gaussian;
  tacit_spo_exponential_options spo_exponential;
  tacit_spo_plus_options spo_plus;
  tacit_location_scale_options location_scale;
  const tacit_start *from; /* the policy to go on from, for a method that can; NULL: none */
  /* Which period the records are of, such as "2024-03": that no unit has records in two of them is for
     whoever says it to know, and the certificate has it. NULL: it is not said. */
  const char *period;
} tacit_learn_options;

#define tacit_learn_options_init(options) tacit_learn_options_init_sized(options, sizeof *(options))
TACIT_API void tacit_learn_options_init_sized(tacit_learn_options *options, size_t size);
/* Sets an option of options->method by its name ("step-size"); set method and region first. TACIT_USAGE for
   an option that the method does not have, with those it has, and for a value out of its range. A flag is 1.
 */
TACIT_API tacit_status tacit_learn_options_set_number(tacit_learn_options *options, const char *name,
                                                      double number, tacit_error *error) TACIT_CHECKED;
TACIT_API tacit_status tacit_learn_options_set_word(tacit_learn_options *options, const char *name,
                                                    const char *word, tacit_error *error) TACIT_CHECKED;

/* What a method can promise: nothing, mu-GDP, or a pair (epsilon, delta). */
typedef enum tacit_promise {
  TACIT_PROMISE_NOTHING,
  TACIT_PROMISE_GAUSSIAN,
  TACIT_PROMISE_PAIR
} tacit_promise;

typedef enum tacit_option_kind {
  TACIT_OPTION_FLAG,
  TACIT_OPTION_COUNT,  /* a whole number above 0 */
  TACIT_OPTION_NUMBER, /* a number above 0 */
  TACIT_OPTION_WORD    /* one of a few */
} tacit_option_kind;

/* An option as help texts and bindings show it. */
typedef struct tacit_option {
  const char *name;
  tacit_option_kind kind;
  const char *value; /* what a help text calls its value; NULL for a flag */
  const char *about;
} tacit_option;

typedef struct tacit_method tacit_method;

/* All methods, the defaults first; NULL beyond the last. */
TACIT_API const tacit_method *tacit_method_at(size_t index);
/* By the name that certificates and ledgers have for it, by the shorter one that some have over a region, or
   "default", which over a region is another one. NULL for any other name, and where a method needs a region
   and there is none, or has no use for one. */
TACIT_API const tacit_method *tacit_method_find(const char *name, bool region);
/* The one that goes on from a policy. */
TACIT_API const tacit_method *tacit_method_following(void);
/* The same for a schema, which may have a default of its own. */
TACIT_API const tacit_method *tacit_method_for(const char *name, bool region, const tacit_schema *schema);
TACIT_API const char *tacit_method_name(const tacit_method *method);
TACIT_API const char *tacit_method_about(const tacit_method *method); /* one line */
TACIT_API tacit_promise tacit_method_promise(const tacit_method *method);
TACIT_API bool tacit_method_needs_region(const tacit_method *method);
/* Its options in their order; NULL beyond the last. */
TACIT_API const tacit_option *tacit_method_option(const tacit_method *method, size_t index);

/* What a fit gave; it belongs to the caller. */
typedef struct tacit_fit tacit_fit;
TACIT_API void tacit_fit_free(tacit_fit *fit);

/* Coefficients of the encoded columns, targets x columns, and the certificate; owned by the fit. */
TACIT_API const double *tacit_fit_coefficients(const tacit_fit *fit);
/* NULL where the rule is linear in the encoded row x. Else targets x (columns + 1) numbers, for each target g
   and then k: the order is coefficients'x + k exp(g'x), as docs/formats/policy.md has it. */
TACIT_API const double *tacit_fit_spread(const tacit_fit *fit);
TACIT_API const tacit_certificate *tacit_fit_certificate(const tacit_fit *fit);

/* What the user should know about the choices that were made, from public facts and releases alone: a
   published theorem's condition that does not hold, levels too rare to learn. "" without one. */
TACIT_API const char *tacit_fit_note(const tacit_fit *fit);

/* For the data holder's eyes only: how many records were read, and how many were left out and why:
   dropped_lag too early for the lags, dropped_unit beyond a unit's limit, behind a record with the same key,
   or for want of what they look up. */
typedef struct tacit_fit_counts {
  size_t records, rows, dropped_lag, dropped_unit;
} tacit_fit_counts;
TACIT_API tacit_fit_counts tacit_fit_count(const tacit_fit *fit);

TACIT_END

#endif
