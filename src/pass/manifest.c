/* The manifest of a table in parts. A part that counted twice would double a sensitivity: lines are compared
   with each other before anything is asked (proofs/exact-sums.md, "Rows in an engine"). */
#include "pass/manifest.h"

#include "base/base.h"
#include "data/design_inner.h"
#include "data/design_units.h"
#include "source/source.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

static const char PART[] = "tacit-part-2", ROWS[] = "tacit-rows-2";

static void add_count(crypto_generichash_state *state, uint64_t value) {
  unsigned char bytes[8];
  for (int i = 0; i < 8; i++) bytes[i] = (unsigned char)(value >> (8 * i));
  crypto_generichash_update(state, bytes, sizeof bytes);
}

static void entry_hash(const tacit_part_entry *e, const tacit_schema *schema, unsigned char hash[32]) {
  const uint64_t counts[] = {e->part,         e->parts, e->first,   e->blocks,
                             e->table_blocks, e->rows,  e->records, e->dropped_lag,
                             e->dropped_unit, e->shard, e->shards,  e->whole};
  crypto_generichash_state state;
  crypto_generichash_init(&state, NULL, 0, 32);
  crypto_generichash_update(&state, (const unsigned char *)PART, sizeof PART);
  crypto_generichash_update(&state, (const unsigned char *)tacit_schema_hash(schema), 64);
  crypto_generichash_update(&state, e->table, sizeof e->table);
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) add_count(&state, counts[i]);
  crypto_generichash_final(&state, hash, 32);
}

/* A table's name: of its rows, so that the same rows have one name, packed or not; where units lie together,
   of whose they are, too (`units`, else NULL); and of the entry's shard, for another shard's rows are other
   units', also where they are equal. `digests` is of the blocks' checksums, as a packed table's header has
   it. */
static void name_table(tacit_part_entry *entry, uint64_t rows, const unsigned char digests[32],
                       const unsigned char *units) {
  crypto_generichash_state state;
  crypto_generichash_init(&state, NULL, 0, 32);
  crypto_generichash_update(&state, (const unsigned char *)ROWS, sizeof ROWS);
  add_count(&state, rows);
  crypto_generichash_update(&state, digests, 32);
  if (entry->shards) {
    add_count(&state, entry->shard);
    add_count(&state, entry->shards);
  }
  if (units) crypto_generichash_update(&state, units, 32);
  crypto_generichash_final(&state, entry->table, 32);
}

/* Of blocks that are made from the packed rows when a part is opened: units lie together in them. */
static void entry_grouped(const tacit_pack *pack, const tacit_schema *schema, const tacit_unit_places *places,
                          tacit_part_entry *entry) {
  const tacit_pack_header *h = &pack->header;
  tacit_unit_range range = tacit_unit_places_part(places, pack->part, pack->parts);
  *entry = (tacit_part_entry){.part = pack->part,
                              .parts = pack->parts,
                              .first = range.first,
                              .blocks = range.blocks,
                              .table_blocks = places->blocks,
                              .rows = range.rows,
                              .dropped_lag = pack->part ? 0 : h->dropped_lag,
                              .dropped_unit = pack->part ? 0 : h->dropped_unit,
                              .shard = pack->units.shard,
                              .shards = pack->units.shards,
                              .whole = 1};
  entry->records = entry->rows + entry->dropped_lag + entry->dropped_unit;
  name_table(entry, h->rows, h->digests, pack->units.list);
  entry_hash(entry, schema, entry->hash);
}

static void entry_plain(const tacit_pack *pack, const tacit_schema *schema, tacit_part_entry *entry) {
  const tacit_pack_header *h = &pack->header;
  size_t first, blocks;
  tacit_pack_range(pack, &first, &blocks);
  uint64_t end = (uint64_t)(first + blocks) * TACIT_BLOCK, start = (uint64_t)first * TACIT_BLOCK;
  *entry = (tacit_part_entry){.part = pack->part,
                              .parts = pack->parts,
                              .first = first,
                              .blocks = blocks,
                              .table_blocks = h->blocks,
                              .rows = blocks ? (end < h->rows ? end : h->rows) - start : 0,
                              .dropped_lag = pack->part ? 0 : h->dropped_lag,
                              .dropped_unit = pack->part ? 0 : h->dropped_unit,
                              .shard = pack->units.shard,
                              .shards = pack->units.shards};
  entry->records = entry->rows + entry->dropped_lag + entry->dropped_unit;
  name_table(entry, h->rows, h->digests, NULL);
  entry_hash(entry, schema, entry->hash);
}

