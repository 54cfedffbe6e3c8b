/* A packed table gives the rows that the table gives; one that is cut, changed or made up is refused. */
#include "data/pack.h"

#include "data/read.h"

#include <setjmp.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* last: it needs the others */
#include <cmocka.h>

enum { ROWS = 2 * TACIT_BLOCK + 300 };

static const char JSON[] =
    "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 10}, \"features\": [{\"name\": "
    "\"a\", \"min\": -5, \"max\": 5}, {\"name\": \"c\", \"levels\": [\"u\", \"v\"]}]}";
static tacit_schema *schema;
static char folder[] = "/tmp/tacit_pack_XXXXXX", path[64];
static char *text;
static size_t text_length;
static unsigned char *packed; /* the file's bytes */
static size_t packed_length;
static tacit_design *expected;

static void write_file(const unsigned char *bytes, size_t length) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, length, file), length);
  assert_int_equal(fclose(file), 0);
}

static int set_up(void **state) {
  (void)state;
  assert_int_equal(tacit_schema_parse(JSON, strlen(JSON), &schema, NULL), TACIT_OK);
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/t.tacit", folder);
  text = malloc(ROWS * 32 + 32);
  text_length = (size_t)sprintf(text, "a,c,y\n");
  for (int i = 0; i < ROWS; i++)
    text_length += (size_t)sprintf(text + text_length, "%.4f,%s,%.3f\n", (i * 37 % 1200) / 100.0 - 6,
                                   i % 3 ? "u" : "v", (i * 71 % 900) / 100.0);
  tacit_source *source;
  tacit_pack_counts counts;
  tacit_read_counts read;
  tacit_error error;
  assert_int_equal(tacit_source_csv_text(text, text_length, &source, NULL), TACIT_OK);
  if (tacit_pack_table(source, schema, path, &counts, NULL, &error)) fail_msg("%s", error.text);
  tacit_source_free(source);
  assert_int_equal(counts.records, ROWS);
  assert_int_equal(counts.rows, ROWS);
  struct stat about;
  assert_int_equal(stat(path, &about), 0);
  assert_int_equal(about.st_mode & 0777, 0600);
  packed_length = (size_t)about.st_size;
  packed = malloc(packed_length);
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  assert_int_equal(fread(packed, 1, packed_length, file), packed_length);
  fclose(file);
  assert_int_equal(tacit_source_csv_text(text, text_length, &source, NULL), TACIT_OK);
  assert_int_equal(tacit_read_design(source, schema, NULL, &expected, &read, NULL, NULL), TACIT_OK);
  tacit_source_free(source);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  unlink(path);
  rmdir(folder);
  free(text);
  free(packed);
  tacit_design_free(expected);
  tacit_schema_free(schema);
  return 0;
}

static size_t block_bytes(void) {
  return (expected->columns + 2) * TACIT_BLOCK * sizeof(int32_t);
}

/* The file as it is now, opened and made a design; the design must be right if there is one. */
static tacit_status open_now(tacit_error *error) {
  tacit_source *source;
  tacit_design *design;
  tacit_read_counts counts;
  tacit_status status = tacit_source_open(path, &source, error);
  if (status) return status;
  status = tacit_read_design(source, schema, NULL, &design, &counts, NULL, error);
  if (!status) {
    assert_int_equal(counts.records, ROWS);
    assert_int_equal(design->rows, expected->rows);
    for (size_t b = 0; b < design->blocks; b++)
      assert_memory_equal(design->stored.block[b].cells, expected->stored.block[b].cells, block_bytes());
    tacit_design_free(design);
  }
  tacit_source_free(source);
  return status;
}

static void a_packed_table_has_the_tables_rows(void **state) {
  (void)state;
  tacit_error error;
  write_file(packed, packed_length);
  if (open_now(&error)) fail_msg("%s", error.text);
}

