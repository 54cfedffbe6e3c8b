/* The audit's parts: the methods it knows, the two tables, what an adversary sees of a run, faults that are
   planted on purpose, and the bounds that follow (docs/audit.md). */
#ifndef TACIT_SRC_AUDIT_H
#define TACIT_SRC_AUDIT_H

#include "study/study.h"

#include "learn/task.h"

enum {
  TACIT_AUDIT_COLUMNS = 3,                           /* intercept and two features */
  TACIT_AUDIT_NUMBERS = 2 * TACIT_AUDIT_COLUMNS + 1, /* of a policy: its coefficients, then its spread's */
  TACIT_AUDIT_ROWS = 256,
  TACIT_AUDIT_MIDDLE = 3 /* of totals, in scales: they are not below 0 */
};

/* How a promise can be broken on purpose. Compiled into the audit alone: each spoils what stands between a
   learner and its releases. */
typedef struct tacit_audit_fault {
  const char *name, *about;
  double noise;    /* the noise is scaled by this */
  bool forgets;    /* noise for one release, though there are many */
  bool constant;   /* the same noise in every run */
  bool unclipped;  /* rows as long as they come; noise for the clip norm */
  bool unsmoothed; /* the first ramp is a plain count; noise for the ramp */
  bool scattered;  /* a unit's records under a name each, so that each is clipped by itself */
  bool any_rows;   /* a customer's events count on all their rows */
  bool any_amount; /* and with all that was bought there */
} tacit_audit_fault;
extern const tacit_audit_fault tacit_audit_faults[]; /* up to one without a name */

struct tacit_audit;
/* What an adversary has of one run: one number for each way to look at it. */
typedef struct tacit_audit_sight {
  double transcript; /* evidence for the second table in everything released on the way */
  double coefficients[TACIT_AUDIT_NUMBERS]; /* what is in the policy; 0 where it has no spread */
} tacit_audit_sight;

typedef struct tacit_audit_method {
  const char *name;            /* NULL: the learner's method's */
  const tacit_method *learner; /* NULL: not one of tacit's */
  /* One run on table 0 or 1, with the noise of this seed. */
  tacit_status (*run)(const struct tacit_audit *audit, int table, uint64_t seed, tacit_audit_sight *sight,
                      tacit_error *error);
  bool transcript, coefficients; /* which of the sights it has */
  bool spread;                   /* whether a spread is among the coefficients */
  bool outside;                  /* not one of tacit's learners: nothing passes the release gate */
  bool clips;                    /* has a clip norm that can be left out */
  bool curve;                    /* promises (epsilon, delta), not mu */
  size_t steps, batch;           /* 0: the learner's default */
  double canary;                 /* the canary's features, in scales */
  double demand;                 /* its target, on either side; 0: farther than anything */
  bool mirror;       /* the canary's features have the other sign in table 0, its target the same */
  double quantile;   /* 0: the median */
  size_t canaries;   /* rows of the unit, the last ones; 0: one */
  double change;     /* their targets lie half of it to either side of 0; 0: farther than anything */
  const char *facts; /* more of the schema, up to its last brace; replace-one alone. NULL: nothing */
  size_t unit;       /* records of a unit, all of the canary's alike, where a column names it; 0: none does */
  size_t bought;     /* rows that the canary, a customer, has events on; 0: tables are not of events */
  size_t runs;       /* default, for each table */
} tacit_audit_method;
extern const tacit_audit_method tacit_audit_methods[]; /* up to one that runs nothing */

/* Two neighbouring tables as columns; the canary is the last record, or the last records of one unit, and
   absent from table 0 under add-remove. */
typedef struct tacit_audit_table {
  size_t rows;
  /* features, the target, and a second cost or whose the record is */
  double column[TACIT_AUDIT_COLUMNS + 1][TACIT_AUDIT_ROWS];
} tacit_audit_table;

/* The events of a table, as columns: whose, on which row of the calendar, how much. */
typedef struct tacit_audit_events {
  size_t count;
  double *column[3];
  const double *calendar[3]; /* its rows' features and keys */
} tacit_audit_events;

/* An audit under way. */
typedef struct tacit_audit {
  const tacit_audit_options *options;
  const tacit_audit_method *method;
  const tacit_audit_fault *fault; /* NULL: none */
  tacit_schema *schema;
  tacit_region *region; /* of decisions; NULL where quantities are ordered */
  tacit_audit_table table[2];
  tacit_audit_events events[2]; /* behind the tables' targets, where the method is attacked through them */
  tacit_schema *reading;        /* their limits as they are enforced: the schema's, or a fault's */
  double epsilon;               /* the promise of a method that has a curve */
  size_t releases;              /* of one run */
  size_t runs;                  /* on each table, where the options say none; then what the audit makes */
  double *sights;               /* see audit.c */
  tacit_choice choice;          /* of a method with a curve */
} tacit_audit;

