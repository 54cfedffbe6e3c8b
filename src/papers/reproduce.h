/* The reproductions, one file each. */
#ifndef TACIT_SRC_PAPERS_REPRODUCE_H
#define TACIT_SRC_PAPERS_REPRODUCE_H

#include "study/report.h"
#include "study/study.h"

#include <tacit/papers.h>

/* Makes a report; *report is freed by the caller also after an error. */
typedef tacit_status tacit_reproduction(const tacit_reproduce_options *options, const tacit_context *context,
                                        tacit_report **report, tacit_error *error);

tacit_reproduction tacit_reproduce_zhao_table1, tacit_reproduce_zhao_table2, tacit_reproduce_zhao_figures,
    tacit_reproduce_zhao_updates;
tacit_reproduction tacit_reproduce_default_zhao, tacit_reproduce_default_restaurant,
    tacit_reproduce_default_chen, tacit_reproduce_default_stress, tacit_reproduce_sold_out;
tacit_reproduction tacit_reproduce_chen_risk, tacit_reproduce_chen_error, tacit_reproduce_chen_time,
    tacit_reproduce_chen_noise, tacit_reproduce_chen_smoothing, tacit_reproduce_chen_products,
    tacit_reproduce_chen_batch, tacit_reproduce_chen_output, tacit_reproduce_chen_discrete,
    tacit_reproduce_chen_tiers;
/* Predict-then-optimize: Elmachtoub and Grigas's shortest paths; Wang and Qin's table, figure and section 6.
 */
tacit_reproduction tacit_reproduce_spo_smoothing, tacit_reproduce_spo_blind, tacit_reproduce_shortest_path,
    tacit_reproduce_wang_table1, tacit_reproduce_wang_figure3, tacit_reproduce_wang_losses;

/* What the caller asked for, or the study's own number. */
static inline size_t tacit_repetitions(const tacit_reproduce_options *options, size_t own) {
  return options->repetitions ? options->repetitions : own;
}
/* TACIT_BAD_INPUT, with what to do, where the options do not name the restaurant's folder. */
tacit_status tacit_reproduce_needs_data(const tacit_reproduce_options *options,
                                        tacit_error *error) TACIT_CHECKED;

#endif
