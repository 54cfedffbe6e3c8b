/* The hash of a region, by which a certificate names the one it was made for. */
#ifndef TACIT_SRC_REGION_HASH_H
#define TACIT_SRC_REGION_HASH_H

#include "loss/region.h"

/* SHA-256 of the region's JSON in canonical form, 64 hexadecimal digits. */
tacit_status tacit_region_hash(const tacit_region *region, char hash[65], tacit_error *error) TACIT_CHECKED;
/* The text that the hash is of, to be freed. */
tacit_status tacit_region_text(const tacit_region *region, char **text, tacit_error *error) TACIT_CHECKED;

#endif
