/* Studies: how good a policy is on a labelled table, what a guarantee will cost, attacks on what learners
   promise, and simulated data. Nothing here is private, and nothing in the rooms that learn uses it. */
#ifndef TACIT_STUDY_H
#define TACIT_STUDY_H

#include <tacit/data.h>
#include <tacit/policy.h>

TACIT_BEGIN

/* What a policy costs on rows whose demand is known, which is scored as the table has it, not as the schema's
   bounds leave it. Not private. Costs are per row; with only a quantile, unit costs are tau and 1 - tau. */
typedef struct tacit_evaluation {
  size_t rows;
  size_t beyond;    /* rows whose demand lies beyond the schema's bounds, which hold orders */
  double mean_cost; /* underage plus overage cost */
  double mean_underage_cost, mean_overage_cost;
  double mean_order, mean_demand, mean_shortage,
      mean_leftover;    /* units per row; demand below 0 counts as none */
  double service_level; /* share of rows whose demand the order covered */
  double fill_rate;     /* share of all demand that was met; NaN without any */
  double mean_pinball;  /* mean of rho_tau(demand - order) */
  /* What other orders cost on these rows, NaN where there are none. */
  double cost_without_features; /* one order for all rows, the tau-quantile of demand */
  double cost_without_privacy;  /* "erm-exact" */
  double cost_of_last;          /* the demand of the row before (of the same group): on rows_with_last rows */
  size_t rows_with_last;
  /* Where the schema says which days sold out ("sold_out", "stock"), demand was more on these than what is
     scored, and there are no orders to compare with: they would have learned sales. */
  bool sold_out_told;      /* the table has the column */
  size_t sold_out;         /* rows that sold out */
  size_t sold_out_covered; /* of these: orders of at least what was sold; which cover demand is not known */
} tacit_evaluation;

typedef struct tacit_evaluate_options {
  tacit_source *train; /* rows that the orders to compare with are learned from; NULL: the evaluated ones */
  const char *by;      /* a column for whose values there are figures of their own; NULL: none */
} tacit_evaluate_options;

typedef struct tacit_evaluated {
  size_t targets, groups;
  tacit_evaluation *all; /* one for each target */
  tacit_evaluation *by;  /* groups x targets, in the order of their names; rows may be 0 */
  char **names;          /* of the groups */
  size_t dropped;        /* records before the lags' reach */
  bool hindsight; /* the orders to compare with were learned from these very rows, which flatters them */
} tacit_evaluated;

/* *result is the caller's, to be given to tacit_evaluated_free. options may be NULL. Errors as for reading
   rows; TACIT_USAGE for a column of more than 10000 values. */
TACIT_API tacit_status tacit_evaluate(const tacit_policy *policy, tacit_source *source,
                                      const tacit_evaluate_options *options, const tacit_context *context,
                                      tacit_evaluated **result, tacit_error *error) TACIT_CHECKED;
TACIT_API void tacit_evaluated_free(tacit_evaluated *result); /* NULL is fine */

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

/* Receives text as it is made; anything but TACIT_OK ends the work. */
typedef tacit_status (*tacit_writer)(void *user, const char *text, size_t length);

/* The simulators, by name: zhao-normal, zhao-t3, zhao-mixture, chen-exogenous, chen-endogenous,
   chen-wide-exogenous, chen-wide-endogenous, chen-discrete, restaurant, spo-shortest-path, shops. NULL after
   the last. */
TACIT_API const char *tacit_simulator_name(size_t index);
TACIT_API const char *tacit_simulator_about(size_t index);
/* Writes `rows` rows of CSV with a header; the same seed gives the same bytes. TACIT_USAGE for an unknown
   name. rows = 0 takes the simulator's own number. */
TACIT_API tacit_status tacit_simulate(const char *name, size_t rows, uint64_t seed, tacit_writer writer,
                                      void *user, tacit_error *error) TACIT_CHECKED;
/* The public schema of that data as JSON text; static storage. NULL for an unknown name. */
TACIT_API const char *tacit_simulator_schema(const char *name);
/* The region of its decisions as JSON text (docs/formats/region.md); static storage. NULL where there is
   none. */
TACIT_API const char *tacit_simulator_region(const char *name);

/* What a guarantee will cost, before any row is read: simulated rows that fit the schema, of several kinds of
   demand ("cases"), learned from with noise and with next to none. The price of privacy is what the orders of
   the first cost more than those of the second, on fresh rows, in percent. Some noise may help on few rows:
   where the learner is cheaper at mu = 20, it is compared with that, and no price is below 0. */
enum { TACIT_PLAN_CASES = 7, TACIT_PLAN_ASSUMPTIONS = 8, TACIT_PLAN_TEXT = 768 };

