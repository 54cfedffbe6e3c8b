/* SHA-256 over a list of fields. */
#include "privacy/field_hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void tacit_field_hash_begin(tacit_field_hash *hash) {
  crypto_hash_sha256_init(hash);
}

void tacit_field_hash_text(tacit_field_hash *hash, const char *text) {
  char length[24];
  int n = snprintf(length, sizeof length, "%zu:", strlen(text));
  crypto_hash_sha256_update(hash, (const unsigned char *)length, (unsigned long long)n);
  crypto_hash_sha256_update(hash, (const unsigned char *)text, strlen(text));
  crypto_hash_sha256_update(hash, (const unsigned char *)",", 1);
}

void tacit_field_hash_count(tacit_field_hash *hash, uint64_t count) {
  char text[24];
  snprintf(text, sizeof text, "%" PRIu64, count);
  tacit_field_hash_text(hash, text);
}

void tacit_field_hash_number(tacit_field_hash *hash, double number) {
  uint64_t bits;
  char text[17];
  memcpy(&bits, &number, sizeof bits);
  snprintf(text, sizeof text, "%016" PRIx64, bits);
  tacit_field_hash_text(hash, text);
}

void tacit_field_hash_end(tacit_field_hash *hash, char digits[65]) {
  unsigned char digest[crypto_hash_sha256_BYTES];
  crypto_hash_sha256_final(hash, digest);
  sodium_bin2hex(digits, 65, digest, sizeof digest);
}
