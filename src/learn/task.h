/* A task: everything a learner needs. The door (learn.c) checks what was asked, reads the rows once, lets the
   method choose and plan, and hands the task over; a learner pays, asks the rows, and releases what the plan
   has, one release after the other. */
#ifndef TACIT_SRC_TASK_H
#define TACIT_SRC_TASK_H

#include "data/sample.h"
#include "learn/release.h"
#include "method/fit.h"
#include "method/method.h"
#include "pass/rows.h"

#include <tacit/learn.h>

typedef struct tacit_task {
  const tacit_method *method;
  const tacit_schema *table;  /* as the rows have it; */
  const tacit_schema *schema; /* with a target for each goal (schema/goals.h) */
  const tacit_learn_options *options;
  const tacit_context *context;
  tacit_facts facts;       /* public, the number of rows among them */
  tacit_choice choice;     /* what the method settled on, */
  tacit_release_plan plan; /* its releases, */
  tacit_gate gate;         /* and the only way out for anything computed from rows */
  tacit_rows rows;         /* whom a private learner asks */
  tacit_sample *sample; /* the rows themselves, for learners without privacy; NULL where they have no use */
  tacit_read_counts counts;
  tacit_fit *fit;
} tacit_task;

/* Tells the caller's ledger, if there is one, what is about to be spent and on which release, and opens the
   gate. To be called once, when nothing can be refused any more and all memory is there: what can still go
   wrong is in docs/formats/policy.md, "Limits". Refuses a fit whose policy nobody could read. */
tacit_status tacit_task_pay(tacit_task *task, tacit_error *error) TACIT_CHECKED;
/* A Newton learner's way to go on: what its releases found is in the choice, and the plan is made again with
   it, as far as it is settled now. */
tacit_status tacit_task_plan_on(tacit_task *task, tacit_error *error) TACIT_CHECKED;
/* Which of the table's targets a goal is about. */
static inline size_t tacit_task_column(const tacit_task *task, size_t target) {
  return task->schema->targets[target].column;
}
/* Where a target's coefficients go. */
double *tacit_task_coefficients(const tacit_task *task, size_t target);
/* Where its spread goes, g and then k (loss/rule.h), once tacit_fit_want_spread has made room. */
double *tacit_task_spread(const tacit_task *task, size_t target);

/* The answer to a question about rows, released as the target's next sum of rows, or moment, is planned. out
   has as many entries as the answer; *sigma (may be NULL) gets the noise's scale in encoded units. */
tacit_status tacit_private_rows(tacit_task *task, size_t target, const tacit_question *question, double *out,
                                double *sigma, tacit_error *error) TACIT_CHECKED;
/* The same for one that counts. */
tacit_status tacit_private_count(tacit_task *task, size_t target, const tacit_question *question,
                                 double *count, double *sigma, tacit_error *error) TACIT_CHECKED;
/* Noisy bisection of [lo, hi] for the level-quantile: `halvings` counts, and interpolation inside the last
   bracket. With `octaves`, lo, hi and the quantile are logarithms to base 2. */
typedef struct tacit_bisection {
  double level, lo, hi;
  bool octaves;
  int halvings;
} tacit_bisection;
/* question says which number of a row; where to count is filled in. */
tacit_status tacit_private_quantile(tacit_task *task, size_t target, tacit_question *question,
                                    const tacit_bisection *search, double *quantile,
                                    tacit_error *error) TACIT_CHECKED;

/* The exact answer to a question that knows no target, where features are public: whole numbers on its grid.
 */
tacit_status tacit_public_answer(tacit_task *task, const tacit_question *question, double *out,
                                 tacit_error *error) TACIT_CHECKED;

/* theta projected to |theta| <= bound; 0: not at all. */
void tacit_project(double *theta, size_t columns, double bound);

/* For the audit and tests. The probe sees every release, and the certificate says that the fit is not
   private; a choice that is given takes the place of the method's own, whose calibration may take longer than
   its learning. */
typedef struct tacit_watch {
  const tacit_release_probe *probe;
  const tacit_choice *chosen;
} tacit_watch;
tacit_status tacit_learn_watched(const tacit_schema *schema, tacit_source *source,
                                 const tacit_learn_options *options, const tacit_context *context,
                                 const tacit_watch *watch, tacit_fit **fit, tacit_error *error) TACIT_CHECKED;
tacit_status tacit_estimate_cost_probed(const tacit_schema *schema, tacit_source *source,
                                        const tacit_estimate_options *options, const tacit_context *context,
                                        const tacit_release_probe *probe, tacit_estimate *estimates,
                                        tacit_error *error) TACIT_CHECKED;

/* The public number of rows: nominal under add-remove, the options' (0: none) or the schema's; else the
   number of records, less those before the lags' reach. How many a unit's limit leaves out is not public
   (proofs/units.md). */
tacit_status tacit_public_rows(const tacit_schema *schema, tacit_adjacency adjacency, size_t nominal_rows,
                               const tacit_read_counts *counts, double *rows,
                               tacit_error *error) TACIT_CHECKED;

#endif
