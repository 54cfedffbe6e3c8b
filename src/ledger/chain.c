/* The hash chain: SHA-256 over a canonical encoding of an entry and the hash before it
   (docs/formats/ledger.md; proofs/ledger.md). Each field is its length, a colon, its bytes and a comma, so
   that no two entries share an encoding. */
#include "ledger/ledger.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <sodium.h>

static void add(crypto_hash_sha256_state *state, const char *text) {
  char length[24];
  int n = snprintf(length, sizeof length, "%zu:", strlen(text));
  crypto_hash_sha256_update(state, (const unsigned char *)length, (unsigned long long)n);
  crypto_hash_sha256_update(state, (const unsigned char *)text, strlen(text));
  crypto_hash_sha256_update(state, (const unsigned char *)",", 1);
}

static void finish(crypto_hash_sha256_state *state, char hash[TACIT_LEDGER_HASH_SIZE]) {
  unsigned char digest[crypto_hash_sha256_BYTES];
  crypto_hash_sha256_final(state, digest);
  sodium_bin2hex(hash, TACIT_LEDGER_HASH_SIZE, digest, sizeof digest);
}

void tacit_ledger_hash(const tacit_ledger_entry *entry, char hash[TACIT_LEDGER_HASH_SIZE]) {
  char sequence[24];
  snprintf(sequence, sizeof sequence, "%" PRIu64, entry->sequence);
  const char *const fields[] = {"tacit-ledger-entry", sequence,      entry->kind,    entry->label,
                                entry->measure,       entry->amount, entry->method,  entry->schema_hash,
                                entry->date,          entry->nonce,  entry->previous};
  crypto_hash_sha256_state state;
  crypto_hash_sha256_init(&state);
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) add(&state, fields[i]);
  finish(&state, hash);
}

tacit_status tacit_ledger_nonce(char nonce[TACIT_LEDGER_NONCE_SIZE], tacit_error *error) {
  unsigned char random[(TACIT_LEDGER_NONCE_SIZE - 1) / 2];
  if (sodium_init() < 0 || getentropy(random, sizeof random) != 0)
    return tacit_fail(error, TACIT_INTERNAL, "no entropy from the operating system; nothing was spent");
  sodium_bin2hex(nonce, TACIT_LEDGER_NONCE_SIZE, random, sizeof random);
  return TACIT_OK;
}

void tacit_ledger_start_hash(const char *id, char hash[TACIT_LEDGER_HASH_SIZE]) {
  crypto_hash_sha256_state state;
  crypto_hash_sha256_init(&state);
  add(&state, "tacit-ledger");
  add(&state, id);
  finish(&state, hash);
}
