/* Cells that the schema did not foresee, told to the data holder alone. */
#ifndef TACIT_CLI_TALLY_H
#define TACIT_CLI_TALLY_H

#include "cli.h"

/* One line on standard error for each column that has any. */
void print_tally(const tacit_source *source, const tacit_schema *schema);
/* Of orders, on standard error: how many rest on another level, since the policy does not know theirs. */
void print_unknown(const tacit_source *source, const tacit_schema *schema);
/* The same as a list, which is the caller's. */
json_t *tally_json(const tacit_source *source, const tacit_schema *schema);

#endif
