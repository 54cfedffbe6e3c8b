/* Signatures of policies: Ed25519 over the canonical text of everything else in the file. Who signs vouches
   for what the file cannot show: that the noise was drawn. */
#include "policy/sign.h"

#include <stdlib.h>
#include <string.h>

/* So that a signature of a policy can never be one of anything else. */
static const char DOMAIN[] = "tacit-policy-signature-1\n";

/* What is signed; to be freed. NULL without memory. */
static char *signed_text(const tacit_policy *policy) {
  json_t *json = policy->file ? json_copy(policy->file) : tacit_policy_to_json(policy);
  if (!json) return NULL;
  json_object_del(json, "signature");
  char *text = json_dumps(json, JSON_SORT_KEYS | JSON_COMPACT | JSON_REAL_PRECISION(17));
  json_decref(json);
  if (!text) return NULL;
  size_t head = sizeof DOMAIN - 1, length = strlen(text);
  char *whole = tacit_alloc(head + length + 1, 1);
  if (whole) {
    memcpy(whole, DOMAIN, head);
    memcpy(whole + head, text, length + 1);
  }
  free(text);
  return whole;
}

tacit_status tacit_policy_sign(tacit_policy *policy, const tacit_secret_key *key, tacit_error *error) {
  unsigned char signature[crypto_sign_BYTES];
  char *text = signed_text(policy);
  if (!text) return tacit_no_memory(error);
  crypto_sign_detached(signature, NULL, (const unsigned char *)text, strlen(text), key->secret);
  free(text);
  sodium_bin2hex(policy->signature, sizeof policy->signature, signature, sizeof signature);
  sodium_bin2hex(policy->signer, sizeof policy->signer, key->public, sizeof key->public);
  return TACIT_OK;
}

const char *tacit_policy_signer(const tacit_policy *policy) {
  return policy->signer[0] ? policy->signer : NULL;
}

tacit_status tacit_policy_check_signature(const tacit_policy *policy, tacit_error *error) {
  unsigned char signature[crypto_sign_BYTES], public[crypto_sign_PUBLICKEYBYTES];
  if (!policy->signer[0]) return tacit_fail(error, TACIT_CHECK_FAILED, "nobody signed this policy");
  if (sodium_init() < 0) return tacit_fail(error, TACIT_INTERNAL, "no entropy from the operating system");
  char *text = signed_text(policy);
  if (!text) return tacit_no_memory(error);
  bool fits =
      sodium_hex2bin(signature, sizeof signature, policy->signature, 2 * sizeof signature, NULL, NULL,
                     NULL) == 0 &&
      sodium_hex2bin(public, sizeof public, policy->signer, 2 * sizeof public, NULL, NULL, NULL) == 0 &&
      crypto_sign_verify_detached(signature, (const unsigned char *)text, strlen(text), public) == 0;
  free(text);
  if (fits) return TACIT_OK;
  return tacit_fail(error, TACIT_CHECK_FAILED,
                    "the signature does not fit the file: one of them was changed");
}

json_t *tacit_signature_json(const tacit_policy *policy) {
  return json_pack("{s:s, s:s, s:s}", "algorithm", "Ed25519", "public_key", policy->signer, "signature",
                   policy->signature);
}

static bool hex(const char *text, size_t digits) {
  return text && strlen(text) == digits && strspn(text, "0123456789abcdef") == digits;
}

tacit_status tacit_signature_read(json_t *json, tacit_policy *policy, tacit_error *error) {
  const char *public = json_string_value(json_object_get(json, "public_key"));
  const char *signature = json_string_value(json_object_get(json, "signature"));
  if (!json) return TACIT_OK;
  if (!hex(public, sizeof policy->signer - 1) || !hex(signature, sizeof policy->signature - 1))
    return tacit_fail(error, TACIT_BAD_INPUT, "not a policy file: \"signature\" is malformed");
  memcpy(policy->signer, public, sizeof policy->signer);
  memcpy(policy->signature, signature, sizeof policy->signature);
  return TACIT_OK;
}
