/* What learners ask: rows in this process, in several ranks, or in a caller's engine. Whoever has them, an
   answer is the exact sum over all rows, with the same bits. */
#ifndef TACIT_SRC_PASS_ROWS_H
#define TACIT_SRC_PASS_ROWS_H

#include "data/read.h"
#include "pass/answer.h"
#include "pass/engine.h"

typedef struct tacit_rows {
  tacit_row_facts facts;
  tacit_answerer *own;       /* the rows of this process, or */
  tacit_engine_rows *engine; /* those of an engine; the other one is NULL */
  const tacit_ranks *ranks;
} tacit_rows;

/* Reads every row of the source; form (may be NULL) is as for tacit_read_design. *counts, of this rank's
   rows, is filled in all cases. */
tacit_status tacit_rows_open(tacit_source *source, const tacit_schema *schema, const tacit_cell_form *form,
                             const tacit_context *context, tacit_rows *rows, tacit_read_counts *counts,
                             tacit_error *error) TACIT_CHECKED;
/* answer (tacit_question_width entries) is the sum over all rows, on every rank. It is exact, and so it is
   secret: it leaves the learner through the gate to the noise alone. */
tacit_status tacit_rows_ask(tacit_rows *rows, const tacit_question *question, uint64_t *answer,
                            tacit_error *error) TACIT_CHECKED;
void tacit_rows_close(tacit_rows *rows);

#endif
