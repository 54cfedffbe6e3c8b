/* Signatures: who vouches for a policy. Ed25519 over the policy's canonical text (docs/formats/policy.md). */
#ifndef TACIT_SIGN_H
#define TACIT_SIGN_H

#include <tacit/policy.h>

TACIT_BEGIN

enum { TACIT_KEY_TEXT = 65 }; /* 64 hexadecimal digits */

/* Makes a pair of keys from the operating system's entropy and writes each to a new file, the secret one for
   its owner's eyes alone. A file that is there is never replaced: TACIT_REFUSED. */
TACIT_API tacit_status tacit_keys_make(const char *secret_path, const char *public_path,
                                       char public_key[TACIT_KEY_TEXT], tacit_error *error) TACIT_CHECKED;

/* A secret key in memory that is not swapped or dumped where the system allows, and wiped when it is freed.
   TACIT_REFUSED for a file that others may read; TACIT_BAD_INPUT for one that is no secret key. */
typedef struct tacit_secret_key tacit_secret_key;
TACIT_API tacit_status tacit_secret_key_read(const char *path, tacit_secret_key **key,
                                             tacit_error *error) TACIT_CHECKED;
TACIT_API void tacit_secret_key_free(tacit_secret_key *key); /* NULL is fine */
TACIT_API tacit_status tacit_public_key_read(const char *path, char public_key[TACIT_KEY_TEXT],
                                             tacit_error *error) TACIT_CHECKED;

/* Signs the policy as it stands: receipt and all. */
TACIT_API tacit_status tacit_policy_sign(tacit_policy *policy, const tacit_secret_key *key,
                                         tacit_error *error) TACIT_CHECKED;
/* The public key that the policy says it was signed with; NULL without a signature. */
TACIT_API const char *tacit_policy_signer(const tacit_policy *policy);
/* Whether the signature fits the policy and that key. TACIT_CHECK_FAILED when it does not, or is missing. */
TACIT_API tacit_status tacit_policy_check_signature(const tacit_policy *policy,
                                                    tacit_error *error) TACIT_CHECKED;

TACIT_END

#endif
