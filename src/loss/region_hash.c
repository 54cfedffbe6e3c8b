/* The hash of a region, and the text that it is of. */
#include "loss/region_hash.h"

#include "base/base.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

/* Sorted keys, no white space, 17 digits: texts that mean the same facts in the same words hash the same. */
static char *text_of(const tacit_region *region) {
  return json_dumps(region->json, JSON_SORT_KEYS | JSON_COMPACT | JSON_REAL_PRECISION(17));
}

tacit_status tacit_region_hash(const tacit_region *region, char hash[65], tacit_error *error) {
  char *text = text_of(region);
  if (!text) return tacit_no_memory(error);
  unsigned char digest[crypto_hash_sha256_BYTES];
  crypto_hash_sha256(digest, (const unsigned char *)text, strlen(text));
  sodium_bin2hex(hash, 65, digest, sizeof digest);
  free(text);
  return TACIT_OK;
}

tacit_status tacit_region_text(const tacit_region *region, char **text, tacit_error *error) {
  *text = text_of(region);
  return *text ? TACIT_OK : tacit_no_memory(error);
}
