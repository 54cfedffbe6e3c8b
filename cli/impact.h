/* The two forms of tacit impact. */
#ifndef TACIT_CLI_IMPACT_H
#define TACIT_CLI_IMPACT_H

#include "cli.h"

/* What each policy earns a shop and its supplier on the table's rows, whose demand is known: means of a row.
   Returns the exit code. */
int impact_of_policies(const pairs *policies, const char *table, const tacit_impact_options *prices,
                       bool json);

#endif
