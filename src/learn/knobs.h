/* Which options a method has: one that it lacks is refused, not ignored in silence. */
#ifndef TACIT_SRC_KNOBS_H
#define TACIT_SRC_KNOBS_H

#include <tacit/learn.h>

enum {
  TACIT_KNOB_PRESET = 1 << 0,
  TACIT_KNOB_STEPS = 1 << 1,
  TACIT_KNOB_STEP_SIZE = 1 << 2,
  TACIT_KNOB_GROWTH = 1 << 3,
  TACIT_KNOB_AVERAGE = 1 << 4,
  TACIT_KNOB_CLIP_NORM = 1 << 5,
  TACIT_KNOB_BANDWIDTH = 1 << 6,
  TACIT_KNOB_KERNEL = 1 << 7,
  TACIT_KNOB_START = 1 << 8,
  TACIT_KNOB_WHITEN = 1 << 9,
  TACIT_KNOB_LAMBDA = 1 << 10,
  TACIT_KNOB_THETA_BOUND = 1 << 11,
  TACIT_KNOB_BATCH = 1 << 12,
  TACIT_KNOB_RATE = 1 << 13,
  /* what the methods share */
  TACIT_KNOBS_LOSS = TACIT_KNOB_BANDWIDTH | TACIT_KNOB_KERNEL,
  TACIT_KNOBS_DESCENT = TACIT_KNOBS_LOSS | TACIT_KNOB_STEPS | TACIT_KNOB_STEP_SIZE | TACIT_KNOB_CLIP_NORM,
};

/* TACIT_USAGE for an option that was given and is not among the method's `knobs`. */
tacit_status tacit_knobs_check(const char *method, unsigned knobs, const tacit_learn_options *options,
                               tacit_error *error) TACIT_CHECKED;

#endif
