/* The non-private learners' rows: plain doubles, column-major, for LAPACK and linear programs. */
#ifndef TACIT_SRC_SAMPLE_H
#define TACIT_SRC_SAMPLE_H

#include "data/encode.h"
#include "source/rows.h"

typedef struct tacit_sample {
  size_t rows, columns, targets;
  double *x;      /* columns x rows: x[j * rows + i]; valid after tacit_sample_finish */
  double *y;      /* targets x rows */
  double *buffer; /* row-major while it grows */
  size_t capacity;
} tacit_sample;

tacit_status tacit_sample_new(size_t columns, size_t targets, tacit_sample **sample,
                              tacit_error *error) TACIT_CHECKED;
tacit_status tacit_sample_add(void *self, const double *x, const double *y,
                              tacit_error *error); /* a row sink */
/* The sample as a place for the rows of several threads. */
tacit_row_store tacit_sample_store(tacit_sample *sample);
tacit_status tacit_sample_finish(tacit_sample *sample, tacit_error *error) TACIT_CHECKED;
void tacit_sample_free(tacit_sample *sample); /* wipes */

#endif