/* All parts together are the whole, also with more parts than blocks. */
static void parts_make_the_whole(void **state) {
  (void)state;
  write_file(packed, packed_length);
  for (size_t parts = 1; parts <= 5; parts++) {
    tacit_source *source;
    size_t block = 0, rows = 0, records = 0;
    for (size_t part = 0; part < parts; part++) {
      assert_int_equal(tacit_source_open_part(path, part, parts, &source, NULL), TACIT_OK);
      tacit_design *design;
      tacit_read_counts counts;
      assert_int_equal(tacit_pack_design(source->pack, schema, TACIT_CELL_BITS, &design, &counts, NULL, NULL),
                       TACIT_OK);
      for (size_t b = 0; b < design->blocks; b++, block++)
        assert_memory_equal(design->stored.block[b].cells, expected->stored.block[block].cells,
                            block_bytes());
      rows += design->rows;
      records += counts.records;
      tacit_design_free(design);
      tacit_source_free(source);
    }
    assert_int_equal(rows, ROWS);
    assert_int_equal(records, ROWS);
  }
}

/* Any byte of it changed, anywhere: refused, every time. */
static void changed_files_are_refused(void **state) {
  (void)state;
  uint64_t random = 88172645463325252ULL;
  unsigned char *copy = malloc(packed_length);
  for (int k = 0; k < 400; k++) {
    memcpy(copy, packed, packed_length);
    random = random * 6364136223846793005ULL + 1442695040888963407ULL;
    size_t at = k < 200 ? (size_t)k : (size_t)(random >> 33) % packed_length;
    copy[at] ^= (unsigned char)(1 + (random >> 20) % 255);
    write_file(copy, packed_length);
    tacit_error error;
    tacit_status status = open_now(&error);
    if (status != TACIT_BAD_INPUT) fail_msg("byte %zu changed: status %d", at, status);
    assert_true(strlen(error.text) > 20);
  }
  free(copy);
}

static void cut_and_long_files_are_refused(void **state) {
  (void)state;
  const size_t lengths[] = {8, 9, 199, 200, 4095, 4096, 4097, 50000, packed_length - 16, packed_length - 1};
  tacit_error error;
  for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
    write_file(packed, lengths[k]);
    assert_int_equal(open_now(&error), TACIT_BAD_INPUT);
  }
  unsigned char *longer = calloc(packed_length + block_bytes() + 16, 1);
  memcpy(longer, packed, packed_length);
  write_file(longer, packed_length + 1);
  assert_int_equal(open_now(&error), TACIT_BAD_INPUT);
  write_file(longer, packed_length + block_bytes() + 16);
  assert_int_equal(open_now(&error), TACIT_BAD_INPUT);
  free(longer);
}

/* All checksums as they should be: only what the rows say can give a liar away. */
static void sign(unsigned char *bytes) {
  tacit_pack_header *header = (tacit_pack_header *)bytes;
  unsigned char *table = bytes + TACIT_PACK_START + expected->blocks * block_bytes();
  for (size_t b = 0; b < expected->blocks; b++)
    tacit_pack_block_digest(b, bytes + TACIT_PACK_START + b * block_bytes(), block_bytes(),
                            table + b * TACIT_PACK_DIGEST);
  crypto_generichash(header->digests, 32, table, expected->blocks * TACIT_PACK_DIGEST, NULL, 0);
  tacit_pack_header_digest(header, header->digest);
}

static void rows_out_of_bounds_are_refused(void **state) {
  (void)state;
  static const struct {
    size_t lane, row; /* lanes: three columns, norms, targets */
    int32_t value;
  } lies[] = {
      {1, 5, TACIT_CELL_MAX + 1}, {1, 5, INT32_MIN}, {3, 5, 1},         {3, 5, INT32_MAX}, {3, 5, -1},
      {4, 5, (1 << 30) + 1},      {4, 5, INT32_MIN}, {1, 900, 1 << 17}, {3, 900, 1},       {4, 900, 1}};
  unsigned char *copy = malloc(packed_length);
  tacit_error error;
  for (size_t k = 0; k < sizeof lies / sizeof *lies; k++) {
    memcpy(copy, packed, packed_length);
    int32_t *block = (int32_t *)(copy + TACIT_PACK_START + (expected->blocks - 1) * block_bytes());
    block[lies[k].lane * TACIT_BLOCK + lies[k].row] = lies[k].value; /* row 900 lies behind the last one */
    sign(copy);
    write_file(copy, packed_length);
    assert_int_equal(open_now(&error), TACIT_BAD_INPUT);
    assert_non_null(strstr(error.text, "block 3"));
  }
  memcpy(copy, packed, packed_length);
  sign(copy);
  assert_memory_equal(copy, packed, packed_length);
  free(copy);
}

