/* What the files behind tacit_plan share: simulated problems that fit a schema, bounds, texts, a picture.

   A problem is a law of demand, y = x'b + spread · Z in encoded units, x the encoded row of a simulated
   record. Nothing here reads a table: the law is drawn from the schema and a seed. */
#ifndef TACIT_SRC_STUDY_PLAN_H
#define TACIT_SRC_STUDY_PLAN_H

#include "random/random.h"
#include "schema/schema.h"

#include <tacit/study.h>

/* The columns that a table with this schema has: targets first, then the features' columns, each once, then
   the column that names the unit. */
typedef struct tacit_plan_columns {
  const tacit_schema *schema;
  size_t count;
  const char **names;
  const tacit_feature *
      *features;     /* the one that says how to simulate the column; NULL for a target, a unit */
  size_t *column_of; /* feature -> its column; a lag's is its target's */
} tacit_plan_columns;
tacit_status tacit_plan_columns_new(const tacit_schema *schema, tacit_plan_columns *columns,
                                    tacit_error *error) TACIT_CHECKED;
void tacit_plan_columns_free(tacit_plan_columns *columns);

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

/* b is targets x encoded columns. The records before the largest lag's reach have demand without features.
   The first k records are the same for every number of rows. */
void tacit_plan_simulate(const tacit_plan_columns *columns, const double *b, tacit_stream *stream,
                         tacit_plan_table *table);
/* The spread of what no column explains, in encoded units: a tenth of a range, half a scale. */
double tacit_plan_spread(const tacit_target *target);
/* Random slopes under which the columns explain half of the variance of each target. b comes zeroed. */
tacit_status tacit_plan_law(const tacit_plan_columns *columns, tacit_stream *stream, double *b,
                            tacit_error *error) TACIT_CHECKED;

/* The grid and the costs that fill it; plan_trials.c. */
enum { TACIT_PLAN_MUS = 7, TACIT_PLAN_SIZES = 4, TACIT_PLAN_BASELINES = 2 }; /* erm, saa */
typedef struct tacit_planner {
  const tacit_schema *schema;
  const tacit_plan_options *options;
  tacit_plan_columns columns;
  double mu[TACIT_PLAN_MUS + 1];
  size_t mu_count, size_count;
  size_t size[TACIT_PLAN_SIZES];
  size_t simulated[TACIT_PLAN_SIZES]; /* records simulated for size[k], at most cap */
  size_t cap, test_rows, repetitions;
  double *laws;      /* repetitions x targets x columns */
  double *costs;     /* repetitions x sizes x (baselines + mus) */
  size_t now, begin; /* the size at work, the first repetition of the chunk at work */
} tacit_planner;
/* Draws the laws and fills the costs: the same for every number of threads. */
tacit_status tacit_plan_try(tacit_planner *planner, const tacit_context *context,
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

/* What the texts need to know besides the result. */
typedef struct tacit_plan_facts {
  const tacit_schema *schema;
  const tacit_plan_options *options;
  size_t most_rows, test_rows;
  double norm;
} tacit_plan_facts;
void tacit_plan_describe(const tacit_plan_facts *facts, tacit_plan_result *result);
/* 12345 -> "12,345". */
enum { TACIT_COUNT_TEXT = 32 };
const char *tacit_count_text(size_t count, char text[TACIT_COUNT_TEXT]);

#endif
