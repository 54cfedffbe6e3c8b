/* Chen and Chua's and the companion's simulated demand as CSV, and the public schema of each. */
#include "study/chen_simulate.h"

#include "study/chen_problem.h"
#include "study/discrete_demand.h"
#include "study/study.h"

#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = (TACIT_CHEN_WIDE + 1) * TACIT_NUMBER_TEXT_MAX };

#define HEAD "{\n  \"target\": {\"name\": \"y\", \"min\": -40, \"max\": 60},\n  \"features\": [\n"
#define FEATURE(name, scale, comma)                                                                          \
  "    {\"name\": \"" #name "\", \"center\": 0, \"scale\": " #scale ", \"missing\": 0}" comma "\n"
#define TAIL "  ]\n}\n"

static const char NARROW[] = HEAD FEATURE(x1, 2, ",") FEATURE(x2, 3, "") TAIL;
/* The features' standard deviation is 50^(-1/4). */
static const char WIDE[] = HEAD FEATURE(x2, 0.376, ",") FEATURE(x3, 0.376, ",") FEATURE(x4, 0.376, ",")
    FEATURE(x5, 0.376, ",") FEATURE(x6, 0.376, ",") FEATURE(x7, 0.376, ",") FEATURE(x8, 0.376, ",") FEATURE(
        x9, 0.376, ",") FEATURE(x10, 0.376, ",") FEATURE(x11, 0.376, ",") FEATURE(x12, 0.376, ",")
        FEATURE(x13, 0.376, ",") FEATURE(x14, 0.376, ",") FEATURE(x15, 0.376, ",") FEATURE(x16, 0.376, ",")
            FEATURE(x17, 0.376, ",") FEATURE(x18, 0.376, ",") FEATURE(x19, 0.376, ",")
                FEATURE(x20, 0.376, ",") FEATURE(x21, 0.376, ",") FEATURE(x22, 0.376, ",")
                    FEATURE(x23, 0.376, ",") FEATURE(x24, 0.376, ",") FEATURE(x25, 0.376, ",")
                        FEATURE(x26, 0.376, ",") FEATURE(x27, 0.376, ",") FEATURE(x28, 0.376, ",")
                            FEATURE(x29, 0.376, ",") FEATURE(x30, 0.376, ",") FEATURE(x31, 0.376, ",")
                                FEATURE(x32, 0.376, ",") FEATURE(x33, 0.376, ",") FEATURE(x34, 0.376, ",")
                                    FEATURE(x35, 0.376, ",") FEATURE(x36, 0.376, ",") FEATURE(x37, 0.376, ",")
                                        FEATURE(x38, 0.376, ",") FEATURE(x39, 0.376, ",")
                                            FEATURE(x40, 0.376, ",") FEATURE(x41, 0.376, ",")
                                                FEATURE(x42, 0.376, ",") FEATURE(x43, 0.376, ",")
                                                    FEATURE(x44, 0.376, ",") FEATURE(x45, 0.376, ",")
                                                        FEATURE(x46, 0.376, ",") FEATURE(x47, 0.376, ",")
                                                            FEATURE(x48, 0.376, ",") FEATURE(x49, 0.376, ",")
                                                                FEATURE(x50, 0.376, ",")
                                                                    FEATURE(x51, 0.376, "") TAIL;

const char *tacit_chen_schema(bool wide) {
  return wide ? WIDE : NARROW;
}

static tacit_status write_header(size_t columns, tacit_writer writer, void *user) {
  char line[LINE];
  size_t used = 0;
  for (size_t j = 1; j < columns; j++)
    used +=
        (size_t)snprintf(line + used, sizeof line - used, "x%zu,", columns == TACIT_CHEN_WIDE ? j + 1 : j);
  used += (size_t)snprintf(line + used, sizeof line - used, "y\n");
  return writer(user, line, used);
}

/* x without the intercept, then y. */
static tacit_status write_row(size_t columns, const double *x, double y, tacit_writer writer, void *user) {
  char line[LINE];
  size_t used = 0;
  for (size_t j = 1; j <= columns; j++) {
    tacit_number_text(line + used, j < columns ? x[j] : y);
    used += strlen(line + used);
    line[used++] = j < columns ? ',' : '\n';
  }
  return writer(user, line, used);
}

static tacit_status write_rows(const tacit_chen_problem *problem, bool discrete, size_t rows,
                               tacit_stream *stream, tacit_writer writer, void *user) {
  TACIT_TRY(write_header(problem->columns, writer, user));
  for (size_t i = 0; i < rows; i++) {
    double x[TACIT_CHEN_WIDE];
    double y = discrete ? tacit_discrete_draw(stream, x) : tacit_chen_problem_draw(problem, stream, x);
    TACIT_TRY(write_row(problem->columns, x, y, writer, user));
  }
  return TACIT_OK;
}

tacit_status tacit_simulate_chen(tacit_chen_simulator which, size_t rows, tacit_stream *stream,
                                 tacit_writer writer, void *user) {
  tacit_chen_problem *problem = tacit_alloc(1, sizeof *problem);
  bool wide = which == TACIT_CHEN_WIDE_EXOGENOUS || which == TACIT_CHEN_WIDE_ENDOGENOUS;
  bool endogenous = which == TACIT_CHEN_ENDOGENOUS || which == TACIT_CHEN_WIDE_ENDOGENOUS;
  tacit_status status =
      problem
          ? tacit_chen_problem_init(problem, wide ? TACIT_CHEN_WIDE : TACIT_CHEN_COLUMNS, endogenous, NULL)
          : TACIT_INTERNAL;
  if (status == TACIT_OK)
    status = write_rows(problem, which == TACIT_CHEN_DISCRETE, rows, stream, writer, user);
  free(problem);
  return status;
}
