/* The policy as this room's files share it. */
#ifndef TACIT_SRC_POLICY_H
#define TACIT_SRC_POLICY_H

#include "loss/region.h"
#include "loss/rule.h"
#include "privacy/certificate.h"
#include "schema/goals.h"

#include <tacit/policy.h>

#define TACIT_POLICY_FORMAT "tacit-policy"
enum { TACIT_POLICY_VERSION = 2, TACIT_POLICY_OLDEST = 1 };

struct tacit_policy {
  int version;            /* of the format */
  tacit_schema *schema;   /* the table's; */
  tacit_goals by_goal;    /* and with a target for each goal, by which the numbers below are counted */
  tacit_region *region;   /* of decisions; NULL: each target is ordered, and has a goal */
  tacit_goal *goals;      /* all zero where there is a region */
  double *raw;            /* goals x columns, in the user's own units */
  double *encoded;        /* the same for encoded columns */
  double *raw_spread;     /* goals x (columns + 1), in the user's own units; NULL: rules are linear */
  double *encoded_spread; /* the same for encoded columns (loss/rule.h) */
  double **uncertainty; /* of each target a triangle, as a fit has it (method/fit.h), or NULL: not known. NULL
                           by itself: not asked for */
  struct tacit_state *state;      /* for the next policy (method/state.h); NULL: none */
  tacit_certificate *certificate; /* NULL when the file has none */
  json_t *file;                   /* as it was read; NULL for a policy that was just made */
  unsigned char digest[32];       /* SHA-256 of the bytes that were read */
  char writer[12];                /* the version of the program that wrote it; "": this one */
  char schema_hash[65];           /* as the certificate states it */
  char signer[65];                /* the public key it says it was signed with; "" without a signature */
  char signature[129];
};

/* Larger coefficients would leave the range of numbers in a dot product with values up to 1e100. */
#define TACIT_COEFFICIENT_MAX 1e200

/* Takes the goals, with room for their coefficients. NULL: one for each target, all zero, as over a region.
 */
tacit_status tacit_policy_set_goals(tacit_policy *policy, const tacit_goal *goals, size_t count,
                                    tacit_error *error) TACIT_CHECKED;

/* Both take the value. Without memory for any part the whole becomes NULL, and stays it: there is never half
 * a file. */
void tacit_json_put(json_t **object, const char *key, json_t *value);
void tacit_json_append(json_t **array, json_t *value);

/* The whole file as JSON; the caller owns the reference. NULL without memory. */
json_t *tacit_policy_to_json(const tacit_policy *policy);
/* Whether the bytes that were read are the ones this program writes for that JSON, with a line feed at their
   end or without. */
bool tacit_policy_bytes_are(const tacit_policy *policy, const json_t *json);

/* One more check of a verdict; verify.c. */
void tacit_verdict_check(tacit_verdict *verdict, bool holds, const char *format, ...) TACIT_PRINTF(3, 4);
/* The certificate with recomputed sensitivities, or the stated ones where these are larger; to be freed. NULL
   without memory or mechanisms; verify.c. */
tacit_certificate *tacit_policy_recomputed(const tacit_policy *policy);
/* Which release this is, for the ledger that paid (privacy/commitment.h); payment.c. */
tacit_status tacit_policy_commitment(const tacit_policy *policy, char commitment[65],
                                     tacit_error *error) TACIT_CHECKED;
/* From coefficients of the encoded columns to the policy's own, with the certificate. */
typedef struct tacit_learned {
  const tacit_schema *schema;
  const double *coefficients, *spread; /* spread: NULL without one */
  const tacit_certificate *certificate;
  const tacit_goal *goals; /* NULL over a region */
  size_t goal_count;
} tacit_learned;
tacit_status tacit_policy_fill(tacit_policy *policy, const tacit_learned *learned,
                               tacit_error *error) TACIT_CHECKED;
tacit_status tacit_policy_make(const tacit_learned *learned, const tacit_region *region,
                               tacit_policy **policy, tacit_error *error) TACIT_CHECKED;
/* The same for a fit's spread, once the policy has its goals; spread.c. */
tacit_status tacit_policy_fill_spread(tacit_policy *policy, const double *spread,
                                      tacit_error *error) TACIT_CHECKED;
/* The spread to and from its JSON. */
json_t *tacit_policy_spread_json(const tacit_policy *policy);
tacit_status tacit_policy_read_spread(tacit_policy *policy, const json_t *json,
                                      tacit_error *error) TACIT_CHECKED;
/* How sure the rules are: from a fit, to and from the file; uncertainty.c. */
tacit_status tacit_policy_fill_uncertainty(tacit_policy *policy, const double *uncertainty,
                                           tacit_error *error) TACIT_CHECKED;
json_t *tacit_policy_uncertainty_json(const tacit_policy *policy);
tacit_status tacit_policy_read_uncertainty(tacit_policy *policy, const json_t *json,
                                           tacit_error *error) TACIT_CHECKED;
/* Covariances of numbers that a target's rule does not have are 0. Learned from `features` columns; spread:
   whether it has one. */
bool tacit_policy_uncertainty_fits(const tacit_policy *policy, size_t target, size_t features, bool spread);
void tacit_policy_free_uncertainty(tacit_policy *policy);
/* The state, to and from the file; state.c. */
json_t *tacit_policy_state_json(const tacit_policy *policy);
tacit_status tacit_policy_read_state(tacit_policy *policy, const json_t *json,
                                     tacit_error *error) TACIT_CHECKED;
/* How a target is ordered; it points into the policy. */
tacit_rule tacit_policy_rule(const tacit_policy *policy, size_t target);
/* Its "region" to the file, with sorted keys where the policy is new; spo.c. */
json_t *tacit_policy_region_json(const tacit_policy *policy);
/* And from it. */
tacit_status tacit_policy_read_region(tacit_policy *policy, const json_t *json,
                                      tacit_error *error) TACIT_CHECKED;

/* The certificate to and from its JSON object. */
json_t *tacit_certificate_to_json(const tacit_policy *policy);
tacit_status tacit_certificate_from_json(json_t *json, tacit_policy *policy,
                                         tacit_error *error) TACIT_CHECKED;

#endif