/* Attacks audit->method with audit->fault planted in it; both, options and runs are set by the caller. Frees
   what the audit has come to hold. */
tacit_status tacit_audit_attack(tacit_audit *audit, const tacit_context *context, tacit_audit_result *result,
                                tacit_error *error) TACIT_CHECKED;

/* The canary and its neighbour among harmless rows; audit_tables.c. */
tacit_status tacit_audit_make_tables(tacit_audit *audit, tacit_error *error) TACIT_CHECKED;
tacit_status tacit_audit_read_schema(const tacit_audit *audit, tacit_schema **schema,
                                     tacit_error *error) TACIT_CHECKED;
/* The tables' targets as events of customers, the canary's in table 1 alone; audit_events.c. */
tacit_status tacit_audit_make_events(tacit_audit *audit, tacit_error *error) TACIT_CHECKED;
tacit_status tacit_audit_open_events(const tacit_audit *audit, int table, tacit_source **source,
                                     tacit_error *error) TACIT_CHECKED;
void tacit_audit_free_events(tacit_audit *audit);
/* Whatever is being audited: reads a table, releases through the probe, gives coefficients. */
typedef tacit_status (*tacit_audit_pass)(const tacit_audit *audit, int table, uint64_t seed,
                                         const tacit_release_probe *probe, double *coefficients,
                                         tacit_error *error);
/* One run through a watching probe and its replay on the other table; *releases may be NULL.
   audit_learner.c. */
tacit_status tacit_audit_see(const tacit_audit *audit, tacit_audit_pass run, int table, uint64_t seed,
                             tacit_audit_sight *sight, size_t *releases, tacit_error *error) TACIT_CHECKED;
/* What a fault may change of a run: the noise's seed, whether there is one, the clip norm. */
uint64_t tacit_audit_noise_seed(const tacit_audit *audit, uint64_t seed);
bool tacit_audit_seeded(const tacit_audit *audit);
double tacit_audit_clip(const tacit_audit *audit);

/* tacit_learn with a probe, or, for what releases no sums, its coefficients alone; audit_learner.c. */
tacit_status tacit_audit_run_learner(const tacit_audit *audit, int table, uint64_t seed,
                                     tacit_audit_sight *sight, tacit_error *error) TACIT_CHECKED;
tacit_status tacit_audit_run_gaussian(const tacit_audit *audit, int table, uint64_t seed,
                                      tacit_audit_sight *sight, tacit_error *error) TACIT_CHECKED;
/* A gate without a learner behind it, for plain releases from one column; to be closed in any case. */
typedef struct tacit_audit_gate {
  tacit_facts facts;
  tacit_release_plan plan;
  tacit_gate gate;
} tacit_audit_gate;
tacit_status tacit_audit_gate_open(const tacit_audit *audit, const uint64_t *seed, tacit_audit_gate *open,
                                   tacit_error *error) TACIT_CHECKED;
void tacit_audit_gate_close(tacit_audit_gate *open);
/* How many releases a run makes. */
tacit_status tacit_audit_count_releases(tacit_audit *audit, tacit_error *error) TACIT_CHECKED;
/* A method's calibration may take longer than its learning: it is made once. */
tacit_status tacit_audit_choose(tacit_audit *audit, tacit_error *error) TACIT_CHECKED;
/* Bounds from what a statistic was in `runs` runs on each table; audit_bound.c. The first runs choose the
   threshold, the others are counted: a bound is false with probability at most alpha. */
typedef struct tacit_audit_counts {
  double trained, tested; /* runs for each table */
  double threshold;
  bool above; /* the guess is "table 1" above the threshold, or below it */
  double false_positive_upper, true_positive_lower;
} tacit_audit_counts;
tacit_status tacit_audit_mu_lower(size_t runs, const double *on_0, const double *on_1, double alpha,
                                  double *mu, tacit_audit_counts *counts, tacit_error *error) TACIT_CHECKED;
tacit_status tacit_audit_epsilon_lower(size_t runs, const double *on_0, const double *on_1, double delta,
                                       double alpha, double *epsilon, tacit_error *error) TACIT_CHECKED;
/* How many of the runs choose. */
size_t tacit_audit_trained(size_t runs);

/* Many canaries in one run; audit_one_run.c. */
tacit_status tacit_audit_one_run(const tacit_audit *audit, tacit_audit_result *result,
                                 tacit_error *error) TACIT_CHECKED;
/* The chance of at least `right` of `guesses` right guesses about `canaries` under (epsilon, delta). */
double tacit_audit_one_run_chance(size_t canaries, size_t guesses, size_t right, double epsilon,
                                  double delta);

#endif
