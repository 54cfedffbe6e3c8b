/* The hash chain: SHA-256 over a canonical encoding of an entry and the hash before it
   (docs/formats/ledger.md; proofs/ledger.md). Entries of earlier versions have no commitment, and one field
   less. */
#include "ledger/ledger.h"

#include "privacy/field_hash.h"

#include <unistd.h>

void tacit_ledger_hash(const tacit_ledger_entry *entry, char hash[TACIT_LEDGER_HASH_SIZE]) {
  const char *const fields[] = {entry->kind,   entry->label,  entry->measure,
                                entry->amount, entry->method, entry->schema_hash,
                                entry->date,   entry->nonce,  entry->previous};
  tacit_field_hash state;
  tacit_field_hash_begin(&state);
  tacit_field_hash_text(&state, "tacit-ledger-entry");
  tacit_field_hash_count(&state, entry->sequence);
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) tacit_field_hash_text(&state, fields[i]);
  if (entry->commitment && *entry->commitment) tacit_field_hash_text(&state, entry->commitment);
  tacit_field_hash_end(&state, hash);
}

tacit_status tacit_ledger_nonce(char nonce[TACIT_LEDGER_NONCE_SIZE], tacit_error *error) {
  unsigned char random[(TACIT_LEDGER_NONCE_SIZE - 1) / 2];
  if (sodium_init() < 0 || getentropy(random, sizeof random) != 0)
    return tacit_fail(error, TACIT_INTERNAL, "no entropy from the operating system; nothing was spent");
  sodium_bin2hex(nonce, TACIT_LEDGER_NONCE_SIZE, random, sizeof random);
  return TACIT_OK;
}

void tacit_ledger_start_hash(const char *id, char hash[TACIT_LEDGER_HASH_SIZE]) {
  tacit_field_hash state;
  tacit_field_hash_begin(&state);
  tacit_field_hash_text(&state, "tacit-ledger");
  tacit_field_hash_text(&state, id);
  tacit_field_hash_end(&state, hash);
}
