/* A search for neighbouring tables whose releases differ by more than is stated.

   A random problem (schema, options, rows) is learned from one table while a probe at the release gate keeps
   every exact sum and every noisy one. Then it is learned from a neighbouring table, where the gate answers
   with the noisy sums of the first: all later questions are the same, and the exact sums may differ by the
   stated sensitivity and no more, release by release. Whatever else differs came past the gate. */
#ifndef TACIT_TESTS_NEIGHBOURS_H
#define TACIT_TESTS_NEIGHBOURS_H

#include "learn/objective.h"
#include "learn/task.h"
#include "method/state.h"

#include <string.h>

/* ---- draws: everything random comes from one stream for each problem ---- */

static inline size_t pick(tacit_stream *draw, size_t n) {
  return (size_t)tacit_stream_below(draw, n);
}
static inline bool one_in(tacit_stream *draw, size_t n) {
  return pick(draw, n) == 0;
}

/* ---- a problem: what is public ---- */

typedef enum method {
  BY_MEDIAN_NEWTON,
  BY_LOCATION_SCALE,
  BY_FOLLOW,
  BY_BISECTION,
  BY_NOISY_GD,
  BY_GRADIENT,
  BY_SGD,
  BY_OBJECTIVE,
  BY_SPO_GAUSSIAN,
  BY_SPO_LEAST_SQUARES,
  BY_SPO_EXPONENTIAL,
  BY_EVALUATE,
  BY_BOUNDED_CHANGE,
  METHODS
} method;
extern const char *const method_names[METHODS];

typedef enum origin { FROM_COLUMNS, FROM_CSV, FROM_PACK, ORIGINS } origin;

typedef enum column_kind { A_NUMBER, A_TARGET, A_LEVEL, A_UNIT, A_GROUP, A_TIME, A_KEY } column_kind;

/* A column of the table. Numbers are cut to low..high by the schema. */
typedef struct column {
  char name[24];
  column_kind kind;
  double low, high;
  bool bounded; /* by min and max */
  bool odd;     /* the schema says what stands for a cell that is no number */
  bool text;    /* given as text in memory too */
  size_t levels;
  bool other; /* the last level is "other" */
} column;

enum { COLUMNS_MOST = 64, TARGETS_MOST = 45, RANKS_MOST = 3, JSON_MOST = 1 << 16 };

typedef struct problem {
  uint64_t seed;
  tacit_stream draw;
  method method;
  tacit_adjacency adjacency;
  column columns[COLUMNS_MOST];
  size_t column_count, targets;
  bool stocked; /* targets are sales, beside a column of stocks or flags */
  bool leaning; /* units that are clipped as a whole, at an outer quantile that few of them reach */
  bool tiers;   /* costs rise with the amount */
  bool known;   /* every feature has a scale, none has bounds, levels or a transform */
  char json[JSON_MOST];
  size_t length;
  size_t width; /* encoded columns, about */
  tacit_schema *schema;
  size_t records;                  /* of the first table */
  size_t owned;                    /* records of one unit, where no column names units */
  bool panelled, unique, by_dates; /* rows look others up by key; no two share one; times are dates */
  bool crowded;                    /* the unit's record is looked at by many, and has company at its key */
  size_t groups, first_lag, lags, ahead; /* of a panel: periods that rows look back at, and ahead */
  size_t sums[TARGETS_MOST];             /* periods of a target that is a sum */
  double quantiles[TARGETS_MOST], costs[2][TARGETS_MOST], *rule, *spread;
  tacit_learn_options learn;
  tacit_start start; /* that `follow` may go on from */
  tacit_region *region;
  tacit_estimate_options estimate;
  origin origin;
  int threads;
  size_t ranks;      /* 1: none */
  double more;       /* how many times the schema's change targets differ by: 1, or a fault's */
  bool features_too; /* a fault: neighbours differ in features that are public */
  bool sold;         /* the target is what events add up to */
  struct problem *events, *calendar; /* their columns, where it is */
  tacit_schema *reading;             /* the limits that events are held to: the schema's, or a fault's */
  double times;                      /* how often the stated distance a pair may be apart */
  bool whole;                        /* whole policies are compared */
  char file[64];
} problem;

/* A problem from its seed; the same one every time. A method of METHODS: any. problem.c, schema.c */
problem *problem_new(uint64_t seed, method only);
void problem_free(problem *p);
void problem_schema(problem *p, bool whiten);
/* Adds to the problem's schema. */
void say(problem *p, const char *format, ...) TACIT_PRINTF(2, 3);

/* Problems of the default learner with numbers from here on have units of many rows, at quantiles and budgets
   where what units are held to may lean (learn/units.c). */
#define LEANING (UINT64_C(1) << 38)

/* Problems with numbers from here on have targets that are sales, wherever the method takes them. */
#define STOCKS (UINT64_C(1) << 39)

