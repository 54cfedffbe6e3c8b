/* Reads a whole source into a store: by several threads where the source's text is in memory and a row is its
   own record's alone, else record by record. The rows, the counts and the words for what is wrong are the
   same for every number of threads. */
#ifndef TACIT_SRC_READ_H
#define TACIT_SRC_READ_H

#include "data/design.h"
#include "data/sample.h"

/* What a design's cells are: as tacit_design_new has them. */
typedef struct tacit_cell_form {
  const double *whiten; /* may be NULL */
  int bits;
  bool units; /* the rows of a unit lie together (data/design_units.h); the schema names it */
} tacit_cell_form;

/* A new design or sample, ready for use, with every row of the source. A form of NULL is TACIT_CELL_BITS and
   rows that are not whitened. *counts is filled in all cases. */
tacit_status tacit_read_design(tacit_source *source, const tacit_schema *schema, const tacit_cell_form *form,
                               tacit_design **design, tacit_read_counts *counts, const tacit_context *context,
                               tacit_error *error) TACIT_CHECKED;
tacit_status tacit_read_sample(tacit_source *source, const tacit_schema *schema, tacit_sample **sample,
                               tacit_read_counts *counts, const tacit_context *context,
                               tacit_error *error) TACIT_CHECKED;

/* As tacit_encode_source with targets needed. Schemas with lags or unit.column are read record by record: a
   row then depends on the records before it, or on those that it looks up. */
tacit_status tacit_read_rows(tacit_source *source, const tacit_schema *schema, const tacit_row_store *store,
                             tacit_read_counts *counts, const tacit_context *context,
                             tacit_error *error) TACIT_CHECKED;
/* The same in pieces of a given size, at least 1, for tests. */
tacit_status tacit_read_rows_in_pieces(tacit_source *source, const tacit_schema *schema,
                                       const tacit_row_store *store, size_t piece, tacit_read_counts *counts,
                                       const tacit_context *context, tacit_error *error) TACIT_CHECKED;

#endif
