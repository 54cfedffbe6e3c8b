/* SHA-256 over a list of fields. Each is its length in bytes as a decimal number, a colon, its bytes and a
   comma, so that no two lists share an encoding (docs/formats/ledger.md). */
#ifndef TACIT_SRC_FIELD_HASH_H
#define TACIT_SRC_FIELD_HASH_H

#include <stddef.h>
#include <stdint.h>

#include <sodium.h>

typedef crypto_hash_sha256_state tacit_field_hash;

void tacit_field_hash_begin(tacit_field_hash *hash);
void tacit_field_hash_text(tacit_field_hash *hash, const char *text);
void tacit_field_hash_count(tacit_field_hash *hash, uint64_t count); /* in decimal */
/* The 16 hexadecimal digits of its IEEE 754 bits: exact, and the same under every locale. */
void tacit_field_hash_number(tacit_field_hash *hash, double number);
void tacit_field_hash_end(tacit_field_hash *hash, char digits[65]);

#endif
