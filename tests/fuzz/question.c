/* Any bytes as a question, as an image, as a request to a part and as a reply: refused, or written again as
   the same bytes; a question that these rows can answer has an answer within its rows' reach. */
#include "question/question.h"
#include "fuzz/target.h"
#include "pass/answer.h"
#include "pass/reply.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 40 };
static const char JSON[] =
    "{\"target\": [{\"name\": \"y\", \"min\": 0, \"max\": 10}, {\"name\": \"z\", \"min\": 0, \"max\": 10}], "
    "\"features\": [{\"name\": \"a\", \"center\": 0, \"scale\": 1}, {\"name\": \"b\", \"min\": -1, \"max\": "
    "1}]}";
static const char REGION[] = "{\"kind\": \"simplex\", \"dimension\": 2}";
static const double MATRIX[] = {0.5, 1, 0, 0, 2, -1, 1, 1, 1};

static tacit_schema *schema;
static tacit_region *region;
static tacit_row_image narrow, wide;
static double columns[4][ROWS];

static tacit_source *rows_of(void) {
  static const char *const names[] = {"a", "b", "y", "z"};
  static const double *numbers[4];
  static const char *const *texts[4];
  tacit_source *source;
  for (int j = 0; j < 4; j++) {
    numbers[j] = columns[j];
    for (int i = 0; i < ROWS; i++) columns[j][i] = (double)((i * 37 + j * 11) % 23) / 2.5 - (j < 2 ? 4 : 0);
  }
  MUST(tacit_source_columns(ROWS, 4, names, numbers, texts, &source, NULL) == TACIT_OK);
  return source;
}

static void set_up(void) {
  MUST(tacit_schema_parse(JSON, strlen(JSON), &schema, NULL) == TACIT_OK);
  MUST(tacit_region_parse(REGION, strlen(REGION), &region, NULL) == TACIT_OK);
  narrow = (tacit_row_image){.inputs = 3, .columns = 2, .cell_bits = 10, .narrow = true, .matrix = MATRIX};
  wide = (tacit_row_image){.inputs = 3, .columns = 3, .cell_bits = 15, .matrix = MATRIX};
  MUST(tacit_row_image_seal(&narrow, NULL) == TACIT_OK && tacit_row_image_seal(&wide, NULL) == TACIT_OK);
}

static void answer(tacit_told_question *told, const tacit_row_image *image) {
  static tacit_design *design;
  tacit_answerer *rows;
  tacit_error error = {""};
  if (told->has_image && tacit_told_question_see(told, image, &error) != TACIT_OK) return;
  if (told->question.kind == TACIT_QUESTION_DECISIONS) told->question.decisions.region = region;
  if (told->facts.columns != 3 || told->facts.targets != 2 || told->facts.cell_bits != TACIT_CELL_BITS)
    return;
  if (tacit_question_check(&told->question, &told->facts, &error) != TACIT_OK) {
    MUST(error.text[0]);
    return;
  }
  MUST(tacit_design_new(schema, NULL, TACIT_CELL_BITS, &design, NULL) == TACIT_OK);
  for (int i = 0; i < ROWS; i++) {
    const double x[] = {1, (double)(i % 9) - 4, i % 50 == 3 ? NAN : (double)(i % 5) / 2.5 - 1};
    const double y[] = {(double)(i % 7) / 3.5 - 1, (double)(i % 11) / 5.5 - 1};
    MUST(tacit_design_add(design, x, y, NULL) == TACIT_OK);
  }
  MUST(tacit_answerer_new(schema, design, NULL, &rows, NULL) == TACIT_OK);
  size_t width = tacit_question_width(&told->question, &told->facts);
  uint64_t *sum = calloc(width + 1, sizeof *sum);
  MUST(sum && tacit_answer(rows, &told->question, sum, &error) == TACIT_OK);
  for (size_t k = 0; k < width; k++) {
    double most = ROWS * tacit_question_reach(&told->question, &told->facts, k);
    MUST(most >= 0x1p62 || fabs((double)(int64_t)sum[k]) <= most * (1 + 0x1p-50));
  }
  free(sum);
  tacit_answerer_free(rows);
}

static void as_question(const uint8_t *data, size_t size) {
  tacit_told_question told;
  tacit_error error = {""};
  if (tacit_question_read(data, size, &told, &error) != TACIT_OK) {
    MUST(error.text[0] && !told.memory);
    return;
  }
  /* a vector has the length of the image's columns: with one of that length the bytes are the same again */
  tacit_row_image image = {.columns = told.vector_length};
  unsigned char *again;
  size_t length;
  memcpy(image.hash, told.image, TACIT_HASH);
  told.question.image = told.has_image ? &image : NULL;
  MUST(tacit_question_write(&told.question, &told.facts, &again, &length, &error) == TACIT_OK);
  MUST(length == size && memcmp(again, data, size) == 0);
  free(again);
  told.question.image = NULL;
  answer(&told, &narrow);
  tacit_told_question_close(&told);
  MUST(tacit_question_read(data, size, &told, &error) == TACIT_OK);
  answer(&told, &wide);
  tacit_told_question_close(&told);
}

static void as_image(const uint8_t *data, size_t size) {
  tacit_row_image *image;
  unsigned char *again, hash[TACIT_HASH];
  size_t length;
  tacit_error error = {""};
  if (tacit_row_image_read(data, size, &image, &error) != TACIT_OK) {
    MUST(!image && error.text[0]);
    return;
  }
  MUST(tacit_row_image_write(image, &again, &length, &error) == TACIT_OK);
  MUST(length == size && memcmp(again, data, size) == 0);
  memcpy(hash, image->hash, sizeof hash);
  MUST(tacit_row_image_seal(image, &error) == TACIT_OK && !memcmp(hash, image->hash, sizeof hash));
  free(again);
  tacit_row_image_free(image);
}

static void as_request_and_reply(const uint8_t *data, size_t size) {
  static tacit_part *part;
  void *reply;
  size_t length;
  tacit_reply read;
  tacit_error error = {""};
  if (!part) {
    tacit_source *source = rows_of();
    MUST(tacit_part_open(source, schema, NULL, &part, NULL) == TACIT_OK);
    tacit_source_free(source);
  }
  if (tacit_part_answer(part, data, size, &reply, &length, &error) == TACIT_OK) {
    MUST(tacit_reply_read(reply, length, &read, &error) == TACIT_OK && read.part_count == 1);
    tacit_reply_free(reply, length);
  } else {
    MUST(!reply && error.text[0]);
  }
  if (tacit_reply_read(data, size, &read, &error) == TACIT_OK)
    MUST(read.part_count > 0 && read.seal + TACIT_HASH == data + size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!schema) set_up();
  as_question(data, size);
  as_image(data, size);
  as_request_and_reply(data, size);
  return 0;
}
