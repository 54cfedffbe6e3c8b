/* Days that sold out: a target that is sales, beside the column that says whether there would have been more
   demand. The encoder keeps it as the last bit of the target on its grid (proofs/sold-out.md). */
#ifndef TACIT_SRC_SOLD_H
#define TACIT_SRC_SOLD_H

#include "schema/fields.h"

/* The keys "sold_out" and "stock" of a target. */
tacit_status tacit_sold_parse(const tacit_fields *fields, tacit_target *target) TACIT_CHECKED;
/* What does not go with them, once the whole schema is there. */
tacit_status tacit_sold_check(const tacit_schema *schema, tacit_error *error) TACIT_CHECKED;
/* Whether some target is sales of days that may have sold out. */
bool tacit_sold_any(const tacit_schema *schema);
/* Whether the number that was read in the column's cell is a flag, or a stock. */
bool tacit_sold_is_told(const tacit_target *target, double cell);
/* That number, or what the schema has for cells that are neither; NaN where it has nothing. */
double tacit_sold_told(const tacit_target *target, double cell);
/* What a record's cells say: sales, and the flag or the stock; NaN where they could not be read. */
bool tacit_sold_says(const tacit_target *target, double sales, double told);
/* An encoded target with the bit: nearest on the grid of 2^-23, within the scale. */
double tacit_sold_mark(const tacit_scale *scale, double encoded, bool sold_out);

#endif
