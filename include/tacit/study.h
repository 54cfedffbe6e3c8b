/* Studies: how good a policy is on a labelled table, the papers' data, and their published results beside
   ours. Nothing here is private, and nothing in the rooms that learn uses it. */
#ifndef TACIT_STUDY_H
#define TACIT_STUDY_H

#include <tacit/data.h>
#include <tacit/policy.h>

/* What a policy costs on rows whose demand is known. Not private. */
typedef struct tacit_evaluation {
  size_t rows;
  double mean_cost; /* underage plus overage cost, per row; with only a quantile, costs tau and 1 - tau */
  double mean_underage_cost, mean_overage_cost;
  double service_level; /* share of rows whose demand the order covered */
  double mean_pinball;  /* mean of rho_tau(demand - order) */
} tacit_evaluation;

/* results has one entry for each of the policy's targets. Errors as for reading rows. */
TACIT_API tacit_status tacit_evaluate(const tacit_policy *policy, tacit_source *source,
                                      tacit_evaluation *results, const tacit_context *context,
                                      tacit_error *error) TACIT_CHECKED;

/* Receives text as it is made; anything but TACIT_OK ends the work. */
typedef tacit_status (*tacit_writer)(void *user, const char *text, size_t length);

/* The simulators, by name: zhao-normal, zhao-t3, zhao-mixture, restaurant. NULL after the last. */
TACIT_API const char *tacit_simulator_name(size_t index);
TACIT_API const char *tacit_simulator_about(size_t index);
/* Writes `rows` rows of CSV with a header; the same seed gives the same bytes. TACIT_USAGE for an unknown
   name. rows = 0 takes the simulator's own number. */
TACIT_API tacit_status tacit_simulate(const char *name, size_t rows, uint64_t seed, tacit_writer writer,
                                      void *user, tacit_error *error) TACIT_CHECKED;
/* The public schema of that data as JSON text; static storage. NULL for an unknown name. */
TACIT_API const char *tacit_simulator_schema(const char *name);

/* One cell of a published table. Numbers that a row does not have are NaN. */
enum { TACIT_STEP_SIZES = 4 }; /* Algorithm 1 is shown at the fixed steps 1, 2, 3 and 4 */
typedef struct tacit_study_row {
  char label[48]; /* the error distribution, or the cost b */
  double quantile;
  double mu; /* 0: without privacy */
  size_t rows, repetitions;
  double paper, paper_sd;
  double published, published_se; /* the published method at its best fixed step */
  double best_step;
  double by_step[TACIT_STEP_SIZES], by_step_se[TACIT_STEP_SIZES];
  double line_search, line_search_se; /* as published, reading the private loss: without a guarantee */
  double tacit, tacit_se;             /* tacit's default learner */
} tacit_study_row;

typedef struct tacit_study_options {
  size_t repetitions; /* 0: the paper's */
  uint64_t seed;
  const char *data; /* folder with the restaurant data, for zhao-table2 and default-restaurant */
  const char *out;  /* folder for figures' CSV and PNG files, for zhao-figures */
} tacit_study_options;

/* The reproductions, by name: zhao-table1, zhao-table2, zhao-figures, and what the default learner is held
   to: default-zhao, default-restaurant, default-chen, default-stress. NULL after the last. In the latter
   `paper` is the bar, the figure to stay below. */
TACIT_API const char *tacit_study_name(size_t index);
TACIT_API const char *tacit_study_about(size_t index);
TACIT_API void tacit_study_options_init(tacit_study_options *options);
/* *rows is the caller's, to be given to free(). notes (2048 bytes) gets the assumptions behind the figures.
 */
TACIT_API tacit_status tacit_reproduce(const char *name, const tacit_study_options *options,
                                       const tacit_context *context, tacit_study_row **rows, size_t *count,
                                       char *notes, tacit_error *error) TACIT_CHECKED;

#endif