static void lie(tacit_pack_header *h, int which) {
  if (which == 0) h->rows = UINT64_MAX;
  if (which == 1) h->blocks = UINT64_MAX / 2;
  if (which == 2) h->rows = h->records = UINT64_C(1) << 60, h->blocks = h->rows / TACIT_BLOCK;
  if (which == 3) h->columns = 0;
  if (which == 4) h->columns = UINT32_MAX;
  if (which == 5) h->targets = UINT32_MAX;
  if (which == 6) h->dropped_lag = 1;
  if (which == 7) h->dropped_unit = UINT64_MAX;
  if (which == 8) h->version = 2;
  if (which == 9) h->rows = h->records = 0, h->blocks = 0;
  if (which == 10) h->rows--, h->records--; /* the last row is then behind the end */
  if (which == 11) h->schema[3] ^= 1;
  if (which == 12) h->rows = h->records = UINT64_C(1) << 53, h->blocks = h->rows / TACIT_BLOCK;
}

static void headers_that_lie_are_refused(void **state) {
  (void)state;
  unsigned char *copy = malloc(packed_length);
  tacit_error error;
  for (int k = 0; k <= 12; k++) {
    memcpy(copy, packed, packed_length);
    tacit_pack_header *header = (tacit_pack_header *)copy;
    lie(header, k);
    tacit_pack_header_digest(header, header->digest);
    write_file(copy, packed_length);
    tacit_status status = open_now(&error);
    if (status != TACIT_BAD_INPUT) fail_msg("case %d: %d", k, status);
  }
  free(copy);
}

static void what_a_packed_table_is_not_for(void **state) {
  (void)state;
  tacit_source *source;
  tacit_sample *sample;
  tacit_encoder *encoder;
  tacit_read_counts counts;
  tacit_error error;
  write_file(packed, packed_length);
  assert_int_equal(tacit_source_open(path, &source, NULL), TACIT_OK);
  assert_int_equal(tacit_read_sample(source, schema, &sample, &counts, NULL, &error), TACIT_BAD_INPUT);
  assert_non_null(strstr(error.text, "packed table"));
  assert_int_equal(tacit_encoder_new(source, schema, true, &encoder, &error), TACIT_BAD_INPUT);
  tacit_design *design;
  double root[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const tacit_cell_form whitened = {.whiten = root, .bits = 17}, coarse = {.bits = 16};
  assert_int_equal(tacit_read_design(source, schema, &whitened, &design, &counts, NULL, &error), TACIT_USAGE);
  assert_int_equal(tacit_read_design(source, schema, &coarse, &design, &counts, NULL, &error), TACIT_USAGE);
  tacit_source_free(source);
  tacit_pack_counts packed_counts;
  assert_int_equal(tacit_source_csv_text(text, text_length, &source, NULL), TACIT_OK);
  assert_int_equal(tacit_pack_table(source, schema, folder, &packed_counts, NULL, &error), TACIT_USAGE);
  assert_int_equal(tacit_pack_table(source, schema, "/no/such/folder/t", &packed_counts, NULL, &error),
                   TACIT_INTERNAL);
  tacit_source_free(source);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_packed_table_has_the_tables_rows), cmocka_unit_test(parts_make_the_whole),
      cmocka_unit_test(changed_files_are_refused),          cmocka_unit_test(cut_and_long_files_are_refused),
      cmocka_unit_test(rows_out_of_bounds_are_refused),     cmocka_unit_test(headers_that_lie_are_refused),
      cmocka_unit_test(what_a_packed_table_is_not_for)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
