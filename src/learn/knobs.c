/* Refuses the options of other methods. */
#include "learn/knobs.h"

#include "base/base.h"

#include <stdio.h>
#include <string.h>

static const char *const NAMES[] = {"preset",    "steps",       "step-size", "growth", "average",
                                    "clip-norm", "bandwidth",   "kernel",    "start",  "whiten",
                                    "lambda",    "theta-bound", "batch",     "rate"};
enum { KNOBS = sizeof NAMES / sizeof *NAMES };

static unsigned given(const tacit_learn_options *o) {
  const bool is[KNOBS] = {o->preset && *o->preset,
                          o->steps > 0,
                          o->step_size != 0,
                          o->growth != 0,
                          o->average > 0,
                          o->clip_norm != 0,
                          o->bandwidth != 0,
                          o->kernel && *o->kernel,
                          o->start && *o->start,
                          o->whiten,
                          o->lambda != 0,
                          o->theta_bound != 0,
                          o->batch > 0,
                          o->rate != 0};
  unsigned knobs = 0;
  for (unsigned k = 0; k < KNOBS; k++) knobs |= (unsigned)is[k] << k;
  return knobs;
}

tacit_status tacit_knobs_check(const char *method, unsigned knobs, const tacit_learn_options *options,
                               tacit_error *error) {
  unsigned foreign = given(options) & ~knobs;
  if (!foreign) return TACIT_OK;
  char list[200] = "";
  for (unsigned k = 0; k < KNOBS; k++)
    if (knobs >> k & 1) {
      size_t at = strlen(list);
      snprintf(list + at, sizeof list - at, "%s%s", at ? ", " : "", NAMES[k]);
    }
  return tacit_fail(error, TACIT_USAGE, "method %s has no option %s; it has %s", method,
                    NAMES[__builtin_ctz(foreign)], *list ? list : "none");
}