/* Problems with numbers from here on have panels; panel.c. What it adds to a target, to the features, and
   behind them; cells of a key's columns; and, where no two records may share a key, those of a whole table
   and of the unit's records in a neighbour's. */
#define PANELS (UINT64_C(1) << 40)
void panel_sum(problem *p, size_t target);
void panel_features(problem *p);
void panel_keys(problem *p);

/* Problems with numbers from here on have a target that events are added up to, and neighbours differ in one
   customer's events; events.c. What it adds to the schema: columns, limits and the rest. */
#define EVENTS (UINT64_C(1) << 41)
void events_schema(problem *p);
void events_columns(problem *p);

/* ---- tables ---- */

typedef struct cell {
  double number;
  char text[28];
} cell;

typedef struct table {
  size_t rows, columns;
  cell *cells;        /* rows x columns */
  size_t *home;       /* the rank that has the row */
  struct sale *sales; /* behind the targets, where they are added up */
  size_t sale_count;
} table;

/* The records of the unit that differs. */
typedef struct unit {
  size_t *at, count;
} unit;

/* Each of the unit's records under a name of its own. */
void unit_scatter(problem *p, const table *t, const unit *u);
/* A table, and in it the records of a unit that will differ; table.c. */
void table_draw(problem *p, table *t, unit *u);
/* Another unit of the table for the next neighbour; under add-remove, where removing one is all there is. */
void unit_draw(problem *p, const table *t, unit *u);
/* The same table with other records in the unit's places, or without them under add-remove. */
void table_neighbour(problem *p, const table *t, const unit *u, table *to);
void table_free(table *t);
void unit_free(unit *u);

/* Events that make up the table's targets, and those of the customer who will differ, on the unit's rows and
   others; the same table without them, with them, or with other ones. */
void events_settle(problem *p, table *t, const unit *u);
void events_turn(problem *p, table *t, const unit *u);

void panel_cell(problem *p, const column *of, cell *c);
void panel_settle(problem *p, table *t, unit *u);
void panel_move(problem *p, const table *t, const unit *u);

/* A source over the rows that rank `rank` has; packed ones lie in the problem's file; source.c. */
typedef struct opened {
  tacit_source *source;
  char *text;
  double **numbers;
  const char ***texts;
  const char **names;
  size_t columns;
  struct opened *parts; /* of events: their own source and the calendar's, which belong to this one's */
  table of_parts[2];
} opened;
void source_open(const problem *p, const table *t, size_t rank, opened *o);
void events_open(const problem *p, const table *t, opened *o);
void events_close(opened *o);
void source_pack(const problem *p, const table *t); /* into the problem's file */
void source_close(opened *o);

/* ---- what is seen at the gate ---- */

enum { KINDS = TACIT_RELEASE_SIGN + 1 };

/* All releases of one run. */
typedef struct transcript {
  tacit_mechanism *mechanisms;
  tacit_stream *streams; /* after each sampled release, whose samples come from there */
  uint64_t *exact, *noisy;
  size_t count, stream_count, value_count;
  size_t mechanism_capacity, stream_capacity, exact_capacity, noisy_capacity;
} transcript;
void transcript_free(transcript *t);

/* What was found so far. */
typedef struct tally {
  size_t problems, pairs, releases, refused; /* pairs of tables that were both refused, with the same words */
  size_t of_method[METHODS][2], of_origin[ORIGINS], of_ranks, of_units, of_lags, of_threads;
  size_t of_spread;                 /* rules that have one */
  size_t of_stocks;                 /* pairs of tables with days that sold out */
  size_t of_tiers;                  /* pairs of tables whose costs are in tiers */
  size_t of_panels, of_sums;        /* rows that look others up, and targets that are sums */
  size_t verified;                  /* policies */
  size_t seen[KINDS], above[KINDS]; /* releases, and those further apart than stated */
  double largest[KINDS];            /* distance over stated sensitivity */
  double scaled;                    /* the same of scores that have the spread as a column, */
  double open[KINDS];               /* and of releases where features are public */
  double sold[KINDS][2];            /* and of customers that come or go, or are replaced; */
  size_t of_sold[2];                /* pairs of these */
  size_t of_open;                   /* pairs of tables that have the same features */
  double of_whole[KINDS][2];        /* and of units that are clipped as a whole, by adjacency; */
  double leaning[2];                /* of their counts those that lean */
  double whole;                     /* of all releases of a run together, over its mu */
  double gradient;                  /* certified gradient of a minimiser, over the stated one */
  size_t in_sample, flipped;        /* sampled steps that had the record; bits that differ */
  size_t differ;                    /* pairs where something else differed, or nothing could be compared */
  char first[400];                  /* what was wrong with the first of all these */
} tally;

