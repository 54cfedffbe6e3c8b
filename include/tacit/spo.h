/* Predict-then-optimize: regions of decisions, and rules learned for the decision's sake (SPO+). */
#ifndef TACIT_SPO_H
#define TACIT_SPO_H

#include <tacit/data.h>
#include <tacit/learn.h>
#include <tacit/policy.h>
#include <tacit/privacy.h>
#include <tacit/schema.h>

TACIT_BEGIN

/* A compact convex set of decisions; docs/formats/region.md. Safe to use from several threads, each with its
   own workspace. */
typedef struct tacit_region tacit_region;

/* Reads a region from a file or JSON text. TACIT_BAD_INPUT for one that is malformed, empty, unbounded or, a
   polytope, without interior. *region is the caller's. */
TACIT_API tacit_status tacit_region_read(const char *path, tacit_region **region,
                                         tacit_error *error) TACIT_CHECKED;
TACIT_API tacit_status tacit_region_parse(const char *json, size_t length, tacit_region **region,
                                          tacit_error *error) TACIT_CHECKED;
TACIT_API void tacit_region_free(tacit_region *region); /* NULL is fine */

TACIT_API size_t tacit_region_dimension(const tacit_region *region);
TACIT_API double tacit_region_diameter(const tacit_region *region); /* an upper bound, rounded up */
/* How many doubles of workspace the calls below need. */
TACIT_API size_t tacit_region_work(const tacit_region *region);

/* w minimises cost'w over the region; *value (may be NULL) gets cost'w. Costs must be finite. Among several
   minimisers it is the one with the largest against'w, or, with against NULL, a fixed one. */
TACIT_API tacit_status tacit_region_minimise(const tacit_region *region, const double *cost,
                                             const double *against, double *work, double *w, double *value,
                                             tacit_error *error) TACIT_CHECKED;
/* w is the point of the region nearest to `point`. */
TACIT_API tacit_status tacit_region_project(const tacit_region *region, const double *point, double *work,
                                            double *w, tacit_error *error) TACIT_CHECKED;

/* Learning. The schema's targets are the costs of a decision's coordinates, in their order; the rule predicts
   them from the features, c = centre + B x, and decides by minimising over the region. tacit_spo_options_init
   sets every default; 0 in the lower half means "the method's default". */
typedef struct tacit_spo_options {
  /* "default" (gaussian: descent on the SPO+ loss), "exponential", "least-squares" (private prediction, then
     optimisation); without privacy "spo-plus", "least-squares-exact" */
  const char *method;
  double mu;             /* the guarantee of gaussian and least-squares */
  double epsilon, delta; /* the guarantee of exponential, whose releases are not Gaussian */
  tacit_adjacency adjacency;
  size_t nominal_rows; /* under add-remove, in place of the schema's */
  /* As in tacit_learn_options: called once, after every refusal and before the first noise bit. */
  tacit_status (*spend)(void *user, const tacit_cost *cost, tacit_error *error);
  void *spend_user;
  bool seeded; /* reproducible noise: the certificate then says that it is not private */
  uint64_t seed;

  size_t steps;
  double step_size; /* in spreads of the costs, for a decision whose widest coordinate has width 1 */
  double growth;    /* each step's share of mu^2 is this times the last one's; gaussian */
  size_t average;   /* the last so many iterates are averaged */
  double clip_norm; /* limit of a row's weight, over the schema's */
} tacit_spo_options;

TACIT_API void tacit_spo_options_init(tacit_spo_options *options);
/* The learner that a method's name stands for, as certificates and ledgers say it; NULL for an unknown name.
 */
TACIT_API const char *tacit_spo_method(const char *name);

/* Reads the source to its end and learns; statuses as for tacit_learn, and TACIT_BAD_INPUT where the schema
   does not have as many targets as the region has coordinates. Coefficients are targets x columns of the
   encoded columns, as of any fit. */
TACIT_API tacit_status tacit_spo_learn(const tacit_schema *schema, tacit_source *source,
                                       const tacit_region *region, const tacit_spo_options *options,
                                       const tacit_context *context, tacit_fit **fit,
                                       tacit_error *error) TACIT_CHECKED;

/* A policy that decides over a region: tacit_policy_region is then not NULL, and tacit_policy_decide gives
   the predicted cost of a coordinate. Everything is copied. */
TACIT_API tacit_status tacit_spo_policy_new(const tacit_schema *schema, const tacit_region *region,
                                            const double *coefficients, const tacit_certificate *certificate,
                                            tacit_policy **policy, tacit_error *error) TACIT_CHECKED;
TACIT_API const tacit_region *
tacit_policy_region(const tacit_policy *policy); /* NULL: it orders quantities */
/* The decision w (as many entries as the region has coordinates) for an encoded row x. work has
   tacit_region_work + the region's dimension doubles. */
TACIT_API tacit_status tacit_spo_decide(const tacit_policy *policy, const double *x, double *work, double *w,
                                        tacit_error *error) TACIT_CHECKED;

/* What decisions cost on rows whose costs are known, clamped to the schema's bounds; not private. */
typedef struct tacit_spo_evaluation {
  size_t rows;
  double mean_spo_loss;       /* mean of c'w - z*(c); with several best decisions the worst one */
  double mean_optimal_cost;   /* mean of z*(c) */
  double normalized_spo_loss; /* the first over the second; NaN where that is not positive */
} tacit_spo_evaluation;
TACIT_API tacit_status tacit_spo_evaluate(const tacit_policy *policy, tacit_source *source,
                                          tacit_spo_evaluation *result, const tacit_context *context,
                                          tacit_error *error) TACIT_CHECKED;

TACIT_END

#endif
