/* What the two halves of `tacit evaluate` share. */
#ifndef TACIT_CLI_EVALUATE_H
#define TACIT_CLI_EVALUATE_H

#include "events.h"

typedef struct estimation {
  tacit_estimate_options options;
  wallet wallet;
  table_form form;
  event_tables events; /* instead of a table */
  bool no_ledger, json;
} estimation;

/* Returns the exit code. table: NULL where there are events. */
int evaluate_privately(estimation *e, const char *policy_path, const char *table);

#endif
