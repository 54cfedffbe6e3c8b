/* Cells that the schema did not foresee, told to the data holder alone. */
#ifndef TACIT_CLI_TALLY_H
#define TACIT_CLI_TALLY_H

#include "cli.h"

/* One line on standard error for each column that has any. */
void print_tally(const tacit_source *source, const tacit_schema *schema);
/* Of orders, on standard error: how many rest on another level, since the policy does not know theirs. */
/* Of a column that tells series apart: so many ... */
#define CROSSED_WORDS                                                                                        \
  "rows whose lags come from another one; \"panel\" in the schema looks lags up by group and time"
void print_unknown(const tacit_source *source, const tacit_schema *schema);
/* Pays from the ledger, unless more than half of a column's cells cannot be read, of 20 or more that are not
   empty: a forgotten decimal comma or another format, which "missing" would hide. For tacit_learn_options, as
   tacit_ledger_pay is. */
typedef struct careful_payment {
  const tacit_source *source;
  const tacit_schema *schema;
  tacit_payment *payment;
} careful_payment;
tacit_status pay_if_read(void *user, const tacit_cost *cost, tacit_error *error);
/* The same as a list, which is the caller's. */
json_t *tally_json(const tacit_source *source, const tacit_schema *schema);

#endif
