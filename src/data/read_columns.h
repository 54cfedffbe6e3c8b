/* Columns of numbers in memory to rows, by several threads. */
#ifndef TACIT_SRC_READ_COLUMNS_H
#define TACIT_SRC_READ_COLUMNS_H

#include "data/encode.h"
#include "source/rows.h"

/* Reads as many records as are as they should be, from the first on; the source goes on behind them and finds
   the words for what is wrong. For a source with numbers, before its first record, and a schema without lags
   and units. */
tacit_status tacit_read_columns(tacit_source *source, const tacit_schema *schema,
                                const tacit_row_store *store, size_t *records, const tacit_context *context,
                                tacit_error *error) TACIT_CHECKED;

#endif