typedef struct tacit_plan_row {
  double mu;
  size_t rows;
  size_t simulated; /* so many rows stood for them, at a mu under which noise weighs as much */
  /* Percent. Half of the simulated problems cost less than the middle; the price is taken to be in low..high,
     from half of the middle to two and a half times it, and at least three points wide. */
  double low, middle, high;
  double nine_in_ten; /* so many of the simulated problems cost at most this */
  double middle_se;
  double percent[TACIT_PLAN_CASES], percent_se[TACIT_PLAN_CASES]; /* by case */
  double worst_case; /* a published bound on the cost above the best rule's, whatever the rows; NaN: none */
  double worst_case_percent; /* of the first case's cost without privacy */
  double rate;               /* Zhao's Theorem 3's order of the price of privacy; without its constants */
} tacit_plan_row;

/* tacit_plan_options_init sets every default. */
typedef struct tacit_plan_options {
  size_t rows;             /* rows the table will have; needed */
  const tacit_goal *goals; /* one for each of the schema's targets; needed, but over a region */
  size_t goal_count;
  double mu;                  /* the guarantee in question; 0.5 */
  double percent;             /* asked backwards: at which mu, and from how many rows on? 0: not asked */
  const char *method;         /* "default", or another one that promises something */
  const tacit_region *region; /* plan decisions over it, whose costs are the targets; NULL: orders */
  tacit_adjacency adjacency;  /* under add-remove the number of rows is the nominal one */
  size_t repetitions;         /* simulated problems of each case; 0: from 2 to 12, by their standard error */
  uint64_t seed;              /* the same seed gives the same figures; 1 */
  /* Called once, early, with what one problem of each case says about the asked mu and rows. May be NULL. */
  void (*first)(void *user, const tacit_plan_row *row);
  void *first_user;
} tacit_plan_options;
TACIT_API void tacit_plan_options_init(tacit_plan_options *options);

/* A kind of demand, and what is at stake there at the asked rows. Money per row, summed over targets; with
   only a quantile, costs tau and 1 - tau. */
typedef struct tacit_plan_demand_case {
  const char *name, *about;     /* static storage */
  double cost_without_privacy;  /* of the same learner with next to no noise */
  double cost_without_features; /* of the best constant order, without privacy; NaN over a region */
} tacit_plan_demand_case;

/* What a price of `percent` takes; infinite where more than was tried. By the middle, with what two
   standard errors of it make of it; and for nine problems in ten. */
typedef struct tacit_plan_answer {
  double percent; /* 0: not asked */
  double mu, mu_from, mu_to, mu_nine_in_ten;
  double rows, rows_from, rows_to, rows_nine_in_ten;
  double mu_most, rows_most; /* up to which they were looked for */
} tacit_plan_answer;

typedef struct tacit_plan_result {
  size_t mu_count, size_count;
  tacit_plan_row *by_mu;       /* at the asked rows, mu ascending */
  tacit_plan_row *by_rows;     /* at the asked mu: half, once, twice and four times the rows */
  size_t asked_mu, asked_size; /* where the asked guarantee and number of rows stand in them */
  tacit_plan_demand_case cases[TACIT_PLAN_CASES];
  tacit_plan_answer answer;
  size_t repetitions; /* problems of each case */
  char recommendation[TACIT_PLAN_TEXT];
  char rule[TACIT_PLAN_TEXT]; /* which rule is learned at the asked quantile; empty: one at all of them */
  char worst_case[TACIT_PLAN_TEXT]; /* what the bounds are */
  char assumptions[TACIT_PLAN_ASSUMPTIONS][TACIT_PLAN_TEXT];
  size_t assumption_count;
} tacit_plan_result;

/* *result is the caller's, to be given to tacit_plan_free. TACIT_USAGE for an option out of its range,
   TACIT_BAD_INPUT for fewer rows than encoded columns, TACIT_REFUSED as for learning. */
TACIT_API tacit_status tacit_plan(const tacit_schema *schema, const tacit_plan_options *options,
                                  const tacit_context *context, tacit_plan_result **result,
                                  tacit_error *error) TACIT_CHECKED;
TACIT_API void tacit_plan_free(tacit_plan_result *result);
/* The line of the asked mu and rows alone, from two problems of each case (or options->repetitions): in about
   a tenth of the time, and less sure. Without a worst case. Errors as above. */
TACIT_API tacit_status tacit_plan_glance(const tacit_schema *schema, const tacit_plan_options *options,
                                         const tacit_context *context, tacit_plan_row *row,
                                         tacit_error *error) TACIT_CHECKED;

/* What a study found: a table, columns of text first, then columns of numbers. Where a column is named X_se
   or X_sd and follows X, it is the standard error or the standard deviation of X.
   docs/formats/report.md */
enum { TACIT_REPORT_TEXT = 96, TACIT_REPORT_NOTES = 8192 };
typedef struct tacit_report {
  char name[32];
  size_t texts, numbers, rows;
  size_t shown; /* the first so many columns tell it to a person; the others are details */
  char (*columns)[TACIT_REPORT_TEXT]; /* texts + numbers names */
  char (*text)[TACIT_REPORT_TEXT];    /* text[row * texts + k] */
  double *number;                     /* number[row * numbers + k]; NaN: there is none */
  char notes[TACIT_REPORT_NOTES];     /* what was assumed, and which conditions of the papers fail */
  size_t capacity;                    /* rows that there is room for */
  struct tacit_report *next;          /* a further table, of points for a figure, without notes; or NULL */
} tacit_report;
TACIT_API void tacit_report_free(tacit_report *report); /* with the tables behind it; NULL is fine */

