/* What the files behind tacit_plan share: simulated problems that fit a schema, trials on them, and what
   follows from the trials.

   A problem is a law of demand, drawn from the schema, a case and a seed: nothing here reads a table. A trial
   is a learner on rows of a problem at some mu, and the same learner on the same rows with next to no noise;
   what the first one's orders cost more on fresh rows is the price of privacy. */
#ifndef TACIT_SRC_STUDY_PLAN_H
#define TACIT_SRC_STUDY_PLAN_H

#include "random/random.h"
#include "schema/schema.h"

#include <tacit/study.h>

/* One kind of demand; plan_cases.c. Spreads and signals are in units of the noise. */
typedef enum tacit_plan_noise {
  TACIT_PLAN_NORMAL,
  TACIT_PLAN_STUDENT, /* of four degrees of freedom */
  TACIT_PLAN_LAPLACE,
  TACIT_PLAN_SKEWED /* log-normal, its logarithm of spread 0.7 */
} tacit_plan_noise;
typedef struct tacit_plan_case {
  const char *name, *about;
  tacit_plan_noise noise;
  double width;    /* of the bounds that the schema gives demand: 1 is the narrowest */
  double signal;   /* spread of what the features explain */
  double strength; /* spread of the logarithm of a row's own spread */
  double product;  /* above 0, for amounts: demand is the exponential of what it would be, times this */
  double uneven;   /* spread of the logarithms of levels' frequencies */
  double together; /* the share of a feature's variance that is common to all of them */
  double far;      /* how many spreads a minority lies above the others */
  double zeros;    /* the share of rows without demand, for amounts */
} tacit_plan_case;
extern const tacit_plan_case tacit_plan_cases[TACIT_PLAN_CASES];

/* The schema that simulated records have; plan_series.c. It shares what it can with the schema it is made of,
   which must outlive it, and must stay where it is. */
typedef struct tacit_plan_series {
  tacit_schema schema;
  tacit_target *targets;
  tacit_feature *features;
  char *by;
} tacit_plan_series;
tacit_status tacit_plan_series_open(const tacit_schema *schema, tacit_plan_series *series,
                                    tacit_error *error) TACIT_CHECKED;
void tacit_plan_series_close(tacit_plan_series *series);

/* The columns that a table with this schema has: targets first, then the features' columns, each once, then
   the column that names the unit, and the one of a panel's times, which is the record's number. */
typedef struct tacit_plan_columns {
  const tacit_schema *schema;
  size_t count;
  const char **names;
  const tacit_feature *
      *features;     /* the one that says how to simulate the column; NULL for a target, a unit */
  size_t *column_of; /* feature -> its column; a lag's is its target's */
  size_t *level_of;  /* column -> where its first level stands among all levels */
  size_t levels;     /* of all columns together */
} tacit_plan_columns;
tacit_status tacit_plan_columns_new(const tacit_schema *schema, tacit_plan_columns *columns,
                                    tacit_error *error) TACIT_CHECKED;
void tacit_plan_columns_free(tacit_plan_columns *columns);
/* Whether a column has levels, or dates: both are texts. */
bool tacit_plan_has_levels(const tacit_plan_columns *columns, size_t column);
bool tacit_plan_is_date(const tacit_plan_columns *columns, size_t column);

/* A law of demand. */
typedef struct tacit_plan_law {
  const tacit_plan_case *kind;
  double *b;      /* targets x encoded columns: the linear part, in units of the encoded target */
  double *g;      /* likewise: what spreads and zeros follow, of mean 0 and spread 1 */
  double *up_to;  /* by level of all columns: the share of rows with this level or one before it */
  double *unit;   /* by target: the noise's spread, encoded */
  size_t special; /* the column whose special rows are the minority; a target: rows at random are */
  size_t level;   /* its level, where it has levels */
} tacit_plan_law;
/* A law of this case in which signal and spreads have their sizes on a pilot sample; to be freed in any
   case. */
tacit_status tacit_plan_law_new(const tacit_plan_columns *columns, const tacit_plan_case *kind,
                                tacit_stream *stream, tacit_plan_law *law, tacit_error *error) TACIT_CHECKED;
void tacit_plan_law_free(tacit_plan_law *law);

typedef struct tacit_plan_stamp {
  char text[320]; /* a date as the schema's format writes it */
} tacit_plan_stamp;

/* Simulated records as tacit_source_columns takes them, and as the schema encodes them. */
typedef struct tacit_plan_table {
  size_t rows;
  double **numbers; /* by column, NULL for categories and dates */
  const char ***texts;
  tacit_plan_stamp **stamps; /* by column, the texts of dates */
  double *x;                 /* rows x encoded columns */
  double *y;                 /* rows x targets, encoded */
} tacit_plan_table;
tacit_status tacit_plan_table_new(const tacit_plan_columns *columns, size_t rows, tacit_plan_table *table,
                                  tacit_error *error) TACIT_CHECKED;
void tacit_plan_table_free(const tacit_plan_columns *columns, tacit_plan_table *table);

