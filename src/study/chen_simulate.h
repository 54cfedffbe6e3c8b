/* Chen and Chua's and the companion's simulated demand as CSV, and the public schema of each. */
#ifndef TACIT_SRC_CHEN_SIMULATE_H
#define TACIT_SRC_CHEN_SIMULATE_H

#include "random/random.h"

#include <tacit/study.h>

typedef enum tacit_chen_simulator {
  TACIT_CHEN_EXOGENOUS,
  TACIT_CHEN_ENDOGENOUS,
  TACIT_CHEN_WIDE_EXOGENOUS,
  TACIT_CHEN_WIDE_ENDOGENOUS,
  TACIT_CHEN_DISCRETE, /* companion, EC.2.4 */
  TACIT_CHEN_SIMULATORS
} tacit_chen_simulator;
enum { TACIT_CHEN_ROWS = 1000 };

/* Features x1 and x2, or x2 to x51, with their centre 0 and their true scale; the target between -40 and 60.
 */
const char *tacit_chen_schema(bool wide);
tacit_status tacit_simulate_chen(tacit_chen_simulator which, size_t rows, tacit_stream *stream,
                                 tacit_writer writer, void *user) TACIT_CHECKED;

#endif
