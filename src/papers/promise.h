/* What a study's fits promised, and whether it is kept. */
#ifndef TACIT_SRC_PAPERS_PROMISE_H
#define TACIT_SRC_PAPERS_PROMISE_H

#include "study/report.h"
#include "study/study.h"

/* What a study's fits promised: how many certificates were recomputed above mu, and how many policies with
   noise of the operating system, one for each setting, were made and passed `verify`. */
typedef struct tacit_study_promise {
  size_t fits, beyond, policies, verified;
} tacit_study_promise;
/* Makes such a policy and counts it. */
tacit_status tacit_study_verify(const tacit_study_table *table, double tau, double mu,
                                tacit_study_promise *promise, tacit_error *error) TACIT_CHECKED;
/* Counts the flags of tacit_study_learn: beyond[0], beyond[stride], ... */
void tacit_study_promise_count(tacit_study_promise *promise, size_t count, const double *beyond,
                               size_t stride);
/* Adds what was counted to a report's notes, as a line. */
void tacit_study_promise_note(const tacit_study_promise *promise, tacit_report *report);

#endif