/* The records before the largest lag's reach have demand without features. The first k records are the same
   for every number of rows. */
void tacit_plan_simulate(const tacit_plan_columns *columns, const tacit_plan_law *law, tacit_stream *stream,
                         tacit_plan_table *table);
/* Demand of record i, whose other cells and encoded row are there; plan_demand.c. */
void tacit_plan_demand(const tacit_plan_columns *columns, const tacit_plan_law *law, size_t i,
                       tacit_stream *stream, tacit_plan_table *table);
/* The noise's spread that gives a target's demand the share of its bounds that the case says; minority is the
   share of rows that are special. */
double tacit_plan_unit(const tacit_schema *schema, size_t target, const tacit_plan_case *kind,
                       double minority);
/* Whether record i is one of the minority, where a column says so. */
bool tacit_plan_special(const tacit_plan_columns *columns, const tacit_plan_law *law, size_t i,
                        const tacit_plan_table *table);

/* A guarantee and a number of rows, and what stands for them: so many rows at most, at a mu under which noise
   weighs as much on them. */
typedef struct tacit_plan_cell {
  double mu;
  size_t rows, simulated;
  double simulated_mu;
  double *percent;  /* by problem: the price of privacy there */
  double *quiet;    /* by problem: money per row without noise, */
  double *least;    /* or with so little that it may help and costs nothing, where that is cheaper */
  double *constant; /* by problem: money per row without features; NULL: not wanted */
} tacit_plan_cell;

/* A mu whose noise may help against overfitting, but costs next to nothing. */
#define TACIT_PLAN_LITTLE 20.0

enum { TACIT_PLAN_SIZES = 4, TACIT_PLAN_CELLS = 64 };
typedef struct tacit_planner {
  const tacit_schema *schema;
  const tacit_plan_options *options;
  const tacit_method *method;
  tacit_plan_columns columns;
  tacit_plan_law *laws; /* by problem */
  size_t cap, test_rows;
  size_t rounds,
      rounds_most; /* problems of each case: tried, at least at the asked cell, and room for them */
  tacit_plan_cell cells[TACIT_PLAN_CELLS];
  size_t cell_count, asked; /* cells in use; the one of the asked guarantee and rows */
  size_t from, to, begin;   /* at work: cells from..to-1, the first problem */
} tacit_planner;
/* Refuses what cannot be planned; plan_check.c. */
tacit_status tacit_plan_options_check(const tacit_schema *schema, const tacit_plan_options *options,
                                      const tacit_method *method, tacit_error *error) TACIT_CHECKED;
/* A cell more. TACIT_INTERNAL without memory or room. */
tacit_status tacit_plan_add_cell(tacit_planner *planner, double mu, size_t rows,
                                 tacit_error *error) TACIT_CHECKED;
/* Fills cells from..to-1 for the problems of rounds first..last-1: the same for every number of threads. A
   problem's number is its round times the cases plus its case. */
typedef struct tacit_plan_work {
  size_t from, to, first, last;
  double done, all; /* for the caller's progress */
} tacit_plan_work;
tacit_status tacit_plan_try(tacit_planner *planner, tacit_plan_work work, const tacit_context *context,
                            tacit_error *error) TACIT_CHECKED;
/* Money per row on simulated rows; plan_cost.c. Orders of each target, or decisions over the region. */
tacit_status tacit_plan_cost(const tacit_planner *planner, const tacit_plan_table *test, const tacit_fit *fit,
                             double *cost, tacit_error *error) TACIT_CHECKED;

/* What the trials of a cell so far say; plan_range.c. */
tacit_status tacit_plan_fill(const tacit_planner *planner, const tacit_plan_cell *cell, tacit_plan_row *row,
                             tacit_error *error) TACIT_CHECKED;
/* The backwards question; plan_back.c. */
tacit_status tacit_plan_back(tacit_planner *planner, const tacit_context *context, tacit_plan_answer *answer,
                             tacit_error *error) TACIT_CHECKED;

/* b + h, or 1 where only a quantile was asked for. */
double tacit_plan_goal_weight(const tacit_goal *goal);
/* The largest norm of an encoded row. */
double tacit_plan_row_norm(const tacit_schema *schema);
/* The companion's (EC.25) at its best step, T = n^2, noise as mu-GDP needs it: in units of an encoded target
   with b + h = 1. norm bounds the coefficients of the best rule. */
double tacit_plan_worst_case(const tacit_schema *schema, const tacit_plan_options *options, double tau,
                             double norm, double rows, double mu);
/* Zhao, Zhou and Wang's Theorem 3, the part of privacy. */
double tacit_plan_rate(double columns, double rows, double mu);

/* The largest norm of a best rule's coefficients among the problems of the first case. */
double tacit_plan_largest_norm(const tacit_planner *planner);
void tacit_plan_describe(const tacit_planner *planner, double norm, tacit_plan_result *result);
/* 12345 -> "12,345". */
enum { TACIT_COUNT_TEXT = 32 };
const char *tacit_count_text(size_t count, char text[TACIT_COUNT_TEXT]);

#endif
