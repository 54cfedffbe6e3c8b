/* The targets of the records just before this one, as far back as the schema's largest lag. */
#ifndef TACIT_SRC_LAGS_H
#define TACIT_SRC_LAGS_H

#include <tacit/base.h>

typedef struct tacit_lags {
  size_t reach, targets;
  size_t seen; /* records pushed so far */
  double *past;
} tacit_lags;

/* reach may be 0. */
tacit_status tacit_lags_open(tacit_lags *lags, size_t reach, size_t targets,
                             tacit_error *error) TACIT_CHECKED;
/* The record is over: its targets, in the user's units, NaN where not known, become lag 1. */
void tacit_lags_push(tacit_lags *lags, const double *targets);
/* Whether the largest lag reaches a record. */
bool tacit_lags_full(const tacit_lags *lags);
/* The target of `lag` records ago; the lags must be full. */
double tacit_lags_get(const tacit_lags *lags, size_t lag, size_t target);
void tacit_lags_close(tacit_lags *lags);

#endif
