/* What the studies of Chen and Chua and of their companion share. */
#ifndef TACIT_SRC_PAPERS_CHEN_CHEN_H
#define TACIT_SRC_PAPERS_CHEN_CHEN_H

#include "papers/chen/methods.h"
#include "papers/reproduce.h"
#include "study/chen_problem.h"

/* Chen and Chua's delta where the caller gives none. */
#define TACIT_CHEN_DELTA 0.01

/* Sizes and guarantees: the caller's, or the study's own. */
typedef struct tacit_chen_grid {
  const size_t *rows;
  size_t row_count;
  const double *epsilons;
  size_t epsilon_count;
  double delta;
} tacit_chen_grid;
tacit_chen_grid tacit_chen_grid_of(const tacit_reproduce_options *options, const size_t *rows,
                                   size_t row_count, const double *epsilons, size_t epsilon_count);
/* Rows of the stream; *space is to be freed. */
tacit_status tacit_chen_table(const tacit_chen_problem *problem, size_t rows, tacit_stream *stream,
                              double **space, tacit_chen_rows *table, tacit_error *error) TACIT_CHECKED;

/* What is public about a problem at this guarantee; the kernel is Chen and Chua's, the logistic one. */
tacit_chen_setting tacit_chen_public(const tacit_chen_problem *problem, double epsilon, double delta);
/* One line for each condition of the papers: whether it holds at this setting. density is the largest density
   of the errors (companion, Theorem 2's s). */
void tacit_chen_note_conditions(tacit_report *report, const tacit_chen_setting *setting, size_t rows,
                                double density);
/* Each method's claim, adjacency and whether the published argument carries it. */
void tacit_chen_note_methods(tacit_report *report);
extern const double tacit_chen_error_density; /* of N(0, 9) at its mode */

#endif
