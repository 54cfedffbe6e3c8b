/* What the files of `evaluate` share: rules to compare with, and groups of rows. */
#ifndef TACIT_SRC_EVALUATE_H
#define TACIT_SRC_EVALUATE_H

#include "data/sample.h"

#include <tacit/study.h>

/* Rules without privacy, of the encoded columns: targets x columns each; NULL where there is none. */
typedef struct tacit_plain_rules {
  double *flat;   /* one order for all rows */
  double *linear; /* exact linear quantile regression */
} tacit_plain_rules;
/* Learns both from the sample, whose first targets are the schema's. What cannot be learned, for want of rows
   or of a solver, is left out. */
tacit_status tacit_plain_rules_learn(const tacit_schema *schema, const tacit_goal *goals,
                                     const tacit_sample *sample, const tacit_context *context,
                                     tacit_plain_rules *rules, tacit_error *error) TACIT_CHECKED;
void tacit_plain_rules_close(tacit_plain_rules *rules);
/* The order of such a rule for an encoded row, held to the target's bounds; in the user's units. */
double tacit_plain_order(const tacit_schema *schema, const double *rule, size_t target, const double *x);

/* Values of a column, numbered in the order in which they come. */
typedef struct tacit_groups {
  char **names;
  size_t count, capacity;
  size_t *slots; /* a hash table of 1 + the group's number; 0 is free */
  size_t slot_count;
} tacit_groups;
enum { TACIT_GROUPS_MAX = 10000 };
/* TACIT_USAGE for more groups than TACIT_GROUPS_MAX. */
tacit_status tacit_groups_find(tacit_groups *groups, const tacit_cell *cell, size_t *group,
                               tacit_error *error) TACIT_CHECKED;
/* What was found of groups, by their names: numbers ascending, and behind them the others by their bytes. */
tacit_status tacit_groups_sort(tacit_evaluated *result, tacit_error *error) TACIT_CHECKED;
void tacit_groups_close(tacit_groups *groups); /* wipes */

#endif
