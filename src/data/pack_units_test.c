/* A packed table that says whose its rows are gives units together, as the table itself does, whole or in
   parts; a list that was changed is refused, and so is an older file. */
#include "data/pack.h"

#include "base/base.h"
#include "data/read.h"
#include "schema/schema.h"

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

enum { RECORDS = 8000, UNITS = 97, LIMIT = 90 };

static const char JSON[] =
    "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 10}, \"features\": [{\"name\": "
    "\"a\", \"min\": -5, \"max\": 5}], \"unit\": {\"column\": \"who\", "
    "\"rows_per_unit\": 90}}";
static tacit_schema *schema;
static char folder[] = "/tmp/tacit_pack_units_XXXXXX", path[64], *text;
static unsigned char *packed;
static size_t text_length, packed_length;

static tacit_source *table(void) {
  tacit_source *source;
  assert_int_equal(tacit_source_csv_text(text, text_length, &source, NULL), TACIT_OK);
  return source;
}

static void write_file(const unsigned char *bytes, size_t length) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, length, file), length);
  assert_int_equal(fclose(file), 0);
}

static int set_up(void **state) {
  (void)state;
  tacit_pack_counts counts;
  struct stat about;
  assert_int_equal(tacit_schema_parse(JSON, strlen(JSON), &schema, NULL), TACIT_OK);
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/t.tacit", folder);
  text = malloc(RECORDS * 40 + 40);
  text_length = (size_t)sprintf(text, "a,who,y\n");
  for (int i = 0; i < RECORDS; i++) /* some units have more records than they may */
    text_length += (size_t)sprintf(text + text_length, "%.4f,shop %d,%.3f\n", (i * 37 % 900) / 100.0 - 4,
                                   i * i % UNITS, (i * 71 % 900) / 100.0);
  tacit_source *source = table();
  assert_int_equal(tacit_pack_table(source, schema, path, &counts, NULL, NULL), TACIT_OK);
  tacit_source_free(source);
  assert_true(counts.dropped_unit > 0 && counts.rows == RECORDS - counts.dropped_unit);
  assert_int_equal(stat(path, &about), 0);
  packed = malloc(packed_length = (size_t)about.st_size);
  FILE *file = fopen(path, "rb");
  assert_int_equal(fread(packed, 1, packed_length, file), packed_length);
  return fclose(file);
}

static int tear_down(void **state) {
  (void)state;
  unlink(path);
  rmdir(folder);
  free(text);
  free(packed);
  tacit_schema_free(schema);
  return 0;
}

static tacit_status open_part(size_t part, size_t parts, bool units, tacit_design **design,
                              tacit_read_counts *counts, tacit_error *error) {
  const tacit_cell_form form = {.bits = TACIT_CELL_BITS, .units = units};
  tacit_source *source;
  *design = NULL;
  TACIT_TRY(tacit_source_open_part(path, part, parts, &source, error));
  tacit_status status = tacit_read_design(source, schema, &form, design, counts, NULL, error);
  tacit_source_free(source);
  return status;
}

static void assert_same_block(const tacit_design *a, size_t i, const tacit_design *b, size_t k) {
  tacit_block left = tacit_design_block(a, i), right = tacit_design_block(b, k);
  assert_memory_equal(left.cells, right.cells, a->columns * TACIT_BLOCK * sizeof(int32_t));
  assert_memory_equal(left.norms, right.norms, TACIT_BLOCK * sizeof(int32_t));
  assert_memory_equal(left.targets, right.targets, TACIT_BLOCK * sizeof(int32_t));
  assert_int_equal(tacit_design_filled(a, i), tacit_design_filled(b, k));
  size_t runs = a->units->first[i + 1] - a->units->first[i];
  assert_int_equal(runs, b->units->first[k + 1] - b->units->first[k]);
  assert_memory_equal(a->units->end + a->units->first[i], b->units->end + b->units->first[k],
                      runs * sizeof *a->units->end);
}

static void parts_have_the_tables_units(void **state) {
  (void)state;
  const tacit_cell_form form = {.bits = TACIT_CELL_BITS, .units = true};
  tacit_design *all, *some;
  tacit_read_counts counts, read;
  tacit_source *source = table();
  assert_int_equal(tacit_read_design(source, schema, &form, &all, &counts, NULL, NULL), TACIT_OK);
  tacit_source_free(source);
  write_file(packed, packed_length);
  assert_true(all->blocks > 2);
  for (size_t parts = 1; parts <= all->blocks + 2; parts++) {
    size_t block = 0, rows = 0, records = 0;
    for (size_t k = 0; k < parts; k++) {
      assert_int_equal(open_part(k, parts, true, &some, &read, NULL), TACIT_OK);
      for (size_t b = 0; b < some->blocks; b++) assert_same_block(some, b, all, block++);
      rows += read.rows;
      records += read.records;
      tacit_design_free(some);
    }
    assert_true(block == all->blocks && rows == counts.rows && records == counts.records);
  }
  tacit_design_free(all);
}

