/* From records to encoded rows: matches the schema's columns to the source's, clamps, scales, lags, and hands
   each row to a sink. It decides nothing from the values. tacit/data.h has the encoder,
   one record at a time. */
#ifndef TACIT_SRC_ENCODE_H
#define TACIT_SRC_ENCODE_H

#include "schema/schema.h"
#include "source/source.h"

#include <tacit/data.h>

/* Receives one encoded row: x[0..columns) with x[0] = 1, y[0..targets) in encoded units. */
typedef tacit_status (*tacit_row_sink)(void *self, const double *x, const double *y, tacit_error *error);

/* Where rows go: `add` is called with `self` for each. */
typedef struct tacit_row_taker {
  tacit_row_sink add;
  void *self;
  struct tacit_unit_list *units; /* gets whose each row is, where the schema names a unit; may be NULL */
} tacit_row_taker;

typedef struct tacit_read_counts {
  size_t records;     /* records in the source */
  size_t rows;        /* rows handed to the sink */
  size_t dropped_lag; /* records before the largest lag's reach, or (ordering) with an unknown lag */
  /* Records that what they hold leaves out, so that their number is private: beyond rows_per_unit of their
     unit.column, with the key of an earlier one, or whose look-up finds nothing. */
  size_t dropped_unit;
} tacit_read_counts;

/* Reads the source to its end. A cell that is missing or malformed takes the schema's `missing`; where there
   is none the read fails with TACIT_BAD_INPUT naming record and column. With need_targets false (ordering),
   target columns may be absent unless a lag needs them, and y holds NaN where a target is absent or not a
   number; limits on units do not apply. A target that is malformed is, as a lag, the lag's `missing`, else
   the target's. A source without records is read like any other: under add-remove not even a
   refusal may depend on the number of rows. A schema with both
   unit.column and lags that leave the unit is TACIT_REFUSED when targets are needed. counts is filled in all
   cases. */
tacit_status tacit_encode_source(tacit_source *source, const tacit_schema *schema, bool need_targets,
                                 const tacit_row_taker *taker, tacit_read_counts *counts,
                                 const tacit_context *context, tacit_error *error) TACIT_CHECKED;
/* TACIT_BAD_INPUT for a table without records, or of which lags leave no row: for learners whose number of
   rows is public. */
tacit_status tacit_read_counts_check(const tacit_read_counts *counts, const tacit_schema *schema,
                                     tacit_error *error) TACIT_CHECKED;

#endif
