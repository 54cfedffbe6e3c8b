/* Keys in memory, and the signature of a policy to and from JSON. */
#ifndef TACIT_SRC_SIGN_H
#define TACIT_SRC_SIGN_H

#include "policy/policy.h"

#include <tacit/sign.h>

#include <sodium.h>

struct tacit_secret_key {
  unsigned char secret[crypto_sign_SECRETKEYBYTES], public[crypto_sign_PUBLICKEYBYTES];
};

/* NULL without a signature. */
json_t *tacit_signature_json(const tacit_policy *policy);
tacit_status tacit_signature_read(json_t *json, tacit_policy *policy, tacit_error *error) TACIT_CHECKED;

#endif
