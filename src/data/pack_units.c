/* Whose each row of a packed table is: a list behind the blocks, from which the rows of a unit are brought
   together when the table is read by a learner that clips units as a whole (proofs/units.md). The rows
   themselves stay in the table's order. */
#include "base/base.h"
#include "data/pack.h"
#include "schema/schema.h"

#include <errno.h>
#include <sodium.h>
#include <string.h>
#include <unistd.h>

_Static_assert(sizeof(tacit_pack_units) == 96, "the units' header has gaps");
_Static_assert(sizeof(size_t) == sizeof(uint64_t), "a list is read where it will be used");

void tacit_pack_units_digest(const tacit_pack_header *header, const tacit_pack_units *units,
                             unsigned char digest[32]) {
  crypto_generichash_state state;
  crypto_generichash_init(&state, NULL, 0, 32);
  crypto_generichash_update(&state, header->digest, sizeof header->digest);
  crypto_generichash_update(&state, (const unsigned char *)units, offsetof(tacit_pack_units, digest));
  crypto_generichash_final(&state, digest, 32);
}

bool tacit_pack_is_grouped(const tacit_pack *pack, const tacit_schema *schema) {
  return pack->header.version == TACIT_PACK_UNITS && pack->units.listed == pack->header.rows &&
         tacit_schema_whole_units(schema);
}

static bool read_at(int file, void *bytes, size_t count, uint64_t place) {
  for (char *to = bytes; count > 0;) {
    ssize_t n = pread(file, to, count < (1 << 30) ? count : 1 << 30, (off_t)place);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    to += n;
    count -= (size_t)n;
    place += (uint64_t)n;
  }
  return true;
}

static tacit_status read_list(const tacit_pack *pack, tacit_unit_list *list, tacit_error *error) {
  unsigned char digest[32];
  uint64_t place = TACIT_PACK_START + pack->header.blocks * (uint64_t)(pack->block_bytes + TACIT_PACK_DIGEST);
  *list = (tacit_unit_list){.capacity = (size_t)pack->units.listed, .count = (size_t)pack->units.listed};
  if (!(list->unit = tacit_alloc(list->count, sizeof *list->unit))) return tacit_no_memory(error);
  bool good = read_at(pack->descriptor, list->unit, list->count * sizeof *list->unit, place);
  if (good) {
    crypto_generichash(digest, sizeof digest, (const unsigned char *)list->unit,
                       list->count * sizeof *list->unit, NULL, 0);
    good = memcmp(digest, pack->units.list, sizeof digest) == 0;
  }
  for (size_t i = 0; i < list->count && good; i++) good = list->unit[i] < pack->units.units;
  if (good) return TACIT_OK;
  tacit_unit_list_free(list);
  return tacit_fail(error, TACIT_BAD_INPUT,
                    "the packed table's list of units does not match its checksum; pack the table again");
}

tacit_status tacit_pack_places(const tacit_pack *pack, const tacit_schema *schema, tacit_unit_list *list,
                               tacit_unit_places *places, tacit_error *error) {
  *places = (tacit_unit_places){0};
  TACIT_TRY(read_list(pack, list, error));
  TACIT_TRY(tacit_unit_places_open(list, places, error));
  for (size_t u = 0; u < places->units; u++)
    if (places->rows[u] > schema->rows_per_unit)
      return tacit_fail(
          error, TACIT_BAD_INPUT,
          "a unit of the packed table has more rows than the schema allows; pack the table again");
  return TACIT_OK;
}

/* The pack's part of the rows, brought together. */
static tacit_status gather(const tacit_pack *pack, const tacit_schema *schema, const tacit_design *all,
                           tacit_design **design, size_t *rows, tacit_error *error) {
  tacit_unit_list list = {0};
  tacit_unit_places places;
  tacit_status status = tacit_pack_places(pack, schema, &list, &places, error);
  if (status == TACIT_OK) {
    tacit_unit_range range = tacit_unit_places_part(&places, pack->part, pack->parts);
    *rows = range.rows;
    status = tacit_design_gather(all, &list, &places, range, design, error);
  }
  tacit_unit_places_close(&places);
  tacit_unit_list_free(&list);
  return status;
}

tacit_status tacit_pack_groups(const tacit_pack *pack, const tacit_schema *schema, tacit_design **design,
                               tacit_read_counts *counts, const tacit_context *context, tacit_error *error) {
  tacit_pack whole = *pack;
  tacit_design *all = NULL;
  size_t rows = 0;
  whole.part = 0;
  whole.parts = 1;
  *design = NULL;
  *counts = (tacit_read_counts){0};
  if (!tacit_pack_is_grouped(pack, schema))
    return tacit_fail(error, TACIT_REFUSED,
                      "the packed table does not say whose its rows are; pack the table again");
  TACIT_TRY(tacit_pack_design(&whole, schema, TACIT_CELL_BITS, &all, counts, context, error));
  tacit_status status = gather(pack, schema, all, design, &rows, error);
  tacit_design_free(all);
  counts->rows = rows;
  if (pack->part) counts->dropped_lag = counts->dropped_unit = 0;
  counts->records = counts->rows + counts->dropped_lag + counts->dropped_unit;
  return status;
}
