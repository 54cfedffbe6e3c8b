/* A part of the table, where its rows are: reads requests, keeps the image and the region that it was sent,
 * answers. */
#include "base/base.h"
#include "data/read.h"
#include "loss/region_hash.h"
#include "pass/answer.h"
#include "pass/manifest.h"
#include "pass/reply.h"
#include "pass/request.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <tacit/solvers.h>

struct tacit_part {
  tacit_answerer *rows;
  tacit_part_entry entry;
  tacit_row_image *image; /* the last that was sent, or NULL */
  tacit_region *region;
  char region_hash[65];
};

tacit_status tacit_part_open(tacit_source *source, const tacit_schema *schema, const tacit_context *context,
                             tacit_part **part, tacit_error *error) {
  *part = NULL;
  if (source->origin.queried || source->origin.rows_are != TACIT_ROW_RECORD)
    return tacit_fail(error, TACIT_REFUSED,
                      "a manifest does not say that a query made a part's rows; open the table itself");
  if (sodium_init() < 0) return tacit_fail(error, TACIT_INTERNAL, "no entropy from the operating system");
  tacit_design *design = NULL;
  tacit_read_counts counts;
  tacit_part *self = tacit_alloc(1, sizeof *self);
  if (!self) return tacit_no_memory(error);
  bool whole = source->pack ? tacit_pack_is_grouped(source->pack, schema) : tacit_schema_whole_units(schema);
  const tacit_cell_form form = {.bits = TACIT_CELL_BITS, .units = whole};
  tacit_status status = tacit_read_design(source, schema, &form, &design, &counts, context, error);
  if (status == TACIT_OK && source->pack) {
    status = tacit_entries_packed(source->pack, schema, source->pack->part, 1, &self->entry, error);
  } else if (status == TACIT_OK) {
    self->entry.shard = source->origin.shard;
    self->entry.shards = source->origin.shards;
    tacit_entry_rows(design, schema, &counts, &self->entry);
  }
  if (status != TACIT_OK) tacit_design_free(design);
  if (status == TACIT_OK) status = tacit_answerer_new(schema, design, context, &self->rows, error);
  if (status == TACIT_OK)
    *part = self;
  else
    free(self);
  return status;
}

void tacit_part_describe(const tacit_part *part, tacit_part_entry *entry) {
  *entry = part->entry;
}

size_t tacit_part_rest(const tacit_part *part) {
  return tacit_answerer_rest(part->rows);
}

void tacit_part_free(tacit_part *part) {
  if (!part) return;
  tacit_answerer_free(part->rows);
  tacit_row_image_free(part->image);
  tacit_region_free(part->region);
  free(part);
}

/* What came with the request takes the place of what was kept. */
static tacit_status keep(tacit_part *part, const tacit_told_request *request, tacit_error *error) {
  if (request->image) {
    tacit_row_image *image;
    TACIT_TRY(tacit_row_image_read(request->image, request->image_length, &image, error));
    tacit_row_image_free(part->image);
    part->image = image;
  }
  if (!request->region) return TACIT_OK;
  tacit_region *region;
  char hash[65];
  TACIT_TRY(tacit_region_parse((const char *)request->region, request->region_length, &region, error));
  tacit_status status = tacit_region_hash(region, hash, error);
  if (status != TACIT_OK) {
    tacit_region_free(region);
    return status;
  }
  tacit_region_free(part->region);
  part->region = region;
  memcpy(part->region_hash, hash, sizeof hash);
  return TACIT_OK;
}

/* Whether the part has what the question names. */
static bool knows(const tacit_part *part, const tacit_told_question *told) {
  bool image = !told->has_image || (part->image && !memcmp(part->image->hash, told->image, TACIT_HASH));
  bool region = told->question.kind != TACIT_QUESTION_DECISIONS ||
                (part->region && !memcmp(part->region_hash, told->question.decisions.region_hash, 64));
  return image && region;
}

static bool same_rows(const tacit_row_facts *a, const tacit_row_facts *b) {
  return a->columns == b->columns && a->targets == b->targets && a->cell_bits == b->cell_bits &&
         !memcmp(a->schema, b->schema, 64);
}

/* sum NULL: the part lacks what the question names. */
static tacit_status reply_with(const tacit_part *part, const tacit_told_question *told, const uint64_t *sum,
                               size_t width, void **reply, size_t *length, tacit_error *error) {
  const tacit_part_entry *entry = &part->entry;
  const tacit_reply facts = {.unknown = !sum, .question = told->hash, .part_count = 1, .width = width};
  return tacit_reply_make(&facts, &entry, sum, reply, length, error);
}

static tacit_status answer(tacit_part *part, tacit_told_question *told, void **reply, size_t *length,
                           tacit_error *error) {
  if (told->has_image) TACIT_TRY(tacit_told_question_see(told, part->image, error));
  if (told->question.kind == TACIT_QUESTION_DECISIONS) told->question.decisions.region = part->region;
  TACIT_TRY(tacit_question_check(&told->question, &part->rows->facts, error));
  size_t width = tacit_question_width(&told->question, &part->rows->facts);
  uint64_t *sum = tacit_alloc(width, sizeof *sum);
  if (!sum) return tacit_no_memory(error);
  tacit_status status = tacit_answer(part->rows, &told->question, sum, error);
  if (status == TACIT_OK) status = reply_with(part, told, sum, width, reply, length, error);
  tacit_free_wiped(sum, width * sizeof *sum);
  return status;
}

tacit_status tacit_part_answer(tacit_part *part, const void *request, size_t length, void **reply,
                               size_t *reply_length, tacit_error *error) {
  tacit_told_request told;
  tacit_told_question question;
  *reply = NULL;
  *reply_length = 0;
  TACIT_TRY(tacit_request_read(request, length, &told, error));
  TACIT_TRY(keep(part, &told, error));
  TACIT_TRY(tacit_question_read(told.question, told.question_length, &question, error));
  tacit_status status = TACIT_OK;
  if (!same_rows(&question.facts, &part->rows->facts))
    status =
        tacit_fail(error, TACIT_BAD_INPUT, "the question is for rows of another schema than this part's");
  else if (!knows(part, &question))
    status = reply_with(part, &question, NULL, 0, reply, reply_length, error);
  else
    status = answer(part, &question, reply, reply_length, error);
  tacit_told_question_close(&question);
  return status;
}