/* What private ordering does to a supply chain: a newsvendor buys at the wholesale price from a supplier and
   sells at the retail price a demand of base + slopes'x + e, x standard normal. */
typedef struct tacit_impact_options {
  double retail, wholesale, cost; /* cost < wholesale < retail; 10, 6, 4 */
  double base;                    /* mean demand; 10 */
  const double *slopes;           /* of the features, at most TACIT_IMPACT_FEATURES; NULL: 1 and -0.5 */
  size_t slope_count;
  double sd;          /* of e; 1 */
  bool laplace;       /* e is Laplace's instead of normal */
  const size_t *rows; /* NULL: 1000, 10000 */
  size_t row_count;
  const double *epsilons; /* NULL: 0.5, 1, 2 */
  size_t epsilon_count;
  double delta;       /* 0.01 */
  size_t repetitions; /* 100 */
  uint64_t seed;
} tacit_impact_options;
enum { TACIT_IMPACT_FEATURES = 20 };
TACIT_API void tacit_impact_options_init(tacit_impact_options *options);
/* The best orders, learning without privacy, and the default learner. *report is the caller's, to be given to
   tacit_report_free. TACIT_USAGE for an option out of its range. */
TACIT_API tacit_status tacit_impact(const tacit_impact_options *options, const tacit_context *context,
                                    tacit_report **report, tacit_error *error) TACIT_CHECKED;

/* What one of a policy's targets earns whom under the options' prices, from its evaluation: means of a row.
   Not private, like the evaluation. TACIT_USAGE for prices that do not rise from cost to retail. */
typedef struct tacit_impact_share {
  double order, demand, newsvendor, supplier; /* units, units, profits */
  double cost;                                /* of orders that were not demand: what foresight would save */
} tacit_impact_share;
TACIT_API tacit_status tacit_impact_of(const tacit_impact_options *prices, const tacit_evaluation *evaluation,
                                       tacit_impact_share *share, tacit_error *error) TACIT_CHECKED;

/* The audit: attacks on a learner's promise. Two neighbouring tables, chosen to be told apart as well as the
   promise allows, many runs on each, and a test that guesses which table it was. How well it guesses bounds
   the guarantee from below (docs/audit.md). tacit_audit_options_init sets every default. */
typedef struct tacit_audit_options {
  const char *method; /* see tacit_audit_method_name; "default" */
  const char *plant;  /* a fault to be planted, see tacit_audit_fault_name; NULL: none */
  double mu;          /* the promise; 1 */
  double delta;       /* of the promise, where the method's guarantee is an (epsilon, delta); 1e-5 */
  double epsilon;     /* likewise; 0: what mu gives at delta */
  tacit_adjacency adjacency;
  size_t runs;  /* on each table; 0: the method's default. With one_run: canaries */
  bool one_run; /* many canaries in one run, instead of one canary in many */
  bool seeded;  /* reproducible noise; else the operating system's */
  uint64_t seed;
} tacit_audit_options;
TACIT_API void tacit_audit_options_init(tacit_audit_options *options);

enum { TACIT_AUDIT_DELTAS = 3 };
typedef struct tacit_audit_result {
  char method[32], plant[32];                        /* plant: "" for none */
  double mu_promised;                                /* NaN where the promise is an (epsilon, delta) */
  double mu_lower;                                   /* the best of the two below */
  double mu_lower_transcript, mu_lower_coefficients; /* NaN where there is no such view */
  double confidence;                                 /* of mu_lower, and of each epsilon by itself */
  struct {
    double delta, promised, lower; /* NaN for a promise at another delta than the stated one */
  } epsilon[TACIT_AUDIT_DELTAS];
  size_t runs;           /* on each table; with one_run, canaries */
  size_t trained;        /* of them, those that chose the threshold */
  size_t releases;       /* noisy sums in one run */
  size_t guesses, right; /* with one_run */
  bool caught;           /* the promise is broken: a lower bound lies above it */
} tacit_audit_result;

/* The methods that can be audited and the faults that can be planted; NULL after the last. */
TACIT_API const char *tacit_audit_method_name(size_t index);
TACIT_API const char *tacit_audit_fault_name(size_t index);
TACIT_API const char *tacit_audit_fault_about(size_t index);
/* TACIT_USAGE for an unknown name, an option out of its range, or a fault that the method cannot have. A
   broken promise is TACIT_OK with caught = true. */
TACIT_API tacit_status tacit_audit_learner(const tacit_audit_options *options, const tacit_context *context,
                                           tacit_audit_result *result, tacit_error *error) TACIT_CHECKED;

TACIT_END

#endif