/* Readers that count row by row see the table's order, as ever. */
static void rows_keep_their_order(void **state) {
  (void)state;
  tacit_design *all, *some;
  tacit_read_counts counts, read;
  tacit_source *source = table();
  assert_int_equal(tacit_read_design(source, schema, NULL, &all, &counts, NULL, NULL), TACIT_OK);
  tacit_source_free(source);
  write_file(packed, packed_length);
  assert_int_equal(open_part(0, 1, false, &some, &read, NULL), TACIT_OK);
  assert_true(!some->units && some->rows == all->rows && read.dropped_unit == counts.dropped_unit);
  for (size_t b = 0; b < all->blocks; b++)
    assert_memory_equal(some->stored.block[b].cells, all->stored.block[b].cells,
                        (all->columns + 2) * TACIT_BLOCK * sizeof(int32_t));
  tacit_design_free(some);
  tacit_design_free(all);
}

/* The checksums of what follows the header, as whoever changes it on purpose would write them. */
static void sign(unsigned char *bytes) {
  tacit_pack_header *h = (tacit_pack_header *)bytes;
  tacit_pack_units *u = (tacit_pack_units *)(bytes + sizeof *h);
  size_t list = (size_t)u->listed * sizeof(uint64_t);
  crypto_generichash(u->list, sizeof u->list, bytes + packed_length - list, list, NULL, 0);
  tacit_pack_header_digest(h, h->digest);
  tacit_pack_units_digest(h, u, u->digest);
}

static void what_was_changed_is_refused(void **state) {
  (void)state;
  tacit_design *design;
  tacit_read_counts counts;
  unsigned char *bytes = malloc(packed_length);
  size_t head = sizeof(tacit_pack_header), rows = (size_t)((tacit_pack_header *)packed)->rows;
  for (size_t k = 0; k < sizeof(tacit_pack_units) + 40; k++) {
    size_t at = k < sizeof(tacit_pack_units) ? head + k : packed_length - 1 - k * 7 % (rows * 8);
    memcpy(bytes, packed, packed_length);
    bytes[at] ^= 1;
    write_file(bytes, packed_length);
    assert_int_equal(open_part(0, 1, true, &design, &counts, NULL), TACIT_BAD_INPUT);
    assert_null(design);
  }
  /* lists that lie: a unit beyond the last one, one with more rows than it may have, rows that are not there
   */
  for (int k = 0; k < 4; k++) {
    memcpy(bytes, packed, packed_length);
    uint64_t *list = (uint64_t *)(bytes + packed_length - rows * 8);
    tacit_pack_units *u = (tacit_pack_units *)(bytes + head);
    if (k == 0) list[5] = u->units;
    if (k == 1)
      for (size_t i = 0; i <= LIMIT; i++) list[i] = 0;
    if (k == 2) u->units = RECORDS + 1;
    if (k == 3) u->shard = 1;
    sign(bytes);
    write_file(bytes, packed_length);
    assert_int_equal(open_part(0, 1, true, &design, &counts, NULL), TACIT_BAD_INPUT);
  }
  write_file(packed, packed_length - 8);
  assert_int_equal(open_part(0, 1, true, &design, &counts, NULL), TACIT_BAD_INPUT);
  free(bytes);
}

static void an_older_file_does_not_say_it(void **state) {
  (void)state;
  tacit_design *design;
  tacit_read_counts counts;
  tacit_error error;
  unsigned char *bytes = malloc(packed_length);
  memcpy(bytes, packed, packed_length);
  tacit_pack_header *h = (tacit_pack_header *)bytes;
  h->version = TACIT_PACK_VERSION;
  tacit_pack_header_digest(h, h->digest);
  memset(bytes + sizeof *h, 0, sizeof(tacit_pack_units));
  write_file(bytes, packed_length - (size_t)h->rows * 8);
  assert_int_equal(open_part(0, 1, true, &design, &counts, &error), TACIT_REFUSED);
  assert_non_null(strstr(error.text, "whose its rows are"));
  assert_int_equal(open_part(0, 1, false, &design, &counts, NULL), TACIT_OK);
  tacit_design_free(design);
  free(bytes);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parts_have_the_tables_units),
      cmocka_unit_test(rows_keep_their_order),
      cmocka_unit_test(what_was_changed_is_refused),
      cmocka_unit_test(an_older_file_does_not_say_it),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
