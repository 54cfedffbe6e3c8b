/* What a policy's guarantee means for what somebody may come to believe, as a table for people. */
#include "cli.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Up: a belief is never shown smaller than it may be. */
static double percent(double belief) {
  return fmin(ceil(belief * 1e4) / 100, 100);
}

void print_beliefs(const tacit_policy *policy) {
  tacit_beliefs b;
  if (!tacit_policy_private(policy) ||
      tacit_beliefs_from(tacit_policy_mu(policy), tacit_policy_epsilon(policy), tacit_policy_delta(policy),
                         &b, NULL) != TACIT_OK)
    return;
  printf("\nTake somebody who knows all other rows, and how likely they thought something true of one unit\n"
         "before they saw the policy. Afterwards they think it at most so likely:\n  %-9s",
         "before");
  for (size_t k = 0; k < TACIT_EXCEPTIONS; k++) {
    char heading[32];
    snprintf(heading, sizeof heading, "but for 1 in %.0f", 1 / b.except[k]);
    printf(" %18s", heading);
  }
  for (size_t i = 0; i < TACIT_PRIORS; i++) {
    printf("\n  %5.0f %%  ", 100 * b.prior[i]);
    for (size_t k = 0; k < TACIT_EXCEPTIONS; k++) printf(" %16.2f %%", percent(b.at_most[i][k]));
  }
  putchar('\n');
}

json_t *beliefs_json(const tacit_policy *policy) {
  char *text = tacit_policy_text(policy);
  json_t *file = text ? json_loads(text, 0, NULL) : NULL;
  json_t *attacker = json_object_get(json_object_get(file, "privacy"), "attacker");
  attacker = attacker ? json_incref(attacker) : json_null();
  json_decref(file);
  free(text);
  return attacker;
}
