/* From a source to what learners learn from: a design for private ones, a sample for the others. */
#include "data/read.h"

#include "base/base.h"
#include "data/design_units.h"
#include "data/pack.h"

tacit_status tacit_read_design(tacit_source *source, const tacit_schema *schema, const tacit_cell_form *form,
                               tacit_design **design, tacit_read_counts *counts, const tacit_context *context,
                               tacit_error *error) {
  const tacit_cell_form cells = form ? *form : (tacit_cell_form){.bits = TACIT_CELL_BITS};
  tacit_unit_list units = {0};
  *counts = (tacit_read_counts){0};
  *design = NULL;
  if (source->pack) {
    if (cells.whiten)
      return tacit_fail(error, TACIT_USAGE,
                        "a packed table cannot be whitened; use the table it was made from");
    if (cells.units) return tacit_pack_groups(source->pack, schema, design, counts, context, error);
    return tacit_pack_design(source->pack, schema, cells.bits, design, counts, context, error);
  }
  TACIT_TRY(tacit_design_new(schema, cells.whiten, cells.bits, design, error));
  tacit_row_store store = tacit_design_store(*design);
  if (cells.units) store.units = &units;
  tacit_status status = tacit_read_rows(source, schema, &store, counts, context, error);
  if (status == TACIT_OK && cells.units) status = tacit_design_group(design, &units, error);
  tacit_unit_list_free(&units);
  if (status == TACIT_OK) return TACIT_OK;
  tacit_design_free(*design);
  *design = NULL;
  return status;
}

tacit_status tacit_read_sample(tacit_source *source, const tacit_schema *schema, tacit_sample **sample,
                               tacit_read_counts *counts, const tacit_context *context, tacit_error *error) {
  *counts = (tacit_read_counts){0};
  TACIT_TRY(tacit_sample_new(schema->columns, schema->target_count, sample, error));
  tacit_row_store store = tacit_sample_store(*sample);
  tacit_status status = tacit_read_rows(source, schema, &store, counts, context, error);
  if (status == TACIT_OK) status = tacit_sample_finish(*sample, error);
  if (status == TACIT_OK) return TACIT_OK;
  tacit_sample_free(*sample);
  *sample = NULL;
  return status;
}
