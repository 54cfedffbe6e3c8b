/* The default learner on Zhao, Zhou and Wang's data: three laws of the paper's errors and one that depends on
 * a feature. */
#include "papers/zhao/trials.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LAWS = TACIT_ZHAO_HETERO + 1, CELLS = LAWS * TACIT_ZHAO_TAUS * TACIT_ZHAO_MUS };

/* Regrets to stay below with N(0,1), by mu; there is none without privacy. */
static const double AT_MEDIAN[TACIT_ZHAO_MUS] = {NAN, 0.0045, 0.0058, 0.0095},
                    ELSEWHERE[TACIT_ZHAO_MUS] = {NAN, 0.0050, 0.0070, 0.0140};

static const char NOTES[] =
    "Mean regret per decision, with b + h = 1, n = 400 rows, %zu repetitions; standard errors in "
    "parentheses.\n"
    "bar: what tacit is to stay below. For N(0,1) a number, for the other laws half of as_published.\n"
    "as_published: Algorithm 1 of Zhao, Zhou and Wang at the best of the fixed steps 1, 2, 3, 4; without "
    "privacy the same with sigma = 0.\n"
    "tacit: method \"default\" with the simulator's public schema (features center 0, scale 1; target "
    "center 0, scale 2) and seeded noise; without privacy smoothed ERM (\"erm\").\n"
    "N(0,1)(1+|z1|/2): errors whose spread depends on the first feature; regret is against the best linear "
    "rule for that tau.\n"
    "Regrets are exact expectations over a new row. All methods of a repetition see the same rows.";

static double bar(const tacit_zhao_cell *cell, int m, const tacit_zhao_row *row) {
  if (cell->law == TACIT_ZHAO_NORMAL) return (cell->tau == 0.5 ? AT_MEDIAN : ELSEWHERE)[m];
  return cell->mu > 0 ? row->as_published / 2 : NAN;
}

typedef struct study {
  uint64_t seed;
  size_t repetitions;
  tacit_zhao_trial *trials;
  tacit_study_promise promise;
} study;

static tacit_status run_cell(study *s, size_t at, const tacit_context *context, tacit_report *report,
                             tacit_error *error) {
  int m = (int)(at % TACIT_ZHAO_MUS);
  tacit_zhao_cell cell = {(tacit_zhao_law)(at / TACIT_ZHAO_MUS / TACIT_ZHAO_TAUS),
                          tacit_zhao_taus[at / TACIT_ZHAO_MUS % TACIT_ZHAO_TAUS], tacit_zhao_mus[m],
                          TACIT_ZHAO_ROWS, false};
  tacit_zhao_row row;
  TACIT_TRY(tacit_zhao_run(&cell, s->seed, s->repetitions, s->trials,
                           tacit_part_of(tacit_zhao_label(cell.law), at, CELLS), context, error));
  tacit_zhao_summarise(&cell, s->repetitions, s->trials, &row);
  TACIT_TRY(tacit_zhao_bar_report_add(report, &row, bar(&cell, m, &row), error));
  if (cell.mu == 0) return TACIT_OK;
  tacit_study_promise_count(&s->promise, s->repetitions, &s->trials->beyond,
                            sizeof *s->trials / sizeof(double));
  return tacit_zhao_verify(&cell, s->seed, &s->promise, error);
}

tacit_status tacit_reproduce_default_zhao(const tacit_reproduce_options *options,
                                          const tacit_context *context, tacit_report **report,
                                          tacit_error *error) {
  study s = {.seed = options->seed, .repetitions = tacit_repetitions(options, TACIT_ZHAO_REPETITIONS)};
  TACIT_TRY(tacit_zhao_bar_report("default-zhao", report, error));
  s.trials = tacit_alloc(s.repetitions, sizeof *s.trials);
  tacit_status status = s.trials ? TACIT_OK : tacit_no_memory(error);
  for (size_t at = 0; at < CELLS && status == TACIT_OK; at++)
    status = run_cell(&s, at, context, *report, error);
  free(s.trials);
  TACIT_TRY(status);
  tacit_report_note(*report, NOTES, s.repetitions);
  tacit_study_promise_note(&s.promise, *report);
  return TACIT_OK;
}
