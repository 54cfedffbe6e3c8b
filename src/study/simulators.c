/* The simulators by name: rows as CSV, and the public schema of each. */
#include "base/base.h"
#include "study/chen_simulate.h"
#include "study/shortest_path_model.h"
#include "study/study.h"
#include "study/zhao_model.h"

#include <stdio.h>
#include <string.h>

enum { ZHAO_ROWS = 400 }; /* Zhao, Zhou and Wang's Table 1 */

static const char ZHAO_SCHEMA[] = "{\n"
                                  "  \"target\": {\"name\": \"demand\", \"center\": 0, \"scale\": 2},\n"
                                  "  \"features\": [\n"
                                  "    {\"name\": \"z1\", \"center\": 0, \"scale\": 1, \"missing\": 0},\n"
                                  "    {\"name\": \"z2\", \"center\": 0, \"scale\": 1, \"missing\": 0},\n"
                                  "    {\"name\": \"z3\", \"center\": 0, \"scale\": 1, \"missing\": 0},\n"
                                  "    {\"name\": \"z4\", \"center\": 0, \"scale\": 1, \"missing\": 0}\n"
                                  "  ]\n"
                                  "}\n";

static const struct {
  const char *name, *about, *schema;
} SIMULATORS[] = {
    {"zhao-normal", "linear demand with N(0,1) errors (Zhao, Zhou, Wang, section 6.1)", ZHAO_SCHEMA},
    {"zhao-t3", "the same with Student's t errors, three degrees of freedom", ZHAO_SCHEMA},
    {"zhao-mixture", "the same with errors 0.9 N(0,1) + 0.1 N(0,100)", ZHAO_SCHEMA},
    {"restaurant", "two years of a restaurant's daily demand for lamb", tacit_restaurant_schema},
    {"chen-exogenous", "linear demand, two features in a disc, N(0,9) errors (Chen, Chua, Fig. 4)", NULL},
    {"chen-endogenous", "the same with errors that depend on the features (Fig. 6)", NULL},
    {"chen-wide-exogenous", "the same with 50 features (Fig. 8)", NULL},
    {"chen-wide-endogenous", "and with both (Fig. 11)", NULL},
    {"chen-discrete", "whole numbers, but for a few errors (the companion, EC.2.4)", NULL},
    {"spo-shortest-path", "edge costs on a 5 x 5 grid, degree 4 (Elmachtoub, Grigas); --region-out",
     tacit_path_simulator_schema},
    {"shops", "two years of four bakeries, as a till exports them: dates, flags, empty cells",
     tacit_shops_schema},
};
/* New ones go to the end: a simulator's place is part of its stream. */
enum { COUNT = sizeof SIMULATORS / sizeof *SIMULATORS, RESTAURANT = TACIT_ZHAO_LAWS, CHEN };
enum { PATHS = (int)CHEN + (int)TACIT_CHEN_SIMULATORS, SHOPS };
_Static_assert((int)COUNT == (int)SHOPS + 1,
               "after Chen and Chua's and the companion's simulators come the shortest path and the shops");
_Static_assert((int)RESTAURANT == (int)TACIT_ZHAO_LAWS, "the first simulators are the laws, in their order");

const char *tacit_simulator_name(size_t index) {
  return index < COUNT ? SIMULATORS[index].name : NULL;
}

const char *tacit_simulator_about(size_t index) {
  return index < COUNT ? SIMULATORS[index].about : NULL;
}

static size_t find(const char *name) {
  size_t i = 0;
  while (i < COUNT && strcmp(name, SIMULATORS[i].name) != 0) i++;
  return i;
}

const char *tacit_simulator_schema(const char *name) {
  size_t i = find(name);
  if (i >= CHEN && i < PATHS)
    return tacit_chen_schema(i == CHEN + TACIT_CHEN_WIDE_EXOGENOUS || i == CHEN + TACIT_CHEN_WIDE_ENDOGENOUS);
  return i < COUNT ? SIMULATORS[i].schema : NULL;
}

const char *tacit_simulator_region(const char *name) {
  return find(name) == PATHS ? tacit_path_region : NULL;
}

static tacit_status simulate_zhao(tacit_zhao_law law, size_t rows, tacit_stream *stream, tacit_writer writer,
                                  void *user) {
  static const char header[] = "z1,z2,z3,z4,demand\n";
  TACIT_TRY(writer(user, header, sizeof header - 1));
  for (size_t i = 0; i < rows; i++) {
    double x[TACIT_ZHAO_COLUMNS + 1];
    x[TACIT_ZHAO_COLUMNS] = tacit_zhao_draw(stream, law, x);
    char line[TACIT_ZHAO_COLUMNS * TACIT_NUMBER_TEXT_MAX];
    size_t used = 0;
    for (size_t j = 1; j <= TACIT_ZHAO_COLUMNS; j++) {
      tacit_number_text(line + used, x[j]);
      used += strlen(line + used);
      line[used++] = j < TACIT_ZHAO_COLUMNS ? ',' : '\n';
    }
    TACIT_TRY(writer(user, line, used));
  }
  return TACIT_OK;
}

tacit_status tacit_simulate(const char *name, size_t rows, uint64_t seed, tacit_writer writer, void *user,
                            tacit_error *error) {
  size_t i = find(name);
  if (i == COUNT)
    return tacit_fail(error, TACIT_USAGE,
                      "no simulator of this name; there are zhao-normal, zhao-t3, zhao-mixture, restaurant, "
                      "chen-exogenous, chen-endogenous, chen-wide-exogenous, chen-wide-endogenous, "
                      "chen-discrete, spo-shortest-path and shops");
  tacit_stream stream;
  TACIT_TRY(tacit_study_stream(seed, TACIT_FOR_ROWS, (uint32_t)i, 0, &stream, error));
  tacit_status status;
  if (i == SHOPS)
    status = tacit_simulate_shops(rows ? rows : TACIT_SHOPS_ROWS, &stream, writer, user);
  else if (i == PATHS)
    status = tacit_simulate_paths(rows ? rows : TACIT_PATH_SIMULATED_ROWS, &stream, writer, user);
  else if (i >= CHEN)
    status = tacit_simulate_chen((tacit_chen_simulator)(i - CHEN), rows ? rows : TACIT_CHEN_ROWS, &stream,
                                 writer, user);
  else if (i == RESTAURANT)
    status = tacit_simulate_restaurant(rows ? rows : TACIT_RESTAURANT_DAYS, &stream, writer, user);
  else
    status = simulate_zhao((tacit_zhao_law)i, rows ? rows : ZHAO_ROWS, &stream, writer, user);
  tacit_stream_end(&stream);
  if (status == TACIT_OK) return TACIT_OK;
  return tacit_fail(error, status,
                    "the simulated rows could not be written: see that there is room for them");
}
