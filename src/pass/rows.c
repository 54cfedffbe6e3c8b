/* What learners ask: their own rows, and the other ranks'. */
#include "pass/rows.h"

#include "base/base.h"
#include "data/read.h"

tacit_status tacit_rows_open(tacit_source *source, const tacit_schema *schema, const double *whiten,
                             int cell_bits, const tacit_context *context, tacit_rows *rows,
                             tacit_read_counts *counts, tacit_error *error) {
  tacit_design *design;
  *rows = (tacit_rows){.ranks = context ? context->ranks : NULL};
  TACIT_TRY(tacit_read_design(source, schema, whiten, cell_bits, &design, counts, context, error));
  TACIT_TRY(tacit_answerer_new(schema, design, context, &rows->own, error));
  rows->facts = rows->own->facts;
  return TACIT_OK;
}

tacit_status tacit_rows_ask(tacit_rows *rows, const tacit_question *question, uint64_t *answer,
                            tacit_error *error) {
  TACIT_TRY(tacit_answer(rows->own, question, answer, error));
  if (!rows->ranks) return TACIT_OK;
  return rows->ranks->sum(rows->ranks->user, answer, tacit_question_width(question, &rows->facts), error);
}

void tacit_rows_close(tacit_rows *rows) {
  tacit_answerer_free(rows->own);
  *rows = (tacit_rows){.own = NULL};
}