tacit_status tacit_entries_packed(tacit_pack *pack, const tacit_schema *schema, size_t part, size_t count,
                                  tacit_part_entry *entries, tacit_error *error) {
  bool grouped = tacit_pack_is_grouped(pack, schema);
  tacit_unit_list list = {0};
  tacit_unit_places places = {0};
  tacit_status status = TACIT_OK;
  if (grouped) status = tacit_pack_places(pack, schema, &list, &places, error);
  for (size_t i = 0; i < count && status == TACIT_OK; i++) {
    pack->part = part + i;
    if (grouped)
      entry_grouped(pack, schema, &places, &entries[i]);
    else
      entry_plain(pack, schema, &entries[i]);
  }
  tacit_unit_places_close(&places);
  tacit_unit_list_free(&list);
  return status;
}

/* Of the runs: which row is whose, as far as it matters. */
static void digest_runs(const tacit_design *design, unsigned char digest[32]) {
  const tacit_unit_runs *runs = design->units;
  crypto_generichash_state state;
  crypto_generichash_init(&state, NULL, 0, 32);
  for (size_t b = 0; b < design->blocks; b++)
    for (size_t u = runs->first[b]; u < runs->first[b + 1]; u++) add_count(&state, runs->end[u]);
  crypto_generichash_final(&state, digest, 32);
}

void tacit_entry_rows(const tacit_design *design, const tacit_schema *schema, const tacit_read_counts *counts,
                      tacit_part_entry *entry) {
  *entry = (tacit_part_entry){.parts = 1,
                              .blocks = design->blocks,
                              .table_blocks = design->blocks,
                              .rows = counts->rows,
                              .records = counts->records,
                              .dropped_lag = counts->dropped_lag,
                              .dropped_unit = counts->dropped_unit,
                              .shard = entry->shard,
                              .shards = entry->shards,
                              .whole = design->units != NULL};
  crypto_generichash_state state;
  unsigned char digest[TACIT_PACK_DIGEST], digests[32], units[32];
  crypto_generichash_init(&state, NULL, 0, sizeof digests);
  for (size_t b = 0; b < design->blocks; b++) {
    tacit_pack_block_digest(b, design->stored.block[b].cells, tacit_block_bytes(design), digest);
    crypto_generichash_update(&state, digest, sizeof digest);
  }
  crypto_generichash_final(&state, digests, sizeof digests);
  if (design->units) digest_runs(design, units);
  name_table(entry, counts->rows, digests, design->units ? units : NULL);
  entry_hash(entry, schema, entry->hash);
}

tacit_status tacit_manifest_packed(const char *path, const tacit_schema *schema, size_t parts,
                                   tacit_part_entry *entries, tacit_error *error) {
  tacit_source *source;
  TACIT_TRY(tacit_source_open_part(path, 0, parts, &source, error));
  tacit_status status = TACIT_OK;
  if (!source->pack)
    status = tacit_fail(error, TACIT_USAGE, "%.300s is not a packed table; pack it first", path);
  else
    status = tacit_pack_check(source->pack, schema, TACIT_CELL_BITS, error);
  if (status == TACIT_OK) status = tacit_entries_packed(source->pack, schema, 0, parts, entries, error);
  tacit_source_free(source);
  return status;
}

static tacit_status changed(size_t line, tacit_error *error) {
  return tacit_fail(
      error, TACIT_BAD_INPUT,
      "line %zu of the manifest was changed, or is of another schema; let the part say it again", line + 1);
}

/* Blocks with whole units are not always full, and never empty. */
static bool blocks_fit(const tacit_part_entry *e) {
  uint64_t full = (e->rows + TACIT_BLOCK - 1) / TACIT_BLOCK;
  return e->whole ? e->whole == 1 && e->blocks >= full && e->blocks <= e->rows : e->blocks == full;
}

static bool sound(const tacit_part_entry *e, const tacit_schema *schema) {
  unsigned char hash[32];
  entry_hash(e, schema, hash);
  return memcmp(hash, e->hash, sizeof hash) == 0 && e->part < e->parts && e->first <= e->table_blocks &&
         e->blocks <= e->table_blocks - e->first && e->rows <= TACIT_ROWS_MAX && blocks_fit(e) &&
         (e->shards ? e->shard < e->shards : e->shard == 0) && e->records <= TACIT_ROWS_MAX &&
         e->dropped_lag <= e->records && e->dropped_unit <= e->records - e->dropped_lag &&
         e->rows == e->records - e->dropped_lag - e->dropped_unit;
}

