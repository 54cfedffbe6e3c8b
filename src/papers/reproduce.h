/* The reproductions, one file each, and the rows of their tables. */
#ifndef TACIT_SRC_PAPERS_REPRODUCE_H
#define TACIT_SRC_PAPERS_REPRODUCE_H

#include "papers/promise.h"

enum { TACIT_NOTES = 2048 }; /* bytes of a reproduction's notes */

/* A row of which nothing is known yet: every figure NaN. */
void tacit_study_row_init(tacit_study_row *row, const char *label, double quantile, double mu, size_t rows,
                          size_t repetitions);
/* published = the smallest of by_step. */
void tacit_study_row_choose_step(tacit_study_row *row);

/* One file each. */
tacit_status tacit_reproduce_zhao_table1(const tacit_study_options *options, const tacit_context *context,
                                         tacit_study_row **rows, size_t *count, char *notes,
                                         tacit_error *error) TACIT_CHECKED;
tacit_status tacit_reproduce_zhao_table2(const tacit_study_options *options, const tacit_context *context,
                                         tacit_study_row **rows, size_t *count, char *notes,
                                         tacit_error *error) TACIT_CHECKED;
tacit_status tacit_reproduce_zhao_figures(const tacit_study_options *options, const tacit_context *context,
                                          tacit_study_row **rows, size_t *count, char *notes,
                                          tacit_error *error) TACIT_CHECKED;
tacit_status tacit_reproduce_default_zhao(const tacit_study_options *options, const tacit_context *context,
                                          tacit_study_row **rows, size_t *count, char *notes,
                                          tacit_error *error) TACIT_CHECKED;
tacit_status tacit_reproduce_default_restaurant(const tacit_study_options *options,
                                                const tacit_context *context, tacit_study_row **rows,
                                                size_t *count, char *notes, tacit_error *error) TACIT_CHECKED;
tacit_status tacit_reproduce_default_chen(const tacit_study_options *options, const tacit_context *context,
                                          tacit_study_row **rows, size_t *count, char *notes,
                                          tacit_error *error) TACIT_CHECKED;
tacit_status tacit_reproduce_default_stress(const tacit_study_options *options, const tacit_context *context,
                                            tacit_study_row **rows, size_t *count, char *notes,
                                            tacit_error *error) TACIT_CHECKED;

#endif
