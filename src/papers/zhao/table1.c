/* Zhao, Zhou and Wang's Table 1: regrets on synthetic demand, as published, as run here, and tacit's. */
#include "papers/zhao/trials.h"

#include <stdio.h>
#include <stdlib.h>

enum { CELLS = TACIT_ZHAO_LAWS * TACIT_ZHAO_TAUS * TACIT_ZHAO_MUS };

static const char NOTES[] = "Mean regret per decision, with b + h = 1, n = 400 rows, %zu repetitions. The "
                            "paper does not state the quantile of its Table 1, so its figure stands beside "
                            "each tau; its journal note says n = 40, text and preprint say 400.\n"
                            "as_published: Algorithm 1 (T = 10, B = 2, sigma = ceil(2 max(tau, 1-tau) B "
                            "sqrt(T) / mu), Gaussian kernel, start at 0) at the best of the fixed steps 1, "
                            "2, 3, 4; without privacy it is the same with sigma = 0.\n"
                            "line_search: the same with Armijo's rule on the private loss (first step 8, "
                            "halved, decrease 1/4). It reads the private rows without noise, so it has NO "
                            "guarantee.\n"
                            "tacit: method \"default\" with the simulator's public schema and seeded "
                            "noise; without privacy \"erm\".\n"
                            "Regrets are exact expectations over a new row, not averages over simulated "
                            "ones. All methods of a repetition see the same rows. In parentheses: the "
                            "paper's standard deviation over repetitions, our standard error of the mean.";

static tacit_status fill(const tacit_reproduce_options *options, size_t repetitions, tacit_zhao_trial *trials,
                         const tacit_context *context, tacit_report *report, tacit_error *error) {
  size_t at = 0;
  for (int law = 0; law < TACIT_ZHAO_LAWS; law++)
    for (int t = 0; t < TACIT_ZHAO_TAUS; t++)
      for (int m = 0; m < TACIT_ZHAO_MUS; m++, at++) {
        tacit_zhao_cell cell = {(tacit_zhao_law)law, tacit_zhao_taus[t], tacit_zhao_mus[m], TACIT_ZHAO_ROWS,
                                true};
        tacit_zhao_row row;
        TACIT_TRY(tacit_zhao_run(&cell, options->seed, repetitions, trials,
                                 tacit_part_of(tacit_zhao_label(cell.law), at, CELLS), context, error));
        tacit_zhao_summarise(&cell, repetitions, trials, &row);
        TACIT_TRY(tacit_zhao_report_add(report, &row, error));
      }
  tacit_report_note(report, NOTES, repetitions);
  return TACIT_OK;
}

tacit_status tacit_reproduce_zhao_table1(const tacit_reproduce_options *options, const tacit_context *context,
                                         tacit_report **report, tacit_error *error) {
  size_t repetitions = tacit_repetitions(options, TACIT_ZHAO_REPETITIONS);
  TACIT_TRY(tacit_zhao_report("zhao-table1", report, error));
  tacit_zhao_trial *trials = tacit_alloc(repetitions, sizeof *trials);
  if (!trials) return tacit_no_memory(error);
  tacit_status status = fill(options, repetitions, trials, context, *report, error);
  free(trials);
  return status;
}
