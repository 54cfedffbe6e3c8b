/* A packed table: encoded rows in a file, in the blocks that a design has, each with a checksum
   (docs/formats/pack.md). A design over it uses the blocks where they lie in the mapped file. */
#ifndef TACIT_SRC_PACK_H
#define TACIT_SRC_PACK_H

#include "data/design.h"
#include "data/design_units.h"

enum {
  TACIT_PACK_VERSION = 1,
  TACIT_PACK_UNITS = 2,    /* the version in which units are spoken of */
  TACIT_PACK_START = 4096, /* bytes before the first block */
  TACIT_PACK_DIGEST = 16,  /* bytes of a block's checksum */
  TACIT_PACK_MAGIC = 8
};
extern const char tacit_pack_magic[TACIT_PACK_MAGIC];

/* For those who want more than a private learner does. */
#define TACIT_PACK_HAS_NO_RECORDS                                                                            \
  "a packed table holds rows for private learners and nothing else; use the table it was made from"

/* The file's first bytes, as they are; little-endian. The layout has no gaps. */
typedef struct tacit_pack_header {
  char magic[TACIT_PACK_MAGIC];
  uint32_t version, block_rows, columns, targets, cell_bits, target_bits;
  uint64_t rows, records, dropped_lag, dropped_unit, blocks;
  char schema[64];           /* the schema's hash */
  unsigned char digests[32]; /* of the blocks' checksums, which follow the blocks */
  unsigned char digest[32];  /* of everything above */
} tacit_pack_header;

/* What follows the header in the version with units. */
typedef struct tacit_pack_units {
  uint64_t units, listed; /* whose each row is, by number below `units`, is listed for all rows or for none */
  uint64_t shard, shards; /* all units are of this shard (data/shards.h); 0, 0: nothing is said */
  unsigned char list[32]; /* digest of the list, which follows the blocks' checksums */
  unsigned char digest[32]; /* of the header's digest and everything above */
} tacit_pack_units;

/* An open packed table. Its header fits its size; its blocks have not been looked at. */
typedef struct tacit_pack {
  int descriptor;
  tacit_pack_header header;
  tacit_pack_units units; /* zero in the version without */
  size_t block_bytes, file_bytes;
  size_t part, parts; /* which part of the rows is asked for */
} tacit_pack;

/* A block's checksum: its number is part of it, so that blocks cannot change places. */
void tacit_pack_block_digest(uint64_t number, const void *block, size_t bytes,
                             unsigned char digest[TACIT_PACK_DIGEST]);
/* The header's own checksum. */
void tacit_pack_header_digest(const tacit_pack_header *header, unsigned char digest[32]);

/* Takes over the descriptor, also when it fails. TACIT_BAD_INPUT for a file that is cut, changed or not
   ours. */
tacit_status tacit_pack_open(int descriptor, const char *path, tacit_pack **pack,
                             tacit_error *error) TACIT_CHECKED;
void tacit_pack_close(tacit_pack *pack);
/* The same as a source; open.c. */
tacit_status tacit_source_pack(int descriptor, const char *path, tacit_source **source,
                               tacit_error *error) TACIT_CHECKED;
/* The blocks of the pack's part. */
void tacit_pack_range(const tacit_pack *pack, size_t *first, size_t *blocks);
/* Refuses another schema than the table was packed with, and another grid. */
tacit_status tacit_pack_check(const tacit_pack *pack, const tacit_schema *schema, int cell_bits,
                              tacit_error *error) TACIT_CHECKED;
/* The rows of the pack's part as a design, after looking at each of its blocks: the checksum, and that cells,
   norms and targets are within the bounds that sensitivities rest on. The counts of what was left out are
   with part 0. Refuses another schema than the table was packed with, and another grid. */
tacit_status tacit_pack_design(const tacit_pack *pack, const tacit_schema *schema, int cell_bits,
                               tacit_design **design, tacit_read_counts *counts, const tacit_context *context,
                               tacit_error *error) TACIT_CHECKED;

/* The same of rows of which the file says whose they are: a unit's lie together (data/design_units.h), and
   parts have whole units. TACIT_REFUSED for a file that does not say it. pack_units.c */
tacit_status tacit_pack_groups(const tacit_pack *pack, const tacit_schema *schema, tacit_design **design,
                               tacit_read_counts *counts, const tacit_context *context,
                               tacit_error *error) TACIT_CHECKED;
/* Whether it says it, and the schema asks for it. */
bool tacit_pack_is_grouped(const tacit_pack *pack, const tacit_schema *schema);
/* Whose each row is, and where they go; both to be freed in all cases. TACIT_BAD_INPUT for a list that was
   changed, or with more rows for a unit than the schema has. */
tacit_status tacit_pack_places(const tacit_pack *pack, const tacit_schema *schema, tacit_unit_list *list,
                               tacit_unit_places *places, tacit_error *error) TACIT_CHECKED;
void tacit_pack_units_digest(const tacit_pack_header *header, const tacit_pack_units *units,
                             unsigned char digest[32]);

/* Of what a file of rows is written to only a regular file is replaced: TACIT_USAGE for anything else. */
tacit_status tacit_check_replaced(const char *path, tacit_error *error) TACIT_CHECKED;

#endif
