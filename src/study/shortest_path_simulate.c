/* The shortest-path problem of degree 4 with noise 0.5 as CSV, with its public schema. */
#include "study/shortest_path_model.h"
#include "study/study.h"

#include <stdio.h>
#include <string.h>

enum { DEGREE = 4 };
static const double HALF_WIDTH = 0.5;

/* The mean and spread of a cost under the generator's law, two digits each. */
#define COST(j) "    {\"name\": \"c" #j "\", \"center\": 110, \"scale\": 110}"
#define COSTS(t)                                                                                             \
  COST(t##1)                                                                                                 \
  ",\n" COST(t##2) ",\n" COST(t##3) ",\n" COST(t##4) ",\n" COST(t##5) ",\n" COST(t##6) ",\n" COST(           \
      t##7) ",\n" COST(t##8) ",\n" COST(t##9)
#define FEATURE(k) "    {\"name\": \"x" #k "\", \"center\": 0, \"scale\": 1, \"missing\": 0}"
const char tacit_path_simulator_schema[] =
    "{\n  \"target\": [\n" COSTS() ",\n" COST(10) ",\n" COSTS(1) ",\n" COST(20) ",\n" COSTS(2) ",\n" COST(30) ",\n" COSTS(3) ",\n" COST(
        40) "\n  ],\n  \"features\": [\n" FEATURE(1) ",\n" FEATURE(2) ",\n" FEATURE(3) ",\n" FEATURE(4) ","
                                                                                                        "\n" FEATURE(
                                                                                                            5) "\n  ]\n}\n";

static tacit_status write_header(tacit_writer writer, void *user) {
  char line[8 * (TACIT_PATH_FEATURES + TACIT_PATH_EDGES)];
  size_t used = 0;
  for (int k = 1; k <= TACIT_PATH_FEATURES; k++)
    used += (size_t)snprintf(line + used, sizeof line - used, "x%d,", k);
  for (int j = 1; j <= TACIT_PATH_EDGES; j++)
    used += (size_t)snprintf(line + used, sizeof line - used, "c%d%c", j, j < TACIT_PATH_EDGES ? ',' : '\n');
  return writer(user, line, used);
}

tacit_status tacit_simulate_paths(size_t rows, tacit_stream *stream, tacit_writer writer, void *user) {
  enum { WIDE = TACIT_PATH_FEATURES + TACIT_PATH_EDGES };
  tacit_path_model model;
  tacit_path_model_draw(&model, DEGREE, HALF_WIDTH, stream);
  TACIT_TRY(write_header(writer, user));
  for (size_t i = 0; i < rows; i++) {
    double values[WIDE];
    char line[WIDE * (TACIT_NUMBER_TEXT_MAX + 1)];
    size_t used = 0;
    tacit_path_row(&model, stream, values, values + TACIT_PATH_FEATURES);
    for (size_t j = 0; j < WIDE; j++) {
      tacit_number_text(line + used, values[j]);
      used += strlen(line + used);
      line[used++] = j + 1 < WIDE ? ',' : '\n';
    }
    TACIT_TRY(writer(user, line, used));
  }
  return TACIT_OK;
}
