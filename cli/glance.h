/* What privacy costs, roughly: plan's line for one guarantee and number of rows, in a second or two. */
#ifndef TACIT_CLI_GLANCE_H
#define TACIT_CLI_GLANCE_H

#include "cli.h"

typedef struct glance {
  numbers underage, overage, quantile; /* none: a quantile of 0.8 */
  const char *adjacency;
  size_t rows;   /* --rows; 0: the schema's own public number, else the table's where that is public */
  bool of_table; /* the number of rows is the table's */
  tacit_plan_options plan;
  goal_list goals;
  tacit_plan_row row;
  bool made;
} glance;

enum { GLANCE_OPTIONS = 6 };
#define GLANCE(g)                                                                                             \
  {"rows", OPTION_COUNT, &(g).rows, "N", "say what privacy costs at so many rows", NULL},                     \
      {"mu", OPTION_NUMBER, &(g).plan.mu, "M", "and at this guarantee (default 0.5)", NULL},                  \
      {"underage", OPTION_NUMBERS, &(g).underage, "B", "of a missing unit: the cost (default: quantile 0.8)", \
       NULL},                                                                                                 \
      {"overage", OPTION_NUMBERS, &(g).overage, "H", "of a unit left over", NULL},                            \
      {"quantile", OPTION_NUMBERS, &(g).quantile, "TAU", "instead of costs", NULL}, {                         \
    "adjacency", OPTION_TEXT, &(g).adjacency, "A", "replace-one (default) or add-remove", NULL                \
  }

void glance_init(glance *g);
/* Goals and adjacency from the options. Returns -1 to go on, or the exit code. */
int glance_ask(glance *g, const tacit_schema *schema);
/* Simulates, where a number of rows is known; records: the table's, 0 without one. What cannot be planned is
   said on standard error, and is no mistake. */
void glance_look(glance *g, const tacit_schema *schema, size_t records);
/* Behind how many columns there are: the price, or how to ask for it. */
void glance_print(const glance *g);
json_t *glance_json(const glance *g);

#endif
