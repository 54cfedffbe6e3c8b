/* Lags that cross from one series into another, counted for the data holder's eyes. */
#ifndef TACIT_SRC_LAG_GROUPS_H
#define TACIT_SRC_LAG_GROUPS_H

#include <tacit/data.h>

typedef struct tacit_lag_groups tacit_lag_groups;

/* For an encoder whose lags count records; for others nothing is done here. */
tacit_status tacit_lag_groups_open(tacit_encoder *encoder, tacit_error *error) TACIT_CHECKED;
/* The record just read, and whether it had a row. */
void tacit_lag_groups_see(tacit_encoder *encoder, bool has_row);
/* Puts what was counted into the encoder's tally: how many rows, by each column that seems to tell series
   apart, take a lag from a record with another level. */
void tacit_lag_groups_close(tacit_encoder *encoder);

#endif
