/* What learners ask: their own rows, the other ranks', or an engine. */
#include "pass/rows.h"

#include "base/base.h"
#include "source/source.h"

#include <string.h>

static tacit_status open_engine(tacit_engine_rows *engine, const tacit_schema *schema,
                                const tacit_cell_form *form, tacit_rows *rows, tacit_read_counts *counts,
                                tacit_error *error) {
  *rows = (tacit_rows){.facts = engine->facts, .engine = engine};
  *counts = tacit_engine_counts(engine);
  if (memcmp(engine->facts.schema, tacit_schema_hash(schema), sizeof engine->facts.schema) != 0)
    return tacit_fail(error, TACIT_BAD_INPUT,
                      "the engine's rows are of another schema; use the one of the manifest");
  if (!form || !form->whiten) return TACIT_OK;
  return tacit_fail(error, TACIT_USAGE,
                    "rows in an engine cannot be whitened by the schema; use the table itself");
}

tacit_status tacit_rows_open(tacit_source *source, const tacit_schema *schema, const tacit_cell_form *form,
                             const tacit_context *context, tacit_rows *rows, tacit_read_counts *counts,
                             tacit_error *error) {
  tacit_design *design;
  if (source->engine) return open_engine(source->engine, schema, form, rows, counts, error);
  *rows = (tacit_rows){.ranks = context ? context->ranks : NULL};
  TACIT_TRY(tacit_read_design(source, schema, form, &design, counts, context, error));
  TACIT_TRY(tacit_answerer_new(schema, design, context, &rows->own, error));
  rows->facts = rows->own->facts;
  return TACIT_OK;
}

tacit_status tacit_rows_ask(tacit_rows *rows, const tacit_question *question, uint64_t *answer,
                            tacit_error *error) {
  if (rows->engine) return tacit_engine_ask(rows->engine, question, answer, error);
  TACIT_TRY(tacit_answer(rows->own, question, answer, error));
  if (!rows->ranks) return TACIT_OK;
  return rows->ranks->sum(rows->ranks->user, answer, tacit_question_width(question, &rows->facts), error);
}

void tacit_rows_close(tacit_rows *rows) {
  tacit_answerer_free(rows->own);
  *rows = (tacit_rows){.own = NULL};
}
