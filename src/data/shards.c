/* Units by shards. The hash has no secret key: every worker must find the same shard. Whoever chooses names
   may fill one shard with them, which costs time and nothing else. */
#include "data/shards.h"

#include "base/base.h"
#include "data/name_table.h"
#include "data/unit_name.h"
#include "schema/schema.h"

#include <math.h>
#include <sodium.h>
#include <stdlib.h>
#include <tacit/data.h>

enum { SHARDS_MAX = 1 << 20 };
static const unsigned char KEY[crypto_shorthash_KEYBYTES] = "tacit's shards 1";

static bool names_nobody(const tacit_cell *cell) {
  return cell->text ? cell->length == 0 : isnan(cell->number);
}

size_t tacit_shard_of(const tacit_cell *cell, size_t shards) {
  unsigned char hash[crypto_shorthash_BYTES];
  double number;
  size_t length;
  uint64_t value = 0;
  const void *name = tacit_cell_name(cell, &number, &length);
  crypto_shorthash(hash, name, names_nobody(cell) ? 0 : length, KEY);
  for (size_t i = 0; i < sizeof hash; i++) value |= (uint64_t)hash[i] << (8 * i);
  return (size_t)(value % shards);
}

tacit_status tacit_shard_check(const tacit_source *source, const tacit_cell *unit, tacit_error *error) {
  if (!source->origin.shards || tacit_shard_of(unit, source->origin.shards) == source->origin.shard)
    return TACIT_OK;
  return tacit_fail(
      error, TACIT_BAD_INPUT,
      "record %zu is of a unit in another shard than %zu of %zu; bring every record to the shard "
      "that tacit_unit_shards says",
      source->record, source->origin.shard, source->origin.shards);
}

tacit_status tacit_source_shard(tacit_source *source, size_t shard, size_t shards, tacit_error *error) {
  if (source->pack || source->engine)
    return tacit_fail(error, TACIT_USAGE, "a packed table says itself which shard it is of");
  if (shard >= shards || shards > SHARDS_MAX)
    return tacit_fail(error, TACIT_USAGE, "there are 1 to %d shards, numbered from 0", SHARDS_MAX);
  source->origin.shard = shard;
  source->origin.shards = shards;
  return TACIT_OK;
}

static tacit_status add(tacit_shards *found, size_t *capacity, size_t shard, tacit_error *error) {
  uint32_t *grown = tacit_grow(found->shard, capacity, found->records + 1, sizeof *grown);
  if (!grown) return tacit_no_memory(error);
  found->shard = grown;
  found->shard[found->records++] = (uint32_t)shard;
  return TACIT_OK;
}

static tacit_status read_shards(tacit_source *source, size_t column, size_t shards, tacit_cell *cells,
                                tacit_shards *found, tacit_error *error) {
  bool digits = source->header.declared && source->header.declared[column] == TACIT_DECLARED_NUMBERS;
  const tacit_cell *unit = &cells[column];
  size_t capacity = 0;
  for (bool more = true;;) {
    TACIT_TRY(source->next(source, cells, &more, error));
    if (!more) return TACIT_OK;
    TACIT_TRY(tacit_unit_name_check(source, column, unit, error));
    TACIT_TRY(add(found, &capacity, tacit_shard_of(unit, shards), error));
    if (names_nobody(unit)) continue;
    if (unit->text && !digits)
      found->texts = true;
    else
      found->numbers = true;
  }
}

tacit_status tacit_unit_shards(tacit_source *source, const tacit_schema *schema, size_t shards,
                               tacit_shards *found, tacit_error *error) {
  size_t column;
  *found = (tacit_shards){0};
  if (!schema->unit_column)
    return tacit_fail(error, TACIT_USAGE, "shards are of units by a column, and the schema names none");
  if (shards == 0 || shards > SHARDS_MAX)
    return tacit_fail(error, TACIT_USAGE, "there are 1 to %d shards", SHARDS_MAX);
  if (source->pack || source->engine)
    return tacit_fail(error, TACIT_USAGE, "rows that are packed cannot be brought to shards; use the table");
  TACIT_TRY(tacit_source_check_unit(source, schema, error));
  TACIT_TRY(tacit_source_find(source, schema->unit_column, &column, error));
  tacit_cell *cells = tacit_alloc(source->columns, sizeof *cells);
  if (!cells) return tacit_no_memory(error);
  tacit_status status = read_shards(source, column, shards, cells, found, error);
  free(cells);
  if (status == TACIT_OK) return TACIT_OK;
  free(found->shard);
  *found = (tacit_shards){0};
  return status;
}