/* By table, and by place in it; lines without rows first. */
static int by_place(const void *a, const void *b) {
  const tacit_part_entry *e = *(const tacit_part_entry *const *)a, *f = *(const tacit_part_entry *const *)b;
  int order = memcmp(e->table, f->table, sizeof e->table);
  if (order) return order;
  if (e->first != f->first) return e->first < f->first ? -1 : 1;
  return e->blocks < f->blocks ? -1 : e->blocks > f->blocks;
}

static tacit_status check_order(const tacit_part_entry *const *sorted, size_t count, size_t *tables,
                                tacit_error *error) {
  uint64_t next = 0;
  *tables = 0;
  for (size_t i = 0; i < count; i++) {
    const tacit_part_entry *e = sorted[i], *last = i ? sorted[i - 1] : NULL;
    bool begins = !last || memcmp(last->table, e->table, sizeof e->table) != 0;
    if (begins) next = 0, ++*tables;
    if (e->first < next)
      return tacit_fail(
          error, TACIT_REFUSED,
          "two parts of the manifest have rows in common, which would count twice; list every part once");
    if (e->first > next || (!begins && e->whole != last->whole)) break;
    next = e->first + e->blocks;
    bool ends = i + 1 == count || memcmp(sorted[i + 1]->table, e->table, sizeof e->table) != 0;
    if (ends && next != e->table_blocks) break;
    if (i + 1 == count) return TACIT_OK;
  }
  return count == 0 ? TACIT_OK
                    : tacit_fail(error, TACIT_REFUSED,
                                 "the manifest lacks a part of a table; list all of its parts");
}

static int by_shard(const void *a, const void *b) {
  const tacit_part_entry *e = *(const tacit_part_entry *const *)a, *f = *(const tacit_part_entry *const *)b;
  if (e->shard != f->shard) return e->shard < f->shard ? -1 : 1;
  return memcmp(e->table, f->table, sizeof e->table);
}

/* Whether every table is a shard of its own, of as many as the others: no unit is then in two of them. */
static bool are_shards(const tacit_part_entry **lines, size_t count) {
  qsort(lines, count, sizeof *lines, by_shard);
  for (size_t i = 0; i < count; i++) {
    if (!lines[i]->shards || lines[i]->shards != lines[0]->shards) return false;
    bool same_table = i && !memcmp(lines[i]->table, lines[i - 1]->table, sizeof lines[i]->table);
    if (i && lines[i]->shard == lines[i - 1]->shard && !same_table) return false;
  }
  return true;
}

/* What a table in several pieces cannot promise. */
static tacit_status check_pieces(const tacit_schema *schema, const tacit_part_entry **lines, size_t count,
                                 tacit_error *error) {
  if (!tacit_schema_needs_all(schema)) return TACIT_OK;
  if (schema->largest_lag > 0 || tacit_schema_looks_up(schema))
    return tacit_fail(
        error, TACIT_REFUSED,
        "lags and look-ups need the table in one piece; pack it (tacit_pack_table), and make the "
        "manifest of the one packed table");
  if (are_shards(lines, count)) return TACIT_OK;
  return tacit_fail(
      error, TACIT_REFUSED,
      "with \"unit.column\" a table in several pieces needs every unit in one of them: bring its "
      "records to shards (tacit_unit_shards) before they are packed, a shard in each piece; or pack "
      "it in one piece (tacit_pack_table)");
}

tacit_status tacit_manifest_check(const tacit_schema *schema, const tacit_part_entry *entries, size_t count,
                                  tacit_error *error) {
  size_t tables = 0, used = 0;
  uint64_t records = 0;
  const tacit_part_entry **sorted = tacit_alloc(count + 1, sizeof *sorted);
  if (!sorted) return tacit_no_memory(error);
  tacit_status status = TACIT_OK;
  for (size_t i = 0; i < count && status == TACIT_OK; i++) {
    if (!sound(&entries[i], schema) || entries[i].records > TACIT_ROWS_MAX - records)
      status = changed(i, error);
    records += entries[i].records;
    if (entries[i].records) sorted[used++] = &entries[i];
  }
  qsort(sorted, used, sizeof *sorted, by_place);
  if (status == TACIT_OK) status = check_order(sorted, used, &tables, error);
  if (status == TACIT_OK && tables > 1) status = check_pieces(schema, sorted, used, error);
  free(sorted);
  return status;
}
