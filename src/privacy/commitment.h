/* Which release a payment is for: a hash of everything public that is fixed before the first noise bit. The
   learner gives it to the ledger, and verification computes it again from the policy (proofs/ledger.md,
   Claim 6; docs/formats/ledger.md says it field by field). */
#ifndef TACIT_SRC_COMMITMENT_H
#define TACIT_SRC_COMMITMENT_H

#include "privacy/certificate.h"

typedef struct tacit_committed {
  const tacit_certificate *certificate; /* its method, unit, guarantee, noise and inputs */
  const tacit_certificate
      *releases; /* whose mechanisms are those that will be made, or were; not read where */
  bool follow;   /* the method chooses them on the way: its inputs and guarantee fix all that can be fixed */
  const char *schema_hash;
  const double *goals; /* what is asked: the targets' quantiles; of an evaluation, the rule and its costs */
  size_t goal_count;
} tacit_committed;

/* 64 hexadecimal digits. TACIT_INTERNAL without memory. */
tacit_status tacit_commitment(const tacit_committed *committed, char commitment[65],
                              tacit_error *error) TACIT_CHECKED;

#endif
