/* What reading and writing packed tables share: the magic bytes and the checksums. */
#include "data/pack.h"

#include <sodium.h>

/* The NUL keeps it from being text in any encoding that a table could have. */
const char tacit_pack_magic[TACIT_PACK_MAGIC] = {'t', 'a', 'c', 'i', 't', 0, 'p', 'k'};

_Static_assert(sizeof(tacit_pack_header) == 200, "the header has gaps");

void tacit_pack_block_digest(uint64_t number, const void *block, size_t bytes,
                             unsigned char digest[TACIT_PACK_DIGEST]) {
  crypto_generichash_state state;
  crypto_generichash_init(&state, NULL, 0, TACIT_PACK_DIGEST);
  crypto_generichash_update(&state, (const unsigned char *)&number, sizeof number);
  crypto_generichash_update(&state, block, bytes);
  crypto_generichash_final(&state, digest, TACIT_PACK_DIGEST);
}

void tacit_pack_header_digest(const tacit_pack_header *header, unsigned char digest[32]) {
  crypto_generichash(digest, 32, (const unsigned char *)header, offsetof(tacit_pack_header, digest), NULL, 0);
}
