/* Rows that lie in a caller's engine: asks its parts until all have answered, or often enough. */
#include "pass/engine.h"

#include "base/base.h"
#include "loss/region_hash.h"
#include "pass/manifest.h"
#include "pass/replies.h"
#include "pass/request.h"
#include "source/source.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

enum { ATTEMPTS = 5 };

static tacit_status no_records(tacit_source *self, tacit_cell *cells, bool *more, tacit_error *error) {
  (void)self, (void)cells;
  *more = false;
  return tacit_fail(error, TACIT_BAD_INPUT, "%s", TACIT_ENGINE_HAS_NO_RECORDS);
}

static void close_rows(tacit_engine_rows *rows) {
  free(rows->entries);
  free(rows->places);
  free(rows);
}

static void close_source(tacit_source *self) {
  close_rows(self->engine);
  free(self);
}

static int by_hash(const void *a, const void *b) {
  return memcmp(((const tacit_part_place *)a)->hash, ((const tacit_part_place *)b)->hash, TACIT_HASH);
}

static void set_places(tacit_engine_rows *rows) {
  for (size_t i = 0; i < rows->count; i++)
    if (rows->entries[i].rows)
      rows->places[rows->place_count++] = (tacit_part_place){rows->entries[i].hash, i};
  qsort(rows->places, rows->place_count, sizeof *rows->places, by_hash);
}

tacit_status tacit_source_engine(const tacit_engine *engine, const tacit_schema *schema,
                                 const tacit_part_entry *entries, size_t count, tacit_source **source,
                                 tacit_error *error) {
  *source = NULL;
  if (sodium_init() < 0) return tacit_fail(error, TACIT_INTERNAL, "no entropy from the operating system");
  TACIT_TRY(tacit_manifest_check(schema, entries, count, error));
  tacit_source *made = tacit_alloc(1, sizeof *made);
  tacit_engine_rows *rows = tacit_alloc(1, sizeof *rows);
  tacit_part_entry *copy = tacit_alloc(count + 1, sizeof *copy);
  tacit_part_place *places = tacit_alloc(count + 1, sizeof *places);
  if (!made || !rows || !copy || !places) {
    free(made);
    free(rows);
    free(copy);
    free(places);
    return tacit_no_memory(error);
  }
  if (count) memcpy(copy, entries, count * sizeof *copy);
  *rows = (tacit_engine_rows){.engine = *engine,
                              .entries = copy,
                              .count = count,
                              .places = places,
                              .facts = {schema->columns, schema->target_count, TACIT_CELL_BITS, ""}};
  memcpy(rows->facts.schema, tacit_schema_hash(schema), sizeof rows->facts.schema);
  set_places(rows);
  *made = (tacit_source){.next = no_records, .close = close_source, .engine = rows};
  *source = made;
  return TACIT_OK;
}

tacit_read_counts tacit_engine_counts(const tacit_engine_rows *rows) {
  tacit_read_counts counts = {0};
  for (size_t i = 0; i < rows->count; i++) {
    counts.records += (size_t)rows->entries[i].records;
    counts.rows += (size_t)rows->entries[i].rows;
    counts.dropped_lag += (size_t)rows->entries[i].dropped_lag;
    counts.dropped_unit += (size_t)rows->entries[i].dropped_unit;
  }
  return counts;
}

bool tacit_engine_whole(const tacit_engine_rows *rows) {
  bool whole = true;
  for (size_t i = 0; i < rows->count; i++)
    whole = whole && (rows->entries[i].whole || !rows->entries[i].rows);
  return whole;
}

/* A question on its way: its bytes, and those of what it names. */
typedef struct asking {
  unsigned char *question, *image, *request;
  size_t question_length, image_length, request_length;
  char *region;
  unsigned char hash[TACIT_HASH];
  size_t *parts;
} asking;

static void close_asking(asking *a) {
  free(a->question);
  free(a->image);
  free(a->request);
  free(a->region);
  free(a->parts);
}

static tacit_status open_asking(asking *a, const tacit_engine_rows *rows, const tacit_question *question,
                                tacit_error *error) {
  *a = (asking){.parts = tacit_alloc(rows->count + 1, sizeof *a->parts)};
  if (!a->parts) return tacit_no_memory(error);
  TACIT_TRY(tacit_question_write(question, &rows->facts, &a->question, &a->question_length, error));
  crypto_hash_sha256(a->hash, a->question, a->question_length);
  if (question->image) TACIT_TRY(tacit_row_image_write(question->image, &a->image, &a->image_length, error));
  if (question->kind != TACIT_QUESTION_DECISIONS) return TACIT_OK;
  return tacit_region_text(question->decisions.region, &a->region, error);
}

/* What parts were sent before is left out, but where some did not answer. */
static tacit_status write_request(asking *a, tacit_engine_rows *rows, const tacit_question *question,
                                  bool again, tacit_error *error) {
  tacit_told_request request = {.question = a->question, .question_length = a->question_length};
  if (a->image && question->image &&
      (again || memcmp(rows->sent_image, question->image->hash, TACIT_HASH) != 0)) {
    request.image = a->image;
    request.image_length = a->image_length;
    memcpy(rows->sent_image, question->image->hash, TACIT_HASH);
  }
  if (a->region && (again || memcmp(rows->sent_region, question->decisions.region_hash, 64) != 0)) {
    request.region = (const unsigned char *)a->region;
    request.region_length = strlen(a->region);
    memcpy(rows->sent_region, question->decisions.region_hash, 65);
  }
  free(a->request);
  a->request = NULL;
  return tacit_request_write(&request, &a->request, &a->request_length, error);
}

static tacit_status ask_missing(tacit_engine_rows *rows, const asking *a, tacit_replies *replies,
                                tacit_error *error) {
  tacit_request request = {.bytes = a->request, .length = a->request_length, .parts = a->parts};
  for (size_t i = 0; i < rows->count; i++)
    if (rows->entries[i].rows && !replies->covered[i]) a->parts[request.count++] = i;
  TACIT_TRY(rows->engine.ask(rows->engine.user, &request, replies, error));
  if (!replies->failed) return TACIT_OK;
  return tacit_fail(
      error, TACIT_REFUSED,
      "the engine's replies contradict each other, or count a part twice; nothing was released of them");
}

tacit_status tacit_engine_ask(tacit_engine_rows *rows, const tacit_question *question, uint64_t *answer,
                              tacit_error *error) {
  asking a;
  tacit_replies replies = {0};
  TACIT_TRY(tacit_question_check(question, &rows->facts, error));
  tacit_status status = open_asking(&a, rows, question, error);
  if (status == TACIT_OK) status = tacit_replies_open(&replies, rows, question, a.hash, answer, error);
  for (int attempt = 0; attempt < ATTEMPTS && status == TACIT_OK && replies.missing; attempt++) {
    status = write_request(&a, rows, question, attempt > 0, error);
    if (status == TACIT_OK) status = ask_missing(rows, &a, &replies, error);
  }
  if (status == TACIT_OK && replies.missing)
    status = tacit_fail(error, TACIT_INTERNAL,
                        "%zu parts of the manifest did not answer, asked %d times; see to the engine",
                        replies.missing, ATTEMPTS);
  tacit_replies_close(&replies);
  close_asking(&a);
  return status;
}