/* Faults that the search must find. */
typedef enum fault {
  NO_FAULT,
  STATED_TOO_SMALL, /* one percent off every stated sensitivity */
  ONE_RECORD_MORE,  /* a unit owns one record more than the schema says */
  NOT_FORCED,       /* the second run's own noise decides what it asks next */
  ROWS_TOLD,        /* a row is missing although the number of rows is public */
  SOLVED_TOO_SOON,  /* a minimiser is twice as far from the exact one as stated, or farther */
  ANOTHER_SAMPLE,   /* steps sample the record next to the one that they say */
  ROW_BY_ROW,       /* the records of a unit are clipped each by itself, as if they were many people's */
  CHANGED_MORE,     /* targets differ by a fiftieth more than the schema says */
  FEATURES_TOO,     /* features differ although the schema says that they are public */
  FAULTS
} fault;

/* Watches a run; or replays it on a neighbouring table and compares. gate.c */
typedef struct gate {
  const problem *problem;
  transcript *seen;
  tally *tally;
  fault fault;
  size_t at, value_at, stream_at; /* of a replay */
  size_t row, rows;               /* the row that differs and how many there are; for sampled steps */
  const int64_t *linear;          /* what a replay answers instead of the linear term, by target; or NULL */
  size_t spent;                   /* how often the budget was asked for, */
  tacit_cost cost;                /* and what for */
  size_t first;                   /* releases made before that */
  double square;                  /* of a replay: sum of (difference / noise)^2, */
  double unit;                    /* and what units are held to in its first count */
} gate;
tacit_release_probe gate_watch(gate *g);
tacit_release_probe gate_replay(gate *g);
tacit_status gate_spend(void *user, const tacit_cost *cost, tacit_error *error);
bool same_mechanism(const tacit_mechanism *a, const tacit_mechanism *b);
/* Notes what is wrong, with the problem it is wrong for. */
void tally_note(tally *found, const problem *p, const char *format, ...) TACIT_PRINTF(3, 4);
/* A distance, as a part of the stated one. */
void tally_ratio(tally *found, const problem *p, tacit_release_kind kind, double ratio);
/* Whether step `step` of a run samples the row, from the streams of the steps before it; sampled.c. */
bool sample_has_row(const gate *g, const tacit_mechanism *m, size_t step, size_t row);

/* ---- runs ---- */

/* What a run leaves behind; run.c. */
typedef struct outcome {
  tacit_status status;
  tacit_error error;
  size_t values;
  double *coefficients; /* or estimates */
  tacit_certificate *certificate;
  char *policy; /* its file; of some problems, since it takes longer than learning */
  char note[sizeof((tacit_fit *)NULL)->note];
} outcome;
/* With the problem's own method on one process or several ranks; or, on one, with a choice (may be NULL) that
   was made before. */
void run(const problem *p, const table *t, const tacit_watch *watch, gate *g, outcome *out);
/* Whether a policy's file verifies, but for the seed of its noise. */
bool policy_verifies(const char *text, tacit_error *why);
/* Notes the difference; true when there is none. */
bool outcomes_agree(const problem *p, const outcome *a, const outcome *b, tally *found);
void outcome_free(outcome *o);

/* Ranks as threads; ranks.c. */
void run_ranks(const problem *p, const table *t, const tacit_learn_options *options, const tacit_watch *watch,
               outcome *outs, tacit_fit **fits);

/* The public choices of sgd and objective, which take longer than learning: made once for many tables;
   planned.c. */
typedef struct planned {
  tacit_facts facts;
  tacit_choice choice;
  tacit_release_plan plan;
} planned;
/* False where they are refused. To be closed in any case. */
bool planned_open(const problem *p, const table *t, planned *plan);
void planned_close(planned *plan);
/* The rows of a table as these learners have them. */
tacit_design *design_of(const problem *p, const table *t);

/* Objective perturbation: the exact minimiser of the first table, what the linear term must be for the second
   to have the same one (proofs/objective-perturbation.md, lemma 2 and theorem 4), and whether all on the way
   is as stated; objective.c. linear has `dimension` entries for each target. False, with a note, where the
   minimiser is not found. */
bool objective_follow(const problem *p, const planned *plan, const table *one, const table *two,
                      const transcript *seen, fault planted, tally *found, int64_t *linear);

/* ---- the search ---- */

/* Adds what problems with these numbers show, of one method or (METHODS) of any; search.c. */
void search(uint64_t first, size_t problems, method only, fault planted, tally *found);
void tally_print(const tally *found);

/* The facts that the tests assert; facts.c. */
void assert_nothing_moves_further(const tally *found);
/* That the search came near enough to what is stated to be worth something. */
void assert_not_vacuous(const tally *found, double floor);
/* The same of problems with events. */
void assert_events_are_searched(const tally *found, double floor);
/* Every fault in every method that can have it, each in so many problems of the method. */
void assert_faults_are_found(size_t problems);
/* And that events are not held to their limits. */
void assert_faults_of_events_are_found(size_t problems);

#endif
